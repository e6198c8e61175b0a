//! Data goes one way: no two files of the engine import one another, not even by way of others, nor do those of the front
//! end, but for recursions along the user's code that are in several files.

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

/// The imports of each file.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The recursions of the front end, by crate: the files in which a walk over expressions is, which calls itself for their
/// parts.
const RECURSIONS: [(&str, &[&str]); 2] = [
    // What an expression becomes; and what syn's expressions become in the tree of the front end: the arguments of
    // macros are expressions, too.
    ("jacobian-macro/lower/src", &["lower", "syntax/resolve"]),
    // What the statements of a list become: there are lists in them.
    ("jacobian-macro/expand/src", &["emit"]),
];

#[test]
fn no_files_of_the_engine_import_one_another() {
    for sources in ["jacobian-core/list/src", "jacobian-core/src"] {
        assert_eq!(circles(imports(sources)), Vec::<Vec<String>>::new());
    }
}

#[test]
fn files_of_the_front_end_import_one_another_in_recursions_only() {
    let is_in =
        |file: &String, of: &str| file.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    for (sources, recursions) in RECURSIONS {
        let circles = circles(imports(sources));
        for circle in &circles {
            let is_its = |of: &&str| circle.iter().all(|file| is_in(file, of));
            assert!(recursions.iter().any(is_its), "a circle: {circle:#?}");
        }
        assert_eq!(circles.len(), recursions.len(), "a recursion is in one file by now: {circles:#?}");
    }
}

/// What the files of a crate import.
fn imports(sources: &str) -> Imports {
    let mut files = Files::default();
    let mut exported = Vec::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(sources), &Vec::new(), &mut files, &mut exported);
    // What is given may be named by what is given elsewhere.
    for _ in 0..3 {
        for (module, path) in &exported {
            if let (Some(named), Some(last)) = (files.resolve(module, path), path.last()) {
                files.given.insert((module.clone(), last.clone()), named);
            }
        }
    }
    let mut imports = Imports::new();
    for (module, paths) in files.mentioned.iter().filter(|(module, _)| !module.is_empty()) {
        let named = paths.iter().filter_map(|path| files.resolve(module, path));
        imports.insert(module.clone(), named.filter(|named| named != module && !named.is_empty()).collect());
    }
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > imports.len(), "imports are found");
    imports
}

/// The largest sets of files that all import one another, be it by way of others, by their names.
fn circles(mut imports: Imports) -> Vec<Vec<String>> {
    // A file that imports none that is left is in no circle.
    while let Some(done) = imports.iter().find(|(_, named)| named.is_empty()).map(|(module, _)| module.clone()) {
        imports.remove(&done);
        imports.values_mut().for_each(|named| named.retain(|other| *other != done));
    }
    let reached: BTreeMap<_, _> = imports.keys().map(|module| (module, reached(module, &imports))).collect();
    let circle = |module: &Module| {
        let is_in = |other: &&&Module| reached[**other].contains(module);
        reached[module].iter().filter(is_in).map(|other| other.join("/")).collect::<Vec<_>>()
    };
    let circles: BTreeSet<_> = imports.keys().map(circle).filter(|circle| !circle.is_empty()).collect();
    circles.into_iter().collect()
}

/// The files that a file imports, be it by way of others.
fn reached<'i>(from: &'i Module, imports: &'i Imports) -> BTreeSet<&'i Module> {
    let (mut reached, mut rest) = (BTreeSet::new(), vec![from]);
    while let Some(module) = rest.pop() {
        rest.extend(imports[module].iter().filter(|named| reached.insert(*named)));
    }
    reached
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
