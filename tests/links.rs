//! All links between the pages lead somewhere: to a file and a heading where the pages are read as files or as the book,
//! and to a module of the documentation where rustdoc shows them. For that, pages name each other by labels, which
//! `docs/labels.md` defines once more, in the words of rustdoc: `UPDATE_LINKS=1 cargo test --test links` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The file that rustdoc reads before each page.
const LABELS: &str = "docs/labels.md";

/// The file that rustdoc reads before a page with a screenshot.
const SCREENSHOTS: &str = "docs/images/labels.md";

struct Page {
    /// Its path from the root of the repository.
    path: String,
    /// Its lines without code.
    prose: String,
}

/// A link, as it is written.
#[derive(Debug)]
enum Link {
    Inline(String),
    Label(String),
}

fn read(path: &str) -> String {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&full).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn pages() -> Vec<Page> {
    let docs = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).expect("the directory");
    let docs = docs.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut paths: Vec<_> = docs.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    paths.retain(|path| path != LABELS);
    paths.extend(["README.md", "LANGUAGE.md", "benches/README.md"].map(str::to_string));
    paths.sort();
    paths.into_iter().map(|path| Page { prose: without_code(&read(&path)), path }).collect()
}

/// The text without blocks of code and what is between backticks, which stand for themselves.
fn without_code(text: &str) -> String {
    let mut is_code = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let pieces: Vec<_> = line.split('`').collect();
            // Code in a link is its text.
            let odd = pieces.iter().enumerate().map(|(index, piece)| if index % 2 == 1 { "code" } else { piece });
            prose += &odd.collect::<String>();
            prose.push('\n');
        }
    }
    prose
}

/// The label and the target of a definition.
fn definition(line: &str) -> Option<(String, String)> {
    let (label, target) = line.strip_prefix('[')?.split_once("]: ")?;
    (!label.contains(']')).then(|| (label.to_lowercase(), target.trim().to_string()))
}

/// The definitions of labels in a page.
fn definitions(prose: &str) -> BTreeMap<String, String> {
    prose.lines().filter_map(definition).collect()
}

/// The links of a page.
fn links(prose: &str) -> Vec<Link> {
    let text: String =
        prose.lines().filter(|line| definition(line).is_none()).map(|line| format!("{line}\n")).collect();
    let known = definitions(prose);
    let (mut found, mut rest) = (Vec::new(), text.as_str());
    while let Some(start) = rest.find('[') {
        rest = &rest[start + 1..];
        let Some(end) = rest.find([']', '[']).filter(|end| rest[*end..].starts_with(']')) else { continue };
        let (inner, after) = (rest[..end].replace('\n', " "), &rest[end + 1..]);
        if let Some(target) = after.strip_prefix('(').and_then(|after| Some(after.split_once(')')?.0)) {
            found.push(Link::Inline(target.to_string()));
        } else if let Some(label) = after.strip_prefix('[').and_then(|after| Some(after.split_once(']')?.0)) {
            found.push(Link::Label(label.to_lowercase()));
            rest = after.split_once(']').map_or("", |(_, rest)| rest);
        } else if known.contains_key(&inner.to_lowercase()) {
            found.push(Link::Label(inner.to_lowercase()));
        }
    }
    found
}

/// The anchors of the headings of a page, as GitHub, mdBook and rustdoc make them.
fn anchors(path: &str) -> BTreeSet<String> {
    let text = read(path);
    let mut is_code = false;
    let headings = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    };
    headings.map(anchor).collect()
}

/// The file that a link of a page means, from the root, and its anchor.
fn resolved(page: &str, target: &str) -> (String, Option<String>) {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_string())),
        None => (target, None),
    };
    if path.is_empty() {
        return (page.to_string(), anchor);
    }
    let mut whole = PathBuf::new();
    for part in Path::new(page).parent().unwrap_or(Path::new("")).join(path).components() {
        match part {
            Component::ParentDir => assert!(whole.pop(), "{page}: {target} is outside"),
            part => whole.push(part),
        }
    }
    (whole.display().to_string(), anchor)
}

fn is_elsewhere(target: &str) -> bool {
    target.starts_with("https://") || target.starts_with("http://")
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut count = 0;
    for Page { path, prose } in pages() {
        let definitions = definitions(&prose);
        let mut targets: Vec<_> = definitions.values().cloned().collect();
        let mut used = BTreeSet::new();
        for link in links(&prose) {
            match link {
                Link::Inline(target) => targets.push(target),
                Link::Label(label) => {
                    assert!(definitions.contains_key(&label), "{path}: `[{label}]` is not defined at its end");
                    used.insert(label);
                }
            }
        }
        let unused: Vec<_> = definitions.keys().filter(|label| !used.contains(*label)).collect();
        assert!(unused.is_empty(), "{path}: nothing uses {unused:?}");
        for target in targets.into_iter().filter(|target| !is_elsewhere(target)) {
            let (file, anchor) = resolved(&path, &target);
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file).exists(), "{path}: there is no {target}");
            if let Some(anchor) = anchor {
                assert!(anchors(&file).contains(&anchor), "{path}: {target} is no heading: {:?}", anchors(&file));
            }
            count += 1;
        }
    }
    assert!(count > 60, "{count} links are too few to be all");
}

#[test]
fn the_book_has_every_page() {
    let summary = read("docs/SUMMARY.md");
    for Page { path, .. } in pages() {
        let name = path.strip_prefix("docs/").map_or_else(|| format!("../{path}"), str::to_string);
        let is_left_out = ["SUMMARY.md", "../benches/README.md"].contains(&name.as_str());
        assert!(is_left_out || summary.contains(&format!("({name})")), "{path} is not in docs/SUMMARY.md");
    }
}

/// The pages that rustdoc shows, by the path of the file: what it calls them.
fn modules() -> BTreeMap<String, String> {
    let (mut modules, mut file) = (BTreeMap::new(), String::new());
    for line in read("src/lib.rs").lines() {
        if let Some((_, rest)) = line.split_once("include_str!(\"../") {
            file = rest.split('"').next().unwrap_or_default().to_string();
        }
        let name = line.strip_prefix("pub mod ").and_then(|rest| rest.split(' ').next());
        if let Some(name) = name {
            modules.insert(file.clone(), format!("crate::{name}"));
        }
    }
    modules.insert("README.md".to_string(), "crate".to_string());
    modules
}

/// The labels of all pages that rustdoc shows: what `docs/labels.md` is, and `docs/images/labels.md`, which has the
/// labels of screenshots alone: they are long, so that only the page reads it that shows one, and only for rustdoc.
fn labels() -> [String; 2] {
    let modules = modules();
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    for Page { path, prose } in pages().into_iter().filter(|page| modules.contains_key(&page.path)) {
        for link in links(&prose) {
            if let Link::Inline(target) = link {
                assert!(
                    target.starts_with('#') || is_elsewhere(&target),
                    "{path}: ({target}) leads nowhere on docs.rs: give it a label, as `[text][label]`"
                );
            }
        }
        for (label, target) in definitions(&prose).into_iter().filter(|(_, target)| !is_elsewhere(target)) {
            let (file, anchor) = resolved(&path, &target);
            let meant = match modules.get(&file) {
                Some(module) => anchor.map_or(module.clone(), |anchor| format!("{module}#{anchor}")),
                None if file.ends_with(".svg") => inline(&read(&file)),
                None if file.ends_with(".png") => screenshot(&file),
                None => panic!("{path}: {target} is not shown by rustdoc"),
            };
            let before = labels.insert(label.clone(), meant.clone());
            assert!(before.is_none_or(|before| before == meant), "{path}: `[{label}]` is something else elsewhere");
        }
    }
    let is_screenshot = |target: &str| target.starts_with("data:image/png");
    [false, true].map(|screenshots| {
        let some = labels.iter().filter(|(_, target)| is_screenshot(target) == screenshots);
        some.map(|(label, target)| format!("[{label}]: {target}\n")).collect::<String>() + "\n"
    })
}

/// A picture of pixels as an address: its bytes in base 64.
fn screenshot(file: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("the picture can be read");
    assert!(bytes.len() < 200_000, "{file} is too large");
    let mut text = "data:image/png;base64,".to_string();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
        let digits = (0..4).map(|at| char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]));
        text.extend(digits.enumerate().map(|(at, digit)| if at <= three.len() { digit } else { '=' }));
    }
    text
}

/// A picture as an address.
fn inline(picture: &str) -> String {
    let mut text = "data:image/svg+xml,".to_string();
    for byte in picture.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => text.push(char::from(byte)),
            byte => text += &format!("%{byte:02X}"),
        }
    }
    text
}

#[test]
fn rustdoc_finds_every_page() {
    for (file, written) in [LABELS, SCREENSHOTS].into_iter().zip(labels()) {
        if std::env::var_os("UPDATE_LINKS").is_some() {
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), written).expect("it can be written");
        } else {
            assert!(read(file) == written, "{file} is old: run `UPDATE_LINKS=1 cargo test --test links`");
        }
    }
}
