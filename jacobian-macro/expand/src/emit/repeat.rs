//! Emission of loops that are not unrolled.

use jacobian_core::block::Body;
use jacobian_core::code_list::{Constant, Kind, ValueId};
use jacobian_lower::LoopHead;
use jacobian_lower::names::Names;
use proc_macro2::{Delimiter, Ident, Span};
use quote::{quote, quote_spanned};

use super::packed::Packs;
use super::writer::Writer;
use super::{Chunk, Emitter};

impl Emitter<'_> {
    /// Writes a loop: a variable for each value that it carries, and the iterations, which assign them.
    pub(super) fn repetition(
        &mut self,
        out: &mut Chunk,
        id: ValueId,
        head: &LoopHead,
        live: &[(u32, ValueId)],
        names: &mut Names,
    ) {
        let block = self.list.block_of(id);
        let Body::Loop { iterations, body, carried } = &block.body else { return };
        self.separate(out, &block.args, names);
        let mut of_loop = self.begin_loop(out, id, names);
        let (read, first) = block.args.split_at(block.args.len() - carried);
        let mut inputs: Vec<_> = read.iter().map(|arg| self.operands[arg.index()].clone()).collect();
        let (own, uses) = (&body.inputs()[read.len()..], body.uses());
        let mut assigned: Vec<(Ident, ValueId)> = Vec::new();
        let mut carriers = Chunk::default();
        for (index, ((&arg, &input), &output)) in first.iter().zip(own).zip(body.outputs()).enumerate() {
            let part = live.iter().find(|(part, _)| *part as usize == index).map(|(_, part)| *part);
            if input == output {
                let value = self.alone(arg);
                match part {
                    Some(part) if self.is_element(arg) => self.bind(&mut carriers, part, value.clone(), names),
                    Some(part) => self.operands[part.index()] = value.clone(),
                    None => {}
                }
                inputs.push(value);
                continue;
            }
            if let Some(element) = self.carried_element(&of_loop, input) {
                inputs.push(element);
                continue;
            }
            let own_name = part.and_then(|part| self.list.name(part)).or(body.name(input));
            let name = names.like(own_name.unwrap_or("carried"));
            // What each iteration assigns before it reads it needs no first value, if there is an iteration.
            let is_read = uses[input.index()] > 0 || !matches!(head, LoopHead::Endless);
            self.declare_carried(&mut carriers.statements, &name, arg, is_read);
            inputs.push(name.clone().into());
            if let Some(part) = part {
                carriers.declared.push((self.last_uses[part.index()], name.clone()));
                self.operands[part.index()] = name.clone().into();
            }
            assigned.push((name, output));
        }
        let fused = self.fused.as_ref().map(|fused| fused.inner(self.list.block_id(id), 0));
        let emitter = Emitter::new(self.written, body, fused, Packs::default(), inputs);
        let mut emitter = emitter.entering(self.entry_of_body(block, body, &of_loop));
        let mut statements = emitter.statements(names).tokens;
        emitter.end_iteration(&mut statements, &of_loop, names);
        emitter.assign(&mut statements, &assigned, own);
        if block.ends_by_body() {
            emitter.end_of_iteration(&mut statements, body.outputs()[*carried]);
        }
        of_loop.write(&mut out.statements, &statements);
        out.statements.append(carriers.statements);
        out.declared.append(&mut carriers.declared);
        let mut before = Writer::default();
        match head {
            LoopHead::For { pattern, items } => {
                out.statements.word("for").stream(pattern.clone()).word("in").stream(items.clone());
            }
            LoopHead::While(condition) => {
                out.statements.word("while").stream(condition.clone());
            }
            LoopHead::Endless => {
                out.statements.word("loop");
            }
            LoopHead::Counted => {
                // `for` is not const.
                let left = names.like("left");
                self.declare_count(&mut out.statements, &left, iterations.map(|count| self.alone(count)));
                out.statements.word("while").token(left.clone()).stream(quote!(> 0));
                before.token(left).stream(quote!(-= 1;));
            }
        }
        before.append(statements);
        let statements = before;
        out.statements.append(statements.within(Delimiter::Brace));
        self.end_loop(out, id, &of_loop, live);
    }

    /// Writes `let mut s: f64 = 0.0;`.
    fn declare_carried(&self, out: &mut Writer, name: &Ident, first: ValueId, is_read: bool) {
        if self.list.kind(first) == Kind::Opaque {
            return self.declare_count(out, name, is_read.then(|| self.alone(first)));
        }
        out.word("let").word("mut").token(name.clone()).punct(":").stream(self.type_of(self.list.kind(first)));
        if is_read {
            out.punct("=").append(self.alone(first));
        }
        out.punct(";");
    }

    /// Writes `let mut iterations: u64 = 0;`.
    fn declare_count(&self, out: &mut Writer, name: &Ident, first: Option<Writer>) {
        let ty = quote_spanned!(Span::mixed_site()=> ::core::primitive::u64);
        out.word("let").word("mut").token(name.clone()).punct(":").stream(ty);
        if let Some(first) = first {
            out.punct("=").append(first);
        }
        out.punct(";");
    }

    /// Writes `let iterations = iterations + 1;`.
    pub(super) fn next(&mut self, out: &mut Chunk, id: ValueId, live: &[(u32, ValueId)], names: &mut Names) {
        let name = names.like("iterations");
        let value = self.alone(self.list.block_of(id).args[0]);
        out.statements.word("let").token(name.clone()).punct("=").append(value).stream(quote!(+ 1;));
        for (_, part) in live {
            out.declared.push((self.last_uses[part.index()], name.clone()));
            self.operands[part.index()] = name.clone().into();
        }
    }

    /// Assigns what is carried: at once, where one of the values is what another one was.
    fn assign(&self, out: &mut Writer, assigned: &[(Ident, ValueId)], own: &[ValueId]) {
        let values: Vec<_> = assigned.iter().map(|(_, output)| self.alone(*output)).collect();
        let is_plain = |(output, value): (ValueId, &Writer)| {
            let is_number = self.list.as_constant(output).is_some();
            is_number || value.len() == 1 && !own.contains(&output)
        };
        let are_plain = assigned.iter().map(|(_, output)| *output).zip(&values).all(is_plain);
        if assigned.len() == 1 || are_plain {
            for ((name, _), value) in assigned.iter().zip(values) {
                out.token(name.clone()).punct("=").append(value).punct(";");
            }
            return;
        }
        let names = Writer::list(assigned.iter().map(|(name, _)| name.clone().into()));
        out.append(names.within(Delimiter::Parenthesis)).punct("=");
        out.append(Writer::list(values).within(Delimiter::Parenthesis)).punct(";");
    }

    /// Leaves the loop unless another iteration follows.
    fn end_of_iteration(&self, out: &mut Writer, goes_on: ValueId) {
        let mut leave = Writer::default();
        leave.word("break").punct(";");
        match self.list.as_constant(goes_on) {
            Some(Constant::Bool(true)) => {}
            Some(_) => drop(out.append(leave)),
            None => {
                out.word("if").punct("!").append(self.condition(goes_on)).append(leave.within(Delimiter::Brace));
            }
        }
    }
}
