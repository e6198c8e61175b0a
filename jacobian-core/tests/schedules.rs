//! Schedules on the cases in the directory `schedule_cases`, and on random code lists.
//!
//! ```text
//! function:                       a code list that is differentiated
//! strategy: vertex: forward       by this strategy; without these two, the statements are what stands below
//! statements:                     the statements in one-hit form, numbered from 1
//! heights: 0 1 1                  the rows: `heights`, `depths`, `successors`, `ranks` (with a = 1, b = 1)
//! schedule: depth-first           a schedule, or `order: 1 2 3`
//!     order: 1 2 3                the order that it gives
//!     starts: 0 1 2               the cycles in which the statements of that order are issued
//!     cycles: 5                   how long they take
//! ```

use jacobian_core::pipeline::linearize;
use jacobian_core::schedule::DependenceGraph;
use jacobian_core::text::ParseError;
use jacobian_core::{CodeList, Schedule, Strategy};
use jacobian_lab::one_hit::OneHit;

use support::case_file::{Failure, Section, assert_cases, lines, sections};

mod support {
    #[allow(dead_code, reason = "other tests need more of it")]
    pub mod case_file;
}

#[test]
fn every_case_holds() {
    assert_cases("schedule_cases", |text| {
        let failures = check(text).unwrap_or_else(|failure| vec![failure]);
        failures.into_iter().map(|(line, message)| format!("{line}: {message}")).collect()
    });
}

#[test]
fn what_differs_is_reported_with_its_line() {
    let statements = "statements:\n    a :=\n    b = a\n    c = b\n";
    for (rest, line, message) in [
        ("heights: 0 1 1", 5, "heights: 0 1 2 instead of 0 1 1"),
        ("schedule: source\n    cycles: 4", 6, "cycles: 5 instead of 4"),
        ("schedule: source\n    starts: 0 1 2", 6, "starts: 0 1 3 instead of 0 1 2"),
        ("order: 1 3 2\n    cycles: 5", 5, "the graph does not admit the order 1 3 2"),
        ("schedule: fast\n    cycles: 5", 5, "unknown schedule `fast`"),
        ("schedule: source", 5, "nothing is expected of this order"),
        ("widths: 1 2", 5, "unknown section `widths`"),
    ] {
        let failures = check(&format!("{statements}{rest}\n")).unwrap_or_else(|failure| vec![failure]);
        assert!(failures.len() == 1 && failures[0].0 == line && failures[0].1.starts_with(message), "{failures:?}");
    }
    let function = "function:\n    input x\n    y = sin(x)\n    output y\nstrategy: forward\n";
    let failure = check(&format!("{function}{statements}")).expect_err("other statements");
    assert_eq!(failure, (6, "there is no statement `a`".into()));
}

/// The statements of a function, in the order in which a schedule writes them.
fn scheduled(function: &str, schedule: &str) -> Vec<String> {
    let list: CodeList = function.parse().expect("a code list");
    let schedule: Schedule = schedule.parse().expect("a schedule");
    let text = schedule.apply(&list).to_string();
    text.lines().filter_map(|line| Some(line.split_once(" = ")?.0.trim().to_string())).collect()
}

#[test]
fn what_need_not_wait_for_a_call_is_written_in_front_of_it() {
    let function = "input x y\na = sqrt(x)\nb = exp(a)\nc = y * y\nd = c * y\ne = b * d\noutput e\n";
    assert_eq!(scheduled(function, "latency"), ["a", "c", "d", "b", "e"]);
    assert_eq!(scheduled(function, "auto"), ["a", "c", "d", "b", "e"]);
}

#[test]
fn of_two_calls_the_one_that_more_waits_for_comes_first() {
    let function = "input x\na = exp(x)\nb = sin(x)\nc = ln(b)\nd = a * c\noutput d\n";
    assert_eq!(scheduled(function, "auto"), ["b", "a", "c", "d"]);
}

#[test]
fn without_calls_the_order_stays() {
    let with_root = "input x y\na = sqrt(x)\nb = 1 / a\nc = y * y\nd = b * c\noutput d\n";
    assert_eq!(scheduled(with_root, "auto"), ["a", "b", "c", "d"]);
    assert_eq!(scheduled(with_root, "latency"), ["a", "c", "b", "d"]);
    let with_constant = "input x y\nk = exp(2)\na = sqrt(x)\nb = a * k\nc = y * y\nd = b * c\noutput d\n";
    assert_eq!(scheduled(with_constant, "auto"), ["k", "a", "b", "c", "d"]);
}

/// What differs from a case.
fn check(text: &str) -> Result<Vec<Failure>, Failure> {
    let (mut function, mut subject, mut failures) = (None, OneHit::default(), Vec::new());
    for section in sections(&lines(text))? {
        let at_line = |message: String| (section.line, message);
        let failure = |error: ParseError| (error.line, error.message);
        match section.key {
            "function" => function = Some(section.text().parse::<CodeList>().map_err(failure)?),
            "strategy" => {
                let function = function.as_ref().ok_or_else(|| at_line("no function stands before".into()))?;
                subject = one_hit(function, section.value).map_err(at_line)?;
            }
            "statements" => {
                let statements: OneHit = section.text().parse().map_err(failure)?;
                subject =
                    if function.is_some() { numbered_as(&subject, &statements).map_err(at_line)? } else { statements };
            }
            "schedule" | "order" => failures.extend(check_order(&subject.graph, &section)?),
            key => {
                let actual = row(&subject.graph, key).ok_or_else(|| at_line(format!("unknown section `{key}`")))?;
                failures.extend(difference(key, &join(&actual), section.value).map(at_line));
            }
        }
    }
    Ok(failures)
}

fn one_hit(function: &CodeList, strategy: &str) -> Result<OneHit, String> {
    let strategy: Strategy = strategy.parse().map_err(|error| format!("{error}"))?;
    let linearization = linearize(function);
    let (_, elimination) = strategy.eliminate(&linearization).map_err(|error| error.to_string())?;
    Ok(OneHit::new(&linearization, &elimination.program))
}

/// The statements of an elimination, numbered as in the case, which must be the same.
fn numbered_as(subject: &OneHit, expected: &OneHit) -> Result<OneHit, String> {
    let place = |name: &String| {
        let place = subject.names.iter().position(|known| known == name);
        place.ok_or_else(|| format!("there is no statement `{name}`"))
    };
    let order = expected.names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    if !subject.graph.admits(&order) {
        return Err(format!("the statements are others:\n{subject}"));
    }
    let numbered = subject.renumbered(&order);
    difference("statements", &numbered.to_string(), &expected.to_string()).map_or(Ok(numbered), Err)
}

fn row(graph: &DependenceGraph, key: &str) -> Option<Vec<usize>> {
    match key {
        "heights" => Some(graph.heights()),
        "depths" => Some(graph.depths()),
        "successors" => Some((0..graph.len()).map(|statement| graph.successors(statement).len()).collect()),
        "ranks" => Some(graph.ranks(1, 1)),
        _ => None,
    }
}

fn check_order(graph: &DependenceGraph, section: &Section<'_>) -> Result<Vec<Failure>, Failure> {
    let at_line = |message: String| (section.line, message);
    let order = match section.key {
        "order" => numbers(section.value).map_err(at_line)?,
        _ => section.value.parse::<Schedule>().map_err(|error| at_line(error.to_string()))?.order(graph),
    };
    if !graph.admits(&order) {
        return Err(at_line(format!("the graph does not admit the order {}", one_based(&order))));
    }
    let (times, mut failures) = (graph.start_times(&order), Vec::new());
    let expectations = sections(&section.body)?;
    if expectations.is_empty() {
        return Err(at_line("nothing is expected of this order".into()));
    }
    for Section { line, key, value, .. } in expectations {
        let actual = match key {
            "order" => one_based(&order),
            "starts" => join(&order.iter().map(|&statement| times[statement]).collect::<Vec<_>>()),
            "cycles" => graph.completion_time(&order).to_string(),
            _ => return Err((line, format!("unknown expectation `{key}`"))),
        };
        failures.extend(difference(key, &actual, value).map(|message| (line, message)));
    }
    Ok(failures)
}

fn difference(key: &str, actual: &str, expected: &str) -> Option<String> {
    (actual != expected).then(|| format!("{key}: {actual} instead of {expected}"))
}

/// Numbers from 1 as indices.
fn numbers(text: &str) -> Result<Vec<usize>, String> {
    let number = |word: &str| word.parse::<usize>().ok()?.checked_sub(1);
    text.split_whitespace().map(|word| number(word).ok_or_else(|| format!("`{word}` is no number"))).collect()
}

fn one_based(order: &[usize]) -> String {
    join(&order.iter().map(|statement| statement + 1).collect::<Vec<_>>())
}

fn join(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
