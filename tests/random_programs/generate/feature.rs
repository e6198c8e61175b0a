//! Parts of the language that random programs use only where they are switched on: one line of a table each.

use std::sync::OnceLock;

use super::super::tree::Statement;
use super::Generator;
use super::statement::Make;

/// A part of the language.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Constants in blocks, which shadow those of outer blocks and of the module.
    Constants,
    /// `use` in the outermost block of a function, of constants and of functions.
    Uses,
    /// The same in inner blocks.
    InnerUses,
    /// Functions in blocks, which shadow those of outer blocks and of the module.
    Functions,
    /// Constants of the module, and functions with constants of the same names.
    Modules,
    /// Generic parameters with the names of items.
    Generics,
    /// Items of modules that are configured.
    Configured,
    /// Integers that are typed by a later use only.
    LateIntegers,
    /// Loops over passive data, the bounds of which are not known.
    PassiveLoops,
    /// Loops that are not unrolled, and compute with variables.
    ActiveLoops,
    /// Slices of passive data, of any length, as parameters.
    Slices,
    /// Jumps under run-time conditions: out of loops, of several at once, of functions.
    Jumps,
    /// Indices into arrays of variables that are known only at run time, and mutable references to elements.
    Indices,
    /// Arrays of numbers and variables that loops change, and choose from.
    CarriedArrays,
    /// The options that say which loops are unrolled.
    Unrolling,
    /// Statements that have effects, and nothing else.
    Effects,
    /// Values that are not used, the computation of which has effects or panics.
    Unused,
    /// Structs of the module, with what is implemented for them.
    Structs,
    /// Traits of the module, of which some methods of structs are.
    Traits,
    /// Functions that take closures and functions, and functions of arrays of any length.
    Takers,
    /// Integers in structs.
    Fields,
    /// Functions that are generic over a type.
    TypeParameters,
    /// Options of variables.
    Options,
}

/// The switches, with names for `JACOBIAN_FEATURES=constants,uses`, which turns on more of them.
const NEW: &[(Feature, &str, bool)] = &[
    (Feature::Constants, "constants", true),
    (Feature::Uses, "uses", true),
    (Feature::InnerUses, "inner-uses", true),
    (Feature::Functions, "functions", true),
    (Feature::Modules, "modules", true),
    (Feature::Generics, "generics", true),
    (Feature::Configured, "configured", true),
    (Feature::LateIntegers, "late-integers", true),
    (Feature::PassiveLoops, "passive-loops", true),
    (Feature::ActiveLoops, "active-loops", true),
    (Feature::Slices, "slices", true),
    (Feature::Jumps, "jumps", true),
    (Feature::Indices, "indices", true),
    (Feature::CarriedArrays, "carried-arrays", true),
    (Feature::Unrolling, "unrolling", true),
    (Feature::Effects, "effects", true),
    (Feature::Unused, "unused", true),
    (Feature::Structs, "structs", true),
    (Feature::Traits, "traits", true),
    (Feature::Takers, "takers", true),
    (Feature::Fields, "fields", true),
    (Feature::TypeParameters, "type-parameters", true),
    // Of some hundred programs, one is refused: code that is left out tells of what type a literal is, or an `Option`.
    (Feature::Options, "options", false),
];

/// The statements that only some features have.
const STATEMENTS: &[(Feature, Make)] = &[
    (Feature::LateIntegers, Generator::late_integer),
    (Feature::PassiveLoops, Generator::passive_repeat),
    (Feature::ActiveLoops, Generator::active_repeat),
    (Feature::ActiveLoops, Generator::over_data),
    (Feature::Slices, Generator::over_slice),
    (Feature::CarriedArrays, Generator::carried_array),
    (Feature::Jumps, Generator::jumping),
    (Feature::Jumps, |generator, _| generator.let_jumping()),
    (Feature::Effects, Generator::effect),
    (Feature::Unused, Generator::unused),
    (Feature::Structs, Generator::let_struct),
    (Feature::Structs, Generator::change_of_struct),
    (Feature::Takers, Generator::let_taken),
    (Feature::Options, Generator::let_option),
    (Feature::Options, Generator::change_of_option),
    (Feature::Options, Generator::branch_on_option),
    (Feature::Options, Generator::let_else),
    (Feature::Options, Generator::tried),
    (Feature::Indices, Generator::element_reference),
];

/// Those that are on.
fn on() -> &'static [Feature] {
    static ON: OnceLock<Vec<Feature>> = OnceLock::new();
    ON.get_or_init(|| {
        let asked = std::env::var("JACOBIAN_FEATURES").unwrap_or_default();
        let asked: Vec<_> = asked.split(',').filter(|name| !name.is_empty()).collect();
        for name in &asked {
            assert!(*name == "all" || NEW.iter().any(|(_, own, _)| own == name), "there is no feature `{name}`");
        }
        let is_on = |name: &str, usual: bool| usual || asked.iter().any(|own| *own == name || *own == "all");
        NEW.iter().filter(|(_, name, usual)| is_on(name, *usual)).map(|(feature, ..)| *feature).collect()
    })
}

impl Generator {
    /// Whether programs use this.
    pub fn has(&self, feature: Feature) -> bool {
        on().contains(&feature)
    }

    /// How to make a statement of a feature, at times.
    pub fn new_statement(&mut self) -> Option<Make> {
        let makes = self.makes();
        (!makes.is_empty() && self.random.percent(25)).then(|| self.weighted(&makes))
    }

    /// Statements of features with which functions begin. Functions that are called note that they are.
    pub fn new_beginning(&mut self) -> Vec<Statement> {
        let makes = self.makes();
        if makes.is_empty() {
            return Vec::new();
        }
        let make = self.weighted(&makes);
        let mut statements = make(self, 0);
        if self.has(Feature::Unused) && !self.is_quiet && self.random.percent(60) {
            statements.push(Statement::Run(self.noted()));
        }
        statements
    }

    /// The statements that can be made here.
    fn makes(&self) -> Vec<(usize, Make)> {
        let can_be = |feature: &Feature| match feature {
            Feature::Effects | Feature::Unused => !self.is_quiet && self.has(*feature),
            Feature::Slices => !self.slices().is_empty(),
            Feature::Structs => !self.structs.is_empty(),
            Feature::Takers => self.callable.iter().any(|callable| callable.is_taker),
            Feature::Options => self.has_options,
            feature => self.has(*feature),
        };
        // Where there are options, there are many.
        let weight = |feature: &Feature| if *feature == Feature::Options { 3 } else { 1 };
        let makes = STATEMENTS.iter().filter(|(feature, _)| can_be(feature));
        makes.map(|(feature, make)| (weight(feature), *make)).collect()
    }
}
