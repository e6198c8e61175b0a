//! `#[jacobian]` on an inline module: the functions in it that the user marks with `#[jacobian]` are differentiated
//! across the module. A function of the module that they call is inlined into the code list where it is small, and
//! called through its own Jacobian where it is not.

pub mod expand;
mod price;

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use jacobian_core::pipeline::{self, Jacobian, Settings};
use jacobian_core::{CodeList, Form};
use jacobian_lower::attributes::Mark;
use jacobian_lower::diagnostics::Errors;
use jacobian_lower::module::{Call, Caller, Declarations, Function, Surroundings};
use jacobian_lower::read::layout::Layout;
use jacobian_lower::read::options::{self, Named, Options};
use jacobian_lower::read::shape::{Reader, Reading};
use jacobian_lower::read::signature;
use jacobian_lower::read::ty::is_mutable_reference;
use jacobian_lower::read::with::{Derivatives, With};
use jacobian_lower::refuse;
use jacobian_lower::syntax::{self, Fallible, Items};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, Ident, Item, Pat, Path, ReturnType, Type, TypeFnPtr, parse_quote};

use self::price::SMALL;
use super::{engine, form};

/// The functions that a function can call and be differentiated across.
#[derive(Default)]
pub struct Module {
    /// What is declared in the module.
    declared: Declarations,
    /// Its functions, in the order of their declarations.
    members: Vec<Member>,
}

/// A function of a module.
struct Member {
    function: Rc<Function>,
    /// The options of its mark, or those of the module.
    options: Options,
    /// Those of further marks, for which more is generated.
    further: Vec<Options>,
    is_marked: bool,
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
    /// Whether its Jacobian is constant, too.
    Called(Box<With>, bool),
    Refused(String),
}

impl Module {
    fn read(items: &[Item], options: &Options, errors: &mut Errors) -> Self {
        let declared = Declarations::read(items);
        let written = items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(declared.instances().seen(function)),
            _ => None,
        });
        let members = declared.functions().iter().zip(written);
        let members = members
            .map(|(function, written)| Member::read(function.clone(), &written.attrs, options, errors))
            .collect();
        Module { declared, members }
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| member.function.item.sig.ident.unraw() == name)
    }

    /// Whether a function is inlined: where it is short, and where it has no Jacobian of its own.
    fn callee(&self, member: &Member) -> Callee {
        if self.must_be_inlined(member) {
            return Callee::Inlined;
        }
        member.is_open.set(true);
        let list = self.lowered(member);
        member.is_open.set(false);
        let (Some(list), Some(with)) = (list, member.with(self.declared.items())) else { return Callee::Inlined };
        if list.statements().len() <= SMALL || member.function.may_be_unmarked {
            return Callee::Inlined;
        }
        let settings = Settings { form: Form::Jacobian, ..engine::settings(&member.options) };
        match member.jacobian.get_or_init(|| pipeline::run(&list, &settings).ok()) {
            Some(jacobian) if price::saves_by_inlining(&list, jacobian) => Callee::Inlined,
            Some(jacobian) => {
                let sparse = self.name_of_sparse(member).map(Path::from);
                let known = price::known(jacobian, &member.options, sparse);
                Callee::Called(Box::new(with.with_known(Rc::new(known))), price::is_linear(&list, jacobian))
            }
            None => Callee::Called(Box::new(with), false),
        }
    }

    /// Whether a function is given structs of the module, or gives one: no Jacobian has such columns or rows. Nor does
    /// one have the elements of a slice, which may be active.
    fn must_be_inlined(&self, member: &Member) -> bool {
        let reader = Reader::default().with(self.declared.structs());
        let is_struct = |ty: &Type| match reader.read(&syntax::ty(ty)) {
            Reading::Floats(shape) => shape.has_struct(),
            Reading::Unclear(why) => why == refuse::SLICE,
            _ => false,
        };
        let sig = &member.function.item.sig;
        let is_given = sig.inputs.iter().any(|input| matches!(input, FnArg::Typed(typed) if is_struct(&typed.ty)));
        is_given || matches!(&sig.output, ReturnType::Type(_, ty) if is_struct(ty))
    }

    /// What the sparse Jacobian of a function is called, unless something else has that name.
    fn name_of_sparse(&self, member: &Member) -> Option<Ident> {
        if member.options.requests().contains(&options::SPARSE_JAC) {
            return Some(form::name(options::SPARSE_JAC, &member.function.item, &member.options));
        }
        let options = member.options.clone().for_sparse_calls();
        let name = form::name(options::SPARSE_JAC, &member.function.item, &options);
        Some(name).filter(|name| {
            !self.declared.items().names.contains(&name.unraw().to_string()) && !self.declared.items().has_glob
        })
    }

    /// The statements that a function is lowered into, if it can be by itself.
    fn lowered(&self, member: &Member) -> Option<CodeList> {
        let mut errors = Errors::default();
        let signature =
            signature::read(&member.function.item, &member.options, (self.declared.structs(), None), &mut errors)?;
        let lowered = jacobian_lower::lower(&member.function.item, &signature, &member.options, self, &mut errors);
        errors.is_empty().then_some(lowered.list)
    }
}

impl Surroundings for Module {
    fn declared(&self) -> &Declarations {
        &self.declared
    }

    fn call(&self, name: &str, caller: Caller) -> Option<Call<'_>> {
        let members: Vec<_> = self.named(name).collect();
        let member = *members.first()?;
        let is_conditional = members.iter().any(|member| member.function.is_conditional());
        if members.len() > 1 && !is_conditional {
            return None;
        }
        if member.is_open.get() {
            return Some(Call::Inlined(&member.function.item));
        }
        let callee =
            || if is_conditional { conditional_callee(&members, self.declared.items()) } else { self.callee(member) };
        Some(match member.callee.get_or_init(callee) {
            Callee::Inlined => Call::Inlined(&member.function.item),
            Callee::Called(with, _) if caller.is_second_order && with.hessian().is_none() && !is_conditional => {
                Call::Inlined(&member.function.item)
            }
            // A loop whose iterations are linear has a gradient in reverse order.
            Callee::Called(_, true) if caller.is_in_loop => Call::Inlined(&member.function.item),
            Callee::Called(with, _) => {
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

    fn generates(&self, name: &str) -> bool {
        let is_its = |member: &Member| {
            let mut all = std::iter::once(&member.options).chain(&member.further);
            all.any(|options| form::names(&member.function.item, options).any(|own| own == name))
        };
        self.members.iter().any(is_its)
    }

    fn need_jacobian(&self, name: &str, jacobian: &Path) {
        let Some(jacobian) = jacobian.get_ident() else { return };
        let items = self.declared.items();
        if items.call_macros || items.names.contains(&jacobian.unraw().to_string()) {
            return;
        }
        let is_its = |member: &&Member| form::name_of_jacobian(&member.function.item, &member.options) == *jacobian;
        self.named(name).filter(is_its).for_each(|member| member.is_needed.set(true));
    }

    fn why_misread(&self, name: &str, jacobian: &Path, layout: Layout) -> Option<String> {
        let member = self.named(name).next()?;
        let (function, options) = (&member.function.item, &member.options);
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
        if !is_its {
            return None;
        }
        if options.wrt.as_ref().is_some_and(is_other) || !options.retract.is_empty() {
            return Some(refuse::OTHER_ORDER.to_string());
        }
        let jacobian = jacobian.to_token_stream();
        match (options.layout, layout) {
            (Layout::Columns, Layout::Columns) | (Layout::Matrix, Layout::Matrix) => None,
            (Layout::Columns, _) => Some(refuse::stored_by_columns(name, jacobian)),
            (Layout::Matrix, _) => Some(refuse::stored_as_matrix(name, jacobian)),
            (_, Layout::Columns | Layout::Matrix) => Some(refuse::stored_by_rows(name, jacobian)),
            _ => None,
        }
    }
}

/// How functions of one name are differentiated of which the configuration says which one is there: it is not known
/// here, so that none can be inlined. Where none is there, the compiler does not find the Jacobian, either.
fn conditional_callee(members: &[&Member], items: &Items) -> Callee {
    let name = &members[0].function.item.sig.ident;
    let Some(all) = members.iter().map(|member| member.with(items)).collect::<Option<Vec<_>>>() else {
        return Callee::Refused(refuse::callee_under_cfg(name));
    };
    let texts: Vec<_> = all.iter().map(With::text).collect();
    if texts.iter().any(|text| *text != texts[0]) {
        return Callee::Refused(refuse::callees_differ(name));
    }
    Callee::Called(Box::new(all[0].clone()), false)
}

impl Member {
    fn read(function: Rc<Function>, attributes: &[Attribute], defaults: &Options, errors: &mut Errors) -> Self {
        let marks = Mark::all(attributes);
        let is_marked = !marks.is_empty();
        if marks.len() > 1 && marks.iter().any(|mark| mark.condition.is_some()) {
            errors.at(&function.item.sig.ident, refuse::MARKS_UNDER_CONDITIONS);
        }
        let mut of_marks = marks.into_iter().map(|mark| engine::parse_over(defaults.clone(), mark.options, errors));
        let options = of_marks.next().unwrap_or_else(|| defaults.clone().for_calls());
        let further = of_marks.collect();
        Member {
            function,
            options,
            further,
            is_marked,
            callee: OnceCell::new(),
            is_open: Cell::new(false),
            jacobian: OnceCell::new(),
            is_needed: Cell::new(false),
            is_sparse_needed: Cell::new(false),
        }
    }

    /// The function with its derivatives, where the Jacobian has a column for every float of the arguments.
    fn with(&self, items: &Items) -> Option<With> {
        let sig = &self.function.item.sig;
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
        let jacobian = form::name_of_jacobian(&self.function.item, &self.options).into();
        let has_hessian = self.options.gives_callers(options::HESS);
        let hessian = has_hessian.then(|| form::name(options::HESS, &self.function.item, &self.options).into());
        Some(With {
            function: sig.ident.clone().into(),
            is_method: false,
            ty: Some(ty),
            derivatives: Derivatives::Returned { jacobian, hessian, layout: Layout::Default, known: None },
        })
    }
}

/// Whether a mutable reference refers to floats.
fn is_output(ty: &Type) -> bool {
    let Type::Reference(reference) = ty else { return false };
    matches!(Reader::default().read(&syntax::ty(&reference.elem)), Reading::Floats(_))
}
