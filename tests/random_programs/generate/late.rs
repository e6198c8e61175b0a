//! Integers that are typed by a later use only. Their values tell the types apart: in an `i32` they would not be the
//! same.

use super::super::tree::*;
use super::feature::Feature;
use super::scope::{Level, Variable};
use super::{Generator, uses};

/// The types, and the functions that take them.
const TYPED: [(Type, &str); 4] =
    [(Type::U64, "of_word"), (Type::I64, "of_long"), (Type::U8, "of_byte"), (Type::I8, "of_signed")];

/// What integers that are not negative are computed from, and are less than.
const START: usize = 12;

impl Generator {
    /// Functions that say the types of their arguments.
    pub fn typed_functions(&mut self) -> Vec<Item> {
        let functions = TYPED.iter().filter(|_| self.has(Feature::LateIntegers)).map(|(ty, name)| {
            let number = Expression::variable("by").cast(Type::Float);
            let value = Expression::binary(Operator::Mul, number, Expression::Float(0.0625));
            let function = uses::passive_function(name, 0.0);
            let parameters = vec![Parameter { ty: ty.clone(), ..function.parameters[1].clone() }];
            let body = Block { statements: Vec::new(), value: Some(Box::new(value)) };
            Item { cfg: None, kind: ItemKind::Function(Function { parameters, body, ..function }) }
        });
        functions.collect()
    }

    /// Statements that compute an integer, make a float of it, and say its type after that.
    pub fn late_integer(&mut self, _: usize) -> Vec<Statement> {
        let ty = self.late_type();
        let (mut statements, start, level) = self.late_start(&ty);
        let (number, float) = (self.fresh("late"), self.fresh("late"));
        // Perhaps only a use of the small number says the type, one that a macro evaluates.
        let typed_start =
            (ty == Type::Usize && level == Level::Known && self.random.percent(40)).then(|| start.clone());
        // A macro need not know the type before it reads the statement that says it.
        let level = if typed_start.is_none() && self.random.percent(40) { level } else { Level::Passive };
        let value = match (&ty, level) {
            (Type::Usize, Level::Known) => self.known_late_value(start),
            _ => self.late_value(start, &ty),
        };
        statements.push(Statement::bind(&number, value));
        let named = Expression::variable(&number);
        let scaled = Expression::binary(Operator::Mul, named.clone().cast(Type::Float), Expression::Float(0.0078125));
        statements.push(Statement::bind(&float, scaled));
        self.declare(Variable::new(&float, Type::Float, Level::Passive));
        if self.random.percent(50) {
            // It may not be named before its type is plain.
            statements.extend(self.assignment());
        }
        statements.push(match typed_start {
            Some(start) => self.typing(start, &ty, Level::Known),
            None => self.typing(named, &ty, level),
        });
        if ty == Type::Usize {
            self.declare(Variable::new(&number, Type::Usize, level).within((0, 999)));
        }
        statements
    }

    fn late_type(&mut self) -> Type {
        match self.random.below(8) {
            number @ 0..=3 => TYPED[number].0.clone(),
            _ => Type::Usize,
        }
    }

    /// What the integer is computed from: a small number.
    fn late_start(&mut self, ty: &Type) -> (Vec<Statement>, Expression, Level) {
        if *ty == Type::Usize
            && self.random.percent(50)
            && let Some((number, (_, high), level)) = self.number_variable(Level::Known)
            && high < START as i64
        {
            return (Vec::new(), number, level);
        }
        let literal = |value: usize| Expression::Integer(value as i128, ty.clone(), false);
        let (name, own) = (self.fresh("start"), literal(1 + self.random.below(START - 1)));
        let (value, level) = match self.random.percent(30) {
            true => {
                let (condition, branch) = (self.passive_condition(0), self.branch_number());
                let other = literal(1 + self.random.below(START - 1));
                let [then, otherwise] =
                    [own, other].map(|value| Block { statements: Vec::new(), value: Some(Box::new(value)) });
                let otherwise = Some(Expression::Block(otherwise));
                (Expression::If(Box::new(If { branch, condition, then, otherwise })), Level::Passive)
            }
            false => (own, Level::Known),
        };
        (vec![Statement::bind(&name, value)], Expression::variable(&name), level)
    }

    /// An integer of less than 1000, computed from a small one by way of some that are large or not in an `i32`.
    fn late_value(&mut self, start: Expression, ty: &Type) -> Expression {
        use Operator::{Add, BitAnd, BitXor, Div, Mul, Rem, ShiftLeft, ShiftRight};
        let literal = |value: i128| Expression::Integer(value, ty.clone(), false);
        let by = |operator, left, right: i128| Expression::binary(operator, left, literal(right));
        let bits = |operator, left, right: i128| {
            Expression::binary(operator, left, Expression::Integer(right, Type::Int, false))
        };
        let not = |operand| Expression::Prefix(Prefix::Not, Box::new(operand));
        match (ty, self.random.below(5)) {
            (Type::U8, 0..=2) => by(Div, not(start), 2),
            (Type::U8, _) => by(Rem, bits(ShiftLeft, start, 6), 100),
            (Type::I8, _) => by(BitAnd, bits(ShiftRight, bits(ShiftLeft, start, 5), 3), 63),
            (_, 0 | 1) => by(Rem, by(Mul, by(Add, by(Mul, start, 7919), 104_729), 1_299_709), 1000),
            (_, 2) => by(Rem, by(Mul, start, 3_000_000_019), 1000),
            (Type::I64, _) => by(BitXor, bits(ShiftRight, bits(ShiftLeft, start, 40), 38), 3),
            (_, 3) => by(Rem, not(start), 1000),
            // Every `usize` has this many bits.
            (Type::Usize, _) => by(Rem, bits(ShiftRight, not(start), 15), 1000),
            _ => bits(ShiftRight, not(start), 60),
        }
    }

    /// The same of type `usize`, by way of numbers that it has on all targets.
    fn known_late_value(&mut self, start: Expression) -> Expression {
        use Operator::{Add, Mul, Rem, ShiftLeft, ShiftRight};
        let by = |operator, left, right: usize| Expression::binary(operator, left, Expression::usize(right));
        let bits = |operator, left, right| Expression::binary(operator, left, Expression::integer(right, Type::Int));
        match self.random.below(3) {
            0 => by(Rem, by(Mul, by(Add, by(Mul, start, 7919), 104_729), 1_299), 1000),
            1 => by(Rem, by(Mul, start, 150_000_019), 1000),
            _ => bits(ShiftRight, bits(ShiftLeft, start, 20), 18),
        }
    }

    /// A statement that says the type of an integer, which is known as `level` says.
    fn typing(&mut self, number: Expression, ty: &Type, level: Level) -> Statement {
        let name = self.fresh("typed");
        if self.random.percent(25) {
            return Statement::Let(Pattern::Name(name.as_str().into(), false), Some(ty.clone()), Some(number));
        }
        if let Some((_, function)) = TYPED.iter().find(|(own, _)| own == ty) {
            self.declare(Variable::new(&name, Type::Float, Level::Passive));
            return Statement::bind(&name, Expression::call(function, vec![number]));
        }
        // Where the number has to be known, its type cannot be told by what a macro does not see.
        if self.random.percent(30)
            && let Some((other, ..)) = self.number_variable(level)
        {
            self.declare(Variable::new(&name, Type::Bool, Level::Passive));
            // The type of the other number may be as open as that of this one.
            let other = Expression::binary(Operator::Add, other, Expression::Integer(0, Type::Usize, true));
            return Statement::bind(&name, Expression::binary(Operator::Greater, number, other));
        }
        let rest = Expression::binary(Operator::Rem, number, Expression::usize(3));
        let mut arrays = self.scopes.visible();
        arrays.retain(|own| own.ty == Type::array(Type::Float, 3) && level.max(own.level) != Level::Passive);
        // An element at a place that is not known can only be taken of what is passive.
        let array = (level == Level::Known && !arrays.is_empty() && self.random.percent(20))
            .then(|| self.random.below(arrays.len()));
        let (array, level) = match array {
            Some(index) => (Expression::Variable(arrays[index].name.clone()), arrays[index].level),
            None => (Expression::Array([0.5, -0.75, 1.25].map(Expression::Float).to_vec()), Level::Passive),
        };
        self.declare(Variable::new(&name, Type::Float, level));
        Statement::Let(Pattern::Name(name.as_str().into(), false), Some(Type::Float), Some(array.index(rest)))
    }
}
