//! How long the code is that loops expand to: no longer for a million iterations than for ten, linear in the lengths of
//! arrays that are read or assigned at run-time indices, and in loops independent of them, with derivatives by as few columns as will do, and in
//! reverse order where it can be.

/// The statements of the expansion.
fn statements(options: &str, function: &str) -> usize {
    let text = expansion(options, function);
    assert!(!text.contains("compile_error"), "{text}");
    text.matches("let ").count()
}

fn expansion(options: &str, function: &str) -> String {
    let parse = |text: &str| text.parse::<proc_macro2::TokenStream>().expect("the text consists of tokens");
    jacobian_expand::expand(parse(options), parse(function)).to_string()
}

/// Whether there is a loop in what is generated beside the function.
fn has_loop(options: &str, function: &str) -> bool {
    let text = expansion(options, function);
    assert!(!text.contains("compile_error"), "{text}");
    let (_, generated) = text.split_once("# [doc").expect("it is documented");
    generated.contains(" in 0 ..")
}

#[test]
fn a_million_iterations_are_as_long_as_ten() {
    let of_iterations = |iterations: usize| {
        format!(
            "fn f(x: f64, y: f64) -> f64 {{ let mut s = x; for i in 0..{iterations} {{ s = (s * y + i as f64).sin(); }} s }}"
        )
    };
    let chain =
        |iterations: usize| format!("fn f(x: f64) -> f64 {{ (0..{iterations}).map(|i| (x * i as f64).sin()).sum() }}");
    for function in [&of_iterations as &dyn Fn(usize) -> String, &chain] {
        let length = |options: &str, iterations: usize| {
            let text = expansion(options, &function(iterations));
            assert!(!text.contains("compile_error"), "{text}");
            text.replace(&iterations.to_string(), "10").len()
        };
        let many = length("", 1_000_000);
        for iterations in [100, 1_000, 100_000] {
            assert_eq!(length("", iterations), many, "{iterations} iterations");
        }
        assert_eq!(length("unroll = \"never\"", 10), many);
        assert!(length("", 8) > many && length("unroll = \"always\"", 100) > 10 * many);
    }
    let options = "unroll = \"never\"";
    assert_eq!(statements(options, &of_iterations(10)), statements("unroll = \"auto\"", &of_iterations(1_000_000)));
}

/// Left under a run-time condition, a loop is not nested in itself.
#[test]
fn a_loop_that_is_left_at_run_time_is_as_long_for_any_number_of_iterations() {
    let newton = |iterations: usize| {
        format!(
            "fn f(x: f64) -> f64 {{
                let mut r = x;
                for _ in 0..{iterations} {{ let step = (r - x / r) * 0.5; r -= step; if step.abs() < 1e-12 {{ break; }} }}
                r
            }}"
        )
    };
    let returns = |iterations: usize| newton(iterations).replace("break;", "return r;");
    let late = |iterations: usize| newton(iterations).replace("_ in", "i in").replace("1e-12", "1e-12 && i > 4");
    for function in [&newton as &dyn Fn(usize) -> String, &returns, &late] {
        let [some, many] = [9, 1_000].map(|iterations| statements("", &function(iterations)));
        assert!(some == many && many < 60, "{some} and {many} statements");
    }
    // The condition is known: nothing is nested, and little is written out.
    let known = newton(20).replace("_ in", "i in").replace("step.abs() < 1e-12", "i == 3");
    let four = newton(4).replace("if step.abs() < 1e-12 { break; }", "");
    assert_eq!(statements("", &known), statements("", &four));
}

/// What a loop would make of indices of active values, of many floats that mix, and of numbers that are known, takes
/// longer than what is written out.
#[test]
fn loops_that_would_take_longer_are_unrolled() {
    let indices = "fn f(x: [f64; 40]) -> f64 {
        let mut s = 0.0;
        for i in 0..200 { s += x[i % 40].sin() * i as f64; }
        s
    }";
    let many_floats = "fn f(x: [f64; 20]) -> f64 {
        let mut s = x;
        for _ in 0..10 {
            let old = s;
            for i in 0..20 { s[i] += old[i] * old[(i + 1) % 20]; }
        }
        s[0]
    }";
    let known = "fn f(x: f64, a: [f64; 3]) -> f64 {
        let (mut s, mut k) = (x, 0);
        for i in 0..300 { s += x * i as f64; k = (k + i) % 3; }
        s * a[k]
    }";
    for function in [indices, many_floats, known] {
        assert!(!has_loop("", function), "{function}");
    }
    // There are as many results as floats that are carried, so that all orders take as long.
    let of_all = many_floats.replace("-> f64", "-> [f64; 20]").replace("s[0]\n", "s\n");
    assert!(has_loop("", &of_all));
}

/// A Hessian by twenty columns of twenty floats, which depend on all after some iterations, is too long as a loop.
#[test]
fn what_is_too_long_as_a_loop_is_unrolled() {
    let function = "fn f(x: [f64; 20]) -> [f64; 20] {
        let mut s = x;
        for _ in 0..9 {
            let mut t = s;
            for i in 0..20 { t[i] += s[i] * s[(i + 1) % 20]; }
            s = t;
        }
        s
    }";
    assert!(has_loop("forms(jac)", function) && !has_loop("forms(hess)", function));
}

#[test]
fn indices_of_the_run_time_are_linear_in_the_length() {
    let reads = |n: usize| format!("fn f(x: [f64; {n}], k: usize) -> f64 {{ x[k] * x[k / 2] }}");
    let assigns = |n: usize| {
        format!("fn f(x: [f64; {n}], k: usize) -> f64 {{ let mut a = x; a[k] = a[0] * a[1]; a[k / 2] + a[2] }}")
    };
    for function in [&reads as &dyn Fn(usize) -> String, &assigns] {
        let [few, some, many] = [10, 30, 70].map(|length| statements("", &function(length)));
        let (of_twenty, of_forty) = (some - few, many - some);
        assert!(20 * of_forty <= 45 * of_twenty, "{few}, {some} and {many} statements");
    }
    // Each element has its derivatives by each, and one elimination of these does.
    let in_loop = |n: usize| {
        format!("fn f(x: [f64; {n}], n: usize) -> [f64; {n}] {{ let mut a = x; for i in 0..n {{ a[i] *= 0.5; }} a }}")
    };
    let [some, many] = [10, 30].map(|length| statements("", &in_loop(length)));
    assert!(many <= 11 * some, "{some} and {many} statements");
}

/// What a loop chooses from is an array, so that more elements are no more code: also where masks tell which of their
/// derivatives are structural zeros, and where the elements are those of a matrix.
#[test]
fn arrays_of_loops_take_as_many_statements_whatever_their_lengths() {
    let delay = |n: usize| {
        format!(
            "fn f(x: f64, p: f64, n: usize) -> f64 {{
                let mut a = [x; {n}];
                for i in 0..n {{ a[i % {n}] = a[(i + 1) % {n}] * p + a[0] / (1.0 + a[(3 * i) % {n}]); }}
                a[0]
            }}"
        )
    };
    let matrix = |n: usize| {
        format!(
            "fn f(x: f64, n: usize) -> f64 {{
                let mut m = [[x; {n}]; 3];
                for i in 0..n {{ for j in 0..n {{ m[i % 3][j] = m[(i + 1) % 3][j] * x + m[i % 3][0]; }} }}
                m[0][0]
            }}"
        )
    };
    for function in [&delay as &dyn Fn(usize) -> String, &matrix] {
        let [few, many] = [5, 20].map(|length| statements("", &function(length)));
        assert_eq!(few, many, "{}", expansion("", &function(5)));
    }
}

#[test]
fn derivatives_are_carried_by_as_few_columns_as_will_do() {
    let cells = "fn f(k: f64, d: f64, n: usize) -> f64 {
        let mut u = [0.0; 40];
        for i in 0..40 { u[i] = (d * i as f64).sin(); }
        for _ in 0..n {
            let mut v = u;
            for i in 1..39 { v[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]); }
            u = v;
        }
        u[20]
    }";
    let by_two = statements("", cells);
    assert!(by_two < 1_200, "{by_two} statements");
    let coupled = |n: usize| {
        format!(
            "fn f(x: [f64; {n}], n: usize) -> f64 {{
                let mut s = x;
                for _ in 0..n {{
                    let mut t = s;
                    for i in 0..{n} {{ t[i] += 0.1 * (s[(i + 1) % {n}] * s[(i + 2) % {n}]).sin(); }}
                    s = t;
                }}
                s.iter().sum()
            }}"
        )
    };
    let (jac, jvp, hvp) =
        (statements("", &coupled(12)), statements("forms(jvp)", &coupled(12)), statements("forms(hvp)", &coupled(12)));
    assert!(4 * jvp < jac && hvp < 4 * jac, "{jac}, {jvp} and {hvp} statements");
}

/// A row costs as much as the function, where an iteration is linear: with numbers, and with what is passive and the
/// same in all iterations.
#[test]
fn a_row_of_a_linear_loop_costs_an_edge_each() {
    let diffusion = |cells: usize, rate: &str, results: &str| {
        format!(
            "fn f(x: [f64; {cells}], rate: f64, items: &[f64]) -> {results} {{
                let mut u = x;
                for v in items {{
                    let old = u;
                    for i in 1..{cells} - 1 {{
                        u[i] = old[i] + {rate} * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
                    }}
                }}
                u[3]
            }}"
        )
    };
    for rate in ["0.1", "rate"] {
        for options in ["wrt(x)", "wrt(x), forms(vjp)", "wrt(x), forms(jac_only)", "wrt(x), forms(hvp)"] {
            let [some, many] = [20, 80].map(|cells| statements(options, &diffusion(cells, rate, "f64")));
            assert!(many < 5 * some && many < 60 * 80, "{options}: {some} and {many} statements");
        }
    }
    // A factor that is another one in each iteration is not reversed, nor is one that a pattern binds under the same name.
    for rate in ["v", "old[0]"] {
        let function = diffusion(20, rate, "f64");
        assert!(statements("wrt(x)", &function) > 20 * 20, "{rate}");
    }
    let hidden = diffusion(20, "rate", "f64").replace("for v in", "for rate in");
    assert!(statements("wrt(x)", &hidden) > 20 * 20);
}

/// A loop after the linear one, or another linear one, changes nothing of that.
#[test]
fn a_row_of_a_linear_loop_that_others_follow_costs_an_edge_each() {
    let function = |cells: usize, is_twice: bool| {
        let diffusion = format!(
            "for _ in items {{
                let old = u;
                for i in 1..{cells} - 1 {{ u[i] = old[i] + 0.1 * (old[i - 1] - 2.0 * old[i] + old[i + 1]); }}
            }}"
        );
        let second = if is_twice { &diffusion } else { "" };
        format!(
            "fn f(x: [f64; {cells}], items: &[f64]) -> f64 {{
                let mut u = x;
                {diffusion} {second}
                let mut cost = 0.0;
                for v in items {{ cost += (u[3] * v).sin(); }}
                cost
            }}"
        )
    };
    for is_twice in [false, true] {
        let [some, many] = [20, 80].map(|cells| statements("wrt(x)", &function(cells, is_twice)));
        assert!(many < 5 * some && many < 60 * 80, "{some} and {many} statements");
    }
}

/// The derivatives of a loop in a loop are no product of dense matrices.
#[test]
fn loops_in_loops_go_by_the_columns() {
    let function = |cells: usize| {
        format!(
            "fn f(x: [f64; {cells}], n: usize) -> f64 {{
                let mut u = x;
                for _ in 0..n {{
                    for _ in 0..3 * n {{
                        let old = u;
                        for i in 1..{cells} - 1 {{ u[i] += 0.1 * (old[i - 1] - 2.0 * old[i] + old[i + 1]); }}
                    }}
                }}
                u[5] * u[5]
            }}"
        )
    };
    let [some, many] = [10, 30].map(|cells| statements("", &function(cells)));
    assert!(many <= 12 * some, "{some} and {many} statements");
}

/// What is computed beside a loop within has its local Jacobian accumulated where that is less, however many edges there
/// are.
#[test]
fn a_step_beside_an_inner_loop_takes_what_its_local_jacobian_takes() {
    let function = "fn f(x: [f64; 50], k: f64, n: usize) -> [f64; 50] {
        let mut u = x;
        for _ in 0..n {
            for _ in 0..3 * n {
                let old = u;
                for i in 1..49 { u[i] = old[i] + k * (old[i - 1] - 2.0 * old[i] + old[i + 1]); }
            }
            for i in 0..50 { u[i] += k * u[i] * (1.0 - u[i] * u[i]); }
        }
        u
    }";
    assert!(statements("wrt(x)", function) < 8 * 50 * 50);
}

#[test]
fn what_would_be_too_long_is_refused() {
    let function = "fn f(x: [f64; 12], n: usize) -> f64 {
        let mut s = x;
        for _ in 0..n {
            let mut t = s;
            for i in 0..12 { for j in 0..12 { t[i] += 0.01 * (s[j] * s[i]).sin(); } }
            s = t;
        }
        s.iter().sum()
    }";
    let text = expansion("forms(hess)", function);
    assert!(text.contains("by each of the 12 values that it depends on"), "{text}");
    assert!(!expansion("forms(jac, jvp, vjp)", function).contains("compile_error"));
}

#[test]
fn factors_that_are_computed_in_the_loop_keep_the_reverse_order() {
    let rod_after = |before: &str, inner: &str, factor: &str| {
        let text = format!(
            "fn f(u: [f64; 20], k: f64, dt: f64, dx: f64, p: &P, m: &mut P, ks: &[f64; 20], table: &[f64], n: usize) -> f64 {{
                let g = |a: f64, r: f64| r * a;
                let mut u = u;
                {before}
                for _ in 0..n {{
                    {inner}
                    let o = u;
                    for i in 1..19 {{ u[i] = o[i] + {factor} * (o[i - 1] - 2.0 * o[i] + o[i + 1]); }}
                }}
                u[9]
            }}"
        );
        statements("wrt(u)", &text)
    };
    let rod = |inner: &str, factor: &str| rod_after("", inner, factor);
    let variable = rod("", "k");
    let in_place = ["k * dt / (dx * dx)", "-k * 0.5", "(k - dt)", "p.k", "-p.q.k * dt", "ks[3]", "ks[i]", "C"];
    for factor in in_place.into_iter().chain(["dt / n as f64", "std::f64::consts::PI * k", "ks[2].powi(2)"]) {
        assert!(rod("", factor) < 2 * variable, "{factor}");
    }
    for inner in [
        "let r = k * dt;",
        "let r: f64 = p.k / p.h;",
        "let r = (-k * ks[1]).exp();",
        "let s = k * dt; let r: f64 = s + p.k;",
    ] {
        assert!(rod(inner, "r") <= variable + 4, "{inner}");
    }
    // An argument has a variable for each call.
    let closure = "let o = u; for i in 1..19 { u[i] = g(o[i - 1], k * dt); }";
    assert!(rod(closure, "k") < 2 * variable);
    // What is changed behind a reference, whatever the type of that says.
    for (before, inner, factor) in [
        ("let q = &mut m.q;", "q.k *= 0.5;", "q.k"),
        ("let q: &mut Q = &mut m.q;", "q.k *= 0.5;", "q.k"),
        ("let q = table.first_mut();", "*q *= 0.5;", "*q"),
        ("let P { k: q, .. } = m;", "*q *= 0.5;", "*q"),
    ] {
        assert!(rod_after(before, inner, factor) > 2 * variable, "{before}");
    }
    // What may panic, do something, or be something else each time.
    let others =
        [("", "table[0]"), ("", "m.k"), ("", "p.k()"), ("let r = table[i];", "r"), ("let r = p.n * 2;", "r as f64")];
    for (inner, factor) in others {
        assert!(rod(inner, factor) > 2 * variable, "{inner} {factor}");
    }
}

#[test]
fn a_step_of_many_cells_takes_what_its_local_jacobian_takes() {
    let heat = "fn f(u: [f64; 50], k: f64, n: usize) -> [f64; 50] { let mut u = u; for _ in 0..n { let o = u;
        for i in 1..49 { u[i] = o[i] + k * (1.0 + o[i] * o[i]) * (o[i - 1] - 2.0 * o[i] + o[i + 1]); } } u }";
    // A row of the companions for each cell, of which a step adds up three times as many.
    assert!(statements("wrt(u)", heat) < 6 * 50 * 50);
}

/// A function of the module that is linear is inlined in a loop, however long it is.
#[test]
fn a_linear_function_keeps_the_reverse_order() {
    let module = |options: &str| {
        let text = format!(
            "mod m {{
                fn step(o: [f64; 60]) -> [f64; 60] {{
                    let mut u = o;
                    for i in 1..59 {{ u[i] = o[i] + 0.1 * (o[i - 1] - 2.0 * o[i] + o[i + 1]); }}
                    u
                }}
                #[jacobian({options})]
                pub fn f(u: [f64; 60], n: usize) -> f64 {{ let mut u = u; for _ in 0..n {{ u = step(u); }} u[9] }}
            }}"
        );
        statements("", &text)
    };
    assert!(module("forms(jac, vjp)") < 60 * 60);
    assert!(module("forms(jvp)") < 60 * 60);
}
