//! Operators on known numbers. A result is known if it is surely that of the compiled program.

use syn::Lit;

use super::super::super::refuse;
use super::super::super::syntax::{Expr, ExprKind};
use super::integer::{self, Method, Outcome, ResultType, TypeId, Types};
use super::{Int, Number, Numbers};

/// What is known of the result of an operation.
pub enum Known {
    Is(Number),
    Nothing,
    /// It would be known if the type of an integer were.
    Untyped,
    /// The program panics or wraps: why.
    Fails(String),
}

impl Numbers {
    pub fn operation(&mut self, symbol: &str, left: &Number, right: &Number) -> Known {
        match (left, right) {
            (Number::Int(left), Number::Int(right)) => self.integer_operation(symbol, *left, *right),
            (Number::Bool(left), Number::Bool(right)) => {
                let (left, right) = (*left, *right);
                Known::Is(Number::Bool(match symbol {
                    "&" | "&&" => left & right,
                    "|" | "||" => left | right,
                    "^" => left ^ right,
                    symbol => return compared(symbol, left.cmp(&right)),
                }))
            }
            (Number::Unit(left), Number::Unit(right)) if left.of.is_derived("PartialEq") => match symbol {
                "==" => Known::Is(Number::Bool(left == right)),
                "!=" => Known::Is(Number::Bool(left != right)),
                _ => Known::Nothing,
            },
            _ => Known::Nothing,
        }
    }

    fn integer_operation(&mut self, symbol: &str, left: Int, right: Int) -> Known {
        let is_shift = matches!(symbol, "<<" | ">>");
        let common = if is_shift { Some(left.ty) } else { self.types.unify(left.ty, right.ty) };
        let Some(ty) = common else { return Known::Nothing };
        let Some(operation) = integer::operator(symbol) else {
            return compared(symbol, left.value.cmp(&right.value));
        };
        let types = self.types.get(ty);
        match types.evaluate(|ty| operation(ty, left.value, right.value, 0)) {
            Outcome::Is(value) => Known::Is(Number::Int(Int { value, ty })),
            Outcome::Unclear => self.unclear(ty),
            Outcome::Overflows => Known::Fails(failure(&format!("`{} {symbol} {}`", left.value, right.value), types)),
        }
    }

    pub fn negative_literal(&mut self, operand: &Expr) -> Option<Number> {
        let ExprKind::Literal(Lit::Int(int)) = &*operand.kind else { return None };
        let is_int = int.suffix().is_empty() || Types::named(int.suffix()).is_some();
        let number =
            self.literal_int(operand, &format!("-{}", int.base10_digits()), int.suffix()).filter(|_| is_int)?;
        let ty = number.as_int()?.ty;
        self.types.narrow(ty, Types::all().signed()).then_some(number)
    }

    pub fn unary(&mut self, symbol: &str, int: Int) -> Known {
        let operation = if symbol == "-" { integer::negation } else { integer::complement };
        if symbol == "-" && !self.types.narrow(int.ty, Types::all().signed()) {
            return Known::Nothing;
        }
        let types = self.types.get(int.ty);
        match types.evaluate(|ty| operation(ty, int.value)) {
            Outcome::Is(value) => Known::Is(Number::Int(Int { value, ty: int.ty })),
            Outcome::Unclear => self.unclear(int.ty),
            Outcome::Overflows => Known::Fails(failure(&format!("`{symbol}({})`", int.value), types)),
        }
    }

    /// A method of a known integer with known arguments; none where it is not evaluated here.
    pub fn method(&mut self, name: &str, int: Int, args: &[Number]) -> Option<Known> {
        let method = Method::find(name).filter(|method| method.arguments.len() == args.len())?;
        let mut values = [0; 2];
        for ((kind, arg), value) in method.arguments.bytes().zip(args).zip(&mut values) {
            let arg = arg.as_int()?;
            *value = arg.value;
            if kind == b'=' {
                self.types.unify(int.ty, arg.ty)?;
            }
        }
        let types = self.types.get(int.ty);
        match types.evaluate(|ty| (method.operation)(ty, int.value, values[0], values[1])) {
            Outcome::Is(value) => Some(Known::Is(self.method_result(method.result, value, int.ty))),
            Outcome::Unclear => {
                self.unclear(int.ty);
                None
            }
            Outcome::Overflows => Some(Known::Fails(failure(&format!("`{name}` of {}", int.value), types))),
        }
    }

    /// What is known where the result depends on this type or on the target.
    fn unclear(&mut self, ty: TypeId) -> Known {
        self.literals.open.need(ty);
        match self.types.get(ty).only() {
            Some(_) => Known::Nothing,
            None => Known::Untyped,
        }
    }

    fn method_result(&mut self, result: ResultType, value: i128, receiver: TypeId) -> Number {
        match result {
            ResultType::Same => Number::Int(Int { value, ty: receiver }),
            ResultType::Bool => Number::Bool(value != 0),
            other => {
                let types = other.types(self.types.get(receiver));
                self.int(value, types)
            }
        }
    }
}

fn compared(symbol: &str, order: std::cmp::Ordering) -> Known {
    Known::Is(Number::Bool(match symbol {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => return Known::Nothing,
    }))
}

fn failure(what: &str, types: Types) -> String {
    let ty = types.only().map_or("its type".to_string(), |ty| format!("`{}`", ty.name));
    refuse::overflow(what, ty)
}
