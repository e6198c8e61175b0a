//! The strategies that the tests try: those of the tables, so that a new row takes part without being named.

use std::collections::BTreeMap;

use jacobian_core::Strategy;
use jacobian_core::strategy::{MODES, PORTFOLIO, PRESETS};

/// Every preset but `auto`, every hierarchy of the portfolio, and every filter alone; each order once.
pub fn hierarchies() -> Vec<Strategy> {
    let presets = PRESETS.iter().map(|preset| preset.name.to_string()).filter(|name| name != "auto");
    let portfolio = PORTFOLIO.iter().map(|hierarchy| hierarchy.to_string());
    let filters = MODES
        .iter()
        .flat_map(|mode| (mode.filters)().into_iter().map(|filter| format!("{}: {}", mode.name, filter.name)));
    let parse = |text: String| text.parse::<Strategy>().expect("a strategy");
    let different: BTreeMap<String, Strategy> =
        presets.chain(portfolio).chain(filters).map(parse).map(|strategy| (strategy.to_string(), strategy)).collect();
    different.into_values().collect()
}
