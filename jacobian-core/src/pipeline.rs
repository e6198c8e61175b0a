//! The pipeline, every stage in its order: a code list and what is asked for in, the code of the Jacobian and what is
//! to be said about it out.
//!
//! | stage | where | gives |
//! |---|---|---|
//! | linearize | `linearize` | the graph of the function; the arms of its branches and the bodies of its loops go through the first four stages before |
//! | preaccumulate | `preaccumulate` | where it is asked for, the graph of the statements of the user |
//! | eliminate | `choose`, `eliminate` | the accumulation expressions, in the order of a strategy |
//! | accumulate | `accumulate` | one code list of the function and of its Jacobian, without dead code |
//! | represent | `represent` | instead of eliminate and accumulate, for products: a graph with few labels, and the code of these |
//! | collect | `collect` | of second derivatives, the same in fewer operations, by numeric and common factors and like terms |
//! | settle | `settle` | the same with a branch in bodies of loops, whose masks are tested until all are 1 |
//! | schedule | `write::schedule` | the same in another order |
//! | pack | `write::pack` | the statements of it that are computed as one |
//! | fuse | `write::fuse` | the sums of it that are one operation with a product |

use jacobian_list::block::{Block, MAX_DEPTH, MAX_LOOPS};
use jacobian_list::catalogue::Spelling;
use jacobian_list::code_list::{CodeList, Statement};
use jacobian_list::form::Form;

use crate::accumulate::{accumulate, accumulate_normal};
use crate::blocks::linearized;
use crate::choose::comparison::Comparison;
use crate::choose::strategy::Strategy;
use crate::choose::taken::Taken;
use crate::collect::collect;
use crate::derivative::Derivative;
use crate::error::Error;
use crate::graph::program::Program;
use crate::linearize::{Charts, Interface, Level, Linearization, Reversed, SeedKind};
use crate::represent::{Representation, represent};
use crate::settle::settled;
use crate::write::cost::OperationCount;
use crate::write::fuse::Fusion;
use crate::write::pack::{Pack, Packing, pack};
use crate::write::schedule::Schedule;

/// A function's Jacobian, and how it came about.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// The function and its Jacobian.
    pub derivative: Derivative,
    /// The strategy that was used; for `auto`, the one that it chose.
    pub strategy: Strategy,
    /// The order that it took, unless that is too long for a reader. The arms of branches have others.
    pub order: Option<Taken>,
    /// The multiplications of the elimination beside those of other orders; none of the labels of a minimal
    /// representation.
    pub comparison: Option<Comparison>,
    /// The statements of the derivative that are computed as one.
    pub packs: Vec<Pack>,
    /// The operations of the function.
    pub function_operations: OperationCount,
    /// The operations of function and Jacobian together.
    pub operations: OperationCount,
}

/// What is asked of the pipeline.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What is computed.
    pub form: Form,
    /// What one vertex of the graph is.
    pub level: Level,
    /// The order of eliminations.
    pub strategy: Strategy,
    /// The order of the statements.
    pub schedule: Schedule,
    /// Which statements are computed as one.
    pub packing: Packing,
    /// The inputs and outputs that are coordinates of points on manifolds.
    pub charts: Charts,
}

/// The stages from linearize to pack; [`Jacobian::fused`] is the last one.
///
/// # Errors
/// As [`differentiate_at`].
pub fn run(function: &CodeList, settings: &Settings) -> Result<Jacobian, Error> {
    Forms::of(function).run(settings)
}

/// The forms of a function, whose settings are otherwise the same: what they have in common is computed once.
#[derive(Debug)]
pub struct Forms<'f> {
    function: &'f CodeList,
    /// The labels and the products with these.
    representation: Option<Representation>,
}

impl<'f> Forms<'f> {
    /// Those of `function`.
    pub fn of(function: &'f CodeList) -> Self {
        Forms { function, representation: None }
    }

    /// As [`run`].
    ///
    /// # Errors
    /// As [`differentiate_at`].
    pub fn run(&mut self, settings: &Settings) -> Result<Jacobian, Error> {
        let Settings { form, level, charts, strategy, .. } = settings;
        let jacobian = self.differentiate(charts, *form, *level, strategy)?;
        Ok(jacobian.settled().scheduled(&settings.schedule).packed(settings.packing))
    }
}

/// Differentiates `function`, every operation by itself.
///
/// # Errors
/// As [`differentiate_at`].
pub fn differentiate(function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    differentiate_at(Level::CodeList, function, strategy)
}

/// Differentiates `function` at `level`.
///
/// # Errors
/// Those of [`linearize_with`] and of the strategy.
pub fn differentiate_at(level: Level, function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    differentiate_for(Form::Jacobian, level, function, strategy)
}

/// Computes what `form` says of `function`, at `level`: the stages from linearize to accumulate.
///
/// # Errors
/// As [`differentiate_at`].
pub fn differentiate_for(
    form: Form,
    level: Level,
    function: &CodeList,
    strategy: &Strategy,
) -> Result<Jacobian, Error> {
    Forms::of(function).differentiate(Charts::NONE, form, level, strategy)
}

impl Forms<'_> {
    /// The same by the tangents of these charts, where there are any.
    fn differentiate(
        &mut self,
        charts: &Charts,
        form: Form,
        level: Level,
        strategy: &Strategy,
    ) -> Result<Jacobian, Error> {
        let function = self.function;
        if form.is_second_order() && !charts.is_empty() {
            return Err(Error::TangentsOfSecondOrder);
        }
        if form == Form::NormalEquations && !charts.outputs.is_empty() {
            return Err(Error::TangentsOfResiduals);
        }
        if form.is_second_order() {
            return Ok(second_order(form, level, function, strategy)?.collected());
        }
        if form == Form::Labels || form.is_of_labels() {
            return self.represented(charts, form, level, strategy);
        }
        let is_active = vec![true; function.inputs().len()];
        let seed = match form {
            Form::TangentProduct => SeedKind::Tangent,
            Form::CotangentProduct => SeedKind::Cotangent,
            _ => SeedKind::None,
        };
        let may_reverse = match form {
            Form::Jacobian | Form::JacobianOnly | Form::CotangentProduct => Reversed::All,
            _ => Reversed::Nothing,
        };
        let has_values = form.has_values();
        let interface = Interface { seed, charts, has_values, may_reverse, ..Interface::all(&is_active) };
        differentiated(level, function, interface, accumulated(form), strategy)
    }

    /// The function with the labels of its Jacobian, or a product with these.
    fn represented(
        &mut self,
        charts: &Charts,
        form: Form,
        level: Level,
        strategy: &Strategy,
    ) -> Result<Jacobian, Error> {
        let function = self.function;
        let representation = match self.representation.take() {
            Some(known) => known,
            None => {
                let is_active = vec![true; function.inputs().len()];
                let interface = Interface { charts, ..Interface::all(&is_active) };
                represent(linearize_for(interface, function, level, strategy)?)
            }
        };
        let Representation { function: with_labels, tangent, cotangent } = self.representation.insert(representation);
        let derivative = match form {
            Form::LabelsTangentProduct => tangent.clone(),
            Form::LabelsCotangentProduct => cotangent.clone(),
            _ => with_labels.clone(),
        };
        Ok(Jacobian {
            operations: OperationCount::of(&derivative.list),
            derivative,
            packs: Vec::new(),
            strategy: strategy.clone(),
            order: None,
            comparison: None,
            function_operations: OperationCount::of(function),
        })
    }
}

/// What a form makes of the Jacobian of its graph.
fn accumulated(form: Form) -> fn(Linearization, &Program) -> Derivative {
    if form == Form::NormalEquations { accumulate_normal } else { accumulate }
}

/// The second derivatives of `function`, by elimination on the graph of its gradient.
fn second_order(form: Form, level: Level, function: &CodeList, strategy: &Strategy) -> Result<Jacobian, Error> {
    if !has_known_partials(function) {
        return second_order_of_blocks(form, level, function, strategy);
    }
    let is_active = vec![true; function.inputs().len()];
    let interface = Interface { gradient_of: weights(function), seed: second_seed(form), ..Interface::all(&is_active) };
    differentiated(level, function, interface, accumulate, strategy)
}

/// Whether all partials are those of operations: there is no block but passive ones.
fn has_known_partials(function: &CodeList) -> bool {
    function.blocks().iter().all(Block::is_opaque)
}

/// How the results are weighted whose sum has the second derivatives: a single one is not.
fn weights(function: &CodeList) -> SeedKind<'static> {
    if function.outputs().len() == 1 { SeedKind::Sum } else { SeedKind::Cotangent }
}

/// What the Hessian is multiplied by.
fn second_seed(form: Form) -> SeedKind<'static> {
    if form == Form::Hessian { SeedKind::None } else { SeedKind::Tangent }
}

/// The second derivatives of a function with branches, loops or calls: those of its gradient's code list, of whose
/// blocks the partials are accumulated in their place.
fn second_order_of_blocks(
    form: Form,
    level: Level,
    function: &CodeList,
    strategy: &Strategy,
) -> Result<Jacobian, Error> {
    let (values, inputs) = (function.outputs().len(), function.inputs().len());
    let is_active = vec![true; inputs];
    // What is differentiated again by one direction is the cheaper, the fewer derivatives it carries.
    let may_reverse = if form == Form::HessianProduct { Reversed::All } else { Reversed::Branches };
    let interface = Interface { seed: weights(function), may_reverse, ..Interface::all(&is_active) };
    // An order that is given is that of the second derivatives.
    let gradient = differentiated(level, function, interface, accumulate, &strategy.in_arms())?.derivative.dense();
    if let Some(name) = without_derivative(&gradient.list) {
        return Err(Error::NoDerivativeOf { name });
    }
    let weights = gradient.list.inputs().len() - inputs;
    let is_active: Vec<_> = (0..weights + inputs).map(|input| input >= weights).collect();
    let is_symmetric = form == Form::Hessian;
    let seed = second_seed(form);
    let interface = Interface { first_dependent: values, seed, is_symmetric, ..Interface::all(&is_active) };
    let jacobian = differentiated(level, &gradient.list, interface, accumulate, strategy)?;
    // The results of the second stage are those of the first.
    let matrices = gradient.matrices.into_iter().chain(jacobian.derivative.matrices).collect();
    let derivative = Derivative { values, matrices, ..jacobian.derivative };
    Ok(Jacobian { derivative, function_operations: OperationCount::of(function), ..jacobian })
}

/// The first function of the crate's own that `list` calls: there are no partials of these.
fn without_derivative(list: &CodeList) -> Option<&'static str> {
    let statements = list.with_inner().into_iter().flat_map(CodeList::statements);
    let mut rows = statements.filter_map(|statement| match statement {
        Statement::Apply { intrinsic, .. } => Some(intrinsic.row()),
        _ => None,
    });
    rows.find(|row| matches!(row.spelling, Spelling::Helper(_))).map(|row| row.name)
}

fn differentiated(
    level: Level,
    function: &CodeList,
    interface: Interface<'_>,
    accumulate: fn(Linearization, &Program) -> Derivative,
    strategy: &Strategy,
) -> Result<Jacobian, Error> {
    let linearization = linearize_for(interface, function, level, strategy)?;
    let (strategy, elimination) = strategy.eliminate(&linearization)?;
    let order = Taken::of(&linearization, &elimination.sequence);
    let comparison = Some(Comparison::of(function, &linearization, &strategy, &elimination));
    let derivative = accumulate(linearization, &elimination.program);
    Ok(Jacobian {
        operations: OperationCount::of(&derivative.list),
        derivative,
        packs: Vec::new(),
        strategy,
        order,
        comparison,
        function_operations: OperationCount::of(function),
    })
}

impl Jacobian {
    /// Collect: the same with the numeric factors and the like terms of its statements collected.
    fn collected(self) -> Jacobian {
        let derivative = collect(self.derivative);
        Jacobian { operations: OperationCount::of(&derivative.list), derivative, ..self }
    }

    /// Settle: the same with its loops settled.
    pub fn settled(self) -> Jacobian {
        let derivative = Derivative { list: settled(&self.derivative.list), ..self.derivative };
        Jacobian { derivative, ..self }
    }

    /// Schedule: the same with its statements in another order, all of them single.
    pub fn scheduled(self, schedule: &Schedule) -> Jacobian {
        Jacobian { derivative: self.derivative.scheduled(schedule), packs: Vec::new(), ..self }
    }

    /// Pack: the same with packed statements. Numbers of a type parameter remain single.
    pub fn packed(self, packing: Packing) -> Jacobian {
        match pack(&self.derivative, packing) {
            Some((derivative, packs)) => Jacobian { derivative, packs, ..self },
            None => self,
        }
    }

    /// Fuse: the sums that are one operation with a product, none of which is packed.
    pub fn fused(&self) -> Fusion {
        Fusion::of(&self.derivative).but_for_packs(&self.derivative.list, &self.packs)
    }
}

/// Linearizes `function`, every operation by itself.
///
/// # Panics
/// As [`linearize_at`].
pub fn linearize(function: &CodeList) -> Linearization {
    linearize_at(function, Level::CodeList)
}

/// The graph of the gradient of `function`: of the sum of its results, with weights where there are several.
///
/// # Errors
/// Where a second partial is not known.
///
/// # Panics
/// If the function has branches, loops or calls.
pub fn linearize_gradient(function: &CodeList) -> Result<Linearization, Error> {
    assert!(has_known_partials(function), "the partials of blocks have no partials");
    let is_active = vec![true; function.inputs().len()];
    let interface = Interface { gradient_of: weights(function), ..Interface::all(&is_active) };
    linearize_for(interface, function, Level::CodeList, &Strategy::reverse())
}

/// Linearizes `function` at `level`. If it has branches, the local Jacobians of their arms are accumulated in reverse.
///
/// # Panics
/// Where [`linearize_with`] fails, which only functions with blocks make it do.
pub fn linearize_at(function: &CodeList, level: Level) -> Linearization {
    linearize_with(function, level, &Strategy::reverse()).unwrap_or_else(|error| panic!("{error}"))
}

/// Linearizes `function` at `level`. If it has branches, the local Jacobians of their arms are accumulated by
/// `strategy`, or by what it says of [arms](Strategy::in_arms).
///
/// # Errors
/// Those of the strategy in an arm, where branches or loops nest too deeply, where a function is called with its
/// Jacobian, which has no derivative, and where an opaque statement makes a float of an active value.
pub fn linearize_with(function: &CodeList, level: Level, strategy: &Strategy) -> Result<Linearization, Error> {
    linearize_for(Interface::all(&vec![true; function.inputs().len()]), function, level, strategy)
}

/// As [`linearize_with`], with another interface.
fn linearize_for(
    interface: Interface<'_>,
    function: &CodeList,
    level: Level,
    strategy: &Strategy,
) -> Result<Linearization, Error> {
    let in_arms = &strategy.in_arms();
    match function.is_straight() {
        true => Ok(*linearized(function, interface, level, in_arms)?),
        false if function.depth() > MAX_DEPTH => Err(Error::TooDeep { limit: MAX_DEPTH }),
        false if function.loop_depth() > MAX_LOOPS => Err(Error::LoopsTooDeep { limit: MAX_LOOPS }),
        // Nothing is accumulated in an arm that no output needs.
        false => Ok(*linearized(&function.remove_dead_code(), interface, level, in_arms)?),
    }
}
