//! The command, run on a small file and on a function of 2,000 statements.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jacobian_core::bound::lower_bound;
use jacobian_core::pipeline::{differentiate, linearize};
use jacobian_core::program::Measure;
use jacobian_core::{CodeList, Strategy};
use jacobian_lab::lcg::LabelledGraph;
use serde_json::Value;
use tempfile::TempDir;

const SMALL: &str = "use jacobian::jacobian;

#[jacobian]
pub fn polar(r: f64, t: f64) -> [f64; 2] {
    let (s, c) = t.sin_cos();
    let x = r * c;
    let y = r * s;
    [x, y]
}

#[jacobian]
mod arm {
    fn square(x: f64) -> f64 {
        x * x
    }
    #[jacobian(forms(jac, vjp, hess))]
    pub fn energy(q: [f64; 3], flag: bool) -> f64 {
        let mut sum = 0.0;
        for v in q {
            sum += square(v.sin());
        }
        if flag {
            sum *= q[0];
        }
        sum.exp()
    }
}

struct Spring {
    k: f64,
}

impl Spring {
    #[jacobian(wrt(x))]
    fn force(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

#[jacobian]
fn refused(x: f64) -> f64 {
    x.nosuch()
}
";

/// The function `polar` of the small file.
const POLAR: &str = "input r t\ns = sin(t)\nc = cos(t)\nx = r * c\ny = r * s\noutput x y";

struct Files(TempDir);

impl Files {
    fn new() -> Self {
        let files = Files(tempfile::tempdir().expect("a directory"));
        std::fs::write(files.path("small.rs"), SMALL).expect("it is written");
        std::fs::write(files.path("long.rs"), long()).expect("it is written");
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-jacobian"));
        command.arg("jacobian").args(arguments).current_dir(self.0.path()).output().expect("it runs")
    }

    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is a text")
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).expect("it is a text")
    }

    fn report(&self, place: &str) -> Value {
        serde_json::from_str(&self.printed(&["report", place, "--json"])).expect("it is JSON")
    }
}

/// A function of 2,000 statements.
fn long() -> String {
    let mut text =
        "#[jacobian]\npub fn long(x: [f64; 8]) -> [f64; 2] {\n    let v0 = x[0];\n    let v1 = x[1];\n".to_string();
    for i in 2..2000 {
        let (one, two, x) = (i - 1, i - 2, i % 8);
        let value = match i % 4 {
            0 => format!("v{one} * x[{x}]"),
            1 => format!("v{one} + v{two}"),
            2 => format!("v{one}.sin()"),
            _ => format!("v{one} * v{two}"),
        };
        writeln!(text, "    let v{i} = {value};").expect("a text grows");
    }
    text + "    [v1999, v1000 * x[7]]\n}\n"
}

/// The figures of a row of the table of strategies.
fn row<'r>(report: &'r Value, strategy: &str) -> &'r Value {
    let rows = report["strategies"].as_array().expect("a table");
    rows.iter().find(|row| row["strategy"] == strategy).unwrap_or_else(|| panic!("there is no {strategy}"))
}

/// Whether a line of the generated code comes from this line of the file.
fn comes_from(line: &Value, number: u64) -> bool {
    let ranges = line["from"].as_array().expect("ranges");
    ranges.iter().any(|range| range[0].as_u64() <= Some(number) && Some(number) <= range[1].as_u64())
}

#[test]
fn what_is_expanded_is_a_file_of_rust() {
    let files = Files::new();
    for (place, names) in [
        ("small.rs::polar", &["polar_jac"][..]),
        ("small.rs::arm", &["energy_jac", "energy_vjp", "energy_hess"]),
        ("small.rs::arm::energy", &["energy_jac", "energy_vjp", "energy_hess"]),
        ("long.rs", &["long_jac"]),
    ] {
        let file = syn::parse_file(&files.printed(&["expand", place])).expect("it is Rust");
        let names_of = |item: &syn::Item| match item {
            syn::Item::Fn(function) => function.sig.ident.to_string(),
            _ => panic!("only functions are generated"),
        };
        assert_eq!(file.items.iter().map(names_of).collect::<Vec<_>>(), names);
    }
    let method = files.printed(&["expand", "small.rs::Spring::force"]);
    assert!(method.contains("\nfn force_jac(&self, x: f64) -> ("), "{method}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let files = Files::new();
    assert!(files.refused(&["expand", "small.rs::refused"]).starts_with("small.rs:42:"));
    assert!(files.refused(&["expand", "small.rs"]).starts_with("small.rs:42:"));
    assert!(files.refused(&["expand", "small.rs::nosuch"]).contains("no function called `nosuch`"));
    assert!(files.refused(&["expand", "nosuch.rs"]).starts_with("nosuch.rs: "));
    assert!(files.refused(&["lcg", "small.rs::"]).contains("expected `FILE.rs::path::f`"));
}

#[test]
fn the_graph_reads_back_and_is_that_of_the_engine() {
    let files = Files::new();
    let polar: CodeList = POLAR.parse().expect("a code list");
    let graph: LabelledGraph = files.printed(&["lcg", "small.rs::polar"]).parse().expect("it is a graph");
    assert_eq!(graph, LabelledGraph::of(&linearize(&polar)));
    assert!(files.printed(&["lcg", "small.rs::polar", "--dot"]).starts_with("digraph {"));
    let long: LabelledGraph = files.printed(&["lcg", "long.rs::long"]).parse().expect("it is a graph");
    assert_eq!((long.independents().len(), long.dependents().len()), (8, 2));
    assert!(long.vertex_count() > 2000);
    let table = files.printed(&["lcg", "small.rs::polar", "--compare"]);
    assert!(jacobian_core::strategy::all().iter().all(|strategy| table.contains(&strategy.to_string())), "{table}");
}

#[test]
fn the_picture_in_the_guide_is_the_one_that_is_drawn() {
    let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/images");
    let files = Files::new();
    let place = format!("{}::polar", images.join("polar.rs").display());
    let drawn = files.printed(&["lcg", &place, "--svg"]);
    assert_eq!(drawn, std::fs::read_to_string(images.join("polar.svg")).expect("the picture"));
    assert!(drawn.contains(">before<") && drawn.matches("class=\"t\"").count() == 3, "two steps");
    assert!(files.refused(&["lcg", "long.rs::long", "--svg"]).contains("too "));
}

#[test]
fn the_figures_of_a_report_are_those_of_the_engine() {
    let (files, polar) = (Files::new(), POLAR.parse::<CodeList>().expect("a code list"));
    let report = files.report("small.rs::polar");
    for strategy in ["vertex: forward", "vertex: reverse", "edge: markowitz > reverse"] {
        let jacobian = differentiate(&polar, &strategy.parse::<Strategy>().expect("a strategy")).expect("it is small");
        let row = row(&report, strategy);
        assert_eq!(row["multiplications"], jacobian.operations.multiplications);
        assert_eq!(row["additions"], jacobian.operations.additions);
        assert_eq!(row["operations"], jacobian.operations.total());
    }
    let linearization = linearize(&polar);
    let bound = lower_bound(&linearization.graph, &linearization.program, Measure::Folded);
    assert_eq!(report["bound"]["multiplications"], bound);
    assert_eq!(report["bound"]["is_proven"], true);
    assert_eq!(report["pattern"]["entries"].to_string(), "[[0,0],[0,1],[1,0],[1,1]]");
    let last = report["graph"]["steps"].as_array().and_then(|steps| steps.last()).expect("there are steps");
    assert_eq!(last["edges"], 4, "an edge for every entry");
    let places: std::collections::BTreeSet<_> = report["graph"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| format!("{} {}", node["x"], node["y"]))
        .collect();
    assert_eq!(places.len(), 6, "no node lies on another");
}

#[test]
fn lines_come_from_the_statements_that_they_are_of() {
    let files = Files::new();
    let report = files.report("small.rs::polar");
    let code = report["forms"][0]["code"].as_array().expect("lines");
    let line = |text: &str| {
        let is_it = |line: &&Value| line["text"].as_str().is_some_and(|line| line.trim() == text);
        code.iter().find(is_it).unwrap_or_else(|| panic!("no line is `{text}`: {code:#?}"))
    };
    for (text, number) in [("let s = t.sin();", 5), ("let x = r * c;", 6), ("let y = r * s;", 7)] {
        assert!(comes_from(line(text), number), "{text}");
        assert_eq!(line(text)["from"].as_array().map(Vec::len), Some(1), "{text}");
    }
    // What is inlined comes from the function that it was written in.
    let report = files.report("small.rs::arm::energy");
    let forms = report["forms"].as_array().expect("forms");
    assert_eq!(forms.len(), 3);
    for form in forms {
        for (text, number) in [("x * x", 14), (".exp()", 25), (".sin()", 20)] {
            let is_of = |line: &&Value| line["text"].as_str().is_some_and(|line| line.contains(text));
            let lines = form["code"].as_array().expect("lines");
            let found = lines.iter().filter(is_of).any(|line| comes_from(line, number));
            assert!(found, "{}: `{text}` of line {number}", form["form"]);
        }
    }
}

#[test]
fn a_long_function_is_folded_and_complete() {
    let files = Files::new();
    let report = files.report("long.rs");
    let graph = &report["graph"];
    assert_eq!(graph["is_folded"], true);
    assert!(graph["nodes"].as_array().is_some_and(|nodes| nodes.len() <= 90), "it is folded");
    assert!(graph["vertices"].as_u64() > Some(2000));
    let last = graph["steps"].as_array().and_then(|steps| steps.last()).expect("there are steps");
    assert_eq!(last["edges"].as_u64(), report["pattern"]["entries"].as_array().map(|entries| entries.len() as u64));
    assert!(row(&report, "vertex: reverse")["multiplications"].as_u64() > Some(1000));
    assert!(row(&report, "face: search")["why"].as_str().is_some_and(|why| why.starts_with("left out")));
    // Line n of the file is statement n - 3 of the function, and its value is computed once.
    for form in report["forms"].as_array().expect("forms") {
        let lines = form["code"].as_array().expect("lines");
        let is_of = |line: &&Value| line["text"].as_str().is_some_and(|line| line.trim().starts_with("let v1202 = "));
        assert!(lines.iter().filter(is_of).any(|line| comes_from(line, 1205)));
    }
}

#[test]
fn the_page_is_drawn_by_a_browser() {
    let Some(browser) =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser"].into_iter().find(|path| Path::new(path).exists())
    else {
        eprintln!("skipped: there is no chromium");
        return;
    };
    let files = Files::new();
    for (place, folded) in [("small.rs::arm::energy", false), ("long.rs", true)] {
        files.printed(&["report", place, "-o", "page.html"]);
        let page = std::fs::read_to_string(files.path("page.html")).expect("it is written");
        assert!(!page.contains("src=") && !page.contains("href="), "it needs nothing else");
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--dump-dom"])
            .arg(format!("--user-data-dir={}", files.path("profile").display()))
            .arg(format!("file://{}", files.path("page.html").display()))
            .output()
            .expect("it runs");
        let drawn = String::from_utf8_lossy(&output.stdout);
        // The table is what the script draws last.
        assert!(
            drawn.contains("<td>vertex: markowitz &gt; reverse</td>"),
            "{place}: the script has not reached its end"
        );
        assert!(drawn.contains("marker-end"), "{place}: there are no edges");
        let about = drawn.split("id=\"about\">").nth(1).and_then(|rest| rest.split("</p>").next()).expect("a line");
        assert_eq!(about.contains("The graph is folded"), folded, "{about}");
    }
}
