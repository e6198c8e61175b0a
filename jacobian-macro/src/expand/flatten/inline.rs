//! Calls of functions of the same module whose bodies stand in the place of the call.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{ExprPath, FnArg, ItemFn, ReturnType, Type};

use super::super::module::Call;
use super::Flattener;
use super::expected::Expected;
use super::scope::Captured;
use super::value::Value;

impl<'f> Flattener<'f> {
    /// The function of the module that `path` names, unless a variable has its name.
    pub(super) fn member_of_module(&self, path: &ExprPath) -> Option<Call<'f>> {
        self.module.call(&self.name_in_module(path)?)
    }

    /// The name that `path` names in the module, unless a variable has it.
    pub(super) fn name_in_module(&self, path: &ExprPath) -> Option<String> {
        let segments = &path.path.segments;
        let name = match path.path.get_ident() {
            Some(name) if self.scopes.find(name).is_none() => name,
            None if segments.len() == 2 && segments[0].ident == "self" => &segments[1].ident,
            _ => return None,
        };
        Some(name.unraw().to_string())
    }

    /// The value of a function of the module for these arguments.
    pub(super) fn inlined(&mut self, function: &ItemFn, args: Vec<Value>, call: &ExprPath) -> Value {
        let name = &function.sig.ident;
        if self.functions.iter().any(|outer| name == outer) {
            return self.refuse(call, format!("`{name}` calls itself here: recursion is not supported"));
        }
        let parameters: Option<Vec<_>> = function.sig.inputs.iter().map(as_typed).collect();
        let Some(parameters) = parameters.filter(|parameters| parameters.len() == args.len()) else {
            return self.refuse(call, format!("`{name}` takes {} arguments", function.sig.inputs.len()));
        };
        self.functions.push(name.to_string());
        let caller = self.scopes.call(&Captured::default(), 0);
        self.scopes.enter();
        for (parameter, value) in parameters.into_iter().zip(args) {
            let ty = Some(&*parameter.ty).filter(|ty| is_writable(ty));
            self.bind(&parameter.pat, value, ty);
        }
        let returned = match &function.sig.output {
            ReturnType::Type(_, ty) if is_writable(ty) => Expected::Type((**ty).clone()),
            _ => Expected::Anything,
        };
        let outer = std::mem::replace(&mut self.returned, returned);
        let value = self.body(&function.block);
        self.returned = outer;
        self.scopes.leave();
        self.scopes.return_to(caller);
        self.functions.pop();
        value
    }
}

fn as_typed(argument: &FnArg) -> Option<&syn::PatType> {
    match argument {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    }
}

/// Whether a type means the same where the function is called.
fn is_writable(ty: &Type) -> bool {
    let mut tokens = ty.to_token_stream().into_iter();
    !matches!(ty, Type::ImplTrait(_))
        && !tokens.any(|token| matches!(&token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == '\''))
}
