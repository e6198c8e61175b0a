//! The program that checks functions: each is called, and its Jacobian, at several points.

use quote::ToTokens;
use syn::{Attribute, FnArg, GenericParam, ImplItem, Item, ReturnType, Signature, Type};

/// The values of arguments that are no active floats, by their types. The points take them in turn.
const VALUES: &[(&str, [&str; 2])] = &[
    ("usize", ["2", "3"]),
    ("i32", ["3", "-2"]),
    ("bool", ["true", "false"]),
    ("[bool ; 3]", ["[true, false, true]", "[true; 3]"]),
    ("f64", ["0.5", "-2.0"]),
    ("f32", ["0.5", "-2.0"]),
    ("Option < usize >", ["Some(2)", "None"]),
    ("[f64]", ["vec![0.5, 0.25, 0.75, 2.0]", "vec![1.5, 0.25, 0.75, 1.5]"]),
    ("Arm", ["Arm { lengths: [0.5, 0.4, 0.3], offset: 0.1 }"; 2]),
    ("Spring", [SPRING; 2]),
    ("Damper", ["Damper(0.5)"; 2]),
    ("Law", ["Law::Linear", "Law::Power(3)"]),
];

const SPRING: &str =
    "Spring { k: 2.0, gains: [0.5; 3], turns: 3, mount: Mount { rest: 0.25 }, loads: vec![0.5, 0.75] }";

/// What the names of types of floats begin with: of primitive ones, and of nalgebra's.
const FLOATS: [&str; 8] = ["f64", "f32", "Vector", "RowVector", "Matrix", "Point", "SVector", "SMatrix"];

/// A function that the attribute is on.
struct Function {
    /// The path of its module, or the type that it is a method of.
    owner: String,
    signature: Signature,
    /// The text of the attribute.
    attribute: String,
}

/// A module of the program, with a function that checks what is differentiated in this code; and how many functions
/// that is.
pub fn module(name: &str, code: &str) -> (String, usize) {
    let file = syn::parse_file(code).unwrap_or_else(|error| panic!("{name}: {error} in\n{code}"));
    let mut functions = Vec::new();
    find(&file.items, "self", &mut functions);
    let checks: String = functions.iter().map(|function| check(name, function)).collect();
    (format!("mod {name} {{\n{code}\n\npub fn check() {{\n{checks}}}\n}}\n"), functions.len())
}

/// The attribute, if it is among these.
pub fn attribute(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| attribute.path().is_ident("jacobian"))
}

fn find(items: &[Item], path: &str, functions: &mut Vec<Function>) {
    let mut add = |attributes: &[Attribute], signature: &Signature, owner: &str| {
        let Some(attribute) = attribute(attributes) else { return };
        let (owner, attribute) = (owner.to_string(), text(attribute));
        functions.push(Function { owner, signature: signature.clone(), attribute });
    };
    for item in items {
        match item {
            Item::Fn(function) => add(&function.attrs, &function.sig, path),
            Item::Impl(block) => {
                for item in &block.items {
                    let ImplItem::Fn(method) = item else { continue };
                    add(&method.attrs, &method.sig, &text(&block.self_ty));
                }
            }
            _ => {}
        }
    }
    for item in items {
        let Item::Mod(module) = item else { continue };
        let (_, items) = module.content.as_ref().expect("the module has a body");
        find(items, &format!("{path}::{}", module.ident), functions);
    }
}

/// What the call of a function needs.
#[derive(Default)]
struct Call {
    /// The types of the active arguments.
    active: Vec<String>,
    /// Statements before the call: the values of the other arguments.
    values: String,
    /// The arguments as they are written.
    arguments: Vec<String>,
    /// The variables that are outputs.
    outputs: Vec<String>,
}

/// The statement that checks a function.
fn check(module: &str, function: &Function) -> String {
    let signature = &function.signature;
    let mut call = Call::default();
    for (index, input) in signature.inputs.iter().enumerate() {
        match input {
            FnArg::Receiver(_) => call.value(index, &format!("& {}", function.owner), &fields(function, "self")),
            FnArg::Typed(parameter) => {
                let name = text(&parameter.pat);
                let is_named = option(&function.attribute, "wrt (")
                    .is_none_or(|names| names.split(" , ").any(|named| named == name));
                match &fields(function, &name)[..] {
                    [] => call.argument(index, &parameter.ty, signature, is_named),
                    fields => call.value(index, &text(&parameter.ty), fields),
                }
            }
        }
    }
    let name = signature.ident.to_string();
    let generated = option(&function.attribute, "name = \"").unwrap_or(format!("{name}_jac"));
    let Call { active, values, arguments, outputs } = call;
    let (arguments, outputs) =
        (arguments.join(", "), outputs.iter().map(|output| format!("{output}, ")).collect::<String>());
    let (active, tuple) =
        (list(&active), list(&(0..active.len()).map(|index| format!("a{index}")).collect::<Vec<_>>()));
    let shown = match &signature.output {
        ReturnType::Default => "((), jacobian)",
        ReturnType::Type(..) => "jacobian",
    };
    let owner = &function.owner;
    format!(
        "crate::harness::check(\"{module}: {name}\",\n\
         |{tuple}: &{active}, point: usize| {{ {values}let y = {owner}::{name}({arguments}); (y, {outputs}) }},\n\
         |{tuple}: &{active}, point: usize| {{ {values}let jacobian = {owner}::{generated}({arguments}); \
         let (y, jacobian) = {shown}; ((y, {outputs}), jacobian) }});\n"
    )
}

impl Call {
    fn argument(&mut self, index: usize, ty: &Type, signature: &Signature, is_named: bool) {
        let (owned, is_output) = match ty {
            Type::Reference(reference) => (&*reference.elem, reference.mutability.is_some()),
            owned => (owned, false),
        };
        match floats(owned, signature) {
            Some(floats) if is_output => {
                self.values +=
                    &format!("let mut v{index} = <{floats} as crate::harness::Floats>::made_of(&mut || 0.0); ");
                self.arguments.push(format!("&mut v{index}"));
                self.outputs.push(format!("v{index}"));
            }
            Some(floats) if is_named => {
                let name = format!("a{}", self.active.len());
                self.arguments.push(if matches!(ty, Type::Reference(_)) { name } else { format!("*{name}") });
                self.active.push(floats);
            }
            _ => self.value(index, &text(ty), &[]),
        }
    }

    /// An argument whose values are in the table, but for these fields, each with its type.
    fn value(&mut self, index: usize, ty: &str, fields: &[(String, String)]) {
        let (reference, ty) = ty.strip_prefix("& ").map_or(("", ty), |ty| ("&", ty));
        let values = VALUES.iter().find(|(name, _)| *name == ty);
        let (_, [even, odd]) = values.unwrap_or_else(|| panic!("the test knows no values of the type `{ty}`"));
        self.values += &format!("let mut v{index} = if point % 2 == 0 {{ {even} }} else {{ {odd} }}; ");
        for (field, ty) in fields {
            self.values += &format!("v{index}{field} = *a{}; ", self.active.len());
            self.active.push(ty.clone());
        }
        self.arguments.push(format!("{reference}v{index}"));
    }
}

/// The fields of a parameter that `wrt` names, each with its type.
fn fields(function: &Function, parameter: &str) -> Vec<(String, String)> {
    let names = option(&function.attribute, "wrt (").unwrap_or_default();
    let field = |named: &str| {
        let (place, ty) = named.split_once(" : ").unwrap_or((named, "f64"));
        Some((place.strip_prefix(parameter)?.strip_prefix(" .").map(|field| format!(".{field}"))?, ty.to_string()))
    };
    names.split(" , ").filter_map(field).collect()
}

/// This type, if it consists of floats, with f64 for type parameters.
fn floats(ty: &Type, signature: &Signature) -> Option<String> {
    match ty {
        Type::Array(array) => Some(format!("[{}; {}]", floats(&array.elem, signature)?, text(&array.len))),
        Type::Path(path) => {
            let name = path.path.segments.last()?.ident.to_string();
            let is_parameter =
                |parameter: &GenericParam| matches!(parameter, GenericParam::Type(ty) if ty.ident == name);
            if signature.generics.params.iter().any(is_parameter) {
                return Some("f64".into());
            }
            FLOATS.iter().any(|start| name.starts_with(start)).then(|| text(ty))
        }
        _ => None,
    }
}

/// What an option is given in the text of the attribute.
fn option(attribute: &str, start: &str) -> Option<String> {
    let (_, rest) = attribute.split_once(start)?;
    rest.split([')', '"']).next().map(|value| value.trim().to_string())
}

/// A tuple of these.
fn list(parts: &[String]) -> String {
    format!("({})", parts.iter().map(|part| format!("{part}, ")).collect::<String>())
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
