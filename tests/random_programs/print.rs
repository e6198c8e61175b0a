//! Programs as Rust source.

use super::tree::*;

/// How closely an expression binds.
#[derive(Copy, Clone, PartialEq, PartialOrd)]
enum Level {
    /// Anything.
    Whole,
    Or,
    And,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Prefix,
    Postfix,
}

/// Writes programs over one type of floats.
struct Printer {
    float: &'static str,
}

/// The source of a program: its functions, in a module if it has one, without what is around them.
pub fn program(program: &Program) -> String {
    let printer = Printer { float: program.float };
    let mut text = printer.items(&program.items);
    program.functions.iter().for_each(|function| text += &printer.function(function));
    match &program.module {
        Some(options) => format!("{}pub mod module {{\n{IMPORTS}{text}}}\n", attribute(options)),
        None => text,
    }
}

/// The source of a program without the attributes of the macro: what it is by itself.
pub fn without_attributes(program: &Program) -> String {
    let text = self::program(program);
    text.lines().filter(|line| !line.starts_with(ATTRIBUTE)).map(|line| format!("{line}\n")).collect()
}

/// How the attribute begins.
const ATTRIBUTE: &str = "#[jacobian::jacobian";

/// What modules take from outside, of what precedes all programs.
pub const IMPORTS: &str = "use super::{Law, note};\n";

/// The attribute, as it comes before an item.
fn attribute(options: &str) -> String {
    if options.is_empty() { format!("{ATTRIBUTE}]\n") } else { format!("{ATTRIBUTE}({options})]\n") }
}

/// The enum that programs match on.
pub const LAW: &str =
    "#[derive(Clone, Copy)]\npub enum Law {\nLinear,\nPower { exponent: i32 },\nScaled(usize, bool),\n}\n";

/// A function that notes that it has been called, and with which number: the effect of programs.
pub const NOTE: &str = "thread_local! {
static NOTED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

pub fn note(number: usize) -> usize {
    NOTED.with(|noted| noted.set(noted.get().wrapping_mul(31).wrapping_add(number as u64 + 1)));
    number
}

";

/// A type of a program over `float`.
pub fn ty(ty: &Type, float: &'static str) -> String {
    Printer { float }.ty(ty)
}

impl Printer {
    fn items(&self, items: &[Item]) -> String {
        items.iter().map(|item| self.item(item) + "\n").collect()
    }

    fn item(&self, item: &Item) -> String {
        let text = match &item.kind {
            ItemKind::Const(name, ty, value) => {
                format!("pub const {name}: {} = {};", self.ty(ty), self.expression(value, false))
            }
            ItemKind::Use(path, name) if path.rsplit("::").next() == Some(&**name) => format!("use {path};"),
            ItemKind::Use(path, name) => format!("use {path} as {name};"),
            ItemKind::Glob(path) => format!("use {path}::*;"),
            ItemKind::Function(function) => self.function(function),
            ItemKind::Module(name, items) => format!("pub mod {name} {{\n{}}}", self.items(items)),
            ItemKind::Struct(own) => self.definition(own),
            ItemKind::Impl(own) => self.implementation(own),
        };
        configured(item.cfg) + &text
    }

    fn definition(&self, Struct { name, fields, is_tuple }: &Struct) -> String {
        let text = fields.iter().map(|(field, ty)| match is_tuple {
            true => format!("pub {}, ", self.ty(ty)),
            false => format!("pub {field}: {}, ", self.ty(ty)),
        });
        let text: String = text.collect();
        let text = if *is_tuple { format!("({text});") } else { format!(" {{ {text}}}") };
        format!("#[derive(Clone, Copy, Default)]\npub struct {name}{text}")
    }

    fn implementation(&self, own: &Impl) -> String {
        let ty = self.ty(&own.ty);
        let mut text = match &own.of {
            None => format!("impl {ty} {{\n"),
            Some(Implemented { path, argument, .. }) => {
                let declared = if path.contains("::") { String::new() } else { self.declared(path, own) };
                let argument = argument.as_ref().map(|ty| format!("<{}>", self.ty(ty))).unwrap_or_default();
                format!("{declared}impl {path}{argument} for {ty} {{\n")
            }
        };
        if let Some(output) = own.of.as_ref().and_then(|of| of.output.as_ref()) {
            text += &format!("type Output = {};\n", self.ty(output));
        }
        for (name, value) in &own.constants {
            text += &format!("const {name}: {} = {};\n", self.float, self.float(*value, false).0);
        }
        for function in &own.functions {
            let mut function = function.clone();
            // In a block for references, `self` is one.
            if let (Type::Reference(_), Some(first)) = (&own.ty, function.parameters.first_mut()) {
                first.ty = Type::Inferred;
            }
            let function = self.function(&function);
            text += if own.of.is_some() { function.trim_start_matches("pub ") } else { &function };
        }
        text + "}"
    }

    /// The program's own trait, which is implemented once.
    fn declared(&self, name: &str, own: &Impl) -> String {
        let functions = own.functions.iter().map(|function| {
            let mut head = Function { body: Block { statements: Vec::new(), value: None }, ..function.clone() };
            head.parameters.iter_mut().for_each(|parameter| parameter.is_mutable = false);
            let text = self.function(&head);
            let (head, _) = text.trim_start_matches("pub ").rsplit_once('{').expect("a function has a body");
            format!("{};\n", head.trim_end())
        });
        format!("pub trait {name} {{\n{}}}\n", functions.collect::<String>())
    }

    fn function(&self, function: &Function) -> String {
        let attribute = match &function.derivative {
            Derivative::Attribute(options) => attribute(options),
            _ => String::new(),
        };
        let mut generics: Vec<_> = function.generics.iter().map(|(name, _)| format!("const {name}: usize")).collect();
        let parameters = function.parameters.iter().map(|parameter| &parameter.ty);
        let of_type =
            parameters.filter_map(|ty| if let Type::Parameter(own) = ty { Some(self.bounded(own)) } else { None });
        generics.extend(of_type.take(1));
        let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
        let attribute = configured(function.cfg) + &attribute;
        let parameters: Vec<_> = function.parameters.iter().map(|parameter| self.parameter(parameter)).collect();
        let result = if function.result == Type::Tuple(Vec::new()) { "()".into() } else { self.ty(&function.result) };
        let body = self.block(&function.body, false);
        format!("{attribute}pub fn {}{generics}({}) -> {result} {body}\n", function.name, parameters.join(", "))
    }

    /// A type parameter with its bounds.
    fn bounded(&self, TypeParameter { name, bounds }: &TypeParameter) -> String {
        let bounds = bounds.iter().map(|bound| match bound {
            Operation::Add => format!(" + core::ops::Add<Output = {name}>"),
            Operation::Sub => format!(" + core::ops::Sub<Output = {name}>"),
            Operation::Scale => format!(" + core::ops::Mul<{}, Output = {name}>", self.float),
            Operation::Neg => format!(" + core::ops::Neg<Output = {name}>"),
        });
        format!("{name}: Copy{}", bounds.collect::<String>())
    }

    fn parameter(&self, parameter: &Parameter) -> String {
        let prefix = if parameter.is_mutable { "mut " } else { "" };
        match &parameter.ty {
            Type::Reference(_) if &*parameter.name == "self" => return "&self".into(),
            Type::Exclusive(_) if &*parameter.name == "self" => return "&mut self".into(),
            _ if &*parameter.name == "self" => return format!("{prefix}self"),
            _ => {}
        }
        format!("{prefix}{}: {}", parameter.name, self.ty(&parameter.ty))
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Float => self.float.into(),
            Type::Usize => "usize".into(),
            Type::Int => "i32".into(),
            Type::U8 => "u8".into(),
            Type::I8 => "i8".into(),
            Type::U64 => "u64".into(),
            Type::I64 => "i64".into(),
            Type::Cell => "core::cell::Cell<u64>".into(),
            Type::Sized(element, length) => format!("[{}; {length}]", self.ty(element)),
            Type::Bool => "bool".into(),
            Type::Law => "Law".into(),
            Type::Array(element, length) => format!("[{}; {length}]", self.ty(element)),
            Type::Tuple(elements) => {
                format!("({})", elements.iter().map(|element| self.ty(element) + ",").collect::<String>())
            }
            Type::Data(element) => format!("[{}]", self.ty(element)),
            Type::Reference(target) => format!("&{}", self.ty(target)),
            Type::Inferred => "_".into(),
            Type::Rows(element) => format!("[{}; _]", self.ty(element)),
            Type::Exclusive(target) => format!("&mut {}", self.ty(target)),
            Type::Option(inner) => format!("Option<{}>", self.ty(inner)),
            Type::Struct(own) => own.name.to_string(),
            Type::Named(name) => name.to_string(),
            Type::Parameter(own) => own.name.to_string(),
            Type::Closure(count) => format!("impl Fn({}) -> {}", vec![self.float; *count].join(", "), self.float),
            Type::Slice(..) | Type::Open(_) => panic!("this type is not written"),
        }
    }

    /// A block. Its value is typed from itself if `typed`.
    fn block(&self, block: &Block, typed: bool) -> String {
        let mut text = String::from("{\n");
        for statement in &block.statements {
            text += &self.statement(statement);
            text += "\n";
        }
        if let Some(value) = &block.value {
            text += &self.expression(value, typed);
            text += "\n";
        }
        text + "}"
    }

    fn statement(&self, statement: &Statement) -> String {
        let labelled = |label: &Option<Name>| label.as_ref().map(|name| format!(" '{name}")).unwrap_or_default();
        match statement {
            Statement::Let(pattern, ty, value) => {
                let annotation = ty.as_ref().map(|ty| format!(": {}", self.ty(ty))).unwrap_or_default();
                let value = value.as_ref().map(|value| format!(" = {}", self.expression(value, ty.is_none())));
                format!("let {}{annotation}{};", self.pattern(pattern), value.unwrap_or_default())
            }
            Statement::LetElse(own) => {
                // What ends with a brace is in parentheses before `else`.
                let (pattern, value) = (self.pattern(&own.pattern), self.at(&own.value, Level::Or, true));
                format!("let {pattern} = {value} else {};", self.block(&own.otherwise, false))
            }
            Statement::Assign(place, None, value) => {
                format!("{} = {};", self.expression(place, false), self.expression(value, true))
            }
            Statement::Assign(place, Some(operator), value) => {
                let place = self.expression(place, false);
                format!("{place} {}= {};", operator.symbol(), self.expression(value, false))
            }
            Statement::Run(
                branch @ (Expression::If(_) | Expression::Match(_) | Expression::Block(_) | Expression::Labelled(..)),
            ) => self.expression(branch, false),
            Statement::Run(expression) => format!("{};", self.expression(expression, true)),
            Statement::For(repeated) => self.repeated(repeated),
            Statement::While(repeated) => self.repeated_while(repeated),
            Statement::Item(item) => self.item(item).replace("pub const", "const").replace("pub fn", "fn"),
            Statement::BreakWith(label, value) => format!("break '{label} {};", self.expression(value, false)),
            Statement::Break(label) => format!("break{};", labelled(label)),
            Statement::Continue(label) => format!("continue{};", labelled(label)),
            Statement::Return(value) => format!("return {};", self.expression(value, false)),
            Statement::Assert(condition) => format!("assert!({});", self.expression(condition, false)),
        }
    }

    fn repeated(&self, repeated: &For) -> String {
        let label = repeated.label.as_ref().map(|name| format!("'{name}: ")).unwrap_or_default();
        let (pattern, body) = (self.pattern(&repeated.pattern), self.block(&repeated.body, false));
        format!("{label}for {pattern} in {} {body}", self.items_of(&repeated.items, false))
    }

    fn repeated_while(&self, repeated: &While) -> String {
        let label = repeated.label.as_ref().map(|name| format!("'{name}: ")).unwrap_or_default();
        let body = self.block(&repeated.body, false);
        match &repeated.condition {
            Some(condition) => format!("{label}while {} {body}", self.expression(condition, false)),
            None => format!("{label}loop {body}"),
        }
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        let list = |patterns: &[Pattern], separator: &str| {
            patterns.iter().map(|pattern| self.pattern(pattern)).collect::<Vec<_>>().join(separator)
        };
        match pattern {
            Pattern::Any => "_".into(),
            Pattern::Name(name, is_mutable) => format!("{}{name}", if *is_mutable { "mut " } else { "" }),
            Pattern::Integer(value) => value.to_string(),
            Pattern::Bool(value) => value.to_string(),
            Pattern::Range(low, high) => format!("{low}..={high}"),
            Pattern::Or(patterns) => list(patterns, " | "),
            Pattern::Tuple(patterns) => format!("({},)", list(patterns, ", ")),
            Pattern::Array(patterns) => format!("[{}]", list(patterns, ", ")),
            Pattern::TupleStruct(name, patterns) => format!("{name}({})", list(patterns, ", ")),
            Pattern::Struct(name, fields, has_rest) => {
                let fields = fields.iter().map(|(field, pattern)| format!("{field}: {}, ", self.pattern(pattern)));
                format!("{name} {{ {}{} }}", fields.collect::<String>(), if *has_rest { ".." } else { "" })
            }
            Pattern::Reference(pattern) => format!("&{}", self.pattern(pattern)),
            Pattern::Some(inner) => format!("Some({})", self.pattern(inner)),
            Pattern::None => "None".into(),
            Pattern::Linear => "Law::Linear".into(),
            Pattern::Power(exponent) => match &**exponent {
                Pattern::Name(name, false) if &**name == "exponent" => "Law::Power { exponent }".into(),
                Pattern::Any => "Law::Power { .. }".into(),
                other => format!("Law::Power {{ exponent: {} }}", self.pattern(other)),
            },
            Pattern::Scaled(fields) => format!("Law::Scaled({})", list(&**fields, ", ")),
        }
    }

    /// An expression by itself. It is typed from itself if `typed`: a float in it bears its type where nothing else
    /// does.
    fn expression(&self, expression: &Expression, typed: bool) -> String {
        self.at(expression, Level::Whole, typed)
    }

    /// An expression as an operand that must bind as closely as `level`.
    fn at(&self, expression: &Expression, level: Level, typed: bool) -> String {
        let (text, own) = self.leveled(expression, typed);
        if own < level { format!("({text})") } else { text }
    }

    fn leveled(&self, expression: &Expression, typed: bool) -> (String, Level) {
        let atom = |text: String| (text, Level::Postfix);
        match expression {
            Expression::Float(value) => self.float(*value, typed),
            Expression::Integer(value, ty, is_suffixed) => {
                let suffix = if *is_suffixed { self.ty(ty) } else { String::new() };
                (format!("{value}{suffix}"), if *value < 0 { Level::Prefix } else { Level::Postfix })
            }
            Expression::Bool(value) => atom(value.to_string()),
            Expression::Variable(name) => atom(name.to_string()),
            Expression::Index(base, index) => {
                atom(format!("{}[{}]", self.at(base, Level::Postfix, typed), self.expression(index, false)))
            }
            Expression::Slice(base, start, end) => {
                atom(format!("{}[{start}..{end}]", self.at(base, Level::Postfix, typed)))
            }
            Expression::Field(base, field) => atom(format!("{}.{field}", self.at(base, Level::Postfix, typed))),
            Expression::Member(base, field) => atom(format!("{}.{field}", self.at(base, Level::Postfix, typed))),
            // In parentheses, as a brace may begin a block.
            Expression::Struct(name, fields, rest) => {
                let fields =
                    fields.iter().map(|(field, value)| format!("{field}: {}, ", self.expression(value, false)));
                let rest = rest.as_ref().map(|rest| format!("..{}", self.expression(rest, false)));
                atom(format!("({name} {{ {}{} }})", fields.collect::<String>(), rest.unwrap_or_default()))
            }
            Expression::Prefix(prefix, operand) => {
                let symbol = match prefix {
                    Prefix::Negative => "-",
                    Prefix::Not => "!",
                    Prefix::Reference => "&",
                    Prefix::Exclusive => "&mut ",
                    Prefix::Dereference => "*",
                };
                (format!("{symbol}{}", self.at(operand, Level::Prefix, typed)), Level::Prefix)
            }
            Expression::Binary(operator, operands, _) => self.binary(*operator, operands, typed),
            Expression::Method(name, operands, form) => atom(self.method(name, operands, *form)),
            // A `<` after a type would begin its arguments: conversions are always in parentheses.
            Expression::Cast(operand, ty) => {
                (format!("{} as {}", self.at(operand, Level::Postfix, true), self.ty(ty)), Level::Whole)
            }
            Expression::Array(elements) => atom(format!("[{}]", self.list(elements, typed))),
            Expression::Repeat(parts) => {
                let [element, length] = &**parts;
                atom(format!("[{}; {}]", self.expression(element, typed), self.expression(length, false)))
            }
            Expression::Labelled(label, block) => (format!("'{label}: {}", self.block(block, typed)), Level::Whole),
            Expression::Items(items) => (self.items_of(items, false), Level::Whole),
            Expression::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.expression(element, typed) + ",");
                atom(format!("({})", elements.collect::<String>()))
            }
            Expression::Option(Some(value)) => atom(format!("Some({})", self.expression(value, typed))),
            Expression::Option(None) => atom("None".into()),
            Expression::Try(value) => atom(format!("{}?", self.at(value, Level::Postfix, true))),
            Expression::Block(block) => (self.block(block, typed), Level::Whole),
            Expression::If(branch) => (self.branch(branch, typed), Level::Whole),
            Expression::Match(branch) => (self.matching(branch, typed), Level::Whole),
            Expression::Let(pattern, value) => {
                (format!("let {} = {}", self.pattern(pattern), self.expression(value, true)), Level::Comparison)
            }
            Expression::Call(name, arguments) => atom(format!("{name}({})", self.list(arguments, false))),
            Expression::Closure(closure) => (self.closure(closure), Level::Whole),
            Expression::Consume(items, consumer) => atom(self.consumer(items, consumer)),
            Expression::FromFn(_, closure) => atom(format!("core::array::from_fn({})", self.closure(closure))),
            Expression::MapArray(array, closure) => {
                atom(format!("{}.map({})", self.at(array, Level::Postfix, true), self.closure(closure)))
            }
        }
    }

    fn list(&self, expressions: &[Expression], typed: bool) -> String {
        expressions.iter().map(|expression| self.expression(expression, typed)).collect::<Vec<_>>().join(", ")
    }

    fn float(&self, value: f64, typed: bool) -> (String, Level) {
        let digits = if self.float == "f32" { format!("{:?}", value as f32) } else { format!("{value:?}") };
        let suffix = if typed { format!("_{}", self.float) } else { String::new() };
        (digits + &suffix, if value.is_sign_negative() { Level::Prefix } else { Level::Postfix })
    }

    fn binary(&self, operator: Operator, [left, right]: &[Expression; 2], typed: bool) -> (String, Level) {
        let (level, is_number) = match operator {
            Operator::Or => (Level::Or, false),
            Operator::And => (Level::And, false),
            Operator::BitOr => (Level::BitOr, true),
            Operator::BitXor => (Level::BitXor, true),
            Operator::BitAnd => (Level::BitAnd, true),
            Operator::ShiftLeft | Operator::ShiftRight => (Level::Shift, true),
            Operator::Add | Operator::Sub => (Level::Sum, true),
            Operator::Mul | Operator::Div | Operator::Rem => (Level::Product, true),
            _ => (Level::Comparison, false),
        };
        let typed = (typed || !is_number) && !is_typed(left) && !is_typed(right);
        // Operators of one level associate to the left, comparisons not at all.
        let (at_left, above) = match level {
            Level::Or => (Level::Or, Level::And),
            Level::And => (Level::And, Level::Comparison),
            Level::Comparison => (Level::BitOr, Level::BitOr),
            Level::BitOr => (Level::BitOr, Level::BitXor),
            Level::BitXor => (Level::BitXor, Level::BitAnd),
            Level::BitAnd => (Level::BitAnd, Level::Shift),
            Level::Shift => (Level::Shift, Level::Sum),
            Level::Sum => (Level::Sum, Level::Product),
            _ => (Level::Product, Level::Prefix),
        };
        let (left, right) = (self.at(left, at_left, typed), self.at(right, above, false));
        (format!("{left} {} {right}", operator.symbol()), level)
    }

    fn method(&self, name: &str, operands: &[Expression], form: Form) -> String {
        match form {
            Form::Method => {
                let receiver = self.at(&operands[0], Level::Postfix, true);
                format!("{receiver}.{name}({})", self.list(&operands[1..], false))
            }
            Form::Path => format!("{}::{name}({})", self.float, self.list(operands, false)),
        }
    }

    fn branch(&self, branch: &If, typed: bool) -> String {
        let mut text = format!("if {} {}", self.expression(&branch.condition, false), self.block(&branch.then, typed));
        if let Some(otherwise) = &branch.otherwise {
            text += &format!(" else {}", self.expression(otherwise, typed));
        }
        text
    }

    fn matching(&self, branch: &Match, typed: bool) -> String {
        let arm = |arm: &Arm| {
            let guard = arm.guard.as_ref().map(|guard| format!(" if {}", self.expression(guard, false)));
            let (pattern, body) = (self.pattern(&arm.pattern), self.expression(&arm.body, typed));
            format!("{pattern}{} => {body},\n", guard.unwrap_or_default())
        };
        let arms: String = branch.arms.iter().map(arm).collect();
        format!("match {} {{\n{arms}}}", self.expression(&branch.scrutinee, false))
    }

    fn closure(&self, closure: &Closure) -> String {
        let parameter = |(pattern, ty): &(Pattern, Option<Type>)| {
            let annotation = ty.as_ref().map(|ty| format!(": {}", self.ty(ty))).unwrap_or_default();
            self.pattern(pattern) + &annotation
        };
        let parameters: Vec<_> = closure.parameters.iter().map(parameter).collect();
        let prefix = if closure.is_move { "move " } else { "" };
        format!("{prefix}|{}| {}", parameters.join(", "), self.expression(&closure.body, true))
    }

    /// An iterator: one on which methods can be called, if `as_receiver`.
    fn items_of(&self, items: &Items, as_receiver: bool) -> String {
        let inner = |items: &Items| self.items_of(items, true);
        match items {
            Items::Range(start, end, is_inclusive) => {
                let (start, end) = (self.at(start, Level::Sum, false), self.at(end, Level::Sum, false));
                let range = format!("{start}{}{end}", if *is_inclusive { "..=" } else { ".." });
                if as_receiver { format!("({range})") } else { range }
            }
            Items::Elements(array, access) => {
                let array = self.at(array, Level::Postfix, true);
                match access {
                    Access::Bare => array,
                    Access::Borrowed => format!("&{array}"),
                    Access::Shared => format!("{array}.iter()"),
                    Access::Mutable => format!("{array}.iter_mut()"),
                    Access::MutablyBorrowed => format!("&mut {array}"),
                    Access::Owned => format!("{array}.into_iter()"),
                }
            }
            Items::Windows(array, length) => {
                format!("{}.windows({})", self.at(array, Level::Postfix, true), self.expression(length, true))
            }
            Items::Chunks(array, length) => {
                format!("{}.chunks_exact({})", self.at(array, Level::Postfix, true), self.expression(length, true))
            }
            Items::Reversed(items) => format!("{}.rev()", inner(items)),
            Items::StepBy(items, step) => format!("{}.step_by({})", inner(items), self.expression(step, true)),
            Items::Skip(items, count) => format!("{}.skip({})", inner(items), self.expression(count, true)),
            Items::Take(items, count) => format!("{}.take({})", inner(items), self.expression(count, true)),
            Items::Enumerate(items) => format!("{}.enumerate()", inner(items)),
            Items::Zip(items, others) => format!("{}.zip({})", inner(items), self.items_of(others, false)),
            Items::Copied(items) => format!("{}.copied()", inner(items)),
            Items::Map(items, closure) => format!("{}.map({})", inner(items), self.closure(closure)),
            Items::FilterMap(items, closure) => format!("{}.filter_map({})", inner(items), self.closure(closure)),
        }
    }

    fn consumer(&self, items: &Items, consumer: &Consumer) -> String {
        let items = self.items_of(items, true);
        match consumer {
            Consumer::Sum => format!("{items}.sum::<{}>()", self.float),
            Consumer::Product => format!("{items}.product::<{}>()", self.float),
            Consumer::Fold(start, closure) => {
                format!("{items}.fold({}, {})", self.expression(start, true), self.closure(closure))
            }
            Consumer::Reduce(closure) => format!("{items}.reduce({})", self.closure(closure)),
        }
    }
}

/// The attribute that configures an item, if there is one.
fn configured(cfg: Option<Cfg>) -> String {
    cfg.map(|cfg| format!("{}\n", cfg.text())).unwrap_or_default()
}

/// Whether the type of a number is plain from the expression itself.
fn is_typed(expression: &Expression) -> bool {
    match expression {
        Expression::Float(_) => false,
        Expression::Integer(_, _, is_suffixed) => *is_suffixed,
        Expression::Prefix(_, operand) => is_typed(operand),
        Expression::Binary(_, operands, _) => operands.iter().any(is_typed),
        Expression::Index(base, _) | Expression::Field(base, _) => is_typed(base),
        Expression::Array(elements) | Expression::Tuple(elements) => elements.iter().all(is_typed),
        Expression::Repeat(parts) => is_typed(&parts[0]),
        Expression::Option(value) => value.as_deref().is_some_and(is_typed),
        Expression::Block(block) | Expression::Labelled(_, block) => block.value.as_deref().is_some_and(is_typed),
        Expression::If(branch) => {
            branch.then.value.as_deref().is_some_and(is_typed) && branch.otherwise.as_ref().is_none_or(is_typed)
        }
        Expression::Match(branch) => branch.arms.iter().all(|arm| is_typed(&arm.body)),
        _ => true,
    }
}
