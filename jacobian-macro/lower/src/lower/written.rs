//! What is kept as the user wrote it: paths, types and tokens in which a name may be called otherwise in the generated
//! code.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{Delimiter, Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::super::names::{Before, begins_path};
use super::super::refuse;
use super::super::syntax::{Binding, ConstantId, ImportId, ItemId, Key, Path, Placed, Type, TypeKind, key};
use super::super::tokens::grouped;
use super::Lowering;
use super::control::Flow;
use super::matched::written;
use super::numbers::integer::Types;
use super::value::Value;

/// The items inside of the functions, which are written before all statements, and constants.
#[derive(Default)]
pub struct Hoisted {
    /// What is known of constants of the module, of those that have been looked up.
    pub module_constants: HashMap<String, Option<Value>>,
    /// The values of constants inside of functions, of those that have been used.
    pub constants: HashMap<(usize, ConstantId), Value>,
    /// What these constants are called in the generated code.
    pub constant_names: HashMap<(usize, ConstantId), Ident>,
    /// What other items inside of functions are called in the generated code, by the address of the item.
    pub items: HashMap<usize, Ident>,
    /// What imported names are called in the generated code.
    pub imports: HashMap<(usize, ImportId), Ident>,
    /// The names of the items in the user's functions.
    pub names: HashSet<String>,
    /// The names that mean something outside of the functions that are lowered.
    pub outside: HashSet<String>,
}

impl Lowering<'_> {
    /// A path. Where it is in a function that is inlined, items of the module are named so that nothing in the
    /// function around it hides them.
    pub(super) fn written_path(&mut self, path: &Path) -> TokenStream {
        let tokens = self.with_names(path.path.to_token_stream(), &path.names);
        match path.binding {
            Binding::Import(id) => with_first(self.import(id), tokens),
            Binding::Local(id) => with_first(self.local_item(id), tokens),
            Binding::Generic if !self.activation.is_outermost => {
                let segments = &path.path.path.segments;
                let ty = segments.first().map(|first| self.given_tokens(&first.ident));
                // A part of the type itself that is called so is another one.
                let trait_ = match (segments.first(), segments.get(1)) {
                    (Some(ty), Some(part)) if segments.len() == 2 => self.trait_of(&ty.ident, &part.ident),
                    _ => None,
                };
                let trait_ = trait_.map(|trait_| quote!(as #trait_));
                let rest = tokens.into_iter().skip(1);
                quote!(<#ty #trait_>#(#rest)*)
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
                let known =
                    length.as_ref().ok().and_then(Value::as_int).and_then(|length| usize::try_from(length).ok());
                let length = match known {
                    Some(length) => Literal::usize_unsuffixed(length).to_token_stream(),
                    None => written(length),
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
        if names.is_empty() { tokens } else { self.with_names_in(tokens, names, false) }
    }

    /// The same of tokens which are, perhaps, the fields of a struct: their names are not those of variables.
    fn with_names_in(&mut self, tokens: TokenStream, names: &[(Key, Binding)], are_fields: bool) -> TokenStream {
        let (mut written, mut before) = (TokenStream::new(), Before::default());
        let mut tokens = tokens.into_iter().peekable();
        // Whether a field may begin here.
        let mut is_first = are_fields;
        while let Some(token) = tokens.next() {
            let (is_name, is_type) = (!before.is_of_name(), before.is_of_type() || begins_path(tokens.peek()));
            let (is_text, has_fields) = (before.is_of_text(), before.is_of_struct());
            let field = Field::before(tokens.peek()).filter(|_| is_first);
            before.next(&token);
            is_first = are_fields && is_comma(&token);
            written.extend(match (token, field) {
                (TokenTree::Ident(ident), Some(Field::Named)) => ident.into_token_stream(),
                (TokenTree::Ident(ident), Some(Field::Short)) if is_name => {
                    let value = self.written_name(ident.clone(), names, is_type);
                    if ident == value.to_string() { value } else { quote!(#ident: #value) }
                }
                (TokenTree::Ident(ident), _) if is_name => self.written_name(ident, names, is_type),
                (TokenTree::Group(group), _) if !is_text => {
                    let are_fields = has_fields && group.delimiter() == Delimiter::Brace;
                    let inner = self.with_names_in(group.stream(), names, are_fields);
                    grouped(&group, inner).into()
                }
                (other, _) => other.into(),
            });
        }
        written
    }

    /// A function inside of the generated one, which is declared once for each key, and called like this.
    pub(super) fn inner_function(
        &mut self,
        (key, name): (&str, &str),
        written: impl FnOnce(&Ident, &Self) -> TokenStream,
    ) -> Ident {
        if let Some((_, name)) = self.inner_functions.iter().find(|(known, _)| known == key) {
            return name.clone();
        }
        let name = self.program.names.fresh(name);
        let tokens = written(&name, self);
        self.program.code.item(Some(name.clone()), tokens);
        self.inner_functions.push((key.to_string(), name.clone()));
        name
    }

    fn written_name(&mut self, ident: Ident, names: &[(Key, Binding)], is_type: bool) -> TokenStream {
        let own = key(&ident);
        let is_value = |binding: &Binding| matches!(binding, Binding::Variable(_) | Binding::Constant(_));
        let mut bindings = names.iter().filter(|(name, _)| *name == own).map(|(_, binding)| *binding);
        let binding = match is_type {
            true => bindings.find(|binding| !is_value(binding)),
            false => bindings.clone().find(is_value).or_else(|| bindings.next()),
        };
        let value = match binding {
            Some(Binding::Variable(id)) => {
                self.bindings.find(self.activation.number(id)).map(|found| found.value.clone())
            }
            Some(Binding::Constant(id)) => return self.constant_name(id).to_token_stream(),
            Some(Binding::Import(id)) => return self.import(id).into_token_stream(),
            Some(Binding::Local(id)) => return self.local_item(id).into_token_stream(),
            Some(Binding::Generic) if !self.activation.is_outermost => return self.given_tokens(&ident),
            _ => None,
        };
        match value.and_then(|value| value.to_passive()) {
            Some(passive) => passive.operand(),
            None => ident.into_token_stream(),
        }
    }

    /// What a constant of the present function is called in the generated code.
    fn constant_name(&mut self, id: ConstantId) -> Ident {
        // An error says why it is refused.
        let _ = self.local_constant(id);
        self.hoisted.constant_names[&(self.activation.key(), id)].clone()
    }

    /// What another item of the present function is called in the generated code, before whose statements it is
    /// written.
    fn local_item(&mut self, id: ItemId) -> Ident {
        let item = self.activation.body.items[id.0 as usize].clone();
        let address = Rc::as_ptr(&item) as usize;
        if let Some(name) = self.hoisted.items.get(&address) {
            return name.clone();
        }
        let name = self.item_name(item.ident.as_ref().expect("an item without a name is not mentioned"), false);
        self.hoisted.items.insert(address, name.clone());
        let tokens = self.with_names(item.written.tokens.clone(), &item.written.names);
        self.program.code.item(Some(name.clone()), tokens);
        name
    }

    /// The name of an item of the user's function in the generated one, where all of them are seen everywhere: its own,
    /// unless that means something else somewhere, be it to a macro or to a function that may be inlined.
    pub(super) fn item_name(&mut self, ident: &Ident, is_import: bool) -> Ident {
        let name = ident.unraw().to_string();
        // A module such as `std::f64` does not hide the type of its name.
        if is_import && Types::named(&name).or_else(|| Types::float(&name)).is_some() {
            self.hoisted.names.insert(name);
            return ident.clone();
        }
        let means_more = self.hoisted.outside.contains(&name)
            || self.module.declared().items().names.contains(&name)
            || self.module.generates(&name)
            || self.outermost.calls_macros && !is_import;
        let is_taken = means_more || !self.hoisted.names.insert(name.clone());
        let is_type = name.starts_with(char::is_uppercase) && (name.len() == 1 || name.contains(char::is_lowercase));
        let mut own = match is_taken {
            true if is_type => self.program.names.fresh_type(&name),
            true => self.program.names.fresh(&name),
            false => self.program.names.like(&name),
        };
        own.set_span(ident.span());
        own
    }

    /// Writes the `use`s of the present function before all statements.
    pub(super) fn import_all(&mut self) -> Flow<()> {
        let body = self.activation.body.clone();
        let around = body.from_around;
        for (index, import) in body.imports.iter().enumerate().skip(around.imports) {
            if import.is_glob && !self.activation.is_outermost {
                return self.refuse(&import.place, refuse::INLINED_GLOB);
            }
            if import.may_be_trait() && (import.is_inner || !self.activation.is_outermost) {
                return self.refuse(&import.place, refuse::INNER_TRAIT);
            }
            self.import(ImportId(index as u32));
        }
        let own = || body.items.iter().skip(around.items);
        let is_inlined = !self.activation.is_outermost;
        if let Some(ident) = own().filter(|item| item.is_trait && is_inlined).find_map(|item| item.ident.as_ref()) {
            return self.refuse(ident, refuse::INNER_TRAIT);
        }
        for item in own().filter(|item| item.ident.is_none()) {
            let tokens = self.with_names(item.written.tokens.clone(), &item.written.names);
            self.program.code.item(None, tokens);
        }
        Ok(())
    }

    /// What an imported name is called in the generated code.
    fn import(&mut self, id: ImportId) -> Ident {
        let key = (self.activation.key(), id);
        if let Some(name) = self.hoisted.imports.get(&key) {
            return name.clone();
        }
        let import = self.activation.body.imports[id.0 as usize].clone();
        let name = import.ident.as_ref().map(|ident| self.item_name(ident, !import.is_inner));
        let known = name.clone().unwrap_or_else(|| Ident::new("_unnamed", import.place.place().span()));
        // What its path begins with may mention it.
        self.hoisted.imports.insert(key, known.clone());
        let last = import.path.tokens.clone().into_iter().last();
        let path = self.with_names(import.path.tokens.clone(), &import.path.names);
        let written = match (&name, last) {
            (None, _) if import.is_glob => quote!(use #path;),
            (None, _) => quote!(use #path as _;),
            (Some(name), Some(TokenTree::Ident(last))) if last == *name => quote!(use #path;),
            (Some(name), _) => quote!(use #path as #name;),
        };
        let droppable = name.filter(|_| import.is_no_trait == Some(true));
        self.program.code.item(droppable, written);
        known
    }
}

/// How the field of a struct is written whose name comes before a token.
enum Field {
    /// `name: value`
    Named,
    /// `name`
    Short,
}

impl Field {
    fn before(next: Option<&TokenTree>) -> Option<Field> {
        match next {
            None => Some(Field::Short),
            Some(token) if is_comma(token) => Some(Field::Short),
            Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && !begins_path(next) => Some(Field::Named),
            Some(_) => None,
        }
    }
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

/// The tokens of a path with this first name.
fn with_first(name: Ident, path: TokenStream) -> TokenStream {
    let rest = path.into_iter().skip(1);
    quote!(#name #(#rest)*)
}
