//! Expressions over named values: the notation of the catalogue's partials and of the code list's text form.
//!
//! ```text
//! expression = and { "||" and }
//! and        = comparison { "&&" comparison }
//! comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//! sum        = term { ("+" | "-") term }
//! term       = unary { ("*" | "/" | "%") unary }
//! unary      = ("-" | "!") unary | atom
//! atom       = number | name | name "(" expression { "," expression } ")" | "(" expression ")"
//!            | "select(" sum ("==" | "<" | "<=") sum "," sum "," sum ")"
//! name       = letter { letter | digit | "_" } { "[" digits { "," digits } "]" | "." digits }
//! ```

use crate::catalogue::{Intrinsic, Spelling, known};

/// An expression. Constants that have a name stand in it as their names.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// A literal, without sign.
    Number(f64),
    /// A value or a constant.
    Name(String),
    /// An intrinsic and its arguments.
    Apply(Intrinsic, Vec<Expression>),
}

/// Why a text is no expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Where, in bytes from the start of the text.
    pub position: usize,
    /// What was expected or found.
    pub message: String,
}

/// The deepest nesting that is read, so that no text can exhaust the stack.
const MAX_DEPTH: usize = 100;

/// The comparisons; none comes after one that it begins with.
const COMPARISONS: &[(&str, Intrinsic)] =
    &[("==", known::EQ), ("!=", known::NE), ("<=", known::LE), (">=", known::GE), ("<", known::LT), (">", known::GT)];

/// Reads one expression, which must take up the whole text.
///
/// # Errors
/// Where it is none: what is wrong, and where.
pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let mut parser = Parser { text, position: 0, depth: 0 };
    let expression = parser.expression()?;
    match parser.peek() {
        None => Ok(expression),
        Some(found) => Err(parser.error(format!("unexpected `{found}`"))),
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
    depth: usize,
}

impl Parser<'_> {
    fn error(&self, message: String) -> SyntaxError {
        SyntaxError { position: self.position, message }
    }

    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    fn peek(&mut self) -> Option<char> {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        self.position += blanks;
        self.rest().chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek();
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), SyntaxError> {
        if self.take(token) {
            return Ok(());
        }
        Err(self.error(format!("expected `{token}`")))
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        let taken = rest[..length].to_string();
        self.position += length;
        taken
    }

    fn expression(&mut self) -> Result<Expression, SyntaxError> {
        self.chain(&[("||", known::OR)], Self::and)
    }

    fn and(&mut self) -> Result<Expression, SyntaxError> {
        self.chain(&[("&&", known::AND)], Self::comparison)
    }

    fn comparison(&mut self) -> Result<Expression, SyntaxError> {
        let left = self.sum()?;
        match COMPARISONS.iter().find(|(symbol, _)| self.take(symbol)) {
            Some(&(_, intrinsic)) => Ok(Expression::Apply(intrinsic, vec![left, self.sum()?])),
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Result<Expression, SyntaxError> {
        self.chain(&[("+", known::ADD), ("-", known::SUB)], Self::product)
    }

    fn product(&mut self) -> Result<Expression, SyntaxError> {
        self.chain(&[("*", known::MUL), ("/", known::DIV), ("%", known::REM)], Self::unary)
    }

    /// A left-associative chain of `operators` between what `operand` reads.
    fn chain(
        &mut self,
        operators: &[(&str, Intrinsic)],
        operand: fn(&mut Self) -> Result<Expression, SyntaxError>,
    ) -> Result<Expression, SyntaxError> {
        let mut left = operand(self)?;
        while let Some(&(_, intrinsic)) = operators.iter().find(|(symbol, _)| self.take(symbol)) {
            left = Expression::Apply(intrinsic, vec![left, operand(self)?]);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply".into()));
        }
        let expression = match [("-", known::NEG), ("!", known::NOT)].iter().find(|(symbol, _)| self.take(symbol)) {
            Some(&(_, intrinsic)) => Expression::Apply(intrinsic, vec![self.unary()?]),
            None => self.atom()?,
        };
        self.depth -= 1;
        Ok(expression)
    }

    fn atom(&mut self) -> Result<Expression, SyntaxError> {
        match self.peek() {
            Some('(') => {
                self.position += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            Some(next) if next.is_ascii_digit() => self.number(),
            Some(next) if next.is_alphabetic() || next == '_' => self.named(),
            Some(next) => Err(self.error(format!("unexpected `{next}`"))),
            None => Err(self.error("unexpected end".into())),
        }
    }

    fn number(&mut self) -> Result<Expression, SyntaxError> {
        let mut digits = self.take_while(|c| c.is_ascii_digit() || c == '.');
        if self.rest().starts_with(['e', 'E']) {
            digits.push('e');
            self.position += 1;
            digits += &self.take_while(|c| c == '-' || c == '+');
            digits += &self.take_while(|c| c.is_ascii_digit());
        }
        match digits.parse() {
            Ok(value) => Ok(Expression::Number(value)),
            Err(_) => Err(self.error(format!("`{digits}` is not a number"))),
        }
    }

    fn named(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.position;
        let mut name = self.take_while(|c| c.is_alphanumeric() || c == '_');
        if self.take("(") {
            return self.application(&name, start);
        }
        while let Some(opening @ ('[' | '.')) = self.rest().chars().next() {
            self.position += 1;
            name.push(opening);
            name += &self.take_while(|c| c.is_ascii_digit() || (opening == '[' && c == ','));
            if opening == '[' {
                self.expect("]")?;
                name.push(']');
            }
        }
        Ok(Expression::Name(name))
    }

    fn application(&mut self, name: &str, start: usize) -> Result<Expression, SyntaxError> {
        if name == "select" {
            return self.select();
        }
        let intrinsic = Intrinsic::find(name)
            .ok_or_else(|| SyntaxError { position: start, message: format!("no intrinsic is called `{name}`") })?;
        let mut args = vec![self.expression()?];
        while self.take(",") {
            args.push(self.expression()?);
        }
        self.expect(")")?;
        let arity = intrinsic.row().arity();
        if args.len() != arity {
            return Err(self.error(format!("`{name}` takes {arity} arguments")));
        }
        Ok(Expression::Apply(intrinsic, args))
    }

    fn select(&mut self) -> Result<Expression, SyntaxError> {
        let left = self.sum()?;
        let intrinsic = self.selection()?;
        let mut args = vec![left, self.sum()?];
        for _ in 0..2 {
            self.expect(",")?;
            args.push(self.sum()?);
        }
        self.expect(")")?;
        Ok(Expression::Apply(intrinsic, args))
    }

    fn selection(&mut self) -> Result<Intrinsic, SyntaxError> {
        let selections = [known::SELECT_EQ, known::SELECT_LE, known::SELECT_LT];
        for intrinsic in selections {
            if let Spelling::Select(symbol) = intrinsic.row().spelling
                && self.take(symbol)
            {
                return Ok(intrinsic);
            }
        }
        Err(self.error("expected a comparison".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::CATALOGUE;

    #[test]
    fn partials_and_kinks_of_the_catalogue_are_expressions() {
        for row in CATALOGUE {
            for text in row.partials.iter().chain(row.seconds).chain(row.kinks) {
                parse(text).unwrap_or_else(|error| panic!("{}: {error:?}", row.name));
            }
        }
    }

    #[test]
    fn products_bind_closer_than_sums_and_chains_lean_left() {
        assert_eq!(parse("a - b * c - d"), parse("((a - (b * c)) - d)"));
        assert_eq!(parse("a / b / c"), parse("(a / b) / c"));
        assert_eq!(parse("-a * b"), parse("(-a) * b"));
        assert_eq!(parse("a - b < c || !d && e"), parse("((a - b) < c) || ((!d) && e)"));
        assert_eq!(
            parse("a <= b"),
            Ok(Expression::Apply(known::LE, ["a", "b"].map(|name| parse(name).unwrap()).to_vec()))
        );
        assert_eq!(parse("a < b < c").unwrap_err().message, "unexpected `<`");
    }

    #[test]
    fn names_carry_indices() {
        for name in ["c[0,12]", "m[1][2]", "p.0[3]"] {
            assert_eq!(parse(name), Ok(Expression::Name(name.into())));
        }
        assert_eq!(parse("atan2(c[0,1],c[0,2])"), parse("atan2( c[0,1] , c[0,2] )"));
        assert_eq!(parse("c[0").unwrap_err().message, "expected `]`");
    }

    #[test]
    fn errors_say_where() {
        let position = |text| parse(text).unwrap_err().position;
        assert_eq!(position("a + nosuch(b)"), 4);
        assert_eq!(position("a +"), 3);
        assert_eq!(position("sin(a, b)"), 9);
        assert_eq!(position("1..2"), 4);
        assert_eq!(parse(&"(".repeat(10_000)).unwrap_err().message, "nested too deeply");
    }
}
