//! What is declared in the module around a function: its functions, constants, structs and methods, as far as a macro on
//! the module sees them.

pub mod aliases;
mod arguments;
mod block;
mod constants;
mod conversions;
mod instances;
mod methods;
mod operators;
mod owner;
mod parts;
mod plain;
mod traits;

use std::collections::HashMap;
use std::rc::Rc;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, Ident, ImplItemFn, Item, ItemConst, ItemFn, ItemImpl, Path, ReturnType, Type};

pub use self::arguments::{Argument, name_of, substituted};
pub use self::block::Method;
use self::constants::Constants;
use self::conversions::Conversions;
pub use self::instances::Instances;
pub use self::methods::Methods;
pub use self::owner::{Owner, OwnerType, Passing, text_of_type};
pub use self::plain::is_of_plain_trait;
use self::traits::Traits;
use super::attributes::{self, Mark};
use super::read::layout::Layout;
use super::read::shape::{Shape, Struct, Structs};
use super::read::structs;
use super::read::with::With;
use super::syntax::{self, Items};

/// The module around a function that is lowered, and what becomes of calls of its functions. Whether one is inlined is
/// found out by lowering it: that is known elsewhere.
pub trait Surroundings {
    /// What is declared in it.
    fn declared(&self) -> &Declarations;

    /// How the function with this name is differentiated where it is called, if it is one of the module.
    fn call(&self, name: &str, caller: Caller) -> Option<Call<'_>>;

    /// Whether a function of this name is generated.
    fn generates(&self, name: &str) -> bool;

    /// Notes that `jacobian` is called: it is generated if it is that of the function with this name in the module.
    fn need_jacobian(&self, name: &str, jacobian: &Path);

    /// Why `jacobian`, if it is that of the function with this name in the module, is not what a call of it reads in this
    /// layout: its columns are in another order than the parameters, as its `wrt` says, or it is stored otherwise.
    fn why_misread(&self, name: &str, jacobian: &Path, layout: Layout) -> Option<String>;
}

/// Where a function of the module is called.
#[derive(Copy, Clone)]
pub struct Caller {
    /// Whether the caller has second derivatives: then it needs those of a function that is not inlined.
    pub is_second_order: bool,
    /// Whether the call is in a run-time loop.
    pub is_in_loop: bool,
}

/// How a function of the module is differentiated where it is called.
pub enum Call<'m> {
    /// Its body replaces the call.
    Inlined(&'m ItemFn),
    /// Its Jacobian is called.
    Called(&'m With),
    /// It is not, for this reason.
    Refused(String),
}

/// A function of a module.
pub struct Function {
    /// It without its mark, with numbers for the constants in the types of its signature.
    pub item: ItemFn,
    /// The conditions under which it is there: what is generated for it is there under the same.
    pub conditions: Vec<Attribute>,
    /// Whether its mark is there or not by the configuration.
    pub may_be_unmarked: bool,
}

/// What is declared in a module.
#[derive(Default)]
pub struct Declarations {
    functions: Vec<Rc<Function>>,
    /// The numbers of the functions with each name: it is asked for every name in every function.
    numbers: HashMap<String, Vec<usize>>,
    constants: Constants,
    items: Items,
    structs: Rc<Structs>,
    traits: Rc<Traits>,
    methods: Methods,
    instances: Instances,
    conversions: Conversions,
}

impl Declarations {
    /// Those among `items`.
    pub fn read(items: &[Item]) -> Self {
        let all = items;
        let (instances, items) = Instances::read(items);
        let items = &items[..];
        let constants = Constants::read(items);
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(Rc::new(Function::read(function, &constants))),
            _ => None,
        });
        let functions: Vec<_> = functions.collect();
        let mut numbers: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, function) in functions.iter().enumerate() {
            numbers.entry(function.item.sig.ident.unraw().to_string()).or_default().push(number);
        }
        let structs = Rc::new(structs::read(items, &|ty| constants.in_type(ty)));
        let traits = Rc::new(Traits::read(items));
        let methods = Methods::read(items, &structs, &traits, &constants);
        let items = Items { structs: structs.known().cloned().collect(), ..Items::of(items) };
        let conversions = Conversions::read(all);
        Declarations { functions, numbers, constants, items, structs, traits, methods, instances, conversions }
    }

    /// The functions, in the order of the source.
    pub fn functions(&self) -> &[Rc<Function>] {
        &self.functions
    }

    /// The structs, as far as they are known.
    pub fn structs(&self) -> &Rc<Structs> {
        &self.structs
    }

    /// The items, as far as they are seen here.
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// The constant with this name.
    pub fn constant(&self, name: &Ident) -> Option<&ItemConst> {
        self.constants.get(name)
    }

    /// The type of the static with this name, if it does not change.
    pub fn type_of_static(&self, name: &Ident) -> Option<&Type> {
        self.constants.type_of_static(name)
    }

    /// A type in the body of a function with numbers for the constants of the module in it, if there are any.
    pub fn with_numbers(&self, ty: &syntax::Type) -> Option<syntax::Type> {
        (!self.constants.is_empty()).then(|| self.constants.in_type_of_body(ty))
    }

    /// The implementations of `From`.
    pub fn conversions(&self) -> &Conversions {
        &self.conversions
    }

    /// The instances of generic structs.
    pub fn instances(&self) -> &Instances {
        &self.instances
    }

    /// The traits.
    pub fn traits(&self) -> &Traits {
        &self.traits
    }

    /// What is in the `impl` blocks.
    pub fn methods(&self) -> &Methods {
        &self.methods
    }

    /// The struct that a path in a function means, or why it is not known; none if it means no struct of the module.
    pub fn struct_named(&self, path: &syntax::Path) -> Option<&Result<Rc<Struct>, String>> {
        let first = path.path.path.segments.first()?;
        let may_be = path.path.qself.is_none() && (path.binding == syntax::Binding::Item || first.ident == "self");
        if may_be { self.structs.find(&path.path.path, &[]) } else { None }
    }

    /// The function with this name, if it is one of the module and surely there.
    pub fn function(&self, name: &str) -> Option<&ItemFn> {
        let mut found = self.named(name);
        let (Some(function), None) = (found.next(), found.next()) else { return None };
        Some(&function.item).filter(|_| !function.is_conditional())
    }

    /// Whether there is a function with this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// What the functions with this name return, of which the configuration may say which one is there, if any.
    pub fn returned(&self, name: &str) -> Option<&ReturnType> {
        let mut all = self.named(name).map(|function| &function.item.sig);
        let first = all.next().filter(|first| first.generics.params.is_empty())?;
        let may_be_another = self.items.has_glob && self.function(name).is_none();
        let text = |output: &ReturnType| output.to_token_stream().to_string();
        let are_same = all.all(|other| text(&other.output) == text(&first.output));
        (are_same && !may_be_another).then_some(&first.output)
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Function> {
        self.numbers.get(name).into_iter().flatten().map(|number| &*self.functions[*number])
    }

    /// A marked method, and what it is a method of, if that is known.
    pub fn marked(&self, item: &ItemImpl, method: &ImplItemFn) -> (ItemFn, Option<Shape>) {
        match block::marked(item, method, &self.structs, &self.constants) {
            Some((function, shape)) => (function, Some(shape)),
            None => {
                let function = without_marks(&block::as_item(method));
                (self.constants.in_signature_of(function, &item.generics), None)
            }
        }
    }
}

impl Function {
    fn read(function: &ItemFn, constants: &Constants) -> Self {
        let condition = Mark::find(&function.attrs).and_then(|mark| mark.condition);
        let may_be_unmarked = condition.is_some();
        let mut item = without_marks(function);
        item.attrs.extend(condition);
        Function {
            conditions: attributes::conditions(&item.attrs),
            item: constants.in_signature_of(item, &Default::default()),
            may_be_unmarked,
        }
    }

    /// Whether it is there or not by the configuration.
    pub fn is_conditional(&self) -> bool {
        self.conditions.len() > usize::from(self.may_be_unmarked)
    }
}

/// The function without `#[jacobian]`.
pub fn without_marks(function: &ItemFn) -> ItemFn {
    let attrs = attributes::filtered(&function.attrs, &|meta| !attributes::is_mark(meta));
    ItemFn { attrs, ..function.clone() }
}
