//! Calls of functions of the same module whose bodies stand in the place of the call.

use std::rc::Rc;

use syn::ext::IdentExt;
use syn::{FnArg, ItemFn};

use super::super::module::Call;
use super::super::refuse;
use super::super::syntax::{self, Binding, Path, Type, TypeKind};
use super::Flattener;
use super::expected::Expected;
use super::value::Value;

impl<'f> Flattener<'f> {
    /// The function of the module that `path` names.
    pub(super) fn member_of_module(&self, path: &Path) -> Option<Call<'f>> {
        self.module.call(&name_in_module(path)?)
    }

    /// The value of a function of the module for these arguments.
    pub(super) fn inlined(&mut self, function: &ItemFn, args: Vec<Value>, call: &Path) -> Value {
        let name = &function.sig.ident;
        if self.functions.iter().any(|outer| name == outer) {
            return self.refuse(call, refuse::recursion(name));
        }
        let is_complete = !function.sig.inputs.iter().any(|input| matches!(input, FnArg::Receiver(_)));
        if !is_complete || function.sig.inputs.len() != args.len() {
            return self.refuse(call, refuse::function_arguments(name, function.sig.inputs.len()));
        }
        let body = self.body_of(function);
        self.functions.push(name.to_string());
        let activation = self.bindings.activate(&body);
        let caller = std::mem::replace(&mut self.activation, activation);
        self.outside.extend(body.outside.iter().cloned());
        self.import_all();
        for ((pattern, ty), value) in body.parameters.iter().zip(args) {
            self.bind(pattern, value, Some(ty).filter(|ty| is_writable(ty)));
        }
        let returned = Expected::of_type(body.output.as_ref().filter(|ty| is_writable(ty)));
        let outer = std::mem::replace(&mut self.returned, returned);
        let value = self.body(&body.block);
        self.returned = outer;
        self.activation = caller;
        self.functions.pop();
        value
    }

    /// The body of a function of the module, which is read once.
    fn body_of(&mut self, function: &ItemFn) -> Rc<syntax::Body> {
        let name = function.sig.ident.unraw().to_string();
        let items = self.module.items();
        self.bodies.entry(name).or_insert_with(|| Rc::new(syntax::function(function, items))).clone()
    }
}

/// The name that a path names in the module.
pub(super) fn name_in_module(path: &Path) -> Option<String> {
    let segments = &path.path.path.segments;
    let name = match path.path.path.get_ident() {
        Some(name) if path.binding == Binding::Item => name,
        None if path.path.qself.is_none() && segments.len() == 2 && segments[0].ident == "self" => &segments[1].ident,
        _ => return None,
    };
    Some(name.unraw().to_string())
}

/// Whether a type means the same where the function is called.
fn is_writable(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(element, _) => is_writable(element),
        TypeKind::Tuple(elements) => elements.iter().all(is_writable),
        TypeKind::Reference(reference, _, target) => reference.lifetime.is_none() && is_writable(target),
        TypeKind::Infer => true,
        TypeKind::Path(path, _) => !has_lifetime(path),
        TypeKind::Other(ty, _) => !matches!(**ty, syn::Type::ImplTrait(_)) && !has_lifetime(ty),
    }
}

fn has_lifetime(tokens: &impl quote::ToTokens) -> bool {
    let mut tokens = tokens.to_token_stream().into_iter();
    tokens.any(|token| matches!(&token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == '\''))
}
