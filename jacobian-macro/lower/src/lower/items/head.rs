//! What a run-time loop goes over that has the items of a chain: the passive beginning of the chain, with those of
//! its adaptors that call nothing. The others are statements of the body, through which the items of the head are fed.
//!
//! An adaptor that counts the items, as `take` does, commutes with one that calls something for each of them, as `map`
//! does, and goes to the head. That is not so after one that drops some, as `filter` does; nor is it so of closures with
//! effects, where those of the standard library are called for items that are then dropped.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::super::super::read::shape::Shape;
use super::super::super::refuse;
use super::super::emitted;
use super::super::value::Passive;
use super::{AnyItems, End, Flow, Items, Length, Lowering, Rest, Sequence, Value};

/// What a run-time loop goes over.
pub struct Head {
    /// The iterator.
    pub tokens: TokenStream,
    /// Whether something is called for its items.
    pub calls: bool,
    /// Whether each of its items is one of the chain's.
    pub is_counted: bool,
    /// Whether each of its items may be several of the chain's, which come in a loop of their own.
    pub is_nested: bool,
    /// Whether the head is cut by `take`.
    pub is_cut: bool,
    /// Whether the chain may end before the head does.
    pub may_end: bool,
}

impl Head {
    /// What the user wrote.
    pub fn of(tokens: TokenStream) -> Head {
        Head { tokens, calls: false, is_counted: true, is_nested: false, is_cut: false, may_end: false }
    }

    /// The head with a method call that calls nothing for its items.
    pub fn with(self, method: &TokenStream) -> Head {
        let tokens = &self.tokens;
        Head { tokens: quote!(#tokens #method), ..self }
    }

    /// The head, if what counts the items of the chain can count its items.
    pub fn counted(self) -> Result<Head, &'static str> {
        if self.is_counted { Ok(self) } else { Err(refuse::COUNTED_AT_RUN_TIME) }
    }
}

/// What the user wrote, of which nothing is known but that it is passive.
#[derive(Clone)]
struct OfRunTime {
    tokens: TokenStream,
    /// The shape of an item, if it says whose methods it has.
    item: Option<Shape>,
}

impl Items for OfRunTime {
    fn next(&mut self, _: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        lowering.refuse_item(None, refuse::UNKNOWN_ITEMS)
    }

    fn length(&self) -> Length {
        Length::exactly(0).undecided()
    }

    fn head(&self) -> Result<Head, &'static str> {
        Ok(Head::of(self.tokens.clone()))
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        let item = match (item, &self.item) {
            (Value::Passive(item), Some(shape)) => Value::Passive(item.with_shape(Some(shape.clone()))),
            (item, _) => item,
        };
        rest(lowering, item)
    }
}

/// `take`, `skip` or `step_by` in the head.
#[derive(Clone)]
struct OnHead {
    items: AnyItems,
    /// Whether the standard library calls closures for items that are then dropped.
    drops: bool,
    method: TokenStream,
}

impl Items for OnHead {
    fn next(&mut self, _: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        lowering.refuse_item(None, refuse::UNKNOWN_ITEMS)
    }

    fn length(&self) -> Length {
        self.items.length()
    }

    fn head(&self) -> Result<Head, &'static str> {
        let head = self.items.head()?.counted()?.with(&self.method);
        Ok(Head { is_cut: head.is_cut || !self.drops, ..head })
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        match self.drops {
            true => lowering.without_effects(&*self.items, item, rest),
            false => self.items.feed(item, lowering, rest),
        }
    }
}

/// Items whose head is in a variable.
#[derive(Clone)]
struct Bound {
    items: AnyItems,
    head: TokenStream,
}

impl Items for Bound {
    fn next(&mut self, _: End, lowering: &mut Lowering<'_>) -> Flow<Option<Value>> {
        lowering.refuse_item(None, refuse::UNKNOWN_ITEMS)
    }

    fn length(&self) -> Length {
        self.items.length()
    }

    fn head(&self) -> Result<Head, &'static str> {
        Ok(Head { tokens: self.head.clone(), ..self.items.head()? })
    }

    fn feed(&self, item: Value, lowering: &mut Lowering<'_>, rest: &mut Rest<'_>) -> Flow {
        self.items.feed(item, lowering, rest)
    }
}

impl Sequence {
    /// The items of a passive value of which nothing else is known.
    pub(in super::super) fn of_run_time(written: &Passive) -> Sequence {
        let item = written.shape.as_ref().and_then(Shape::item);
        let items = Box::new(OfRunTime { tokens: written.operand(), item });
        Sequence { items, written: None, is_known: false, calls: false, is_run_time: true, size: 1 }
    }

    /// Whether its items are known only in a run-time loop.
    pub(in super::super) fn is_run_time(&self) -> bool {
        self.is_run_time
    }

    /// Whether a run-time loop can go over its items.
    pub(in super::super) fn has_head(&self) -> bool {
        self.items.head().is_ok()
    }

    /// `take`, `skip` or `step_by` of run-time items, with its argument.
    pub(super) fn on_head(self, method: &Ident, count: &TokenStream) -> Sequence {
        let drops = method != "take";
        let items = Box::new(OnHead { items: self.items, drops, method: quote!(.#method(#count)) });
        Sequence { items, size: self.size + 1, ..self }
    }

    /// A copy of a run-time iterator.
    pub(super) fn copy(self) -> Sequence {
        match self.items.head() {
            Ok(head) if self.is_run_time => {
                let head = head.with(&quote!(.clone())).tokens;
                Sequence { items: Box::new(Bound { items: self.items, head }), ..self }
            }
            _ => self,
        }
    }
}

/// The methods of collections that borrow from them.
const BORROWING: &[&str] =
    &["iter", "windows", "chunks", "chunks_exact", "rchunks", "keys", "values", "chars", "bytes", "lines"];

/// An iterator with what `bind` gives in the place of a call from whose result it borrows; none if there is no such call.
pub(in super::super) fn with_source(
    iterator: &TokenStream,
    bind: impl FnOnce(TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    let mut written = syn::parse2::<syn::Expr>(iterator.clone()).ok()?;
    let mut inner = &mut written;
    let mut is_borrowed = false;
    loop {
        inner = match inner {
            syn::Expr::MethodCall(call) => {
                is_borrowed = BORROWING.iter().any(|name| call.method == name);
                &mut call.receiver
            }
            syn::Expr::Index(index) => &mut index.expr,
            syn::Expr::Call(_) if is_borrowed => break,
            _ => return None,
        };
    }
    *inner = syn::parse2(bind(inner.to_token_stream())).ok()?;
    Some(written.to_token_stream())
}

impl Lowering<'_> {
    /// An iterator whose head is evaluated here, if it is a run-time iterator.
    pub(in super::super) fn with_bound_head(&mut self, items: Sequence, name: &Ident) -> Sequence {
        let head = match items.items.head() {
            Ok(head) if items.is_run_time => Passive::simple(head.tokens),
            _ => return items,
        };
        if head.is_variable() {
            return items;
        }
        let head = self.with_bound_source(&head);
        let head = self.let_passive(name, &head, None).operand();
        Sequence { items: Box::new(Bound { items: items.items, head }), ..items }
    }

    /// The same before other operands are evaluated, if the head may do something.
    pub(in super::super) fn with_head_before_others(&mut self, items: Sequence) -> Sequence {
        let does_nothing = |head: &Head| syn::parse2(head.tokens.clone()).is_ok_and(|head| is_of_variables(&head));
        match items.items.head() {
            Ok(head) if self.inline.is_none() && !does_nothing(&head) => {
                self.with_bound_head(items, &emitted(&format_ident!("items")))
            }
            _ => items,
        }
    }

    /// A head in which what a call gives is in a variable, where items are borrowed from it: it would be dropped before them.
    fn with_bound_source(&mut self, head: &Passive) -> Passive {
        let bound = with_source(head.tokens(), |source| {
            self.let_passive(&emitted(&format_ident!("source")), &Passive::simple(source), None).operand()
        });
        bound.map_or_else(|| head.clone(), Passive::simple)
    }

    /// Both parts of the items of `zip` and of `enumerate`.
    pub(super) fn both_of(&mut self, item: Value) -> [Value; 2] {
        let Some(pair) = item.to_passive() else { return [item, Value::Unset] };
        let shapes = match &pair.shape {
            Some(Shape::Tuple(shapes)) => shapes.clone(),
            _ => Vec::new(),
        };
        [0, 1].map(|index| {
            let (pair, part) = (pair.operand(), syn::Index::from(index));
            let part = Passive::simple(quote!(#pair.#part)).behind_reference(true);
            Value::Passive(part.with_shape(shapes.get(index).cloned()))
        })
    }

    /// Feeds an item through what is called for it, which must do nothing besides, nor panic by an index: it is not known
    /// here whether the standard library calls it for other items, too, which it drops.
    pub(super) fn without_effects(&mut self, items: &dyn Items, item: Value, rest: &mut Rest<'_>) -> Flow {
        let before = self.program.frame.effects();
        items.feed(item, self, &mut |lowering, item| match lowering.program.frame.effects() == before {
            true => rest(lowering, item),
            false => lowering.refuse_item(None, refuse::EFFECTS_BEFORE_COUNT),
        })
    }
}

/// Whether an expression is made of variables, numbers and methods without arguments of these.
fn is_of_variables(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::MethodCall(call) => call.args.is_empty() && is_of_variables(&call.receiver),
        syn::Expr::Field(field) => is_of_variables(&field.base),
        syn::Expr::Paren(inner) => is_of_variables(&inner.expr),
        syn::Expr::Reference(inner) => is_of_variables(&inner.expr),
        syn::Expr::Unary(inner) => is_of_variables(&inner.expr),
        syn::Expr::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|bound| is_of_variables(bound)),
        _ => false,
    }
}
