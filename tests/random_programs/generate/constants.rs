//! Constants of blocks and of modules. Few names, so that they shadow each other; no variable has one of them.

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::scope::{Kind, Level, Origin, Variable};

/// The names of constants: such as the standard library has, too. A single capital letter is none: where nothing names
/// what is imported, that may be a trait.
pub const CONSTANTS: [&str; 7] = ["KEY", "LEN", "GAIN", "RATES", "PI", "EPSILON", "MAX"];

/// The values of floats.
const VALUES: [f64; 8] = [0.625, -0.625, 1.375, 2.0, 0.3, -1.0, 0.1, 3.5];

/// The largest value of an integer.
const LARGEST: i64 = 4;

impl Generator {
    /// A block with items of its own, some of which come after their uses.
    pub fn with_items(&mut self, make: impl FnOnce(&mut Self) -> Block) -> Block {
        let mut items = Vec::new();
        // Few inner blocks have items, as there are many of them.
        if self.has_items() && self.random.percent(if self.is_outermost() { 80 } else { 35 }) {
            items = self.block_items();
        }
        let mut block = make(self);
        for item in items {
            let place = self.random.below(block.statements.len().max(1));
            block.statements.insert(place, Statement::Item(item));
        }
        block
    }

    /// Whether this is the outermost block of a function.
    fn is_outermost(&self) -> bool {
        self.scopes.depth() == super::statement::BODY
    }

    /// Whether there may be items in this block.
    fn has_items(&self) -> bool {
        let is_outermost = self.is_outermost();
        let (of_modules, of_uses) = (self.has(Feature::Modules) && self.is_module, self.has(Feature::Uses));
        let anywhere = [Feature::Constants, Feature::InnerUses, Feature::Functions];
        anywhere.into_iter().any(|feature| self.has(feature)) || is_outermost && (of_modules || of_uses)
    }

    /// Items, which are declared.
    fn block_items(&mut self) -> Vec<Item> {
        let mut names = CONSTANTS.to_vec();
        self.random.shuffle(&mut names);
        names.truncate(1 + self.random.below(3));
        let takes = |callable: &super::Callable| callable.is_taker;
        // Of what type a number is beside a name out of a glob, code of an option may tell that is left out.
        let may_have_glob = self.may_have_glob && !self.has_options;
        let may_have_glob = may_have_glob && self.structs.is_empty() && !self.callable.iter().any(takes);
        let has_glob = may_have_glob && self.is_outermost() && self.may_import() && self.random.percent(30);
        self.has_glob |= has_glob;
        let (mut items, mut declared) = (Vec::new(), Vec::new());
        for (index, name) in names.iter().enumerate() {
            // What a glob brings shadows what is outside, too.
            let hidden = if has_glob { &CONSTANTS[..] } else { &names[index..] };
            let Some((item, variable)) = self.block_item(name, hidden, &declared) else { continue };
            items.push(item);
            declared.push(variable);
        }
        let mut functions = Vec::new();
        if self.may_import() {
            functions = self.function_imports();
        }
        if self.has(Feature::Functions) && self.imports() {
            functions.extend(self.local_functions(&functions, if has_glob { &CONSTANTS } else { &names }, &declared));
        }
        items.extend(functions);
        if has_glob {
            items.push(self.glob(&declared));
        }
        declared.into_iter().for_each(|variable| self.declare(variable));
        items
    }

    /// A `use` or a constant of this name.
    fn block_item(&mut self, name: &str, hidden: &[&str], declared: &[Variable]) -> Option<(Item, Variable)> {
        if self.may_import()
            && self.random.percent(50)
            && let Some(import) = self.import(name)
        {
            return Some(import);
        }
        let has_constants = self.has(Feature::Constants) || self.has(Feature::Modules) && self.is_module;
        has_constants.then(|| self.constant_item(name, hidden, declared))
    }

    /// Whether this block may have a `use`.
    fn may_import(&self) -> bool {
        if self.is_outermost() { self.has(Feature::Uses) } else { self.has(Feature::InnerUses) }
    }

    /// A constant of this name, the value of which may name others, but none of `hidden`, which its own block defines.
    /// Those that `declared` contains are defined already.
    fn constant_item(&mut self, name: &str, hidden: &[&str], declared: &[Variable]) -> (Item, Variable) {
        let mut known = self.constants();
        known.retain(|own| declared.iter().all(|other| other.name != own.name) && !hidden.contains(&&*own.name));
        known.extend(declared.iter().cloned());
        let (ty, value, range, level) = self.constant_value(&known);
        let kind = ItemKind::Const(name.into(), ty.clone(), value);
        let variable = Variable::new(name, ty, level).within(range).of(Origin::Constant);
        (Item { cfg: None, kind }, variable)
    }

    /// The constants that can be named.
    pub fn constants(&self) -> Vec<Variable> {
        let mut visible = self.scopes.visible();
        visible.retain(|variable| variable.origin == Origin::Constant);
        visible
    }

    fn constant_value(&mut self, known: &[Variable]) -> (Type, Expression, (i64, i64), Level) {
        match self.random.below(10) {
            0..=3 => {
                let (value, level) = self.constant_float(known);
                (Type::Float, value, (0, 0), level)
            }
            4..=6 => {
                let (value, range, level) = self.constant_number(known);
                (Type::Usize, value, range, level)
            }
            7 | 8 => {
                let length = 2 + self.random.below(3);
                let floats = (0..length).map(|_| self.constant_float(known).0).collect();
                (Type::array(Type::Float, length), Expression::Array(floats), (0, 0), Level::Passive)
            }
            _ => {
                let length = 2 + self.random.below(3);
                let numbers = (0..length).map(|_| Expression::usize(self.random.below(4))).collect();
                (Type::array(Type::Usize, length), Expression::Array(numbers), (0, 3), Level::Known)
            }
        }
    }

    fn constant_float(&mut self, known: &[Variable]) -> (Expression, Level) {
        let value = Expression::Float(*self.random.pick(&VALUES.each_ref()));
        let floats: Vec<_> = known.iter().filter(|variable| variable.ty == Type::Float).collect();
        if floats.is_empty() || self.random.percent(60) {
            return (value, Level::Passive);
        }
        let other = Expression::Variable(floats[self.random.below(floats.len())].name.clone());
        let operator = if self.random.percent(50) { Operator::Mul } else { Operator::Add };
        (Expression::binary(operator, other, Expression::Float(0.5)), Level::Passive)
    }

    fn constant_number(&mut self, known: &[Variable]) -> (Expression, (i64, i64), Level) {
        let value = self.random.below(LARGEST as usize + 1);
        let numbers: Vec<_> = known.iter().filter(|variable| variable.ty == Type::Usize).collect();
        if numbers.is_empty() || self.random.percent(60) {
            return (Expression::usize(value), (value as i64, value as i64), Level::Known);
        }
        let other = numbers[self.random.below(numbers.len())];
        let named = Expression::Variable(other.name.clone());
        if other.range.1 < LARGEST && self.random.percent(50) {
            let sum = Expression::binary(Operator::Add, named, Expression::usize(1));
            return (sum, (other.range.0 + 1, other.range.1 + 1), other.level);
        }
        let rest = Expression::binary(Operator::Rem, named, Expression::usize(3));
        let is_small = other.range.1 < 3;
        (rest, if is_small { other.range } else { (0, 2) }, other.level)
    }

    /// The constants of the module around the functions: some of those that blocks define, too.
    pub fn module_constants(&mut self) -> Vec<Item> {
        let is_wanted = match self.is_module {
            true => self.has(Feature::Modules) || self.has(Feature::Configured),
            false => self.has(Feature::Constants),
        };
        if !is_wanted && !self.has(Feature::Generics) && !self.imports() {
            return Vec::new();
        }
        let (mut items, mut declared) = (Vec::new(), Vec::new());
        for (index, name) in CONSTANTS.iter().enumerate() {
            if self.random.percent(70) {
                let (item, mut variable) = self.constant_item(name, &CONSTANTS[index..], &declared);
                if !self.is_module {
                    // What is outside of the function is not known.
                    variable.level = Level::Passive;
                }
                items.extend(self.alternatives(item, &mut variable));
                declared.push(variable);
            }
        }
        // What is outside of the function has no length there.
        if !self.is_module {
            declared.retain(|variable| matches!(variable.ty, Type::Float | Type::Usize));
        }
        self.outside = declared;
        items
    }

    /// The item; or the item and another of its name that is not there: then its value is not known.
    fn alternatives(&mut self, mut item: Item, variable: &mut Variable) -> Vec<Item> {
        let is_number = matches!(variable.ty, Type::Float | Type::Usize);
        if !self.has(Feature::Configured) || !is_number || self.random.percent(50) {
            return vec![item];
        }
        variable.level = Level::Passive;
        item.cfg = Some(*self.random.pick(&Cfg::PRESENT.each_ref()));
        let mut absent = item.clone();
        absent.cfg = Some(*self.random.pick(&Cfg::ABSENT.each_ref()));
        if let ItemKind::Const(_, ty, value) = &mut absent.kind {
            (*ty, *value) = (Type::Float, Expression::Float(77.0));
        }
        if self.random.percent(50) { vec![item, absent] } else { vec![absent, item] }
    }

    /// An expression of constants that stays as it is written.
    pub fn kept(&mut self) -> Option<Expression> {
        let mut constants = self.scopes.visible();
        constants.retain(|variable| variable.origin != Origin::Local);
        if constants.is_empty() {
            return None;
        }
        let constant = constants[self.random.below(constants.len())].clone();
        let value = Expression::Variable(constant.name.clone());
        Some(match constant.ty {
            Type::Float => Expression::method("sqrt", vec![Expression::method("abs", vec![value])]),
            Type::Usize => Expression::method("min", vec![value, Expression::usize(3)]).cast(Type::Float),
            Type::Array(element, length) if *element == Type::Float => {
                let index = self.index(length, Level::Passive);
                Expression::method("abs", vec![value.index(index)])
            }
            Type::Array(_, length) => value.index(Expression::usize(self.random.below(length))).cast(Type::Float),
            _ => return None,
        })
    }

    /// The name of a constant that is this number, if there is one that is known.
    pub fn constant_for(&mut self, number: usize) -> Option<Name> {
        let mut constants = self.constants();
        let range = (number as i64, number as i64);
        constants.retain(|own| own.ty == Type::Usize && own.level == Level::Known && own.range == range);
        (!constants.is_empty()).then(|| constants[self.random.below(constants.len())].name.clone())
    }

    /// A type as it is annotated, perhaps with the name of a constant as its length.
    pub fn annotation(&mut self, ty: &Type) -> Type {
        if let Type::Array(element, length) = ty
            && let Some(name) = self.constant_for(*length)
        {
            return Type::Sized(element.clone(), name);
        }
        ty.clone()
    }

    /// `'found: { ... break 'found x; ... y }`, with items in it.
    pub fn labelled(&mut self, depth: usize) -> Expression {
        let label: Name = self.fresh("found").as_str().into();
        let branch = self.branch_number();
        let is_open = self.has(Feature::Jumps) && self.random.percent(50);
        let kind = if is_open { Kind::Arm } else { Kind::Block };
        let block = self.in_scope(Kind::Value, |generator| {
            generator.with_items(|generator| {
                let early = generator.in_scope(kind, |generator| generator.float(depth.saturating_sub(1)));
                let condition = if is_open { generator.condition(1) } else { generator.known_condition(0) };
                let then = Block { statements: vec![Statement::BreakWith(label.clone(), early)], value: None };
                let leave = If { branch, condition, then, otherwise: None };
                let statements = vec![Statement::Run(Expression::If(Box::new(leave)))];
                let value = generator.in_scope(kind, |generator| generator.float(depth.saturating_sub(1)));
                Block { statements, value: Some(Box::new(value)) }
            })
        });
        Expression::Labelled(label, block)
    }
}
