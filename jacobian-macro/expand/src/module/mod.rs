//! `#[jacobian]` on an inline module: the functions in it that the user marks with `#[jacobian]` are differentiated
//! across the module. A function of the module that they call is inlined into the code list where it is small, and
//! called through its own Jacobian where it is not.

mod constants;
pub mod expand;
mod methods;
mod price;

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use jacobian_core::pipeline::{self, Jacobian, Settings};
use jacobian_core::{CodeList, Form};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, Ident, Item, ItemConst, ItemFn, Pat, Path, ReturnType, Type, TypeFnPtr, parse_quote};

use self::constants::Constants;
pub use self::methods::{Kind, Method, Methods, Owner, Passing};
use self::price::SMALL;
use super::attributes::{self, Mark};
use super::diagnostics::Errors;
use super::form;
use super::lower;
use super::read::options::{self, Named, Options};
use super::read::shape::{Reader, Reading, Struct, Structs};
use super::read::signature;
use super::read::structs;
use super::read::ty::is_mutable_reference;
use super::read::with::{Derivatives, With};
use super::refuse;
use super::syntax::{self, Fallible, Items};

/// The functions that a function can call and be differentiated across.
#[derive(Default)]
pub struct Module {
    members: Vec<Member>,
    constants: Constants,
    items: Items,
    structs: Rc<Structs>,
    methods: Methods,
}

/// A function of a module.
struct Member {
    function: ItemFn,
    /// The options of its mark, or those of the module.
    options: Options,
    is_marked: bool,
    /// Whether its mark is there or not by the configuration.
    may_be_unmarked: bool,
    /// The conditions under which it is there: what is generated for it is there under the same.
    conditions: Vec<Attribute>,
    callee: OnceCell<Callee>,
    /// Whether its length is being found out at present.
    is_open: Cell<bool>,
    /// What the engine makes of its form `jac`, where that has been asked for.
    jacobian: OnceCell<Option<Jacobian>>,
    /// Whether its Jacobian is called.
    is_needed: Cell<bool>,
    /// Whether its sparse Jacobian is called.
    is_sparse_needed: Cell<bool>,
}

/// How a function of the module is differentiated where it is called.
enum Callee {
    Inlined,
    Called(Box<With>),
    Refused(String),
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

impl Module {
    fn read(items: &[Item], options: &Options, errors: &mut Errors) -> Self {
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        });
        let constants = Constants::read(items);
        let members = functions.map(|function| Member::read(function, &constants, options, errors)).collect();
        let structs = Rc::new(structs::read(items, &|ty| constants.in_type(ty)));
        let methods = Methods::read(items, &structs, &constants);
        let items = Items { structs: structs.known().cloned().collect(), ..Items::of(items) };
        Module { members, constants, items, structs, methods }
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

    /// How the function with this name is differentiated where it is called, if it is one of the module. A caller that
    /// has second derivatives needs those of a function that is not inlined.
    pub fn call(&self, name: &str, is_second_order: bool) -> Option<Call<'_>> {
        let members: Vec<_> = self.named(name).collect();
        let member = *members.first()?;
        let is_conditional = members.iter().any(|member| member.is_conditional());
        if members.len() > 1 && !is_conditional {
            return None;
        }
        if member.is_open.get() {
            return Some(Call::Inlined(&member.function));
        }
        let callee = || if is_conditional { conditional_callee(&members, &self.items) } else { self.callee(member) };
        Some(match member.callee.get_or_init(callee) {
            Callee::Inlined => Call::Inlined(&member.function),
            Callee::Called(with) if is_second_order && with.hessian().is_none() && !is_conditional => {
                Call::Inlined(&member.function)
            }
            Callee::Called(with) => {
                let is_sparse = with.sparse_jacobian().is_some();
                members.iter().for_each(|member| {
                    let needed = if is_sparse { &member.is_sparse_needed } else { &member.is_needed };
                    needed.set(true);
                });
                Call::Called(with)
            }
            Callee::Refused(why) => Call::Refused(why.clone()),
        })
    }

    /// Whether a function of this name is generated.
    pub fn generates(&self, name: &str) -> bool {
        let is_its = |member: &Member| form::names(&member.function, &member.options).any(|own| own == name);
        self.members.iter().any(is_its)
    }

    /// Whether `jacobian` is that of the function with this name in the module, with columns in another order than that
    /// of the parameters, as its `wrt` says.
    pub fn is_in_other_order(&self, name: &str, jacobian: &Path) -> bool {
        let Some(member) = self.named(name).next() else { return false };
        let (function, options) = (&member.function, &member.options);
        let is_named = |input: &FnArg, name: &Ident| match input {
            FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(pattern) if pattern.ident.unraw() == *name),
            FnArg::Receiver(_) => false,
        };
        let place = |name: &Ident| function.sig.inputs.iter().position(|input| is_named(input, name));
        let names = [form::name_of_jacobian(function, options), form::name(options::SPARSE_JAC, function, options)];
        let is_its = jacobian.segments.last().is_some_and(|last| names.contains(&last.ident));
        let is_other = |names: &Vec<Named>| {
            let is_whole = names.iter().all(|name| name.fields.is_empty());
            !is_whole || !names.is_sorted_by_key(|name| place(&name.parameter))
        };
        is_its && (options.wrt.as_ref().is_some_and(is_other) || !options.retract.is_empty())
    }

    /// The function with this name, if it is one of the module and surely there.
    pub fn function(&self, name: &str) -> Option<&ItemFn> {
        let mut found = self.named(name);
        let (Some(member), None) = (found.next(), found.next()) else { return None };
        Some(&member.function).filter(|_| !member.is_conditional())
    }

    /// Whether there is a function with this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// What the functions with this name return, of which the configuration may say which one is there, if any.
    pub fn returned(&self, name: &str) -> Option<&ReturnType> {
        let mut all = self.named(name).map(|member| &member.function.sig);
        let first = all.next().filter(|first| first.generics.params.is_empty())?;
        let may_be_another = self.items.has_glob && self.function(name).is_none();
        let text = |output: &ReturnType| output.to_token_stream().to_string();
        let are_same = all.all(|other| text(&other.output) == text(&first.output));
        (are_same && !may_be_another).then_some(&first.output)
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| member.function.sig.ident.unraw() == name)
    }

    /// Whether a function is inlined: where it is short, and where it has no Jacobian of its own.
    fn callee(&self, member: &Member) -> Callee {
        if self.takes_structs(member) {
            return Callee::Inlined;
        }
        member.is_open.set(true);
        let list = self.lowered(member);
        member.is_open.set(false);
        let (Some(list), Some(with)) = (list, member.with(&self.items)) else { return Callee::Inlined };
        if list.statements().len() <= SMALL || member.may_be_unmarked {
            return Callee::Inlined;
        }
        let settings = Settings { form: Form::Jacobian, ..member.options.engine.clone() };
        match member.jacobian.get_or_init(|| pipeline::run(&list, &settings).ok()) {
            Some(jacobian) if price::saves_by_inlining(&list, jacobian) => Callee::Inlined,
            Some(jacobian) => {
                let sparse = self.name_of_sparse(member).map(Path::from);
                let known = price::known(jacobian, &member.options, sparse);
                Callee::Called(Box::new(with.with_known(Rc::new(known))))
            }
            None => Callee::Called(Box::new(with)),
        }
    }

    /// Whether a function is given structs of the module, or gives one: no Jacobian has such columns or rows.
    fn takes_structs(&self, member: &Member) -> bool {
        let reader = Reader::default().with(&self.structs);
        let is_struct = |ty: &Type| match reader.read(&syntax::ty(ty)) {
            Reading::Floats(shape) => shape.has_struct(),
            _ => false,
        };
        let sig = &member.function.sig;
        let is_given = sig.inputs.iter().any(|input| matches!(input, FnArg::Typed(typed) if is_struct(&typed.ty)));
        is_given || matches!(&sig.output, ReturnType::Type(_, ty) if is_struct(ty))
    }

    /// What the sparse Jacobian of a function is called, unless something else has that name.
    fn name_of_sparse(&self, member: &Member) -> Option<Ident> {
        if member.options.requests().contains(&options::SPARSE_JAC) {
            return Some(form::name(options::SPARSE_JAC, &member.function, &member.options));
        }
        let options = member.options.clone().for_sparse_calls();
        let name = form::name(options::SPARSE_JAC, &member.function, &options);
        Some(name).filter(|name| !self.items.names.contains(&name.unraw().to_string()) && !self.items.has_glob)
    }

    /// The statements that a function is lowered into, if it can be by itself.
    fn lowered(&self, member: &Member) -> Option<CodeList> {
        let mut errors = Errors::default();
        let signature = signature::read(&member.function, &member.options, (&self.structs, None), &mut errors)?;
        let lowered = lower::lower(&member.function, &signature, &member.options, self, &mut errors);
        errors.is_empty().then_some(lowered.list)
    }
}

/// How functions of one name are differentiated of which the configuration says which one is there: it is not known
/// here, so that none can be inlined. Where none is there, the compiler does not find the Jacobian, either.
fn conditional_callee(members: &[&Member], items: &Items) -> Callee {
    let name = &members[0].function.sig.ident;
    let Some(all) = members.iter().map(|member| member.with(items)).collect::<Option<Vec<_>>>() else {
        return Callee::Refused(refuse::callee_under_cfg(name));
    };
    let texts: Vec<_> = all.iter().map(With::text).collect();
    if texts.iter().any(|text| *text != texts[0]) {
        return Callee::Refused(refuse::callees_differ(name));
    }
    Callee::Called(Box::new(all[0].clone()))
}

impl Member {
    fn read(function: &ItemFn, constants: &Constants, defaults: &Options, errors: &mut Errors) -> Self {
        let mark = Mark::find(&function.attrs);
        let options = match &mark {
            Some(mark) => options::parse_over(defaults.clone(), mark.options.clone(), errors),
            None => defaults.clone().for_calls(),
        };
        let mut function = without_marks(function);
        let condition = mark.as_ref().and_then(|mark| mark.condition.clone());
        let may_be_unmarked = condition.is_some();
        function.attrs.extend(condition);
        Member {
            conditions: attributes::conditions(&function.attrs),
            function: constants.in_signature_of(function),
            options,
            is_marked: mark.is_some(),
            may_be_unmarked,
            callee: OnceCell::new(),
            is_open: Cell::new(false),
            jacobian: OnceCell::new(),
            is_needed: Cell::new(false),
            is_sparse_needed: Cell::new(false),
        }
    }

    /// Whether it is there or not by the configuration.
    fn is_conditional(&self) -> bool {
        self.conditions.len() > usize::from(self.may_be_unmarked)
    }

    /// The function with its derivatives, where the Jacobian has a column for every float of the arguments.
    fn with(&self, items: &Items) -> Option<With> {
        let sig = &self.function.sig;
        // What gives an `Option` or a `Result` is left where it is inlined.
        let is_fallible = Fallible::of(sig, &|name| items.structs.contains(name)).is_some();
        if is_fallible
            || self.options.wrt.is_some()
            || !self.options.gives_callers(options::JAC)
            || !sig.generics.params.is_empty()
        {
            return None;
        }
        let types = sig.inputs.iter().map(|input| match input {
            // Of what it changes, only floats are seen where it is not inlined, and it assigns these before it reads
            // them.
            FnArg::Typed(typed) if is_mutable_reference(&typed.ty) => {
                Some(&typed.ty).filter(|ty| is_output(ty)).map(|ty| quote!(#[out] #ty))
            }
            FnArg::Typed(typed) => Some(typed.ty.to_token_stream()),
            FnArg::Receiver(_) => None,
        });
        let types = types.collect::<Option<Vec<_>>>()?;
        let output: &ReturnType = &sig.output;
        let ty: TypeFnPtr = parse_quote!(fn(#(#types),*) #output);
        let jacobian = form::name_of_jacobian(&self.function, &self.options).into();
        let has_hessian = self.options.gives_callers(options::HESS);
        let hessian = has_hessian.then(|| form::name(options::HESS, &self.function, &self.options).into());
        Some(With {
            function: sig.ident.clone().into(),
            is_method: false,
            ty: Some(ty),
            derivatives: Derivatives::Returned { jacobian, hessian, known: None },
        })
    }
}

/// Whether a mutable reference refers to floats.
fn is_output(ty: &Type) -> bool {
    let Type::Reference(reference) = ty else { return false };
    matches!(Reader::default().read(&syntax::ty(&reference.elem)), Reading::Floats(_))
}

fn without_marks(function: &ItemFn) -> ItemFn {
    let attrs = attributes::filtered(&function.attrs, &|meta| !attributes::is_mark(meta));
    ItemFn { attrs, ..function.clone() }
}
