//! The standard library's traits of operators, by the names that a module gives them.

use syn::{GenericArgument, Item, Path, PathArguments, Type};

use super::super::read::imports::{Import, imports};

/// The name of the trait of the standard library's operators that a path means.
pub fn operator(path: &Path, items: &[Item]) -> Option<String> {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_std = |root: &str| ["std", "core"].contains(&root);
    let [first, others @ ..] = &names[..] else { return None };
    if is_std(first) {
        return others.last().cloned();
    }
    let is_declared = items.iter().any(|item| matches!(item, Item::Trait(item) if item.ident == first));
    let imported = imports(items);
    let of_name: Vec<_> = imported.iter().filter(|import| import.name == *first).collect();
    let path = match (is_declared, &of_name[..]) {
        (false, [import]) => import.path.clone(),
        (false, []) => {
            // What else is imported by `*` may have such a name, too, but for variants.
            let mut globs = imported.iter().filter(|import| import.name == "*" && import.of_enum(items).is_none());
            let (Some(Import { path, .. }), None) = (globs.next(), globs.next()) else { return None };
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

/// The first type among the arguments of a trait.
pub fn argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
