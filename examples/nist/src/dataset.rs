//! Reads a NIST StRD nonlinear regression file.
//!
//! Takes the text of a file as NIST lays it out: a header that says at which lines the starting values, the certified
//! values and the data are, a table of parameters, and the observations, response first. Gives a [`Dataset`], or a
//! [`ParseError`] that names the line. Nothing is guessed: a row with one number too few, a parameter out of order or
//! a count that differs from what the file says of itself is an error.

use std::{error, fmt, ops::RangeInclusive, str::FromStr};

/// A regression problem in `N` parameters.
pub struct Dataset<const N: usize> {
    pub starts: [[f64; N]; 2],
    pub certified: [f64; N],
    pub observations: Vec<Observation>,
}

/// The response `y` that was observed at the predictor `x`.
pub struct Observation {
    pub x: f64,
    pub y: f64,
}

/// What is wrong, and in which line (counted from 1, as in the header of the file).
#[derive(Debug)]
pub struct ParseError {
    line: usize,
    message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl error::Error for ParseError {}

impl<const N: usize> Dataset<N> {
    /// The parameters that the file knows: both starting points and the certified values.
    pub fn points(&self) -> impl Iterator<Item = &[f64; N]> {
        self.starts.iter().chain([&self.certified])
    }
}

impl<const N: usize> FromStr for Dataset<N> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let lines: Vec<&str> = text.lines().collect();
        let (starts, certified) = parameters(&lines)?;
        let observations = observations(&lines)?;
        Ok(Self { starts, certified, observations })
    }
}

/// The two starting points and the certified values, which share their rows: `b1 = start1 start2 certified deviation`.
fn parameters<const N: usize>(lines: &[&str]) -> Result<([[f64; N]; 2], [f64; N]), ParseError> {
    let range = announced(lines, "Starting Values")?;
    let rows = range.clone().count();
    if rows != N {
        let message = format!("{rows} parameters are announced, but the model has {N}");
        return Err(error(*range.start(), message));
    }
    let (mut starts, mut certified) = ([[0.0; N]; 2], [0.0; N]);
    for (i, number) in range.enumerate() {
        let [start1, start2, value, _deviation] = parameter_row(lines, number, i + 1)?;
        starts[0][i] = start1;
        starts[1][i] = start2;
        certified[i] = value;
    }
    Ok((starts, certified))
}

/// The four numbers of the row of the parameter b`index`.
fn parameter_row(lines: &[&str], number: usize, index: usize) -> Result<[f64; 4], ParseError> {
    let line = lines[number - 1];
    let Some((name, values)) = line.split_once('=') else {
        return Err(error(number, format!("no parameter row: {line:?}")));
    };
    if name.trim() != format!("b{index}") {
        let message = format!("parameter b{index} was expected, found {:?}", name.trim());
        return Err(error(number, message));
    }
    floats(number, values)
}

fn observations(lines: &[&str]) -> Result<Vec<Observation>, ParseError> {
    let range = announced(lines, "Data")?;
    let observations = range
        .map(|number| floats(number, lines[number - 1]).map(|[y, x]| Observation { x, y }))
        .collect::<Result<Vec<_>, _>>()?;
    let (number, stated) = stated_count(lines)?;
    if stated != observations.len() {
        let found = observations.len();
        let message = format!("{stated} observations are stated, {found} are announced");
        return Err(error(number, message));
    }
    Ok(observations)
}

/// The number of observations that the file states beside its certified values, and the line where it does.
fn stated_count(lines: &[&str]) -> Result<(usize, usize), ParseError> {
    const LABEL: &str = "Number of Observations:";
    let found = numbered(lines).find_map(|(number, line)| Some((number, line.strip_prefix(LABEL)?)));
    let (number, count) = found.ok_or_else(|| error(1, format!("no line {LABEL:?}")))?;
    let count = count.trim().parse();
    let count = count.map_err(|e| error(number, format!("no number of observations: {e}")))?;
    Ok((number, count))
}

/// The range of lines that the header announces for a section, as in `Data (lines 61 to 274)`.
fn announced(lines: &[&str], section: &str) -> Result<RangeInclusive<usize>, ParseError> {
    let found = numbered(lines).find_map(|(number, line)| {
        let range = line.strip_prefix(section)?.trim().strip_prefix("(lines")?;
        Some((number, range.strip_suffix(')')?))
    });
    let (number, range) = found.ok_or_else(|| error(1, format!("no header entry `{section} (lines A to B)`")))?;
    let bounds = range.split_once("to").and_then(|(first, last)| {
        let bounds = first.trim().parse().ok()?..=last.trim().parse().ok()?;
        let inside = *bounds.start() >= 1 && *bounds.end() <= lines.len();
        (inside && !bounds.is_empty()).then_some(bounds)
    });
    bounds.ok_or_else(|| error(number, format!("not a range of lines of this file: {}", range.trim())))
}

/// Exactly `K` numbers, separated by blanks.
fn floats<const K: usize>(number: usize, text: &str) -> Result<[f64; K], ParseError> {
    let parse = |word: &str| {
        let value = word.parse::<f64>();
        value.map_err(|e| error(number, format!("{word:?} is no number: {e}")))
    };
    let values = text.split_whitespace().map(parse).collect::<Result<Vec<_>, _>>()?;
    let wrong_count = |values: Vec<f64>| error(number, format!("{K} numbers were expected, found {}", values.len()));
    values.try_into().map_err(wrong_count)
}

/// The lines, trimmed, with their numbers from 1.
fn numbered<'a>(lines: &[&'a str]) -> impl Iterator<Item = (usize, &'a str)> {
    lines.iter().enumerate().map(|(i, line)| (i + 1, line.trim()))
}

fn error(line: usize, message: String) -> ParseError {
    ParseError { line, message }
}
