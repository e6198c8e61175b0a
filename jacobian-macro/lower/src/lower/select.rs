//! Indices that are known at run time only: one of several elements is read or assigned.
//!
//! What is read is a branch whose arms are the elements, so that its local Jacobian is one-hot: one arm runs, and reads
//! one element and its companions. What is assigned is a branch of which each arm replaces an element, and has all of them
//! as its results; what is written of it is the one that is replaced.

use jacobian_list::block::Choice;
use jacobian_list::code_list::{Statement, ValueId};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

use super::super::read::vector::Layout;
use super::super::refuse;
use super::super::syntax::Expr;
use super::branch::Arm;
use super::control::{Flow, Stop};
use super::program::{Branch, Head, Line, Written};
use super::value::{Active, Chosen, Passive, Place, Value};
use super::{Lowering, emitted};

/// Which of its elements an index of a vector means.
pub(super) enum Position {
    Known(usize),
    /// That whose number this variable of the generated code holds.
    Chosen(Ident),
}

impl Lowering<'_> {
    /// A variable for an index that is known at run time only. What does not lie within the bounds panics here, as it
    /// does for the user.
    pub(super) fn index_within(&mut self, index: &Passive, length: usize, place: &Expr) -> Flow<Ident> {
        let variable = self.index_variable(index, place)?;
        let length = Literal::usize_unsuffixed(length);
        let check = quote_spanned!(Span::mixed_site()=> let () = [(); #length][#variable];);
        self.program.line(Line::effect(check));
        Ok(variable)
    }

    /// A variable for an index that is known at run time only, which lies within the bounds.
    pub(super) fn index_variable(&mut self, index: &Passive, place: &Expr) -> Flow<Ident> {
        self.usize_variable("index", index.tokens(), place)
    }

    /// A variable with a name like this one, which holds a `usize`.
    pub(super) fn usize_variable(&mut self, name: &str, value: &TokenStream, place: &Expr) -> Flow<Ident> {
        if let Some(why) = self.inline {
            return self.refuse(place, why);
        }
        let variable = self.program.variable(&emitted(&format_ident!("{name}")));
        let ty = quote_spanned!(Span::mixed_site()=> ::core::primitive::usize);
        self.program.line(Line::number(&variable, &ty, value));
        Ok(variable)
    }

    /// The element of a vector at an index, or at a row and a column. What does not lie within the bounds panics as
    /// nalgebra does.
    pub(super) fn position_in(&mut self, layout: Layout, index: &Value, place: &Expr) -> Flow<Position> {
        let known = |value: &Value| value.as_int().map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        let (row, column) = match index {
            Value::Tuple(entry) if entry.len() == 2 => (&entry[0], Some(&entry[1])),
            index => (index, None),
        };
        let position = match (known(row), column.map(known)) {
            (Some(at), None) => Some(at).filter(|&at| at < layout.count()),
            (Some(row), Some(Some(column))) => layout.position(row, column),
            _ => return self.chosen_position(layout, row, column, place),
        };
        match position {
            Some(position) => Ok(Position::Known(position)),
            None => self.refuse(place, refuse::vector_index(layout.rows, layout.columns)),
        }
    }

    fn chosen_position(&mut self, layout: Layout, row: &Value, column: Option<&Value>, place: &Expr) -> Flow<Position> {
        let (Value::Passive(row), None | Some(Value::Passive(_))) = (row, column) else {
            return self.refuse(place, refuse::VECTOR_INDEX);
        };
        let row = self.index_variable(row, place)?;
        let column = match column {
            Some(Value::Passive(column)) => Some(self.index_variable(column, place)?),
            _ => None,
        };
        let [rows, columns, count] = [layout.rows, layout.columns, layout.count()].map(Literal::usize_unsuffixed);
        let span = Span::mixed_site();
        let is_within = match &column {
            Some(column) => quote_spanned!(span=> #row < #rows && #column < #columns),
            None => quote_spanned!(span=> #row < #count),
        };
        let check = quote_spanned!(span=> ::core::assert!(#is_within, "Matrix index out of bounds."););
        self.program.line(Line::effect(check));
        let Some(column) = column else { return Ok(Position::Chosen(row)) };
        let position = Passive::operation(quote_spanned!(span=> #column * #rows + #row));
        Ok(Position::Chosen(self.index_variable(&position, place)?))
    }

    /// Notes that an index chooses from this many elements. Where it may not, what is lowered is on trial.
    fn choose_from(&mut self, count: usize) -> Flow<()> {
        if self.choices.allow(count) { Ok(()) } else { Err(Box::new(Stop::Abandoned)) }
    }

    /// The one of these elements whose number `index` holds. Where they have been chosen by another index, the element
    /// is chosen by both at once.
    pub(super) fn selected(&mut self, elements: Vec<Value>, index: &Ident, place: &Expr) -> Flow {
        self.choose_from(elements.len())?;
        match self.chosen_before(&elements) {
            Some((first, rows)) => {
                let index = self.joint_index(&first, index, elements.len(), place)?;
                self.one_of(rows.into_iter().flatten().collect(), &index, place)
            }
            None => self.one_of(elements, index, place),
        }
    }

    fn one_of(&mut self, elements: Vec<Value>, index: &Ident, place: &Expr) -> Flow {
        let mut arms = Vec::with_capacity(elements.len());
        for element in elements {
            arms.push(self.in_arm(|_| Ok(element))?);
        }
        self.join_by_index(arms, index, place)
    }

    /// The index by which these have been chosen together, and by its values what they have been chosen from.
    fn chosen_before(&self, elements: &[Value]) -> Option<(TokenStream, Vec<Vec<Value>>)> {
        let (list, level) = (&self.program.frame.list, self.program.level());
        let mut parts = Vec::with_capacity(elements.len());
        for element in elements {
            let Value::Active(Active { level: own, id, .. }) = element else { return None };
            if *own != level {
                return None;
            }
            let Statement::Part { block, index } = *list.statement(*id) else { return None };
            parts.push((block, index as usize));
        }
        let block = parts.first().map(|(block, _)| *block).filter(|first| parts.iter().all(|(own, _)| own == first))?;
        let Written::Branch(Branch { head: Head::Index(index), .. }) =
            self.program.code.at(list.block_of(block).origin)
        else {
            return None;
        };
        let choices = list.block_of(block).choices()?;
        // What has been assigned by an index is in one of the arms only, and is no row.
        if parts.iter().all(|&(_, part)| is_replaced(&choices[part])) {
            return None;
        }
        let row = |arm: usize| {
            let value =
                |&(_, part): &(ValueId, usize)| Some(Value::Active(Active::of(level, choices[part][arm].value()?)));
            parts.iter().map(value).collect::<Option<Vec<_>>>()
        };
        let rows = (0..choices.first()?.len()).map(row).collect::<Option<_>>()?;
        Some((index.clone(), rows))
    }

    /// A variable that holds which element two indices mean of rows that are this long.
    fn joint_index(&mut self, row: &TokenStream, column: &Ident, length: usize, place: &Expr) -> Flow<Ident> {
        let length = Literal::usize_unsuffixed(length);
        let index = quote_spanned!(Span::mixed_site()=> #row * #length + #column);
        self.index_variable(&Passive::operation(index), place)
    }

    /// By one index the places that one with several indices may be.
    fn candidates(&mut self, place: &Place, target: &Expr) -> Flow<Option<(Ident, Vec<Place>)>> {
        let Some((Chosen { index, .. }, mut places)) = place.candidates() else { return Ok(None) };
        let mut index = index.clone();
        self.choose_from(places.len())?;
        while let Some((Chosen { index: next, length, .. }, _)) = places.first().and_then(Place::candidates) {
            self.choose_from(*length)?;
            index = self.joint_index(&index.to_token_stream(), next, *length, target)?;
            places = places.iter().filter_map(Place::candidates).flat_map(|(_, places)| places).collect();
        }
        Ok(Some((index, places)))
    }

    /// The present value of a place.
    pub(super) fn read_chosen(&mut self, place: &Place, target: &Expr) -> Flow {
        let Some((index, candidates)) = self.candidates(place, target)? else { return Ok(self.read(place)) };
        let mut arms = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            arms.push(self.in_arm(|lowering| Ok(lowering.read(&candidate)))?);
        }
        self.join_by_index(arms, &index, target)
    }

    /// A branch to the arm whose number `index` holds; there is one.
    fn join_by_index(&mut self, mut arms: Vec<Arm>, index: &Ident, place: &Expr) -> Flow {
        let last = arms.len().saturating_sub(1);
        for (number, arm) in arms.iter_mut().enumerate() {
            arm.pattern = match number {
                _ if number == last => quote_spanned!(Span::mixed_site()=> _),
                number => Literal::usize_unsuffixed(number).to_token_stream(),
            };
        }
        let scrutinee: TokenStream = index.to_token_stream();
        let selector = self.number_of_arm(&scrutinee, &arms);
        self.join(Head::Index(scrutinee), selector, arms, place)
    }

    /// Assigns `value` to a place, which is written as `target`.
    pub(super) fn write_chosen(&mut self, place: &Place, value: &Value, target: &Expr) -> Flow<()> {
        let Some((index, candidates)) = self.candidates(place, target)? else {
            return self.write(place, value.clone(), target);
        };
        let mut arms = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            arms.push(self.in_arm(|lowering| {
                lowering.write(candidate, value.clone(), target)?;
                Ok(Value::unit())
            })?);
        }
        self.join_by_index(arms, &index, target)?;
        Ok(())
    }
}

/// Whether all of three or more arms but one choose the same.
fn is_replaced(by_arm: &[Choice]) -> bool {
    let is_usual = |usual: &Choice| by_arm.iter().filter(|choice| *choice != usual).count() <= 1;
    by_arm.len() > 2 && by_arm[..2].iter().any(is_usual)
}
