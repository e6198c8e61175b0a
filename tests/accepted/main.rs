//! What the attribute accepts: the value of `f_jac` is that of `f` bit for bit, its Jacobian the one found by hand.

#![deny(warnings, clippy::all)]
#![forbid(unsafe_code)]

mod algorithms;
mod aliases;
mod asked_results;
mod bodies;
mod bounded_instances;
mod branches;
mod calls;
mod carried_arrays;
mod catalogue;
mod chain_effects;
mod chains;
mod chosen_items;
mod chosen_references;
mod closures;
mod coerced;
mod collections;
mod columns;
mod configured;
mod copies;
mod counter;
mod drop_names;
mod drops;
mod effects;
mod element_references;
mod enum_fields;
mod extensions;
mod fallible;
mod fields;
mod float_types;
mod floats;
mod forms;
mod generic;
mod generic_structs;
mod given;
mod given_vectors;
mod guards;
mod helpers;
mod implicit;
mod in_place;
mod in_turn;
mod indices;
mod inferred;
mod instances;
mod integer_types;
mod integers;
mod items;
mod iterators;
mod jumps;
mod kept;
mod kept_vecs;
mod known_calls;
mod known_variants;
mod known_whiles;
mod labelled_values;
mod labels;
mod layouts;
mod lifetimes;
mod lints;
mod loop_columns;
mod loops;
mod macros;
mod matrices;
mod memory;
mod method_instances;
mod methods;
mod mixed;
mod module_items;
mod modules;
mod nalgebra;
mod name_kinds;
mod names;
mod nearest;
mod observed;
mod operands;
mod optional;
mod options;
mod outputs;
mod outputs_of_calls;
mod packed;
mod panics;
mod parameters;
mod partials;
mod passive;
mod passive_options;
mod passive_state;
mod passive_statements;
mod passive_structs;
mod passive_vectors;
mod patterns;
mod places_in_order;
mod records;
mod reductions;
mod references;
mod repeated;
mod returns;
mod reversed;
mod reversed_branches;
mod rotations;
mod run_time_conditions;
mod run_time_slices;
mod scopes;
mod searches;
mod shadowed;
mod signatures;
mod sized_vectors;
mod slices;
mod solved;
mod sparse_calls;
mod sparsity;
mod steady_factors;
mod strategies;
mod struct_arrays;
mod struct_calls;
mod struct_conversions;
mod struct_effects;
mod struct_elements;
mod struct_geometry;
mod struct_parts;
mod struct_results;
mod struct_uses;
mod structs;
mod tables;
mod tangents;
mod told_by_bounds;
mod told_floats;
mod told_types;
mod tried;
mod uncalled;
mod unrolled;
mod uses;
mod vector_items;
mod vector_methods;
mod vector_state;
mod vectors;

use approx::relative_eq;

/// The floats of a value in order.
trait Floats {
    fn floats(&self) -> Vec<f64>;
}

impl Floats for f64 {
    fn floats(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl Floats for f32 {
    fn floats(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
}

impl<T: Floats, const N: usize> Floats for [T; N] {
    fn floats(&self) -> Vec<f64> {
        self.iter().flat_map(Floats::floats).collect()
    }
}

impl<A: Floats> Floats for (A,) {
    fn floats(&self) -> Vec<f64> {
        self.0.floats()
    }
}

impl<A: Floats, B: Floats> Floats for (A, B) {
    fn floats(&self) -> Vec<f64> {
        [self.0.floats(), self.1.floats()].concat()
    }
}

impl<A: Floats, B: Floats, C: Floats> Floats for (A, B, C) {
    fn floats(&self) -> Vec<f64> {
        [self.0.floats(), self.1.floats(), self.2.floats()].concat()
    }
}

fn bits(value: &impl Floats) -> Vec<u64> {
    value.floats().into_iter().map(f64::to_bits).collect()
}

/// The value is `f`'s bit for bit; the entries of the Jacobian, row by row, are `expected` up to round-off.
#[track_caller]
fn check<V: Floats, J: Floats>(value: V, (own_value, jacobian): (V, J), expected: &[f64]) {
    assert_eq!(bits(&value), bits(&own_value), "the value: {:?}, not {:?}", own_value.floats(), value.floats());
    let entries = jacobian.floats();
    assert_eq!(entries.len(), expected.len(), "the entries are {entries:?}");
    for (index, (&entry, &expected)) in entries.iter().zip(expected).enumerate() {
        let is_near = relative_eq!(entry, expected, epsilon = 1e-13, max_relative = 1e-13);
        assert!(is_near, "entry {index} is {entry}, not {expected}");
    }
}

/// The value is `f`'s bit for bit; the Jacobian is near the central differences of `f` at `x`.
#[track_caller]
fn differences<V: Floats, J: Floats, const N: usize>(
    f: impl Fn([f64; N]) -> V,
    jac: impl Fn([f64; N]) -> (V, J),
    x: [f64; N],
) {
    let (value, jacobian) = jac(x);
    assert_eq!(bits(&f(x)), bits(&value), "the value: {:?}, not {:?}", value.floats(), f(x).floats());
    let entries = jacobian.floats();
    let rows = value.floats().len();
    assert_eq!(entries.len(), rows * N, "the entries are {entries:?}");
    for column in 0..N {
        let step = 1e-6 * x[column].abs().max(1.0);
        let at = |offset: f64| {
            let mut x = x;
            x[column] += offset;
            f(x).floats()
        };
        for (row, (above, below)) in at(step).into_iter().zip(at(-step)).enumerate() {
            let (expected, entry) = ((above - below) / (2.0 * step), entries[row * N + column]);
            let is_near = relative_eq!(entry, expected, epsilon = 1e-7, max_relative = 1e-7);
            assert!(is_near, "entry {row}, {column} is {entry}; the difference quotient is {expected}");
        }
    }
}

/// The same at all rotations of `x`.
#[track_caller]
fn at_rotations<V: Floats, J: Floats, const N: usize>(
    f: impl Fn([f64; N]) -> V,
    jac: impl Fn([f64; N]) -> (V, J),
    mut x: [f64; N],
) {
    for _ in 0..N {
        differences(&f, &jac, x);
        x.rotate_left(1);
    }
}

/// The value is that of the function and of its twin; the Jacobian is that of the twin.
macro_rules! twins {
    ($f:ident, $jac:ident, $twin:ident, $twin_jac:ident, $($argument:expr),+) => {{
        let (value, jacobian) = $twin_jac($($argument),+);
        assert_eq!($crate::bits(&value), $crate::bits(&$twin($($argument),+)));
        assert_eq!($crate::bits(&value), $crate::bits(&$f($($argument),+)), "the twins differ");
        $crate::check($f($($argument),+), $jac($($argument),+), &$crate::Floats::floats(&jacobian));
    }};
}

use twins;
