//! `use` items, which rename constants and functions of the module, of a module in it and of the standard library: they
//! shadow what has their names outside.

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;
use super::scope::{Level, Origin, Variable};

/// The functions of a float and a number, which are called with what depends on no variable: one can stand for another.
pub const PASSIVE: [&str; 3] = ["scale", "weigh", "ratio"];

/// The module beside the functions, with items that have the names of those around it.
const INNER: &str = "inner";

/// What `inner` has.
const INNER_CONSTANTS: [(&str, f64); 2] = [("GAIN", -1.75), ("PI", 3.0)];

/// The constants of the standard library.
const STANDARD: [&str; 3] = ["LN_2", "LOG2_E", "LOG10_E"];

impl Generator {
    /// Whether there is a `use` in any block.
    pub fn imports(&self) -> bool {
        self.has(Feature::Uses) || self.has(Feature::InnerUses)
    }

    /// The module of items that are imported, if there are any.
    pub fn inner_module(&mut self) -> Option<Item> {
        if !self.imports() {
            return None;
        }
        let constant =
            |(name, value): &(&str, f64)| ItemKind::Const((*name).into(), Type::Float, Expression::Float(*value));
        let mut kinds: Vec<_> = INNER_CONSTANTS.iter().map(constant).collect();
        kinds.push(ItemKind::Const("LEN".into(), Type::Usize, Expression::usize(3)));
        kinds.push(ItemKind::Function(passive_function("scale", 0.75)));
        kinds.push(ItemKind::Function(passive_function("ratio", -0.25)));
        let items = kinds.into_iter().map(|kind| Item { cfg: None, kind }).collect();
        Some(Item { cfg: None, kind: ItemKind::Module(INNER.into(), items) })
    }

    /// A `use` that gives something this name, and what that is.
    pub fn import(&mut self, name: &str) -> Option<(Item, Variable)> {
        let (path, ty) = match self.random.below(3) {
            0 => {
                let outside = self.outside.clone();
                let usable: Vec<_> = outside.iter().filter(|own| matches!(own.ty, Type::Float | Type::Usize)).collect();
                let own = (!usable.is_empty()).then(|| usable[self.random.below(usable.len())])?;
                return Some(imported(&format!("self::{}", own.name), name, own.ty.clone(), own.range));
            }
            1 if self.random.percent(30) => (format!("self::{INNER}::LEN"), Type::Usize),
            1 => {
                let (own, _) = INNER_CONSTANTS[self.random.below(INNER_CONSTANTS.len())];
                (format!("self::{INNER}::{own}"), Type::Float)
            }
            _ => {
                let own = self.random.pick(&STANDARD);
                (format!("core::{}::consts::{own}", self.float), Type::Float)
            }
        };
        let range = if ty == Type::Usize { (3, 3) } else { (0, 0) };
        Some(imported(&path, name, ty, range))
    }

    /// `use` items that give one function of passive values the name of another.
    pub fn function_imports(&mut self) -> Vec<Item> {
        if self.random.percent(50) {
            return Vec::new();
        }
        let path = match self.random.percent(40) {
            true => format!("self::{INNER}::{}", if self.random.percent(50) { "scale" } else { "ratio" }),
            false => format!("self::{}", self.random.pick(&PASSIVE)),
        };
        let name = self.random.pick(&PASSIVE);
        self.declare(function_variable(name, Level::Passive));
        vec![Item { cfg: None, kind: ItemKind::Use(path.as_str().into(), name.into()) }]
    }

    /// Functions of a block with the names of some of the module, but for those that the block imports. They may name
    /// constants that are `declared` in it, and others that are not `hidden`.
    pub fn local_functions(&mut self, imported: &[Item], hidden: &[&str], declared: &[Variable]) -> Vec<Item> {
        let is_imported =
            |name: &str| imported.iter().any(|item| matches!(&item.kind, ItemKind::Use(_, own) if **own == *name));
        let names = PASSIVE.iter().filter(|name| !is_imported(name));
        let names: Vec<_> = names.filter(|_| self.random.percent(30)).collect();
        let mut floats = self.constants();
        // Those of the module mean something else where a function around the inlined one has a generic parameter of
        // their name: rustc says so.
        let is_inlined = !self.may_have_glob;
        let is_outside = |name: &Name| is_inlined && self.outside.iter().any(|own| own.name == *name);
        floats.retain(|own| !hidden.contains(&&*own.name) && !is_outside(&own.name));
        floats.extend(declared.iter().cloned());
        floats.retain(|own| own.ty == Type::Float);
        let mut items = Vec::new();
        for name in names {
            let weight = *self.random.pick(&[0.875, -1.25, 2.5, 0.0625].each_ref());
            let mut function = passive_function(name, weight);
            if let Some(value) = &mut function.body.value
                && let Expression::Binary(_, operands, _) = &mut **value
            {
                match self.random.below(3) {
                    0 if !floats.is_empty() => {
                        operands[1] = Expression::Variable(floats[self.random.below(floats.len())].name.clone());
                    }
                    1 => {
                        // What is inside of a function around it is taken for a name from outside of that.
                        let own = self.fresh("OWN");
                        let weight = std::mem::replace(&mut operands[1], Expression::variable(&own));
                        let constant = Statement::item(ItemKind::Const(own.as_str().into(), Type::Float, weight));
                        function.body.statements.push(constant);
                    }
                    _ => {}
                }
            }
            self.declare(function_variable(name, Level::Active));
            items.push(Item { cfg: None, kind: ItemKind::Function(function) });
        }
        items
    }

    /// A call of a function of a block, with what may depend on variables, if there is one here.
    pub fn local_call(&mut self, depth: usize) -> Option<Expression> {
        let mut names = PASSIVE.to_vec();
        names.retain(|name| self.scopes.function(name) == Some(Level::Active));
        let name = (!names.is_empty()).then(|| names[self.random.below(names.len())])?;
        let (of, (by, ..)) = (self.float(depth.saturating_sub(1)), self.usize(Level::Passive, None));
        Some(Expression::call(name, vec![of, by]))
    }

    /// `use self::inner::*;`, which gives the names that the block does not define.
    pub fn glob(&mut self, defined: &[Variable]) -> Item {
        let is_new = |name: &str| defined.iter().all(|own| *own.name != *name);
        // Constants of the module may be hidden by the glob, as far as a macro can see: they are not known.
        for own in self.constants().into_iter().filter(|own| is_new(&own.name)) {
            let is_hidden = matches!(own.ty, Type::Array(..));
            self.declare(Variable { level: Level::Passive, is_hidden, ..own });
        }
        for (name, _) in INNER_CONSTANTS.iter().filter(|(name, _)| is_new(name)) {
            self.declare(Variable::new(name, Type::Float, Level::Passive).of(Origin::Constant));
        }
        if is_new("LEN") {
            self.declare(Variable::new("LEN", Type::Usize, Level::Passive).within((3, 3)).of(Origin::Constant));
        }
        Item { cfg: None, kind: ItemKind::Glob(format!("self::{INNER}").as_str().into()) }
    }

    /// A call of one of the functions of passive values, which may be another's by its name.
    pub fn passive_call(&mut self) -> Expression {
        let (of, (by, ..)) = (self.passive_float(), self.usize(Level::Passive, None));
        Expression::call(self.random.pick(&PASSIVE), vec![of, by])
    }

    /// The functions of passive values.
    pub fn passive_functions(&self) -> Vec<Function> {
        let is_wanted = self.imports();
        let weights = [0.5, 1.5, -2.0];
        let functions = PASSIVE.iter().zip(weights).filter(|_| is_wanted);
        functions.map(|(name, weight)| passive_function(name, weight)).collect()
    }
}

fn imported(path: &str, name: &str, ty: Type, range: (i64, i64)) -> (Item, Variable) {
    let item = Item { cfg: None, kind: ItemKind::Use(path.into(), name.into()) };
    (item, Variable::new(name, ty, Level::Passive).within(range).of(Origin::Constant))
}

/// What scopes know of a function: what it gives may depend on variables, or depends on none.
fn function_variable(name: &str, level: Level) -> Variable {
    Variable { is_hidden: true, ..Variable::new(name, Type::Float, level).of(Origin::Function) }
}

/// A function that is called with values that depend on no variable.
pub fn passive_function(name: &str, weight: f64) -> Function {
    let parameters = vec![
        Parameter { name: "of".into(), ty: Type::Float, is_mutable: false },
        Parameter { name: "by".into(), ty: Type::Usize, is_mutable: false },
    ];
    let (of, by) = (Expression::variable("of"), Expression::variable("by").cast(Type::Float));
    let product = Expression::binary(Operator::Mul, of, by);
    let value = Expression::binary(Operator::Sub, product, Expression::Float(weight));
    Function {
        cfg: None,
        name: name.into(),
        generics: Vec::new(),
        parameters,
        result: Type::Float,
        body: Block { statements: Vec::new(), value: Some(Box::new(value)) },
        derivative: Derivative::None,
    }
}
