//! The program that runs all codes of a function: it checks that those which must agree do, and measures their times.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::functions::Function;
use super::machine_code::{self, Counts};
use super::variants::{Code, Variant};

/// A compiled program.
pub struct Program<'a> {
    directory: PathBuf,
    codes: &'a [Code],
    /// By code: what its machine code counts.
    pub counts: Vec<Counts>,
}

/// What runs the codes. Every code is timed in turn, round by round; the block of calls that is timed takes some
/// microseconds. In every round the stack is elsewhere, for where it is changes the time of some codes by a third.
const HARNESS: &str = r##"
use std::hint::black_box;
use std::time::Instant;

type Code = unsafe extern "Rust" fn(&[f64; COLUMNS]) -> ([f64; ROWS], [[f64; COLUMNS]; ROWS]);

fn bits(code: Code) -> Vec<u64> {
    let (value, jacobian) = unsafe { code(&POINT) };
    value.iter().chain(jacobian.iter().flatten()).map(|entry| entry.to_bits()).collect()
}

fn time(code: Code, calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(unsafe { code(black_box(&POINT)) });
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

/// Times all codes below this many frames of a size that is no multiple of a line of the cache.
fn times(depth: usize, calls: u32) -> Vec<String> {
    let frame = black_box([0u8; 176]);
    let times = match depth {
        0 => CODES.iter().map(|code| format!("{:.2}", time(*code, calls))).collect(),
        _ => times(depth - 1, calls),
    };
    black_box(&frame);
    times
}

fn main() {
    let rounds: usize = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).expect("the number of rounds");
    for codes in SAME_BITS {
        for code in &codes[1..] {
            assert!(bits(CODES[codes[0]]) == bits(CODES[*code]), "the codes {} and {code} differ", codes[0]);
        }
    }
    if rounds == 0 {
        return;
    }
    let calls = (20_000.0 / time(CODES[0], 1_000)).clamp(10.0, 10_000.0) as u32;
    for round in 0..rounds {
        println!("{}", times(round % 23, calls).join(" "));
    }
}
"##;

impl<'a> Program<'a> {
    /// Compiles the codes and what runs them.
    pub fn build(function: &Function, variants: &[Variant], codes: &'a [Code]) -> Result<Self, Box<dyn Error>> {
        let directory =
            std::env::current_exe()?.parent().ok_or("no directory")?.join("locality-study").join(function.label);
        fs::create_dir_all(&directory)?;
        let mut program = Program { directory, codes, counts: Vec::new() };
        for code in codes {
            let counts = program.compile(code)?;
            program.counts.push(counts);
        }
        fs::write(program.directory.join("main.rs"), program.text(function, variants))?;
        let mut rustc = program.rustc("main");
        for code in codes {
            rustc.arg(format!("-Clink-arg={}.o", code.symbol));
        }
        run(&mut rustc)?;
        Ok(program)
    }

    fn rustc(&self, name: &str) -> Command {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition=2024", "-Copt-level=3", "-Cdebuginfo=0", "-Ccodegen-units=1", "-Awarnings"]);
        rustc.arg(format!("{name}.rs")).current_dir(&self.directory);
        rustc
    }

    /// Compiles a code, unless an earlier run of the study has left the same.
    fn compile(&self, code: &Code) -> Result<Counts, Box<dyn Error>> {
        let path = |ending: &str| self.directory.join(format!("{}.{ending}", code.symbol));
        let compiled = path("compiled");
        if fs::read_to_string(&compiled).is_ok_and(|text| text == code.text) {
            return counts(&path("s"), code);
        }
        fs::write(path("rs"), &code.text)?;
        run(self.rustc(&code.symbol).args(["--emit=asm,obj", "-Cllvm-args=--x86-asm-syntax=intel"]))?;
        fs::rename(path("rs"), compiled)?;
        counts(&path("s"), code)
    }

    /// The program's source text. Codes of the same elimination order must give the same bits.
    fn text(&self, function: &Function, variants: &[Variant]) -> String {
        let declarations: String = self
            .codes
            .iter()
            .map(|code| {
                format!("    fn {}(x: &[f64; COLUMNS]) -> ([f64; ROWS], [[f64; COLUMNS]; ROWS]);\n", code.symbol)
            })
            .collect();
        let symbols: Vec<_> = self.codes.iter().map(|code| code.symbol.as_str()).collect();
        let orders = variants.chunk_by(|one, next| one.order == next.order);
        let same: Vec<_> = orders
            .map(|order| format!("&{:?}", order.iter().map(|variant| variant.code).collect::<Vec<_>>()))
            .collect();
        format!(
            "#[allow(improper_ctypes)]\nunsafe extern \"Rust\" {{\n{declarations}}}\n\
             const COLUMNS: usize = {};\nconst ROWS: usize = {};\nconst POINT: [f64; COLUMNS] = {:?};\n\
             const CODES: &[Code] = &[{}];\nconst SAME_BITS: &[&[usize]] = &[{}];\n{HARNESS}",
            function.columns,
            function.rows,
            function.point,
            symbols.join(", "),
            same.join(", ")
        )
    }

    /// By code: the nanoseconds of a call in each round.
    pub fn times(&self, rounds: usize) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
        let printed = run(Command::new(self.directory.join("main")).arg(rounds.to_string()))?;
        let mut times = vec![Vec::new(); self.codes.len()];
        for line in printed.lines() {
            for (code, time) in line.split(' ').enumerate() {
                times[code].push(time.parse()?);
            }
        }
        Ok(times)
    }

    /// By code: the instructions of one call as callgrind counts them; none where it is not installed.
    pub fn instructions(&self) -> Result<Option<Vec<u64>>, Box<dyn Error>> {
        if Command::new("valgrind").arg("--version").output().is_err() {
            return Ok(None);
        }
        let file = self.directory.join("callgrind.out");
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--compress-strings=no", "--compress-pos=no"]);
        valgrind.arg(format!("--callgrind-out-file={}", file.display()));
        run(valgrind.arg(self.directory.join("main")).arg("0"))?;
        let profile = fs::read_to_string(&file)?;
        let of =
            |code: &Code| instructions(&profile, &code.symbol).ok_or_else(|| format!("{} did not run", code.symbol));
        Ok(Some(self.codes.iter().map(of).collect::<Result<Vec<_>, _>>()?))
    }
}

fn counts(assembly: &Path, code: &Code) -> Result<Counts, Box<dyn Error>> {
    let assembly = fs::read_to_string(assembly)?;
    machine_code::count(&assembly, &code.symbol).ok_or_else(|| format!("{} has no code", code.symbol).into())
}

/// The instructions of one call of a function in a profile of callgrind, with those of what it calls.
fn instructions(profile: &str, symbol: &str) -> Option<u64> {
    let (mut is_inside, mut total, mut calls) = (false, 0, 0);
    let mut is_call = false;
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            is_inside = name == symbol;
        } else if let Some(name) = line.strip_prefix("cfn=") {
            is_call = name == symbol;
        } else if let Some(count) = line.strip_prefix("calls=") {
            if is_call {
                calls += count.split(' ').next()?.parse::<u64>().ok()?;
            }
        } else if is_inside && line.starts_with(|first: char| first.is_ascii_digit()) {
            total += line.split(' ').nth(1)?.parse::<u64>().ok()?;
        }
    }
    (calls > 0).then(|| total / calls)
}

/// What a command prints; an error where it fails.
fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::instructions;

    #[test]
    fn instructions_are_those_of_a_call_with_what_it_calls() {
        let profile =
            "fn=main\n1 10\ncfn=f\ncalls=2 0\n3 246\nfn=f\n0 200\ncfn=memset\ncalls=2 0\n0 46\nfn=memset\n0 46\n";
        assert_eq!(instructions(profile, "f"), Some(123));
        assert_eq!(instructions(profile, "g"), None);
    }
}
