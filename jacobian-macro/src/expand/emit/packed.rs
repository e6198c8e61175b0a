//! Emission of packs: statements that are computed as one, `let dy = scaled_add(p, &da, &db);`, by functions over arrays
//! that stand in front of the statements. These are not inlined: rustc makes packed instructions of their loops, which it
//! does not find among thousands of statements, and the code is shorter by as much.
//!
//! To add an operation is to add a row to [`NAMES`].

use std::collections::BTreeMap;

use jacobian_core::catalogue::{Intrinsic, Spelling, known};
use jacobian_core::code_list::{CodeList, ValueId};
use jacobian_core::pack::{Operand, Pack};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Token;

use super::super::flatten::Names;
use super::super::writer::Writer;
use super::{Block, Emitter};

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
    helpers: BTreeMap<Helper, Ident>,
    constness: Option<Token![const]>,
}

/// A lane of a pack.
pub struct Lane<'a> {
    pack: &'a Pack,
    index: usize,
}

/// A function that computes packs: a product with a factor, or an operation on terms, each of which may have a factor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Helper {
    operation: Intrinsic,
    /// By term: whether it has a factor.
    terms: Vec<bool>,
}

/// A term of a packed statement: the lanes of an operand, with a factor or without.
struct Term<'a> {
    factor: Option<ValueId>,
    lanes: &'a Operand,
}

impl<'a> Packs<'a> {
    /// Packs that are still to be written, in a function that may be `const`.
    pub fn new(packs: &'a [Pack], constness: Option<Token![const]>) -> Self {
        Packs { packs, constness, ..Packs::default() }
    }

    /// The lane that a value is, if it is one. The values are asked for in order.
    pub fn lane(&mut self, id: ValueId) -> Option<Lane<'a>> {
        let pack = self.packs.get(self.written)?;
        let index = id.index().checked_sub(pack.first.index())?;
        self.written += usize::from(index + 1 == pack.width);
        Some(Lane { pack, index })
    }

    /// The variable that holds exactly these values in order.
    pub fn whole(&self, ids: &[ValueId]) -> Option<&Ident> {
        let number = self.packs.binary_search_by_key(ids.first()?, |pack| pack.first).ok()?;
        let is_whole = self.packs[number].lanes().eq(ids.iter().copied());
        self.variables[number].as_ref().filter(|_| is_whole)
    }

    /// The terms of a pack.
    fn terms(&self, pack: &'a Pack) -> Vec<Term<'a>> {
        if let Some(product) = scaled(pack) {
            return vec![product];
        }
        let term = |operand: &'a Operand| match operand {
            Operand::Pack(inner) if self.packs[*inner].is_inner => scaled(&self.packs[*inner]),
            _ => None,
        };
        let plain = |lanes| Term { factor: None, lanes };
        pack.operands.iter().map(|operand| term(operand).unwrap_or(plain(operand))).collect()
    }
}

/// A pack as a term, if it is a factor times the lanes of an operand.
fn scaled(pack: &Pack) -> Option<Term<'_>> {
    match pack.operands.as_slice() {
        [Operand::Same(_), Operand::Same(_)] => None,
        [Operand::Same(factor), lanes] | [lanes, Operand::Same(factor)] if pack.operation == known::MUL => {
            Some(Term { factor: Some(*factor), lanes })
        }
        _ => None,
    }
}

impl Emitter<'_> {
    /// Writes the statement of a pack where its first lane is, and returns how the lane is written where it is used.
    pub(super) fn lane(&mut self, block: &mut Block, lane: Lane<'_>, names: &mut Names) -> Writer {
        let Lane { pack, index } = lane;
        if index == 0 {
            let variable = (!pack.is_inner).then(|| self.packed(block, pack, names));
            self.packs.variables.push(variable);
        }
        let mut out = Writer::default();
        if let Some(Some(variable)) = self.packs.variables.last() {
            out.token(variable.clone()).group(Delimiter::Bracket, |inner| {
                inner.token(Literal::usize_unsuffixed(index));
            });
        }
        out
    }

    /// Writes the statement of a pack, and returns its variable.
    fn packed(&mut self, block: &mut Block, pack: &Pack, names: &mut Names) -> Ident {
        let variable = match wish(self.list, pack) {
            Some(wish) => names.like(&wish),
            None => names.numbered(pack.first.index()),
        };
        let terms = self.packs.terms(pack);
        let helper =
            Helper { operation: pack.operation, terms: terms.iter().map(|term| term.factor.is_some()).collect() };
        let function =
            self.packs.helpers.entry(helper).or_insert_with_key(|helper| names.fresh(&helper.name())).clone();
        let statement = block.statements.word("let").token(variable.clone()).punct("=").token(function);
        statement.group(Delimiter::Parenthesis, |inner| self.term_arguments(inner, &terms, pack.width)).punct(";");
        let last_use = pack.lanes().map(|lane| self.last_uses[lane.index()]).max().unwrap_or_default();
        block.declared.push((last_use, variable.clone()));
        variable
    }

    /// Writes the arguments of a call: the factor and the lanes of each term.
    fn term_arguments(&self, out: &mut Writer, terms: &[Term<'_>], width: usize) {
        for (place, term) in terms.iter().enumerate() {
            if place > 0 {
                out.punct(",");
            }
            if let Some(factor) = term.factor {
                self.separated(out, &[factor]);
                out.punct(",");
            }
            out.punct("&");
            self.lanes(out, term.lanes, width);
        }
    }

    /// Writes the lanes of an operand: the variable that holds them, or an array.
    fn lanes(&self, out: &mut Writer, lanes: &Operand, width: usize) {
        match lanes {
            Operand::Pack(pack) => {
                let variable = self.packs.variables[*pack].clone();
                out.append(variable.map(Writer::from).unwrap_or_default());
            }
            Operand::Values(values) => {
                out.group(Delimiter::Bracket, |inner| self.separated(inner, values));
            }
            Operand::Same(value) => {
                out.group(Delimiter::Bracket, |inner| {
                    self.separated(inner, &[*value]);
                    inner.punct(";").token(Literal::usize_unsuffixed(width));
                });
            }
        }
    }

    /// The functions that the packed statements call.
    pub(super) fn helpers(&self) -> TokenStream {
        let float = self.scalar.ty();
        let constness = &self.packs.constness;
        let helpers = self.packs.helpers.iter().map(|(helper, name)| {
            let (parameters, formula) = (helper.parameters(&float), helper.formula());
            quote_spanned! {Span::mixed_site()=>
                #[inline(never)]
                #constness fn #name<const N: usize>(#parameters) -> [#float; N] {
                    let mut result = [0.0; N];
                    let mut lane = 0;
                    while lane < N {
                        result[lane] = #formula;
                        lane += 1;
                    }
                    result
                }
            }
        });
        helpers.collect()
    }
}

impl Helper {
    /// For instance `scaled_add`.
    fn name(&self) -> String {
        let name = NAMES.iter().find(|(known, _)| *known == self.operation).map_or("", |(_, name)| name);
        match self.terms.as_slice() {
            [true] => "scaled".to_string(),
            [left, right] => [if *left { "scaled_" } else { "" }, name, if *right { "_scaled" } else { "" }].concat(),
            _ => name.to_string(),
        }
    }

    fn parameters(&self, float: &TokenStream) -> TokenStream {
        let parameters: Vec<_> = self
            .terms
            .iter()
            .zip(PARAMETERS)
            .map(|(has_factor, names)| {
                let [factor, lanes] = names.map(|name| Ident::new(name, Span::mixed_site()));
                let factor = has_factor.then(|| quote!(#factor: #float,));
                quote!(#factor #lanes: &[#float; N])
            })
            .collect();
        quote!(#(#parameters),*)
    }

    /// What a lane is, for instance `p * left[lane] + right[lane]`.
    fn formula(&self) -> TokenStream {
        let mut out = Writer::default();
        let spelling = self.operation.row().spelling;
        for (place, (has_factor, [factor, lanes])) in self.terms.iter().zip(PARAMETERS).enumerate() {
            match spelling {
                Spelling::Infix(symbol) if place > 0 => drop(out.punct(symbol)),
                Spelling::Prefix(symbol) => drop(out.punct(symbol)),
                _ => {}
            }
            if *has_factor {
                out.word(factor).punct("*");
            }
            out.word(lanes).group(Delimiter::Bracket, |inner| {
                inner.word("lane");
            });
        }
        out.into_stream()
    }
}

/// By term: the parameters for its factor and for its lanes.
const PARAMETERS: [[&str; 2]; 2] = [["p", "left"], ["q", "right"]];

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
