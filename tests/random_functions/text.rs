//! Text that stands for two functions: the one that is differentiated, and its twin over dual numbers. Most of it is
//! the same in both; where it differs, there are marks.

/// The type of the active floats: a float, or a dual number in the twin.
pub const REAL: &str = "Real";

/// The type of the passive floats: a float in both.
pub const NUM: &str = "Num";

/// A passive float, which the twin makes a dual number.
pub fn passive(text: &str) -> String {
    format!("⟦{text}⟧")
}

/// Text that differs.
pub fn either(function: &str, twin: &str) -> String {
    format!("⟪{function}|{twin}⟫")
}

/// The text of the function over `float`.
pub fn function(text: &str, float: &str) -> String {
    chosen(text, 0).replace(['⟦', '⟧'], "").replace(REAL, float).replace(NUM, float)
}

/// The text of the twin.
pub fn twin(text: &str, float: &str) -> String {
    chosen(text, 1).replace('⟦', "c(").replace('⟧', ")").replace(REAL, "Dual").replace(NUM, float)
}

fn chosen(text: &str, side: usize) -> String {
    let mut parts = text.split('⟪');
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (marked, rest) = part.split_once('⟫').expect("marks are closed");
        result += marked.split('|').nth(side).expect("marks have two sides");
        result += rest;
    }
    result
}
