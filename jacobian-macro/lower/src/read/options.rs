//! The options of the attribute: `#[jacobian(strategy = "...", steps = 1000, linearize = "...", schedule = "...",
//! pack = "...", wrt(a, b), retract(q, return), with(g), name = "...", forms(jac, jvp), into, layout = "...",
//! unroll = "...", instances(3, 6))]`. To add an option is to add
//! a row to `KNOWN` and a field to [`Options`]. What is asked of the engine is kept as it is written.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use jacobian_list::form::{FORMS, Form};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Index, LitFloat, LitInt, LitStr, Member, Path, Token, Type};

use super::super::diagnostics::{Errors, list};
use super::super::refuse;
use super::layout::{LAYOUTS, Layout};
use super::with::{Entry, With};

/// What the user asked for.
#[derive(Clone, Default)]
pub struct Options {
    /// What is asked of the engine.
    pub engine: Asked,
    /// What the function is differentiated by, if that is named.
    pub wrt: Option<Vec<Named>>,
    /// What is differentiated by its tangents.
    pub retract: Retract,
    /// The functions that have a Jacobian of their own.
    pub with: Vec<With>,
    /// The functions of the module that are inlined wherever they are called.
    pub inline: Vec<Path>,
    /// The name of the generated function, if it is given.
    pub name: Option<Ident>,
    /// The functions to generate, if they are named.
    forms: Option<Vec<Request>>,
    /// The values of the `const` parameters for which functions are generated.
    pub instances: Vec<Instance>,
    /// Which loops of known length are unrolled.
    pub unroll: Unroll,
    /// How matrices are stored.
    pub layout: Layout,
    /// Where that is written, if it is.
    layout_place: Option<Span>,
    /// Whether only generated code calls what is generated.
    pub is_for_calls: bool,
}

/// What is asked of the engine, as it is written.
#[derive(Clone, Default)]
pub struct Asked {
    /// The order of eliminations.
    pub strategy: Option<LitStr>,
    /// The steps of a search.
    pub steps: Option<LitInt>,
    /// What one vertex of the graph is.
    pub level: Option<LitStr>,
    /// The order of the statements.
    pub schedule: Option<LitStr>,
    /// Which statements are computed as one.
    pub packing: Option<LitStr>,
}

/// What `retract(...)` names: parameters, or fields of these, whose columns are those of the tangents of the rotations
/// in them; outputs, and with `return` the result, whose rows are.
#[derive(Clone, Default)]
pub struct Retract {
    /// The parameters and the outputs.
    pub names: Vec<Named>,
    /// The place of `return`.
    pub result: Option<Span>,
}

impl Retract {
    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.result.is_none()
    }
}

/// Values of the `const` parameters of a function.
#[derive(Clone)]
pub struct Instance {
    /// They in order.
    pub arguments: Vec<TokenStream>,
    /// Where they are written.
    pub span: Span,
}

impl Instance {
    /// What the names of its functions have after that of the function.
    pub fn suffix(&self) -> String {
        let part = |argument: &TokenStream| argument.to_string().replace(' ', "").replace('-', "minus_");
        self.arguments.iter().map(part).collect::<Vec<_>>().join("_")
    }

    /// The arguments as they are written.
    pub fn text(&self) -> String {
        self.arguments.iter().map(|argument| argument.to_string().replace(' ', "")).collect::<Vec<_>>().join(", ")
    }
}

impl Parse for Instance {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let span = input.span();
        if !input.peek(syn::token::Paren) {
            return Ok(Instance { arguments: vec![argument(input)?], span });
        }
        let inner;
        let parentheses = syn::parenthesized!(inner in input);
        let mut arguments = Vec::new();
        while !inner.is_empty() {
            arguments.push(argument(&inner).inspect_err(|_| while inner.parse::<TokenTree>().is_ok() {})?);
            inner.parse::<Option<Token![,]>>()?;
        }
        Ok(Instance { arguments, span: parentheses.span.join() })
    }
}

/// The value of a `const` parameter: an integer or a truth value.
fn argument(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let expected = |span| syn::Error::new(span, refuse::INSTANCE_EXPECTED);
    let minus = input.parse::<Option<Token![-]>>()?;
    match input.parse::<syn::Lit>().map_err(|error| expected(error.span()))? {
        syn::Lit::Int(int) => {
            let digits = proc_macro2::Literal::from_str(int.base10_digits()).map_err(|_| expected(int.span()))?;
            Ok(quote!(#minus #digits))
        }
        syn::Lit::Bool(value) if minus.is_none() => Ok(quote!(#value)),
        other => Err(expected(other.span())),
    }
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

/// The function that returns the value and the entries of the Jacobian.
pub const SPARSE_JAC: Request = Request { is_sparse: true, ..JAC };

/// The function that returns value, gradient and Hessian.
pub const HESS: Request = Request { form: Form::Hessian, ..JAC };

/// Which loops of known length are unrolled.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub enum Unroll {
    /// Those that do not become long, and those that cannot stay loops.
    #[default]
    Auto,
    /// All.
    Always,
    /// None.
    Never,
}

/// The names of these.
const UNROLLS: &[(&str, Unroll)] = &[("auto", Unroll::Auto), ("always", Unroll::Always), ("never", Unroll::Never)];

impl Options {
    /// The same with all loops of known length unrolled.
    pub fn unrolled(&self) -> Options {
        Options { unroll: Unroll::Always, ..self.clone() }
    }

    /// These options for a Jacobian that only generated code calls.
    pub fn for_calls(self) -> Self {
        Options { forms: None, layout: Layout::Default, retract: Retract::default(), is_for_calls: true, ..self }
    }

    /// These options for a sparse Jacobian that only generated code calls.
    pub fn for_sparse_calls(self) -> Self {
        Options { forms: Some(vec![SPARSE_JAC]), name: None, is_for_calls: true, instances: Vec::new(), ..self }
    }

    /// These options for one instance of a function, whose generated function has this name, if one is given.
    pub fn for_instance(self, name: Option<Ident>) -> Self {
        Options { instances: Vec::new(), name, ..self }
    }

    /// The functions to generate, in order, none twice.
    pub fn requests(&self) -> Vec<Request> {
        self.forms.clone().unwrap_or_else(|| vec![JAC])
    }

    /// Whether one of the functions is this one, and gives what generated code reads that calls it.
    pub fn gives_callers(&self, request: Request) -> bool {
        self.retract.is_empty()
            && self.requests().contains(&request)
            && matches!(self.layout, Layout::Default | Layout::CompressedRows)
    }

    /// Whether one of the functions gives second derivatives.
    pub fn is_second_order(&self) -> bool {
        self.requests().iter().any(|request| request.form.is_second_order())
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
    ("retract", "`retract(q, return)`", read_retract),
    ("with", "`with(g, h = path::to::dh)`", read_with),
    ("name", "`name = \"...\"`", read_name),
    ("forms", "`forms(jac, jac_into, jvp)`", read_forms),
    ("into", "`into`", read_into),
    ("layout", "`layout = \"...\"`", read_layout),
    ("unroll", "`unroll = \"...\"`", read_unroll),
    ("instances", "`instances(3, 6)`", read_instances),
];

/// Reads options that are above others; those with an error are as these say.
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
    options
}

fn one(options: &mut Options, seen: &mut Vec<String>, input: ParseStream<'_>) -> syn::Result<()> {
    let forms = || KNOWN.iter().map(|(_, form, _)| *form).collect::<Vec<_>>().join(", ");
    let name: Ident =
        input.parse().map_err(|error: syn::Error| syn::Error::new(error.span(), refuse::option_expected(forms())))?;
    let Some((known, form, read)) = KNOWN.iter().find(|(known, ..)| name == known) else {
        let is_form = FORMS.iter().any(|(form, _)| name == form);
        let message = if is_form { refuse::option_is_form(&name) } else { refuse::unknown("option", &name, forms()) };
        return Err(syn::Error::new(name.span(), message));
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
    options.engine.strategy = Some(string(input)?);
    Ok(())
}

fn read_steps(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<Token![=]>()?;
    options.engine.steps = Some(input.parse()?);
    Ok(())
}

fn read_level(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    options.engine.level = Some(string(input)?);
    Ok(())
}

fn read_schedule(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    options.engine.schedule = Some(string(input)?);
    Ok(())
}

fn read_packing(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    options.engine.packing = Some(string(input)?);
    Ok(())
}

/// What follows a name in a table.
///
/// # Errors
/// The text is none of the names in the table; the message lists these.
pub fn one_of<T: Copy>(what: &str, table: &[(&str, T)], text: &LitStr) -> syn::Result<T> {
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
    // Labels are there to be multiplied with, in the ways in which they are given.
    let labels: Vec<_> = requests.iter().filter(|request| request.form == Form::Labels).copied().collect();
    for form in [Form::LabelsTangentProduct, Form::LabelsCotangentProduct] {
        if !requests.iter().any(|request| request.form == form) {
            requests.extend(labels.iter().map(|labels| Request { form, ..*labels }));
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

fn read_instances(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let values;
    let parentheses = syn::parenthesized!(values in input);
    let parsed = Punctuated::<Instance, Token![,]>::parse_terminated(&values)
        .inspect_err(|_| while values.parse::<TokenTree>().is_ok() {})?;
    options.instances = parsed.into_iter().collect();
    match options.instances.is_empty() {
        true => Err(syn::Error::new(parentheses.span.join(), refuse::INSTANCES_NOTHING)),
        false => Ok(()),
    }
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

fn read_retract(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let names;
    let parentheses = syn::parenthesized!(names in input);
    while !names.is_empty() {
        match names.parse::<Option<Token![return]>>()? {
            Some(token) => options.retract.result = Some(token.span),
            None => options.retract.names.push(names.parse().map_err(|error: syn::Error| {
                while names.parse::<TokenTree>().is_ok() {}
                syn::Error::new(error.span(), refuse::RETRACT_EXPECTED)
            })?),
        }
        if !names.is_empty() && names.parse::<Option<Token![,]>>()?.is_none() {
            let place = names.span();
            while names.parse::<TokenTree>().is_ok() {}
            return Err(syn::Error::new(place, refuse::RETRACT_EXPECTED));
        }
    }
    match options.retract.is_empty() {
        true => Err(syn::Error::new(parentheses.span.join(), refuse::RETRACT_NOTHING)),
        false => Ok(()),
    }
}

fn read_with(options: &mut Options, input: ParseStream<'_>) -> syn::Result<()> {
    let functions;
    let parentheses = syn::parenthesized!(functions in input);
    let parsed = Punctuated::<Entry, Token![,]>::parse_terminated(&functions).map_err(|error| {
        while functions.parse::<TokenTree>().is_ok() {}
        // What syn says of it is only which token it expects.
        let is_of_syn = ["expected", "unexpected"].iter().any(|word| error.to_string().starts_with(word));
        if is_of_syn { syn::Error::new(error.span(), refuse::WITH_EXPECTED) } else { error }
    })?;
    (options.with, options.inline) = (Vec::new(), Vec::new());
    for entry in parsed {
        match entry {
            Entry::With(with) => options.with.push(*with),
            Entry::Inline(path) => options.inline.push(path),
        }
    }
    for (index, path) in options.inline.iter().enumerate() {
        let text = |path: &Path| path.to_token_stream().to_string();
        let is_same = |other: &Path| text(other) == text(path);
        if options.inline[..index].iter().any(is_same) || options.with.iter().any(|with| is_same(&with.function)) {
            return Err(syn::Error::new_spanned(path, refuse::WITH_TWICE));
        }
    }
    if let Some(mark) = options.with.iter().find_map(With::misplaced_mark) {
        return Err(syn::Error::new_spanned(mark, refuse::ARGUMENT_MARK));
    }
    for (index, with) in options.with.iter().enumerate() {
        if options.with[..index].iter().any(|earlier| earlier.is_same_function(with)) {
            return Err(syn::Error::new_spanned(&with.function, refuse::WITH_TWICE));
        }
    }
    match options.with.is_empty() && options.inline.is_empty() {
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

fn string(input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Reports the options that a module cannot have, but its functions.
pub fn check_module(options: &Options, errors: &mut Errors) {
    options.wrt.iter().flatten().for_each(|name| errors.at(name, refuse::OPTION_OF_FUNCTION));
    options.name.iter().for_each(|name| errors.at(name, refuse::OPTION_OF_FUNCTION));
    options.retract.names.iter().for_each(|name| errors.at(name, refuse::OPTION_OF_FUNCTION));
    options.retract.result.iter().for_each(|place| errors.at_span(*place, refuse::OPTION_OF_FUNCTION));
    options.instances.iter().take(1).for_each(|it| errors.at_span(it.span, refuse::OPTION_OF_FUNCTION));
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::KNOWN;

    /// A file, by its path from the root of the repository.
    fn read(path: &str) -> String {
        let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        std::fs::read_to_string(&full).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The options in the first column of the table that begins with this line, sorted.
    fn in_table<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
        let mut rows = lines.skip_while(|line| !line.starts_with("| option | meaning |")).skip(2);
        let is_name = |letter: char| letter.is_ascii_lowercase();
        let name = |row: &str| row.trim_start_matches("| `").chars().take_while(|&letter| is_name(letter)).collect();
        let mut names: Vec<_> = rows.by_ref().take_while(|row| row.starts_with("| `")).map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn the_tables_have_all_options() {
        let mut known: Vec<_> = KNOWN.iter().map(|(name, ..)| (*name).to_string()).collect();
        known.sort();
        let page = read("docs/forms.md");
        assert_eq!(in_table(page.lines()), known, "docs/forms.md");
        let attribute = read("jacobian-macro/src/lib.rs");
        let comments = attribute.lines().map(|line| line.trim_start_matches("/// "));
        assert_eq!(in_table(comments), known, "the documentation of the attribute");
        let written =
            page.lines().find(|line| line.starts_with("#[jacobian(strategy")).expect("the line of all options");
        for name in known {
            let is_there = ["(", ", "].iter().any(|before| written.contains(&format!("{before}{name}")));
            assert!(is_there, "`{name}` is not in {written}");
        }
    }
}
