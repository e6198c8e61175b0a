//! The line that a block begins with: `WORDS (VALUES) OPTIONS`.

use crate::code_list::{Kind, KnownRow, Local};
use crate::text::words::{KINDS, ORDERS};

/// A line that is read.
pub(super) struct Header<'a> {
    /// What precedes the arguments.
    pub(super) words: Vec<&'a str>,
    pub(super) args: Vec<&'a str>,
    pub(super) options: Options,
}

/// What follows the arguments.
#[derive(Default)]
pub(super) struct Options {
    /// What follows `gives`: the number of results of a call, or the kinds of those of an opaque statement.
    pub(super) gives: Option<Vec<String>>,
    /// What follows `carries`: how many of the arguments a loop carries from iteration to iteration.
    pub(super) carries: Option<usize>,
    /// What follows `with`: up to which order a call gives derivatives.
    pub(super) order: u8,
    /// What follows `entries`, or `unwanted`: what is known of the partials of a call.
    pub(super) local: Local,
    pub(super) origin: Option<u32>,
    pub(super) is_kept: bool,
}

impl<'a> TryFrom<&'a str> for Header<'a> {
    type Error = String;

    fn try_from(text: &'a str) -> Result<Self, String> {
        let parts = text.split_once('(').and_then(|(words, rest)| Some((words, rest.split_once(')')?)));
        let (words, (args, options)) = parts.ok_or("expected `(VALUES)`")?;
        let words = words.split_whitespace().collect();
        Ok(Header { words, args: args.split_whitespace().collect(), options: options.try_into()? })
    }
}

impl TryFrom<&str> for Options {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let mut options = Options::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "gives" => {
                    let mut gives: Vec<_> = words.next().into_iter().collect();
                    while let Some(kind) = words.next_if(|word| kind_named(word).is_ok()) {
                        gives.push(kind);
                    }
                    options.gives = Some(gives.into_iter().map(str::to_string).collect());
                }
                "carries" => options.carries = Some(number(words.next())?),
                "with" => options.order = order(words.next())?,
                "entries" => options.local = Local::Entries(entries(words.next())?.into()),
                "unwanted" => options.local = Local::Unwanted,
                "origin" => options.origin = Some(number(words.next())?),
                "kept" => options.is_kept = true,
                _ => return Err(format!("`{word}` is no option of a block")),
            }
        }
        Ok(options)
    }
}

impl Options {
    /// The number that follows `gives`.
    pub(super) fn results(&self) -> Option<usize> {
        match self.gives.as_deref() {
            Some([number]) => number.parse().ok(),
            _ => None,
        }
    }
}

fn number<N: std::str::FromStr>(word: Option<&str>) -> Result<N, String> {
    let word = word.unwrap_or_default();
    word.parse().map_err(|_| format!("expected a number, found `{word}`"))
}

/// What is known of partials: rows, each of which ends with `;`, of columns, some with a number.
fn entries(word: Option<&str>) -> Result<Vec<KnownRow>, String> {
    let rows = word.unwrap_or_default().strip_suffix(';').ok_or("expected the entries of each row, and `;`")?;
    let entry = |text: &str| match text.split_once('=') {
        Some((column, value)) => Ok((number(Some(column))?, Some(number(Some(value))?))),
        None => Ok((number(Some(text))?, None)),
    };
    let row = |row: &str| row.split(',').filter(|text| !text.is_empty()).map(entry).collect();
    rows.split(';').map(row).collect()
}

/// The order of the derivatives with this name.
fn order(word: Option<&str>) -> Result<u8, String> {
    let place = ORDERS.iter().position(|name| Some(*name) == word);
    place.map(|place| place as u8 + 1).ok_or_else(|| format!("expected {}", ORDERS.join(" or ")))
}

/// The kind with this name.
pub(super) fn kind_named(name: &str) -> Result<Kind, String> {
    let found = KINDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, kind)| *kind).ok_or_else(|| format!("no kind is called `{name}`"))
}
