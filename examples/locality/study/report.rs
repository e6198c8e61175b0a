//! The study as text: tables in Markdown.

use std::fmt;

use super::fit::{Line, line, median};
use super::variants::SCHEDULES;
use super::{Finding, Study};

/// A count by which the time is fitted: its name, the count, and what it explained in the paper of Tadjouddine, Bodman,
/// Pryce and Forth.
type Regressor = (&'static str, fn(&Finding) -> f64, &'static str);

const REGRESSORS: [Regressor; 4] = [
    ("flops", |finding| finding.counts.flops as f64, "0.87"),
    ("loads + stores", |finding| finding.counts.traffic() as f64, "0.99"),
    ("instructions", |finding| finding.instructions.unwrap_or_default() as f64, "-"),
    ("loads + stores of the model", |finding| finding.prediction.traffic.total() as f64, "-"),
];

/// A figure of which schedules are compared.
type Measure = (&'static str, fn(&Finding) -> f64);

const MEASURES: [Measure; 4] = [
    ("flops", |finding| finding.counts.flops as f64),
    ("loads + stores", |finding| finding.counts.traffic() as f64),
    ("instructions", |finding| finding.instructions.unwrap_or_default() as f64),
    ("time", |finding| finding.time),
];

impl fmt::Display for Study {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (label, findings) in &self.functions {
            writeln!(formatter, "## `{label}`\n")?;
            write_findings(formatter, findings)?;
            write_ratios(formatter, findings)?;
        }
        write_fits(formatter, &self.functions)?;
        write_relative_fits(formatter, &self.functions)
    }
}

fn write_findings(out: &mut fmt::Formatter<'_>, findings: &[Finding]) -> fmt::Result {
    writeln!(out, "| order | schedule | statements | flops | loads | stores | instructions | ns | live | model |")?;
    writeln!(out, "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")?;
    for Finding { order, schedule, statements, counts, prediction, instructions, time } in findings {
        let instructions = instructions.map_or("-".into(), |instructions| instructions.to_string());
        let (live, model) = (prediction.live, prediction.traffic.total());
        let (flops, loads, stores) = (counts.flops, counts.loads, counts.stores);
        writeln!(
            out,
            "| {order} | {schedule} | {statements} | {flops} | {loads} | {stores} | {instructions} | {time:.1} | {live} | {model} |"
        )?;
    }
    writeln!(out)
}

/// A figure of each schedule but `source` as a part of that of `source`, under every elimination order.
fn ratios(findings: &[Finding], index: usize, measure: fn(&Finding) -> f64) -> Vec<f64> {
    let orders = findings.chunks_exact(SCHEDULES.len());
    orders.map(|order| measure(&order[index]) / measure(&order[0])).collect()
}

/// What each schedule takes of what `source` takes, under the same elimination order: the least, the median, the most.
fn write_ratios(out: &mut fmt::Formatter<'_>, findings: &[Finding]) -> fmt::Result {
    writeln!(out, "| relative to `source` | {} |", MEASURES.map(|(name, _)| name).join(" | "))?;
    writeln!(out, "|---|{}", "---|".repeat(MEASURES.len()))?;
    for (index, schedule) in SCHEDULES.iter().enumerate().skip(1) {
        write!(out, "| {schedule} |")?;
        for (_, measure) in MEASURES {
            let mut ratios = ratios(findings, index, measure);
            ratios.retain(|ratio| ratio.is_finite());
            match ratios.is_empty() {
                true => write!(out, " - |")?,
                false => {
                    let middle = median(&mut ratios);
                    write!(out, " {:.3} to {:.3}, median {middle:.3} |", ratios[0], ratios[ratios.len() - 1])?;
                }
            }
        }
        writeln!(out)?;
    }
    writeln!(out)
}

/// How much of what a schedule changes about the time the change of a count explains.
fn write_relative_fits(out: &mut fmt::Formatter<'_>, functions: &[(&'static str, Vec<Finding>)]) -> fmt::Result {
    writeln!(out, "\n## Fits of the same relative to `source`\n")?;
    writeln!(out, "| function | count | a | explained variability |\n|---|---|---:|---:|")?;
    for (label, findings) in functions {
        for (count, of, _) in REGRESSORS {
            let all = |measure| (1..SCHEDULES.len()).flat_map(move |index| ratios(findings, index, measure));
            let points: Vec<_> = all(of).zip(all(|finding| finding.time)).collect();
            match line(&points) {
                Some(line) => writeln!(out, "| `{label}` | {count} | {:.2} | {:.2} |", line.slope, line.explained)?,
                None => writeln!(out, "| `{label}` | {count} | - | - |")?,
            }
        }
    }
    Ok(())
}

fn write_fits(out: &mut fmt::Formatter<'_>, functions: &[(&'static str, Vec<Finding>)]) -> fmt::Result {
    writeln!(out, "## Fits `time = a * count + b`\n")?;
    writeln!(
        out,
        "| functions | count | a | b | explained variability | in the paper |\n|---|---|---:|---:|---:|---:|"
    )?;
    let small: Vec<_> = functions.iter().take(2).collect();
    let groups = functions.iter().map(|function| vec![function]).chain((small.len() == 2).then_some(small));
    for group in groups {
        let labels: Vec<_> = group.iter().map(|(label, _)| format!("`{label}`")).collect();
        let findings: Vec<_> = group.iter().flat_map(|(_, findings)| findings).collect();
        for (count, of, paper) in REGRESSORS {
            let points: Vec<_> = findings.iter().map(|finding| (of(finding), finding.time)).collect();
            let labels = labels.join(" and ");
            match line(&points) {
                Some(Line { slope, intercept, explained }) => {
                    writeln!(out, "| {labels} | {count} | {slope:.4} | {intercept:.1} | {explained:.2} | {paper} |")?;
                }
                None => writeln!(out, "| {labels} | {count} | - | - | - | {paper} |")?,
            }
        }
    }
    Ok(())
}
