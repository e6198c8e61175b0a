//! Fused multiply-add: where the target has the instruction, the derivative part uses it, and the values of the
//! function are those of every other target, to the last bit. The functions here are compiled with and without it; more
//! random ones are compiled with it by `RUSTFLAGS="-C target-feature=+fma" cargo test --test random_functions`.

#[path = "random_functions/mod.rs"]
mod generator;
mod scratch_crate;

use approx::abs_diff_eq;
use scratch_crate::{ScratchCrate, printed};

/// What turns the instruction on, where it is not always there. A processor without it cannot run what comes of it.
const FLAGS: &[&str] = if cfg!(target_arch = "x86_64") { &["-C", "target-feature=+fma"] } else { &[] };

/// Random functions of each precision, and the points at which each is evaluated.
const COUNT: usize = 15;
const POINTS: usize = 3;

const STRATEGIES: [&str; 3] = [
    r#"strategy = "auto", into"#,
    r#"strategy = "reverse", schedule = "pressure""#,
    r#"strategy = "edge: markowitz", linearize = "statement""#,
];

/// Whether this processor has the instruction.
fn is_there() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

/// Builds a crate as optimized as a release with these flags, and gives what its program prints; none where it cannot
/// run.
fn output(scratch: &ScratchCrate, flags: &[&str]) -> Option<String> {
    let built = scratch.cargo(&[&["rustc", "--", "-C", "opt-level=3"], flags].concat());
    assert!(built.status.success(), "in {}: {}", scratch.directory().display(), printed(&built));
    if !flags.is_empty() && !is_there() {
        return None;
    }
    let run = scratch.run();
    assert!(run.status.success(), "in {}: {}", scratch.directory().display(), printed(&run));
    Some(printed(&run))
}

#[test]
fn random_functions_keep_their_values() {
    let scratch = ScratchCrate::new("fused-random-functions", 0, generator::DEPENDENCIES);
    scratch.write("src/dual.rs", include_str!("random_functions/dual.rs"));
    scratch.write("src/harness.rs", include_str!("random_functions/harness.rs"));
    scratch.write("src/main.rs", &generator::generate(COUNT, POINTS, &STRATEGIES).main);
    if let Some(printed) = output(&scratch, FLAGS) {
        assert!(printed.contains("failures 0"), "{printed}");
    }
}

/// Functions with products and sums in values and derivatives: short, long, with branches, and in single precision. The
/// program prints a line for each of their points: the bits of the value, then the entries of the Jacobian.
const PROGRAM: &str = r#"
#![deny(warnings)]

use jacobian::jacobian;

#[jacobian(into)]
fn products(x: &[f64; 4]) -> [f64; 2] {
    let (a, b) = (x[0] * x[1] + x[2], x[1] * x[2] - x[3]);
    [a * b + b * x[0], (a * a - x[3]) * (b * x[1] + a)]
}

#[jacobian]
fn branches(x: &[f64; 3]) -> f64 {
    let side = x[0] * x[1] - x[2];
    if side < 0.0 {
        let a = x[0] * x[1] * x[2] + x[2] * x[2];
        a * a + a * x[1] * side
    } else {
        let b = x[0] * x[0] * x[1] - x[1] * x[2];
        side * b * x[0] - b * b * x[2]
    }
}

#[jacobian]
fn long(x: &[f64; 3]) -> [f64; 3] {
    let mut a = *x;
    for i in 0..400 {
        a[i % 3] = 0.5 * a[i % 3] * a[(i + 1) % 3] + 0.25 * a[(i + 2) % 3] - 0.125 * a[i % 3];
    }
    a
}

#[jacobian]
fn single(x: &[f32; 3]) -> [f32; 2] {
    let (a, b) = (x[0] * x[1] + x[2], x[1] * x[2] - x[0]);
    [a * b * x[0] + b * b * x[2], a * a * a - b * x[1]]
}

fn point<const N: usize>(number: usize) -> [f64; N] {
    std::array::from_fn(|at| 2.0 * ((number * 7 + at * 3 + 1) as f64 * 0.618_033_988_749_895).fract() - 0.9)
}

fn main() {
    for number in 0..100 {
        let (value, jacobian) = products_jac(&point(number));
        assert_eq!(value.map(f64::to_bits), products(&point(number)).map(f64::to_bits));
        let (mut in_place, mut entries) = ([0.0; 2], [[0.0; 4]; 2]);
        products_jac_into(&point(number), &mut in_place, &mut entries);
        assert_eq!((value, jacobian), (in_place, entries));
        println!("{:?} {:?}", value.map(f64::to_bits), jacobian.concat());
        let (value, jacobian) = branches_jac(&point(number));
        assert_eq!(value.to_bits(), branches(&point(number)).to_bits());
        println!("{:?} {jacobian:?}", [value.to_bits()]);
        let (value, jacobian) = long_jac(&point(number));
        assert_eq!(value.map(f64::to_bits), long(&point(number)).map(f64::to_bits));
        println!("{:?} {:?}", value.map(f64::to_bits), jacobian.concat());
        let x = point(number).map(|x| x as f32);
        let (value, jacobian) = single_jac(&x);
        assert_eq!(value.map(f32::to_bits), single(&x).map(f32::to_bits));
        println!("{:?} {:?}", value.map(f32::to_bits), jacobian.concat());
    }
}
"#;

/// The value and the entries in a line of the program.
fn read(line: &str) -> (&str, Vec<f64>) {
    let (value, entries) = line.split_once("] [").expect("a line has a value and entries");
    let entries = entries.trim_end_matches(']').split(", ");
    (value, entries.map(|entry| entry.parse().expect("an entry is a float")).collect())
}

#[test]
fn the_instruction_changes_the_last_bits_of_derivatives_only() {
    let scratch = ScratchCrate::new("fused-and-not", 0, "");
    scratch.write("src/main.rs", PROGRAM);
    let without = output(&scratch, &[]).expect("this target runs here");
    let Some(with) = output(&scratch, FLAGS) else { return };
    let mut differing = [0; 4];
    for (index, (without, with)) in std::iter::zip(without.lines(), with.lines()).enumerate() {
        let ((value, plain), (own_value, fused)) = (read(without), read(with));
        assert_eq!(value, own_value);
        let scale = plain.iter().fold(0.0_f64, |scale, entry| scale.max(entry.abs()));
        let round_off = if index % 4 == 3 { 1e-5 } else { 1e-12 };
        for (plain, fused) in std::iter::zip(&plain, &fused) {
            let is_near = abs_diff_eq!(plain, fused, epsilon = round_off * scale);
            assert!(is_near, "{plain} and {fused} in\n{without}\n{with}");
        }
        differing[index % 4] += usize::from(plain != fused);
    }
    assert_eq!(without.lines().count(), with.lines().count());
    if !FLAGS.is_empty() {
        assert!(differing.iter().all(|&points| points > 20), "the points at which a bit differs: {differing:?}");
    }
}

/// The text of an expansion.
fn expansion(item: &str) -> String {
    let item = item.parse().expect("the function is made of tokens");
    jacobian_expand::expand(proc_macro2::TokenStream::new(), item).to_string()
}

#[test]
fn it_is_in_the_expansion_where_it_can_be() {
    let function = "fn f(x: f64, y: f64, z: f64) -> f64 { let a = x * y + z; let b = a * y + x; let c = b * z + a; \
                    let d = c * x + b; d * a + c * b }";
    let text = expansion(function);
    assert!(text.contains("target_feature = \"fma\"") && text.contains("= fused (x , a , b , b + v16)"), "{text}");
    let single = expansion(&function.replace("f64", "f32"));
    assert!(single.contains("a . mul_add (b , c)") && single.contains("= fused ("), "{single}");
    // A name of the user, and what has no such instruction, or none that is known.
    let named = expansion(&function.replace("let d", "let fused").replace("d * a", "fused * a"));
    assert!(named.contains("= fused_1 ("), "{named}");
    for other in [
        function.replace("fn f", "const fn f"),
        function.replace("fn f", "fn f<T: Float>").replace("f64", "T"),
        "fn f(x: f64, y: f64) -> f64 { x * y * x }".to_string(),
    ] {
        let text = expansion(&other);
        assert!(!text.contains("compile_error") && !text.contains("fused"), "{text}");
    }
}
