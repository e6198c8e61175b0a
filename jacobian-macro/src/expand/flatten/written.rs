//! What is kept as the user wrote it: paths, types and tokens in which a name may be called otherwise in the generated code.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::super::syntax::{Binding, ImportId, Key, Path, Placed, Type, TypeKind, key};
use super::Flattener;

impl Flattener<'_> {
    /// A path. Where it stands in a function that is inlined, items of the module are named so that nothing in the
    /// function around it hides them.
    pub(super) fn written_path(&mut self, path: &Path) -> TokenStream {
        let tokens = self.with_names(path.path.to_token_stream(), &path.names);
        match path.binding {
            Binding::Import(id) => {
                let name = self.import(id);
                let rest = tokens.into_iter().skip(1);
                std::iter::once(TokenTree::Ident(name)).chain(rest).collect()
            }
            Binding::Item if !self.activation.is_outermost => quote!(self::#tokens),
            _ => tokens,
        }
    }

    /// A type as it is written in the generated code.
    pub(super) fn written_type(&mut self, ty: &Type) -> TokenStream {
        match &ty.kind {
            TypeKind::Array(element, length) => {
                let element = self.written_type(element);
                let length = self.expression(length);
                let length = match length.as_int().and_then(|length| usize::try_from(length).ok()) {
                    Some(length) => Literal::usize_unsuffixed(length).to_token_stream(),
                    None => length.to_passive().map(|length| length.tokens().clone()).unwrap_or_default(),
                };
                quote!([#element; #length])
            }
            TypeKind::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.written_type(element));
                quote!((#(#elements,)*))
            }
            TypeKind::Reference(written, _, target) => {
                let (target, and) = (self.written_type(target), &written.and_token);
                let (lifetime, mutability) = (&written.lifetime, &written.mutability);
                quote!(#and #lifetime #mutability #target)
            }
            TypeKind::Infer => quote!(_),
            TypeKind::Path(path, names) => self.with_names(path.to_token_stream(), names),
            TypeKind::Other(other, names) => self.with_names(other.to_token_stream(), names),
        }
    }

    /// The tokens, with what these names are called in the generated code.
    pub(super) fn with_names(&mut self, tokens: TokenStream, names: &[(Key, Binding)]) -> TokenStream {
        if names.is_empty() {
            return tokens;
        }
        let (mut written, mut is_member) = (TokenStream::new(), false);
        for token in tokens {
            let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            written.extend(match token {
                TokenTree::Ident(ident) if !is_member => self.written_name(ident, names),
                TokenTree::Group(group) => {
                    let mut inner = proc_macro2::Group::new(group.delimiter(), self.with_names(group.stream(), names));
                    inner.set_span(group.span());
                    TokenTree::Group(inner).into()
                }
                other => other.into(),
            });
            is_member = is_dot;
        }
        written
    }

    fn written_name(&mut self, ident: Ident, names: &[(Key, Binding)]) -> TokenStream {
        let own = key(&ident);
        let binding = names.iter().find(|(name, _)| *name == own).map(|(_, binding)| *binding);
        let value = match binding {
            Some(Binding::Variable(id)) => {
                self.bindings.find(self.activation.number(id)).map(|found| found.value.clone())
            }
            Some(Binding::Constant(id)) => Some(self.local_constant(id)),
            Some(Binding::Import(id)) => return self.import(id).into_token_stream(),
            _ => None,
        };
        match value.and_then(|value| value.to_passive()) {
            Some(passive) => passive.operand(),
            None => ident.into_token_stream(),
        }
    }

    /// The name of an item of the user's function in the generated one, where all of them are seen everywhere: its own,
    /// unless that means something else somewhere.
    pub(super) fn item_name(&mut self, ident: &Ident) -> Ident {
        let name = ident.unraw().to_string();
        let is_taken = self.outside.contains(&name) || !self.hoisted.insert(name.clone());
        let mut own = if is_taken { self.names.fresh(&name) } else { self.names.like(&name) };
        own.set_span(ident.span());
        own
    }

    /// Writes the `use`s of the present function in front of all statements.
    pub(super) fn import_all(&mut self) {
        let body = self.activation.body.clone();
        for (index, import) in body.imports.iter().enumerate() {
            if import.is_glob && !self.activation.is_outermost {
                let message = "`use ...::*` in a function that is inlined is not supported; write it in the module";
                self.errors.at(&import.place, message);
            }
            self.import(ImportId(index as u32));
        }
    }

    /// What an imported name is called in the generated code.
    fn import(&mut self, id: ImportId) -> Ident {
        let key = (self.activation.key(), id);
        if let Some(name) = self.imports.get(&key) {
            return name.clone();
        }
        let import = self.activation.body.imports[id.0 as usize].clone();
        let (path, last) = (&import.path, import.path.clone().into_iter().last());
        let (name, written) = match &import.ident {
            None if import.is_glob => (None, quote!(use #path;)),
            None => (None, quote!(use #path as _;)),
            Some(ident) => {
                let name = self.item_name(ident);
                let is_own = matches!(&last, Some(TokenTree::Ident(last)) if *last == name);
                let written = if is_own { quote!(use #path;) } else { quote!(use #path as #name;) };
                (Some(name), written)
            }
        };
        self.code.item(None, written);
        let name = name.unwrap_or_else(|| Ident::new("_unnamed", import.place.place().span()));
        self.imports.insert(key, name.clone());
        name
    }
}
