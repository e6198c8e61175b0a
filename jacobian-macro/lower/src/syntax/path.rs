//! What a path names.

use syn::ext::IdentExt;

use super::tree::{Binding, Expr, ExprKind, Path};

impl Path {
    /// Its names, without their arguments.
    pub fn segments(&self) -> Vec<String> {
        self.path.path.segments.iter().map(|segment| segment.ident.to_string()).collect()
    }

    /// The name that it names in the module.
    pub fn name_in_module(&self) -> Option<String> {
        let segments = &self.path.path.segments;
        let name = match segments.len() {
            1 if self.binding == Binding::Item => &segments[0].ident,
            2 if self.path.qself.is_none() && segments[0].ident == "self" => &segments[1].ident,
            _ => return None,
        };
        Some(name.unraw().to_string())
    }

    /// Whether it names this variant of `Option` or `Result`.
    pub fn is_variant(&self, variant: &str) -> bool {
        let segments = &self.path.path.segments;
        let is_its = |ident: &syn::Ident| ident == "Option" || ident == "Result";
        let is_of_enum = segments.len() < 2 || is_its(&segments[segments.len() - 2].ident);
        let is_named = segments.last().is_some_and(|last| last.ident == variant && last.arguments.is_none());
        is_named && is_of_enum && self.path.qself.is_none() && (self.may_be_std || segments.len() > 1)
    }
}

impl Expr {
    /// The path of `core::array::from_fn`, if it is that, which is given `args`. What is imported and called by its name
    /// alone may be `iter::from_fn`, whose closure takes nothing.
    pub fn path_of_from_fn(&self, args: &[Expr]) -> Option<&Path> {
        let takes_an_index = || match args {
            [arg] => matches!(&*arg.unwrapped().kind, ExprKind::Closure(closure) if closure.parameters.len() == 1),
            _ => false,
        };
        self.path_of_std("array", "from_fn").filter(|path| path.segments().len() > 1 || takes_an_index())
    }

    /// Whether it is `core::iter::zip`.
    pub fn is_zip(&self) -> bool {
        self.path_of_std("iter", "zip").is_some()
    }

    /// The path of a function in a module of the standard library, which is imported where it is written by its name alone.
    fn path_of_std(&self, module: &str, name: &str) -> Option<&Path> {
        let ExprKind::Path(path) = &*self.unwrapped().kind else { return None };
        let names = path.segments();
        let is_it = match &names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["core" | "std", own, last] | [own, last] => *own == module && *last == name,
            [last] => *last == name && matches!(path.binding, Binding::Import(_) | Binding::Item),
            _ => false,
        };
        (is_it && path.may_be_std && path.path.qself.is_none()).then_some(path)
    }
}
