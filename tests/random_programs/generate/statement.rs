//! Statements.

use super::super::tree::*;
use super::Generator;
use super::scope::{Kind, Level, Variable};

pub type Make = fn(&mut Generator, usize) -> Vec<Statement>;

/// Statements, and how often they are made. Blocks nest as deep as the number that each is given says.
const STATEMENTS: &[(usize, Make)] = &[
    (20, |generator, _| generator.let_float()),
    (8, |generator, _| generator.let_aggregate()),
    (6, |generator, _| generator.let_pattern()),
    (6, |generator, _| generator.let_number()),
    (6, |generator, _| generator.let_bool()),
    (24, |generator, _| generator.assignment().into_iter().collect()),
    (4, |generator, _| generator.assignment_of_number().into_iter().collect()),
    (3, |generator, _| generator.assignment_of_bool().into_iter().collect()),
    (3, |generator, _| generator.swap().into_iter().collect()),
    (16, Generator::branching),
    (4, Generator::block_statement),
    (5, |generator, depth| if depth > 0 { generator.deferred(1) } else { generator.let_float() }),
    (3, |generator, _| generator.constant()),
    (3, |generator, _| vec![generator.let_table()]),
    (6, |generator, _| generator.let_call().into_iter().collect()),
    (3, |generator, _| generator.reference()),
    (3, |generator, _| generator.assertion()),
    (3, |generator, _| generator.early_return()),
    (14, Generator::repetition),
    (6, Generator::known_branching),
    (4, |generator, _| generator.let_closure()),
    (4, |generator, _| generator.let_mapped()),
];

impl Generator {
    /// This many statements, unless the function is long enough.
    pub fn statements(&mut self, count: usize, depth: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..count {
            if self.spend(1) {
                let make = match self.new_statement() {
                    Some(make) => make,
                    None => self.weighted(STATEMENTS),
                };
                statements.extend(make(self, depth));
            }
        }
        statements
    }

    fn let_float(&mut self) -> Vec<Statement> {
        let value = self.float(2);
        vec![self.bind(Type::Float, value)]
    }

    /// `let name = value;`, perhaps with its type, perhaps mutable.
    pub fn bind(&mut self, ty: Type, value: Expression) -> Statement {
        let (name, is_mutable) = (self.name(), self.random.percent(50));
        let annotation = self.random.percent(25).then(|| self.annotation(&ty));
        self.declare(Variable::new(&name, ty, Level::Active).mutable(is_mutable));
        Statement::Let(Pattern::Name(name.as_str().into(), is_mutable), annotation, Some(value))
    }

    fn let_aggregate(&mut self) -> Vec<Statement> {
        let ty = self.aggregate();
        let value = match self.random.percent(25) {
            true => self.if_giving(&|generator| generator.of_type(&ty, 1), 1),
            false => self.of_type(&ty, 2),
        };
        vec![self.bind(ty, value)]
    }

    fn aggregate(&mut self) -> Type {
        if let Some(ty) = self.struct_aggregate() {
            return ty;
        }
        let array = |length| Type::array(Type::Float, length);
        match self.random.below(6) {
            0..=2 => array(2 + self.random.below(5)),
            3 => Type::array(array(2), 2),
            4 => Type::Tuple(vec![Type::Float, Type::Float]),
            _ => Type::Tuple(vec![array(2), Type::Float]),
        }
    }

    /// `let (a, mut b) = value;`.
    fn let_pattern(&mut self) -> Vec<Statement> {
        let ty = self.aggregate();
        let value = match self.random.percent(40) {
            true => self.if_giving(&|generator| generator.of_type(&ty, 1), 2),
            false => self.of_type(&ty, 2),
        };
        let mut bound = Vec::new();
        let pattern = self.pattern(&ty, &mut bound);
        bound.into_iter().for_each(|variable| self.declare(variable));
        vec![Statement::Let(pattern, None, Some(value))]
    }

    /// A pattern that takes a value apart.
    pub fn pattern(&mut self, ty: &Type, bound: &mut Vec<Variable>) -> Pattern {
        match ty {
            Type::Array(element, length) => {
                Pattern::Array((0..*length).map(|_| self.part_pattern(element, bound)).collect())
            }
            Type::Tuple(elements) => {
                Pattern::Tuple(elements.iter().map(|element| self.part_pattern(element, bound)).collect())
            }
            Type::Struct(own) => {
                let mut parts = own.fields.iter().map(|(field, ty)| (field.clone(), self.part_pattern(ty, bound)));
                let mut parts: Vec<_> = parts.by_ref().collect();
                self.struct_pattern(own, &mut parts)
            }
            _ => self.part_pattern(ty, bound),
        }
    }

    fn part_pattern(&mut self, ty: &Type, bound: &mut Vec<Variable>) -> Pattern {
        match self.random.below(8) {
            0 => Pattern::Any,
            1 if *ty != Type::Float => self.pattern(ty, bound),
            _ => {
                let (name, is_mutable) = (self.fresh("part"), self.random.percent(40));
                let variable = match self.range_of_field(ty) {
                    Some(range) => Variable::new(&name, ty.clone(), Level::Passive).within(range),
                    None => Variable::new(&name, ty.clone(), Level::Active),
                };
                bound.push(variable.mutable(is_mutable));
                Pattern::Name(name.as_str().into(), is_mutable)
            }
        }
    }

    /// `let n = 2 * k + 1;`.
    fn let_number(&mut self) -> Vec<Statement> {
        let is_mutable = self.random.percent(40);
        let wanted = if self.random.percent(60) { Level::Known } else { Level::Passive };
        let (value, range, level) = self.usize(wanted, is_mutable.then_some(MODULUS));
        let range = if is_mutable { (0, MODULUS as i64 - 1) } else { range };
        let (name, annotation) = (self.name(), self.random.percent(50).then_some(Type::Usize));
        self.declare(Variable::new(&name, Type::Usize, level).within(range).mutable(is_mutable));
        vec![Statement::Let(Pattern::Name(name.as_str().into(), is_mutable), annotation, Some(value))]
    }

    fn let_bool(&mut self) -> Vec<Statement> {
        let is_mutable = self.random.percent(30);
        let (value, level) = match self.random.percent(50) {
            true => (self.passive_condition(1), if is_mutable { Level::Active } else { Level::Passive }),
            false => (self.condition(2), Level::Active),
        };
        let name = self.name();
        self.declare(Variable::new(&name, Type::Bool, level).mutable(is_mutable));
        vec![Statement::Let(Pattern::Name(name.as_str().into(), is_mutable), None, Some(value))]
    }

    /// An assignment to a float.
    pub fn assignment(&mut self) -> Option<Statement> {
        if self.has_options
            && self.random.percent(30)
            && let Some(change) = self.assignment_of_option(0)
        {
            return Some(change);
        }
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| variable.ty.floats() > 0);
        if places.is_empty() {
            return None;
        }
        let variable = places[self.random.below(places.len())].clone();
        if let Type::Reference(target) = &variable.ty
            && matches!(**target, Type::Struct(_))
            && self.random.percent(25)
        {
            let value = self.of_type(&target.clone(), 1);
            return Some(Statement::Assign(Expression::Variable(variable.name).dereferenced(), None, value));
        }
        if matches!(variable.ty, Type::Array(..) | Type::Tuple(_) | Type::Struct(_)) && self.random.percent(15) {
            let value = self.of_type(&variable.ty.clone(), 1);
            return Some(Statement::Assign(Expression::Variable(variable.name), None, value));
        }
        let operator =
            self.weighted(&[(4, None), (3, Some(Operator::Add)), (2, Some(Operator::Sub)), (2, Some(Operator::Mul))]);
        // The value is evaluated first, and may assign what an index of the place reads.
        let value = self.float(2);
        let place = self.part(&variable);
        Some(Statement::Assign(place, operator, value))
    }

    fn assignment_of_number(&mut self) -> Option<Statement> {
        let wanted = if self.random.percent(60) { Level::Known } else { Level::Passive };
        let mut places = self.scopes.assignable(wanted);
        places.retain(|variable| variable.ty == Type::Usize);
        let variable = (!places.is_empty()).then(|| places[self.random.below(places.len())].clone())?;
        let (value, _, level) = self.usize(wanted, Some(variable.range.1 as usize + 1));
        self.scopes.assign(&variable.name, level);
        Some(Statement::Assign(Expression::Variable(variable.name), None, value))
    }

    fn assignment_of_bool(&mut self) -> Option<Statement> {
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| variable.ty == Type::Bool);
        let variable = (!places.is_empty()).then(|| places[self.random.below(places.len())].clone())?;
        let value = self.condition(1);
        Some(Statement::Assign(Expression::Variable(variable.name), None, value))
    }

    /// `(a, b) = (b, a);`.
    fn swap(&mut self) -> Option<Statement> {
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| variable.ty == Type::Float);
        if places.len() < 2 {
            return None;
        }
        self.random.shuffle(&mut places);
        let [left, right] = [0, 1].map(|index| Expression::Variable(places[index].name.clone()));
        let targets = Expression::Tuple(vec![left.clone(), right.clone()]);
        Some(Statement::Assign(targets, None, Expression::Tuple(vec![right, left])))
    }

    fn branching(&mut self, depth: usize) -> Vec<Statement> {
        if depth == 0 {
            return self.assignment().into_iter().collect();
        }
        vec![Statement::Run(match self.random.below(4) {
            0 => self.match_statement(depth - 1),
            _ => self.if_statement(depth - 1),
        })]
    }

    fn block_statement(&mut self, depth: usize) -> Vec<Statement> {
        if depth == 0 {
            return Vec::new();
        }
        let block = self.in_scope(Kind::Block, |generator| {
            generator.with_items(|generator| Block { statements: generator.statements(3, depth - 1), value: None })
        });
        vec![Statement::Run(Expression::Block(block))]
    }

    fn constant(&mut self) -> Vec<Statement> {
        let name = self.fresh("KEY");
        if self.random.percent(50) {
            self.declare(Variable::new(&name, Type::Float, Level::Passive));
            let kind = ItemKind::Const(name.as_str().into(), Type::Float, Expression::Float(0.625));
            return vec![Statement::item(kind)];
        }
        let value = self.random.below(3);
        self.declare(Variable::new(&name, Type::Usize, Level::Known).within((value as i64, value as i64)));
        vec![Statement::item(ItemKind::Const(name.as_str().into(), Type::Usize, Expression::usize(value)))]
    }

    /// `let r = &a;`, which keeps `a` as it is.
    fn reference(&mut self) -> Vec<Statement> {
        let mut visible = self.scopes.visible();
        visible
            .retain(|variable| matches!(variable.ty, Type::Float | Type::Array(..) | Type::Tuple(_) | Type::Struct(_)));
        if visible.is_empty() {
            return Vec::new();
        }
        let target = visible[self.random.below(visible.len())].clone();
        self.scopes.set_frozen(&target.name, true);
        let name = self.fresh("refer");
        self.declare(Variable::new(&name, Type::Reference(Box::new(target.ty)), target.level));
        let value = Expression::Variable(target.name).borrowed();
        vec![Statement::Let(Pattern::Name(name.as_str().into(), false), None, Some(value))]
    }

    /// An assertion that holds.
    fn assertion(&mut self) -> Vec<Statement> {
        let (number, range, _) = self.usize(Level::Passive, None);
        let bound = Expression::usize(range.1 as usize);
        vec![Statement::Assert(Expression::binary(Operator::LessEqual, number, bound))]
    }

    /// `if condition { ... return value; }`.
    fn early_return(&mut self) -> Vec<Statement> {
        // A block that is an operand may be as near to the function.
        if self.scopes.depth() > BODY || !self.scopes.leavable().1 {
            return Vec::new();
        }
        let (condition, branch, result) = (self.condition(1), self.branch_number(), self.result.clone());
        let then = self.in_scope(Kind::Arm, |generator| {
            let mut statements = generator.statements(2, 0);
            statements.push(Statement::Return(generator.of_type(&result, 2)));
            Block { statements, value: None }
        });
        vec![Statement::Run(Expression::If(Box::new(If { branch, condition, then, otherwise: None })))]
    }
}

/// The scopes around a statement of the body of a function.
pub const BODY: usize = 2;

/// The integers in mutable variables are less than this.
const MODULUS: usize = 4;
