//! Random statements and patterns.

use super::expression::Level;
use super::function::{Generator, Variable};
use super::shape::Shape;
use super::text::{NUM, REAL, either, passive};

/// Names of variables: few, so that they shadow each other, and such as the expansion might choose.
const NAMES: [&str; 18] = [
    "x", "y", "z", "w", "u", "t", "a", "b", "q", "v1", "v2", "v_3", "sin", "value", "element", "r#type", "arg0", "x_0",
];

impl Generator<'_> {
    /// A statement; blocks nest at most `depth` deep.
    pub fn statement(&mut self, depth: usize) {
        match self.random.below(34) {
            0..=5 => self.let_float(),
            6 | 7 => self.let_aggregate(),
            8..=10 => self.let_pattern(),
            11..=13 => self.op_assign(),
            14 | 15 => self.assign(),
            16 => self.swap(),
            17 if depth > 0 => self.let_block(depth),
            18 if depth > 0 => self.bare_block(depth),
            19 => self.constant(),
            20 => self.deferred(),
            21 => self.reference(),
            22 => self.sine_and_cosine(),
            23..=25 if depth > 0 => self.loop_over_range(depth),
            26 | 27 if depth > 0 => self.loop_over_array(depth),
            28 => self.change_elements(),
            29 | 30 => self.closure(),
            31 => self.table(),
            32 if depth > 0 => self.known_branch(depth),
            _ => self.integer_or_import(),
        }
    }

    fn new_name(&mut self) -> String {
        (*self.random.pick(&NAMES.each_ref())).to_string()
    }

    /// `mut `, half of the time.
    fn mutability(&mut self) -> (&'static str, bool) {
        if self.random.percent(50) { ("mut ", true) } else { ("", false) }
    }

    fn annotation(&mut self, shape: &Shape) -> String {
        if self.random.percent(30) { format!(": {}", shape.ty()) } else { String::new() }
    }

    fn let_float(&mut self) {
        let value = self.typed(2);
        let ((prefix, is_mutable), name, ty) = (self.mutability(), self.new_name(), self.annotation(&Shape::Float));
        self.line(format!("let {prefix}{name}{ty} = {};", value.text));
        self.declare(Variable::new(&name, Shape::Float, value.range, is_mutable));
    }

    fn let_aggregate(&mut self) {
        let shape = Shape::aggregate(self.random);
        let (text, range) = self.aggregate(&shape, 1);
        let ((prefix, is_mutable), name, ty) = (self.mutability(), self.new_name(), self.annotation(&shape));
        self.line(format!("let {prefix}{name}{ty} = {text};"));
        self.declare(Variable::new(&name, shape, range, is_mutable));
    }

    /// A value of this shape.
    pub fn aggregate(&mut self, shape: &Shape, depth: usize) -> (String, (f64, f64)) {
        if *shape != Shape::Float && self.random.percent(25) {
            let is_same = |variable: &Variable| variable.shape == *shape && !variable.access.starts_with("(*refer");
            if let Some(variable) = self.visible().into_iter().rev().find(is_same) {
                return (variable.access, variable.range);
            }
        }
        match shape {
            Shape::Float => {
                let value = self.typed(depth);
                (value.text, value.range)
            }
            Shape::Array(element, length) if self.random.percent(25) => {
                let (text, range) = self.aggregate(element, depth);
                (format!("[{text}; {length}]"), range)
            }
            Shape::Array(element, length) => {
                let (texts, range) = self.aggregates(&vec![(**element).clone(); *length], depth);
                (format!("[{texts}]"), range)
            }
            Shape::Tuple(shapes) => {
                let (texts, range) = self.aggregates(shapes, depth);
                (format!("({texts})"), range)
            }
        }
    }

    fn aggregates(&mut self, shapes: &[Shape], depth: usize) -> (String, (f64, f64)) {
        let parts: Vec<_> = shapes.iter().map(|shape| self.aggregate(shape, depth)).collect();
        let range = parts.iter().map(|part| part.1).fold((f64::INFINITY, f64::NEG_INFINITY), union);
        (parts.into_iter().map(|part| part.0).collect::<Vec<_>>().join(", "), range)
    }

    fn let_pattern(&mut self) {
        let shape = Shape::aggregate(self.random);
        let (text, range) = self.aggregate(&shape, 1);
        let mut bound = Vec::new();
        let pattern = self.pattern(&shape, range, &mut bound);
        // What is behind a reference and wholly passive is not known element by element, and cannot be assigned so.
        let reference = if self.random.percent(40) && !pattern.contains("mut ") { "&" } else { "" };
        let ty = if reference.is_empty() { self.annotation(&shape) } else { String::new() };
        self.line(format!("let {reference}{pattern}{ty} = {reference}{text};"));
        bound.into_iter().for_each(|variable| self.declare(variable));
    }

    /// A pattern for a value of this shape; `bound` are the variables in it.
    pub fn pattern(&mut self, shape: &Shape, range: (f64, f64), bound: &mut Vec<Variable>) -> String {
        match shape {
            Shape::Float if self.random.percent(10) => "_".to_string(),
            Shape::Float => self.name_pattern(Shape::Float, range, bound),
            Shape::Array(element, length) => match self.random.below(5) {
                0 => {
                    let first = self.pattern(element, range, bound);
                    let rest = self.name_pattern(Shape::array((**element).clone(), length - 1), range, bound);
                    format!("[{first}, {rest} @ ..]")
                }
                1 => {
                    let (first, last) = (self.pattern(element, range, bound), self.pattern(element, range, bound));
                    format!("[{first}, .., {last}]")
                }
                2 => self.name_pattern(shape.clone(), range, bound),
                _ => format!("[{}]", self.patterns(&vec![(**element).clone(); *length], range, bound)),
            },
            Shape::Tuple(shapes) => match self.random.below(4) {
                0 => format!("(.., {})", self.patterns(&shapes[1..], range, bound)),
                1 => format!("({}, ..)", self.patterns(&shapes[..1], range, bound)),
                _ => format!("({})", self.patterns(shapes, range, bound)),
            },
        }
    }

    fn patterns(&mut self, shapes: &[Shape], range: (f64, f64), bound: &mut Vec<Variable>) -> String {
        shapes.iter().map(|shape| self.pattern(shape, range, bound)).collect::<Vec<_>>().join(", ")
    }

    fn name_pattern(&mut self, shape: Shape, range: (f64, f64), bound: &mut Vec<Variable>) -> String {
        let (prefix, is_mutable) = self.mutability();
        let mut name = self.new_name();
        while bound.iter().any(|variable| variable.name == name) {
            name = self.fresh("part");
        }
        bound.push(Variable::new(&name, shape, range, is_mutable));
        format!("{prefix}{name}")
    }

    fn op_assign(&mut self) {
        let Some((variable, place)) = self.mutable_place() else { return self.let_float() };
        let symbol = *self.random.pick(&["+=", "-=", "*=", "/=", "%="].each_ref());
        let value = self.typed(2);
        let value = match symbol {
            "/=" | "%=" => self.fitted(value, (0.5, 2.0)),
            _ => self.fitted(value, (-2.0, 2.0)),
        };
        let (low, high) = variable.range;
        let growth = if symbol == "+=" || symbol == "-=" { 1.0 } else { 2.0 };
        let bound = growth * low.abs().max(high.abs()) + 2.0;
        self.line(format!("{place} {symbol} {};", value.text));
        self.widen(&variable.name, (-bound, bound));
    }

    fn assign(&mut self) {
        let Some((variable, place)) = self.mutable_place() else { return self.let_float() };
        if variable.shape != Shape::Float && self.random.percent(30) {
            let (text, range) = self.aggregate(&variable.shape, 1);
            self.line(format!("{} = {text};", variable.name));
            return self.widen(&variable.name, range);
        }
        let value = self.typed(2);
        self.line(format!("{place} = {};", value.text));
        self.widen(&variable.name, value.range);
    }

    /// A destructuring assignment.
    fn swap(&mut self) {
        let (Some((first, left)), Some((second, right))) = (self.mutable_place(), self.mutable_place()) else {
            return self.let_float();
        };
        if first.name == second.name {
            let value = self.typed(1);
            self.line(format!("[_, {left}] = [{right}, {}];", value.text));
            return self.widen(&first.name, value.range);
        }
        self.line(format!("({left}, {right}) = ({right}, {left});"));
        self.widen(&first.name, second.range);
        self.widen(&second.name, first.range);
    }

    fn let_block(&mut self, depth: usize) {
        self.enter();
        self.statement(depth - 1);
        let value = self.typed(2);
        let lines = self.leave();
        let name = self.new_name();
        self.line(format!("let {name} = {{\n{}\n{}\n}};", lines.join("\n"), value.text));
        self.declare(Variable::new(&name, Shape::Float, value.range, false));
    }

    fn bare_block(&mut self, depth: usize) {
        self.enter();
        for _ in 0..3 {
            self.statement(depth - 1);
        }
        let lines = self.leave();
        self.line(format!("{{\n{}\n}}", lines.join("\n")));
    }

    /// A block as an operand.
    pub fn block_expression(&mut self, depth: usize) -> super::expression::Expression {
        self.enter();
        self.let_float();
        let value = self.typed(depth - 1);
        let lines = self.leave();
        super::expression::Expression::atom(format!("({{ {} {} }})", lines.join(" "), value.text), value.range)
    }

    /// A constant, which is visible before its declaration, too.
    fn constant(&mut self) {
        if self.random.percent(50) {
            let (name, value) = (self.fresh("K").to_uppercase(), self.random.within(-8, 8) as f64 * 0.25);
            self.item(format!("const {name}: {NUM} = {value:?};"));
            self.passives.push((name, (value, value)));
        } else {
            let (name, value) = (self.fresh("I").to_uppercase(), self.random.within(0, 2));
            self.item(format!("const {name}: usize = {value};"));
            self.indices.push((name, value));
        }
    }

    fn deferred(&mut self) {
        let ((prefix, is_mutable), name) = (self.mutability(), self.fresh("late"));
        self.line(format!("let {prefix}{name};"));
        let value = self.typed(2);
        self.line(format!("{name} = {};", value.text));
        self.declare(Variable::new(&name, Shape::Float, value.range, is_mutable));
    }

    fn reference(&mut self) {
        let name = self.fresh("refer");
        let visible = self.visible();
        let target = visible[self.random.below(visible.len())].clone();
        self.freeze(&target.name);
        self.line(format!("let {name} = &{};", target.access));
        self.declare(Variable { access: format!("(*{name})"), name, is_mutable: false, ..target });
    }

    fn sine_and_cosine(&mut self) {
        let value = self.typed(1);
        let names = [self.fresh("sine"), self.fresh("cosine")];
        let receiver = value.at(Level::Atom);
        let call = match self.random.below(2) {
            0 => format!("{receiver}.sin_cos()"),
            _ => format!("{REAL}::sin_cos({})", value.text),
        };
        self.line(format!("let ({}, {}) = {call};", names[0], names[1]));
        names.iter().for_each(|name| self.declare(Variable::new(name, Shape::Float, (-1.0, 1.0), false)));
    }

    fn integer_or_import(&mut self) {
        if self.is_in_block() || self.random.percent(50) {
            let (text, range) = self.integer((-6, 6));
            let name = self.fresh("count");
            let value = either(&text, &text);
            self.line(format!("let {name}: i32 = {value};"));
            self.integers.push((name, range));
        } else {
            let name = self.fresh("pi").to_uppercase();
            self.item(format!("use core::{NUM}::consts::PI as {name};"));
            self.passives.push((name, (3.1, 3.2)));
        }
    }

    /// A passive float.
    pub fn passive_leaf(&mut self) -> super::expression::Expression {
        let index = self.random.below(self.passives.len());
        let (text, range) = self.passives[index].clone();
        let text = if self.random.percent(20) { format!("({text} * 1.0)") } else { text };
        super::expression::Expression::atom(passive(&text), range)
    }
}

fn union(left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
    (left.0.min(right.0), left.1.max(right.1))
}
