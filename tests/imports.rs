//! Data goes one way: no two files of the engine import one another, not even by way of others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree, Visibility};

/// The place of a module: the names on the way from the root of the crate to it.
type Module = Vec<String>;

#[derive(Default)]
struct Files {
    /// The paths that each file mentions, as they are written.
    mentioned: BTreeMap<Module, BTreeSet<Vec<String>>>,
    /// What a module gives under another name than its own: `pub use`.
    given: BTreeMap<(Module, String), Module>,
}

#[test]
fn no_files_of_the_engine_import_one_another() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("jacobian-core/src");
    let mut files = Files::default();
    let mut exported = Vec::new();
    read(&root, &Vec::new(), &mut files, &mut exported);
    // What is given may be named by what is given elsewhere.
    for _ in 0..3 {
        for (module, path) in &exported {
            if let (Some(named), Some(last)) = (files.resolve(module, path), path.last()) {
                files.given.insert((module.clone(), last.clone()), named);
            }
        }
    }
    let mut imports: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, paths) in files.mentioned.iter().filter(|(module, _)| !module.is_empty()) {
        let named = paths.iter().filter_map(|path| files.resolve(module, path));
        imports.insert(module.clone(), named.filter(|named| named != module && !named.is_empty()).collect());
    }
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 200, "imports are found");
    // A file that imports none that is left is in no circle.
    while let Some(done) = imports.iter().find(|(_, named)| named.is_empty()).map(|(module, _)| module.clone()) {
        imports.remove(&done);
        imports.values_mut().for_each(|named| named.retain(|other| *other != done));
    }
    assert!(imports.is_empty(), "in circles, or behind them: {imports:#?}");
}

/// Reads the files of a module and of those in it.
fn read(directory: &Path, module: &Module, files: &mut Files, exported: &mut Vec<(Module, Vec<String>)>) {
    for entry in fs::read_dir(directory).expect("the sources are there") {
        let path = entry.expect("the sources are there").path();
        let stem = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let inner = || module.iter().cloned().chain([stem.clone()]).collect::<Module>();
        if path.is_dir() {
            read(&path, &inner(), files, exported);
            continue;
        }
        let own = if stem == "mod" || stem == "lib" { module.clone() } else { inner() };
        let text = fs::read_to_string(&path).expect("the sources are there");
        let mut mentioned = BTreeSet::new();
        for item in syn::parse_file(&text).expect("the sources are Rust").items {
            match item {
                Item::Use(item) => {
                    let mut paths = Vec::new();
                    flatten(&item.tree, Vec::new(), &mut paths);
                    if !matches!(item.vis, Visibility::Inherited) {
                        exported.extend(paths.iter().map(|path| (own.clone(), path.clone())));
                    }
                    mentioned.extend(paths);
                }
                Item::Mod(item) if item.ident == "tests" => {}
                item => paths_in(item.to_token_stream(), &mut mentioned),
            }
        }
        files.mentioned.insert(own, mentioned);
    }
}

/// The paths of a `use`.
fn flatten(tree: &UseTree, before: Vec<String>, paths: &mut Vec<Vec<String>>) {
    let with = |ident: &syn::Ident| before.iter().cloned().chain([ident.to_string()]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(path) => flatten(&path.tree, with(&path.ident), paths),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before.clone(), paths)),
        UseTree::Name(name) if name.ident == "self" => paths.push(before),
        UseTree::Name(name) => paths.push(with(&name.ident)),
        UseTree::Rename(rename) => paths.push(with(&rename.ident)),
        UseTree::Glob(_) => paths.push(before),
    }
}

/// The paths of more than one name in other code.
fn paths_in(tokens: TokenStream, found: &mut BTreeSet<Vec<String>>) {
    let (mut path, mut colons) = (Vec::new(), 0);
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if colons != 2 {
                    path.clear();
                }
                path.push(ident.to_string());
                if path.len() > 1 {
                    found.insert(path.clone());
                }
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                paths_in(group.stream(), found);
                (path, colons) = (Vec::new(), 0);
            }
            _ => (path, colons) = (Vec::new(), 0),
        }
    }
}

impl Files {
    /// The file in which what a path names is, if it is one of the crate.
    fn resolve(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut rest = path;
        let mut at = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.clone(),
            first if self.mentioned.contains_key(&inside(module, first)) => module.clone(),
            _ => return None,
        };
        while let Some((first, others)) =
            rest.split_first().filter(|(first, _)| ["crate", "self", "super"].contains(&first.as_str()))
        {
            if first == "super" {
                at.pop();
            }
            rest = others;
        }
        for name in rest {
            let inner = inside(&at, name);
            if self.mentioned.contains_key(&inner) {
                at = inner;
            } else if let Some(given) = self.given.get(&(at.clone(), name.clone())) {
                at = given.clone();
            } else {
                break;
            }
        }
        Some(at)
    }
}

fn inside(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_string()]).collect()
}
