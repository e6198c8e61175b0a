//! Jumps under conditions that are known only at run time: out of loops that stay loops and of unrolled ones, several
//! at once, to the end of the function, and out of blocks with a label.

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::scope::{Kind, Level, Variable};

/// Makes a jump.
pub type Jump = Box<dyn FnOnce(&mut Generator) -> Vec<Statement>>;

impl Generator {
    /// `if condition { ... break 'label; }`, perhaps in another branch, with any jump that can be here.
    pub fn jumping(&mut self, depth: usize) -> Vec<Statement> {
        let Some(jump) = self.any_jump() else { return Vec::new() };
        let (condition, branch) = (self.condition(1), self.branch_number());
        let then = self.in_scope(Kind::Arm, |generator| {
            let mut statements = if generator.random.percent(40) { generator.statements(1, 0) } else { Vec::new() };
            statements.extend(generator.assignment());
            statements.extend(jump(generator));
            Block { statements, value: None }
        });
        let otherwise = self.random.percent(25).then(|| {
            let statements = self.in_scope(Kind::Arm, |generator| {
                let mut statements = generator.statements(1, depth.saturating_sub(1));
                statements.extend(
                    generator
                        .any_jump()
                        .filter(|_| generator.random.percent(20))
                        .map(|jump| jump(generator))
                        .into_iter()
                        .flatten(),
                );
                statements
            });
            Expression::Block(Block { statements, value: None })
        });
        let jumping = Statement::Run(Expression::If(Box::new(If { branch, condition, then, otherwise })));
        if !self.random.percent(30) {
            return vec![jumping];
        }
        // In a branch, the other arm of which goes on, too.
        let (condition, branch) = (self.condition(1), self.branch_number());
        let then = self.in_scope(Kind::Arm, |generator| {
            let mut statements = vec![jumping];
            statements.extend(generator.assignment());
            Block { statements, value: None }
        });
        let otherwise = self.random.percent(40).then(|| {
            let statements = self.in_scope(Kind::Arm, |generator| generator.assignment().into_iter().collect());
            Expression::Block(Block { statements, value: None })
        });
        vec![Statement::Run(Expression::If(Box::new(If { branch, condition, then, otherwise })))]
    }

    /// A variable that is declared before a jump, and assigned between that and another one. In an unrolled loop, the
    /// next iteration begins in an arm of this one, and declares it again.
    pub fn between_jumps(&mut self, depth: usize) -> Vec<Statement> {
        let (name, value) = (self.fresh("kept"), self.float(1));
        let mut statements = vec![Statement::Let(Pattern::Name(name.as_str().into(), true), None, Some(value))];
        self.declare(Variable::new(&name, Type::Float, Level::Active).mutable(true));
        statements.extend(self.jumping(depth));
        let operator = self.weighted(&[(1, None), (1, Some(Operator::Add)), (1, Some(Operator::Mul))]);
        let value = self.float(1);
        statements.push(Statement::Assign(Expression::Variable(name.as_str().into()), operator, value));
        statements.extend(self.assignment());
        statements.extend(self.jumping(depth));
        statements
    }

    /// Makes a jump that can be here.
    pub fn any_jump(&mut self) -> Option<Jump> {
        let (loops, may_return) = self.scopes.leavable();
        let may_return = may_return && !self.is_quiet;
        if may_return && (loops.is_empty() || self.random.percent(30)) {
            return Some(Box::new(|generator| {
                let result = generator.result.clone();
                vec![Statement::Return(generator.of_type(&result, 1))]
            }));
        }
        // Out of an inner loop into the next iteration of an outer one is what else is rare.
        let is_outer = loops.len() > 1 && self.random.percent(40);
        let depth = *loops.get(if is_outer { 1 } else { self.random.below(loops.len().max(1)) })?;
        let label = self.label_of(depth);
        if label.is_none() && depth != loops[0] {
            return None;
        }
        let label = label.filter(|_| depth != loops[0] || self.random.percent(50));
        let is_continue = self.random.percent(if depth != loops[0] { 70 } else { 50 });
        Some(Box::new(move |_| vec![if is_continue { Statement::Continue(label) } else { Statement::Break(label) }]))
    }

    /// The label of the loop with this many scopes around it.
    pub fn label_of(&self, depth: usize) -> Option<Name> {
        self.labels.iter().find(|(own, _)| *own == depth).and_then(|(_, label)| label.clone())
    }

    /// A label for a loop that is made here, perhaps.
    pub fn new_label(&mut self) -> Option<Name> {
        let label = self.has(Feature::Jumps) && self.random.percent(50);
        label.then(|| self.fresh("round").as_str().into())
    }

    /// Whether a loop of known items is one that may be left at run time.
    pub fn may_be_left(&mut self) -> bool {
        self.has(Feature::Jumps) && self.random.percent(30)
    }
}
