//! The type aliases of a module, `type Real = f64;`: where one is mentioned, the items are seen with what it stands for.
//!
//! Taken: the items of a module. Given: the same items, in order, in which the names of aliases are replaced. Only what
//! is read changes, not what the user wrote. So nothing that reads types has to know of aliases, be it in `Vec3<Real>`, in
//! `Option<Real>` or in `impl Mul<Real> for State`.
//!
//! An alias stays as it is in an item inside of which a name means something else: its own, or one in what it stands
//! for. In macros that are called, all names stay: what they mean there is the macro's affair.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Ident, Item, ItemType, PathArguments, Type};

use super::super::attributes::conditions;
use super::super::names::each_identifier;
use super::super::read::ty::unwrapped;
use super::super::tokens::{grouped, is_path, is_punct};

/// Words after which a name is declared.
const DECLARING: &[&str] = &["type", "struct", "enum", "union", "trait", "const", "static", "fn", "mod"];

/// Words that may stand before `!(...)`, which is no macro then.
const BEFORE_NOT: &[&str] = &["if", "while", "match", "return", "in", "else", "break"];

/// How many aliases may stand for one another.
const DEPTH: usize = 8;

/// The aliases of a module that mean the same everywhere in it.
struct Aliases {
    targets: HashMap<String, Type>,
}

/// The items with what aliases stand for in the place of their names.
pub fn expanded(items: &[Item]) -> Vec<Item> {
    let aliases = Aliases::read(items);
    if aliases.targets.is_empty() {
        return items.to_vec();
    }
    items.iter().map(|item| aliases.in_item(item)).collect()
}

impl Aliases {
    fn read(items: &[Item]) -> Self {
        let mut declared = Declared::default();
        items.iter().for_each(|item| declared.add_item(item));
        let is_one = |name: &Ident| declared.outside.iter().filter(|other| name.unraw() == other.as_str()).count() == 1;
        let mut targets = HashMap::new();
        for item in items {
            if let Item::Type(ItemType { ident, generics, ty, attrs, .. }) = item
                && generics.params.is_empty()
                && conditions(attrs).is_empty()
                && is_one(ident)
                && !is_variant(ident, items)
                && may_be_written(ty)
            {
                targets.insert(ident.unraw().to_string(), unwrapped(ty).clone());
            }
        }
        let mut aliases = Aliases { targets };
        aliases.close();
        aliases
    }

    /// Writes what aliases stand for by aliases of no other name. Those that go round in circles are none.
    fn close(&mut self) {
        for _ in 0..DEPTH {
            let mut targets = HashMap::new();
            for (name, ty) in &self.targets {
                targets.extend(syn::parse2(self.rewritten(ty.to_token_stream())).ok().map(|ty| (name.clone(), ty)));
            }
            self.targets = targets;
        }
        let is_closed =
            |ty: &Type| self.rewritten(ty.to_token_stream()).to_string() == ty.to_token_stream().to_string();
        let closed = self.targets.iter().filter(|(_, ty)| is_closed(ty));
        self.targets = closed.map(|(name, ty)| (name.clone(), ty.clone())).collect();
    }

    fn in_item(&self, item: &Item) -> Item {
        match item {
            Item::Fn(_)
            | Item::Impl(_)
            | Item::Struct(_)
            | Item::Type(_)
            | Item::Const(_)
            | Item::Static(_)
            | Item::Trait(_) => {
                let mut declared = Declared::default();
                declared.add_item(item);
                if declared.has_glob {
                    return item.clone();
                }
                let tokens = self.without(&declared.inside).rewritten(item.to_token_stream());
                syn::parse2(tokens).unwrap_or_else(|_| item.clone())
            }
            item => item.clone(),
        }
    }

    /// Those in which none of these names occurs.
    fn without(&self, names: &HashSet<String>) -> Aliases {
        let mut targets = HashMap::new();
        for (name, ty) in &self.targets {
            let mut is_hidden = names.contains(name);
            each_identifier(ty.to_token_stream(), &mut |part| is_hidden |= names.contains(&part.unraw().to_string()));
            if !is_hidden {
                targets.insert(name.clone(), ty.clone());
            }
        }
        Aliases { targets }
    }

    fn rewritten(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let (mut written, mut at) = (TokenStream::new(), 0);
        while at < tokens.len() {
            if let Some(end) = end_of_unread(&tokens, at) {
                written.extend(tokens[at..end].iter().cloned());
                at = end;
                continue;
            }
            let name_at = if is_of_self(&tokens, at) { at + 3 } else { at };
            match (&tokens[at], tokens.get(name_at)) {
                (_, Some(TokenTree::Ident(name))) if let Some(target) = self.meant(&tokens, at, name_at, name) => {
                    written.extend(spelled(target, tokens.get(name_at + 1), is_path(&tokens, name_at + 1), name));
                    at = name_at + 1;
                    continue;
                }
                (TokenTree::Group(group), _) => written.extend([grouped(group, self.rewritten(group.stream()))]),
                (token, _) => written.extend([token.clone()]),
            }
            at += 1;
        }
        written
    }

    /// What the name at `name_at` stands for, of the path that begins at `at`.
    fn meant(&self, tokens: &[TokenTree], at: usize, name_at: usize, name: &Ident) -> Option<&Type> {
        let target = self.targets.get(&name.unraw().to_string())?;
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        let is_range = at >= 2 && is_punct(tokens.get(at - 2), '.');
        let is_other = match before {
            Some(TokenTree::Punct(punct)) if punct.as_char() == '.' => !is_range,
            Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => at >= 2 && is_path(tokens, at - 2),
            Some(TokenTree::Ident(word)) => DECLARING.iter().any(|declaring| word == declaring),
            _ => false,
        };
        // The name of a field, of a macro.
        let is_label = is_punct(tokens.get(name_at + 1), ':') && !is_path(tokens, name_at + 1);
        (!is_other && !is_label).then_some(target)
    }
}

/// An alias that is called `name` by what it stands for, before `next`, which is a part of its path if `is_path`.
fn spelled(target: &Type, next: Option<&TokenTree>, is_path: bool, name: &Ident) -> TokenStream {
    let is_before_fields = matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
    let written = match target {
        Type::Path(path) if is_path || is_before_fields => {
            let mut path = path.clone();
            for segment in &mut path.path.segments {
                if let PathArguments::AngleBracketed(given) = &mut segment.arguments {
                    given.colon2_token = Some(Default::default());
                }
            }
            path.to_token_stream()
        }
        target if is_path => quote!(<#target>),
        target => target.to_token_stream(),
    };
    spanned(written, name)
}

/// The tokens at the place of `name`.
fn spanned(tokens: TokenStream, name: &Ident) -> TokenStream {
    let at_name = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), spanned(group.stream(), name)));
        }
        token.set_span(name.span());
        token
    };
    tokens.into_iter().map(at_name).collect()
}

/// Where what begins here ends, if no name in it is read: a `use`, what a macro is given.
fn end_of_unread(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let TokenTree::Ident(word) = &tokens[at] else { return None };
    if word == "use" {
        let end = tokens[at..].iter().position(|token| is_punct(Some(token), ';'))?;
        return Some(at + end);
    }
    let is_call = is_punct(tokens.get(at + 1), '!') && matches!(tokens.get(at + 2), Some(TokenTree::Group(_)));
    (is_call && !BEFORE_NOT.iter().any(|before| word == before)).then_some(at + 3)
}

/// The names that items declare, by where they mean something.
#[derive(Default)]
struct Declared {
    /// Those in the module itself, each as often as it is declared.
    outside: Vec<String>,
    /// Those that mean something inside of an item, generic parameters among them.
    inside: HashSet<String>,
    /// Whether any name may mean something else inside of an item: there is a `use ...::*`.
    has_glob: bool,
}

impl Declared {
    fn add_item(&mut self, item: &Item) {
        match item {
            Item::Mod(item) => self.add(&item.ident, true),
            item => self.add_all(item.to_token_stream(), true),
        }
    }

    fn add(&mut self, name: &Ident, is_outermost: bool) {
        let name = name.unraw().to_string();
        match is_outermost {
            true => self.outside.push(name),
            false => drop(self.inside.insert(name)),
        }
    }

    /// Adds the names in the tokens of an item, or of a group in it.
    fn add_all(&mut self, tokens: TokenStream, is_outermost: bool) {
        let (tokens, mut is_use): (Vec<_>, _) = (tokens.into_iter().collect(), false);
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) if is_use => self.add_imported(group.stream(), is_outermost),
                TokenTree::Group(group) => self.add_all(group.stream(), false),
                TokenTree::Ident(word) if word == "use" => {
                    is_use = true;
                    let tree = tokens[at + 1..].iter().take_while(|token| !is_punct(Some(token), ';'));
                    self.add_imported(tree.cloned().collect(), is_outermost);
                }
                TokenTree::Ident(word) if word == "impl" => self.add_parameters(&tokens, at + 1),
                TokenTree::Ident(word) if DECLARING.iter().any(|declaring| word == declaring) => {
                    if let Some(TokenTree::Ident(name)) = tokens.get(at + 1) {
                        self.add(name, is_outermost);
                        self.add_parameters(&tokens, at + 2);
                    }
                }
                token => is_use &= !is_punct(Some(token), ';'),
            }
        }
    }

    /// Adds the names at the ends of the paths of a `use`.
    fn add_imported(&mut self, tree: TokenStream, is_outermost: bool) {
        let tree: Vec<_> = tree.into_iter().collect();
        for (at, token) in tree.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.add_imported(group.stream(), is_outermost),
                TokenTree::Ident(name) if !is_path(&tree, at + 1) => self.add(name, is_outermost),
                token => self.has_glob |= is_punct(Some(token), '*'),
            }
        }
    }

    /// Adds the generic parameters that begin here, if any do.
    fn add_parameters(&mut self, tokens: &[TokenTree], at: usize) {
        if !is_punct(tokens.get(at), '<') {
            return;
        }
        let (mut depth, mut is_first) = (0_usize, false);
        for (at, token) in tokens.iter().enumerate().skip(at) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '<' => {
                    depth += 1;
                    is_first = depth == 1;
                }
                TokenTree::Punct(punct) if punct.as_char() == '>' && !is_punct(tokens.get(at - 1), '-') => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ',' => is_first = depth == 1,
                TokenTree::Ident(word) if is_first && word != "const" => {
                    self.add(word, false);
                    is_first = false;
                }
                _ => {}
            }
        }
    }
}

/// Whether an enum has a variant of this name, which may be imported.
fn is_variant(name: &Ident, items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Enum(item) => item.variants.iter().any(|variant| variant.ident == *name),
        _ => false,
    })
}

/// Whether an alias can be written as what it stands for: where that is no function and no trait.
fn may_be_written(ty: &Type) -> bool {
    match unwrapped(ty) {
        Type::Path(path) => path.qself.is_none(),
        Type::Array(array) => may_be_written(&array.elem),
        Type::Slice(slice) => may_be_written(&slice.elem),
        Type::Reference(reference) => may_be_written(&reference.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(may_be_written),
        _ => false,
    }
}

/// Whether `self::` begins here.
fn is_of_self(tokens: &[TokenTree], at: usize) -> bool {
    matches!(&tokens[at], TokenTree::Ident(word) if word == "self") && is_path(tokens, at + 1)
}
