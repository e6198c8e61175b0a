//! The parts of the page: sections, and in them the rows of a table and the code of fenced blocks.

/// A section.
pub struct Section {
    pub title: String,
    /// The rows of its tables, without the heads: the cells.
    pub rows: Vec<Vec<String>>,
    /// The fenced blocks of Rust.
    pub blocks: Vec<String>,
}

/// The sections of a page.
pub fn sections(page: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    for text in page.split("\n## ").skip(1) {
        let title = text.lines().next().expect("a section has a title").to_string();
        sections.push(Section { title, rows: rows(text), blocks: blocks(text) });
    }
    sections
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<_> = text.lines().collect();
    let is_head = |index: usize| lines.get(index + 1).is_some_and(|line| line.starts_with("|---"));
    let is_row = |(index, line): &(usize, &&str)| line.starts_with("| ") && !is_head(*index);
    lines.iter().enumerate().filter(is_row).map(|(_, line)| cells(line)).collect()
}

/// The cells of a row. A bar of the text is written `\|`.
fn cells(row: &str) -> Vec<String> {
    let row = row.replace("\\|", "\0");
    let row = row.trim().trim_start_matches('|').trim_end_matches('|');
    row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

fn blocks(text: &str) -> Vec<String> {
    let block = |rest: &str| rest.split_once("\n```").expect("a block has an end").0.to_string();
    text.split("\n```rust\n").skip(1).map(block).collect()
}

/// The pieces of code in a cell.
pub fn code(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// A text with single spaces for what separates its words.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
