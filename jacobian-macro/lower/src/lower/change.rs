//! What changes arrays in variables of the function: mutable references to them in loops, and methods.

use syn::{Member, UnOp};

use super::super::refuse;
use super::super::syntax::{self, Expr, ExprKind, Method};
use super::Lowering;
use super::control::Flow;
use super::items::{End, Sequence};
use super::value::{Place, Value};

/// The methods.
const METHODS: [&str; 17] = [
    "iter_mut",
    "chunks_mut",
    "chunks_exact_mut",
    "split_at_mut",
    "split_first_mut",
    "split_last_mut",
    "as_mut_slice",
    "first_mut",
    "last_mut",
    "get_mut",
    "swap",
    "fill",
    "copy_from_slice",
    "clone_from_slice",
    "reverse",
    "rotate_left",
    "rotate_right",
];

/// A part of an array that is in a variable.
enum Part {
    /// The places of its elements.
    Known(Vec<Place>),
    /// An iterator over mutable references to them, where the bounds are known at run time only.
    Window(Value),
}

impl Lowering<'_> {
    /// A method that changes an array or an `Option` in a variable.
    pub(super) fn mutating_method(&mut self, whole: &Expr, call: &Method) -> Flow {
        if let Some(why) = self.inline {
            return self.refuse(whole, why);
        }
        if self.is_changing_optional(call) {
            return self.change_optional(whole, call);
        }
        if self.is_assigning_vector(call)
            && let Some(value) = self.assign_vector(call)?
        {
            return Ok(value);
        }
        if self.module.declared().methods().has_built(&call.name.to_string()) {
            return self.refuse(&call.name, refuse::method_of_library(&call.name));
        }
        if self.is_resizing(call) {
            return self.resize(call);
        }
        let places = match self.part_of_places(&call.receiver)? {
            Part::Known(places) => places,
            Part::Window(items) if call.name == "iter_mut" && call.args.is_empty() => return Ok(items),
            Part::Window(_) => return self.refuse(&call.receiver, refuse::MUTABLE_WINDOW),
        };
        let args = self.in_order(None, &call.args)?;
        match (call.name.to_string().as_str(), &args[..]) {
            ("iter_mut", []) => return Ok(mutable_items(places)),
            ("first_mut", []) => return Ok(self.mutable_if_any(places.first())),
            ("last_mut", []) => return Ok(self.mutable_if_any(places.last())),
            ("chunks_mut" | "chunks_exact_mut", [size]) => return self.mutable_slices(call, places, size),
            ("split_at_mut", [at]) => return self.split_mutably(call, places, at),
            ("split_first_mut", []) => return self.split_off_mutably(call, places, End::Front),
            ("split_last_mut", []) => return self.split_off_mutably(call, places, End::Back),
            ("as_mut_slice", []) => {
                return Ok(Value::Mutable(self.slice_of_places(places, &call.receiver)?));
            }
            ("get_mut", [index]) => return self.mutable_if_within(call, &places, index),
            ("swap", [left, right]) if left.as_int().is_none() || right.as_int().is_none() => {
                self.swap_chosen(call, places.len(), [left, right])?;
            }
            ("swap", [left, right]) => self.swap(call, &places, left, right)?,
            ("fill", [value]) => {
                let value = self.evaluated(value.clone());
                places.iter().try_for_each(|place| self.write(place, value.clone(), &call.receiver))?;
            }
            ("copy_from_slice" | "clone_from_slice", [source]) => self.copy_from(call, &places, source)?,
            ("reverse", []) => {
                let values: Vec<_> = places.iter().map(|place| self.read(place)).collect();
                for (place, value) in places.iter().rev().zip(values) {
                    self.write(place, value, &call.receiver)?;
                }
            }
            (name @ ("rotate_left" | "rotate_right"), [by]) => {
                let by = by.as_int().and_then(|by| usize::try_from(by).ok()).filter(|by| *by <= places.len());
                let Some(by) = by else {
                    return match self.kept(whole) {
                        Some(kept) => Ok(Value::Passive(kept.statement())),
                        None => self.refuse(&call.args[0], refuse::rotated(places.len())),
                    };
                };
                let mut values: Vec<_> = places.iter().map(|place| self.read(place)).collect();
                if name == "rotate_left" {
                    values.rotate_left(by)
                } else {
                    values.rotate_right(by)
                }
                for (place, value) in places.iter().zip(values) {
                    self.write(place, value, &call.receiver)?;
                }
            }
            _ => return self.refuse(&call.name, refuse::METHOD_ARGUMENTS),
        }
        Ok(Value::unit())
    }

    /// A reference to a place, if there is one.
    fn mutable_if_any(&mut self, place: Option<&Place>) -> Value {
        match place {
            Some(place) => self.there(Value::Mutable(place.clone())),
            None => self.missing(),
        }
    }

    /// `array.get_mut(index)`.
    fn mutable_if_within(&mut self, call: &Method, places: &[Place], index: &Value) -> Flow {
        self.is_index(index);
        if let Some(at) = index.as_int() {
            return Ok(self.mutable_if_any(usize::try_from(at).ok().and_then(|at| places.get(at))));
        }
        match self.number_if_within(call, places.len(), index)? {
            Some((is_within, number)) => {
                let references: Vec<_> = places.iter().cloned().map(Value::Mutable).collect();
                let element = self.chosen_item(&references, &number, &call.receiver)?;
                Ok(Value::there_if(is_within, element))
            }
            None => Ok(self.missing()),
        }
    }

    /// `array.chunks_mut(size)` and `array.chunks_exact_mut(size)`.
    fn mutable_slices(&mut self, call: &Method, mut places: Vec<Place>, size: &Value) -> Flow {
        let size = self.size_of_slices(call, size)?;
        if call.name == "chunks_exact_mut" {
            places.truncate(places.len() / size * size);
        }
        let place = &call.receiver;
        let slices = places.chunks(size).map(|elements| self.slice_of_places(elements.to_vec(), place));
        let slices = slices.collect::<Flow<Vec<_>>>()?;
        Ok(mutable_items(slices))
    }

    /// `array.split_at_mut(at)`.
    fn split_mutably(&mut self, call: &Method, mut places: Vec<Place>, at: &Value) -> Flow {
        match at.as_int().and_then(|at| usize::try_from(at).ok()).filter(|&at| at <= places.len()) {
            Some(at) => {
                let right = places.split_off(at);
                let halves = [places, right].into_iter().map(|half| self.slice_of_places(half, &call.receiver));
                let halves = halves.map(|half| half.map(Value::Mutable)).collect::<Flow<Vec<_>>>()?;
                Ok(Value::Tuple(halves.into()))
            }
            None => self.refuse(&call.args[0], refuse::split_index(places.len())),
        }
    }

    /// `array.split_first_mut()` and `array.split_last_mut()`.
    fn split_off_mutably(&mut self, call: &Method, mut others: Vec<Place>, end: End) -> Flow {
        if others.is_empty() {
            return Ok(self.missing());
        }
        let element = match end {
            End::Front => others.remove(0),
            End::Back => others.remove(others.len() - 1),
        };
        let others = self.slice_of_places(others, &call.receiver)?;
        let both = [element, others].map(Value::Mutable).to_vec();
        Ok(self.there(Value::Tuple(both.into())))
    }

    fn swap(&mut self, call: &Method, places: &[Place], left: &Value, right: &Value) -> Flow<()> {
        let at = |index: &Value| places.get(usize::try_from(index.as_int()?).ok()?);
        let (Some(left), Some(right)) = (at(left), at(right)) else {
            return self.refuse(&places_of(&call.args), refuse::swapped_indices(places.len()));
        };
        let (first, second) = (self.read(left), self.read(right));
        self.write(left, second, &call.receiver)?;
        self.write(right, first, &call.receiver)
    }

    /// `array.swap(i, j)` at indices that are known at run time only.
    fn swap_chosen(&mut self, call: &Method, length: usize, indices: [&Value; 2]) -> Flow<()> {
        let array = self.place(&call.receiver)?;
        let mut places = Vec::with_capacity(2);
        for (index, written) in indices.into_iter().zip(&call.args) {
            let Value::Passive(index) = index else {
                return self.refuse(&places_of(&call.args), refuse::swapped_indices(length));
            };
            let index = self.index_within(index, length, written)?;
            places.push(array.part_at(index, length));
        }
        let first = self.read_chosen(&places[0], &call.receiver)?;
        let second = self.read_chosen(&places[1], &call.receiver)?;
        self.write_chosen(&places[0], &second, &call.receiver)?;
        self.write_chosen(&places[1], &first, &call.receiver)
    }

    fn copy_from(&mut self, call: &Method, places: &[Place], source: &Value) -> Flow<()> {
        if self.length_of(source) != Some(places.len()) {
            return self.refuse(&places_of(&call.args), refuse::copied_length(places.len()));
        }
        places.iter().enumerate().try_for_each(|(index, place)| {
            let value = self.element_of(source, index);
            self.write(place, value, &call.receiver)
        })
    }

    /// `&mut array[range]`.
    pub(super) fn mutable_part(&mut self, target: &Expr) -> Flow {
        match self.part_of_places(target)? {
            Part::Known(places) => Ok(Value::Mutable(self.slice_of_places(places, target)?)),
            Part::Window(items) => Ok(items),
        }
    }

    /// The places of the elements of an array that is in a variable, or of a slice of it.
    fn part_of_places(&mut self, array: &Expr) -> Flow<Part> {
        match &*array.kind {
            ExprKind::Paren(inner) => return self.part_of_places(inner),
            ExprKind::Index(base, index) if is_range(index) => return self.part_within(base, index),
            _ => {}
        }
        let place = self.place(array)?;
        let value = self.read(&place);
        match self.length_of(&value) {
            Some(length) => Ok(Part::Known((0..length).map(|index| place.part(index)).collect())),
            None => self.refuse(array, refuse::ARRAY_LENGTH_HERE),
        }
    }

    fn part_within(&mut self, array: &Expr, index: &Expr) -> Flow<Part> {
        let Part::Known(places) = self.part_of_places(array)? else {
            return self.refuse(array, refuse::MUTABLE_WINDOW);
        };
        let range = self.expression(index)?;
        let Value::Range(range) = &range else { return self.refuse(index, refuse::known_range(places.len())) };
        match (range.bounds(places.len()), range.within(places.len())) {
            (_, Some(bounds)) => Ok(Part::Known(places[bounds].to_vec())),
            (None, None) => Ok(Part::Window(self.mutable_window(places, range, index)?)),
            (Some(_), None) => self.refuse(index, refuse::known_range(places.len())),
        }
    }

    /// Whether `call` changes an array in a variable of the function. What the variable is not known to be is
    /// another's.
    pub(super) fn is_mutating(&self, call: &Method) -> bool {
        if self.is_assigning_vector(call) || self.is_changing_optional(call) {
            return true;
        }
        // A method of a struct is one of its own.
        if !METHODS.iter().any(|name| call.name == name) && !self.is_resizing(call)
            || self.struct_at(&call.receiver).is_some()
            || self.element_struct_at(&call.receiver).is_some()
        {
            return false;
        }
        let mut root = &call.receiver;
        loop {
            root = match &*root.kind {
                ExprKind::Paren(inner) | ExprKind::Index(inner, _) | ExprKind::Field(inner, Member::Unnamed(_)) => {
                    inner
                }
                ExprKind::Field(inner, Member::Named(_)) if self.struct_at(inner).is_some() => inner,
                ExprKind::Unary(UnOp::Deref(_), target) => target,
                ExprKind::Variable(id, _) => {
                    let found = self.bindings.find(self.activation.number(*id));
                    return match found.map(|binding| &binding.value) {
                        Some(value @ Value::Passive(passive)) => {
                            (passive.length().is_some() || value.definition().is_some()) && !passive.is_reference()
                        }
                        Some(Value::Array(_) | Value::Tuple(_) | Value::Mutable(_)) => true,
                        _ => false,
                    };
                }
                _ => return false,
            };
        }
    }
}

/// Whether an index is a range.
pub(super) fn is_range(index: &Expr) -> bool {
    matches!(&*index.unwrapped().kind, ExprKind::Range(..))
}

/// From the first to the last argument.
fn places_of(args: &[Expr]) -> syntax::Place {
    args[0].place.to(args[args.len() - 1].place)
}

/// An iterator over places.
fn mutable_items(places: Vec<Place>) -> Value {
    Value::Iterator(Box::new(Sequence::of_places(places)))
}
