//! What `with(...)` names: a function, and what is known of its derivatives.
//!
//! | written | derivatives |
//! |---|---|
//! | `g`, `g = path::to::dg`, `g = (path::to::dg, path::to::ddg)` | functions that have the form of ours return them |
//! | `g = sparse(dg, rows = [[0, 1], [2]])`, `g = sparse(dg, columns = [[0], [0], [1]], pattern)` | a function returns the entries of a pattern, row by row or column by column |
//! | `g = columns(dg)`, `g = matrix(dg)` | a function returns the Jacobian in this layout |
//! | `g = implicit(residual)`, `g = implicit(residual = path::to::dresidual)` | the function solves an equation |
//! | `g = \|x; y\| y * x.cos()`, `g = \|a, b; r\| [a / r, b / r]` | the partials, as expressions in arguments and result |
//!
//! `inline g` is not among these: it says that a function of the module is inlined wherever it is called.
//!
//! A type may follow the name, `g: fn(f64, &[f64; 3]) -> f64`, and a dot may precede it, `.g`: then it is a method. One
//! of `self` is `self.g`, or `Self::g`. The type may say of a mutable reference that what is behind it is not read,
//! `#[out] &mut f64`, or that it is, `#[inout] &mut f64`.

use std::rc::Rc;
use std::sync::Arc;

use jacobian_list::block::KnownRow;
use jacobian_list::catalogue::Intrinsic;
use jacobian_list::form::Form;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{Attribute, Expr, Path, Token, Type, TypeFnPtr};

use super::super::refuse;
use super::layout::Layout;
use super::ty::is_mutable_reference;

/// A function that has derivatives.
#[derive(Clone)]
pub struct With {
    /// The function as it is called.
    pub function: Path,
    /// Whether it is a method, which is called as `x.g()`.
    pub is_method: bool,
    /// Its type, where that is given.
    pub ty: Option<TypeFnPtr>,
    /// What is known of its derivatives.
    pub derivatives: Derivatives,
}

/// What is known of the derivatives of a function.
#[derive(Clone)]
pub enum Derivatives {
    /// Functions return them.
    Returned {
        /// What returns value and Jacobian.
        jacobian: Path,
        /// What returns the second derivatives, too, if that is known.
        hessian: Option<Path>,
        /// How the Jacobian is stored.
        layout: Layout,
        /// What is known of the Jacobian.
        known: Option<Rc<KnownJacobian>>,
    },
    /// The function solves an equation.
    Implicit {
        /// What is zero, as a function of the arguments and of what the function returns for them.
        residual: Path,
        /// Its Jacobian.
        jacobian: Path,
    },
    /// The partials are expressions.
    Written(Partials),
}

/// What a function does with what is behind a mutable reference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Its type does not say whether it is read. If it is, the Jacobian has no column for it.
    Unsaid,
    /// It is assigned, and not read before.
    Assigned,
    /// It is read and assigned: the Jacobian has a column for each float of it.
    Changed,
}

/// What is known of a Jacobian besides what returns it.
pub struct KnownJacobian {
    /// By row: the columns of the entries that are not zero, each with the number that it always is, if it is one.
    pub entries: Arc<[KnownRow]>,
    /// Where the entries are in what is returned, if that is a list of these entries only.
    pub sparse: Option<SparseJacobian>,
}

/// A Jacobian that is returned as the list of its entries.
#[derive(Clone)]
pub struct SparseJacobian {
    /// What returns the value and the entries.
    pub function: Path,
    /// The place of each entry, in the order of the rows.
    pub places: Rc<[usize]>,
    /// The pattern, where the user has written it.
    pub written: Option<Rc<WrittenPattern>>,
}

/// A pattern that the user has written.
pub struct WrittenPattern {
    /// Whether the entries are listed row by row; else column by column.
    pub is_by_rows: bool,
    /// The columns of the entries of each row, or the rows of those of each column.
    pub lists: Vec<Vec<usize>>,
    /// What returns the pattern in compressed form, if that is named.
    pub function: Option<Path>,
}

impl WrittenPattern {
    /// By row: the columns of the entries, in order; and the place of each entry in the list.
    pub fn entries(&self, rows: usize) -> (Vec<KnownRow>, Vec<usize>) {
        let (mut found, mut place) = (vec![Vec::new(); rows], 0);
        for (index, list) in self.lists.iter().enumerate() {
            for &other in list {
                let (row, column) = if self.is_by_rows { (index, other) } else { (other, index) };
                found[row].push((column, place));
                place += 1;
            }
        }
        found.iter_mut().for_each(|row| row.sort_unstable());
        let places = found.iter().flatten().map(|(_, place)| *place).collect();
        (found.into_iter().map(|row| row.into_iter().map(|(column, _)| (column, None)).collect()).collect(), places)
    }
}

/// Partials as expressions in the arguments and the result.
#[derive(Clone)]
pub struct Partials {
    /// The names of the arguments, with their types where these are written.
    pub arguments: Vec<(Ident, Option<Type>)>,
    /// The name of the result, if it has one.
    pub result: Option<Ident>,
    /// A partial for each argument.
    pub partials: Vec<Expr>,
}

impl With {
    /// All of it, to compare it with others.
    pub fn text(&self) -> String {
        let With { function, is_method, ty, derivatives } = self;
        let derivatives = match derivatives {
            Derivatives::Returned { jacobian, hessian, layout, .. } => {
                let layout = format!("{layout:?}");
                quote!(#jacobian (#hessian) #layout)
            }
            Derivatives::Implicit { residual, jacobian } => quote!(implicit #residual #jacobian),
            Derivatives::Written(Partials { arguments, result, partials }) => {
                let (names, types) = arguments.iter().map(|(name, ty)| (name, ty)).unzip::<_, _, Vec<_>, Vec<_>>();
                quote!(#(#names #types),* #result #(#partials),*)
            }
        };
        quote!(#is_method #function #derivatives #ty).to_string()
    }

    /// Whether two of them are called in the same way.
    pub fn is_same_function(&self, other: &With) -> bool {
        let text = |with: &With| with.function.to_token_stream().to_string();
        self.is_method == other.is_method && text(self) == text(other)
    }

    /// The functions that stand for it in the generated code.
    pub fn functions(&self) -> Vec<&Path> {
        let own = (!self.is_method).then_some(&self.function);
        let pattern = self.sparse_jacobian().and_then(|sparse| sparse.written.as_ref()?.function.as_ref());
        own.into_iter().chain(self.jacobian()).chain(self.hessian()).chain(pattern).collect()
    }

    /// The Jacobian that is called: its own, or that of the residual.
    pub fn jacobian(&self) -> Option<&Path> {
        match &self.derivatives {
            Derivatives::Returned { jacobian, .. } | Derivatives::Implicit { jacobian, .. } => Some(jacobian),
            Derivatives::Written(_) => None,
        }
    }

    /// Its partials, where they are expressions.
    pub fn partials(&self) -> Option<&[Expr]> {
        match &self.derivatives {
            Derivatives::Written(written) => Some(&written.partials),
            Derivatives::Returned { .. } | Derivatives::Implicit { .. } => None,
        }
    }

    /// How the Jacobian is stored that is returned.
    pub fn layout(&self) -> Layout {
        match &self.derivatives {
            Derivatives::Returned { layout, .. } => *layout,
            Derivatives::Implicit { .. } | Derivatives::Written(_) => Layout::Default,
        }
    }

    /// What returns the value and the entries of the Jacobian, if there is such a function.
    pub fn sparse_jacobian(&self) -> Option<&SparseJacobian> {
        match &self.derivatives {
            Derivatives::Returned { known: Some(known), .. } => known.sparse.as_ref(),
            _ => None,
        }
    }

    /// The same, of whose Jacobian this is known.
    pub fn with_known(mut self, of_it: Rc<KnownJacobian>) -> With {
        if let Derivatives::Returned { known, .. } = &mut self.derivatives {
            *known = Some(of_it);
        }
        self
    }

    /// What it does with what is behind its argument with this number, if that is a mutable reference.
    pub fn access(&self, argument: usize) -> Access {
        let marks = self.ty.as_ref().and_then(|ty| ty.inputs.get(argument)).map_or(&[][..], |input| &input.attrs);
        match marks.first() {
            Some(mark) if mark.path().is_ident("inout") => Access::Changed,
            Some(_) => Access::Assigned,
            None => Access::Unsaid,
        }
    }

    /// A mark in its type that is none, or not that of a mutable reference, or a second one.
    pub fn misplaced_mark(&self) -> Option<&Attribute> {
        let is_mark = |mark: &Attribute| {
            mark.meta.require_path_only().is_ok_and(|path| path.is_ident("out") || path.is_ident("inout"))
        };
        for argument in self.ty.iter().flat_map(|ty| &ty.inputs) {
            let is_marked = is_mutable_reference(&argument.ty);
            let mut marks = argument.attrs.iter().enumerate();
            if let Some((_, mark)) = marks.find(|(index, mark)| *index > 0 || !is_mark(mark) || !is_marked) {
                return Some(mark);
            }
        }
        None
    }

    /// What returns its second derivatives, if that is known.
    pub fn hessian(&self) -> Option<&Path> {
        match &self.derivatives {
            Derivatives::Returned { hessian, .. } => hessian.as_ref(),
            Derivatives::Implicit { .. } | Derivatives::Written(_) => None,
        }
    }
}

/// An entry of `with(...)`.
pub enum Entry {
    /// A function that has derivatives.
    With(Box<With>),
    /// A function of the module that is inlined.
    Inline(Path),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_inline =
            input.fork().parse::<Ident>().is_ok_and(|word| word == "inline") && input.peek2(Ident::peek_any);
        match is_inline {
            true => input.parse::<Ident>().and_then(|_| Path::parse_mod_style(input)).map(Entry::Inline),
            false => input.parse().map(Box::new).map(Entry::With),
        }
    }
}

impl Parse for With {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_method = input.parse::<Option<Token![.]>>()?.is_some();
        let is_of_self = input.peek(Token![self]) && input.peek2(Token![.]);
        let function = match is_method {
            true => input.parse::<Ident>()?.into(),
            false if is_of_self => method_of_self(input)?,
            false => Path::parse_mod_style(input)?,
        };
        let ty = input.peek(Token![:]).then(|| input.parse::<Token![:]>().and_then(|_| input.parse())).transpose()?;
        let derivatives = derivatives(input, &function)?;
        if is_method && !matches!(derivatives, Derivatives::Written(_)) {
            return Err(syn::Error::new_spanned(&function, refuse::METHOD_BY_PARTIALS));
        }
        let name = function.get_ident().filter(|_| is_method).map(ToString::to_string);
        if let Some(name) = name.filter(|name| Intrinsic::find(name).is_some()) {
            return Err(syn::Error::new_spanned(&function, refuse::method_of_floats(name)));
        }
        Ok(With { function, is_method, ty, derivatives })
    }
}

/// `self.method`, as the path of the method.
fn method_of_self(input: ParseStream<'_>) -> syn::Result<Path> {
    let own = input.parse::<Token![self]>()?;
    input.parse::<Token![.]>()?;
    let (ty, method): (Ident, Ident) = (Ident::new("Self", own.span), input.parse()?);
    Ok(syn::parse_quote!(#ty::#method))
}

/// What follows the name of a function and its type.
fn derivatives(input: ParseStream<'_>, function: &Path) -> syn::Result<Derivatives> {
    let returned =
        |jacobian, hessian| Derivatives::Returned { jacobian, hessian, layout: Layout::Default, known: None };
    if input.parse::<Option<Token![=]>>()?.is_none() {
        let [jacobian, hessian] = [Form::Jacobian, Form::Hessian].map(|form| derivative_of(function, form));
        return Ok(returned(jacobian, Some(hessian)));
    }
    let inner;
    if input.peek(Token![|]) || input.peek(Token![||]) {
        return input.parse().map(Derivatives::Written);
    }
    if input.peek(Paren) {
        syn::parenthesized!(inner in input);
        let (jacobian, hessian) = both(&inner).inspect_err(|_| skip(&inner))?;
        return Ok(returned(jacobian, Some(hessian)));
    }
    let jacobian = Path::parse_mod_style(input)?;
    let word = jacobian.get_ident().filter(|_| input.peek(Paren)).map(ToString::to_string);
    let read: fn(ParseStream<'_>) -> _ = match word.as_deref() {
        Some("sparse") => sparse,
        Some("columns") => |inner| in_layout(inner, Layout::Columns),
        Some("matrix") => |inner| in_layout(inner, Layout::Matrix),
        Some("implicit") => implicit,
        _ => return Ok(returned(jacobian, None)),
    };
    syn::parenthesized!(inner in input);
    read(&inner).inspect_err(|_| skip(&inner))
}

/// What returns a Jacobian in this layout.
fn in_layout(input: ParseStream<'_>, layout: Layout) -> syn::Result<Derivatives> {
    let jacobian = Path::parse_mod_style(input)?;
    match input.is_empty() {
        true => Ok(Derivatives::Returned { jacobian, hessian: None, layout, known: None }),
        false => Err(input.error(refuse::WITH_EXPECTED)),
    }
}

/// What returns the entries of a Jacobian, and their pattern.
fn sparse(input: ParseStream<'_>) -> syn::Result<Derivatives> {
    let function = Path::parse_mod_style(input)?;
    input.parse::<Token![,]>()?;
    let order: Ident = input.parse()?;
    if order != "rows" && order != "columns" {
        return Err(syn::Error::new(order.span(), refuse::PATTERN_EXPECTED));
    }
    input.parse::<Token![=]>()?;
    let Expr::Array(written) = input.parse::<Expr>()? else {
        return Err(syn::Error::new(order.span(), refuse::PATTERN_EXPECTED));
    };
    let lists = written.elems.iter().map(indices).collect::<syn::Result<Vec<_>>>()?;
    let checked = match input.parse::<Option<Token![,]>>()?.filter(|_| !input.is_empty()) {
        Some(_) => Some(Path::parse_mod_style(input)?),
        None => None,
    };
    input.parse::<Option<Token![,]>>()?;
    if !input.is_empty() {
        return Err(input.error(refuse::PATTERN_EXPECTED));
    }
    let written = Rc::new(WrittenPattern { is_by_rows: order == "rows", lists, function: checked });
    // Where the entries are is known when the rows are counted, at the call.
    let sparse = SparseJacobian { function: function.clone(), places: Rc::from([]), written: Some(written) };
    let known = KnownJacobian { entries: Arc::from([]), sparse: Some(sparse) };
    let (layout, known) = (Layout::Default, Some(Rc::new(known)));
    Ok(Derivatives::Returned { jacobian: function, hessian: None, layout, known })
}

/// The indices in a list, none twice.
fn indices(list: &Expr) -> syn::Result<Vec<usize>> {
    let refused = |place: &dyn ToTokens| syn::Error::new_spanned(place, refuse::PATTERN_EXPECTED);
    let Expr::Array(list) = list else { return Err(refused(list)) };
    let mut found = Vec::new();
    for index in &list.elems {
        let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) = index else { return Err(refused(index)) };
        let number = number.base10_parse()?;
        if found.contains(&number) {
            return Err(syn::Error::new_spanned(index, refuse::INDEX_TWICE));
        }
        found.push(number);
    }
    Ok(found)
}

/// Skips what is left.
fn skip(input: ParseStream<'_>) {
    while input.parse::<TokenTree>().is_ok() {}
}

/// What gives the Jacobian, and what gives the second derivatives.
fn both(input: ParseStream<'_>) -> syn::Result<(Path, Path)> {
    let jacobian = Path::parse_mod_style(input)?;
    input.parse::<Token![,]>()?;
    let hessian = Path::parse_mod_style(input)?;
    input.parse::<Option<Token![,]>>()?;
    match input.is_empty() {
        true => Ok((jacobian, hessian)),
        false => Err(input.error(refuse::WITH_EXPECTED)),
    }
}

/// A residual and its Jacobian.
fn implicit(input: ParseStream<'_>) -> syn::Result<Derivatives> {
    let residual = Path::parse_mod_style(input)?;
    let jacobian = match input.parse::<Option<Token![=]>>()? {
        Some(_) => Path::parse_mod_style(input)?,
        None => derivative_of(&residual, Form::Jacobian),
    };
    match input.is_empty() {
        true => Ok(Derivatives::Implicit { residual, jacobian }),
        false => Err(input.error(refuse::WITH_EXPECTED)),
    }
}

impl Parse for Partials {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let begin = input.parse::<Token![|]>().map_err(|error| syn::Error::new(error.span(), refuse::NO_ARGUMENTS))?;
        let (mut arguments, mut result) = (Vec::new(), None);
        while !input.peek(Token![|]) && !input.peek(Token![;]) {
            let name = name(input)?;
            let is_typed = input.parse::<Option<Token![:]>>()?.is_some();
            arguments.push((name, is_typed.then(|| input.parse::<Type>()).transpose()?));
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        if input.parse::<Option<Token![;]>>()?.is_some() {
            result = Some(name(input)?);
        }
        if !input.peek(Token![|]) {
            return Err(input.error(refuse::ARGUMENTS_EXPECTED));
        }
        input.parse::<Token![|]>()?;
        if arguments.is_empty() {
            return Err(syn::Error::new(begin.span(), refuse::NO_ARGUMENTS));
        }
        let names: Vec<_> = arguments.iter().map(|(name, _)| name).chain(&result).collect();
        for (index, name) in names.iter().enumerate() {
            if *name != "_" && names[..index].iter().any(|earlier| earlier.unraw() == name.unraw()) {
                return Err(syn::Error::new(name.span(), refuse::ARGUMENT_TWICE));
            }
        }
        let partials = match (input.parse::<Expr>()?, arguments.len()) {
            (partial, 1) => vec![partial],
            (Expr::Array(array), count) if array.elems.len() == count => array.elems.into_iter().collect(),
            (other, count) => return Err(syn::Error::new(other.span(), refuse::partial_for_each(count))),
        };
        Ok(Partials { arguments, result, partials })
    }
}

/// The name of an argument or of a result, or `_`.
fn name(input: ParseStream<'_>) -> syn::Result<Ident> {
    if input.peek(Token![_]) {
        return input.parse::<Token![_]>().map(Ident::from);
    }
    input.parse().map_err(|error: syn::Error| syn::Error::new(error.span(), refuse::ARGUMENTS_EXPECTED))
}

impl Partials {
    /// The place where they are written.
    pub fn span(&self) -> Span {
        self.arguments.first().map_or_else(Span::call_site, |(name, _)| name.span())
    }

    /// The partials as the body of a function that takes these arguments and the result.
    pub fn function(&self, scalar: &TokenStream) -> syn::ItemFn {
        let names = self.arguments.iter().map(|(name, _)| name);
        let types = self.arguments.iter().map(|(_, ty)| ty.as_ref().map_or_else(|| scalar.clone(), |ty| quote!(#ty)));
        let result = self.result.iter();
        let partials = self.partials.iter().map(|partial| match partial {
            Expr::Infer(_) => quote!(()),
            partial => partial.to_token_stream(),
        });
        syn::parse_quote! {
            fn partials(#(#names: #types,)* #(#result: #scalar)*) { (#(#partials,)*) }
        }
    }
}

/// The path with the name of a form after its last name.
pub fn derivative_of(function: &Path, form: Form) -> Path {
    let mut path = function.clone();
    if let Some(last) = path.segments.last_mut() {
        let name = format!("{}_{}", last.ident.unraw(), form.name());
        last.ident = Ident::new(&name, last.ident.span());
    }
    path
}
