//! Emission of branches.

use jacobian_core::code_list::{Constant, Kind, ValueId};
use jacobian_lower::names::Names;
use jacobian_lower::{ArmCode, Branch, Head};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::arrays::arms::OpenArm;
use super::arrays::chosen::{Selection, usual};
use super::packed::Packs;
use super::writer::Writer;
use super::{Chunk, Emitter};

impl<'a> Emitter<'a> {
    /// Writes a branch with the parts that are used.
    pub(super) fn branch(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        code: &Branch,
        live: Vec<(u32, ValueId)>,
        names: &mut Names,
    ) {
        // Numbers come first.
        let is_number = |(_, part): &(u32, ValueId)| self.list.kind(*part) != Kind::Opaque;
        let (mut live, opaque): (Vec<_>, Vec<_>) = live.into_iter().partition(is_number);
        live.extend(opaque);
        let Some(selection) = Selection::at(self.list, id, self.written.code) else {
            return self.whole_branch(out, id, code, live, names);
        };
        let mut chosen = self.read_chosen(out, id, &selection, live, names);
        if !chosen.left.is_empty() {
            self.whole_branch(out, id, code, std::mem::take(&mut chosen.left), names);
        }
        self.write_chosen(out, id, chosen, names);
    }

    /// Writes a branch with these parts.
    fn whole_branch(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        code: &Branch,
        mut live: Vec<(u32, ValueId)>,
        names: &mut Names,
    ) {
        let head = if self.is_plain(id, code, &live) { &Head::If } else { &code.head };
        if let Some(replaced) = self.replaced(id, &code.arms, &live) {
            return self.replacement(out, id, (head, code), &live, &replaced, names);
        }
        let (arms, elements) = self.arms(out, id, &code.arms, &live, names);
        live.retain(|(_, part)| !elements.contains(part));
        let is_expression = arms.iter().all(|arm| arm.statements.len() == 0);
        let mut branch = Writer::default();
        self.write(&mut branch, id, head, arms);
        if let (Head::And | Head::Or, &[(_, part)]) = (head, live.as_slice())
            && is_expression
            && self.is_inline(part)
            && !self.reads_elements(id)
        {
            self.operands[part.index()] = branch;
            return;
        }
        let variables: Vec<_> = live.iter().map(|&(_, part)| self.variable_of_part(part, code, names)).collect();
        self.declare(&mut out.statements, &live, &variables);
        let has_results = !live.is_empty();
        for ((_, part), variable) in live.into_iter().zip(variables) {
            out.declared.push((self.last_uses[part.index()], variable.clone()));
            self.operands[part.index()] = variable.into();
        }
        out.statements.append(branch);
        if has_results {
            out.statements.punct(";");
        }
    }

    /// By result of a branch that computes nothing: what most arms give. None, if no result is the same in most arms, as
    /// where one of several elements is read, and not replaced.
    fn replaced(&self, id: ValueId, arms: &[ArmCode], live: &[(u32, ValueId)]) -> Option<Vec<Replaced>> {
        let is_opaque = |&(_, part): &(u32, ValueId)| self.list.kind(part) == Kind::Opaque;
        let block = self.list.block_of(id);
        if block.lists().len() < 3
            || live.is_empty()
            || live.iter().any(is_opaque)
            || arms.iter().any(|arm| arm.diverges)
        {
            return None;
        }
        let mut choices = block.choices()?;
        let replaced = |&(part, _): &(u32, ValueId)| {
            let by_arm = std::mem::take(&mut choices[part as usize]);
            let (usual, others) = usual(&by_arm);
            match 2 * others.len() < by_arm.len() {
                true => Replaced { usual: Some(usual), others },
                false => Replaced { usual: None, others: (0..by_arm.len()).collect() },
            }
        };
        let replaced: Vec<_> = live.iter().map(replaced).collect();
        replaced.iter().any(|result| result.usual.is_some()).then_some(replaced)
    }

    /// Writes a branch whose arms replace some of these values: variables that have the usual ones, and the arms, which
    /// assign others. So it is as long as what is replaced, and the compiler sees that all else stays where it is.
    fn replacement(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        (head, code): (&Head, &Branch),
        live: &[(u32, ValueId)],
        replaced: &[Replaced],
        names: &mut Names,
    ) {
        let block = self.list.block_of(id);
        let inputs: Vec<_> = block.args.iter().map(|arg| self.operands[arg.index()].clone()).collect();
        let mut emitters = Vec::with_capacity(block.lists().len());
        for list in block.lists() {
            let mut emitter = Emitter::new(self.written, list, None, Packs::default(), inputs.clone());
            // There are none, but the operands are known after them.
            emitter.statements(names);
            emitters.push(emitter);
        }
        let value = |arm: usize, part: u32| emitters[arm].alone(block.lists()[arm].outputs()[part as usize]);
        let variables: Vec<_> = live.iter().map(|&(_, part)| self.name(part, names)).collect();
        let mut statements = Writer::default();
        let mut assigned = vec![Writer::default(); emitters.len()];
        for ((&(part, id), Replaced { usual, others }), variable) in live.iter().zip(replaced).zip(&variables) {
            let ty = self.type_of(self.list.kind(id));
            match usual {
                Some(arm) => {
                    statements.word("let");
                    if !others.is_empty() {
                        statements.word("mut");
                    }
                    statements.token(variable.clone()).punct(":").stream(ty);
                    statements.punct("=").append(value(*arm, part)).punct(";");
                }
                None => drop(statements.word("let").token(variable.clone()).punct(":").stream(ty).punct(";")),
            }
            for &arm in others {
                assigned[arm].token(variable.clone()).punct("=").append(value(arm, part)).punct(";");
            }
        }
        let last = emitters.len() - 1;
        let written = |(number, statements)| {
            let pattern = code.arms.get(number).map_or_else(|| number_pattern(number, last), |arm| arm.pattern.clone());
            WrittenArm { pattern, statements, value: Writer::default() }
        };
        let arms = assigned.into_iter().enumerate().map(written).collect();
        self.write(&mut statements, id, head, arms);
        for (&(_, part), variable) in live.iter().zip(variables) {
            out.declared.push((self.last_uses[part.index()], variable.clone()));
            self.operands[part.index()] = variable.into();
        }
        out.statements.append(statements);
    }

    /// The variable for a result: it is there already for what is no number of the list, and else a new one.
    fn variable_of_part(&self, part: ValueId, code: &Branch, names: &mut Names) -> Ident {
        let name = self.list.name(part).filter(|_| self.list.kind(part) == Kind::Opaque);
        let known = name.and_then(|name| code.variables.iter().find(|variable| *variable == name));
        known.cloned().unwrap_or_else(|| self.name(part, names))
    }

    /// Whether a lazy operator is written as an `if`: where it gives something else than its truth value, or nothing.
    fn is_plain(&self, id: ValueId, code: &Branch, live: &[(u32, ValueId)]) -> bool {
        let (decided, value) = match code.head {
            Head::And => (1, false),
            Head::Or => (0, true),
            _ => return false,
        };
        let arm = &self.list.block_of(id).lists()[decided];
        let is_value = |index: u32| matches!(arm.as_constant(arm.outputs()[index as usize]), Some(Constant::Bool(own)) if own == value);
        !matches!(live, &[(index, _)] if is_value(index))
    }

    /// Writes `let (a, b): (f64, _) =`.
    fn declare(&self, out: &mut Writer, live: &[(u32, ValueId)], names: &[Ident]) {
        let types: Vec<_> = live.iter().map(|&(_, part)| self.type_of(self.list.kind(part))).collect();
        match (names, types.as_slice()) {
            ([], _) => {}
            ([name], [ty]) => {
                out.stream(quote_spanned!(Span::mixed_site()=> let #name: #ty =));
            }
            _ => {
                out.stream(quote_spanned!(Span::mixed_site()=> let (#(#names),*): (#(#types),*) =));
            }
        }
    }

    /// The type of a value, as far as it is known.
    pub(super) fn type_of(&self, kind: Kind) -> TokenStream {
        match kind {
            Kind::Float => self.written.scalar.ty(),
            Kind::Int => quote_spanned!(Span::mixed_site()=> ::core::primitive::i32),
            Kind::Bool => quote_spanned!(Span::mixed_site()=> ::core::primitive::bool),
            Kind::Opaque => quote!(_),
        }
    }

    /// The arms, each with what is in its block; and the results that are elements of arrays after it.
    fn arms(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        arms: &[ArmCode],
        live: &[(u32, ValueId)],
        names: &mut Names,
    ) -> (Vec<WrittenArm>, Vec<ValueId>) {
        let block = self.list.block_of(id);
        self.separate(out, &block.args, names);
        let inputs: Vec<_> = block.args.iter().map(|arg| self.operands[arg.index()].clone()).collect();
        let mut open = Vec::with_capacity(block.lists().len());
        for (number, list) in block.lists().iter().enumerate() {
            let fused = self.fused.as_ref().map(|fused| fused.inner(self.list.block_id(id), number));
            let emitter = Emitter::new(self.written, list, fused, Packs::default(), inputs.clone());
            let diverges = arms.get(number).is_some_and(|arm| arm.diverges);
            open.push(OpenArm::new(emitter.entering(self.entry_of_arm(block, list)), diverges, names));
        }
        let elements = self.end_arms(out, id, &mut open, live, names);
        let last = open.len() - 1;
        let write = |(number, arm): (usize, OpenArm<'_>)| {
            let live = live.iter().filter(|(_, part)| !arm.diverges && !elements.contains(part));
            let outputs = live.map(|&(index, _)| arm.emitter.alone(arm.emitter.list.outputs()[index as usize]));
            WrittenArm {
                pattern: arms.get(number).map_or_else(|| number_pattern(number, last), |arm| arm.pattern.clone()),
                value: tuple(outputs.collect()),
                statements: arm.statements,
            }
        };
        (open.into_iter().enumerate().map(write).collect(), elements)
    }

    /// Writes the head and the arms.
    fn write(&self, out: &mut Writer, id: ValueId, head: &Head, arms: Vec<WrittenArm>) {
        let selector = self.list.block_of(id).decider().expect("a branch has a selector");
        let is_number = matches!(head, Head::Number) && self.list.kind(selector) != Kind::Bool;
        let mut arms = arms.into_iter();
        let mut next = || arms.next().unwrap_or_default();
        match head {
            Head::Number if is_number => {
                out.word("match").all(&self.operands[selector.index()]);
                match_arms(out, arms);
            }
            Head::If | Head::Number => {
                out.word("if").all(&self.operands[selector.index()]);
                if_arms(out, next().block(), next().block());
            }
            Head::IfLet(condition) => {
                out.stream(quote_spanned!(Span::mixed_site()=> if #condition));
                if_arms(out, next().block(), next().block());
            }
            Head::And => next().write_lazy(out.all(&self.condition(selector)).punct("&&")),
            Head::Or => {
                next();
                next().write_lazy(out.all(&self.condition(selector)).punct("||"));
            }
            Head::Match(scrutinee) | Head::Index(scrutinee) => {
                out.stream(quote_spanned!(Span::mixed_site()=> match #scrutinee));
                match_arms(out, arms);
            }
        }
    }
}

/// A result of a branch that computes nothing.
struct Replaced {
    /// An arm that gives what most arms give, if there is such a value.
    usual: Option<usize>,
    /// The arms that give something else.
    others: Vec<usize>,
}

/// An arm as it is written.
#[derive(Default)]
struct WrittenArm {
    pattern: TokenStream,
    statements: Writer,
    value: Writer,
}

impl WrittenArm {
    /// What is between the braces.
    fn block(self) -> Writer {
        let mut block = self.statements;
        block.append(self.value);
        block
    }

    /// Writes the arm as the right-hand side of a lazy operator.
    fn write_lazy(self, out: &mut Writer) {
        match (self.statements.len(), self.value.len()) {
            (0, 1) => out.append(self.value),
            (0, _) => out.append(self.value.within(Delimiter::Parenthesis)),
            _ => out.append(self.block().within(Delimiter::Brace)),
        };
    }
}

/// Values as the value of a block: nothing, one, or a tuple.
fn tuple(mut values: Vec<Writer>) -> Writer {
    if values.len() < 2 {
        return values.pop().unwrap_or_default();
    }
    let mut out = Writer::default();
    for value in values {
        out.append(value).punct(",");
    }
    out.within(Delimiter::Parenthesis)
}

/// The pattern for the number of an arm, of which the last one is for all other numbers.
fn number_pattern(number: usize, last: usize) -> TokenStream {
    if number == last {
        return quote!(_);
    }
    Literal::usize_unsuffixed(number).into_token_stream()
}

fn match_arms(out: &mut Writer, arms: impl Iterator<Item = WrittenArm>) {
    let mut inner = Writer::default();
    for arm in arms {
        inner.stream(arm.pattern.clone()).punct("=>").append(arm.block().within(Delimiter::Brace));
    }
    out.append(inner.within(Delimiter::Brace));
}

fn if_arms(out: &mut Writer, then: Writer, otherwise: Writer) {
    out.append(then.within(Delimiter::Brace));
    if otherwise.len() > 0 {
        out.word("else").append(otherwise.within(Delimiter::Brace));
    }
}
