//! Parts of arrays of active values whose bounds are known at run time only, `&a[..n]`. What is read of one is chosen from
//! all elements of the array, as by an index that is known at run time only.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::super::read::shape::Shape;
use super::super::refuse;
use super::super::syntax::{Expr, Method};
use super::Lowering;
use super::control::Flow;
use super::items::Sequence;
use super::program::Line;
use super::range::Range;
use super::value::{Passive, Place, Value};

/// A shared reference to a part of an array.
#[derive(Clone)]
pub struct Window {
    /// References to all elements of the array.
    pub elements: Vec<Value>,
    /// The variable of the generated code that holds the index of the first one of the part.
    start: Ident,
    /// That which holds how many there are.
    length: Ident,
}

impl Window {
    /// References to its elements.
    pub fn items(&self) -> Sequence {
        Sequence::of_indices(self.elements.clone(), indices(&self.start, &self.length), None)
    }
}

/// The indices of this many elements, as a range.
fn indices(start: &Ident, length: &Ident) -> TokenStream {
    quote!((#start..#start + #length))
}

impl Lowering<'_> {
    /// `&array[range]`, where a bound is known at run time only. What does not lie within the array panics here, as it
    /// does for the user.
    pub(super) fn window(&mut self, array: &Value, length: usize, range: &Range, place: &Expr) -> Flow {
        let elements = (0..length)
            .map(|index| {
                let element = self.element_of(array, index);
                self.shared(element)
            })
            .collect();
        let whole = Literal::usize_unsuffixed(length).to_token_stream();
        let (start, length) = self.bounds_within(&whole, range, place)?;
        Ok(Value::Window(Window { elements, start, length }.into()))
    }

    /// Mutable references to those of these places whose indices lie within a range, of which a bound is known at run time
    /// only.
    pub(super) fn mutable_window(&mut self, places: Vec<Place>, range: &Range, place: &Expr) -> Flow {
        let whole = Literal::usize_unsuffixed(places.len()).to_token_stream();
        let (start, length) = self.bounds_within(&whole, range, place)?;
        let references: Vec<_> = places.into_iter().map(Value::Mutable).collect();
        if !self.can_be_chosen(&references) {
            return self.refuse(place, refuse::MUTABLE_ITEMS_OF_RUN_TIME);
        }
        Ok(Value::Iterator(Box::new(Sequence::of_indices(references, indices(&start, &length), None))))
    }

    /// A part of a part.
    fn part_of_window(&mut self, window: &Window, range: &Range, place: &Expr) -> Flow {
        let (first, length) = self.bounds_within(&window.length.to_token_stream(), range, place)?;
        let start = &window.start;
        let start = self.usize_variable("start", &quote_spanned!(Span::mixed_site()=> #start + #first), place)?;
        Ok(Value::Window(Window { elements: window.elements.clone(), start, length }.into()))
    }

    /// Variables for the first index of a range within this many elements, and for how many there are in it.
    fn bounds_within(&mut self, whole: &TokenStream, range: &Range, place: &Expr) -> Flow<(Ident, Ident)> {
        let span = Span::mixed_site();
        let mut bound = |name: &str, bound: &Option<Passive>| match bound {
            Some(bound) => self.usize_variable(name, bound.tokens(), place).map(Some),
            None => Ok(None),
        };
        let (start, end) = (bound("start", &range.start)?, bound("end", &range.end)?);
        let written = if range.is_inclusive { quote!(#start..=#end) } else { quote!(#start..#end) };
        let units = self.units(whole);
        let check = quote_spanned!(span=> let _ = #units[#written];);
        self.program.line(Line::effect(check));
        let past = if range.is_inclusive { quote_spanned!(span=> + 1) } else { TokenStream::new() };
        let end = end.map_or(quote!(#whole), |end| quote_spanned!(span=> #end #past));
        let start = match start {
            Some(start) => start,
            None => self.usize_variable("start", &quote!(0), place)?,
        };
        let length = self.usize_variable("length", &quote_spanned!(span=> #end - #start), place)?;
        Ok((start, length))
    }

    /// A slice of this many units, whose panics are those of the user's slice.
    fn units(&self, whole: &TokenStream) -> TokenStream {
        quote_spanned!(Span::mixed_site()=> [(); ::core::primitive::usize::MAX][..#whole])
    }

    /// `window[index]`.
    pub(super) fn index_of_window(&mut self, window: &Window, index: &Value, place: &Expr) -> Flow {
        if let Value::Range(range) = index {
            return self.part_of_window(window, range, place);
        }
        let Some(index) = index.to_passive() else { return self.refuse(place, refuse::SLICE_KNOWN) };
        let index = self.index_variable(&index, place)?;
        let units = self.units(&window.length.to_token_stream());
        let check = quote_spanned!(Span::mixed_site()=> let () = #units[#index];);
        self.program.line(Line::effect(check));
        let element = self.element_of_window(window, &index.to_token_stream(), place)?;
        Ok(self.dereference(element))
    }

    /// A reference to the element at an index that lies within the part.
    fn element_of_window(&mut self, window: &Window, index: &TokenStream, place: &Expr) -> Flow {
        let start = &window.start;
        let index = Passive::operation(quote_spanned!(Span::mixed_site()=> #start + #index));
        let index = self.index_variable(&index, place)?;
        self.chosen_item(&window.elements, &index, place)
    }

    /// A method of such a part, if it is one that is known.
    pub(super) fn method_of_window(&mut self, call: &Method, window: &Value, args: &[Value]) -> Flow<Option<Value>> {
        match window {
            Value::Window(window) => self.window_method(call, window, args).map(Some),
            _ => Ok(None),
        }
    }

    fn window_method(&mut self, call: &Method, window: &Window, args: &[Value]) -> Flow {
        let (span, length) = (Span::mixed_site(), &window.length);
        let place = &call.receiver;
        match (call.name.to_string().as_str(), args) {
            ("len", []) => Ok(self.usize_value(quote!(#length))),
            ("is_empty", []) => Ok(Value::Passive(Passive::operation(quote_spanned!(span=> #length == 0)))),
            ("iter" | "into_iter", []) => Ok(Value::Iterator(Box::new(window.items()))),
            ("windows" | "chunks_exact", [size]) => {
                let size = self.size_of_slices(call, size)?;
                let (start, each) = (&window.start, Literal::usize_unsuffixed(size));
                let indices = match call.name == "windows" {
                    true => quote_spanned!(span=> (#start..#start + (#length + 1).saturating_sub(#each))),
                    false => quote_spanned!(span=> (#start..#start + #length / #each * #each).step_by(#each)),
                };
                Ok(Value::Iterator(Box::new(Sequence::of_indices(window.elements.clone(), indices, Some(size)))))
            }
            ("first", []) => self.element_if_any_of(window, &quote!(0), place),
            ("last", []) => self.element_if_any_of(window, &quote_spanned!(span=> #length - 1), place),
            ("get", [Value::Passive(index)]) => {
                let index = self.index_variable(index, place)?;
                let is_within = Passive::operation(quote_spanned!(span=> #index < #length));
                self.element_if(window, is_within, &index.to_token_stream(), place)
            }
            ("split_at", [Value::Passive(at)]) => {
                let at = self.usize_variable("middle", at.tokens(), place)?;
                let units = self.units(&length.to_token_stream());
                self.program.line(Line::effect(quote_spanned!(span=> let _ = #units.split_at(#at);)));
                let at = Some(Passive::simple(at.to_token_stream()));
                let left = Range { start: None, end: at.clone(), is_inclusive: false };
                let right = Range { start: at, end: None, is_inclusive: false };
                let halves = [self.part_of_window(window, &left, place)?, self.part_of_window(window, &right, place)?];
                Ok(Value::Tuple(halves.to_vec().into()))
            }
            _ => self.refuse(&call.name, refuse::WINDOW_METHOD),
        }
    }

    fn element_if_any_of(&mut self, window: &Window, index: &TokenStream, place: &Expr) -> Flow {
        let length = &window.length;
        let is_any = Passive::operation(quote_spanned!(Span::mixed_site()=> #length != 0));
        self.element_if(window, is_any, index, place)
    }

    fn element_if(&mut self, window: &Window, is_there: Passive, index: &TokenStream, place: &Expr) -> Flow {
        let (span, test) = (Span::mixed_site(), is_there.tokens());
        // Where there is none, any element of the array stands for it.
        let start = &window.start;
        let index = Passive::compound(quote_spanned!(span=> if #test { #start + #index } else { 0 }));
        let index = self.index_variable(&index, place)?;
        let element = self.chosen_item(&window.elements, &index, place)?;
        Ok(Value::there_if(Value::Passive(is_there), element))
    }

    fn usize_value(&mut self, tokens: TokenStream) -> Value {
        let ty = quote_spanned!(Span::mixed_site()=> ::core::primitive::usize);
        Value::Passive(Passive::simple(tokens).with_shape(Some(Shape::Passive(ty))))
    }
}
