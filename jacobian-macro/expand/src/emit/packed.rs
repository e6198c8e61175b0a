//! Emission of packs: statements that are computed as one, `let dy = scaled_add(p, &da, &db);`, by functions over
//! arrays that come before the statements. These are not inlined: rustc makes packed instructions of their loops, which
//! it does not find among thousands of statements, and the code is shorter by as much. The arrays are aligned to the
//! lines of the cache: wide registers are loaded and stored twice as fast.
//!
//! To add an operation is to add a row to [`NAMES`].

use jacobian_core::catalogue::{Intrinsic, Spelling, known};
use jacobian_core::code_list::{CodeList, ValueId};
use jacobian_core::pack::{Operand, Pack};
use jacobian_lower::names::Names;
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Token;

use super::writer::Writer;
use super::{Chunk, Emitter};

/// The packed operations, and what the functions are called that compute them.
const NAMES: &[(Intrinsic, &str)] =
    &[(known::ADD, "add"), (known::SUB, "sub"), (known::MUL, "mul"), (known::NEG, "neg")];

/// The packs of a code list, as far as they have been written.
#[derive(Default)]
pub struct Packs<'a> {
    packs: &'a [Pack],
    /// How many have been written, and the variables of these; none of what is written in another.
    written: usize,
    variables: Vec<Option<Ident>>,
    /// The functions that packed statements call, in the order of what they compute.
    helpers: Vec<(Shape, Ident)>,
    constness: Option<Token![const]>,
    /// The type of aligned arrays, if there are packs.
    lanes: Option<Ident>,
}

/// A lane of a pack.
pub struct Lane<'a> {
    pack: &'a Pack,
    index: usize,
}

/// What the function computes that a packed statement calls, lane by lane.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// A value that all lanes share.
    Factor,
    /// The lane of an operand.
    Lane,
    Apply(Intrinsic, Vec<Shape>),
}

/// What a packed statement reads, in the order of the parameters of its function.
enum Argument<'a> {
    Factor(ValueId),
    Lanes(&'a Operand),
}

impl<'a> Packs<'a> {
    /// Packs that are still to be written, in a function that may be `const`.
    pub fn new(packs: &'a [Pack], constness: Option<Token![const]>, names: &mut Names) -> Self {
        let lanes = (!packs.is_empty()).then(|| names.fresh("Lanes"));
        Packs { packs, constness, lanes, ..Packs::default() }
    }

    /// Notes where values are used last: what is written in another pack reads them where that is.
    pub fn note_uses(&self, last_uses: &mut [usize]) {
        let mut places: Vec<_> = self.packs.iter().map(|pack| pack.first.index()).collect();
        for (number, pack) in self.packs.iter().enumerate().rev() {
            let place = places[number];
            let mut note = |value: ValueId| last_uses[value.index()] = last_uses[value.index()].max(place);
            for operand in &pack.operands {
                match operand {
                    Operand::Pack(inner) if self.packs[*inner].is_inner => places[*inner] = place,
                    Operand::Pack(other) => self.packs[*other].lanes().for_each(&mut note),
                    Operand::Same(value) => note(*value),
                    Operand::Values(values) => values.iter().copied().for_each(&mut note),
                }
            }
        }
    }

    /// The lane that a value is, if it is one. The values are asked for in order.
    pub fn lane(&mut self, id: ValueId) -> Option<Lane<'a>> {
        let pack = self.packs.get(self.written)?;
        let index = id.index().checked_sub(pack.first.index())?;
        self.written += usize::from(index + 1 == pack.width);
        Some(Lane { pack, index })
    }

    /// Whether nothing is packed.
    pub fn are_none(&self) -> bool {
        self.packs.is_empty()
    }

    /// The array that holds exactly these values in order.
    pub fn whole(&self, ids: &[ValueId]) -> Option<TokenStream> {
        let number = self.packs.binary_search_by_key(ids.first()?, |pack| pack.first).ok()?;
        let is_whole = self.packs[number].lanes().eq(ids.iter().copied());
        self.variables[number].as_ref().filter(|_| is_whole).map(|variable| quote!(#variable.0))
    }

    /// What a pack computes, with the packs that are written in it, of the arguments that are appended.
    fn shape(&self, pack: &'a Pack, arguments: &mut Vec<Argument<'a>>) -> Shape {
        // Factors come first.
        let is_factor = |operand: &&Operand| pack.operation == known::MUL && matches!(operand, Operand::Same(_));
        let (mut operands, others): (Vec<_>, Vec<_>) = pack.operands.iter().partition(is_factor);
        operands.extend(others);
        let has_lanes = operands.iter().any(|operand| !matches!(operand, Operand::Same(_)));
        let mut shapes = Vec::with_capacity(operands.len());
        for (place, operand) in operands.into_iter().enumerate() {
            let (shape, argument) = match operand {
                Operand::Pack(inner) if self.packs[*inner].is_inner => {
                    shapes.push(self.shape(&self.packs[*inner], arguments));
                    continue;
                }
                Operand::Same(value) if has_lanes || place > 0 => (Shape::Factor, Argument::Factor(*value)),
                operand => (Shape::Lane, Argument::Lanes(operand)),
            };
            shapes.push(shape);
            arguments.push(argument);
        }
        Shape::Apply(pack.operation, shapes)
    }

    /// The function that computes this.
    fn helper(&mut self, shape: Shape, names: &mut Names) -> Ident {
        match self.helpers.binary_search_by(|(known, _)| known.cmp(&shape)) {
            Ok(known) => self.helpers[known].1.clone(),
            Err(place) => {
                let name = names.fresh(&shape.name());
                self.helpers.insert(place, (shape, name.clone()));
                name
            }
        }
    }
}

impl Emitter<'_> {
    /// Writes the statement of a pack where its first lane is, and returns how the lane is written where it is used.
    pub(super) fn lane(&mut self, chunk: &mut Chunk, lane: Lane<'_>, names: &mut Names) -> Writer {
        let Lane { pack, index } = lane;
        if index == 0 {
            let variable = (!pack.is_inner).then(|| self.packed(chunk, pack, names));
            self.packs.variables.push(variable);
        }
        let mut out = Writer::default();
        if let Some(Some(variable)) = self.packs.variables.last() {
            let index = Literal::usize_unsuffixed(index);
            out.stream(quote!(#variable.0[#index]));
        }
        out
    }

    /// Writes the statement of a pack, and returns its variable.
    fn packed(&mut self, chunk: &mut Chunk, pack: &Pack, names: &mut Names) -> Ident {
        let variable = match wish(self.list, pack) {
            Some(wish) => names.like(&wish),
            None => names.numbered(self.numbers[pack.first.index()]),
        };
        let mut arguments = Vec::new();
        let shape = self.packs.shape(pack, &mut arguments);
        let function = self.packs.helper(shape, names);
        let arguments = Writer::list(arguments.iter().map(|argument| self.lane_argument(argument, pack.width)));
        let statement = chunk.statements.word("let").token(variable.clone()).punct("=").token(function);
        statement.append(arguments.within(Delimiter::Parenthesis)).punct(";");
        let last_use = pack.lanes().map(|lane| self.last_uses[lane.index()]).max().unwrap_or_default();
        chunk.declared.push((last_use, variable.clone()));
        variable
    }

    /// An argument of a packed statement; of lanes, a reference to the variable that holds them, or to an array.
    fn lane_argument(&self, argument: &Argument<'_>, width: usize) -> Writer {
        let elements = match argument {
            Argument::Factor(value) => return self.alone(*value),
            Argument::Lanes(Operand::Pack(pack)) => {
                let variable = &self.packs.variables[*pack];
                return Writer::from(quote!(&#variable));
            }
            Argument::Lanes(Operand::Values(values)) => self.separated(values).into_stream(),
            Argument::Lanes(Operand::Same(value)) => {
                let (value, width) = (self.alone(*value).into_stream(), Literal::usize_unsuffixed(width));
                quote!(#value; #width)
            }
        };
        let lanes = &self.packs.lanes;
        Writer::from(quote!(&#lanes([#elements])))
    }

    /// The type of the arrays, and the functions that the packed statements call.
    pub(super) fn helpers(&self) -> TokenStream {
        let Some(lanes) = &self.packs.lanes else { return TokenStream::new() };
        let (float, constness) = (self.written.scalar.ty(), &self.packs.constness);
        let helpers = self.packs.helpers.iter().map(|(shape, name)| {
            let mut parameters = Parameters::default();
            let formula = shape.formula(&mut parameters).into_stream();
            let parameters = parameters.list(&float, lanes);
            quote_spanned! {Span::mixed_site()=>
                #[inline(never)]
                #constness fn #name<const N: usize>(#parameters) -> #lanes<N> {
                    let mut result = [0.0; N];
                    let mut lane = 0;
                    while lane < N {
                        result[lane] = #formula;
                        lane += 1;
                    }
                    #lanes(result)
                }
            }
        });
        quote_spanned! {Span::mixed_site()=>
            #[repr(align(64))]
            #[derive(::core::clone::Clone, ::core::marker::Copy)]
            struct #lanes<const N: usize>([#float; N]);
            #(#helpers)*
        }
    }
}

impl Shape {
    /// For instance `scaled_add`, of a product with a factor and a lane.
    fn name(&self) -> String {
        let Shape::Apply(operation, operands) = self else { return String::new() };
        let name = NAMES.iter().find(|(known, _)| known == operation).map_or("", |(_, name)| name);
        let mut parts = match operands.as_slice() {
            [Shape::Factor, factor] if *operation == known::MUL => vec![factor.name(), "scaled".to_string()],
            [left, right] => vec![left.name(), name.to_string(), right.name()],
            operands => operands.iter().map(Shape::name).chain([name.to_string()]).collect(),
        };
        parts.retain(|part| !part.is_empty());
        parts.join("_")
    }

    /// What a lane is, for instance `p1 * x1.0[lane] + x2.0[lane]`.
    fn formula(&self, parameters: &mut Parameters) -> Writer {
        let Shape::Apply(operation, operands) = self else {
            let is_array = matches!(self, Shape::Lane);
            let (name, lane) =
                (parameters.next(is_array), is_array.then(|| quote_spanned!(Span::mixed_site()=> .0[lane])));
            return Writer::from(quote!(#name #lane));
        };
        let mut out = Writer::default();
        for (place, operand) in operands.iter().enumerate() {
            match operation.row().spelling {
                Spelling::Infix(_) if place == 0 => {}
                Spelling::Infix(symbol) | Spelling::Prefix(symbol) => drop(out.punct(symbol)),
                _ => {}
            }
            let written = operand.formula(parameters);
            out.append(match operand.is_in_parentheses(*operation, place) {
                true => written.within(Delimiter::Parenthesis),
                false => written,
            });
        }
        out
    }

    /// Whether it is written in parentheses as this operand of an operation.
    fn is_in_parentheses(&self, operation: Intrinsic, place: usize) -> bool {
        let is_sum = |operation: Intrinsic| [known::ADD, known::SUB].contains(&operation);
        match self {
            Shape::Factor | Shape::Lane => false,
            Shape::Apply(own, _) => !is_sum(operation) || *own != known::MUL && !(place == 0 && is_sum(*own)),
        }
    }
}

/// The parameters of a function, as far as they have been used: factors are `p1`, `p2`, ..., arrays `x1`, `x2`, ...
/// Each with whether it is an array.
#[derive(Default)]
struct Parameters(Vec<(Ident, bool)>);

impl Parameters {
    fn next(&mut self, is_array: bool) -> Ident {
        let number = 1 + self.0.iter().filter(|(_, other)| *other == is_array).count();
        let name = format_ident!("{}{number}", if is_array { "x" } else { "p" }, span = Span::mixed_site());
        self.0.push((name.clone(), is_array));
        name
    }

    fn list(&self, float: &TokenStream, lanes: &Ident) -> TokenStream {
        let parameters = self.0.iter().map(|(name, is_array)| match is_array {
            true => quote!(#name: &#lanes<N>),
            false => quote!(#name: #float),
        });
        quote!(#(#parameters),*)
    }
}

/// A name for a pack whose lanes are called `dy_dx`: after what they have in common.
fn wish(list: &CodeList, pack: &Pack) -> Option<String> {
    let ends = |id: ValueId| list.name(id)?.rsplit_once("_d");
    let (target, source) = ends(pack.first)?;
    let all = |is_common: &dyn Fn((&str, &str)) -> bool| pack.lanes().all(|id| ends(id).is_some_and(is_common));
    if all(&|(other, _)| other == target) {
        return Some(target.to_string());
    }
    all(&|(_, other)| other == source).then(|| format!("d_d{source}"))
}
