//! Equations that nalgebra solves with pivots, which depend on the values: `lu`, `cholesky`, inverses of more than four
//! rows, determinants of four. nalgebra itself is called, in a function inside of the generated one, so that the value
//! is its own. That function gives the inverse of the matrix, too, and with it the derivative is known: where
//! `m x = b`, `dx = m^-1 (db - dm x)` (the implicit function theorem); all of it is operations on what is given.

use std::sync::Arc;

use jacobian_list::CodeList;
use jacobian_list::block::{Block, Body, Local};
use jacobian_list::catalogue::{Intrinsic, known};
use jacobian_list::code_list::{Constant, NotationId, Precision, ValueId};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::super::super::diagnostics::list;
use super::super::super::read::scalar::Scalar;
use super::super::super::read::shape::Shape;
use super::super::super::read::vector::{Layout, VectorKind, VectorType};
use super::super::super::refuse;
use super::super::super::syntax::{Expr, Method as MethodCall};
use super::super::control::Flow;
use super::super::optional::{Found, Optional, Test};
use super::super::program::{Argument, Call, Counts, Returned, Source, Written};
use super::super::value::{Passive, Value, Vector};
use super::super::{Lowering, emitted};
use super::elements_of_vector;
use super::form::{Gives, vector_type};
use super::geometry::made;

/// The most rows of a matrix whose equations are solved.
const MAX_ROWS: usize = 6;

/// What solves equations.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Solver {
    /// `lu`.
    Lu,
    /// `cholesky`, which reads the lower triangle.
    Cholesky,
    /// `try_inverse`.
    Inverse,
}

/// A matrix that is taken apart.
#[derive(Clone)]
pub struct Factor {
    solver: Solver,
    matrix: Vector,
    /// Its inverse, where that is known already.
    inverse: Option<Vector>,
    /// It as it is written, if it is passive.
    written: Option<Passive>,
    /// The type of the matrix, if it is passive.
    ty: Option<Box<VectorType>>,
}

/// Equations with a matrix of some rows, and perhaps some columns on the right side.
#[derive(Copy, Clone)]
struct Equations {
    solver: Solver,
    rows: usize,
    right: usize,
}

impl Factor {
    /// It as it is written, if it is passive.
    pub fn written(&self) -> Option<&Passive> {
        self.written.as_ref()
    }
}

impl Lowering<'_> {
    /// `m.lu()`.
    pub(super) fn lu(&mut self, own: &Vector, place: &Expr) -> Flow {
        self.check_size(own.layout, place)?;
        let matrix = self.as_it_is(own);
        Ok(Value::Factor(Box::new(Factor { solver: Solver::Lu, matrix, inverse: None, written: None, ty: None })))
    }

    /// The matrix as it is now.
    fn as_it_is(&mut self, own: &Vector) -> Vector {
        match self.evaluated(Value::Vector(own.clone())) {
            Value::Vector(kept) => kept,
            _ => own.clone(),
        }
    }

    /// The same of a passive matrix, whose right side may be active.
    pub(in super::super) fn lu_of_passive(&mut self, call: &MethodCall, receiver: &Value) -> Option<Value> {
        let Value::Passive(passive) = receiver else { return None };
        let Some(Shape::Vector(ty)) = passive.shape.as_ref().map(Shape::behind_references) else { return None };
        let is_lu = call.name == "lu" && call.args.is_empty() && ty.layout.is_matrix();
        if !is_lu || ty.layout.rows > MAX_ROWS || self.inline.is_some() {
            return None;
        }
        self.require_vectors(&[ty]);
        // It is read where the equations are solved.
        let passive = match passive.is_fixed() {
            true => passive.clone(),
            false => self.let_passive(&emitted(&format_ident!("matrix")), passive, None),
        };
        let (operand, name) = (passive.operand(), &call.name);
        let written = Some(Passive::simple(quote!(#operand.#name())).given(true));
        let (matrix, ty) = (elements_of_vector(&passive, ty), Some(ty.clone()));
        let factor = Factor { solver: Solver::Lu, matrix, inverse: None, written, ty };
        Some(Value::Factor(Box::new(factor)))
    }

    /// `m.cholesky()`.
    pub(super) fn cholesky(&mut self, own: &Vector, place: &Expr) -> Flow {
        let matrix = self.as_it_is(own);
        let inverse = self.inverse_by(Solver::Cholesky, &matrix, place)?;
        let Found::Value(Value::Vector(known)) = inverse.found else { return self.refuse(place, refuse::NOT_SQUARE) };
        let factor = Factor { solver: Solver::Cholesky, matrix, inverse: Some(known), written: None, ty: None };
        Ok(Value::optional(Optional { found: Found::Value(Value::Factor(Box::new(factor))), ..inverse }))
    }

    /// A method of a matrix that is taken apart.
    pub(in super::super) fn factor_method(&mut self, call: &MethodCall, of: &Factor, args: &[Value]) -> Flow {
        let place = &call.receiver;
        match (call.name.to_string().as_str(), args, &of.inverse) {
            ("solve", [right], _) => {
                let right = match self.vector(right) {
                    Some(vector) => vector,
                    None => self.seen((right, &call.args[0]), VectorKind::Matrix, of.matrix.layout.rows)?,
                };
                if right.layout.rows != of.matrix.layout.rows || !right.layout.is_matrix() {
                    return self.refuse(&call.args[0], refuse::VECTOR_SHAPE);
                }
                let found = self.solved(of.solver, (&of.matrix, place), Some((&right, &call.args[0])))?;
                match (of.solver, found) {
                    (Solver::Cholesky, Optional { found: Found::Value(value), .. }) => Ok(value),
                    (_, found) => Ok(Value::optional(found)),
                }
            }
            ("inverse", [], Some(inverse)) => Ok(Value::Vector(inverse.clone())),
            ("l" | "unpack", [], Some(_)) => self.lower_triangle(&of.matrix, place),
            ("determinant", [], Some(_)) => {
                let diagonal = self.diagonal_of_factor(&of.matrix, place)?;
                let product = diagonal.into_iter().reduce(|product, it| self.on_floats(known::MUL, product, it));
                let product = product.expect("a matrix has an element");
                let square = self.on_floats(known::MUL, product, product);
                Ok(self.program.active(square))
            }
            ("ln_determinant", [], Some(_)) => {
                let mut terms = vec![self.program.constant(Constant::Float(0.0))];
                for entry in self.diagonal_of_factor(&of.matrix, place)? {
                    let square = self.on_floats(known::MUL, entry, entry);
                    terms.push(self.program.frame.list.apply(known::LN, NotationId::default(), &[square]));
                }
                let sum = self.chain(terms);
                Ok(self.program.active(sum))
            }
            ("try_inverse", [], None) => self.inverse_by(of.solver, &of.matrix, place).map(Value::optional),
            _ => {
                let known: &[&str] = match of.solver {
                    Solver::Cholesky => &["solve", "inverse", "l", "determinant", "ln_determinant"],
                    _ => &["solve", "try_inverse"],
                };
                self.refuse(&call.name, refuse::factor_method(list(known.iter().copied())))
            }
        }
    }

    /// The factor of Cholesky, whose product with its transpose is the matrix: column by column, as nalgebra does it.
    fn lower_triangle(&mut self, matrix: &Vector, place: &Expr) -> Flow {
        let (mut floats, rows) = (self.floats(matrix, place)?, matrix.layout.rows);
        let zero = self.program.constant(Constant::Float(0.0));
        for column in 0..rows {
            for earlier in 0..column {
                let entry = floats[earlier * rows + column];
                let factor = self.program.frame.list.apply(known::NEG, NotationId::default(), &[entry]);
                for row in column..rows {
                    let term = self.on_floats(known::MUL, factor, floats[earlier * rows + row]);
                    floats[column * rows + row] = self.on_floats(known::ADD, term, floats[column * rows + row]);
                }
            }
            let diagonal = floats[column * (rows + 1)];
            let root = self.program.frame.list.apply(known::SQRT, NotationId::default(), &[diagonal]);
            floats[column * (rows + 1)] = root;
            for row in column + 1..rows {
                floats[column * rows + row] = self.on_floats(known::DIV, floats[column * rows + row], root);
            }
            floats[column * rows..column * (rows + 1)].fill(zero);
        }
        Ok(self.vector_of(matrix.layout, floats))
    }

    /// The diagonal of the factor of Cholesky.
    fn diagonal_of_factor(&mut self, matrix: &Vector, place: &Expr) -> Flow<Vec<ValueId>> {
        let factor = self.lower_triangle(matrix, place)?;
        let Some(factor) = self.vector(&factor) else { return Ok(Vec::new()) };
        let floats = self.floats(&factor, place)?;
        Ok(floats.into_iter().step_by(matrix.layout.rows + 1).collect())
    }

    /// The shape of what a method of a passive matrix that is taken apart gives.
    pub(in super::super) fn shape_of_solution(&self, of: &Factor, call: &MethodCall, args: &[Value]) -> Option<Shape> {
        let (matrix, layout) = (of.ty.as_ref()?, of.matrix.layout);
        match (call.name.to_string().as_str(), args) {
            ("solve", [Value::Passive(right)]) => {
                let right = vector_type(right)?;
                let layout = Layout::matrix(layout.rows, right.layout.columns);
                Some(self.shape_given(Gives::Perhaps(layout), &[matrix, right]))
            }
            ("try_inverse", []) => Some(self.shape_given(Gives::Perhaps(layout), &[matrix])),
            ("determinant", []) => Some(self.shape_given(Gives::Float, &[])),
            _ => None,
        }
    }

    /// The inverse of a matrix.
    pub(super) fn inverse_by(&mut self, solver: Solver, own: &Vector, place: &Expr) -> Flow<Optional> {
        self.solved(solver, (own, place), None)
    }

    /// The solution of equations with this right side, or the inverse of the matrix.
    fn solved(
        &mut self,
        solver: Solver,
        (matrix, place): (&Vector, &Expr),
        right: Option<(&Vector, &Expr)>,
    ) -> Flow<Optional> {
        self.check_size(matrix.layout, place)?;
        let rows = matrix.layout.rows;
        let equations = Equations { solver, rows, right: right.map_or(0, |(right, _)| right.layout.columns) };
        let mut given = vec![(matrix, place)];
        given.extend(right);
        let local = match self.are_partials_wanted() {
            true => Local::Rule(Arc::new(equations.rule(self.scalar.precision(), self.is_second_order))),
            false => Local::Unwanted,
        };
        let name = self.inner_function((&equations.key(), &equations.key()), |name, it| {
            equations.function(name, &it.nalgebra, &it.scalar.ty())
        });
        let count = equations.results();
        let wish = if right.is_some() { "solved" } else { "inverse" };
        let found = self.call_of_nalgebra((name, wish), &given, count, local)?;
        let (first, columns) = match right {
            Some((right, _)) => (0, right.layout.columns),
            None => (equations.solution(), rows),
        };
        let entries = found[first..first + rows * columns].to_vec();
        Ok(Optional {
            found: Found::Value(made(Layout::matrix(rows, columns), entries)),
            test: Test::NotZero(found[count - 1].clone()),
        })
    }

    /// The determinant of a matrix of four rows: nalgebra's; its partials are the cofactors.
    pub(super) fn determinant_by_pivots(&mut self, own: &Vector, place: &Expr) -> Flow {
        self.check_float(place)?;
        let mut local = Local::Unwanted;
        if self.are_partials_wanted() {
            let frame = self.program.inner();
            let (frame, outputs) = self.in_frame(frame, |it| -> Flow<()> {
                let inputs: Vec<_> = (0..17).map(|_| it.program.frame.list.input("entry")).collect();
                let entries = inputs[..16].iter().map(|&id| it.program.active(id)).collect();
                let matrix = Vector { layout: own.layout, elements: entries, ty: None };
                let cofactors = it.made_by("cofactors_4", &[&matrix], own.layout, place)?;
                let Some(cofactors) = it.vector(&cofactors) else { return Ok(()) };
                let cofactors = it.floats(&cofactors, place)?;
                (0..16).for_each(|at| it.program.frame.list.output(cofactors[at % 4 * 4 + at / 4]));
                Ok(())
            });
            outputs?;
            local = Local::Rule(Arc::new(frame.list));
        }
        let name = self.inner_function(("determinant_of_4", "determinant_of_4"), |name, it| {
            let (nalgebra, float) = (&it.nalgebra, it.scalar.ty());
            quote_spanned!(Span::mixed_site()=>
                fn #name(matrix: [[#float; 4]; 4]) -> [#float; 1] {
                    [#nalgebra SMatrix::<#float, 4, 4>::from(matrix).determinant()]
                }
            )
        });
        let found = self.call_of_nalgebra((name, "determinant"), &[(own, place)], 1, local)?;
        Ok(found[0].clone())
    }

    /// Calls a function of these matrices, which gives an array of floats that is called so.
    fn call_of_nalgebra(
        &mut self,
        (function, wish): (Ident, &str),
        matrices: &[(&Vector, &Expr)],
        results: usize,
        local: Local,
    ) -> Flow<Vec<Value>> {
        let (mut args, mut arguments) = (Vec::new(), Vec::new());
        for (matrix, place) in matrices {
            args.extend(self.floats(matrix, *place)?);
            let column = || Argument::Array((0..matrix.layout.rows).map(|_| Argument::Float).collect());
            arguments.push(Argument::Array((0..matrix.layout.columns).map(|_| column()).collect()));
        }
        let shape = Shape::Array(Box::new(Shape::Float(self.scalar.clone())), results);
        let (columns, returned) = (args.len(), Returned::Array(Some(shape)));
        let call = Call {
            function: quote!(#function),
            is_method: false,
            source: Source::List,
            arguments,
            columns,
            has_value: true,
            outputs: Vec::new(),
            returned,
            is_wrapped: false,
            taken_out: TokenStream::new(),
        };
        let origin = self.program.code.add(Written::Call(call));
        let body = Body::Call { results, columns, order: 0, local };
        let id = self.program.frame.block(Block { args, body, is_kept: false, origin }, Counts::default());
        self.program.frame.list.set_name(id, wish);
        let mut found = Vec::with_capacity(results);
        for result in 0..results {
            let part = self.program.frame.part(id, result);
            found.push(self.program.active(part));
        }
        Ok(found)
    }

    /// Whether what is lowered is differentiated.
    fn are_partials_wanted(&self) -> bool {
        self.partials < if self.is_second_order { 2 } else { 1 }
    }

    fn check_size(&mut self, layout: Layout, place: &Expr) -> Flow<()> {
        match (layout.rows, layout.columns) {
            (rows, columns) if rows != columns => self.refuse(place, refuse::NOT_SQUARE),
            (rows, _) if rows > MAX_ROWS => self.refuse(place, refuse::LARGE_EQUATIONS),
            _ => self.check_float(place),
        }
    }

    /// The function inside is of floats of a type that is known.
    fn check_float(&mut self, place: &Expr) -> Flow<()> {
        match &self.scalar {
            Scalar::Parameter(parameter) => {
                let message = refuse::formula_of_parameter(&parameter.name);
                self.refuse(place, message)
            }
            Scalar::Primitive(_) => Ok(()),
        }
    }
}

impl Equations {
    /// What the function is called.
    fn key(self) -> String {
        let Equations { solver, rows, right } = self;
        let what = match (solver, right) {
            (Solver::Lu, 0) => "inverse_by_lu",
            (Solver::Lu, _) => "solution_by_lu",
            (Solver::Cholesky, 0) => "inverse_by_cholesky",
            (Solver::Cholesky, _) => "solution_by_cholesky",
            (Solver::Inverse, _) => "inverse_by_pivots",
        };
        let right = if right > 1 { format!("x{right}") } else { String::new() };
        format!("{what}_{rows}{right}")
    }

    /// The number of floats of the solution.
    fn solution(self) -> usize {
        self.rows * self.right
    }

    /// What the function gives: the solution, the inverse, and 1, or all of them as zeros.
    fn results(self) -> usize {
        self.solution() + self.rows * self.rows + 1
    }

    /// The function, which takes the columns of the matrix, and of the right side if there is one.
    fn function(self, name: &Ident, nalgebra: &TokenStream, float: &TokenStream) -> TokenStream {
        let span = Span::mixed_site();
        let number = Literal::usize_unsuffixed;
        let (solution, count) = (self.solution(), self.results());
        let [rows, right, all, last] = [self.rows, self.right, count, count - 1].map(number);
        let matrix = quote_spanned!(span=> #nalgebra SMatrix::<#float, #rows, #rows>::from(matrix));
        let sides = quote_spanned!(span=> #nalgebra SMatrix::<#float, #rows, #right>::from(right));
        let is_solved = self.right > 0;
        let attempt = match (self.solver, is_solved) {
            (Solver::Lu, true) => quote_spanned!(span=> lu.solve(&#sides).zip(lu.try_inverse())),
            (Solver::Lu, false) => quote_spanned!(span=> lu.try_inverse()),
            (Solver::Cholesky, true) => {
                quote_spanned!(span=> cholesky.map(|factor| (factor.solve(&#sides), factor.inverse())))
            }
            (Solver::Cholesky, false) => quote_spanned!(span=> cholesky.map(|factor| factor.inverse())),
            (Solver::Inverse, _) => quote_spanned!(span=> inverse),
        };
        let factor = match self.solver {
            Solver::Lu => quote_spanned!(span=> let lu = #matrix.lu();),
            Solver::Cholesky => quote_spanned!(span=> let cholesky = #matrix.cholesky();),
            Solver::Inverse => quote_spanned!(span=> let inverse = #matrix.try_inverse();),
        };
        let (second, middle) =
            (is_solved.then(|| quote_spanned!(span=> right: [[#float; #rows]; #right])), number(solution));
        let (pattern, copied) = match is_solved {
            true => (
                quote_spanned!(span=> (solution, inverse)),
                quote_spanned!(span=> floats[..#middle].copy_from_slice(solution.as_slice());),
            ),
            false => (quote_spanned!(span=> inverse), TokenStream::new()),
        };
        quote_spanned!(span=>
            fn #name(matrix: [[#float; #rows]; #rows], #second) -> [#float; #all] {
                let mut floats = [0.0; #all];
                #factor
                if let ::core::option::Option::Some(#pattern) = #attempt {
                    #copied
                    floats[#middle..#last].copy_from_slice(inverse.as_slice());
                    floats[#last] = 1.0;
                }
                floats
            }
        )
    }

    /// The partials of what the function gives. The inverse beside a solution is differentiated for second derivatives
    /// only.
    fn rule(self, precision: Precision, is_second_order: bool) -> CodeList {
        let Equations { solver, rows, right } = self;
        let mut list = CodeList::new(precision);
        let columns = rows * (rows + right);
        let inputs: Vec<_> = (0..columns + self.results()).map(|_| list.input("float")).collect();
        let zero = list.constant(Constant::Float(0.0));
        // What is solved for has a column for each of the right side, and then those of the inverse.
        let unknown = |row: usize, column: usize| inputs[columns + column * rows + row];
        let inverse = |row: usize, column: usize| unknown(row, right + column);
        let wanted = if right == 0 || is_second_order { right + rows } else { right };
        for result in 0..self.results() {
            let (row, side) = (result % rows, result / rows);
            for at in 0..columns {
                let (of, by) = (at % rows, at / rows);
                let partial = match by.checked_sub(rows) {
                    _ if side >= wanted => zero,
                    Some(other) if other == side => inverse(row, of),
                    Some(_) => zero,
                    None if solver == Solver::Cholesky && of < by => zero,
                    None => {
                        let mut sum = applied(&mut list, known::MUL, &[inverse(row, of), unknown(by, side)]);
                        if solver == Solver::Cholesky && of > by {
                            let mirrored = applied(&mut list, known::MUL, &[inverse(row, by), unknown(of, side)]);
                            sum = applied(&mut list, known::ADD, &[sum, mirrored]);
                        }
                        applied(&mut list, known::NEG, &[sum])
                    }
                };
                list.output(partial);
            }
        }
        list
    }
}

fn applied(list: &mut CodeList, intrinsic: Intrinsic, args: &[ValueId]) -> ValueId {
    list.apply(intrinsic, NotationId::default(), args)
}
