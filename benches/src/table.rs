//! Tables in Markdown: a column for each function, a row for each way to compute its Jacobian.

use crate::case::Case;
use crate::column::Role;

/// A function and a figure for each of its ways; none where there is no figure.
pub struct Figures {
    /// The function.
    pub case: Case,
    /// By way.
    pub of_ways: Vec<Option<f64>>,
}

impl Figures {
    fn of(&self, name: &str) -> Option<f64> {
        let at = self.case.ways.iter().position(|way| way.name == name)?;
        self.of_ways[at]
    }

    /// The least figure among the ways of this role.
    fn least(&self, role: Role) -> Option<f64> {
        let ways = self.case.ways.iter().zip(&self.of_ways).filter(|(way, _)| way.role == role);
        ways.filter_map(|(_, figure)| *figure).min_by(f64::total_cmp)
    }

    /// What `auto` takes in the cheaper of its two forms.
    fn auto(&self) -> Option<f64> {
        self.cheaper(["auto, by value", "auto, in place"])
    }

    fn cheaper(&self, forms: [&str; 2]) -> Option<f64> {
        forms.into_iter().filter_map(|name| self.of(name)).min_by(f64::total_cmp)
    }

    /// What a loop that stays one takes, by the least of what is compared with it.
    pub fn ours_to_the_best_other(&self) -> Option<f64> {
        let ours = self.cheaper(["rolled, by value", "rolled, in place"]);
        ours.zip(self.least(Role::Other)).map(|(ours, other)| ours / other)
    }
}

/// The table of loops, whose columns have these heads.
pub fn by_heads(all: &[Figures], heads: &[String], unit: &str) -> String {
    let compared = all.iter().map(|figures| number(figures.ours_to_the_best_other(), 2));
    [ratios_of(all, heads.iter().cloned(), unit), row("rolled to the best other", compared)].concat()
}

/// The table of figures: `unit` is theirs, all but the first row are ratios to the function. Below, `auto` is compared.
pub fn table(all: &[Figures], unit: &str) -> String {
    let mut lines = vec![ratios(all, unit)];
    for (name, role) in [("auto to the best other", Role::Other), ("auto to the code by hand", Role::ByHand)] {
        lines.push(row(name, all.iter().map(|figures| ratio(figures.auto(), figures.least(role)))));
    }
    lines.concat()
}

/// The table without what compares.
pub fn ratios(all: &[Figures], unit: &str) -> String {
    let heads = all.iter().map(|figures| {
        let (columns, rows) = figures.case.size;
        format!("{} {columns} -> {rows}", figures.case.name)
    });
    ratios_of(all, heads, unit)
}

fn ratios_of(all: &[Figures], heads: impl Iterator<Item = String>, unit: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for way in all.iter().flat_map(|figures| &figures.case.ways).filter(|way| way.role != Role::Function) {
        if !names.contains(&way.name.as_str()) {
            names.push(&way.name);
        }
    }
    let mut lines = vec![row("ratio to f", heads), row("---", all.iter().map(|_| "---".into()))];
    lines.push(row(&format!("f, {unit}"), all.iter().map(|figures| number(figures.of("f"), 1))));
    for name in names {
        lines.push(row(name, all.iter().map(|figures| ratio(figures.of(name), figures.of("f")))));
    }
    lines.concat()
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<_> = std::iter::once(name.to_string()).chain(cells).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn ratio(figure: Option<f64>, to: Option<f64>) -> String {
    number(figure.zip(to).map(|(figure, to)| figure / to), 2)
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.digits$}"))
}
