//! The program that checks functions: each is called, and its Jacobian, at several points.

use quote::ToTokens;
use syn::{Attribute, FnArg, GenericParam, ImplItem, Item, ItemImpl, ReturnType, Signature, Type};

/// The values of arguments that are no active floats, by their types. The points take them in turn.
const VALUES: &[(&str, [&str; 2])] = &[
    ("usize", ["2", "3"]),
    ("i32", ["3", "-2"]),
    ("bool", ["true", "false"]),
    ("[bool ; 3]", ["[true, false, true]", "[true; 3]"]),
    ("f64", ["0.5", "-2.0"]),
    ("Vector3 < f64 >", ["nalgebra::Vector3::new(0.5, -0.25, 2.0)", "nalgebra::Vector3::new(-1.0, 0.75, 0.5)"]),
    ("Matrix2 < f64 >", ["nalgebra::Matrix2::new(2.0, 0.5, 0.25, 1.5)", "nalgebra::Matrix2::identity()"]),
    ("Matrix3 < f64 >", ["nalgebra::Matrix3::identity()", "nalgebra::Matrix3::from_fn(|i, j| (i + 2 * j) as f64)"]),
    (
        "Matrix2x3 < f64 >",
        ["nalgebra::Matrix2x3::new(1.0, 0.5, 0.0, -0.5, 2.0, 0.25)", "nalgebra::Matrix2x3::from_element(0.5)"],
    ),
    (
        "UnitQuaternion < f64 >",
        ["nalgebra::UnitQuaternion::identity()", "nalgebra::UnitQuaternion::from_euler_angles(0.5, -0.25, 1.0)"],
    ),
    ("f32", ["0.5", "-2.0"]),
    ("Option < usize >", ["Some(2)", "None"]),
    ("[f64]", ["vec![0.5, 0.25, 0.75, 2.0]", "vec![1.5, 0.25, 0.75, 1.5]"]),
    ("[(f64 , f64)]", ["vec![(0.5, 0.25), (0.75, 2.0)]", "vec![]"]),
    ("[[f64 ; 2]]", ["vec![[0.5, 0.25], [0.75, 2.0]]", "vec![[1.5, 0.25]]"]),
    ("[Point3 < f64 >]", ["vec![Point3::new(0.5, 0.25, -0.75), Point3::new(2.0, 0.5, 1.0)]", "vec![]"]),
    ("Arm", ["Arm { lengths: [0.5, 0.4, 0.3], offset: 0.1 }"; 2]),
    ("Spring", [SPRING; 2]),
    ("Rig", ["Rig { ends: (0.5, 2.0), center: nalgebra::Vector3::new(0.5, 0.25, 0.75) }"; 2]),
    ("Damper", ["Damper(0.5)"; 2]),
    ("Law", ["Law::Linear", "Law::Power(3)"]),
    ("Coil", ["Coil { k: 2.0, name: String::new() }"; 2]),
    ("Robot", [ROBOT; 2]),
    ("self::robots::Robot", [ROBOT; 2]),
    ("self::filters::Filter::<2>", ["self::filters::Filter { gains: [0.5, 0.25], name: String::new() }"; 2]),
    ("self::instances::State::<2>", ["self::instances::State { x: [0.5, 0.25] }"; 2]),
    ("self::filters::Model", ["self::filters::Model { scale: 0.5, name: String::new() }"; 2]),
];

const ROBOT: &str = "{ let motor = || Motor { ratio: 1.5, label: String::new(), calls: 0 }; \
     let link = |length| Link { length, label: String::new() }; \
     Robot { name: \"left\".into(), links: vec![link(1.0), link(0.5)], motor: motor(), brake: Some(motor()), k: 2.0 } }";

const SPRING: &str =
    "Spring { k: 2.0, gains: [0.5; 3], turns: 3, mount: Mount { rest: 0.25 }, loads: vec![0.5, 0.75] }";

/// What the names of types of floats begin with: of primitive ones, and of nalgebra's.
const FLOATS: [&str; 12] = [
    "f64",
    "f32",
    "Vector",
    "RowVector",
    "Matrix",
    "Point",
    "SVector",
    "SMatrix",
    "UnitQuaternion",
    "UnitComplex",
    "Rotation",
    "Isometry",
];

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
    let (mut functions, mut structs) = (Vec::new(), Vec::new());
    find(&file.items, "self", &mut functions);
    find_structs(&file.items, "self", &mut structs);
    let checks: String = functions.iter().map(|function| check(name, function, &structs)).collect();
    let floats: String = structs.iter().map(Known::floats).collect();
    (format!("mod {name} {{\n{code}\n{floats}\npub fn check() {{\n{checks}}}\n}}\n"), functions.len())
}

/// A struct that consists of floats.
struct Known {
    name: String,
    path: String,
    fields: Vec<String>,
}

impl Known {
    /// Makes it one of what a function may be given and return.
    fn floats(&self) -> String {
        let Known { path, fields, .. } = self;
        let made = fields.iter().map(|field| format!("{field}: crate::harness::Floats::made_of(next), "));
        let own = fields.iter().map(|field| format!("crate::harness::Floats::floats(&self.{field}), "));
        let unit = fields.iter().map(|field| format!("{field}: crate::harness::Floats::unit(self.{field}), "));
        let moved = fields.iter().map(|field| format!("{field}: crate::harness::Floats::moved(&self.{field}, next), "));
        let until =
            fields.iter().map(|field| format!("crate::harness::Floats::until(&self.{field}, &other.{field}), "));
        let (made, own) = (made.collect::<String>(), own.collect::<String>());
        let (unit, moved, until) = (unit.collect::<String>(), moved.collect::<String>(), until.collect::<String>());
        format!(
            "impl crate::harness::Floats for {path} {{\n\
             fn made_of(next: &mut dyn FnMut() -> f64) -> Self {{ {path} {{ {made} }} }}\n\
             fn floats(&self) -> Vec<f64> {{ <[Vec<f64>]>::concat(&[{own}]) }}\n\
             fn unit(self) -> Self {{ {path} {{ {unit} }} }}\n\
             fn moved(&self, next: &mut dyn FnMut() -> f64) -> Self {{ {path} {{ {moved} }} }}\n\
             fn until(&self, other: &Self) -> Vec<f64> {{ <[Vec<f64>]>::concat(&[{until}]) }}\n}}\n"
        )
    }
}

/// The structs of the modules that the attribute is on, if they consist of floats and of structs before them.
fn find_structs(items: &[Item], path: &str, structs: &mut Vec<Known>) {
    for item in items {
        match item {
            Item::Mod(module) if attribute(&module.attrs).is_some() => {
                let (_, items) = module.content.as_ref().expect("the module has a body");
                find_structs(items, &format!("{path}::{}", module.ident), structs);
            }
            Item::Struct(item) if path != "self" => {
                let has_floats = item.fields.iter().all(|field| {
                    let consists = floats(&field.ty, &syn::parse_quote!(fn none()), structs).is_some();
                    consists && matches!(field.vis, syn::Visibility::Public(_))
                });
                let name = |(index, field): (usize, &syn::Field)| {
                    field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string)
                };
                let fields = item.fields.iter().enumerate().map(name).collect();
                if has_floats && item.generics.params.is_empty() {
                    let name = item.ident.to_string();
                    structs.push(Known { path: format!("{path}::{name}"), name, fields });
                }
            }
            _ => {}
        }
    }
}

/// The attribute, if it is among these.
pub fn attribute(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| attribute.path().is_ident("jacobian"))
}

fn find(items: &[Item], path: &str, functions: &mut Vec<Function>) {
    let mut add = |attributes: &[Attribute], signature: &Signature, block: Option<&ItemImpl>| {
        let Some(attribute) = attribute(attributes) else { return };
        let attribute = text(attribute);
        let (signature, ty) = first_instance(signature, block, &attribute);
        let owner = match ty {
            Some(ty) if path == "self" => ty,
            Some(ty) => format!("{path}::{ty}"),
            None => path.to_string(),
        };
        functions.push(Function { owner, signature, attribute });
    };
    for item in items {
        match item {
            Item::Fn(function) => add(&function.attrs, &function.sig, None),
            Item::Impl(block) => {
                for item in &block.items {
                    let ImplItem::Fn(method) = item else { continue };
                    add(&method.attrs, &method.sig, Some(block));
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

/// The signature with a number for the `const` parameter, its own or that of its block: the first of those in the
/// attribute; and the type of the block with that.
fn first_instance(signature: &Signature, block: Option<&ItemImpl>, attribute: &str) -> (Signature, Option<String>) {
    let mut signature = signature.clone();
    let parameters = std::mem::take(&mut signature.generics.params).into_iter();
    let (mut constants, others): (Vec<_>, Vec<_>) = parameters.partition(|it| matches!(it, GenericParam::Const(_)));
    signature.generics.params = others.into_iter().collect();
    let of_block = block.into_iter().flat_map(|block| block.generics.params.clone());
    constants.extend(of_block.filter(|it| matches!(it, GenericParam::Const(_))));
    let mut ty = block.map(|block| text(&block.self_ty));
    if constants.is_empty() {
        return (signature, ty);
    }
    let values = option(attribute, "instances (").unwrap_or_default();
    let first: Vec<_> = values.trim_start_matches(['(', ' ']).split(',').map(str::trim).collect();
    let mut written = text(&signature);
    for (parameter, value) in constants.iter().zip(first) {
        let GenericParam::Const(parameter) = parameter else { continue };
        written = written.replace(&format!("; {}]", parameter.ident), &format!("; {value}]"));
        ty = ty.map(|ty| ty.replace(&format!(" < {} >", parameter.ident), &format!("::<{value}>")));
    }
    (syn::parse_str(&written).expect("it is a signature"), ty)
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
fn check(module: &str, function: &Function, structs: &[Known]) -> String {
    let signature = &function.signature;
    let mut call = Call::default();
    for (index, input) in signature.inputs.iter().enumerate() {
        match input {
            FnArg::Receiver(_) if is_named(function, "self") == Some(true) => {
                call.arguments.push(format!("a{}", call.active.len()));
                call.active.push(function.owner.clone());
            }
            FnArg::Receiver(_) => call.value(index, &format!("& {}", function.owner), &fields(function, "self")),
            FnArg::Typed(parameter) => {
                let name = text(&parameter.pat);
                let is_named = is_named(function, &name).unwrap_or(true);
                match &fields(function, &name)[..] {
                    [] => call.argument(index, &parameter.ty, (signature, structs), is_named),
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
    // Of a matrix, the floats are in the order of the columns.
    let is_matrix = option(&function.attribute, "layout = \"").is_some_and(|layout| layout == "matrix");
    let by_rows = if is_matrix { "let jacobian = jacobian.transpose(); " } else { "" };
    // At the points, the results that may be missing are there.
    let output = text(&signature.output);
    let is_fallible = ["-> Option", "-> Result"].iter().any(|start| output.starts_with(start));
    let given = if is_fallible { ".expect(\"it is there\")" } else { "" };
    // All rotations of such a function are named.
    let check = if function.attribute.contains("retract (") { "check_tangents" } else { "check" };
    format!(
        "crate::harness::{check}(\"{module}: {name}\",\n\
         |{tuple}: &{active}, point: usize| {{ {values}let y = {owner}::{name}({arguments}){given}; (y, {outputs}) }},\n\
         |{tuple}: &{active}, point: usize| {{ {values}let jacobian = {owner}::{generated}({arguments}){given}; \
         let (y, jacobian) = {shown}; {by_rows}((y, {outputs}), jacobian) }});\n"
    )
}

impl Call {
    fn argument(&mut self, index: usize, ty: &Type, (signature, structs): (&Signature, &[Known]), is_named: bool) {
        let (owned, is_output) = match ty {
            Type::Reference(reference) => (&*reference.elem, reference.mutability.is_some()),
            owned => (owned, false),
        };
        match floats(owned, signature, structs) {
            Some(floats) if is_output => {
                self.values +=
                    &format!("let mut v{index} = <{floats} as crate::harness::Floats>::made_of(&mut || 0.0); ");
                self.arguments.push(format!("&mut v{index}"));
                self.outputs.push(format!("v{index}"));
            }
            Some(floats) if is_named => {
                let name = format!("a{}", self.active.len());
                self.arguments.push(if matches!(ty, Type::Reference(_)) { name } else { format!("{name}.clone()") });
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

/// Whether `wrt` names a parameter, if there is one.
fn is_named(function: &Function, parameter: &str) -> Option<bool> {
    option(&function.attribute, "wrt (").map(|names| names.split(" , ").any(|named| named == parameter))
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
fn floats(ty: &Type, signature: &Signature, structs: &[Known]) -> Option<String> {
    match ty {
        Type::Array(array) => Some(format!("[{}; {}]", floats(&array.elem, signature, structs)?, text(&array.len))),
        Type::Path(path) => {
            let name = path.path.segments.last()?.ident.to_string();
            let is_parameter =
                |parameter: &GenericParam| matches!(parameter, GenericParam::Type(ty) if ty.ident == name);
            if signature.generics.params.iter().any(is_parameter) {
                return Some("f64".into());
            }
            if let Some(known) = structs.iter().find(|known| known.name == name) {
                return Some(known.path.clone());
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
