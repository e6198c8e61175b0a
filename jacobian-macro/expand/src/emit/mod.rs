//! Emission: a derivative as a Rust function. The code needs no `#[allow]`, no `unsafe`, no allocation, and no path but
//! those into `core`. Its variables have the hygiene of the macro, so that they meet no name of the user.

mod arrays;
mod branch;
mod call;
mod chunk;
mod document;
mod fused;
mod helper;
mod implicit;
pub mod number;
mod packed;
mod repeat;
mod results;
mod returned;
mod writer;

use std::collections::{BTreeMap, HashMap, HashSet};

use jacobian_core::Jacobian;
use jacobian_core::block::{Block, Body};
use jacobian_core::catalogue::{Intrinsic, Spelling};
use jacobian_core::code_list::{CodeList, Constant, Kind, Precision, Statement, ValueId};
use jacobian_core::derivative::Pattern;
use jacobian_core::form::Form;
use jacobian_core::fuse::FusedSum;
use jacobian_lower::attributes::{allowed, filtered, is_named};
use jacobian_lower::names::{Names, each_identifier, each_root, emitted};
use jacobian_lower::read::options::Options;
use jacobian_lower::read::scalar::Scalar;
use jacobian_lower::read::shape::Shape;
use jacobian_lower::read::signature::{Signature, likely};
use jacobian_lower::{Code, Line, Lowered, Notation, Written};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{FnArg, GenericParam, Generics, ItemFn, WherePredicate};

use self::arrays::Array;
pub use self::chunk::too_many_borrows;
use self::chunk::{Chunk, Level, MAX_LETS};
use self::fused::Fused;
use self::helper::Helpers;
use self::number::Position;
use self::packed::Packs;
use self::results::Results;
pub use self::writer::Writer;
use super::form::{self, Generated, Part, PatternFunction, Place, together};

/// The generated functions of a form.
pub struct Emitted {
    /// Their tokens.
    pub tokens: TokenStream,
    /// By value of the derivative: how it is written where it is used.
    #[cfg_attr(not(feature = "tools"), allow(dead_code, reason = "tools read it"))]
    pub operands: Vec<Writer>,
}

/// Writes the functions of a form.
pub fn functions(
    form: Form,
    item: &ItemFn,
    signature: &Signature,
    options: &Options,
    lowered: &Lowered,
    jacobian: &Jacobian,
) -> Emitted {
    let Lowered { code, notations, .. } = lowered;
    let (mut names, mut lints) = (lowered.names.clone(), lowered.lints.clone());
    lints.extend(allowed(item.block.to_token_stream()));
    let mut known = HashSet::new();
    lints.retain(|lint| known.insert(lint.to_string()));
    let derivative = &jacobian.derivative;
    let functions = Generated::all(form, item, options, signature, Some(derivative), &mut names);
    let seeds = functions.first().into_iter().flat_map(|generated| &generated.seeds).flat_map(seed_inputs);
    let own = lowered.inputs.iter().filter(|_| !form.is_of_labels());
    let inputs = seeds.chain(own.cloned().map(Writer::from)).collect();
    let fusion = fused::fusion(item, &signature.scalar, jacobian);
    let fused = fusion.as_ref().map(|fusion| Fused { fusion, name: names.fresh("fused") });
    let definition = fused.as_ref().map(|fused| fused.definition(&signature.scalar));
    let packs = Packs::new(&jacobian.packs, item.sig.constness, &mut names);
    let brought = Helpers::of(&jacobian.derivative.list, &mut names);
    let definitions = brought.definitions(&signature.scalar, notations);
    let written = HowWritten { scalar: &signature.scalar, signature, notations, code, helpers: &brought };
    let mut emitter = Emitter::new(written, &jacobian.derivative.list, fused, packs, inputs);
    let mut statements = emitter.statements(&mut names);
    if !stores_early(form, &statements) {
        statements.ready.clear();
    }
    // A product with labels mentions nothing of the function, not even what it imports.
    let items = if form.is_of_labels() { TokenStream::new() } else { items(code, &jacobian.derivative.list) };
    let helpers = emitter.helpers();
    let about = document::about(form, item, signature, options, jacobian);
    let mut unused = parameters(&functions, signature);
    strike_out(&mut statements.tokens.tokens(), &mut unused);
    let mut unread: Vec<_> = lowered.before.iter().map(|(before, _)| before.to_string()).collect();
    strike_out(&mut statements.tokens.tokens(), &mut unread);
    let mut tokens = TokenStream::new();
    for generated in &functions {
        let documentation = document::function(item, generated, &about);
        let documentation = documentation.lines().map(|line| format!(" {line}"));
        let (results, mut unused) = (emitter.results(generated, derivative, &statements), unused.clone());
        let mut unread = unread.clone();
        for tokens in results.all() {
            strike_out(&mut tokens.clone().into_iter(), &mut unused);
            strike_out(&mut tokens.clone().into_iter(), &mut unread);
        }
        let before = before(lowered, &unread);
        strike_out(&mut before.clone().into_iter(), &mut unused);
        let Results { filled, stored, last } = results;
        let statements = statements.with(&stored);
        let body = quote!(#definition #helpers #items #definitions #before #filled #statements #last);
        let unread =
            leaves_unread(&lowered.bound, &body).then(|| quote_spanned!(Span::mixed_site()=> unused_variables));
        let lints = lints.iter().chain(&unread);
        let attributes =
            quote_spanned!(Span::mixed_site()=> #(#[doc = #documentation])* #(#[allow(#lints)])* #[inline]);
        tokens.extend(function(item, generated, signature, &unused, attributes, body));
    }
    let pattern = derivative.matrices.last().and_then(|pattern| PatternFunction::of(form, item, options, pattern));
    tokens.extend(pattern.map(|pattern| pattern_function(item, &pattern)));
    Emitted { tokens, operands: emitter.operands }
}

/// Whether a name that a pattern of the user binds may not be read: what read it is in a branch that is never taken.
fn leaves_unread(bound: &BTreeMap<usize, String>, body: &TokenStream) -> bool {
    let mut mentions = HashMap::new();
    each_identifier(body.clone(), &mut |ident| *mentions.entry(ident.to_string()).or_insert(0) += 1);
    bound.values().any(|name| {
        let mentioned = mentions.get(name).copied().unwrap_or_default();
        let patterns = bound.values().filter(|other| *other == name).count();
        mentioned > 0 && mentioned < 2 * patterns && !name.starts_with('_')
    })
}

/// The registers for floats of x86-64. (Other processors have more, or fewer.)
const REGISTERS: usize = 16;

/// Whether what is written in place is stored float by float, once it is there: results that do not fit into the
/// registers would be stored twice. Measured 2 to 3 % faster for these forms; for Jacobians, whose rows are packed where
/// they are stored as a whole, as much slower.
fn stores_early(form: Form, statements: &Statements) -> bool {
    let is_measured =
        matches!(form, Form::TangentProduct | Form::CotangentProduct | Form::Hessian | Form::HessianProduct);
    is_measured && statements.ready.len() > REGISTERS
}

/// Declares what parameters refer to before they are changed, where it is read: the results are assigned one by one.
fn before(lowered: &Lowered, unread: &[String]) -> TokenStream {
    let mut declared = TokenStream::new();
    for (variable, parameter) in &lowered.before {
        if !unread.iter().any(|name| variable == name) {
            declared.extend(quote_spanned!(Span::mixed_site()=> let #variable = *#parameter;));
        }
    }
    declared
}

/// The function that returns a pattern.
fn pattern_function(item: &ItemFn, pattern: &PatternFunction) -> TokenStream {
    let (kept, visibility, name) = (kept_attributes(item), &item.vis, &pattern.name);
    let documentation = document::pattern(item, pattern);
    let documentation = documentation.lines().map(|line| format!(" {line}"));
    let [starts, indices] = [&pattern.entries.starts, &pattern.entries.indices];
    let lengths = [starts, indices].map(|numbers| Literal::usize_unsuffixed(numbers.len()));
    let [starts, indices] = [starts, indices].map(|numbers| {
        let numbers = numbers.iter().map(|number| Literal::usize_unsuffixed(*number));
        quote!([#(#numbers),*])
    });
    let types = lengths.map(|length| quote!([::core::primitive::usize; #length]));
    let returned = together(&types);
    quote_spanned! {Span::mixed_site()=>
        #(#kept)*
        #(#[doc = #documentation])*
        #visibility const fn #name() -> #returned { (#starts, #indices) }
    }
}

/// The names of the parameters of the generated functions.
fn parameters(functions: &[Generated], signature: &Signature) -> Vec<String> {
    let has_own = functions.iter().any(|generated| generated.has_parameters);
    let own = signature.parameters.iter().filter(|_| has_own).map(|parameter| emitted(&parameter.name).to_string());
    let parts = functions.iter().flat_map(|generated| generated.seeds.iter().chain(generated.at(Place::Written)));
    own.chain(parts.map(|part| part.name.to_string())).collect()
}

/// Takes out the names in `tokens`, which are read only as long as there are names left.
fn strike_out(tokens: &mut dyn Iterator<Item = TokenTree>, names: &mut Vec<String>) {
    let mut groups = Vec::new();
    let mut look = |tokens: &mut dyn Iterator<Item = TokenTree>, groups: &mut Vec<TokenStream>| {
        while !names.is_empty()
            && let Some(token) = tokens.next()
        {
            match token {
                TokenTree::Ident(ident) => names.retain(|name| ident != name),
                TokenTree::Group(group) => groups.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    };
    look(tokens, &mut groups);
    while let Some(group) = groups.pop() {
        look(&mut group.into_iter(), &mut groups);
    }
}

/// The expressions of the inputs that are the floats of a seed, which the parameter refers to.
fn seed_inputs(seed: &Part) -> Vec<Writer> {
    let name = &seed.name;
    match &seed.shape {
        Shape::Array(_, length) => {
            let floats = (0..*length).map(Literal::usize_unsuffixed).map(|index| quote!(#name[#index]).into());
            floats.collect()
        }
        _ => vec![name.clone().into()],
    }
}

/// The items of the function, but for those that may be left out and are mentioned by no passive piece of the code in
/// `list`.
fn items(code: &Code, list: &CodeList) -> TokenStream {
    let items = code.items();
    let (mut is_kept, mut mentioned) = (vec![false; items.len()], HashSet::new());
    if items.is_empty() {
        return TokenStream::new();
    }
    for list in list.with_inner() {
        for block in list.blocks() {
            let written = code.at(block.origin);
            for tokens in written.tokens() {
                mention(tokens, &mut mentioned);
            }
            if let (Written::Call(call), Body::Call { order, .. }) = (written, &block.body) {
                mention(call.of_order(*order), &mut mentioned);
                if call.is_implicit() {
                    mention(&call.function, &mut mentioned);
                }
            }
        }
    }
    // Items may mention each other in any order.
    let is_mentioned = |index: usize, mentioned: &HashSet<String>| {
        items[index].name.as_ref().is_none_or(|name| mentioned.contains(&name.to_string()))
    };
    while let Some(index) = (0..items.len()).find(|&index| !is_kept[index] && is_mentioned(index, &mentioned)) {
        is_kept[index] = true;
        mention(&items[index].tokens, &mut mentioned);
    }
    let mut tokens = TokenStream::new();
    for (item, is_kept) in items.iter().zip(is_kept) {
        if is_kept {
            tokens.extend(unlinted(&item.tokens));
        }
    }
    tokens
}

/// An item. What is used of it in branches that are not taken need not be used here.
fn unlinted(item: &TokenStream) -> TokenStream {
    match item.clone().into_iter().next() {
        Some(TokenTree::Ident(word)) if word == "const" || word == "use" => item.clone(),
        _ => quote_spanned!(Span::mixed_site()=> #[allow(dead_code)] #item),
    }
}

/// Adds the identifiers in `tokens` that may be items.
fn mention(tokens: &TokenStream, mentioned: &mut HashSet<String>) {
    each_root(tokens.clone(), &mut |ident, _| {
        mentioned.insert(ident.to_string());
    });
}

/// Functions with the right signatures that stand for those which could not be generated.
pub fn stubs(item: &ItemFn, options: &Options, signature: Option<&Signature>) -> TokenStream {
    let likely = signature.is_none().then(|| likely(item, options));
    let signature = signature.or(likely.as_ref()).expect("there is the one or the other");
    let all = |form| Generated::all(form, item, options, signature, None, &mut Names::avoiding(item));
    let functions: Vec<_> = form::wanted(options).into_iter().flat_map(all).collect();
    let attributes = quote_spanned!(Span::mixed_site()=> #[doc = "Not generated: see the errors."]);
    let body = quote_spanned!(Span::mixed_site()=> ::core::unreachable!());
    let mut tokens = TokenStream::new();
    let unused = parameters(&functions, signature);
    for generated in &functions {
        tokens.extend(function(item, generated, signature, &unused, attributes.clone(), body.clone()));
    }
    let empty = Pattern::new(signature.columns(), false);
    let patterns =
        form::wanted(options).into_iter().filter_map(|form| PatternFunction::of(form, item, options, &empty));
    tokens.extend(patterns.map(|pattern| pattern_function(item, &pattern)));
    tokens
}

/// A generated function. Parameters that it does not use have no names.
fn function(
    item: &ItemFn,
    generated: &Generated,
    signature: &Signature,
    unused: &[String],
    attributes: TokenStream,
    body: TokenStream,
) -> TokenStream {
    let kept = kept_attributes(item);
    let (visibility, constness) = (&item.vis, &item.sig.constness);
    let generics = if generated.has_parameters { item.sig.generics.clone() } else { float_generics(item, generated) };
    let clause = &generics.where_clause;
    let named = |name: Option<Ident>| {
        let is_used = |name: &Ident| !unused.iter().any(|unused| name == unused);
        name.filter(is_used).map_or_else(|| quote!(_), Ident::into_token_stream)
    };
    let mut names = signature.parameters.iter().map(|parameter| emitted(&parameter.name));
    let own = item.sig.inputs.iter().filter(|_| generated.has_parameters).map(|argument| match argument {
        FnArg::Receiver(receiver) => receiver.to_token_stream(),
        FnArg::Typed(typed) => {
            let (name, ty) = (named(names.next()), &typed.ty);
            quote!(#name: #ty)
        }
    });
    let seed = generated.seeds.iter().rev().map(|seed| {
        let (name, ty) = (named(Some(seed.name.clone())), seed.shape.ty());
        match seed.shape {
            Shape::Array(..) => quote!(#name: &#ty),
            _ => quote!(#name: #ty),
        }
    });
    let places = generated.at(Place::Written).map(|part| {
        let (name, ty) = (named(Some(part.name.clone())), part.shape.ty());
        quote_spanned!(Span::mixed_site()=> #name: &mut #ty)
    });
    let (parameters, name, returned) = (own.chain(seed).chain(places), &generated.name, generated.returned());
    quote_spanned! {Span::mixed_site()=>
        #(#kept)*
        #attributes
        #visibility #constness fn #name #generics(#(#parameters),*) #returned #clause { #body }
    }
}

/// The generic parameter that is the type of the floats, if the function has it; its other ones would be known from
/// nothing.
fn float_generics(item: &ItemFn, generated: &Generated) -> Generics {
    let mut mentioned = HashSet::new();
    generated.seeds.iter().for_each(|seed| mention(&seed.shape.ty(), &mut mentioned));
    let is_mentioned = |ty: &dyn ToTokens| mentioned.contains(&ty.to_token_stream().to_string());
    let mut generics = item.sig.generics.clone();
    let params = generics.params.into_iter();
    generics.params =
        params.filter(|param| matches!(param, GenericParam::Type(ty) if is_mentioned(&ty.ident))).collect();
    if let Some(clause) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        let is_kept = |predicate: &WherePredicate| match predicate {
            WherePredicate::Type(bound) => is_mentioned(&bound.bounded_ty),
            _ => false,
        };
        clause.predicates = predicates.filter(is_kept).collect();
    }
    generics
}

/// The attributes of the function that its Jacobian has, too: also those under the condition of a `cfg_attr`.
fn kept_attributes(item: &ItemFn) -> Vec<syn::Attribute> {
    let kept = ["cfg", "allow", "warn", "deny", "forbid", "deprecated"];
    let is_hidden = |meta: &TokenStream| {
        is_named(meta, "doc") && syn::parse2::<syn::MetaList>(meta.clone()).is_ok_and(|list| is_word(&list, "hidden"))
    };
    let is_kept = |meta: &TokenStream| kept.iter().any(|name| is_named(meta, name)) || is_hidden(meta);
    let outer = |attribute: syn::Attribute| syn::Attribute { style: syn::AttrStyle::Outer, ..attribute };
    filtered(&item.attrs, &is_kept).into_iter().map(outer).collect()
}

/// Whether what is in brackets is this word.
fn is_word(list: &syn::MetaList, word: &str) -> bool {
    syn::parse2::<Ident>(list.tokens.clone()).is_ok_and(|ident| ident == word)
}

/// How the statements of a function and of all arms are written.
#[derive(Copy, Clone)]
struct HowWritten<'a> {
    scalar: &'a Scalar,
    signature: &'a Signature,
    /// How the calls of intrinsics are written.
    notations: &'a [Notation],
    /// The blocks, by origin.
    code: &'a Code,
    /// The functions that are brought along.
    helpers: &'a Helpers,
}

struct Emitter<'a> {
    written: HowWritten<'a>,
    list: &'a CodeList,
    /// What is fused, if anything.
    fused: Option<Fused<'a>>,
    /// How each value is written where it is used; a part is known from its block on.
    operands: Vec<Writer>,
    /// The arrays that elements are chosen from.
    arrays: Vec<Array>,
    /// By value: the array that its operand is an element of.
    located: Vec<Option<usize>>,
    inputs: std::vec::IntoIter<Writer>,
    /// By block: its results as far as they are used.
    live: HashMap<ValueId, Vec<Option<ValueId>>>,
    /// By value: its number, where it has no name.
    numbers: Vec<usize>,
    /// By value: how often it is used.
    uses: Vec<usize>,
    /// By value: the position of the last statement that uses it, or what is after all of them if it is an output.
    last_uses: Vec<usize>,
    /// The statements that are written as one.
    packs: Packs<'a>,
    /// Whether the statements are written in chunks.
    is_long: bool,
    /// Whether blocks of the user are written.
    has_blocks: bool,
}

/// All statements of the functions of a form.
struct Statements {
    tokens: Writer,
    /// The results that may be stored before the end, with the number of tokens after which they are there.
    ready: Vec<(usize, ValueId)>,
}

impl Statements {
    /// The statements, each with what is written after it.
    fn with(&self, stored: &HashMap<ValueId, TokenStream>) -> TokenStream {
        let mut out = TokenStream::new();
        let mut tokens = self.tokens.tokens();
        let mut written = 0;
        for (end, id) in &self.ready {
            out.extend(tokens.by_ref().take(end - written));
            out.extend(stored.get(id).cloned());
            written = *end;
        }
        out.extend(tokens);
        out
    }
}

impl<'a> Emitter<'a> {
    fn new(
        written: HowWritten<'a>,
        list: &'a CodeList,
        fused: Option<Fused<'a>>,
        packs: Packs<'a>,
        inputs: Vec<Writer>,
    ) -> Self {
        let mut last_uses = last_uses(list, written.code, fused.as_ref());
        packs.note_uses(&mut last_uses);
        Emitter {
            written,
            list,
            operands: vec![Writer::default(); list.statements().len()],
            arrays: Vec::new(),
            located: vec![None; list.statements().len()],
            inputs: inputs.into_iter(),
            is_long: list.statements().len() > MAX_LETS,
            has_blocks: list.blocks().iter().any(|block| matches!(written.code.at(block.origin), Written::Open)),
            live: live_parts(list),
            numbers: numbers(list),
            uses: list.uses(),
            last_uses,
            fused,
            packs,
        }
    }

    /// All statements, in order.
    fn statements(&mut self, names: &mut Names) -> Statements {
        let (mut level, mut outer) = (Level::default(), Vec::new());
        let mut ready = Vec::new();
        // What is written in place stays as it is where a block ends the function; and what is in a chunk is not at the
        // end of what is written.
        let last_block = self.list.ids().rev().find(|&id| self.block_at(id).is_some());
        let is_early =
            |id: ValueId| last_block.is_none_or(|block| block < id) && !self.is_long && self.packs.are_none();
        let mut is_ready_early = vec![false; self.list.statements().len()];
        for output in self.list.outputs() {
            let is_computed = matches!(self.list.statement(*output), Statement::Apply { .. });
            is_ready_early[output.index()] = is_computed && is_early(*output);
        }
        for id in self.list.ids() {
            let is_cut = || level.chunk.is_full() || level.chunk.is_borrowed_by(self.list, self.written.code, id);
            if self.is_long && is_cut() {
                level.cut(id.index());
            }
            match self.block_at(id) {
                Some(Written::Open) => outer.push(std::mem::replace(&mut level, Level::new(id.index()))),
                Some(Written::Close) => {
                    let around = outer.pop().expect("a block that ends has begun");
                    let inner = std::mem::replace(&mut level, around);
                    level.write(inner, id.index());
                }
                _ => {}
            }
            let written = level.chunk.written();
            let operand = match self.packs.lane(id) {
                Some(lane) => self.lane(&mut level.chunk, lane, names),
                None => self.statement(&mut level.chunk, id, names),
            };
            self.operands[id.index()] = operand;
            level.chunk.count(written);
            if is_ready_early[id.index()] {
                ready.push((level.chunk.written().0, id));
            }
        }
        Statements { tokens: level.into_statements(), ready }
    }

    /// How the block is written that a statement runs, if it runs one.
    fn block_at(&self, id: ValueId) -> Option<&'a Written> {
        match self.list.statement(id) {
            Statement::Block(_) => Some(self.written.code.at(self.list.block_of(id).origin)),
            _ => None,
        }
    }

    /// Writes a statement, and returns how its value is written where it is used.
    fn statement(&mut self, chunk: &mut Chunk, id: ValueId, names: &mut Names) -> Writer {
        match self.list.statement(id) {
            Statement::Input(_) => self.inputs.next().unwrap_or_default(),
            Statement::Constant(constant) => self.number(*constant, Position::Operand),
            Statement::Block(_) => {
                self.block(chunk, id, names);
                Writer::default()
            }
            Statement::Part { .. } => std::mem::take(&mut self.operands[id.index()]),
            Statement::Apply { intrinsic, .. } if intrinsic.row().gives == Kind::Bool && self.is_inline(id) => {
                self.application(id)
            }
            Statement::Apply { .. } if self.uses[id.index()] == 0 => {
                // It may panic.
                chunk.statements.word("let").word("_").punct("=").append(self.application(id)).punct(";");
                Writer::default()
            }
            Statement::Apply { .. } => {
                let name = self.name(id, names);
                self.binding(&mut chunk.statements, id, &name);
                chunk.declared.push((self.last_uses[id.index()], name.clone()));
                name.into()
            }
        }
    }

    /// Whether a condition is written where it is used: not after a block in which it can be computed alone, nor if it
    /// reads what may be replaced until then.
    fn is_inline(&self, id: ValueId) -> bool {
        let is_free = !self.is_long && !self.has_blocks && self.uses[id.index()] == 1;
        is_free && (!self.reads_elements(id) || self.is_used_before_block(id))
    }

    /// Whether a statement reads elements of arrays where it is written.
    fn reads_elements(&self, id: ValueId) -> bool {
        let reads = |arg: ValueId| {
            let is_condition =
                matches!(self.list.statement(arg), Statement::Apply { .. }) && self.list.kind(arg) == Kind::Bool;
            self.is_element(arg) || is_condition && self.operands[arg.index()].len() > 1 && self.reads_elements(arg)
        };
        self.list.args(id).any(reads)
    }

    /// Whether no block is written until a condition is used for the last time.
    fn is_used_before_block(&self, id: ValueId) -> bool {
        let last_use = self.last_uses[id.index()];
        let mut statements = (id.index() + 1..=last_use.min(self.list.statements().len() - 1)).map(ValueId::new);
        last_use < usize::MAX && statements.all(|id| !matches!(self.list.statement(id), Statement::Block(_)))
    }

    /// A new variable for a value.
    fn name(&self, id: ValueId, names: &mut Names) -> Ident {
        match self.list.name(id) {
            Some(wish) => names.like(wish),
            None => names.numbered(self.numbers[id.index()]),
        }
    }

    /// Writes the block that the statement `id` runs.
    fn block(&mut self, chunk: &mut Chunk, id: ValueId, names: &mut Names) {
        let mut live = Vec::new();
        for (part, index) in self.live.remove(&id).unwrap_or_default().into_iter().zip(0..) {
            live.extend(part.map(|part| (index, part)));
        }
        match self.written.code.at(self.list.block_of(id).origin) {
            Written::Line(line) => self.line(chunk, line, &live),
            Written::Operand(tokens) => self.operand(chunk, tokens, &live),
            Written::Copy(name, ty) => self.copy(chunk, id, (name, ty), &live),
            Written::Next => self.next(chunk, id, &live, names),
            Written::Branch(branch) => self.branch(chunk, id, branch, live, names),
            Written::Loop(head) => self.repetition(chunk, id, head, &live, names),
            Written::Call(call) => self.call(chunk, id, call, &live, names),
            Written::Open | Written::Close => {}
        }
    }

    /// Writes a passive statement.
    fn line(&mut self, chunk: &mut Chunk, line: &Line, live: &[(u32, ValueId)]) {
        chunk.statements.stream(line.tokens().clone());
        if let Some(note) = line.noted() {
            chunk.statements.stream(note.clone());
        }
        let mut last_uses = vec![0; line.names().len()];
        for &(index, part) in live {
            last_uses[index as usize] = self.last_uses[part.index()];
            self.operands[part.index()] = line.names()[index as usize].clone().into();
        }
        chunk.declared.extend(last_uses.into_iter().zip(line.names().iter().cloned()));
        chunk.mutable.extend(line.mutable().cloned());
    }

    /// Writes a passive expression that has effects, if its value is not used: else it is written where that is.
    fn operand(&mut self, chunk: &mut Chunk, tokens: &TokenStream, live: &[(u32, ValueId)]) {
        if live.is_empty() {
            chunk.statements.stream(quote!(let _ = #tokens;));
        }
        for (_, part) in live {
            self.operands[part.index()] = tokens.clone().into();
        }
    }

    /// Writes the variable that holds the number which an active value is.
    fn copy(&mut self, chunk: &mut Chunk, id: ValueId, (name, ty): (&Ident, &TokenStream), live: &[(u32, ValueId)]) {
        let value = self.alone(self.list.block_of(id).args[0]);
        chunk.statements.word("let").token(name.clone()).punct(":").stream(ty.clone());
        chunk.statements.punct("=").append(value).punct(";");
        for (_, part) in live {
            chunk.declared.push((self.last_uses[part.index()], name.clone()));
            self.operands[part.index()] = name.clone().into();
        }
    }

    fn binding(&self, statements: &mut Writer, id: ValueId, name: &Ident) {
        statements.word("let").token(name.clone());
        if self.list.args(id).all(|arg| self.list.as_constant(arg).is_some()) {
            // Nothing but literals: only the annotation says of which type they are.
            statements.punct(":").stream(self.written.scalar.ty());
        }
        statements.punct("=");
        statements.append(match self.fused.as_ref().and_then(|fused| Some((&fused.name, fused.fusion.sum(id)?))) {
            Some((name, sum)) => self.fused_sum(name, sum, id),
            None => self.application(id),
        });
        statements.punct(";");
    }

    /// The expression of a statement.
    fn application(&self, id: ValueId) -> Writer {
        let mut out = Writer::default();
        let Statement::Apply { intrinsic, notation, args } = self.list.statement(id) else { return out };
        let row = intrinsic.row();
        let operand = |position: usize| &self.operands[args[position].index()];
        let condition = |position: usize| self.condition(args[position]);
        match (row.spelling, &self.written.notations[usize::from(notation.0)], row.libm) {
            (_, Notation::Libm(prefix), Some(name)) => {
                let suffix = if self.list.precision() == Precision::F32 { "f" } else { "" };
                let name = format!("{name}{suffix}");
                out.stream(prefix.clone()).punct("::").word(&name).append(self.arguments(args))
            }
            (Spelling::Call, Notation::Path { prefix, functions, .. }, _)
                if functions.is_none_or(|functions| functions.contains(&row.name)) =>
            {
                out.stream(prefix.clone()).punct("::").word(row.name).append(self.arguments(args))
            }
            (Spelling::Helper(_), ..) => {
                let name = self.written.helpers.name(*intrinsic).expect("what is called is brought along");
                out.token(name).append(self.arguments(args))
            }
            (Spelling::Call | Spelling::Libm, ..) => {
                out.append(match self.list.as_constant(args[0]) {
                    Some(constant) => self.number(constant, Position::Receiver),
                    None => operand(0).clone(),
                });
                out.punct(".").word(row.name).append(self.arguments(&args[1..]))
            }
            (Spelling::Infix(symbol), ..) if row.takes[0] == Kind::Bool => {
                out.append(self.truth(*intrinsic, args[0])).punct(symbol).append(self.truth(*intrinsic, args[1]))
            }
            (Spelling::Infix("*"), ..) => out.append(self.factor(args[0])).punct("*").append(self.factor(args[1])),
            (Spelling::Infix(symbol), ..) => out.all(operand(0)).punct(symbol).all(operand(1)),
            (Spelling::Prefix(symbol), ..) => out.punct(symbol).append(condition(0)),
            (Spelling::Select(symbol), ..) => {
                let braced = |position| operand(position).clone().within(Delimiter::Brace);
                out.word("if").all(operand(0)).punct(symbol).all(operand(1));
                out.append(braced(2)).word("else").append(braced(3))
            }
            (Spelling::FloatFromInt, ..) => {
                let int = operand(0).clone().into_stream();
                out.stream(number::from_int(self.written.scalar, int).unwrap_or_default())
            }
            (Spelling::Predecessor, ..) => out.all(operand(0)).stream(quote!(.saturating_sub(1))),
        };
        out
    }

    /// A truth value as an operand: in parentheses where it is an expression.
    fn condition(&self, id: ValueId) -> Writer {
        let operand = self.operands[id.index()].clone();
        if operand.len() > 1 { operand.within(Delimiter::Parenthesis) } else { operand }
    }

    /// A truth value as an operand of `&&` or `||`: comparisons need no parentheses there, nor does what has the same
    /// operator.
    fn truth(&self, operator: Intrinsic, id: ValueId) -> Writer {
        let binds_as_strongly = match self.list.statement(id) {
            Statement::Apply { intrinsic, .. } => {
                let row = intrinsic.row();
                *intrinsic == operator || matches!(row.spelling, Spelling::Infix(_)) && row.takes[0] == Kind::Float
            }
            _ => false,
        };
        if binds_as_strongly { self.operands[id.index()].clone() } else { self.condition(id) }
    }

    /// A factor of a product. If it is -1, it is no change of sign, which a NaN would show, but Clippy wants one:
    /// `(0.0 - 1.0)`.
    fn factor(&self, id: ValueId) -> Writer {
        if self.written.scalar.suffix().is_none() || !self.is_minus_one(id) {
            return self.operands[id.index()].clone();
        }
        let [mut zero, one] = [0.0, 1.0].map(|value| self.number(Constant::Float(value), Position::Operand));
        zero.punct("-").append(one);
        zero.within(Delimiter::Parenthesis)
    }

    /// Whether a value is written as -1. What a loop or an arm reads may be a number outside of it.
    fn is_minus_one(&self, id: ValueId) -> bool {
        match self.list.as_constant(id) {
            Some(number) => number.as_float() == -1.0,
            None => {
                let number = || self.number(Constant::Float(-1.0), Position::Operand).into_stream().to_string();
                matches!(self.list.statement(id), Statement::Input(_))
                    && self.operands[id.index()].clone().into_stream().to_string() == number()
            }
        }
    }

    fn number(&self, constant: Constant, position: Position) -> Writer {
        number::constant(self.written.scalar, constant, position)
    }

    fn arguments(&self, args: &[ValueId]) -> Writer {
        self.separated(args).within(Delimiter::Parenthesis)
    }

    /// Values with commas between them.
    fn separated(&self, ids: &[ValueId]) -> Writer {
        Writer::list(ids.iter().map(|id| self.alone(*id)))
    }

    /// A value by itself: a number without the parentheses that it would need as an operand.
    fn alone(&self, id: ValueId) -> Writer {
        match self.list.as_constant(id) {
            Some(constant) => self.number(constant, Position::Alone),
            None => self.operands[id.index()].clone(),
        }
    }
}

/// By value: the position of the last statement in which it is written, or what is after all of them if it is an
/// output. What an operand reads is written where the operand is.
fn last_uses(list: &CodeList, code: &Code, fused: Option<&Fused<'_>>) -> Vec<usize> {
    let is_operand = |block: ValueId| matches!(code.at(list.block_of(block).origin), Written::Operand(_));
    let mut last = vec![0; list.statements().len()];
    for output in list.outputs() {
        last[output.index()] = usize::MAX;
    }
    for id in list.ids().rev() {
        let place = match *list.statement(id) {
            Statement::Part { .. } => last[id.index()],
            Statement::Block(_) if is_operand(id) => last[id.index()].max(id.index()),
            _ => id.index(),
        };
        // What a loop carries unchanged is not copied.
        if let Statement::Part { block, index } = *list.statement(id)
            && let Some(arg) = carried_unchanged(list.block_of(block), index as usize)
        {
            last[arg.index()] = last[arg.index()].max(place);
        }
        let sum = fused.and_then(|fused| fused.fusion.sum(id));
        for arg in list.args(id).chain(sum.into_iter().flat_map(FusedSum::args)) {
            last[arg.index()] = last[arg.index()].max(place);
        }
    }
    last
}

/// What a result of a block is, if that is a loop which carries it and never changes it.
fn carried_unchanged(block: &Block, index: usize) -> Option<ValueId> {
    let Body::Loop { body, carried, .. } = &block.body else { return None };
    let own = block.args.len() - carried + index;
    (body.outputs().get(index) == body.inputs().get(own)).then(|| block.args.get(own).copied())?
}

/// By value: its number, which counts the values that are numbers, branches and calls.
fn numbers(list: &CodeList) -> Vec<usize> {
    let is_counted = |id: ValueId| match list.statement(id) {
        Statement::Block(_) => !list.block_of(id).is_opaque(),
        _ => list.kind(id) != Kind::Opaque,
    };
    let mut numbers = Vec::with_capacity(list.statements().len());
    let mut next = 0;
    for id in list.ids() {
        numbers.push(next);
        next += usize::from(is_counted(id));
    }
    numbers
}

/// By block: its results as far as they are used.
fn live_parts(list: &CodeList) -> HashMap<ValueId, Vec<Option<ValueId>>> {
    let mut live = HashMap::new();
    for id in list.ids() {
        if let Statement::Part { block, index } = *list.statement(id) {
            let parts: &mut Vec<_> = live.entry(block).or_default();
            let index = index as usize;
            parts.resize(parts.len().max(index + 1), None);
            parts[index] = Some(id);
        }
    }
    live
}
