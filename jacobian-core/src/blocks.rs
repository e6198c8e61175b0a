//! How the arms of branches and the bodies of loops are differentiated: what is asked of them is accumulated inside of
//! them, by the strategy. What is asked twice is answered once: a loop is examined before it is differentiated, and both
//! several times if more is known each time, and so is what is in it, each time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use jacobian_list::code_list::CodeList;

use crate::accumulate::{Derivative, accumulate_arm};
use crate::choose::strategy::Strategy;
use crate::error::Error;
use crate::linearize::{
    Companion, Inner, Interface, Iteration, Level, Linearization, Reversed, SeedKind, linearize_by,
};
use crate::preaccumulate::preaccumulate;

/// Linearizes `function`, and preaccumulates its statements if they are the level.
///
/// # Errors
/// As [`linearize_by`], and those of the strategy in a block.
pub(crate) fn linearized(
    function: &CodeList,
    interface: Interface<'_>,
    level: Level,
    strategy: &Strategy,
) -> Result<Box<Linearization>, Error> {
    InBlocks { level, strategy, answers: RefCell::default() }.linearized(function, interface)
}

/// What has been asked of the lists in blocks.
struct InBlocks<'a> {
    level: Level,
    strategy: &'a Strategy,
    /// By the address of a list, which is kept, so that no other list has it.
    answers: RefCell<HashMap<*const CodeList, Answers>>,
}

/// What is known of a list.
struct Answers {
    /// The list itself.
    _list: Arc<CodeList>,
    graphs: Answered<Linearization>,
    derivatives: Answered<Derivative>,
}

/// What has been asked, and the answers.
type Answered<T> = Vec<(Question, Rc<T>)>;

/// An interface, as far as those of lists in blocks differ.
#[derive(PartialEq)]
struct Question {
    is_active: Vec<bool>,
    seed: Seed,
    may_reverse: Reversed,
    is_outline: bool,
}

/// The seeds of lists in blocks.
#[derive(PartialEq)]
enum Seed {
    None,
    Iteration(Iteration),
    Adjoints { rows: usize, of_results: Vec<Vec<Companion>> },
}

impl Question {
    /// None of an interface that no list in a block has.
    fn of(interface: Interface<'_>) -> Option<Question> {
        let Interface { is_active, charts, first_dependent, has_values, seed, gradient_of, is_symmetric, .. } =
            interface;
        let is_whole = charts.is_empty() && first_dependent == 0 && has_values;
        let seed = match seed {
            _ if !is_whole || gradient_of != SeedKind::None || is_symmetric => return None,
            SeedKind::None => Seed::None,
            SeedKind::Iteration(iteration) => Seed::Iteration(iteration.clone()),
            SeedKind::Adjoints { rows, of_results } => Seed::Adjoints { rows, of_results: of_results.to_vec() },
            SeedKind::Tangent | SeedKind::Cotangent | SeedKind::Sum => return None,
        };
        let Interface { may_reverse, is_outline, .. } = interface;
        Some(Question { is_active: is_active.to_vec(), seed, may_reverse, is_outline })
    }
}

impl InBlocks<'_> {
    fn linearized(&self, list: &CodeList, interface: Interface<'_>) -> Result<Box<Linearization>, Error> {
        let mut linearization = linearize_by(list, interface, self)?;
        if self.level == Level::Statement {
            preaccumulate(&mut linearization);
        }
        Ok(linearization)
    }

    /// The answer to a question, which is computed if it has not been asked before.
    fn answer<T>(
        &self,
        list: &Arc<CodeList>,
        interface: Interface<'_>,
        known: fn(&mut Answers) -> &mut Answered<T>,
        compute: &dyn Fn() -> Result<T, Error>,
    ) -> Result<Rc<T>, Error> {
        let Some(question) = Question::of(interface) else { return Ok(Rc::new(compute()?)) };
        let place = Arc::as_ptr(list);
        if let Some(answers) = self.answers.borrow_mut().get_mut(&place)
            && let Some((_, answer)) = known(answers).iter().find(|(asked, _)| *asked == question)
        {
            return Ok(Rc::clone(answer));
        }
        let answer = Rc::new(compute()?);
        let mut answers = self.answers.borrow_mut();
        let of_list = answers.entry(place).or_insert_with(|| Answers::none(list));
        known(of_list).push((question, Rc::clone(&answer)));
        Ok(answer)
    }
}

impl Answers {
    fn none(list: &Arc<CodeList>) -> Answers {
        Answers { _list: Arc::clone(list), graphs: Vec::new(), derivatives: Vec::new() }
    }
}

impl Inner for InBlocks<'_> {
    fn linearize(&self, list: &Arc<CodeList>, interface: Interface<'_>) -> Result<Rc<Linearization>, Error> {
        self.answer(list, interface, |answers| &mut answers.graphs, &|| Ok(*linearize_by(list, interface, self)?))
    }

    fn differentiate(&self, list: &Arc<CodeList>, interface: Interface<'_>) -> Result<Rc<Derivative>, Error> {
        let derivative = || accumulated(self.linearized(list, interface)?, self.strategy);
        self.answer(list, interface, |answers| &mut answers.derivatives, &derivative)
    }
}

/// Not in the frame of the caller, which stays while what is in the list is differentiated.
#[inline(never)]
fn accumulated(linearization: Box<Linearization>, strategy: &Strategy) -> Result<Derivative, Error> {
    let (_, elimination) = strategy.eliminate(&linearization)?;
    Ok(accumulate_arm(*linearization, &elimination.program))
}
