//! The strategies that the tests try: those of the tables, so that a new row takes part without being named.

use std::collections::BTreeMap;

use jacobian_core::Strategy;
use jacobian_core::eliminate::Mode;
use jacobian_core::eliminate::vertex::Vertex;
use jacobian_core::strategy::{PORTFOLIO, PRESETS};

/// Every preset but `auto`, every hierarchy of the portfolio, and every filter alone; each order once.
pub fn hierarchies() -> Vec<Strategy> {
    let presets = PRESETS.iter().map(|preset| preset.name.to_string()).filter(|name| name != "auto");
    let portfolio = PORTFOLIO.iter().map(|hierarchy| hierarchy.to_string());
    let filters = Vertex::HEURISTICS.iter().map(|filter| format!("{}: {}", Vertex::NAME, filter.name));
    let parse = |text: String| text.parse::<Strategy>().expect("a strategy");
    let different: BTreeMap<String, Strategy> =
        presets.chain(portfolio).chain(filters).map(parse).map(|strategy| (strategy.to_string(), strategy)).collect();
    different.into_values().collect()
}
