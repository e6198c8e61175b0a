//! Expressions.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};
use std::rc::Rc;

use syn::{BinOp, Expr, ExprBinary, ExprCall, ExprIndex, ExprMethodCall, ExprPath, Lit, Member, UnOp};

use super::super::tree::*;
use super::items;
use super::pattern::pattern;
use super::statement::{block, panicking};
use super::{Reading, name, ty, unknown};

/// The constants with names.
const CONSTANTS: &[(&str, f64)] =
    &[("LN_2", LN_2), ("LOG2_E", LOG2_E), ("LOG10_E", LOG10_E), ("NAN", f64::NAN), ("INFINITY", f64::INFINITY)];

pub fn expression(expression: &Expr) -> Reading<Expression> {
    let boxed = |inner: &Expr| Ok::<_, String>(Box::new(self::expression(inner)?));
    Ok(match expression {
        Expr::Lit(literal) => self::literal(&literal.lit)?,
        Expr::Path(path) => self::path(path)?,
        Expr::Paren(paren) => self::expression(&paren.expr)?,
        Expr::Group(group) => self::expression(&group.expr)?,
        Expr::Unary(unary) => Expression::Prefix(prefix(&unary.op), boxed(&unary.expr)?),
        Expr::Reference(reference) => {
            let prefix = if reference.mutability.is_none() { Prefix::Reference } else { Prefix::Exclusive };
            Expression::Prefix(prefix, boxed(&reference.expr)?)
        }
        Expr::Struct(construction) => {
            let fields =
                construction.fields.iter().map(|field| Ok((member(&field.member), self::expression(&field.expr)?)));
            let rest = construction.rest.as_ref().map(|rest| boxed(rest)).transpose()?;
            Expression::Struct(super::last(&construction.path), fields.collect::<Reading<_>>()?, rest)
        }
        Expr::Binary(binary) => self::binary(binary)?,
        Expr::MethodCall(call) => method(call)?,
        Expr::Try(tried) => Expression::Try(boxed(&tried.expr)?),
        Expr::Call(call) => self::call(call)?,
        Expr::Closure(closure) => Expression::Closure(Rc::new(items::closure(closure)?)),
        Expr::Cast(cast) => self::expression(&cast.expr)?.cast(ty(&cast.ty)?),
        Expr::Index(index) if matches!(*index.index, Expr::Range(_)) => slice(index)?,
        Expr::Index(index) => self::expression(&index.expr)?.index(self::expression(&index.index)?),
        Expr::Field(field) => match &field.member {
            Member::Unnamed(index) => self::expression(&field.base)?.field(index.index as usize),
            Member::Named(name) => Expression::Member(boxed(&field.base)?, super::name(name)),
        },
        Expr::Array(array) => Expression::Array(all(&array.elems)?),
        Expr::Tuple(tuple) => Expression::Tuple(all(&tuple.elems)?),
        Expr::Repeat(repeat) => Expression::repeated(self::expression(&repeat.expr)?, self::expression(&repeat.len)?),
        Expr::Block(inner) => match &inner.label {
            Some(label) => Expression::Labelled(name(&label.name.ident), block(&inner.block)?),
            None => Expression::Block(block(&inner.block)?),
        },
        Expr::Macro(called) => Expression::Block(Block { statements: vec![panicking(&called.mac)?], value: None }),
        Expr::If(branch) => self::branch(branch)?,
        Expr::Match(branch) => self::matching(branch)?,
        range @ Expr::Range(_) => Expression::Items(Box::new(items::items(range)?)),
        Expr::Let(condition) => Expression::Let(pattern(&condition.pat)?, boxed(&condition.expr)?),
        other => return unknown("expression", other),
    })
}

/// The name of a field.
fn member(member: &Member) -> Name {
    match member {
        Member::Named(name) => super::name(name),
        Member::Unnamed(index) => index.index.to_string().as_str().into(),
    }
}

fn prefix(operator: &UnOp) -> Prefix {
    match operator {
        UnOp::Neg(_) => Prefix::Negative,
        UnOp::Not(_) => Prefix::Not,
        _ => Prefix::Dereference,
    }
}

fn method(call: &ExprMethodCall) -> Reading<Expression> {
    if let Some(consumed) = items::consumed(call)? {
        return Ok(consumed);
    }
    if items::is_iterator(call) {
        return Ok(Expression::Items(Box::new(items::items(&Expr::MethodCall(call.clone()))?)));
    }
    // `option.map_or(None, Some)` is the option, whether it has been one or a reference to it.
    if call.method == "map_or"
        && matches!(call.args.last(), Some(Expr::Path(path)) if super::last(&path.path).as_ref() == "Some")
    {
        return expression(&call.receiver);
    }
    let operands = std::iter::once(&*call.receiver).chain(&call.args);
    Ok(Expression::Method(name(&call.method), all(operands)?, Form::Method))
}

/// `base[1..3]`.
fn slice(index: &ExprIndex) -> Reading<Expression> {
    match items::items(&index.index)? {
        Items::Range(Expression::Integer(start, ..), Expression::Integer(end, ..), false) => {
            Ok(Expression::Slice(Box::new(expression(&index.expr)?), start as usize, end as usize))
        }
        _ => unknown("slice", index),
    }
}

/// The statement that an expression with an assignment is.
pub fn assigned(expression: &Expr) -> Reading<Option<Statement>> {
    let (place, operator, value) = match (expression, changed(expression)) {
        (Expr::Assign(assign), _) => (&assign.left, None, &assign.right),
        (Expr::Binary(binary), Some(symbol)) => (&binary.left, Operator::of(symbol), &binary.right),
        _ => return Ok(None),
    };
    Ok(Some(Statement::Assign(self::expression(place)?, operator, self::expression(value)?)))
}

/// The operator of an assignment like `place += value`.
pub fn changed(expression: &Expr) -> Option<&'static str> {
    let Expr::Binary(binary) = expression else { return None };
    Some(match binary.op {
        BinOp::AddAssign(_) => "+",
        BinOp::SubAssign(_) => "-",
        BinOp::MulAssign(_) => "*",
        BinOp::DivAssign(_) => "/",
        BinOp::RemAssign(_) => "%",
        _ => return None,
    })
}

fn all<'a>(expressions: impl IntoIterator<Item = &'a Expr>) -> Reading<Vec<Expression>> {
    expressions.into_iter().map(expression).collect()
}

fn literal(literal: &Lit) -> Reading<Expression> {
    Ok(match literal {
        Lit::Float(float) => Expression::Float(float.base10_parse().map_err(|error| error.to_string())?),
        Lit::Int(integer) => {
            let value = integer.base10_parse().map_err(|error| error.to_string())?;
            let ty = match integer.suffix() {
                "" => Type::Inferred,
                suffix => ty(&syn::parse_str(suffix).map_err(|error| error.to_string())?)?,
            };
            Expression::Integer(value, ty, false)
        }
        Lit::Bool(truth) => Expression::Bool(truth.value),
        other => return unknown("literal", other),
    })
}

fn path(path: &ExprPath) -> Reading<Expression> {
    if super::last(&path.path).as_ref() == "None" {
        return Ok(Expression::Option(None));
    }
    if let Some(ident) = path.path.get_ident() {
        return Ok(Expression::Variable(name(ident)));
    }
    let names: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let [.., of, last] = names.as_slice() else { return unknown("path", path) };
    if of == "self" {
        return Ok(Expression::Variable(names.join("::").as_str().into()));
    }
    match (of.as_str(), CONSTANTS.iter().find(|(name, _)| name == last)) {
        ("consts" | "f64" | "f32", Some((_, value))) => Ok(Expression::Float(*value)),
        ("Law", None) if last == "Linear" => Ok(Expression::variable("Law::Linear")),
        _ => Ok(Expression::Variable(names.join("::").as_str().into())),
    }
}

fn binary(binary: &ExprBinary) -> Reading<Expression> {
    let symbol = match binary.op {
        BinOp::Add(_) => "+",
        BinOp::Sub(_) => "-",
        BinOp::Mul(_) => "*",
        BinOp::Div(_) => "/",
        BinOp::Rem(_) => "%",
        BinOp::BitAnd(_) => "&",
        BinOp::BitOr(_) => "|",
        BinOp::BitXor(_) => "^",
        BinOp::Shl(_) => "<<",
        BinOp::Shr(_) => ">>",
        BinOp::Lt(_) => "<",
        BinOp::Le(_) => "<=",
        BinOp::Gt(_) => ">",
        BinOp::Ge(_) => ">=",
        BinOp::Eq(_) => "==",
        BinOp::Ne(_) => "!=",
        BinOp::And(_) => "&&",
        BinOp::Or(_) => "||",
        _ => return unknown("operator", binary),
    };
    let operator = Operator::of(symbol).expect("the symbol is one of an operator");
    Ok(Expression::binary(operator, expression(&binary.left)?, expression(&binary.right)?))
}

fn call(call: &ExprCall) -> Reading<Expression> {
    let function = match &*call.func {
        Expr::Paren(function) => &function.expr,
        function => function,
    };
    let Expr::Path(path) = function else { return unknown("call", call) };
    let names: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let arguments = all(&call.args)?;
    Ok(match names.as_slice() {
        [.., last] if last == "Some" => Expression::Option(arguments.into_iter().next().map(Box::new)),
        [.., ty, function] if ty == "f64" || ty == "f32" => {
            Expression::Method(function.as_str().into(), arguments, Form::Path)
        }
        // `fused(a, b, c, a * b + c)`: the sum is what it is without an instruction for it.
        [function] if function.starts_with("fused") => {
            arguments.into_iter().next_back().ok_or("fused without a sum")?
        }
        [first, .., last] if first == "super" => Expression::Call(last.as_str().into(), arguments),
        [_, ..] => Expression::Call(names.join("::").as_str().into(), arguments),
        [] => return unknown("call", call),
    })
}

fn branch(branch: &syn::ExprIf) -> Reading<Expression> {
    let otherwise = branch.else_branch.as_ref().map(|(_, otherwise)| expression(otherwise));
    Ok(Expression::If(Box::new(If {
        branch: Branch(0),
        condition: expression(&branch.cond)?,
        then: block(&branch.then_branch)?,
        otherwise: otherwise.transpose()?,
    })))
}

fn matching(branch: &syn::ExprMatch) -> Reading<Expression> {
    let arms = branch.arms.iter().map(arm).collect::<Reading<_>>()?;
    Ok(Expression::Match(Box::new(Match { branch: Branch(0), scrutinee: expression(&branch.expr)?, arms })))
}

fn arm(arm: &syn::Arm) -> Reading<Arm> {
    let (pattern, guard) = match &arm.pat {
        syn::Pat::Guard(guarded) => (pattern(&guarded.pat)?, Some(expression(&guarded.guard)?)),
        own => (pattern(own)?, None),
    };
    Ok(Arm { pattern, guard, body: expression(&arm.body)? })
}
