//! `cargo jacobian tune`, with few candidates.

use std::process::{Command, Output};

use tempfile::TempDir;

const SOURCE: &str = "
use jacobian::jacobian;
use crate::elsewhere::Canvas;

type Real = f64;
const ONE: Real = 1.0;

#[jacobian]
pub fn ring(x: [f64; 3]) -> f64 {
    (x[0] * x[1] + x[1] * x[2] + x[2] * x[0] - ONE).sqrt()
}

/// Needs what is not in this file.
fn draw(canvas: &Canvas) {}

pub mod inner {
    #[jacobian::jacobian]
    pub mod arm {
        fn square(x: f64) -> f64 {
            x * x
        }

        #[jacobian(forms(vjp, jac), strategy = \"reverse\")]
        pub fn energy(q: [f64; 2], n: usize, out: &mut f64) -> f64 {
            assert!(n < 8);
            *out = q[0] * q[1];
            square(q[0].sin()) + q[1]
        }
    }
}

#[derive(Clone)]
struct Spring {
    k: f64,
}

impl Spring {
    #[jacobian(wrt(x))]
    fn force(&self, x: f64, data: &[f64]) -> f64 {
        let mut sum = 0.0;
        for d in data {
            sum += d;
        }
        self.k * x * x * sum
    }

    fn draw(&self, canvas: &Canvas) {}
}

fn main() {
    draw(&Canvas)
}
";

struct File(TempDir);

impl File {
    fn new() -> Self {
        let file = File(tempfile::tempdir().expect("a directory"));
        file.write("source.rs", SOURCE);
        file
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).expect("it is written");
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-jacobian"));
        command.args(["jacobian"]).args(arguments).current_dir(self.0.path()).output().expect("it runs")
    }

    fn tuned(&self, arguments: &[&str]) -> String {
        let output = self.run(&[&["tune"], arguments].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is a text")
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(&[&["tune"], arguments].concat());
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).expect("it is a text")
    }
}

/// The attribute that is advised.
fn advised(text: &str) -> &str {
    text.lines().rev().find(|line| line.starts_with("#[")).unwrap_or_else(|| panic!("no attribute: {text}"))
}

#[test]
fn the_attribute_that_is_printed_compiles() {
    let file = File::new();
    let options = ["--try", "strategy = \"forward\"", "--try", "pack = \"always\"", "--builds", "1", "--runs", "1"];
    let text = file.tuned(&[&["source.rs::ring"], &options[..]].concat());
    assert!(text.contains("64 points, ") && text.contains("left out where it is not finite"), "{text}");
    assert!(text.contains("1.000 (what is written now)  by value: default options"), "{text}");
    let attribute = advised(&text);
    let function =
        SOURCE.split("#[jacobian]\n").nth(1).and_then(|rest| rest.split("\n}").next()).expect("the function");
    file.write("advised.rs", &format!("type Real = f64;\nconst ONE: f64 = 1.0;\n{attribute}\n{function}\n}}\n"));
    let code = file.run(&["expand", "advised.rs"]);
    assert!(code.status.success(), "{attribute}: {}", String::from_utf8_lossy(&code.stderr));
    // What is generated for it is compiled, too.
    let generated = String::from_utf8_lossy(&code.stdout);
    let program = format!("type Real = f64;\nconst ONE: f64 = 1.0;\n{function}\n}}\n{generated}\nfn main() {{}}\n");
    file.write("program.rs", &program);
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "program.rs"]);
    let output = rustc.current_dir(file.0.path()).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn without_options_to_try_all_are_tried() {
    let file = File::new();
    let text = file.tuned(&["source.rs::ring", "--count", "4", "--range", "1..2", "--builds", "1", "--runs", "1"]);
    assert!(text.contains("form jac: 4 points (random, "), "{text}");
    let count = |before: &str| -> usize {
        let words = text.split(before).next().unwrap_or_default().split_whitespace();
        words.last().and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{text}"))
    };
    let [tried, different] = [count(" candidates, "), count(" of them with code of their own")];
    assert!(tried >= 25 && different > 5 && different < tried, "{text}");
    assert!(text.contains("the median of 1 build (") && text.contains("ratios from one build"), "{text}");
    assert!(text.contains("1.000 (what is written now)  by value: default options"), "{text}");
    assert!(text.contains("in place: "), "{text}");
    // One build decides nothing.
    assert!(text.contains("so that nothing is advised") || text.contains("keep this attribute"), "{text}");
    assert!(advised(&text).starts_with("#[jacobian"), "{text}");
    assert!(!text.contains("1 builds"), "{text}");
}

#[test]
fn points_and_arguments_are_the_users() {
    let file = File::new();
    let few = ["--try", "pack = \"always\"", "--builds", "1", "--runs", "1"];
    // Modules in modules, an output, another form in place.
    let text = file.tuned(&[&["source.rs::inner::arm::energy", "--range", "n=0..12"], &few[..]].concat());
    assert!(text.contains("form vjp: ") && text.contains("left out where it panics"), "{text}");
    assert!(text.contains("(what is written now)  by value: strategy = \"reverse\""), "{text}");
    assert!(text.contains("the options hold for jac, too"), "{text}");
    // A method, a slice.
    file.write("points.txt", "# x, data\n0.5, [1 2 3]\n-1, []\n\n1e3 [4]\n");
    let value = ["--value", "self=Spring { k: 2.0 }"];
    let spring = "source.rs::Spring::force";
    let text = file.tuned(&[&[spring, "--points", "points.txt"], &value[..], &few[..]].concat());
    assert!(text.contains("3 points\n"), "{text}");
    assert!(advised(&text).starts_with("#[jacobian(wrt(x)"), "{text}");

    assert!(file.refused(&[spring]).contains("give it by --value 'self=...'"));
    assert!(file.refused(&[&[spring], &value[..]].concat()).contains("`data` has no known length"));
    assert!(file.refused(&["source.rs::inner::arm::energy"]).contains("`n: usize` has no usual value"));
    assert!(file.refused(&["source.rs::ring", "--value", "y=1.0"]).contains("there is no parameter `y`; there are x"));
    assert!(file.refused(&["source.rs::ring", "--try", "strategy = \"nosuch\""]).contains("nosuch"));
    assert!(file.refused(&["source.rs::ring", "--form", "lin"]).contains("`lin` is no form that is timed"));
    assert!(file.refused(&["source.rs::ring", "--range", "x=2..1"]).contains("expected `NAME=LOW..HIGH`"));
    file.write("points.txt", "0.5, [1 2 3]\n-1, [2, x]\n");
    let error = file.refused(&[&[spring, "--points", "points.txt"], &value[..], &few[..]].concat());
    assert!(error.contains("points.txt:2: `x` is not what is expected here"), "{error}");

    let error = file.refused(&[&["source.rs::ring", "--range", "0..0.1"], &few[..]].concat());
    assert!(error.contains("the function is finite at none of the points"), "{error}");
}
