//! Arrays of numbers and of variables that loops change at run-time indices, and that are read there, too, and
//! after them.

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::scope::{Kind, Level, Variable};

impl Generator {
    /// An array, perhaps a loop in front that changes another, a loop that changes it, and what is in it then.
    pub fn carried_array(&mut self, depth: usize) -> Vec<Statement> {
        if !self.spend(8) {
            return Vec::new();
        }
        let ty = match self.random.below(4) {
            0 => Type::array(Type::array(Type::Float, 2 + self.random.below(2)), 2 + self.random.below(2)),
            _ => Type::array(Type::Float, 3 + self.random.below(4)),
        };
        let name = self.fresh("kept");
        let elements = self.numbers_and_floats(&ty);
        self.declare(Variable::new(&name, ty, Level::Active).mutable(true));
        let mut statements = vec![Statement::Let(Pattern::Name(name.as_str().into(), true), None, Some(elements))];
        statements.extend(self.active_repeat(depth));
        if self.random.percent(30) {
            statements.extend(self.changes_of_arrays());
            statements.extend(self.active_repeat(depth));
        }
        let element = self.chosen_element();
        statements.extend(element.map(|element| self.bind(Type::Float, element)));
        statements
    }

    /// An array of this type, most of whose elements are numbers.
    fn numbers_and_floats(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Array(element, length) => {
                Expression::Array((0..*length).map(|_| self.numbers_and_floats(element)).collect())
            }
            _ if self.random.percent(70) => {
                Expression::Float(*self.random.pick(&[0.0, 1.0, 0.5, 0.25, 1.5].each_ref()))
            }
            _ => self.float(1),
        }
    }

    /// Changes of elements at run-time indices, in no arm, in one or in two.
    pub fn changes_of_arrays(&mut self) -> Vec<Statement> {
        if !self.has(Feature::CarriedArrays) || !self.random.percent(60) {
            return Vec::new();
        }
        let mut statements: Vec<_> = self.change_of_element().into_iter().collect();
        if self.random.percent(60) {
            let (condition, branch) = (self.condition(1), self.branch_number());
            let then = self.arm_with_changes();
            let otherwise = self.random.percent(40).then(|| Expression::Block(self.arm_with_changes()));
            statements.push(Statement::Run(Expression::If(Box::new(If { branch, condition, then, otherwise }))));
        }
        if self.random.percent(50)
            && let Some(element) = self.chosen_element()
        {
            statements.push(self.bind(Type::Float, element));
        }
        statements
    }

    fn arm_with_changes(&mut self) -> Block {
        self.in_scope(Kind::Arm, |generator| {
            let mut statements: Vec<_> = generator.change_of_element().into_iter().collect();
            if generator.random.percent(30) {
                statements.extend(generator.change_of_element());
            }
            Block { statements, value: None }
        })
    }

    /// `kept[n % 4] = value;`, the value a number at times, or another element of an array.
    fn change_of_element(&mut self) -> Option<Statement> {
        let mut places = self.scopes.assignable(Level::Active);
        places.retain(|variable| matches!(variable.ty, Type::Array(..)) && variable.ty.floats() > 2);
        let variable = (!places.is_empty()).then(|| places[self.random.below(places.len())].clone())?;
        let operator = self.weighted(&[(5, None), (2, Some(Operator::Add)), (1, Some(Operator::Mul))]);
        let value = match self.random.below(5) {
            0 => Expression::Float(0.75),
            1 => self.chosen_element()?,
            _ => self.float(2),
        };
        let place = self.part_of(Expression::Variable(variable.name), &variable.ty, Level::Passive);
        Some(Statement::Assign(place, operator, value))
    }

    /// An element of an array of variables, at a run-time index.
    fn chosen_element(&mut self) -> Option<Expression> {
        let mut visible = self.scopes.visible();
        visible.retain(|variable| {
            let is_array = matches!(variable.ty, Type::Array(..)) && variable.ty.floats() > 2;
            is_array && variable.level == Level::Active
        });
        let variable = (!visible.is_empty()).then(|| visible[self.random.below(visible.len())].clone())?;
        Some(self.part_of(Expression::Variable(variable.name), &variable.ty, Level::Passive))
    }
}
