//! Random graphs as texts.

use crate::support::random::Random;

/// The text of a graph of up to 14 vertices in random roles, with parallel edges and with labels of these kinds.
pub fn random_text(kinds: &[&str], random: &mut Random) -> String {
    let vertices = 3 + random.below(12);
    let independents = 1 + random.below(3.min(vertices - 2));
    let columns: Vec<_> = (0..independents).rev().map(|vertex| vertex.to_string()).collect();
    let is_row = |vertex: &usize, random: &mut Random| vertex + 1 == vertices || random.below(4) == 0;
    let rows: Vec<_> =
        (0..vertices).rev().filter(|vertex| is_row(vertex, random)).map(|vertex| vertex.to_string()).collect();
    let mut text = format!("vertices {vertices}\nindep {}\ndep {}\n", columns.join(" "), rows.join(" "));
    for _ in 0..2 * vertices {
        let target = independents + random.below(vertices - independents);
        text += &format!("edge {} {target} {}\n", random.below(target), kinds[random.below(kinds.len())]);
    }
    text
}
