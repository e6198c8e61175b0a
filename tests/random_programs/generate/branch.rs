//! Branches whose conditions are not known before the program runs.

use super::super::tree::*;
use super::Generator;
use super::scope::{Kind, Level, Variable};

impl Generator {
    /// An `if` that gives a float.
    pub fn float_if(&mut self, depth: usize) -> Expression {
        self.if_giving(&|generator| generator.float(depth - 1), depth)
    }

    /// An `if` whose arms give a value each, made by `value`.
    pub fn if_giving(&mut self, value: &dyn Fn(&mut Self) -> Expression, depth: usize) -> Expression {
        let condition = self.condition(1);
        let branch = self.branch_number();
        let then = self.arm_giving(value);
        let otherwise = if depth > 1 && self.random.percent(30) {
            self.if_giving(value, depth - 1)
        } else {
            Expression::Block(self.arm_giving(value))
        };
        Expression::If(Box::new(If { branch, condition, then, otherwise: Some(otherwise) }))
    }

    fn arm_giving(&mut self, value: &dyn Fn(&mut Self) -> Expression) -> Block {
        self.in_scope(Kind::Value, |generator| generator.arm_with(&|_| Vec::new(), value))
    }

    /// An arm with these statements at its end, which gives a value.
    fn arm_with(
        &mut self,
        end: &dyn Fn(&mut Self) -> Vec<Statement>,
        value: &dyn Fn(&mut Self) -> Expression,
    ) -> Block {
        self.in_scope(Kind::Arm, |generator| {
            generator.with_items(|generator| {
                let mut statements = if generator.random.percent(35) { generator.statements(2, 0) } else { Vec::new() };
                statements.extend(end(generator));
                Block { statements, value: Some(Box::new(value(generator))) }
            })
        })
    }

    /// `let name = if condition { ... value } else { ... value };`, the arms of which may jump.
    pub fn let_jumping(&mut self) -> Vec<Statement> {
        let (condition, branch) = (self.condition(1), self.branch_number());
        let make = |generator: &mut Self| {
            generator.arm_with(&|generator| generator.jumping(0), &|generator| generator.float(1))
        };
        let (then, otherwise) = (make(self), make(self));
        let otherwise = Some(Expression::Block(otherwise));
        let value = Expression::If(Box::new(If { branch, condition, then, otherwise }));
        vec![self.bind(Type::Float, value)]
    }

    /// An `if` that assigns, and gives nothing.
    pub fn if_statement(&mut self, depth: usize) -> Expression {
        let condition = self.condition(2);
        let branch = self.branch_number();
        let then = self.arm_of_statements(depth);
        let otherwise = match self.random.below(5) {
            0 | 1 => None,
            2 => Some(self.if_statement(depth)),
            _ => Some(Expression::Block(self.arm_of_statements(depth))),
        };
        Expression::If(Box::new(If { branch, condition, then, otherwise }))
    }

    pub fn arm_of_statements(&mut self, depth: usize) -> Block {
        self.in_scope(Kind::Arm, |generator| {
            generator.with_items(|generator| {
                let count = 1 + generator.random.below(3);
                let mut statements = generator.statements(count, depth);
                statements.extend(generator.assignment());
                Block { statements, value: None }
            })
        })
    }

    /// A `match` that gives a float.
    pub fn float_match(&mut self, depth: usize) -> Expression {
        self.match_giving(&|generator| {
            if generator.random.percent(70) {
                return generator.in_scope(Kind::Value, |generator| generator.float(depth - 1));
            }
            Expression::Block(generator.arm_giving(&|generator| generator.float(depth - 1)))
        })
    }

    /// A `match` that assigns.
    pub fn match_statement(&mut self, depth: usize) -> Expression {
        self.match_giving(&|generator| Expression::Block(generator.arm_of_statements(depth)))
    }

    fn match_giving(&mut self, body: &dyn Fn(&mut Self) -> Expression) -> Expression {
        let branch = self.branch_number();
        let (scrutinee, patterns) = match (self.random.below(4), self.variable_of(&Type::Law)) {
            (0 | 1, Some(law)) => (law, self.law_patterns()),
            (2, _) => {
                let (number, ..) = self.usize(Level::Passive, None);
                let condition = self.passive_condition(0);
                (Expression::Tuple(vec![number, condition]), self.pair_patterns())
            }
            _ => match self.int_variable() {
                Some(variable) => (variable, self.integer_patterns(Type::Int)),
                None => (self.usize(Level::Passive, None).0, self.integer_patterns(Type::Usize)),
            },
        };
        let arms = patterns.into_iter().map(|(pattern, bound)| self.match_arm(pattern, bound, body)).collect();
        Expression::Match(Box::new(Match { branch, scrutinee, arms }))
    }

    /// The arm after a pattern that binds some variables. The last one has no guard.
    fn match_arm(&mut self, pattern: Pattern, bound: Vec<Variable>, body: &dyn Fn(&mut Self) -> Expression) -> Arm {
        self.in_scope(Kind::Arm, |generator| {
            let has_guard = !bound.is_empty() && generator.random.percent(60);
            bound.into_iter().for_each(|variable| generator.declare(variable));
            let guard = (has_guard && is_refutable(&pattern)).then(|| generator.passive_condition(1));
            Arm { pattern, guard, body: body(generator) }
        })
    }

    /// The name of a variable in the pattern of an arm.
    pub fn name_in_pattern(&mut self) -> String {
        if self.may_shadow { self.name() } else { self.fresh("bound") }
    }

    /// Patterns for a `Law`, all of which together match everything.
    fn law_patterns(&mut self) -> Vec<(Pattern, Vec<Variable>)> {
        let exponent = Variable::new("exponent", Type::Int, Level::Passive);
        let (number, flag) = (self.name_in_pattern(), self.fresh("flag"));
        let fields = [Pattern::Name(number.as_str().into(), false), Pattern::Name(flag.as_str().into(), false)];
        let bound = vec![
            Variable::new(&number, Type::Usize, Level::Passive).within((0, 3)),
            Variable::new(&flag, Type::Bool, Level::Passive),
        ];
        let mut patterns = vec![
            (Pattern::Linear, Vec::new()),
            (Pattern::Power(Box::new(Pattern::Range(-2, 1))), Vec::new()),
            (Pattern::Power(Box::new(Pattern::Name("exponent".into(), false))), vec![exponent]),
            (Pattern::Scaled(Box::new([fields[0].clone(), Pattern::Bool(true)])), bound[..1].to_vec()),
            (Pattern::Scaled(Box::new(fields)), bound),
        ];
        self.random.shuffle(&mut patterns);
        patterns.truncate(1 + self.random.below(3));
        patterns.push((Pattern::Any, Vec::new()));
        patterns
    }

    /// Patterns for an integer.
    fn integer_patterns(&mut self, ty: Type) -> Vec<(Pattern, Vec<Variable>)> {
        let name = self.name_in_pattern();
        let variable = Variable::new(&name, ty, Level::Passive).within((0, LARGEST));
        let named = (Pattern::Name(name.as_str().into(), false), vec![variable]);
        let mut patterns = vec![
            (Pattern::Integer(0), Vec::new()),
            (Pattern::Or(vec![Pattern::Integer(1), Pattern::Integer(3)]), Vec::new()),
            (Pattern::Range(2, 5), Vec::new()),
            named,
        ];
        self.random.shuffle(&mut patterns);
        patterns.truncate(1 + self.random.below(3));
        patterns.push((Pattern::Any, Vec::new()));
        patterns
    }

    /// Patterns for a pair of an integer and a truth value.
    fn pair_patterns(&mut self) -> Vec<(Pattern, Vec<Variable>)> {
        let name = self.name_in_pattern();
        let variable = Variable::new(&name, Type::Usize, Level::Passive).within((0, LARGEST));
        let named = Pattern::Name(name.as_str().into(), false);
        vec![
            (Pattern::Tuple(vec![Pattern::Integer(self.random.within(0, 2)), Pattern::Any]), Vec::new()),
            (Pattern::Tuple(vec![named, Pattern::Bool(self.random.percent(50))]), vec![variable]),
            (Pattern::Any, Vec::new()),
        ]
    }

    /// A variable that every arm of a branch gives its first value.
    pub fn deferred(&mut self, depth: usize) -> Vec<Statement> {
        let (name, is_mutable) = (self.fresh("late"), self.random.percent(50));
        let ty = self.random.percent(40).then_some(Type::Float);
        let pattern = Pattern::Name(name.as_str().into(), is_mutable);
        let variable = Expression::variable(&name);
        let giving = |block: Block| {
            let Block { mut statements, value } = block;
            let value = *value.expect("the arm has been made with a value");
            statements.push(Statement::Assign(variable.clone(), None, value));
            Block { statements, value: None }
        };
        let mut condition = self.if_giving(&|generator| generator.float(depth), 2);
        assign_in_arms(&mut condition, &giving);
        self.declare(Variable::new(&name, Type::Float, Level::Active).mutable(is_mutable));
        vec![Statement::Let(pattern, ty, None), Statement::Run(condition)]
    }
}

/// The largest value of an integer in a pattern.
const LARGEST: i64 = 60;

/// Whether a pattern with a guard may fail to match: what follows it then matches the rest.
fn is_refutable(pattern: &Pattern) -> bool {
    *pattern != Pattern::Any
}

/// Makes assignments of the values of all arms.
fn assign_in_arms(expression: &mut Expression, giving: &dyn Fn(Block) -> Block) {
    match expression {
        Expression::If(branch) => {
            branch.then = giving(std::mem::take(&mut branch.then));
            if let Some(otherwise) = &mut branch.otherwise {
                assign_in_arms(otherwise, giving);
            }
        }
        Expression::Block(block) => *block = giving(std::mem::take(block)),
        _ => unreachable!("this is neither an arm nor a branch"),
    }
}
