//! How often programs have what is rare in them.

use super::dual::dual64;
use super::oracle;
use super::point::Point;
use super::tree::*;
use super::walk::{self, Node};

/// Programs with something in them.
#[derive(Default, Debug)]
pub struct Reached {
    /// Where a function that is generic over a type is called with a float, and with a struct.
    pub of_floats: usize,
    pub of_structs: usize,
    /// Where an integer in a struct is a part of an index, of an exponent, of the bounds of a loop.
    pub indices: usize,
    pub exponents: usize,
    pub bounds: usize,
}

impl Reached {
    /// What one program reaches at these points.
    pub fn of(program: &Program, points: &[Point]) -> Reached {
        let mut reached = Reached::default();
        for point in points {
            let (.., trace) = oracle::value::<dual64::Dual>(program, &point.arguments);
            reached.of_floats |= usize::from(trace.generic.contains("a float"));
            reached.of_structs |= usize::from(trace.generic.iter().any(|kind| kind != "a float"));
        }
        let items = program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Impl(own) => Some(&own.functions),
            _ => None,
        });
        for function in program.functions.iter().chain(items.flatten()) {
            walk::block(&mut function.body.clone(), &mut |node| match node {
                Node::Expression(Expression::Index(_, index)) => reached.indices |= of_field(index),
                Node::Expression(Expression::Method(name, operands, _)) if &**name == "powi" => {
                    reached.exponents |= of_field(&operands[1]);
                }
                Node::Block(block) => {
                    for statement in &block.statements {
                        if let Statement::For(repeated) = statement
                            && let Items::Range(start, end, _) = &repeated.items
                        {
                            reached.bounds |= of_field(start) | of_field(end);
                        }
                    }
                }
                Node::Expression(_) => {}
            });
        }
        reached
    }

    pub fn add(&mut self, other: &Reached) {
        self.of_floats += other.of_floats;
        self.of_structs += other.of_structs;
        self.indices += other.indices;
        self.exponents += other.exponents;
        self.bounds += other.bounds;
    }
}

/// One, if an integer in a struct is in an expression.
fn of_field(expression: &Expression) -> usize {
    let (mut found, value) = (0, Some(Box::new(expression.clone())));
    walk::block(&mut Block { statements: Vec::new(), value }, &mut |node| {
        if let Node::Expression(Expression::Member(_, field)) = node {
            found |= usize::from(["steps", "power"].contains(&&**field));
        }
    });
    found
}
