//! Random expressions of floats, with the range of their values: so arguments stay within the domains of the catalogue.

use jacobian_core::catalogue::{CATALOGUE, Row, Spelling};
use jacobian_core::code_list::Kind;

use super::function::Generator;
use super::text::{REAL, either, passive};

/// How closely an expression binds.
#[derive(Copy, Clone, PartialEq, PartialOrd)]
pub enum Level {
    Sum,
    Product,
    Prefix,
    Atom,
}

/// An expression.
#[derive(Clone)]
pub struct Expression {
    pub text: String,
    pub level: Level,
    pub range: (f64, f64),
    /// Whether its type is plain from itself: literals without a suffix have none.
    pub is_typed: bool,
}

/// How a call is written.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    Method,
    Path,
    Qualified,
    Primitive,
    Libm,
}

/// Beyond this, a value is brought back to moderate size.
const LARGE: f64 = 1e3;

/// The widest arguments of calls, that exponentials of exponentials do not overflow.
const WIDEST: (f64, f64) = (-4.0, 4.0);

impl Expression {
    pub fn atom(text: String, range: (f64, f64)) -> Self {
        Expression { text, level: Level::Atom, range, is_typed: true }
    }

    /// The text, in parentheses where it binds less closely than `level`.
    pub fn at(&self, level: Level) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }

    /// A plain zero is in no domain: many functions have their kinks there.
    fn is_within(&self, (low, high): (f64, f64)) -> bool {
        low <= self.range.0 && self.range.1 <= high && self.range != (0.0, 0.0)
    }
}

impl Generator<'_> {
    /// An expression of at most this depth.
    pub fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(24) {
            0..=2 => self.leaf(),
            3..=8 => self.arithmetic(depth),
            9..=15 => self.call(depth),
            16 => self.negation(depth),
            17 => self.element_of_literal(depth),
            18 => self.block_expression(depth),
            19 | 20 => self.chain(depth),
            21 => self.call_of_closure(depth),
            22 => self.known_choice(depth),
            _ => {
                let inner = self.typed(depth - 1);
                let text = format!("({}{})", inner.at(Level::Prefix), either(&format!(" as {REAL}"), ""));
                Expression { text, level: Level::Atom, ..inner }
            }
        }
    }

    /// An expression whose type is plain from itself.
    pub fn typed(&mut self, depth: usize) -> Expression {
        let expression = self.expression(depth);
        self.made_typed(expression)
    }

    fn made_typed(&mut self, expression: Expression) -> Expression {
        if expression.is_typed {
            return expression;
        }
        let text = format!("{} + {}", expression.at(Level::Sum), passive("0.25_Num"));
        let range = (expression.range.0 + 0.25, expression.range.1 + 0.25);
        Expression { text, level: Level::Sum, range, is_typed: true }
    }

    fn leaf(&mut self) -> Expression {
        match self.random.below(10) {
            0 => self.literal(),
            1 => self.passive_leaf(),
            _ => self.variable(),
        }
    }

    /// A literal, with special ones among them.
    pub fn literal(&mut self) -> Expression {
        let literals = ["0.0", "1.0", "2.0", "0.5", "1.5", "0.1", "3.25", "1e-1", "25e-1", "7.0", "1_0.0"];
        let text = *self.random.pick(&literals.each_ref());
        let value: f64 = text.replace('_', "").parse().expect("a literal");
        match self.random.below(3) {
            0 => Expression::atom(passive(&format!("{text}_Num")), (value, value)),
            1 => {
                let text = format!("-{}", passive(text));
                Expression { text, level: Level::Prefix, range: (-value, -value), is_typed: false }
            }
            _ => Expression { is_typed: false, ..Expression::atom(passive(text), (value, value)) },
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Expression {
        let (left, right) = (self.moderate(depth - 1), self.moderate(depth - 1));
        let is_typed = left.is_typed || right.is_typed;
        let ((a, b), (c, d)) = (left.range, right.range);
        let symbol = *self.random.pick(&["+", "-", "*", "*", "/", "%"].each_ref());
        let (level, range) = match symbol {
            "+" => (Level::Sum, (a + c, b + d)),
            "-" => (Level::Sum, (a - d, b - c)),
            "*" => (Level::Product, around(&[a * c, a * d, b * c, b * d])),
            symbol => return self.infix(symbol, left, right),
        };
        // Operators of one level associate to the left.
        let above = if level == Level::Sum { Level::Product } else { Level::Prefix };
        let text = format!("{} {symbol} {}", left.at(level), right.at(above));
        Expression { text, level, range, is_typed }
    }

    /// An operator whose operands must be in the domain of its row.
    fn infix(&mut self, symbol: &'static str, left: Expression, right: Expression) -> Expression {
        let row = CATALOGUE.iter().find(|row| row.spelling == Spelling::Infix(symbol)).expect("the operator has a row");
        let args = [(left, row.domain[0]), (right, row.domain[1])].map(|(arg, domain)| self.fitted(arg, domain));
        let text = format!("{} {symbol} {}", args[0].at(Level::Product), args[1].at(Level::Prefix));
        let is_typed = args.iter().any(|arg| arg.is_typed);
        Expression { text, level: Level::Product, range: sampled(row, &args), is_typed }
    }

    fn moderate(&mut self, depth: usize) -> Expression {
        let expression = self.expression(depth);
        if expression.is_within((-LARGE, LARGE)) { expression } else { self.fitted(expression, (-2.0, 2.0)) }
    }

    fn negation(&mut self, depth: usize) -> Expression {
        let inner = self.expression(depth - 1);
        let text = format!("-{}", inner.at(Level::Prefix));
        Expression { text, level: Level::Prefix, range: (-inner.range.1, -inner.range.0), is_typed: inner.is_typed }
    }

    fn element_of_literal(&mut self, depth: usize) -> Expression {
        let elements = [self.typed(depth - 1), self.typed(0)];
        let chosen = self.random.below(2);
        let [first, second] = elements.each_ref().map(|element| element.text.clone());
        let text = match self.random.below(3) {
            0 => format!("({first}, {second}).{chosen}"),
            1 => format!("[{first}, {second}][{chosen}]"),
            _ => format!("([{first}], {second}).{}", ["0[0]", "1"][chosen]),
        };
        Expression::atom(text, elements[chosen].range)
    }

    /// The next call of the deck.
    fn call(&mut self, depth: usize) -> Expression {
        let (row, form) = self.deck.draw(self.random);
        let args: Vec<_> = (0..row.arity()).map(|position| self.argument(row, position, depth - 1)).collect();
        let (texts, receiver): (Vec<_>, _) =
            (args.iter().map(|arg| arg.text.clone()).collect(), args[0].at(Level::Atom));
        let (all, others, name) = (texts.join(", "), texts[1..].join(", "), row.name);
        let text = match form {
            Form::Method => format!("{receiver}.{name}({others})"),
            Form::Path => format!("{REAL}::{name}({all})"),
            Form::Qualified => format!("<{REAL}>::{name}({all})"),
            Form::Primitive => format!("{}::{name}({all})", either("core::primitive::Num", REAL)),
            Form::Libm => {
                let libm = format!("libm::{}{}", row.libm.unwrap_or_default(), self.suffix);
                format!("{}({all})", either(&libm, &format!("by_{libm}")))
            }
        };
        Expression::atom(text, sampled(row, &args))
    }

    fn argument(&mut self, row: &Row, position: usize, depth: usize) -> Expression {
        let domain = row.domain[position];
        if row.takes[position] == Kind::Int {
            let (text, range) = self.integer((domain.0 as i64, domain.1 as i64));
            return Expression::atom(text, (range.0 as f64, range.1 as f64));
        }
        let expression = self.typed(depth);
        let narrow = (domain.0.max(WIDEST.0), domain.1.min(WIDEST.1));
        let fitted = self.fitted(expression, if narrow.0 < narrow.1 { narrow } else { domain });
        self.made_typed_within(fitted, domain)
    }

    /// An argument of a call, whose type must be plain from itself; a constant is in the domain as it is.
    fn made_typed_within(&mut self, expression: Expression, domain: (f64, f64)) -> Expression {
        if expression.is_typed {
            return expression;
        }
        Expression::atom(passive(&format!("{:?}_Num", (domain.0 + domain.1) / 2.0)), domain)
    }

    /// The expression if it is in `domain`, else a bounded function of it that is.
    pub fn fitted(&mut self, expression: Expression, domain: (f64, f64)) -> Expression {
        if expression.is_within(domain) {
            return expression;
        }
        let typed = self.made_typed(expression);
        let inner = typed.at(Level::Atom);
        let one = passive("1.0");
        let unit = match self.random.below(5) {
            0 => format!("{inner}.sin()"),
            1 => format!("{inner}.cos()"),
            2 => format!("{inner}.tanh()"),
            3 => format!("({inner} / {inner}.hypot({one}))"),
            _ => format!("({one} - {} / ({one} + {inner} * {inner}))", passive("2.0")),
        };
        let (middle, half) = ((domain.0 + domain.1) / 2.0, (domain.1 - domain.0) / 2.0 * 0.98);
        let text = format!("{} + {} * {unit}", passive(&format!("{middle:?}")), passive(&format!("{half:.5}")));
        Expression { text, level: Level::Sum, range: (middle - half, middle + half), is_typed: true }
    }
}

/// The range of a row's values where its arguments have these ranges, from samples and with a margin.
fn sampled(row: &Row, args: &[Expression]) -> (f64, f64) {
    let steps: i32 = [64, 12, 6][args.len().min(3) - 1];
    let mut values = Vec::new();
    let mut index = vec![0; args.len()];
    loop {
        let place = |(arg, &at): (&Expression, &i32)| {
            arg.range.0 + (arg.range.1 - arg.range.0) * f64::from(at) / f64::from(steps)
        };
        let point: Vec<_> = args.iter().zip(&index).map(place).collect();
        values.push((row.evaluate.f64)(&point));
        let Some(position) = index.iter().position(|&at| at < steps) else { break };
        index[..position].fill(0);
        index[position] += 1;
    }
    values.retain(|value| value.is_finite());
    let (low, high) = around(&values);
    let margin = 0.25 * (high - low) + 1e-3;
    (low - margin, high + margin)
}

fn around(values: &[f64]) -> (f64, f64) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    (low, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
