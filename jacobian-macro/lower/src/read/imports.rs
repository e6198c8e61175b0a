//! What the `use` items of a module import.

use syn::{Ident, Item, UseTree};

/// A name that a `use` declares.
pub struct Import {
    /// The name; `*` stands for all names that there are.
    pub name: String,
    /// The path of what it stands for.
    pub path: Vec<String>,
}

/// The names that the `use` items declare.
pub fn imports(items: &[Item]) -> Vec<Import> {
    let mut found = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            add(&item.tree, &mut Vec::new(), &mut found);
        }
    }
    found
}

fn add(tree: &UseTree, path: &mut Vec<String>, found: &mut Vec<Import>) {
    let whole = |last: &Ident, path: &[String]| [path, &[last.to_string()]].concat();
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            add(&inner.tree, path, found);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| add(tree, path, found)),
        UseTree::Name(name) if name.ident == "self" => {
            found.extend(path.last().map(|last| Import { name: last.clone(), path: path.clone() }));
        }
        UseTree::Name(name) => found.push(Import { name: name.ident.to_string(), path: whole(&name.ident, path) }),
        UseTree::Rename(rename) => {
            found.push(Import { name: rename.rename.to_string(), path: whole(&rename.ident, path) });
        }
        UseTree::Glob(_) => {
            found.push(Import { name: "*".to_string(), path: [&path[..], &["*".to_string()]].concat() })
        }
    }
}

impl Import {
    /// The enum among `items` of which it imports all variants or one, and the name of what it imports there.
    pub fn of_enum<'i>(&self, items: &'i [Item]) -> Option<(&'i Ident, &str)> {
        let (first, name) = match &self.path[..] {
            [first, name] => (first, name),
            [module, first, name] if module == "self" => (first, name),
            _ => return None,
        };
        let is_named = |item: &&Item| matches!(item, Item::Enum(item) if item.ident == first);
        match items.iter().find(is_named) {
            Some(Item::Enum(item)) => Some((&item.ident, name)),
            _ => None,
        }
    }
}
