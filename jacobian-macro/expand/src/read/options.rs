//! The options of the attribute: `#[jacobian(strategy = "...", steps = 1000, linearize = "...", schedule = "...",
//! pack = "...", wrt(a, b), with(g), name = "...", forms(jac, jvp), into, layout = "...",
//! unroll = "...")]`. To add an option is to add
//! a row to [`KNOWN`] and a field to [`Options`].

use std::fmt::{self, Display, Formatter};

use jacobian_core::form::{FORMS, Form};
use jacobian_core::linearize::LEVELS;
use jacobian_core::pack::PACKINGS;
use jacobian_core::pipeline::Settings;
use jacobian_core::strategy::MAX_STEPS;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Index, LitFloat, LitInt, LitStr, Member, Path, Token, Type, TypeFnPtr};

use super::super::diagnostics::{Errors, list};
use super::super::refuse;

/// What the user asked for.
#[derive(Clone, Default)]
pub struct Options {
    /// What is asked of the engine.
    pub engine: Settings,
    /// Where the strategy is written, if it is.
    pub strategy_place: Option<Span>,
    /// The steps of a search, if they are given, and their place.
    steps: Option<(usize, Span)>,
    /// What the function is differentiated by, if that is named.
    pub wrt: Option<Vec<Named>>,
    /// The functions that have a Jacobian of their own.
    pub with: Vec<With>,
    /// The name of the generated function, if it is given.
    pub name: Option<Ident>,
    /// The functions to generate, if they are named.
    forms: Option<Vec<Request>>,
    /// Which loops of known length are unrolled.
    pub unroll: Unroll,
    /// How matrices are stored.
    pub layout: Layout,
    /// Where that is written, if it is.
    layout_place: Option<Span>,
}

/// What `wrt` names: a parameter, or a field of one, `p.motor.k: [f64; 3]`.
#[derive(Clone)]
pub struct Named {
    /// The parameter.
    pub parameter: Ident,
    /// The fields that lead from it to the floats.
    pub fields: Vec<Member>,
    /// The type of the last field, if it is written: a float, if not.
    pub ty: Option<Type>,
}

impl Named {
    /// Whether it is this parameter, all of it.
    pub fn is_parameter(&self, name: &Ident) -> bool {
        self.fields.is_empty() && self.parameter == *name
    }

    /// Whether one of the two is a part of the other.
    fn overlaps(&self, other: &Named) -> bool {
        self.parameter == other.parameter
            && self.fields.iter().zip(&other.fields).all(|(own, other)| is_same_field(own, other))
    }
}

/// Whether two names are those of one field.
pub fn is_same_field(left: &Member, right: &Member) -> bool {
    match (left, right) {
        (Member::Named(left), Member::Named(right)) => left.unraw() == right.unraw(),
        (Member::Unnamed(left), Member::Unnamed(right)) => left.index == right.index,
        _ => false,
    }
}

impl Display for Named {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.parameter)?;
        self.fields.iter().try_for_each(|field| write!(f, ".{}", field.to_token_stream()))
    }
}

impl ToTokens for Named {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (parameter, fields) = (&self.parameter, &self.fields);
        tokens.extend(quote!(#parameter #(.#fields)*));
    }
}

/// A function to generate.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Request {
    /// What it gives.
    pub form: Form,
    /// Whether it gives of its matrix only what is not zero by structure.
    pub is_sparse: bool,
    /// Whether it writes what it gives in place.
    pub in_place: bool,
}

/// The function that returns value and Jacobian.
pub const JAC: Request = Request { form: Form::Jacobian, is_sparse: false, in_place: false };

/// The function that returns value, gradient and Hessian.
pub const HESS: Request = Request { form: Form::Hessian, ..JAC };

/// How matrices are stored.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Layout {
    /// Dense ones row by row; of sparse ones the entries by columns.
    #[default]
    Default,
    /// Dense ones column by column.
    Columns,
    /// Dense ones as matrices of nalgebra.
    Matrix,
    /// Of sparse ones the entries by rows.
    CompressedRows,
}

/// Which loops of known length are unrolled.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub enum Unroll {
    /// Those that do not become long, and those that cannot stay loops.
    #[default]
    Auto,
    Always,
    Never,
}

/// The names of these.
const UNROLLS: &[(&str, Unroll)] = &[("auto", Unroll::Auto), ("always", Unroll::Always), ("never", Unroll::Never)];

/// The names of the layouts.
const LAYOUTS: &[(&str, Layout)] =
    &[("columns", Layout::Columns), ("matrix", Layout::Matrix), ("csr", Layout::CompressedRows)];

impl Options {
    /// These options for a Jacobian that only generated code calls.
    pub fn for_calls(self) -> Self {
        Options { forms: None, layout: Layout::Default, ..self }
    }

    /// The functions to generate, in order, none twice.
    pub fn requests(&self) -> Vec<Request> {
        self.forms.clone().unwrap_or_else(|| vec![JAC])
    }

    /// Whether one of the functions is this one, and gives what generated code reads that calls it.
    pub fn gives_callers(&self, request: Request) -> bool {
        self.requests().contains(&request) && matches!(self.layout, Layout::Default | Layout::CompressedRows)
    }

    /// Whether one of the functions gives second derivatives.
    pub fn is_second_order(&self) -> bool {
        self.requests().iter().any(|request| request.form.is_second_order())
    }
}

/// A function that has derivatives of the form of ours: `g`, `g: fn(f64, &[f64; 3]) -> f64`, `g = path::to::dg`,
/// `g = (path::to::dg, path::to::ddg)`; or that solves an equation: `g = implicit(residual)`,
/// `g = implicit(residual = path::to::dresidual)`.
#[derive(Clone)]
pub struct With {
    /// The function as it is called.
    pub function: Path,
    /// Its Jacobian, or that of the residual.
    pub jacobian: Path,
    /// What is zero, as a function of the arguments and of what the function returns for them, if that is what it is
    /// differentiated by.
    pub residual: Option<Path>,
    /// What gives its second derivatives, if that is known.
    pub hessian: Option<Path>,
    /// Its type, where that is given.
    pub ty: Option<TypeFnPtr>,
}

impl With {
    /// All of it, to compare it with others.
    pub fn text(&self) -> String {
        let With { function, jacobian, residual, hessian, ty } = self;
        quote!(#function #jacobian (#residual) (#hessian) #ty).to_string()
    }
}

type Reader = fn(&mut Options, ParseStream<'_>) -> syn::Result<()>;

/// Every option, the form in which it is written, and what reads the part after its name.
const KNOWN: &[(&str, &str, Reader)] = &[
    ("strategy", "`strategy = \"...\"`", read_strategy),
    ("steps", "`steps = 1000`", read_steps),
    ("linearize", "`linearize = \"...\"`", read_level),
    ("schedule", "`schedule = \"...\"`", read_schedule),
    ("pack", "`pack = \"...\"`", read_packing),
    ("wrt", "`wrt(a, b)`", read_wrt),
    ("with", "`with(g, h = path::to::dh)`", read_with),
    ("name", "`name = \"...\"`", read_name),
    ("forms", "`forms(jac, jac_into, jvp)`", read_forms),
    ("into", "`into`", read_into),
    ("layout", "`layout = \"...\"`", read_layout),
    ("unroll", "`unroll = \"...\"`", read_unroll),
];

/// Reads the options; those with an error keep their defaults.
pub fn parse(tokens: TokenStream, errors: &mut Errors) -> Options {
    parse_over(Options::default(), tokens, errors)
}

/// Reads options that are above others.
pub fn parse_over(mut options: Options, tokens: TokenStream, errors: &mut Errors) -> Options {
    let mut seen: Vec<String> = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if let Err(error) = one(&mut options, &mut seen, input) {
                errors.push(error);
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<TokenTree>()?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push(error);
    }
    let is_stored = |request: &Request| match options.layout {
        Layout::Default => true,
        Layout::Columns | Layout::Matrix => request.form.has_matrix() && !request.is_sparse,
        Layout::CompressedRows => request.is_sparse,
    };
    if let Some(place) = options.layout_place.filter(|_| !options.requests().iter().any(is_stored)) {
        let is_sparse = options.layout == Layout::CompressedRows;
        errors.at_span(place, if is_sparse { refuse::LAYOUT_OF_SPARSE } else { refuse::LAYOUT_OF_DENSE });
    }
    if let Some((steps, place)) = options.steps {
        match options.engine.strategy.with_steps(steps) {
            Some(strategy) => options.engine.strategy = strategy,
            None if errors.is_empty() => {
                errors.at_span(place, refuse::steps_of_no_search(&options.engine.strategy));
            }
            None => {}
        }
    }
    options
}

fn one(options: &mut Options, seen: &mut Vec<String>, input: ParseStream<'_>) -> syn::Result<()> {
    let forms = || KNOWN.iter().map(|(_, form, _)| *form).collect::<Vec<_>>().join(", ");
    let name: Ident =
        input.parse().map_err(|error: syn::Error| syn::Error::new(error.span(), refuse::option_expected(forms())))?;
    let Some((known, form, read)) = KNOWN.iter().find(|(known, ..)| name == known) else {
        return Err(syn::Error::new(name.span(), refuse::unknown("option", &name, forms())));
    };
    if !is_of_form(form, input) {
        return Err(syn::Error::new(name.span(), refuse::option_form(form)));
    }
    let is_seen = |other: &str| seen.iter().any(|earlier| earlier == other);
    if is_seen(known) {
        return Err(syn::Error::new(name.span(), refuse::option_twice(&name)));
    }
    if *known == "into" && is_seen("forms") || *known == "forms" && is_seen("into") {
        return Err(syn::Error::new(name.span(), refuse::INTO_AND_FORMS));
    }
    seen.push((*known).to_string());
    read(options, input)
}

/// Whether what follows the name of an option looks like its form.
fn is_of_form(form: &str, input: ParseStream<'_>) -> bool {
    match form {
        form if form.contains('(') => input.peek(syn::token::Paren),
        form if form.contains('"') => input.peek(Token![=]) && input.peek2(LitStr),
        form if form.contains('=') => input.peek(Token![=]) && input.peek2(LitInt),
        _ => input.is_empty() || input.peek(Token![,]),
    }
}

fn read_strategy(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let text = string(input)?;
    options.engine.strategy = text.value().parse().map_err(|error| syn::Error::new(text.span(), error))?;
    options.strategy_place = Some(text.span());
    Ok(())
}

fn read_steps(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<Token![=]>()?;
    let number: LitInt = input.parse()?;
    let steps = number.base10_parse().ok().filter(|steps| *steps <= MAX_STEPS);
    let unexpected = || syn::Error::new(number.span(), refuse::steps_expected(MAX_STEPS));
    let steps = steps.ok_or_else(unexpected)?;
    options.steps = Some((steps, number.span()));
    Ok(())
}

fn read_level(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    options.engine.level = one_of("level", LEVELS, &string(input)?)?;
    Ok(())
}

fn read_schedule(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let text = string(input)?;
    options.engine.schedule = text.value().parse().map_err(|error| syn::Error::new(text.span(), error))?;
    Ok(())
}

fn read_packing(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    options.engine.packing = one_of("packing", PACKINGS, &string(input)?)?;
    Ok(())
}

/// What follows a name in a table.
fn one_of<T: Copy>(what: &str, table: &[(&str, T)], text: &LitStr) -> syn::Result<T> {
    let (name, known) = (text.value(), list(table.iter().map(|(name, _)| *name)));
    let row = table.iter().find(|(known, _)| *known == name);
    let unknown = || syn::Error::new(text.span(), refuse::unknown(what, &name, &known));
    row.map(|(_, value)| *value).ok_or_else(unknown)
}

fn read_name(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let text = string(input)?;
    let name = text.parse::<Ident>();
    options.name = Some(name.map_err(|_| syn::Error::new(text.span(), refuse::NAME_EXPECTED))?);
    Ok(())
}

fn read_into(options: &mut Options, _: ParseStream<'_>) -> syn::Result<()> {
    options.forms = Some(vec![JAC, Request { in_place: true, ..JAC }]);
    Ok(())
}

fn read_forms(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let names;
    let parentheses = syn::parenthesized!(names in input);
    let parsed = Punctuated::<Ident, Token![,]>::parse_terminated(&names).map_err(|error| {
        while names.parse::<TokenTree>().is_ok() {}
        syn::Error::new(error.span(), refuse::FORM_EXPECTED)
    })?;
    let mut requests = Vec::new();
    for name in &parsed {
        let request = request(name)?;
        if requests.contains(&request) {
            return Err(syn::Error::new(name.span(), refuse::form_twice(name)));
        }
        requests.push(request);
    }
    if requests.is_empty() {
        return Err(syn::Error::new(parentheses.span.join(), refuse::FORMS_NOTHING));
    }
    // Labels are there to be multiplied with.
    for form in [Form::LabelsTangentProduct, Form::LabelsCotangentProduct] {
        let labels = requests.iter().find(|request| request.form == Form::Labels).copied();
        if let Some(labels) = labels.filter(|_| !requests.iter().any(|request| request.form == form)) {
            requests.push(Request { form, ..labels });
        }
    }
    options.forms = Some(requests);
    Ok(())
}

/// The function that the name of a form means: with `_sparse` after it, the one that gives the entries of a matrix
/// which are not zero by structure; with `_into`, the one that writes in place.
fn request(name: &Ident) -> syn::Result<Request> {
    let text = name.to_string();
    let by_value = text.strip_suffix("_into");
    let own = by_value.unwrap_or(&text);
    let sparse = own.strip_suffix("_sparse");
    let is_known = |(known, form): &&(&str, Form)| match sparse {
        Some(name) => *known == name && form.has_matrix(),
        None => *known == own,
    };
    let Some((_, form)) = FORMS.iter().find(is_known) else {
        let with_matrix = list(FORMS.iter().filter(|(_, form)| form.has_matrix()).map(|(name, _)| *name));
        let known = list(FORMS.iter().map(|(name, _)| *name));
        return Err(syn::Error::new(name.span(), refuse::unknown_form(name, known, with_matrix)));
    };
    Ok(Request { form: *form, is_sparse: sparse.is_some(), in_place: by_value.is_some() })
}

fn read_layout(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let text = string(input)?;
    options.layout = one_of("layout", LAYOUTS, &text)?;
    options.layout_place = Some(text.span());
    Ok(())
}

fn read_unroll(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    options.unroll = one_of("choice", UNROLLS, &string(input)?)?;
    Ok(())
}

fn read_wrt(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let names;
    let parentheses = syn::parenthesized!(names in input);
    let parsed = Punctuated::<Named, Token![,]>::parse_terminated(&names).map_err(|error| {
        while names.parse::<TokenTree>().is_ok() {}
        syn::Error::new(error.span(), refuse::WRT_EXPECTED)
    })?;
    let names: Vec<_> = parsed.into_iter().collect();
    if names.is_empty() {
        return Err(syn::Error::new(parentheses.span.join(), refuse::WRT_NOTHING));
    }
    for (index, name) in names.iter().enumerate() {
        if let Some(earlier) = names[..index].iter().find(|earlier| earlier.overlaps(name)) {
            let message = match name.fields.len() == earlier.fields.len() {
                true => refuse::wrt_twice(name),
                false => refuse::wrt_overlap(name, earlier),
            };
            return Err(syn::Error::new_spanned(name, message));
        }
    }
    options.wrt = Some(names);
    Ok(())
}

fn read_with(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let functions;
    let parentheses = syn::parenthesized!(functions in input);
    let parsed = Punctuated::<With, Token![,]>::parse_terminated(&functions).map_err(|error| {
        while functions.parse::<TokenTree>().is_ok() {}
        syn::Error::new(error.span(), refuse::WITH_EXPECTED)
    })?;
    options.with = parsed.into_iter().collect();
    let text = |with: &With| with.function.to_token_stream().to_string();
    for (index, with) in options.with.iter().enumerate() {
        if options.with[..index].iter().any(|earlier| text(earlier) == text(with)) {
            return Err(syn::Error::new_spanned(&with.function, refuse::WITH_TWICE));
        }
    }
    match options.with.is_empty() {
        true => Err(syn::Error::new(parentheses.span.join(), refuse::WITH_NOTHING)),
        false => Ok(()),
    }
}

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let parameter = if input.peek(Token![self]) { Ident::parse_any(input)? } else { input.parse()? };
        let mut fields = Vec::new();
        while input.parse::<Option<Token![.]>>()?.is_some() {
            // `0.1` in `p.0.1` is one token.
            match input.parse::<Option<LitFloat>>()? {
                Some(pair) => fields.extend(indices(&pair)?),
                None => fields.push(input.parse()?),
            }
        }
        let is_typed = !fields.is_empty() && input.peek(Token![:]);
        let ty = is_typed.then(|| input.parse::<Token![:]>().and_then(|_| input.parse())).transpose()?;
        Ok(Named { parameter: parameter.unraw(), fields, ty })
    }
}

/// The two fields that a literal such as `0.1` stands for.
fn indices(pair: &LitFloat) -> syn::Result<Vec<Member>> {
    let index = |digits: &str| {
        let index = digits.parse().map_err(|_| syn::Error::new(pair.span(), refuse::WRT_EXPECTED))?;
        Ok(Member::Unnamed(Index { index, span: pair.span() }))
    };
    pair.to_string().split('.').map(index).collect()
}

impl Parse for With {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let function = Path::parse_mod_style(input)?;
        let ty = input.peek(Token![:]).then(|| input.parse::<Token![:]>().and_then(|_| input.parse())).transpose()?;
        if input.parse::<Option<Token![=]>>()?.is_none() {
            let [jacobian, hessian] = [Form::Jacobian, Form::Hessian].map(|form| derivative_of(&function, form));
            return Ok(With { function, jacobian, residual: None, hessian: Some(hessian), ty });
        }
        let inner;
        if input.peek(Paren) {
            syn::parenthesized!(inner in input);
            let both = both(&inner).inspect_err(|_| while inner.parse::<TokenTree>().is_ok() {})?;
            return Ok(With { function, jacobian: both.0, residual: None, hessian: Some(both.1), ty });
        }
        let jacobian = Path::parse_mod_style(input)?;
        if !jacobian.is_ident("implicit") || !input.peek(Paren) {
            return Ok(With { function, jacobian, residual: None, hessian: None, ty });
        }
        syn::parenthesized!(inner in input);
        let (residual, jacobian) = residual(&inner).inspect_err(|_| while inner.parse::<TokenTree>().is_ok() {})?;
        Ok(With { function, jacobian, residual: Some(residual), hessian: None, ty })
    }
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
fn residual(input: ParseStream<'_>) -> syn::Result<(Path, Path)> {
    let residual = Path::parse_mod_style(input)?;
    let jacobian = match input.parse::<Option<Token![=]>>()? {
        Some(_) => Path::parse_mod_style(input)?,
        None => derivative_of(&residual, Form::Jacobian),
    };
    match input.is_empty() {
        true => Ok((residual, jacobian)),
        false => Err(input.error(refuse::WITH_EXPECTED)),
    }
}

/// The path with the name of a form after its last name.
fn derivative_of(function: &Path, form: Form) -> Path {
    let mut path = function.clone();
    if let Some(last) = path.segments.last_mut() {
        let name = format!("{}_{}", last.ident.unraw(), form.name());
        last.ident = Ident::new(&name, last.ident.span());
    }
    path
}

fn string(input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Reports the options that a module cannot have, but its functions.
pub fn check_module(options: &Options, errors: &mut Errors) {
    options.wrt.iter().flatten().for_each(|name| errors.at(name, refuse::OPTION_OF_FUNCTION));
    options.name.iter().for_each(|name| errors.at(name, refuse::OPTION_OF_FUNCTION));
}

/// Reports the names in `wrt(...)` that are not among `parameters`.
pub fn check_wrt(options: &Options, parameters: &[String], errors: &mut Errors) {
    for name in options.wrt.iter().flatten() {
        if !parameters.iter().any(|parameter| name.parameter == parameter) {
            let known = list(parameters.iter().map(String::as_str));
            errors.at(&name.parameter, refuse::no_parameter(&name.parameter, known));
        }
    }
}
