//! Random loops, chains of iterators, closures and known conditions.

use super::expression::{Expression, Level};
use super::function::{Generator, Variable};
use super::shape::Shape;
use super::text::{NUM, REAL, passive};

/// What is assigned in every iteration of a loop is brought into this range, so that it does not grow.
const STEADY: (f64, f64) = (-2.0, 2.0);

/// Ranges of `usize` and their greatest values, with `@` for a constant.
const RANGES: [(&str, i64); 7] = [
    ("0..3", 2),
    ("0..=2", 2),
    ("(1..4).rev()", 3),
    ("(0..7).step_by(3)", 6),
    ("(0..6).rev().step_by(2)", 5),
    ("0..@ + 2", 3),
    ("2..2", 2),
];

impl Generator<'_> {
    /// A float that stays in the steady range.
    fn steady(&mut self, depth: usize) -> Expression {
        let value = self.typed(depth);
        self.fitted(value, STEADY)
    }

    /// A variable of its own that loops assign to.
    fn accumulator(&mut self) -> String {
        let (name, start) = (self.fresh("acc"), self.steady(1));
        self.line(format!("let mut {name}: {REAL} = {};", start.text));
        self.declare(Variable::new(&name, Shape::Float, STEADY, false));
        name
    }

    /// `for i in 0..3 { ... }`, with ways out of it and other statements in it.
    pub fn loop_over_range(&mut self, depth: usize) {
        let (accumulator, name, label) = (self.accumulator(), self.fresh("i"), self.fresh("around"));
        let (mut range, mut greatest) = *self.random.pick(&RANGES.each_ref());
        let constant = self.indices.last().cloned();
        if let (true, None) = (range.contains('@'), &constant) {
            (range, greatest) = RANGES[0];
        }
        let range = range.replace('@', &constant.map(|(name, _)| name).unwrap_or_default());
        let outside = self.enter_loop();
        self.counters.push(name.clone());
        self.passives.push((format!("({name} as {NUM})"), (0.0, greatest as f64)));
        self.body_of_loop(depth, &accumulator, &name, &label);
        let lines = self.leave_loop(outside);
        let kind = *self.random.pick(&["", "", "_usize"].each_ref());
        let range = if kind.is_empty() { range } else { range.replacen("..", &format!("{kind}.."), 1) };
        self.line(format!("'{label}: for {name} in {range} {{\n{}\n}}", lines.join("\n")));
    }

    fn body_of_loop(&mut self, depth: usize, accumulator: &str, counter: &str, label: &str) {
        for _ in 0..self.random.below(3) {
            self.statement(depth - 1);
        }
        match self.random.below(5) {
            0 => self.line(format!("if {counter} % 3 == 1 {{ continue; }}")),
            1 => self.line(format!("if {counter} + 1 == 3 && {counter} > 0 {{ break; }}")),
            2 => {
                let (inner, value) = (self.fresh("j"), self.steady(1));
                self.line(format!(
                    "for {inner} in 0..={counter} {{ if {inner} * {inner} > 4 {{ continue '{label}; }} {accumulator} = {}; }}",
                    value.text
                ));
            }
            _ => {}
        }
        let value = self.steady(2);
        self.line(format!("{accumulator} = {};", value.text));
    }

    /// The arrays of floats that can be named.
    fn arrays(&mut self) -> Vec<(Variable, usize)> {
        let length = |variable: &Variable| match &variable.shape {
            Shape::Array(element, length) if **element == Shape::Float => Some(*length),
            _ => None,
        };
        self.visible().into_iter().filter_map(|variable| length(&variable).map(|length| (variable, length))).collect()
    }

    /// An array of floats.
    fn array(&mut self) -> (Variable, usize) {
        let mut arrays = self.arrays();
        if !arrays.is_empty() {
            return arrays.swap_remove(self.random.below(arrays.len()));
        }
        let (name, first, second) = (self.fresh("list"), self.typed(1), self.typed(0));
        self.line(format!("let {name} = [{}, {}];", first.text, second.text));
        let range = (first.range.0.min(second.range.0), first.range.1.max(second.range.1));
        let variable = Variable::new(&name, Shape::array(Shape::Float, 2), range, false);
        self.declare(variable.clone());
        (variable, 2)
    }

    /// `for v in &list { ... }`, and by other iterators.
    pub fn loop_over_array(&mut self, depth: usize) {
        let (accumulator, (list, _)) = (self.accumulator(), self.array());
        let (name, counter) = (self.fresh("item"), self.fresh("i"));
        let float = |access: String| Variable { access, ..Variable::new(&name, Shape::Float, list.range, false) };
        let access = &list.access;
        let (header, variable, counts) = match self.random.below(7) {
            0 => (format!("{name} in {access}"), float(name.clone()), false),
            1 => (format!("{name} in &{access}"), float(format!("(*{name})")), false),
            2 => (format!("&{name} in {access}.iter().rev()"), float(name.clone()), false),
            3 => (format!("({counter}, {name}) in {access}.iter().enumerate()"), float(format!("(*{name})")), true),
            4 => (format!("({name}, {counter}) in {access}.iter().copied().zip(1_usize..)"), float(name.clone()), true),
            5 => (format!("{name} in {access}.windows(2)"), float(format!("{name}[1]")), false),
            _ => (
                format!("({counter}, {name}) in (0..5_usize).zip({access}.map(|v| v * v)).skip(1)"),
                float(name.clone()),
                true,
            ),
        };
        let bound = list.range.0.abs().max(list.range.1.abs());
        let squared = Variable { range: (-bound.max(bound * bound), bound.max(bound * bound)), ..variable };
        let outside = self.enter_loop();
        self.declare(squared);
        if counts {
            self.counters.push(counter.clone());
            self.passives.push((format!("({counter} as {NUM})"), (0.0, 5.0)));
        }
        for _ in 0..self.random.below(2) {
            self.statement(depth - 1);
        }
        let value = self.steady(2);
        self.line(format!("{accumulator} = {};", value.text));
        let lines = self.leave_loop(outside);
        self.line(format!("for {header} {{\n{}\n}}", lines.join("\n")));
    }

    /// `for v in list.iter_mut() { ... }`, and methods that change a list.
    pub fn change_elements(&mut self) {
        let (name, item, first, second) = (self.fresh("list"), self.fresh("item"), self.steady(1), self.steady(0));
        self.line(format!("let mut {name}: [{REAL}; 3] = [{}, {}, {}];", first.text, second.text, passive("0.25")));
        let value = self.steady(1);
        let inner = Expression::atom(format!("(*{item})"), STEADY);
        let changed = self.fitted(
            Expression {
                text: format!("*{item} * {}", value.at(Level::Prefix)),
                level: Level::Product,
                range: (-4.0, 4.0),
                is_typed: true,
            },
            STEADY,
        );
        let line = match self.random.below(6) {
            0 => format!("for {item} in {name}.iter_mut() {{ *{item} = {}; }}", changed.text),
            1 => format!("for {item} in &mut {name}[1..] {{ *{item} = {}; }}", changed.text),
            2 => format!("for ({item}, k) in {name}.iter_mut().rev().zip(0..2) {{ *{item} = {}; }}", changed.text),
            3 => format!("{name}.swap(0, 2); {name}[..2].fill({});", value.text),
            4 => format!("{name}.iter_mut().for_each(|{item}| *{item} = {});", self.fitted(inner, (-1.0, 1.0)).text),
            _ => format!("{name}[..2].copy_from_slice(&[{}, {}]); {name}.reverse();", value.text, passive("0.5")),
        };
        self.line(line);
        self.declare(Variable::new(&name, Shape::array(Shape::Float, 3), STEADY, true));
    }

    /// A closure, which is called at once or later.
    pub fn closure(&mut self) {
        let (name, argument) = (self.fresh("f"), self.fresh("arg"));
        let outside = self.enter_loop();
        self.declare(Variable::new(&argument, Shape::Float, STEADY, false));
        for _ in 0..self.random.below(2) {
            self.statement(0);
        }
        let value = self.steady(2);
        let lines = self.leave_loop(outside);
        let body = format!("|{argument}: {REAL}| -> {REAL} {{\n{}\n{}\n}}", lines.join("\n"), value.text);
        if self.random.percent(50) {
            self.line(format!("let {name} = move {body};"));
            return self.closures.push((name, STEADY));
        }
        let (result, first, second) = (self.fresh("called"), self.steady(1), self.steady(1));
        // What is captured by reference is not assigned before the last call.
        self.line(format!("let {name} = {body};\nlet {result} = {name}({}) - {name}({});", first.text, second.text));
        self.declare(Variable::new(&result, Shape::Float, (-4.0, 4.0), false));
    }

    /// A call of a closure that has been declared.
    pub fn call_of_closure(&mut self, depth: usize) -> Expression {
        if self.closures.is_empty() {
            return self.chain(depth);
        }
        let (name, range) = self.closures[self.random.below(self.closures.len())].clone();
        let argument = self.steady(depth - 1);
        Expression::atom(format!("{name}({})", argument.text), range)
    }

    /// A table of numbers that are known.
    pub fn table(&mut self) {
        let counter = self.counters.last().cloned().unwrap_or_else(|| "1".to_string());
        let name = self.fresh("T").to_uppercase();
        match self.random.below(3) {
            0 => {
                self.item(format!("const {name}: [{NUM}; 3] = [0.5, -1.25, 2.0];"));
                self.passives.push((format!("{name}[{counter} % 3]"), (-1.25, 2.0)));
            }
            1 => {
                self.item(format!("const {name}: [[usize; 2]; 3] = [[0, 2], [1 + 1, 0], [1, 3 / 2]];"));
                self.counters.push(format!("{name}[{counter} % 3][1]"));
            }
            _ => {
                let name = self.fresh("weights");
                self.line(format!("let {name}: [{NUM}; 2] = [0.75, -0.5];"));
                self.passives.push((format!("{name}[{counter} % 2]"), (-0.5, 0.75)));
                self.passives.push((format!("{name}[k % 2]"), (-0.5, 0.75)));
            }
        }
    }

    /// A condition that is known, on a counter or on constants.
    fn condition(&mut self) -> String {
        let operand = match self.counters.last() {
            Some(counter) => counter.clone(),
            None => self.indices.last().map_or("1_usize".to_string(), |(name, _)| name.clone()),
        };
        let conditions = ["@ % 2 == 0", "@ > 1 || @ == 0", "!(@ < 1) && true", "@ * @ <= 1", "(1..3).contains(&(@))"];
        self.random.pick(&conditions.each_ref()).replace('@', &format!("({operand})"))
    }

    /// `if` on what is known, with statements on both sides.
    pub fn known_branch(&mut self, depth: usize) {
        let condition = self.condition();
        let mut side = || {
            self.enter();
            self.statement(depth - 1);
            self.leave().join("\n")
        };
        let (then, otherwise) = (side(), side());
        self.line(format!("if {condition} {{\n{then}\n}} else {{\n{otherwise}\n}}"));
    }

    /// `if` or `match` on what is known, as a value.
    pub fn known_choice(&mut self, depth: usize) -> Expression {
        let (first, second) = (self.typed(depth - 1), self.typed(depth - 1));
        let range = (first.range.0.min(second.range.0), first.range.1.max(second.range.1));
        let counter = self.counters.last().cloned().unwrap_or_else(|| "2_usize".to_string());
        let text = match self.random.below(3) {
            0 => {
                let condition = self.condition();
                format!("(if {condition} {{ {} }} else {{ {} }})", first.text, second.text)
            }
            1 => format!(
                "(match {counter} % 4 {{ 0 | 3 => {}, 1..=2 => {}, _ => unreachable }})",
                first.text, second.text
            )
            .replace("unreachable", &passive("0.0")),
            _ => {
                let label = self.fresh("found");
                format!("('{label}: {{ if {counter} == 1 {{ break '{label} {} }} {} }})", first.text, second.text)
            }
        };
        Expression::atom(text, range)
    }

    /// A sum, product or fold over the items of an iterator.
    pub fn chain(&mut self, depth: usize) -> Expression {
        let ((list, length), item) = (self.array(), self.fresh("v"));
        let (low, high) = list.range;
        let count = length as f64;
        let access = &list.access;
        self.enter();
        self.declare(Variable::new(&item, Shape::Float, list.range, false));
        let mapped = self.steady(depth - 1);
        self.leave();
        let mapped = &mapped.text;
        let bound = low.abs().max(high.abs());
        let (text, range) = match self.random.below(9) {
            0 => (format!("{access}.iter().copied().sum::<{REAL}>()"), (-bound * count, bound * count)),
            1 => (format!("{access}.iter().map(|&{item}| {mapped}).sum::<{REAL}>()"), (-2.0 * count, 2.0 * count)),
            2 => (
                format!("{access}.into_iter().rev().map(|{item}| {mapped}).product::<{REAL}>()"),
                (-2_f64.powf(count), 2_f64.powf(count)),
            ),
            3 => (
                format!(
                    "{access}.iter().fold({}, |folded, &{item}| (folded + {mapped}) * {})",
                    passive("1.5"),
                    passive("0.5")
                ),
                (-4.0, 4.0),
            ),
            4 => (
                format!("{access}.iter().zip({access}.iter().skip(1)).map(|(a, b)| *a * *b).sum::<{REAL}>()"),
                (-bound * bound * count, bound * bound * count),
            ),
            5 => (
                format!(
                    "{access}.iter().enumerate().filter(|(at, _)| at % 2 == 0).map(|(at, &{item})| {mapped} * {}).sum::<{REAL}>()",
                    passive("at as Num")
                ),
                (-2.0 * count * count, 2.0 * count * count),
            ),
            6 => (format!("{access}.map(|{item}| {mapped})[{}]", length - 1), STEADY),
            7 => (
                format!(
                    "core::array::from_fn::<{REAL}, 3, _>(|at| {{ let {item} = {access}[at % {length}]; {mapped} }})[1]"
                ),
                STEADY,
            ),
            _ => (
                format!(
                    "(0..2_usize).flat_map(|i| [{access}[i % {length}], {access}[0]]).chain({access}.iter().step_by(2).copied()).take(4).sum::<{REAL}>()"
                ),
                (-4.0 * bound, 4.0 * bound),
            ),
        };
        Expression::atom(format!("({text})"), range)
    }
}
