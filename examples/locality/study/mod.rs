//! The study: variants of Jacobians in, their counts and times out.

mod fit;
pub mod functions;
mod machine_code;
mod model;
mod program;
mod report;
mod variants;

use std::error::Error;

use self::functions::Function;
use self::machine_code::Counts;
use self::model::Prediction;
use self::program::Program;
use self::variants::{SCHEDULES, variants};

/// How much is studied.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Extent<'a> {
    /// Two elimination orders, few rounds.
    Quick,
    /// All elimination orders whose names begin like this.
    Full(&'a str),
}

impl Extent<'_> {
    fn rounds(self) -> usize {
        match self {
            Extent::Quick => 5,
            Extent::Full(_) => 201,
        }
    }
}

/// What has been found out about a variant.
pub struct Finding {
    /// Level and order, such as `CL-P-M`.
    pub order: String,
    /// The name of its schedule.
    pub schedule: &'static str,
    /// The statements of its source text.
    pub statements: usize,
    /// The counts of its machine code.
    pub counts: Counts,
    /// What the model of memory traffic predicts.
    pub prediction: Prediction,
    /// The instructions of a call, where callgrind is installed.
    pub instructions: Option<u64>,
    /// The nanoseconds of a call, the median of all rounds.
    pub time: f64,
}

/// What has been found out about the variants of some functions.
pub struct Study {
    /// By function: its label, and its variants, those of an elimination order one after another, in the order of the
    /// schedules.
    pub functions: Vec<(&'static str, Vec<Finding>)>,
}

impl Study {
    /// Studies some functions.
    ///
    /// # Errors
    /// Where the machine code of this machine cannot be counted, something does not compile, or schedules differ in a
    /// bit of a result.
    pub fn run(functions: &[Function], extent: Extent<'_>) -> Result<Study, Box<dyn Error>> {
        if !cfg!(target_arch = "x86_64") {
            return Err("only the machine code of x86-64 can be counted".into());
        }
        let findings = functions.iter().map(|function| Ok((function.label, study(function, extent)?)));
        Ok(Study { functions: findings.collect::<Result<_, Box<dyn Error>>>()? })
    }
}

fn study(function: &Function, extent: Extent<'_>) -> Result<Vec<Finding>, Box<dyn Error>> {
    let (variants, codes) = variants(function, extent)?;
    eprintln!("{}: {} variants, {} different codes", function.label, variants.len(), codes.len());
    let program = Program::build(function, &variants, &codes)?;
    let instructions = program.instructions()?;
    let mut times = program.times(extent.rounds())?;
    let times: Vec<_> = times.iter_mut().map(|times| fit::median(times)).collect();
    let finding = |variant: variants::Variant| Finding {
        order: variant.order,
        schedule: SCHEDULES[variant.schedule],
        statements: codes[variant.code].statements,
        counts: program.counts[variant.code],
        prediction: codes[variant.code].prediction,
        instructions: instructions.as_ref().map(|instructions| instructions[variant.code]),
        time: times[variant.code],
    };
    Ok(variants.into_iter().map(finding).collect())
}
