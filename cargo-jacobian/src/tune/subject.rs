//! The function that is tuned: where it is in its file, what its attribute says, what a candidate for it is, and the
//! code of the scratch crate.

use jacobian_expand::tools::{Expansion, expand};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{ImplItem, Item, ItemFn, ItemImpl, ItemMod};

use super::super::select::{Marked, Place, mark, options, walk};
use super::candidates::{Choice, Written};
use super::harness::{Given, Harness};
use super::needed::needed;
use super::scratch::parsed;

/// The function.
pub struct Subject {
    /// Its path in the file.
    pub name: String,
    /// What its attribute says.
    pub written: Written,
    /// The form that is timed, without `_into`.
    pub form: String,
    /// Whether it is now called in place.
    pub in_place: bool,
    /// The function.
    function: ItemFn,
    /// What the attribute is on: the function, or the module around it.
    marked: Marked,
    items: Vec<Item>,
    /// The modules that it is in, and the type if it is a method.
    module: Vec<String>,
    of_type: Option<Ident>,
    given: Given,
}

/// A way to generate it.
pub struct Candidate {
    /// The options.
    pub choice: Choice,
    /// The code, without documentation and own names: what is the same here is the same.
    pub code: String,
    /// Everything that is generated.
    tokens: Vec<TokenStream>,
    by_value: Option<ItemFn>,
    in_place: Option<ItemFn>,
}

impl Candidate {
    /// Whether it can be called so.
    pub fn has(&self, in_place: bool) -> bool {
        if in_place { self.in_place.is_some() } else { self.by_value.is_some() }
    }
}

impl Subject {
    /// Finds the function.
    ///
    /// # Errors
    /// Where it is not there, is refused, or its arguments cannot be made.
    pub fn of(place: &Place, form: Option<&str>, given: Given) -> Result<Self, String> {
        let path = place.function()?.path;
        let (_, mut file) = place.read()?;
        let mut found = None;
        walk(&mut file.items, &[], &mut |marked: &Marked| {
            let whole = marked.whole().join("::");
            let inner =
                path.strip_prefix(&format!("{whole}::")).filter(|inner| marked.is_module && !inner.contains("::"));
            if whole == path || inner.is_some() {
                found = Some((marked.clone(), inner.map(str::to_string)));
            }
            None
        });
        let in_module = || {
            format!(
                "{path} is a method in a module with `#[jacobian]`: functions are timed, and methods outside of such modules"
            )
        };
        let (marked, inner) = found.ok_or_else(in_module)?;
        let (function, own) = match &inner {
            None => {
                (syn::parse2::<ItemFn>(marked.item.clone()).map_err(|error| error.to_string())?, marked.options.clone())
            }
            Some(name) => {
                let module = syn::parse2::<ItemMod>(marked.item.clone()).map_err(|error| error.to_string())?;
                let items = module.content.map_or_else(Vec::new, |(_, items)| items);
                let function = items.into_iter().find_map(|item| match item {
                    Item::Fn(function) if function.sig.ident == name => Some(function),
                    _ => None,
                });
                let function = function.ok_or_else(|| format!("{path} is not found again"))?;
                let position = mark(&function.attrs).ok_or_else(|| format!("{path} has no attribute of its own"))?;
                let own = options(&function.attrs[position]);
                (function, own)
            }
        };
        let written = Written::read(own);
        let forms = written.forms();
        let first = form.or(forms.first().map(String::as_str)).unwrap_or("jac");
        let (form, in_place) = match first.strip_suffix("_into") {
            Some(form) => (form.to_string(), true),
            None => (first.to_string(), false),
        };
        let mut module = marked.inner();
        let is_module = is_module(&file.items, &module);
        let of_type =
            if is_module { None } else { module.pop().map(|name| Ident::new(&name, function.sig.ident.span())) };
        let subject = Subject {
            name: path,
            written,
            form,
            in_place,
            function,
            marked,
            items: file.items,
            module,
            of_type,
            given,
        };
        subject.harness()?;
        Ok(subject)
    }

    fn harness(&self) -> Result<Harness<'_>, String> {
        Harness::of(&self.function, self.of_type.as_ref(), &self.items, &self.given)
    }

    /// The choice that a text of options means.
    ///
    /// # Errors
    /// Where that is none.
    pub fn tried(&self, text: &str) -> Result<Choice, String> {
        let tokens: TokenStream = text.parse().map_err(|error| format!("--try {text}: {error}"))?;
        let errors = expand(
            tokens.clone(),
            quote!(
                fn f(x: f64) -> f64 {
                    x
                }
            ),
        )
        .errors;
        match errors.first() {
            Some(error) => Err(format!("--try {text}: {error}")),
            None => Ok(self.written.choice.over(&Written::read(tokens).choice)),
        }
    }

    /// The function with these options.
    ///
    /// # Errors
    /// Where it is refused.
    pub fn candidate(&self, choice: Choice, number: usize) -> Result<Candidate, String> {
        let name = format!("tuned_{number}");
        let expansion = self.expansion(&self.written.timed(&choice, &self.form, &name))?;
        if let Some(error) = expansion.errors.first() {
            return Err(error.to_string());
        }
        let own = expansion.generated.into_iter().filter(|generated| self.function.sig.ident == generated.function);
        let tokens: TokenStream = own.map(|generated| generated.tokens).collect();
        let methods: ItemImpl = syn::parse2(quote!(impl Type { #tokens })).map_err(|error| error.to_string())?;
        let (mut code, mut tokens) = (String::new(), Vec::new());
        let (mut by_value, mut in_place) = (None, None);
        for mut item in methods.items {
            tokens.push(item.to_token_stream());
            let ImplItem::Fn(method) = &mut item else { continue };
            if let Ok(function) = syn::parse2::<ItemFn>(method.to_token_stream()) {
                match function.sig.ident.to_string() {
                    own if own == name => by_value = Some(function),
                    own if own == format!("{name}_into") => in_place = Some(function),
                    _ => {}
                }
            }
            method.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
            code += &method.to_token_stream().to_string().replace(&name, "tuned");
        }
        Ok(Candidate { choice, code, tokens, by_value, in_place })
    }

    /// What becomes of the item with these options on the function.
    fn expansion(&self, own: &TokenStream) -> Result<Expansion, String> {
        if !self.marked.is_module {
            return Ok(expand(own.clone(), self.marked.item.clone()));
        }
        let mut module = syn::parse2::<ItemMod>(self.marked.item.clone()).map_err(|error| error.to_string())?;
        for item in module.content.iter_mut().flat_map(|(_, items)| items) {
            if let Item::Fn(function) = item
                && function.sig.ident == self.function.sig.ident
                && let Some(position) = mark(&function.attrs)
            {
                function.attrs[position] = syn::parse_quote!(#[jacobian(#own)]);
            }
        }
        Ok(expand(self.marked.options.clone(), module.to_token_stream()))
    }

    /// The code of the crate with these candidates, in an order that is another for every `build`, and the module that
    /// has the function which times them.
    ///
    /// # Errors
    /// Where the arguments cannot be made.
    pub fn crate_with(&self, timed: &[(&Candidate, bool)], build: usize) -> Result<(syn::File, Vec<String>), String> {
        let harness = self.harness()?;
        let functions =
            timed.iter().filter_map(
                |(candidate, in_place)| {
                    if *in_place { candidate.in_place.as_ref() } else { candidate.by_value.as_ref() }
                },
            );
        let functions: Vec<_> = functions.collect();
        let mut added: Vec<&Candidate> = Vec::new();
        for (candidate, _) in timed {
            if !added.iter().any(|other| std::ptr::eq(*other, *candidate)) {
                added.push(candidate);
            }
        }
        let first = build % added.len().max(1);
        added.rotate_left(first);
        if build % 2 == 1 {
            added.reverse();
        }
        let added: TokenStream = added.into_iter().flat_map(|candidate| &candidate.tokens).cloned().collect();
        let code = harness.code(&functions, build);
        let mut items = self.items.clone();
        walk(&mut items, &[], &mut |marked: &Marked| {
            let Expansion { tokens, .. } = expand(marked.options.clone(), marked.item.clone());
            let is_its = marked.whole() == self.marked.whole();
            Some(match (is_its, marked.is_module) {
                (false, _) => tokens,
                (true, false) => quote!(#tokens #added),
                (true, true) => {
                    let mut module = syn::parse2::<ItemMod>(tokens).expect("a module becomes a module");
                    module.content.get_or_insert_default().1.extend(parsed(added.clone()));
                    module.to_token_stream()
                }
            })
        });
        let own = inside(&mut items, &self.module).ok_or("the module is not found again")?;
        own.extend(parsed(code));
        let of_type = self.of_type.as_ref().map(ToString::to_string);
        let mut roots = vec!["jacobian_tune_all"];
        roots.extend(of_type.as_deref());
        let items = needed(items, &roots);
        Ok((syn::File { attrs: Vec::new(), items, ..syn::parse_quote!() }, self.module.clone()))
    }

    /// The attribute with these options.
    pub fn attribute(&self, written: &Written, choice: &Choice, in_place: bool) -> String {
        let form = if in_place { format!("{}_into", self.form) } else { self.form.clone() };
        written.attribute("jacobian", choice, &form)
    }
}

/// The items of a module, seen from outside from now on.
fn inside<'i>(items: &'i mut Vec<Item>, path: &[String]) -> Option<&'i mut Vec<Item>> {
    let Some((first, rest)) = path.split_first() else { return Some(items) };
    let module = items.iter_mut().find_map(|item| match item {
        Item::Mod(module) if module.ident == first => Some(module),
        _ => None,
    })?;
    module.vis = syn::parse_quote!(pub(crate));
    inside(&mut module.content.as_mut()?.1, rest)
}

/// Whether a path leads to a module.
fn is_module(items: &[Item], path: &[String]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    items.iter().any(|item| match item {
        Item::Mod(module) if module.ident == first => {
            module.content.as_ref().is_some_and(|(_, items)| is_module(items, rest))
        }
        _ => false,
    })
}
