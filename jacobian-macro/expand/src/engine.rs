//! What the options ask of the engine: the strategy, the steps of a search, the level, the schedule, the packing.

use std::str::FromStr;

use jacobian_core::linearize::LEVELS;
use jacobian_core::pack::PACKINGS;
use jacobian_core::pipeline::Settings;
use jacobian_core::strategy::MAX_STEPS;
use jacobian_lower::diagnostics::Errors;
use jacobian_lower::read::options::{self, Asked, Options};
use jacobian_lower::refuse;
use proc_macro2::{Span, TokenStream};
use syn::LitStr;

/// Reads the options, and what they ask of the engine.
pub fn parse(tokens: TokenStream, errors: &mut Errors) -> Options {
    parse_over(Options::default(), tokens, errors)
}

/// Reads options that are above others.
pub fn parse_over(options: Options, tokens: TokenStream, errors: &mut Errors) -> Options {
    let options = options::parse_over(options, tokens, errors);
    read(&options.engine, errors);
    options
}

/// What is asked of the engine; what cannot be read is as if it were not asked for, and has been reported.
pub fn settings(options: &Options) -> Settings {
    read(&options.engine, &mut Errors::default())
}

/// Where the strategy is written, if it is.
pub fn strategy_place(options: &Options) -> Option<Span> {
    options.engine.strategy.as_ref().map(LitStr::span)
}

fn read(asked: &Asked, errors: &mut Errors) -> Settings {
    let Asked { strategy, steps, level, schedule, packing } = asked;
    let mut settings = Settings::default();
    set(&mut settings.strategy, strategy, &parsed, errors);
    set(&mut settings.level, level, &|text| options::one_of("level", LEVELS, text), errors);
    set(&mut settings.schedule, schedule, &parsed, errors);
    set(&mut settings.packing, packing, &|text| options::one_of("packing", PACKINGS, text), errors);
    if let Some(number) = steps {
        match number.base10_parse().ok().filter(|steps| *steps <= MAX_STEPS) {
            Some(steps) => match settings.strategy.with_steps(steps) {
                Some(strategy) => settings.strategy = strategy,
                None if errors.is_empty() => {
                    errors.at_span(number.span(), refuse::steps_of_no_search(&settings.strategy));
                }
                None => {}
            },
            None => errors.at_span(number.span(), refuse::steps_expected(MAX_STEPS)),
        }
    }
    settings
}

/// Sets what a text says, if there is one that says it.
fn set<T>(setting: &mut T, text: &Option<LitStr>, read: &dyn Fn(&LitStr) -> syn::Result<T>, errors: &mut Errors) {
    match text.as_ref().map(read) {
        Some(Ok(value)) => *setting = value,
        Some(Err(error)) => errors.push(error),
        None => {}
    }
}

/// What a text is parsed as.
fn parsed<T: FromStr<Err: std::fmt::Display>>(text: &LitStr) -> syn::Result<T> {
    text.value().parse().map_err(|error| syn::Error::new(text.span(), error))
}
