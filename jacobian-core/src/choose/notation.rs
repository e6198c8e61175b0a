//! How strategies are written. Only texts of users come here: what the engine itself says of strategies has types.
//!
//! ```text
//! strategy = preset | mode ":" order
//! order    = filter { ">" filter } | "optimal" | search | "order" "(" [ target { "," target } ] ")"
//! search   = "search" [ "(" setting { "," setting } ")" ]
//! setting  = "steps" "=" number | "seed" "=" number
//! ```
//!
//! Targets are written as in [`crate::eliminate::target`].

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use crate::choose::modes::{Filter, MODES, ModeRow};
use crate::choose::order::Order;
use crate::choose::strategy::{MAX_STEPS, PRESETS, Strategy};
use crate::eliminate::target::read;
use crate::eliminate::{MAX_FILTERS, Target};

/// Why a text names no strategy. Its message lists what is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyError(String);

impl fmt::Display for StrategyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for StrategyError {}

impl FromStr for Strategy {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let Some((mode, order)) = text.split_once(':') else { return preset(text.trim()) };
        let Some(row) = MODES.iter().find(|row| row.name == mode.trim()) else {
            let known = list(MODES.iter().map(|row| row.name));
            return Err(StrategyError(format!("unknown mode `{}`; known: {known}", mode.trim())));
        };
        Ok(Strategy::Order(order_of(row, order.trim())?))
    }
}

/// Reads what follows the mode.
fn order_of(mode: &ModeRow, text: &str) -> Result<Rc<dyn Order>, StrategyError> {
    match split(text)? {
        Word::Search(settings) => Ok(settings.applied(Rc::new(mode.search))),
        Word::Given(targets) => given(mode, targets),
        Word::Name("optimal") => Ok(Rc::new(mode.optimal)),
        Word::Name(_) => hierarchy(mode, text),
    }
}

/// What follows a mode, or a preset.
enum Word<'a> {
    /// `search`, and what is given with it.
    Search(Settings),
    /// What is in `order(...)`.
    Given(&'a str),
    /// Anything else.
    Name(&'a str),
}

/// What is given with a search.
#[derive(Copy, Clone, Default)]
struct Settings {
    steps: Option<usize>,
    seed: Option<u64>,
}

impl Settings {
    /// The search with these.
    fn applied(self, search: Rc<dyn Order>) -> Rc<dyn Order> {
        let search = self.steps.and_then(|steps| search.with_steps(steps)).unwrap_or(search);
        self.seed.and_then(|seed| search.with_seed(seed)).unwrap_or(search)
    }
}

fn split(text: &str) -> Result<Word<'_>, StrategyError> {
    let (word, inner) = match text.split_once('(') {
        Some((word, rest)) => (word.trim(), Some(rest.trim().strip_suffix(')'))),
        None => (text, None),
    };
    match (word, inner) {
        ("search", None) => Ok(Word::Search(Settings::default())),
        ("search", Some(inner)) => match inner.and_then(settings) {
            Some(Settings { steps: Some(steps), .. }) if steps > MAX_STEPS => {
                Err(StrategyError(format!("a search takes at most {MAX_STEPS} steps")))
            }
            Some(Settings { seed: Some(0), .. }) => Err(StrategyError("the seed of a search is 1 or more".into())),
            Some(settings) => Ok(Word::Search(settings)),
            None => Err(StrategyError(format!(
                "a search is written `search`, `search(steps = 1000)` or `search(steps = 1000, seed = 2)`, not `{text}`"
            ))),
        },
        ("order", Some(Some(targets))) => Ok(Word::Given(targets)),
        ("order", _) => Err(StrategyError(format!("an order is written `order(3, 2)`, not `{text}`"))),
        _ => Ok(Word::Name(text)),
    }
}

/// Reads `steps = N`, `seed = K`, or both.
fn settings(text: &str) -> Option<Settings> {
    let mut settings = Settings::default();
    for setting in text.split(',') {
        let (name, number) = setting.split_once('=')?;
        let number = number.trim().replace('_', "");
        if number.is_empty() || !number.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        match name.trim() {
            "steps" if settings.steps.is_none() => settings.steps = Some(number.parse().unwrap_or(usize::MAX)),
            "seed" if settings.seed.is_none() => settings.seed = Some(number.parse().ok()?),
            _ => return None,
        }
    }
    Some(settings)
}

fn given(mode: &ModeRow, text: &str) -> Result<Rc<dyn Order>, StrategyError> {
    let name = mode.name;
    let expected = || format!("the mode `{name}` orders {}", mode.written);
    let targets = read(text).map_err(|rest| StrategyError(format!("`{rest}` is no target; {}", expected())))?;
    let Some(order) = (mode.given)(&targets) else {
        let alone = targets.iter().find(|&&target| (mode.given)(&[target]).is_none()).expect("one of these");
        return Err(StrategyError(format!("`{alone}` is no target of the mode `{name}`; {}", expected())));
    };
    // Edges, faces and pairs may come back; a vertex that is gone does not.
    let is_vertex = |target: &&Target| matches!(target, Target::Vertex(_));
    let vertices: Vec<_> = targets.iter().filter(is_vertex).collect();
    match (1..vertices.len()).find(|&place| vertices[..place].contains(&vertices[place])) {
        Some(place) => Err(StrategyError(format!("the vertex {} stands twice in the order", vertices[place]))),
        None => Ok(order),
    }
}

/// Reads `filter > filter > ...`.
fn hierarchy(mode: &ModeRow, text: &str) -> Result<Rc<dyn Order>, StrategyError> {
    let filters = (mode.filters)();
    let places = text.split('>').map(|name| find(mode, &filters, name.trim())).collect::<Result<Vec<_>, _>>()?;
    // A total order is appended where there is none.
    let is_total = places.last().is_some_and(|&last| filters[last].is_total);
    if places.len() + usize::from(!is_total) > MAX_FILTERS {
        return Err(StrategyError(format!("a hierarchy has at most {MAX_FILTERS} filters")));
    }
    Ok((mode.hierarchy)(&places))
}

fn find(mode: &ModeRow, filters: &[Filter], name: &str) -> Result<usize, StrategyError> {
    let known = || list(filters.iter().map(|filter| filter.name));
    let message = match split(name)? {
        Word::Name("") => format!("a filter is missing; the filters of the mode `{}` are {}", mode.name, known()),
        Word::Name(name) if name != "optimal" => match filters.iter().position(|filter| filter.name == name) {
            Some(place) => return Ok(place),
            None => format!("unknown filter `{name}` of the mode `{}`; known: {}", mode.name, known()),
        },
        _ => {
            let alone = "follows the mode alone, and is no filter";
            format!("`{name}` {alone}; the filters of the mode `{}` are {}", mode.name, known())
        }
    };
    Err(StrategyError(message))
}

fn preset(name: &str) -> Result<Strategy, StrategyError> {
    let (word, settings) = match split(name)? {
        Word::Search(settings) => ("search", settings),
        Word::Given(_) => {
            return Err(StrategyError("an order follows a mode, for instance `vertex: order(3, 2)`".into()));
        }
        Word::Name(name) => (name, Settings::default()),
    };
    if MODES.iter().any(|row| row.name == word) {
        return Err(StrategyError(format!("`{word}` is a mode: filters follow it, for instance `{word}: forward`")));
    }
    let preset = PRESETS.iter().find(|preset| preset.name == word).ok_or_else(|| {
        let filters = (MODES[0].filters)();
        StrategyError(format!(
            "unknown strategy `{name}`; known: {}, or a hierarchy such as `vertex: pre > markowitz > reverse` of the filters {}",
            list(PRESETS.iter().map(|preset| preset.name)),
            list(filters.iter().map(|filter| filter.name)),
        ))
    })?;
    Ok(match (preset.strategy)() {
        Strategy::Order(order) => Strategy::Order(settings.applied(order)),
        Strategy::Auto => Strategy::Auto,
    })
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::hierarchy::PORTFOLIO;
    use crate::choose::strategy::all;

    fn parse(text: &str) -> Result<Strategy, String> {
        text.parse().map_err(|error: StrategyError| error.to_string())
    }

    #[test]
    fn every_strategy_reads_back_as_it_is_written() {
        for preset in PRESETS {
            assert_eq!(parse(preset.name).unwrap().to_string(), (preset.strategy)().to_string());
        }
        for strategy in all().into_iter().chain(PORTFOLIO.iter().map(|order| Strategy::of(order.clone()))) {
            assert_eq!(parse(&strategy.to_string()).unwrap().to_string(), strategy.to_string());
        }
    }

    #[test]
    fn a_total_order_is_appended() {
        assert_eq!(parse("vertex:pre>markowitz").unwrap().to_string(), "vertex: pre > markowitz > reverse");
        assert_eq!(parse(" vertex : forward ").unwrap().to_string(), "vertex: forward");
    }

    #[test]
    fn steps_are_those_of_searches() {
        assert_eq!(parse("search(steps = 1_000)").unwrap().to_string(), "vertex: search(steps = 1000)");
        assert_eq!(parse("path: search ( steps=7 )").unwrap().to_string(), "path: search(steps = 7)");
        assert!(parse("search(7)").unwrap_err().contains("is written"));
        assert!(parse("search(steps = 99999999999999999999)").unwrap_err().contains("at most 10000000 steps"));
    }

    #[test]
    fn seeds_are_those_of_searches() {
        assert_eq!(parse("search(seed = 7)").unwrap().to_string(), "vertex: search(seed = 7)");
        assert_eq!(
            parse("edge: search(seed=7,steps=1_000)").unwrap().to_string(),
            "edge: search(steps = 1000, seed = 7)"
        );
        // That of a search for which none is given.
        assert_eq!(parse("edge: search(steps = 9, seed = 1)").unwrap().to_string(), "edge: search(steps = 9)");
        assert_eq!(parse("face: search(seed = 0)").unwrap_err(), "the seed of a search is 1 or more");
        for wrong in [
            "search()",
            "search(seed)",
            "search(seed = 7, seed = 8)",
            "search(seed = -7)",
            "search(seed = 99999999999999999999)",
            "search(steps = 7,)",
            "edge: search(runs = 3)",
        ] {
            assert!(parse(wrong).unwrap_err().contains("`search(steps = 1000, seed = 2)`"), "{wrong}");
        }
        assert!(parse("auto(seed = 7)").unwrap_err().starts_with("unknown strategy"));
    }

    #[test]
    fn orders_are_given_target_by_target() {
        for written in [
            "vertex: order()",
            "vertex: order(3, 2)",
            "edge: order((2,3)f, (0,2)b, 4)",
            "face: order((2,3,7), (0,2,7)@2)",
            "path: order({c[2,3],c[3,7]}, {c[0,2],t1})",
        ] {
            assert_eq!(parse(written).unwrap().to_string(), written);
        }
        assert_eq!(parse("vertex:order( 3,2 )").unwrap().to_string(), "vertex: order(3, 2)");
    }

    #[test]
    fn errors_list_what_is_known() {
        assert!(parse("fast").unwrap_err().contains("`auto`, `forward`"));
        assert!(parse("vertex: fast").unwrap_err().contains("known: `forward`, `reverse`, `breadth-first`"));
        assert!(parse("vortex: forward").unwrap_err().contains("known: `vertex`"));
        assert!(parse("vertex:").is_err());
        assert!(parse("vertex: pre > pre > pre > pre > pre > pre").unwrap_err().contains("at most 6"));
    }

    #[test]
    fn errors_say_what_an_order_names() {
        assert!(
            parse("vertex: order(3, x)").unwrap_err().starts_with("`x` is no target; the mode `vertex` orders the")
        );
        assert!(parse("vertex: order((2,3)f)").unwrap_err().starts_with("`(2,3)f` is no target of the mode `vertex`;"));
        assert!(parse("path: order(3)").unwrap_err().starts_with("`3` is no target of the mode `path`;"));
        assert_eq!(parse("vertex: order(3, 2, 3)").unwrap_err(), "the vertex 3 stands twice in the order");
        assert_eq!(parse("vertex: order(3").unwrap_err(), "an order is written `order(3, 2)`, not `order(3`");
        assert!(parse("order(3)").unwrap_err().contains("follows a mode"));
        assert!(parse("vertex: pre > order(3)").unwrap_err().starts_with("`order(3)` follows the mode alone"));
    }

    /// `cargo test -p jacobian-core -p jacobian-expand --lib messages -- --nocapture` prints all messages of both.
    #[test]
    fn messages_say_what_is_known() {
        let long = format!("vertex: {}", ["pre"; MAX_FILTERS + 1].join(" > "));
        for text in [
            "fast",
            "vortex: forward",
            "vertex",
            "vertex:",
            "vertex: fast",
            "vertex: pre > optimal",
            &long,
            "search(7)",
            "search(seed = 0)",
            "search(steps = 99999999999)",
            "order(3)",
            "vertex: order(3",
            "vertex: order(3, x)",
            "vertex: order((2,3)f)",
            "vertex: order(3, 3)",
        ] {
            let message = parse(text).unwrap_err();
            println!("strategy = {text:?}\n    {message}\n");
            let word = ["known: ", "are `", "at most", "is written", "or more", "for instance", "orders", "twice"];
            assert!(word.iter().any(|word| message.contains(word)), "what else may be written? {message}");
            assert!(!message.ends_with(['.', ' ', ';', ':']) && !message.contains("  "), "{message}");
        }
    }
}
