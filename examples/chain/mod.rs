//! A long function, of which expansion and build are timed.

use std::fmt::Write;

/// A function of this many statements, each on the oldest of the `width` values before it and on another of them: so
/// the width is the same from the start to the end.
pub fn chain(statements: usize, width: usize) -> String {
    let list = |first: usize| (first..first + width).map(|value| format!("v{value}")).collect::<Vec<_>>().join(", ");
    let mut text = format!("fn chain(x: &[f64; {width}]) -> [f64; {width}] {{\nlet [{}] = *x;\n", list(0));
    let mut seed = 1_u64;
    let mut random = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for next in width..statements + width {
        let (left, right) = (next - width, next - 1 - random(width - 1));
        let value = match random(6) {
            0 => format!("v{left} + v{right}"),
            1 => format!("v{left} - v{right}"),
            2 => format!("v{left}.sin() - v{right}"),
            3 => format!("0.5 * v{left} + v{right}"),
            _ => format!("v{left} * v{right}"),
        };
        writeln!(text, "let v{next} = {value};").expect("strings can be written");
    }
    writeln!(text, "[{}]\n}}", list(statements)).expect("strings can be written");
    text
}
