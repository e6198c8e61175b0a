//! Methods and functions of the catalogue.

use jacobian_list::catalogue::{CATALOGUE, Intrinsic, REFUSED, Refusal, Spelling};
use jacobian_list::code_list::{Constant, Kind, NotationId, Precision, ValueId};
use proc_macro2::Ident;

use super::super::super::diagnostics::{list, nearest};
use super::super::super::refuse;
use super::super::super::syntax::Expr;
use super::super::Lowering;
use super::super::control::{Flow, all};
use super::super::items::takes_items;
use super::super::numbers::Number;
use super::super::value::Value;
use super::Notation;

/// What to write instead of a method that is known, but has no derivative.
pub(super) fn advice(name: &str) -> Option<String> {
    if let Some((refusal, _)) = REFUSED.iter().find(|(_, names)| names.contains(&name)) {
        return Some(match refusal {
            Refusal::Stepping => refuse::neighbouring(name),
            Refusal::Leaving => refuse::leaving_floats(name),
            Refusal::Comparing => refuse::comparing(name),
        });
    }
    if takes_items(name) {
        return Some(refuse::of_unknown_items(name));
    }
    let row = Intrinsic::find(name)?.row();
    match (row.spelling, row.takes[0], row.gives) {
        (Spelling::Infix(_), Kind::Float, Kind::Bool) => Some(refuse::comparing(name)),
        (Spelling::Infix(_) | Spelling::Prefix(_), Kind::Float, _) => Some(refuse::operator(name)),
        (Spelling::Libm, ..) => Some(refuse::of_libm(name, row.libm.unwrap_or_default())),
        _ => None,
    }
}

impl Lowering<'_> {
    /// A method or function of floats with an active argument.
    pub(in super::super) fn intrinsic(
        &mut self,
        place: &Ident,
        name: &str,
        notation: NotationId,
        operands: &[(&Value, &Expr)],
    ) -> Flow {
        if name == "sin_cos" && operands.len() == 1 {
            let sin = self.intrinsic(place, "sin", notation, operands)?;
            let cos = self.intrinsic(place, "cos", notation, operands)?;
            return Ok(Value::Tuple(vec![sin, cos].into()));
        }
        let found = match self.program.notations[usize::from(notation.0)] {
            Notation::Libm(_) => self.libm_name(name).and_then(Intrinsic::find_libm),
            _ => Intrinsic::find(name).filter(|found| found.row().is_method()),
        };
        let Some(intrinsic) = found else {
            return self.refuse(place, self.unknown(name, notation));
        };
        if intrinsic.row().is_real {
            self.require_real(place)?;
        }
        let arity = intrinsic.row().arity();
        if operands.len() != arity {
            return self.refuse(place, refuse::operands(name, arity));
        }
        let mut ids = Vec::with_capacity(arity);
        for (index, operand) in operands.iter().enumerate() {
            ids.push(self.operand(intrinsic, index, *operand));
        }
        let ids = all(ids)?;
        Ok(self.program.apply(intrinsic, notation, &ids))
    }

    /// Whether the floats are real, so that a function which is not differentiable over the complex numbers can be
    /// called at `place`. Where it is not known, the generated code does not compile for complex numbers.
    pub(in super::super) fn require_real(&mut self, place: &Ident) -> Flow<()> {
        if self.scalar.is_complex() {
            return self.refuse(place, refuse::not_complex(place));
        }
        if let Some(statement) = self.scalar.require_order() {
            self.program.require("order".to_string(), statement);
        }
        Ok(())
    }

    pub(in super::super) fn operand(
        &mut self,
        intrinsic: Intrinsic,
        index: usize,
        (value, place): (&Value, &Expr),
    ) -> Flow<ValueId> {
        if intrinsic.row().takes[index] != Kind::Int {
            return self.float(value, place);
        }
        match value.to_passive() {
            Some(passive) => match passive.number {
                Some(Number::Int(int)) if i32::try_from(int.value).is_ok() => {
                    Ok(self.program.constant(Constant::Int(int.value as i32)))
                }
                _ => Ok(self.program.capture(Kind::Int, &passive)),
            },
            None => self.refuse(place, refuse::PASSIVE_INTEGER),
        }
    }

    /// The name of a function of libm for f64, from that for the precision of the list.
    pub(in super::super) fn libm_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        match self.scalar.precision() {
            Precision::F32 => name.strip_suffix('f'),
            _ => Some(name),
        }
    }

    pub(in super::super) fn unknown(&self, name: &str, notation: NotationId) -> String {
        let is_libm = matches!(self.program.notations[usize::from(notation.0)], Notation::Libm(_));
        if let Some(advice) = advice(name).filter(|_| !is_libm) {
            return advice;
        }
        let known = CATALOGUE.iter().filter_map(|row| match is_libm {
            true => row.libm,
            false => (row.is_method() && row.gives == Kind::Float).then_some(row.name),
        });
        refuse::unknown_name(name, list(nearest(name, known, 3)))
    }
}
