//! The standard library's traits of operators, by the names that a module gives them.

use syn::{GenericArgument, Ident, Item, Path, PathArguments, Type, UseTree};

/// The name of the trait of the standard library's operators that a path means.
pub fn operator(path: &Path, items: &[Item]) -> Option<String> {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_std = |root: &str| ["std", "core"].contains(&root);
    let [first, others @ ..] = &names[..] else { return None };
    if is_std(first) {
        return others.last().cloned();
    }
    let is_declared = items.iter().any(|item| matches!(item, Item::Trait(item) if item.ident == first));
    let mut imported = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            imports(&item.tree, &mut Vec::new(), &mut imported);
        }
    }
    let of_name: Vec<_> = imported.iter().filter(|(name, _)| name == first).collect();
    let path = match (is_declared, &of_name[..]) {
        (false, [(_, path)]) => path.clone(),
        (false, []) => {
            // What else is imported by `*` may have such a name, too.
            let mut globs = imported.iter().filter(|(name, _)| name == "*");
            let (Some((_, path)), None) = (globs.next(), globs.next()) else { return None };
            [&path[..path.len() - 1], std::slice::from_ref(first)].concat()
        }
        _ => return None,
    };
    match others {
        [] if is_std(&path[0]) && path[1..path.len() - 1] == ["ops"] => path.last().cloned(),
        [last] if is_std(&path[0]) && path[1..] == ["ops"] => Some(last.clone()),
        _ => None,
    }
}

/// The names that a `use` declares, with what they stand for.
fn imports(tree: &UseTree, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let whole = |last: &Ident, path: &[String]| [path, &[last.to_string()]].concat();
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            imports(&inner.tree, path, found);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| imports(tree, path, found)),
        UseTree::Name(name) if name.ident == "self" => {
            found.extend(path.last().map(|last| (last.clone(), path.clone())));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), whole(&name.ident, path))),
        UseTree::Rename(rename) => found.push((rename.rename.to_string(), whole(&rename.ident, path))),
        UseTree::Glob(_) => found.push(("*".to_string(), [&path[..], &["*".to_string()]].concat())),
    }
}

/// The first type among the arguments of a trait.
pub fn argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
