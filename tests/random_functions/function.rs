//! A random function: its signature, its body, and the code that checks it.

use std::collections::HashSet;

use jacobian_core::catalogue::{CATALOGUE, Row};

use super::expression::{Expression, Form};
use super::random::Random;
use super::shape::Shape;
use super::text::{self, NUM, REAL};

/// The inputs at every point lie in this range.
const INPUTS: (f64, f64) = (-1.5, 1.5);

/// The most columns of a Jacobian.
const MAX_COLUMNS: usize = 7;

/// A variable in scope.
#[derive(Clone)]
pub struct Variable {
    pub name: String,
    /// How its value is written.
    pub access: String,
    pub shape: Shape,
    pub range: (f64, f64),
    pub is_mutable: bool,
}

impl Variable {
    pub fn new(name: &str, shape: Shape, range: (f64, f64), is_mutable: bool) -> Self {
        Variable { name: name.to_string(), access: name.to_string(), shape, range, is_mutable }
    }
}

/// Every callable row of the catalogue in every form, in random order again and again: so all are used equally often.
#[derive(Default)]
pub struct Deck {
    left: Vec<(&'static Row, Form)>,
    /// What has been drawn, by name.
    pub drawn: HashSet<(&'static str, Form)>,
}

impl Deck {
    /// Every callable row in every form.
    pub fn all() -> Vec<(&'static Row, Form)> {
        let forms = [Form::Method, Form::Path, Form::Qualified, Form::Primitive, Form::Libm];
        let pairs = CATALOGUE.iter().flat_map(|row| forms.map(|form| (row, form)));
        let has_form = |row: &Row, form| match form {
            Form::Libm => row.libm.is_some(),
            _ => row.is_callable() && row.is_method(),
        };
        pairs.filter(|(row, form)| has_form(row, *form)).collect()
    }

    /// The next.
    pub fn draw(&mut self, random: &mut Random) -> (&'static Row, Form) {
        if self.left.is_empty() {
            self.left = Deck::all();
            random.shuffle(&mut self.left);
        }
        let (row, form) = self.left.pop().expect("there are callable rows");
        self.drawn.insert((row.name, form));
        (row, form)
    }
}

/// What a function is made with.
pub struct Generator<'a> {
    pub random: &'a mut Random,
    pub deck: &'a mut Deck,
    /// What the names of libm end in.
    pub suffix: &'static str,
    /// Passive floats and their ranges.
    pub passives: Vec<(String, (f64, f64))>,
    /// Passive integers and their ranges.
    pub integers: Vec<(String, (i64, i64))>,
    /// Constants that may be indices, and their values.
    pub indices: Vec<(String, i64)>,
    /// Expressions of type `usize` that change from iteration to iteration of a loop.
    pub counters: Vec<String>,
    /// Closures of one float that have moved into themselves what they capture, and the ranges of their values.
    pub closures: Vec<(String, (f64, f64))>,
    scopes: Vec<Scope>,
    /// The number of scopes around the innermost loop.
    outside_loop: usize,
    next_name: usize,
}

/// A block: its variables, its lines, and how many constants were visible before it.
struct Scope {
    variables: Vec<Variable>,
    lines: Vec<String>,
    outside: [usize; 5],
}

impl Generator<'_> {
    /// A name that no other variable has.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.next_name += 1;
        format!("{stem}{}", self.next_name)
    }

    pub fn enter(&mut self) {
        let outside =
            [self.passives.len(), self.integers.len(), self.indices.len(), self.counters.len(), self.closures.len()];
        self.scopes.push(Scope { variables: Vec::new(), lines: Vec::new(), outside });
    }

    /// Leaves a block, and gives its lines.
    pub fn leave(&mut self) -> Vec<String> {
        let scope = self.scopes.pop().expect("a block has been entered");
        self.passives.truncate(scope.outside[0]);
        self.integers.truncate(scope.outside[1]);
        self.indices.truncate(scope.outside[2]);
        self.counters.truncate(scope.outside[3]);
        self.closures.truncate(scope.outside[4]);
        scope.lines
    }

    /// Enters the body of a loop, and gives what [`Generator::leave_loop`] needs.
    pub fn enter_loop(&mut self) -> usize {
        self.enter();
        std::mem::replace(&mut self.outside_loop, self.scopes.len() - 1)
    }

    /// Leaves the body of a loop, and gives its lines.
    pub fn leave_loop(&mut self, outside_loop: usize) -> Vec<String> {
        self.outside_loop = outside_loop;
        self.leave()
    }

    /// Whether this is a block inside the body.
    pub fn is_in_block(&self) -> bool {
        self.scopes.len() > 1
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a block has been entered")
    }

    pub fn line(&mut self, line: String) {
        self.scope().lines.push(line);
    }

    /// A line that may be at the end of the block as well as here: it is at its start, or here.
    pub fn item(&mut self, line: String) {
        let is_first = self.random.percent(50);
        let lines = &mut self.scope().lines;
        lines.insert(if is_first { 0 } else { lines.len() }, line);
    }

    pub fn declare(&mut self, variable: Variable) {
        self.scope().variables.push(variable);
    }

    /// The variables that can be named, each by the name that means it.
    pub fn visible(&self) -> Vec<Variable> {
        let mut seen = HashSet::new();
        let all = self.scopes.iter().flat_map(|scope| &scope.variables).rev();
        let mut visible: Vec<_> = all.filter(|variable| seen.insert(variable.name.clone())).cloned().collect();
        visible.reverse();
        visible
    }

    fn find(&mut self, name: &str) -> Option<&mut Variable> {
        self.scopes.iter_mut().rev().find_map(|scope| scope.variables.iter_mut().rev().find(|v| v.name == name))
    }

    /// A variable that is borrowed must keep its value.
    pub fn freeze(&mut self, name: &str) {
        if let Some(variable) = self.find(name) {
            variable.is_mutable = false;
        }
    }

    /// Notes that a variable has been assigned values of this range.
    pub fn widen(&mut self, name: &str, range: (f64, f64)) {
        if let Some(variable) = self.find(name) {
            variable.range = (variable.range.0.min(range.0), variable.range.1.max(range.1));
        }
    }

    /// A float in a variable, one of the latest more likely.
    pub fn variable(&mut self) -> Expression {
        let visible = self.visible();
        if self.random.percent(35) {
            let mixtures: Vec<_> = visible.iter().filter(|variable| variable.name.starts_with("mix")).collect();
            if !mixtures.is_empty() {
                let mixture = mixtures[self.random.below(mixtures.len())];
                return Expression::atom(mixture.access.clone(), mixture.range);
            }
        }
        if visible.is_empty() {
            return self.literal();
        }
        let first = if self.random.percent(60) { visible.len().saturating_sub(5) } else { 0 };
        let variable = &visible[first + self.random.below(visible.len() - first)];
        Expression::atom(self.part(&variable.access, &variable.shape), variable.range)
    }

    /// A float in a mutable variable.
    pub fn mutable_place(&mut self) -> Option<(Variable, String)> {
        // What is declared outside of a loop would be assigned in every iteration, and grow.
        let inside: HashSet<_> =
            self.scopes[self.outside_loop..].iter().flat_map(|scope| &scope.variables).map(|v| &v.name).collect();
        let mut mutable = self.visible();
        mutable.retain(|variable| {
            variable.is_mutable && variable.range.1 - variable.range.0 < 1e4 && inside.contains(&variable.name)
        });
        if mutable.is_empty() {
            return None;
        }
        let variable = mutable.swap_remove(self.random.below(mutable.len()));
        let place = self.part(&variable.access, &variable.shape);
        Some((variable, place))
    }

    /// A float in a value of this shape.
    fn part(&mut self, access: &str, shape: &Shape) -> String {
        match shape {
            Shape::Float => access.to_string(),
            Shape::Array(element, length) => {
                let index = self.index(*length);
                self.part(&format!("{access}[{index}]"), element)
            }
            Shape::Tuple(shapes) => {
                let index = self.random.below(shapes.len());
                self.part(&format!("{access}.{index}"), &shapes[index])
            }
        }
    }

    /// An index below `length`: a literal, or an expression of constants.
    fn index(&mut self, length: usize) -> String {
        if !self.counters.is_empty() && self.random.percent(40) {
            let counter = self.counters[self.random.below(self.counters.len())].clone();
            return format!("{counter} % {length}");
        }
        let index = self.random.below(length) as i64;
        if self.indices.is_empty() || self.random.percent(60) {
            return index.to_string();
        }
        let (name, value) = &self.indices[self.random.below(self.indices.len())];
        match index - value {
            0 => name.clone(),
            more if more > 0 => format!("{name} + {more}"),
            less => format!("({name}) - {}", -less),
        }
    }

    /// A passive integer of type `i32` from `low` to `high`.
    pub fn integer(&mut self, (low, high): (i64, i64)) -> (String, (i64, i64)) {
        let (name, range) = self.integers[self.random.below(self.integers.len())].clone();
        let (text, range) = match self.random.below(4) {
            0 => (name, range),
            1 => (format!("{name} - 2"), (range.0 - 2, range.1 - 2)),
            2 => (format!("2 * ({name})"), (2 * range.0, 2 * range.1)),
            _ => (String::new(), (i64::MIN, i64::MAX)),
        };
        if low <= range.0 && range.1 <= high {
            return (text, range);
        }
        let literal = self.random.within(low, high);
        (literal.to_string(), (literal, literal))
    }
}

/// A parameter.
struct Parameter {
    declaration: String,
    /// The name, where it has one.
    name: Option<String>,
    /// The argument, with `@` before the numbers of inputs.
    argument: String,
    inputs: std::ops::Range<usize>,
    is_active: bool,
}

/// The signature of a function.
struct Signature {
    parameters: Vec<Parameter>,
    result: Shape,
    is_method: bool,
    generics: &'static str,
    turbofish: &'static str,
    wrt: Option<String>,
}

/// A function: the text of it and of its twin, and of what checks it.
pub struct Function {
    /// The item, or the item of the type `Model` that it is a method of.
    pub items: String,
    /// A function that checks it.
    pub check: String,
}

/// The function of this number, differentiated by all `strategies`.
pub fn generate(number: usize, float: &str, strategies: &[&str], random: &mut Random, deck: &mut Deck) -> Function {
    let suffix = if float == "f32" { "f" } else { "" };
    let mut generator = Generator {
        random,
        deck,
        suffix,
        passives: Vec::new(),
        integers: Vec::new(),
        indices: Vec::new(),
        counters: Vec::new(),
        closures: Vec::new(),
        scopes: Vec::new(),
        outside_loop: 0,
        next_name: 0,
    };
    generator.enter();
    let signature = generator.signature();
    (0..2).for_each(|_| generator.mixture());
    for _ in 0..4 + generator.random.below(8) {
        generator.statement(2);
    }
    let body = generator.body(&signature.result);
    Function {
        items: items(number, float, strategies, &signature, &body),
        check: check(number, float, strategies, &signature, is_twice(&body)),
    }
}

impl Generator<'_> {
    fn signature(&mut self) -> Signature {
        let is_method = self.random.percent(25);
        let model = if is_method { "self" } else { "model" };
        self.passive_context(model);
        let has_wrt = self.random.percent(25);
        let generics = *self.random.pick(&["", "", "", "<const K: usize>", "<'a>"].each_ref());
        let mut parameters = self.active_parameters(has_wrt, generics == "<'a>");
        if !is_method {
            parameters.push(Parameter::passive("model: &Model", "&model"));
        }
        parameters.push(Parameter::passive("n: i32", "n"));
        parameters.push(Parameter::passive("k: usize", "k"));
        if generics.contains('K') {
            self.passives.push((format!("(K as {NUM})"), (2.0, 2.0)));
        }
        let mut wrt = None;
        if has_wrt {
            parameters.push(Parameter::passive(&format!("s: {NUM}, table: &[{NUM}]"), "z(20), &[z(21), z(22), z(23)]"));
            self.passives.extend(["s", "table[k]", "table[2].abs()"].map(|text| (text.to_string(), INPUTS)));
            let active = parameters.iter().filter(|parameter| parameter.is_active);
            wrt = Some(active.filter_map(|parameter| parameter.name.clone()).collect::<Vec<_>>().join(", "));
        }
        self.random.shuffle(&mut parameters);
        let turbofish = if generics.contains('K') { "::<2>" } else { "" };
        Signature { parameters, result: Shape::result(self.random), is_method, generics, turbofish, wrt }
    }

    /// What is passive in every function.
    fn passive_context(&mut self, model: &str) {
        let passives = [
            (format!("{model}.scale"), (0.75, 0.75)),
            (format!("{model}.offset[1]"), (-1.25, -1.25)),
            (format!("{model}.offset[k]"), (-1.25, 2.0)),
            (format!("(n as {NUM})"), (1.0, 3.0)),
            (format!("(k as {NUM} + 0.5)"), (0.5, 2.5)),
            (format!("core::{NUM}::consts::E"), (2.7, 2.8)),
            (format!("std::{NUM}::consts::LN_2"), (0.6, 0.7)),
            (format!("{model}.scale.sin()"), (0.6, 0.7)),
            (format!("{NUM}::max({model}.scale, 0.5)"), (0.75, 0.75)),
        ];
        self.passives.extend(passives);
        let integers = [("n", (1, 3)), ("(k as i32)", (0, 2)), ("(n % 2)", (0, 1))];
        self.integers.extend(integers.map(|(text, range)| (text.to_string(), range)));
        self.integers.push((format!("{model}.order"), (3, 3)));
    }

    fn active_parameters(&mut self, has_wrt: bool, has_lifetime: bool) -> Vec<Parameter> {
        let (mut parameters, mut inputs) = (Vec::new(), 0);
        for index in 0..1 + self.random.below(4) {
            let shape = Shape::parameter(self.random);
            if inputs + shape.count() > MAX_COLUMNS {
                break;
            }
            let is_active = !has_wrt || index == 0 || self.random.percent(60);
            parameters.push(self.active_parameter(index, &shape, inputs, is_active, (has_wrt, has_lifetime)));
            inputs += shape.count();
        }
        parameters
    }

    fn active_parameter(
        &mut self,
        index: usize,
        shape: &Shape,
        first: usize,
        is_active: bool,
        (has_wrt, has_lifetime): (bool, bool),
    ) -> Parameter {
        let is_reference = self.random.percent(40);
        let reference = match (is_reference, has_lifetime) {
            (false, _) => "",
            (true, false) => "&",
            (true, true) => "&'a ",
        };
        let ty = format!("{reference}{}", shape.ty());
        let mark = reference.get(..1).unwrap_or_default();
        let argument = format!("{mark}{}", shape.with(&|at| format!("@{}", first + at), false));
        let inputs = first..first + shape.count();
        if !has_wrt && *shape != Shape::Float && self.random.percent(30) {
            let mut bound = Vec::new();
            let pattern = self.distinct_pattern(index, shape, &mut bound);
            bound.into_iter().for_each(|variable| self.declare(variable));
            return Parameter {
                declaration: format!("{mark}{pattern}: {ty}"),
                name: None,
                argument,
                inputs,
                is_active,
            };
        }
        let name = format!("p{index}");
        let is_mutable = !is_reference && self.random.percent(30);
        let access = if is_reference { format!("(*{name})") } else { name.clone() };
        let prefix = if is_mutable { "mut " } else { "" };
        self.declare(Variable { name: name.clone(), access, shape: shape.clone(), range: INPUTS, is_mutable });
        Parameter { declaration: format!("{prefix}{name}: {ty}"), name: Some(name), argument, inputs, is_active }
    }

    /// A pattern whose names no other parameter has.
    fn distinct_pattern(&mut self, index: usize, shape: &Shape, bound: &mut Vec<Variable>) -> String {
        let names = shape.with(&|at| format!("p{index}_{at}"), false);
        let float = |at| Variable::new(&format!("p{index}_{at}"), Shape::Float, INPUTS, false);
        bound.extend((0..shape.count()).map(float));
        names
    }

    /// A variable that depends on all inputs.
    fn mixture(&mut self) {
        let mut parts: Vec<String> = Vec::new();
        for variable in self.visible() {
            parts_of(&variable.access, &variable.shape, &mut parts);
        }
        self.random.shuffle(&mut parts);
        let mut text = String::new();
        for (index, part) in parts.iter().enumerate() {
            let symbol = *self.random.pick(&[" + ", " - ", " * "].each_ref());
            text += if index == 0 { "" } else { symbol };
            text += part;
        }
        let name = self.fresh("mix");
        let is_mutable = self.random.percent(50);
        self.line(format!("let {}{name} = {text};", if is_mutable { "mut " } else { "" }));
        let bound = 1.5_f64.powi(parts.len() as i32) * parts.len() as f64;
        self.declare(Variable::new(&name, Shape::Float, (-bound, bound), is_mutable));
    }

    /// The lines of the body.
    fn body(&mut self, shape: &Shape) -> String {
        let (result, _) = self.aggregate(shape, 2);
        let result = match self.random.below(10) {
            0 => format!("return {result};"),
            1 => format!("return {result}"),
            2 => {
                let (other, _) = self.aggregate(shape, 1);
                format!("for iteration in 0..4 {{ if iteration * iteration > 3 {{ return {result}; }} }}\n{other}")
            }
            _ => result,
        };
        format!("{}\n{result}", self.leave().join("\n"))
    }
}

impl Parameter {
    fn passive(declaration: &str, argument: &str) -> Self {
        let (declaration, argument) = (declaration.to_string(), argument.to_string());
        Parameter { declaration, name: None, argument, inputs: 0..0, is_active: false }
    }
}

fn items(number: usize, float: &str, strategies: &[&str], signature: &Signature, body: &str) -> String {
    let wrt = signature.wrt.as_ref().map(|names| format!(", wrt({names})")).unwrap_or_default();
    let attribute =
        |(index, strategy): (usize, &&str)| format!("#[jacobian({strategy}, name = \"f{number}_{index}\"{wrt})]\n");
    let way = if number.is_multiple_of(2) { "" } else { "_into" };
    let twice = if is_twice(body) { format!(", hess{way}, hvp{way}") } else { String::new() };
    let forms = format!(
        "#[jacobian({}, forms(jac_only{way}, jac_sparse{way}, normal{way}, lin, jvp{way}, vjp{way}{twice}){wrt})]\n",
        strategy_of_forms(number, strategies)
    );
    let attributes: String = strategies.iter().enumerate().map(attribute).chain([forms]).collect();
    let receiver = signature.is_method.then(|| "&self".to_string());
    let declarations = signature.parameters.iter().map(|parameter| parameter.declaration.clone());
    let parameters = receiver.into_iter().chain(declarations).collect::<Vec<_>>().join(", ");
    let (generics, result) = (signature.generics, signature.result.ty());
    let header = |name: &str| format!("pub fn {name}{generics}({parameters}) -> {result} {{\n{body}\n}}\n");
    let function = text::function(&header(&format!("f{number}")), float);
    let items = format!("{attributes}{function}\n{}", text::twin(&header(&format!("f{number}_dual")), float));
    if signature.is_method { format!("impl Model {{\n{items}}}\n") } else { items }
}

/// The strategy of the forms; not the first, which comes with a form of its own.
fn strategy_of_forms<'s>(number: usize, strategies: &[&'s str]) -> &'s str {
    strategies[1 + number % (strategies.len() - 1)]
}

/// Whether second derivatives of the function are generated: the gamma function and its logarithm have none.
fn is_twice(body: &str) -> bool {
    !body.contains("gamma")
}

/// The Jacobian alone, sparse, as labels, as its products with unit vectors, with others and with itself, and second
/// derivatives, by value or in place. `second` gives those over dual numbers.
fn forms(
    number: usize,
    owner: &str,
    call: &dyn Fn(&str, &str) -> String,
    columns: usize,
    result: &Shape,
    second: Option<&str>,
) -> String {
    let rows = result.count();
    let unit = |place: &str, length: usize| format!("let mut seed = [0.0; {length}];\nseed[{place}] = 1.0;\n");
    let (product, cotangent) = match result {
        Shape::Float => ("0.0".to_string(), "seed[0]"),
        _ => (format!("[0.0; {rows}]"), "&seed"),
    };
    let jacobian = match result {
        Shape::Float => format!("[0.0; {columns}]"),
        _ => format!("[[0.0; {columns}]; {rows}]"),
    };
    // What a form gives for a seed: its parts, as they are spoilt before the call that writes them.
    let given = |form: &str, seed: &str, parts: &[&str]| match number.is_multiple_of(2) {
        true => call(form, seed),
        false => {
            let spoilt =
                |(index, part): (usize, &&str)| format!("let mut part_{index} = {part};\npart_{index}.spoil();\n");
            let declared: String = parts.iter().enumerate().map(spoilt).collect();
            let by = |prefix: &str| {
                let names = (0..parts.len()).map(|index| format!("{prefix}part_{index}"));
                names.collect::<Vec<_>>().join(", ")
            };
            let separator = if seed.is_empty() { "" } else { ", " };
            let arguments = format!("{seed}{separator}{}", by("&mut "));
            format!("{{\n{declared}{};\n({})\n}}", call(&format!("{form}_into"), &arguments), by(""))
        }
    };
    let (gradient, square) = (format!("[0.0; {columns}]"), format!("[[0.0; {columns}]; {columns}]"));
    let pattern = format!("{owner}f{number}_jac_pattern()");
    let sparse = given("jac_sparse", "", &["value_again()", &format!("[0.0; {pattern}.1.len()]")]);
    let normal = given("normal", "", &["value_again()", &gradient, &square]);
    let labels = |form: &str, seed: &str| format!("(flat(value), flat({owner}f{number}_lin_{form}(&labels, {seed})))");
    let (by_labels, across_labels) = (labels("jvp", "&seed"), labels("vjp", cotangent));
    let (only, along, across) = (
        given("jac_only", "", &[&jacobian]),
        given("jvp", "&seed", &["value_again()", &product]),
        given("vjp", cotangent, &["value_again()", &gradient]),
    );
    // A single float has no weight.
    let (weights, separator) = if rows == 1 { ("", "") } else { ("&cotangent", ", ") };
    let both = format!(
        "let (tangent, cotangent): ([{REAL}; {columns}], [{REAL}; {rows}]) = (factors(), factors());\n\
         let along = {{ let seed = tangent; pair({along}).1 }};\n\
         let across = {{ let seed = cotangent; pair({across}).1 }};\n\
         let (v, w) = (flat(tangent), flat(cotangent));\n\
         check.both(&place, &v, &along, &w, &across);\n"
    );
    let twice = second.map(|second| {
        let hessian = given("hess", weights, &["value_again()", &gradient, &square]);
        let product = given("hvp", &format!("{weights}{separator}&tangent"), &["value_again()", &gradient, &gradient]);
        let unweighted = if weights.is_empty() { "let w = [1.0];\n" } else { "" };
        format!("{unweighted}check.second(&place, &w, {second}, triple({hessian}), &v, triple({product}));\n")
    });
    let twice = twice.unwrap_or_default();
    let (by_column, by_row) = (unit("column", columns), unit("row", rows));
    format!(
        "let value_again = || {};\n\
         check.compare(&place, \"the Jacobian alone\", (place.value.clone(), flat({only})));\n\
         check.sparse(&place, {pattern}, pair({sparse}));\n\
         check.normal(&place, triple({normal}));\n\
         let (value, labels) = {};\n\
         let tangents = (0..{columns}).map(|column| {{\n{by_column}{by_labels}\n}}).collect();\n\
         check.products(&place, \"labels along tangents\", tangents, true);\n\
         let cotangents = (0..{rows}).map(|row| {{\n{by_row}{across_labels}\n}}).collect();\n\
         check.products(&place, \"labels along cotangents\", cotangents, false);\n\
         let tangents = (0..{columns}).map(|column| {{\n{by_column}pair({along})\n}}).collect();\n\
         check.products(&place, \"along tangents\", tangents, true);\n\
         let cotangents = (0..{rows}).map(|row| {{\n{by_row}pair({across})\n}}).collect();\n\
         check.products(&place, \"along cotangents\", cotangents, false);\n\
         {both}{twice}",
        call("", ""),
        call("lin", ""),
    )
}

fn check(number: usize, float: &str, strategies: &[&str], signature: &Signature, is_twice: bool) -> String {
    let arguments: Vec<_> = signature.parameters.iter().map(|parameter| parameter.argument.clone()).collect();
    let arguments = arguments.join(", ");
    let by = |function: &str| {
        let digits = |part: &str| part.chars().take_while(char::is_ascii_digit).count();
        let mut parts = arguments.split('@');
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (index, rest) = part.split_at(digits(part));
            text += &format!("{function}({index}){rest}");
        }
        text
    };
    let (floats, duals, turbofish) = (by("z"), by("d"), signature.turbofish);
    let receiver = if signature.is_method { "model." } else { "" };
    let mut columns: Vec<usize> =
        signature.parameters.iter().filter(|p| p.is_active).flat_map(|parameter| parameter.inputs.clone()).collect();
    // `wrt` names the parameters in the order of their inputs, wherever they are in the signature.
    if signature.wrt.is_some() {
        columns.sort_unstable();
    }
    let compare = |(index, strategy): (usize, &&str)| {
        format!("check.compare(&place, {strategy:?}, pair({receiver}f{number}_{index}{turbofish}({floats})));\n")
    };
    let comparisons: String = strategies.iter().enumerate().map(compare).collect();
    let in_place = format!(
        "let mut both = {receiver}f{number}_0{turbofish}({floats});\nboth.spoil();\n\
         {receiver}f{number}_0_into{turbofish}({floats}, &mut both.0, &mut both.1);\n\
         check.compare(&place, \"in place\", pair(both));\n"
    );
    let call = |form: &str, more: &str| {
        let separator = if form.is_empty() { "" } else { "_" };
        let more = if more.is_empty() { String::new() } else { format!(", {more}") };
        format!("{receiver}f{number}{separator}{form}{turbofish}({floats}{more})")
    };
    let second = format!(
        "|row: usize, column: usize| {{
let columns = {columns:?};
let d = |i: usize| seeded(z(i), [row, column].map(|index| f64::from(u8::from(columns[index] == i))));
flat({receiver}f{number}_dual{turbofish}({duals}))
}}"
    );
    let second = is_twice.then_some(&*second);
    let owner = if signature.is_method { "Model::" } else { "" };
    let forms = forms(number, owner, &call, columns.len(), &signature.result, second);
    format!(
        "pub fn check_{number}(check: &mut Check, point: usize) {{
let (values, n, k) = (inputs({number}, point), 1 + point as i32 % 3, point % 3);
let (z, model) = (|i: usize| values[i] as {float}, Model::new());
let value = flat({receiver}f{number}{turbofish}({floats}));
let column = |seed: usize| {{
let d = |i: usize| if i == seed {{ variable(z(i)) }} else {{ c(z(i)) }};
flat({receiver}f{number}_dual{turbofish}({duals}))
}};
let columns = {columns:?}.into_iter().map(column).collect();
let place = Place {{ function: \"f{number}\", point, unit: {float}::EPSILON as f64 / 2.0, value, columns }};
if check.twins(&place) {{
{comparisons}{in_place}{forms}}}
}}\n\n"
    )
    .replace(REAL, float)
}

/// The floats in a value of this shape.
fn parts_of(access: &str, shape: &Shape, floats: &mut Vec<String>) {
    match shape {
        Shape::Float => floats.push(access.to_string()),
        Shape::Array(element, length) => {
            (0..*length).for_each(|index| parts_of(&format!("{access}[{index}]"), element, floats));
        }
        Shape::Tuple(shapes) => {
            let part = |(index, shape): (usize, &Shape)| parts_of(&format!("{access}.{index}"), shape, floats);
            shapes.iter().enumerate().for_each(part);
        }
    }
}
