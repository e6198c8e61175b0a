//! `cargo jacobian lcg --svg`: the graph before the elimination and after each of its steps, side by side, for documents.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::graph::{Drawing, Node};

/// More pictures than this are no picture.
const MAX_STEPS: usize = 12;

/// The space around a graph, and between two.
const MARGIN: f64 = 30.0;

/// Half of the height of a node.
const HALF: f64 = 13.0;

/// By how much nodes are farther from one another than on a page, across and down: there are labels between them.
const SPREAD: [f64; 2] = [1.3, 1.5];

/// The least width of a picture, for its title.
const LEAST: f64 = 264.0;

/// How a picture looks, in bright and in dark surroundings.
const STYLE: &str = "text{font:13px sans-serif;fill:#222;text-anchor:middle}.l{font-size:11px;fill:#777}\
    .t{text-anchor:start;font-weight:bold}rect{fill:#fff;stroke:#555}.independent{fill:#dbe9ff}.dependent{fill:#dff3df}\
    .gone{opacity:.25}line{stroke:#888;stroke-width:1.3}.new{stroke:#d2691e;stroke-width:2.2}";

/// The pictures.
///
/// # Errors
/// Where there are too many steps, or none that is one of the graph.
pub fn svg(drawing: &Drawing) -> Result<String, String> {
    if let Some(why) = drawing.why_no_edges {
        return Err(why.to_string());
    }
    if drawing.steps.len() > MAX_STEPS {
        let count = drawing.steps.len();
        return Err(format!("{count} eliminations are too many for a picture: `cargo jacobian report` shows them"));
    }
    let nodes: Vec<_> = drawing.nodes.iter().map(|node| (node, SPREAD[0] * node.x, SPREAD[1] * node.y)).collect();
    let half_width = |node: &Node| 12.0 + 3.9 * node.label.chars().count() as f64;
    let right = nodes.iter().map(|(node, x, _)| x + half_width(node)).fold(0.0, f64::max);
    let left = nodes.iter().map(|(node, x, _)| x - half_width(node)).fold(0.0, f64::min);
    let bottom = nodes.iter().map(|(.., y)| *y).fold(0.0, f64::max);
    let (width, height) = ((right - left + 2.0 * MARGIN).max(LEAST), bottom + 2.0 * HALF + 2.0 * MARGIN + 10.0);
    let all = width * (drawing.steps.len() + 1) as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {all:.0} \
         {height:.0}\"><style>{STYLE}</style><rect width=\"100%\" height=\"100%\" stroke=\"none\"/>\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#888\"/></marker></defs>\n"
    );
    let mut arcs: BTreeSet<[usize; 2]> = drawing.arcs.iter().map(|arc| [arc.source, arc.target]).collect();
    let mut fresh = BTreeSet::new();
    for index in 0..=drawing.steps.len() {
        let mut title = "before".to_string();
        if let Some(step) = index.checked_sub(1).map(|index| &drawing.steps[index]) {
            let ends =
                |edges: &[[u32; 2]]| edges.iter().map(|edge| edge.map(|end| end as usize)).collect::<BTreeSet<_>>();
            fresh = ends(&step.added);
            arcs = arcs.difference(&ends(&step.removed)).copied().chain(fresh.iter().copied()).collect();
            let multiplications = step.multiplications.unwrap_or_default();
            let plural = if multiplications == 1 { "" } else { "s" };
            let target =
                step.name.as_ref().map_or_else(|| step.target.clone(), |name| format!("{} ({name})", step.target));
            title = format!("without {target}: {multiplications} multiplication{plural}");
        }
        let x = width * index as f64 + MARGIN - left;
        let top = MARGIN + 10.0 + HALF;
        let _ = writeln!(
            text,
            "<text class=\"t\" x=\"{:.1}\" y=\"20\">{}</text>",
            x + left - MARGIN + 12.0,
            escaped(&title)
        );
        for &[source, target] in &arcs {
            let place = |id: usize| nodes.iter().find(|(node, ..)| node.id == id);
            let (Some((_, x1, y1)), Some((_, x2, y2))) = (place(source), place(target)) else { continue };
            let class = if fresh.contains(&[source, target]) { " class=\"new\"" } else { "" };
            let [x1, y1, x2, y2] = [x + x1, top + y1 + HALF, x + x2, top + y2 - HALF];
            let _ = writeln!(
                text,
                "<line{class} x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" marker-end=\"url(#a)\"/>"
            );
            let label = drawing.arcs.iter().find(|arc| index == 0 && [arc.source, arc.target] == [source, target]);
            if let Some(arc) = label {
                // Nearer to the end: labels of edges that cross do not meet.
                let [lx, ly] = [x1 + 0.68 * (x2 - x1) + 10.0, y1 + 0.68 * (y2 - y1)];
                let _ = writeln!(text, "<text class=\"l\" x=\"{lx:.1}\" y=\"{ly:.1}\">{}</text>", escaped(&arc.label));
            }
        }
        for &(node, across, down) in &nodes {
            let is_used = arcs.iter().any(|arc| arc.contains(&node.id));
            let gone = if is_used { "" } else { " gone" };
            let [left, wide] = [x + across - half_width(node), 2.0 * half_width(node)];
            let _ = writeln!(
                text,
                "<g class=\"{}\"><rect class=\"{}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"26\" rx=\"6\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
                gone.trim(),
                node.role,
                top + down - HALF,
                x + across,
                top + down + 4.5,
                escaped(&node.label)
            );
        }
    }
    Ok(text + "</svg>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
