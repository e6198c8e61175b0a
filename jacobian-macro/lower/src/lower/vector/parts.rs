//! Parts of vectors and matrices: rows, columns and views, to be read and to be assigned.

use syn::{AngleBracketedGenericArguments, GenericArgument};

use super::super::super::read::shape::Shape;
use super::super::super::read::vector::{Layout, VectorKind};
use super::super::super::refuse;
use super::super::super::syntax::{self, Binding, Expr, ExprKind, Method as MethodCall, key};
use super::super::Lowering;
use super::super::control::Flow;
use super::super::value::{Place, Value, Vector};
use super::geometry::made;

/// A method that names a part, how many constants and how many arguments it has, and the first row, the first column
/// and the numbers of rows and columns that these say of a matrix.
type Part = (&'static str, usize, usize, fn(Layout, &[usize]) -> [usize; 4]);

/// The methods.
const PARTS: &[Part] = &[
    ("row", 0, 1, |of, n| [n[0], 0, 1, of.columns]),
    ("column", 0, 1, |of, n| [0, n[0], of.rows, 1]),
    ("fixed_rows", 1, 1, |of, n| [n[1], 0, n[0], of.columns]),
    ("fixed_columns", 1, 1, |of, n| [0, n[1], of.rows, n[0]]),
    ("fixed_view", 2, 2, |_, n| [n[2], n[3], n[0], n[1]]),
    ("fixed_slice", 2, 2, |_, n| [n[2], n[3], n[0], n[1]]),
];

/// Methods that assign a matrix or a part of it.
const ASSIGNING: &[&str] = &["copy_from", "fill", "set_column", "set_row"];

impl Lowering<'_> {
    /// The part of a matrix that a method names, if it names one: its form, and where its elements are.
    pub(super) fn part_of(
        &mut self,
        layout: Layout,
        call: &MethodCall,
        args: &[Value],
    ) -> Flow<Option<(Layout, Vec<usize>)>> {
        let name = call.name.to_string();
        let name = name.strip_suffix("_mut").unwrap_or(&name);
        let found = PARTS.iter().find(|(known, ..)| *known == name);
        let Some((_, constants, count, bounds)) = found.filter(|_| layout.is_matrix()) else { return Ok(None) };
        args.iter().for_each(|arg| self.is_index(arg));
        let mut numbers = self.constants_of(call);
        let known = args.iter().map(|arg| usize::try_from(arg.as_int()?).ok());
        numbers.extend(known);
        let numbers: Option<Vec<usize>> = numbers.into_iter().collect();
        let Some(numbers) = numbers.filter(|numbers| args.len() == *count && numbers.len() == constants + count) else {
            return self.refuse(&call.name, refuse::VECTOR_PART);
        };
        let [row, column, rows, columns] = bounds(layout, &numbers);
        if row + rows > layout.rows || column + columns > layout.columns || rows * columns == 0 {
            return self.refuse(&call.name, refuse::vector_index(layout.rows, layout.columns));
        }
        let at = |position: usize| (column + position / rows) * layout.rows + row + position % rows;
        Ok(Some((Layout::matrix(rows, columns), (0..rows * columns).map(at).collect())))
    }

    /// The form of the part of a matrix that a method names, wherever it is.
    pub(super) fn form_of_part(&mut self, layout: Layout, call: &MethodCall) -> Option<Layout> {
        let (_, constants, count, bounds) = PARTS.iter().find(|(known, ..)| call.name == known)?;
        let mut numbers: Vec<usize> = self.constants_of(call).into_iter().collect::<Option<_>>()?;
        if !layout.is_matrix() || numbers.len() != *constants || call.args.len() != *count {
            return None;
        }
        numbers.resize(constants + count, 0);
        let [_, _, rows, columns] = bounds(layout, &numbers);
        (rows <= layout.rows && columns <= layout.columns && rows * columns > 0).then(|| Layout::matrix(rows, columns))
    }

    /// The elements in these places.
    pub(super) fn part_read(&self, vector: &Vector, (layout, positions): (Layout, Vec<usize>)) -> Value {
        made(layout, positions.into_iter().map(|position| vector.elements[position].clone()).collect())
    }

    /// The constants that are written after a method's name, as far as they are known.
    fn constants_of(&mut self, call: &MethodCall) -> Vec<Option<usize>> {
        let Some(turbofish) = &call.turbofish else { return Vec::new() };
        let Ok(arguments) = syn::parse2::<AngleBracketedGenericArguments>(turbofish.written.tokens.clone()) else {
            return vec![None];
        };
        let number = |value: Flow| usize::try_from(value.ok()?.as_int()?).ok();
        let mut numbers = Vec::new();
        for argument in &arguments.args {
            numbers.push(match argument {
                GenericArgument::Const(written) => number(self.expression(&syntax::expression(written))),
                GenericArgument::Type(syn::Type::Path(ty)) => {
                    let is_own = |name: &syntax::Key| ty.path.get_ident().is_some_and(|own| key(own) == *name);
                    let local = turbofish.written.names.iter().find(|(name, _)| is_own(name));
                    match local {
                        Some((_, Binding::Constant(id))) => {
                            let constant = self.local_constant(*id);
                            number(constant)
                        }
                        _ => {
                            let constant = self.path(&syntax::path(ty, self.module.declared().items()));
                            number(constant)
                        }
                    }
                }
                _ => None,
            });
        }
        numbers
    }

    /// Whether a call assigns a matrix in a variable, or a part of it.
    pub(in super::super) fn is_assigning_vector(&self, call: &MethodCall) -> bool {
        if !ASSIGNING.iter().any(|name| call.name == name) {
            return false;
        }
        let mut place = &call.receiver;
        if let ExprKind::Method(part) = &*place.unwrapped().kind {
            place = &part.receiver;
        }
        let Some((id, _)) = place.root() else { return false };
        let found = self.bindings.find(self.activation.number(id)).map(|binding| &binding.value);
        match found {
            Some(Value::Vector(_) | Value::Mutable(_)) => true,
            Some(Value::Array(elements)) => matches!(elements.first(), Some(Value::Vector(_))),
            Some(Value::Passive(passive)) => {
                !passive.is_reference() && matches!(passive.shape.as_ref(), Some(Shape::Vector(_)))
            }
            _ => false,
        }
    }

    /// Assigns a matrix in a variable, or a part of it; none if what is called on is another value.
    pub(in super::super) fn assign_vector(&mut self, call: &MethodCall) -> Flow<Option<Value>> {
        let (target, part) = match &*call.receiver.unwrapped().kind {
            ExprKind::Method(part) => (&part.receiver, Some(part)),
            _ => (&call.receiver, None),
        };
        let place = self.place(target)?;
        let Some(whole) = self.vector_at(&place).filter(|layout| layout.is_matrix()) else { return Ok(None) };
        let mut at = (whole, (0..whole.count()).collect::<Vec<_>>());
        if let Some(part) = part {
            let args = self.in_order(None, &part.args)?;
            let Some(found) = self.part_of(whole, part, &args)? else {
                return self.refuse(&part.name, refuse::VECTOR_PART);
            };
            at = found;
        }
        let args = self.in_order(None, &call.args)?;
        let name = call.name.to_string();
        match (name.as_str(), &args[..]) {
            ("fill", [value]) => {
                let value = self.evaluated(value.clone());
                at.1.iter().try_for_each(|&position| self.write(&place.part(position), value.clone(), target))?;
            }
            ("copy_from", [source]) => self.copy_vector((&place, target), &at, (source, &call.args[0]))?,
            ("set_column" | "set_row", [index, source]) if part.is_none() => {
                self.is_index(index);
                let index = index.as_int().and_then(|index| usize::try_from(index).ok());
                let (rows, columns) = (whole.rows, whole.columns);
                let found = match index {
                    Some(row) if name == "set_row" && row < rows => {
                        (Layout::matrix(1, columns), (0..columns).map(|column| column * rows + row).collect())
                    }
                    Some(column) if name == "set_column" && column < columns => {
                        (Layout::matrix(rows, 1), (0..rows).map(|row| column * rows + row).collect())
                    }
                    _ => return self.refuse(&call.args[0], refuse::VECTOR_PART),
                };
                self.copy_vector((&place, target), &found, (source, &call.args[1]))?;
            }
            _ => return self.refuse(&call.name, refuse::METHOD_ARGUMENTS),
        }
        Ok(Some(Value::unit()))
    }

    fn copy_vector(
        &mut self,
        (place, target): (&Place, &Expr),
        (layout, positions): &(Layout, Vec<usize>),
        source: (&Value, &Expr),
    ) -> Flow<()> {
        let vector = match self.vector(source.0) {
            Some(vector) if vector.layout == *layout => vector,
            Some(_) => return self.refuse(source.1, refuse::VECTOR_SHAPE),
            None if layout.columns == 1 => self.seen(source, VectorKind::Matrix, layout.rows)?,
            None => return self.refuse(source.1, refuse::VECTOR_UNSEEN),
        };
        for (position, element) in positions.iter().zip(vector.elements) {
            let element = self.evaluated(element);
            self.write(&place.part(*position), element, target)?;
        }
        Ok(())
    }
}
