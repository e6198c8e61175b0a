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

#[jacobian]
fn looped(x: [f64; 2], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += (x[0] * i as f64).sin();
    }
    if sum > 1.0 {
        sum *= x[1];
    }
    sum * x[0]
}

#[jacobian]
mod robots {
    pub struct Left {
        pub length: f64,
    }
    pub struct Right {
        pub length: f64,
    }
    impl Left {
        #[jacobian]
        pub fn tip(&self, q: f64) -> f64 {
            q.sin() * self.length
        }
    }
    impl Right {
        #[jacobian]
        pub fn tip(&self, q: f64) -> f64 {
            q.exp() * self.length
        }
    }
    pub mod inner {
        #[jacobian::jacobian]
        pub fn cube(x: f64) -> f64 {
            x * x * x
        }
    }
}
";

/// A function of few statements, of which an order by faces takes many steps.
const MANY: &str = "#[jacobian(strategy = \"face: forward\")]
pub fn many(x: [f64; 12]) -> [f64; 2] {
    let mut y = [x[0] * x[1], x[1] * x[2]];
    for i in 0..40 {
        y = [y[0] * y[1], y[0].sin() * x[i % 12]];
    }
    y
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
        std::fs::write(files.path("many.rs"), MANY).expect("it is written");
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
fn methods_and_modules_in_a_module_have_paths() {
    let files = Files::new();
    for (place, call, other) in [
        ("small.rs::robots::Left::tip", ".sin()", ".exp()"),
        ("small.rs::robots::Right::tip", ".exp()", ".sin()"),
        ("small.rs::robots::inner::cube", "fn cube_jac", "tip_jac"),
    ] {
        let printed = files.printed(&["expand", place]);
        assert!(printed.contains(call) && !printed.contains(other), "{place}: {printed}");
        assert!(printed.starts_with(&format!("// {place}\n")), "{place}: {printed}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let files = Files::new();
    assert!(files.refused(&["expand", "small.rs::refused"]).starts_with("small.rs:42:"));
    assert!(files.refused(&["expand", "small.rs"]).starts_with("small.rs:42:"));
    assert!(files.refused(&["expand", "small.rs::nosuch"]).contains("no function called `nosuch`"));
    assert!(files.refused(&["expand", "nosuch.rs"]).starts_with("nosuch.rs: "));
    for place in ["small.rs::", "polar", "arm::energy", ""] {
        assert!(files.refused(&["lcg", place]).contains("expected `FILE.rs::path::f`"), "{place}");
        assert!(files.refused(&["report", place]).contains("expected `FILE.rs::path::f`"), "{place}");
        assert!(files.refused(&["expand", place]).contains("expected `FILE.rs::path::f`"), "{place}");
    }
}

/// A module with functions under `cfg`s, one of which is refused, and one that is named again beside its value.
const CONFIGURED: &str = "#[jacobian]
mod fits {
    #[cfg(feature = \"loud\")]
    #[jacobian]
    pub fn loud(x: f64) -> f64 {
        x.nosuch()
    }
    #[cfg(feature = \"loud\")]
    pub fn weight(x: f64) -> f64 {
        2.0 * x
    }
    #[cfg(not(feature = \"loud\"))]
    pub fn weight(x: f64) -> f64 {
        x
    }
    #[jacobian]
    pub fn weighted(x: f64) -> f64 {
        let heavy: f64 = weight(x);
        heavy * applied(weight, if x > 1.0 { 2.0 } else { 3.0 })
    }
    fn applied(to: impl Fn(f64) -> f64, at: f64) -> f64 {
        to(at)
    }
}
";

#[test]
fn what_is_wrong_under_a_cfg_is_said() {
    let files = Files::new();
    std::fs::write(files.path("configured.rs"), CONFIGURED).expect("it is written");
    assert!(files.refused(&["expand", "configured.rs"]).starts_with("configured.rs:6:"));
    std::fs::write(files.path("configured.rs"), CONFIGURED.replace("x.nosuch()", "x")).expect("it is written");
    assert!(files.printed(&["expand", "configured.rs"]).contains("fn loud_jac"));
}

/// The compiler tells a variable of the generated code from an item of its name; who reads the text does not.
#[test]
fn no_variable_is_called_as_a_function_that_stays() {
    let files = Files::new();
    std::fs::write(files.path("configured.rs"), CONFIGURED.replace("x.nosuch()", "x")).expect("it is written");
    let text = files.printed(&["expand", "configured.rs::fits::weighted"]);
    assert!(text.contains("applied(weight, ") && text.contains("let (weight_1, "), "{text}");
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
fn a_graph_that_has_been_written_is_read() {
    let files = Files::new();
    let text = files.printed(&["lcg", "small.rs::polar"]);
    std::fs::write(files.path("polar.lcg"), &text).expect("it is written");
    assert_eq!(files.printed(&["lcg", "polar.lcg"]), text);
    assert!(files.printed(&["lcg", "polar.lcg", "--svg"]).contains(">before<"));
    let edges = |text: &str| text.matches("->").count();
    let (drawn, read) =
        (files.printed(&["lcg", "small.rs::polar", "--dot"]), files.printed(&["lcg", "polar.lcg", "--dot"]));
    assert!(read.starts_with("digraph {") && edges(&read) == edges(&drawn), "{read}");
    // The function is not there, but the eliminations are the same: the last column.
    let eliminated = |table: &str| -> Vec<Option<usize>> {
        let last = |line: &str| line.split_whitespace().last().and_then(|last| last.parse().ok());
        table.lines().skip(1).map(last).collect()
    };
    let [of_function, of_graph] =
        ["small.rs::polar", "polar.lcg"].map(|place| files.printed(&["lcg", place, "--compare"]));
    let forward = |table: &str| {
        let is_it = |line: &&str| line.starts_with("vertex: forward ");
        eliminated(&format!("\n{}", table.lines().find(is_it).expect("a row")))
    };
    assert_eq!(forward(&of_function), forward(&of_graph));
    assert!(forward(&of_graph)[0].is_some_and(|count| count > 0), "{of_graph}");
    assert_eq!(of_function.lines().count(), of_graph.lines().count());
    std::fs::write(files.path("wrong.lcg"), "vertices 2\nindep 0\ndep 1\nedge 0 5 var\n").expect("it is written");
    assert!(files.refused(&["lcg", "wrong.lcg"]).starts_with("wrong.lcg: "));
    assert!(files.refused(&["lcg", "nosuch.lcg"]).starts_with("nosuch.lcg: "));
}

#[test]
fn what_is_outside_of_loops_is_no_proof() {
    let files = Files::new();
    let bound = &files.report("small.rs::looped")["bound"];
    assert_eq!(bound["outside_of"], "1 loop and 1 branch");
    assert_eq!(bound["is_proven"], false);
    assert!(files.report("small.rs::polar")["bound"]["outside_of"].is_null());
}

#[test]
fn steps_that_are_not_listed_are_counted() {
    let files = Files::new();
    let graph = &files.report("many.rs")["graph"];
    assert_eq!(graph["is_folded"], false);
    assert_eq!(graph["steps"].as_array().map(Vec::len), Some(600));
    assert!(graph["step_count"].as_u64() > Some(600), "{}", graph["step_count"]);
    let few = &files.report("small.rs::polar")["graph"];
    assert_eq!(few["steps"].as_array().map(|steps| steps.len() as u64), few["step_count"].as_u64());
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
fn the_picture_of_a_gradient_is_the_one_that_is_drawn() {
    let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/images");
    let files = Files::new();
    let place = format!("{}::wave", images.join("wave.rs").display());
    let drawn = files.printed(&["lcg", &place, "--gradient", "--svg"]);
    assert_eq!(drawn, std::fs::read_to_string(images.join("wave.svg")).expect("the picture"));
    // Two vertices go, each with its image, and are left as shadows; nothing lies on the independents.
    assert_eq!(drawn.matches("class=\"t\"").count(), 3);
    assert_eq!(drawn.matches("<g class=\"gone\">").count(), 2 + 4);
    assert!(!drawn.lines().any(|line| line.contains("class=\"dependent\"") && line.contains("y=\"40.0\"")));
    let dot = files.printed(&["lcg", &place, "--gradient", "--dot"]);
    assert!(dot.contains("[ label = \"p_bar\" ]"), "{dot}");
    assert!(files.refused(&["lcg", "small.rs::arm::energy", "--gradient", "--svg"]).contains("straight-line"));
    assert!(files.refused(&["lcg", &place, "--gradient"]).contains("--dot"));
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
    let drawn = |place: &str, fragment: &str| {
        files.printed(&["report", place, "-o", "page.html"]);
        let page = std::fs::read_to_string(files.path("page.html")).expect("it is written");
        assert!(!page.contains("src=") && !page.contains("href="), "it needs nothing else");
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--dump-dom"])
            .arg(format!("--user-data-dir={}", files.path("profile").display()))
            .arg(format!("file://{}{fragment}", files.path("page.html").display()))
            .output()
            .expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (place, folded) in [("small.rs::arm::energy", false), ("long.rs", true)] {
        let drawn = drawn(place, "");
        // The table is what the script draws last.
        assert!(
            drawn.contains("<td>vertex: markowitz &gt; reverse</td>"),
            "{place}: the script has not reached its end"
        );
        assert!(drawn.contains("marker-end"), "{place}: there are no edges");
        let about = drawn.split("id=\"about\">").nth(1).and_then(|rest| rest.split("</p>").next()).expect("a line");
        assert_eq!(about.contains("The graph is folded"), folded, "{about}");
        assert!(drawn.contains("aria-valuetext=\"Before the first of "), "{place}: the slider is at its beginning");
        assert!(!drawn.contains("class=\"lit\""), "{place}: no line is lit");
    }
    // The slider and the lines follow.
    let polar = drawn("small.rs::polar", "#step=2&line=6");
    assert!(polar.contains("aria-valuetext=\"Step 2 of 2: eliminates "), "{polar}");
    assert!(polar.contains("class=\"arc new\""), "the step makes edges");
    let lit: Vec<_> = polar.split("<div ").filter(|line| line.contains("class=\"lit\"")).collect();
    let is_lit = |text: &str| lit.iter().any(|line| line.contains(text));
    assert!(is_lit("    let x = r * c;</div>") && is_lit("data-n=\"6\""), "{lit:?}");
    assert!(lit.len() > 1 && !is_lit("let y = r * s;"), "what comes of the line is lit, and nothing else: {lit:?}");
    let looped = drawn("small.rs::looped", "");
    let bound = looped.split("id=\"bound\">").nth(1).and_then(|rest| rest.split("</p>").next()).expect("a line");
    assert!(bound.contains(" outside of 1 loop and 1 branch. ") && !bound.contains("proven"), "{bound}");
    assert!(drawn("many.rs", "").contains("Only the first 600 of its "), "what is left out is said");
}
