//! Programs: functions that call one another, with the attribute on them or on a module around them.

use super::super::print;
use super::super::random::Random;
use super::super::tree::*;
use super::constants::CONSTANTS;
use super::data::slice_of;
use super::feature::Feature;
use super::function::Wish;
use super::scope::Scopes;
use super::uses::passive_function;
use super::{Callable, Generator};

/// The options of the attribute, in rotation.
const OPTIONS: &[&str] = &[
    "",
    r#"strategy = "forward""#,
    r#"strategy = "reverse""#,
    r#"linearize = "statement""#,
    r#"strategy = "vertex: markowitz > reverse""#,
    r#"strategy = "edge: markowitz > reverse""#,
    r#"strategy = "face: absorb > markowitz""#,
    r#"strategy = "locality""#,
    r#"linearize = "statement", strategy = "reverse""#,
];

/// The most columns of a Jacobian.
const MAX_COLUMNS: usize = 5;

/// The program of this number. Whether variables of patterns may shadow others is said by `may_shadow`.
pub fn program(seed: u64, may_shadow: bool) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0xA076_1D64_78BD_642F));
    let (is_exact, float) = (random.percent(30), if seed % 3 == 2 { "f32" } else { "f64" });
    let mut generator = Generator {
        random,
        float,
        may_shadow,
        is_exact,
        scopes: Scopes::default(),
        is_quiet: false,
        is_module: false,
        keeps_loops: false,
        may_have_glob: false,
        has_glob: false,
        outside: Vec::new(),
        structs: Vec::new(),
        operators: Vec::new(),
        owner: None,
        generics: Vec::new(),
        callable: Vec::new(),
        has_options: false,
        optional: Vec::new(),
        result: Type::Float,
        is_small: !seed.is_multiple_of(4),
        budget: 0,
        spent: 0,
        repetitions: 1,
        labels: Vec::new(),
        next_name: 0,
        next_branch: 0,
    };
    let options = OPTIONS[seed as usize % OPTIONS.len()].to_string();
    let options = join(&[&options, generator.unrolling()]);
    let options = options.as_str();
    let has_more_modules = generator.has(Feature::Modules) || generator.has(Feature::Configured);
    let is_module = generator.random.percent(if has_more_modules { 60 } else { 25 });
    // What is compiled lacks the types of some floats in the methods of structs, without which rustc refuses it.
    let has_structs = generator.has(Feature::Structs) && seed % 5 == 3 && !may_shadow;
    let has_takers = generator.has(Feature::Takers) && seed % 7 == 4;
    // With and without structs and takers, in either precision.
    let has_options = generator.has(Feature::Options) && [1, 4, 6].contains(&(seed % 7));
    let is_module = is_module || has_structs || has_takers || has_options;
    generator.is_module = is_module;
    let mut items = generator.items_around();
    if has_structs {
        items.extend(generator.struct_items());
    }
    generator.has_options = has_options;
    let mut takers = if has_takers { generator.takers() } else { Vec::new() };
    if generator.has(Feature::TypeParameters) && has_structs {
        takers.extend(generator.generic_function());
    }
    if has_options {
        takers.extend(generator.optional_functions());
    }
    let (mut functions, active) = if is_module { generator.module(options) } else { generator.functions(options) };
    functions.splice(0..0, takers);
    let functions = generator.configured(functions);
    Program { seed, float, items, functions, module: is_module.then(|| options.to_string()), active, is_exact }
}

impl Generator {
    /// The option that says which loops are unrolled, perhaps.
    fn unrolling(&mut self) -> &'static str {
        if !self.has(Feature::Unrolling) {
            return "";
        }
        self.keeps_loops = self.random.percent(20);
        match self.keeps_loops {
            true => r#"unroll = "never""#,
            false if self.random.percent(20) => r#"unroll = "always""#,
            false => "",
        }
    }

    /// The items beside the functions.
    fn items_around(&mut self) -> Vec<Item> {
        let mut items = self.module_constants();
        items.extend(self.inner_module());
        items.extend(self.typed_functions());
        items
    }

    /// Functions in a module: those that the last one calls are inlined, or called by their Jacobians where they are
    /// long.
    fn module(&mut self, options: &str) -> (Vec<Function>, Vec<bool>) {
        let mut functions = Vec::new();
        for number in 0..1 + self.random.below(if self.is_small { 1 } else { 3 }) {
            let rounds = if self.random.percent(12) { LONG } else { 0 };
            let statements = 2 + self.random.below(5);
            let name = format!("member{number}");
            functions.push(self.helper(&name, Derivative::None, statements, rounds));
            self.can_call(functions.last().expect("a function has been made"), true, true);
        }
        if self.random.percent(50) && !self.imports() {
            functions.push(self.passive_helper());
        }
        functions.extend(self.passive_functions());
        // The module has options, too.
        let own = if self.random.percent(30) && options.is_empty() { OPTIONS[1] } else { "" };
        let (main, active) = self.main(own.into());
        functions.push(main);
        (functions, active)
    }

    /// Functions with Jacobians of their own, and one that calls them.
    fn functions(&mut self, options: &str) -> (Vec<Function>, Vec<bool>) {
        let (mut functions, mut with) = (Vec::new(), Vec::new());
        if self.random.percent(40) && !self.imports() {
            functions.push(self.passive_helper());
        }
        functions.extend(self.passive_functions());
        for number in 0..self.random.below(if self.is_small { 2 } else { 3 }) {
            let is_declared = self.random.percent(60);
            let name = format!("own{number}");
            let own_with = list("with", &with);
            if self.random.percent(50) {
                functions.push(self.helper(&name, Derivative::Attribute(join(&["", &own_with])), 3, 0));
            } else {
                let jacobian = format!("{name}_jac");
                let function = self.helper(&name, Derivative::Handwritten(jacobian.as_str().into()), 3, 0);
                functions.push(self.handwritten(&function, &jacobian));
                functions.push(function);
            }
            let function = functions.last().expect("a function has been made");
            let is_declared = is_declared || function.parameters.iter().any(|parameter| parameter.ty.floats() == 0);
            with.push(if is_declared { declaration(function, self.float) } else { name });
            self.can_call(function, true, is_declared);
        }
        let (main, active) = self.main(join(&[options, &list("with", &with)]));
        functions.push(main);
        (functions, active)
    }

    fn can_call(&mut self, function: &Function, is_differentiated: bool, is_declared: bool) {
        // What the body took, where that replaces the call.
        let cost = if function.derivative == Derivative::None { self.spent.min(MAX_COST) } else { CALL };
        self.callable.push(Callable {
            cost,
            name: function.name.clone(),
            parameters: function.parameters.iter().map(|parameter| parameter.ty.clone()).collect(),
            result: function.result.clone(),
            is_differentiated,
            is_declared,
            is_method: false,
            is_taker: false,
        });
    }

    /// A function that is called with values that depend on no variable.
    fn passive_helper(&mut self) -> Function {
        let function = passive_function("scale", 0.5);
        self.can_call(&function, false, true);
        function
    }

    /// A function that others call.
    fn helper(&mut self, name: &str, derivative: Derivative, statements: usize, rounds: usize) -> Function {
        let floats = [Type::Float, Type::array(Type::Float, 2), Type::Reference(Box::new(Type::array(Type::Float, 2)))];
        let mut types: Vec<_> = (0..1 + self.random.below(2)).map(|_| floats[self.random.below(3)].clone()).collect();
        types.extend(self.struct_parameter());
        if self.random.percent(30) {
            types.push([Type::Usize, Type::Bool][self.random.below(2)].clone());
        }
        // What goes over an array that is given for a slice has to be unrolled.
        if derivative == Derivative::None && !self.keeps_loops {
            types.extend(self.slice_parameters().pop());
        }
        let result = [Type::Float, Type::array(Type::Float, 2), Type::array(Type::Float, 3)];
        let result = result[self.random.below(3)].clone();
        let result = self.struct_result().unwrap_or(result);
        let parameters = self.parameters(types);
        let active = vec![true; parameters.len()];
        let budget = 10 * statements;
        self.function(Wish { name, parameters, active, result, statements, rounds, budget, derivative })
    }

    pub fn parameters(&mut self, types: Vec<Type>) -> Vec<Parameter> {
        let parameter = |(index, ty): (usize, Type)| {
            let is_mutable =
                ty.floats() > 0 && !matches!(ty, Type::Reference(_) | Type::Exclusive(_)) && self.random.percent(30);
            Parameter { name: format!("arg{index}").as_str().into(), ty, is_mutable }
        };
        types.into_iter().enumerate().map(parameter).collect()
    }

    /// A Jacobian for a function that is not its own: so a test tells whether it is used.
    fn handwritten(&mut self, function: &Function, name: &str) -> Function {
        let columns: usize = function.parameters.iter().map(|parameter| parameter.ty.floats()).sum();
        let row = Type::array(Type::Float, columns);
        let jacobian = match function.result.floats() {
            1 if function.result == Type::Float => row,
            rows => Type::array(row, rows),
        };
        let parameters: Vec<_> =
            function.parameters.iter().map(|parameter| Parameter { is_mutable: false, ..parameter.clone() }).collect();
        let callable = std::mem::take(&mut self.callable);
        self.is_quiet = true;
        let active = vec![true; parameters.len()];
        let (result, derivative) = (jacobian.clone(), Derivative::None);
        let own = Wish { name, parameters, active, result, statements: 2, rounds: 0, budget: 30, derivative };
        let mut own = self.function(own);
        (self.callable, self.is_quiet) = (callable, false);
        let arguments = own.parameters.iter().map(|parameter| Expression::Variable(parameter.name.clone())).collect();
        let value = Expression::Call(function.name.clone(), arguments);
        let mut body = std::mem::take(&mut own.body);
        if let Some(Statement::Return(entries)) = body.statements.pop_if(|last| matches!(last, Statement::Return(_))) {
            body.value = Some(Box::new(entries));
        }
        let entries = Expression::Block(body);
        own.body.value = Some(Box::new(Expression::Tuple(vec![value, entries])));
        own.result = Type::Tuple(vec![function.result.clone(), jacobian]);
        own
    }

    /// The function that is called from outside.
    fn main(&mut self, mut options: String) -> (Function, Vec<bool>) {
        let mut types = Vec::new();
        while types.is_empty() || self.random.percent(60) {
            let ty = self.parameter_type();
            if types.iter().chain([&ty]).map(Type::floats).sum::<usize>() > MAX_COLUMNS {
                break;
            }
            types.push(ty);
        }
        for passive in [Type::Usize, Type::Int, Type::Bool, Type::Law] {
            if self.random.percent(45) {
                types.push(passive);
            }
        }
        // The macro has to be told that a slice of floats is passive.
        let slices = self.slice_parameters();
        let is_told = slices.iter().any(|ty| *ty != slice_of(Type::Usize));
        types.extend(slices);
        let mut parameters = self.parameters(types);
        parameters.extend(self.log());
        let mut active: Vec<_> = parameters.iter().map(|parameter| parameter.ty.floats() > 0).collect();
        if is_told || self.random.percent(20) {
            (1..active.len()).for_each(|index| active[index] &= self.random.percent(60));
            let named = parameters.iter().zip(&active).filter(|(_, is_active)| **is_active);
            let named: Vec<_> = named.map(|(parameter, _)| parameter.name.to_string()).collect();
            options = join(&[&options, &list("wrt", &named)]);
        }
        // One with integers is no result, nor is it differentiated as a whole.
        let of_struct = self.struct_result().filter(|ty| !ty.has_integers());
        let result = match self.random.below(6) {
            _ if let Some(ty) = of_struct => ty,
            0 | 1 => Type::Float,
            2 | 3 => Type::array(Type::Float, 1 + self.random.below(4)),
            4 => Type::array(Type::array(Type::Float, 2), 2),
            _ => Type::Tuple(vec![Type::Float, Type::array(Type::Float, 2)]),
        };
        let (statements, budget) = if self.is_small { (3, 45) } else { (4 + self.random.below(6), 90) };
        let derivative = Derivative::Attribute(options);
        let wish =
            Wish { name: "f", parameters, active: active.clone(), result, statements, rounds: 0, budget, derivative };
        self.choose_generics();
        (self.function(wish), active)
    }

    /// Numbers for generic parameters of the function that is made next, which have names of constants.
    fn choose_generics(&mut self) {
        if self.has(Feature::Generics) {
            let mut names = CONSTANTS.to_vec();
            self.random.shuffle(&mut names);
            names.truncate(1 + self.random.below(2));
            self.generics = names.iter().map(|name| ((*name).into(), self.random.within(5, 9).into())).collect();
        }
    }

    fn parameter_type(&mut self) -> Type {
        if let Some(ty) = self.struct_parameter().filter(is_independent) {
            return ty;
        }
        let array = |length| Type::array(Type::Float, length);
        match self.random.below(7) {
            0..=2 => Type::Float,
            3 => array(2),
            4 => array(3),
            5 => Type::Reference(Box::new(array(2))),
            _ => Type::array(array(2), 2),
        }
    }
}

/// Whether a parameter of the program may be of this type of structs.
fn is_independent(ty: &Type) -> bool {
    !matches!(ty, Type::Exclusive(_)) && ty.floats() <= MAX_COLUMNS && !ty.has_integers()
}

/// The most that a call costs: what is longer is called by its Jacobian.
const MAX_COST: usize = 40;

/// What a call of a Jacobian costs.
const CALL: usize = 6;

/// How often a function repeats something that is so long that it is not inlined.
const LONG: usize = 60;

/// `name(a, b)`, or nothing if there is nothing in it.
fn list(name: &str, items: &[String]) -> String {
    if items.is_empty() { String::new() } else { format!("{name}({})", items.join(", ")) }
}

/// Options with commas between them.
fn join(options: &[&str]) -> String {
    options.iter().filter(|option| !option.is_empty()).copied().collect::<Vec<_>>().join(", ")
}

/// A function with its type, as `with(...)` takes it.
fn declaration(function: &Function, float: &'static str) -> String {
    let parameters: Vec<_> = function.parameters.iter().map(|parameter| print::ty(&parameter.ty, float)).collect();
    format!("{}: fn({}) -> {}", function.name, parameters.join(", "), print::ty(&function.result, float))
}
