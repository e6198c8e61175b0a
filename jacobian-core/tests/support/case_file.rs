//! The outer form of case files: lines `KEY: VALUE`, each with a body of lines that are indented further.

use std::fs;
use std::path::Path;

/// Asserts that every file of a directory of the tests has no failures, which are told by text.
pub fn assert_cases(directory: &str, failures: impl Fn(&str) -> Vec<String>) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let entries = fs::read_dir(&directory).expect("the directory of the cases");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry of the directory").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut report = String::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable file");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        report.extend(failures(&text).iter().map(|failure| format!("{name}:{failure}\n")));
    }
    assert!(report.is_empty(), "\n{report}");
}

/// A line and its body.
pub struct Section<'a> {
    /// The line in the file, counted from 1.
    pub line: usize,
    pub key: &'a str,
    pub value: &'a str,
    /// The lines of the body that are not empty, without comments, with their numbers.
    pub body: Vec<(usize, &'a str)>,
}

/// A failure of a case: the line and what is wrong.
pub type Failure = (usize, String);

/// The lines of a text that are not empty, without comments, with their numbers.
pub fn lines(text: &str) -> Vec<(usize, &str)> {
    let without_comment = |line: &'_ str| line.find('#').unwrap_or(line.len());
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line[..without_comment(line)].trim_end()));
    lines.filter(|(_, line)| !line.is_empty()).collect()
}

/// Divides lines into sections: one begins at every line that is indented as the first.
pub fn sections<'a>(lines: &[(usize, &'a str)]) -> Result<Vec<Section<'a>>, Failure> {
    let mut sections: Vec<Section<'a>> = Vec::new();
    let Some(outer) = lines.first().map(|(_, line)| indentation(line)) else { return Ok(sections) };
    for &(number, line) in lines {
        match sections.last_mut() {
            Some(section) if indentation(line) > outer => section.body.push((number, line)),
            _ => {
                let (key, value) = line.split_once(':').ok_or_else(|| (number, "expected `KEY: VALUE`".to_string()))?;
                sections.push(Section { line: number, key: key.trim(), value: value.trim(), body: Vec::new() });
            }
        }
    }
    Ok(sections)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

impl Section<'_> {
    /// The body as a text that has its lines where the file has them.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut next = 1;
        for &(number, line) in &self.body {
            text += &"\n".repeat(number - next);
            text += line.trim();
            next = number;
        }
        text
    }

    /// The value and the body, without indentation, a line each.
    pub fn content(&self) -> String {
        let lines = [self.value].into_iter().chain(self.body.iter().map(|(_, line)| line.trim()));
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}
