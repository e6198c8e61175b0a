//! Every refusal and its advice, in one file: what is not supported, and what to write instead.
//!
//! A message has no full stop at its end, for the compiler puts it after `error: `. It is one sentence or two, in
//! words that a user of the crate knows, and names what is in the source. "Known here" is said of what is known
//! when the function is expanded.

use std::fmt::Display;

/// Names, and the message about each of them.
pub type About = (&'static [&'static str], fn(String) -> String);

/// A message, or a function that puts one together.
macro_rules! refusal {
    ($name:ident = $text:literal) => {
        #[doc = concat!("```text\n", $text, "\n```")]
        pub const $name: &str = $text;
    };
    ($name:ident($($part:ident),+) = $text:literal) => {
        #[doc = concat!("```text\n", $text, "\n```")]
        pub fn $name($($part: impl Display),+) -> String {
            format!($text)
        }
    };
}

/// The messages, and a list of all of them for the tests.
macro_rules! refusals {
    ($($name:ident $(($($part:ident),+))? = $text:literal;)+) => {
        $(refusal!($name $(($($part),+))? = $text);)+

        #[cfg(test)]
        const ALL: &[(&str, &str)] = &[$((stringify!($name), $text)),+];
    };
}

refusals! {
    // Where the attribute goes, and how deeply the source may nest.
    MISPLACED = "`#[jacobian]` goes on a function, on a method with a body, or on a module";
    BRACKETS = "brackets nest so deeply here that the compiler could run out of stack; bind the inner parts with \
        `let`";
    PREFIXES = "there are so many `-`, `!`, `*` or `&` in a row here that the compiler could run out of stack; bind \
        the inner part with `let`";
    NESTED_SOURCE = "this nests so deeply that the compiler could run out of stack; write it as several statements";
    LONG_EXPRESSION = "this expression is too long; bind parts of it with `let`";

    // Options.
    option_expected(known) = "an option is expected here; known: {known}";
    option_form(form) = "this option is written {form}";
    option_twice(name) = "the option `{name}` is given twice";
    option_is_form(name) = "`{name}` is a form: write `forms({name})`, with `jac` among them if it is wanted, too";
    unknown(what, name, known) = "unknown {what} `{name}`; known: {known}";
    steps_expected(most) = "a number of steps, up to {most}, is expected here";
    steps_of_no_search(strategy) = "`steps` is for a search, such as `strategy = \"search\"`, not for `{strategy}`";
    NAME_EXPECTED = "the name of a function is expected here";
    OWN_NAME = "the function itself has this name";
    INTO_AND_FORMS = "`into` is short for `forms(jac, jac_into)`: name all functions there, and leave out `into`";
    FORM_EXPECTED = "the name of a form is expected here";
    FORMS_NOTHING = "`forms(...)` names at least one form";
    form_twice(name) = "the form `{name}` is named twice";
    unknown_form(name, known, matrices) = "unknown form `{name}`; known: {known}, each also with `_into` after its \
        name, to write in place; {matrices} also with `_sparse`, for the entries that are not zero";
    LAYOUT_OF_DENSE = "this layout is for dense matrices, and no form here gives one";
    LAYOUT_OF_SPARSE = "this layout is for sparse matrices, and no form here gives one; `jac_sparse` does";
    CONST_MATRIX = "a `const fn` cannot make a matrix of nalgebra; leave out `layout`";
    NAME_OF_FORMS = "`name` is for one form; the functions of several are called by the names of the forms";
    own_name_in_place(name) = "with `into`, a function `{name}` is generated, and the function itself has this name";
    WRT_EXPECTED = "the name of a parameter is expected here, or a field of one: `p.k`, `p.gains: [f64; 3]`";
    RETRACT_NOTHING = "`retract(...)` names parameters, or `return`";
    RETRACT_EXPECTED = "names are expected here, with commas between them: of parameters, of fields of them, or `return`";
    RETRACT_UNKNOWN = "`retract` names active parameters, fields of them, and outputs, and this is none of them";
    RETRACT_OTHER = "there are no tangents of this: `retract` is for `UnitQuaternion`, `UnitComplex`, `Rotation3`, `Isometry2` and \
        `Isometry3`";
    RETRACT_SECOND = "second derivatives by tangents are not supported: ask for `hess` and `hvp` in a function without `retract(...)`";
    RETRACT_NORMAL = "normal equations are those of residuals, and a rotation is none; return its logarithm, \
        `scaled_axis()`";
    WRT_NOTHING = "`wrt(...)` names at least one parameter";
    wrt_overlap(name, earlier) = "`{name}` and `{earlier}` have floats in common; name each float once";
    wrt_twice(name) = "the parameter `{name}` is named twice";
    no_parameter(name, known) = "`{name}` is not the name of a parameter; there are: {known}";
    WITH_EXPECTED = "a function is expected here, written `g`, `g = path::to::dg`, `g = (dg, ddg)`, `g = columns(dg)`, \
        `g = matrix(dg)`, `g = sparse(dg, rows = [[0], [1]])`, `g = implicit(r)`, `g = |x; y| dy`, or `g: fn(&[f64; 3]) -> f64`";
    PATTERN_EXPECTED = "what returns the entries is expected here, and their pattern in numbers: `sparse(dg, rows = [[0, 1], \
        [2]])`, or `columns = [[0], [0], [1]]`; then, if there is one, the function that returns this pattern";
    INDEX_TWICE = "this entry is in the pattern already";
    pattern_without_type(function) = "of what type `{function}` is has to be written here, before the pattern: \
        `{function}: fn([f64; 3]) -> [f64; 2] = sparse(...)`";
    pattern_of_another_size(function, rows, columns) = "the Jacobian of `{function}` has {rows} rows and {columns} columns, a column for each \
        float of the arguments, and this is not its pattern";
    INLINE_OTHER = "`inline` is for a function in the same `#[jacobian] mod` that is not under a `cfg`";
    METHOD_BY_PARTIALS = "a method is given by its partials, as expressions: `.g = |x; y| partial`; a function that \
        returns its Jacobian is named by its path";
    method_of_floats(name) = "`{name}` is a method of floats, whose partials are known";
    NO_ARGUMENTS = "partials are written over the arguments, at least one, and the result: `|x; y| y * x.cos()`";
    ARGUMENTS_EXPECTED = "the names of the arguments are expected here, and after a semicolon that of the result: \
        `|x, n: i32; y| ...`";
    ARGUMENT_TWICE = "each argument, and the result, has a name of its own here";
    partial_for_each(count) = "{count} partials are expected here in brackets, one for each argument: `[..., ...]`; \
        write `_` for an argument that is passive";
    INSTANCES_NOTHING = "`instances(...)` names the values of the `const` parameters, at least once: `instances(3, 6)`, or of two parameters \
        `instances((2, 3), (4, 6))`";
    INSTANCE_EXPECTED = "a number, `true` or `false` is expected here, the value of a `const` parameter; of two parameters: `(2, 3)`";
    INSTANCE_TWICE = "this instance is named twice";
    INSTANCES_OF_METHOD = "a method has instances where its `impl` block is seen: write `#[jacobian] mod ... { ... }` around that, \
        or move the body into a function, and call that";
    INSTANCES_OF_ONE_RESULT = "second derivatives take no weights where there is one result, as in one of these instances, and weights where there \
        are more, as in another; leave out the instances with one result, or the form";
    INSTANCES_OF_BOTH = "instances are of the `const` parameters of the method, or of those of its `impl` block; \
        give this method none of its own";
    instances_of_none(name) = "`{name}` has no `const` parameters, of which there would be instances";
    instance_arguments(name, count) = "each instance gives the values of all `const` parameters of `{name}`, as many as there are: {count}";
    WITH_NOTHING = "`with(...)` names at least one function";
    WITH_TWICE = "this function is named twice";
    OPTION_OF_FUNCTION = "this option belongs to one function; write it on the function inside of the module";

    // Modules.
    MODULE_IN_FILE = "`#[jacobian]` goes on a module with its content in braces: a macro cannot read another file";
    UNMARKED = "no function of this module is marked: write `#[jacobian]` on those that get a Jacobian";
    MARKS_UNDER_CONDITIONS = "several `#[jacobian]` on a function of a module must be there in every configuration, so that \
        none of them is in a `cfg_attr`";
    method_of_trait(name, of) = "the Jacobian of `{name}` would be a method that the trait `{of}` does not have: move the \
        body into a method in an `impl` of the type itself, with `#[jacobian]`, and call that one here";
    callee_under_cfg(name) = "`{name}` is under a `cfg`: it is not inlined but called through its Jacobian, so it can \
        have no generic parameters and no `wrt`; put the condition on a constant or a module that it uses";
    callees_differ(name) = "the functions `{name}` under `cfg` differ in their signatures or in the names of their \
        Jacobians: which of them is called is not known here; give all of them one signature";

    // Signatures.
    ASYNC_FUNCTION = "`async` functions are not supported: a Jacobian is of a plain function";
    UNSAFE_FUNCTION = "`unsafe` functions are not supported: the generated function is safe";
    FOREIGN_ABI = "a foreign ABI is not supported; annotate a plain function and call it from the foreign one";
    VARIADIC = "a variadic function has arguments without types, so that its Jacobian has no known columns; take an \
        array, `[f64; 3]` for instance";
    MUTABLE_SELF = "`&mut self` is not supported: a method that changes what it is called on would do so in its derivative, too; \
        take `&self`, and give the change back";
    PARAMETER_ATTRIBUTE = "attributes on parameters are not supported; put it on the function or remove it";
    NO_ACTIVE = "there is no active parameter to differentiate by: take a float (`f64`, `f32`, or a bounded type \
        parameter that is also the result's type), an array of floats, or fields of a struct, `wrt(p.k)`";
    ACTIVE_TUPLE = "a tuple as an active parameter is not supported; use an array or several parameters";
    FLOAT_TYPES = "all active parameters must be of one float type; name those of one type with `wrt(...)`";
    or_name_active(why) = "{why} (or name the active parameters with `wrt(...)`, which leaves this one passive)";
    MUTABLE_TARGET = "this mutable reference is no output: only those to floats and to arrays of floats are \
        differentiated";
    WRT_OUTPUT = "an output, behind `&mut`, that is differentiated by is a float, an array or a vector; take what a struct or a \
        tuple holds before as a parameter of its own";
    OUTPUT_PATTERN = "an output, which is a parameter behind `&mut`, has a plain name: `y: &mut [f64; 2]`";
    no_active_struct(name) = "there is no active parameter: a macro does not see the fields of `{name}`. Name floats, \
        `wrt({name}.k, {name}.gains: [f64; 3])`, or put its struct into a `#[jacobian] mod`; for an alias, write its \
        type";
    NO_ACTIVE_SELF = "there is no active parameter: `self` is passive unless `wrt` names it or a field of it, `wrt(self.k)`; all of it, \
        `wrt(self)`, in a module with `#[jacobian]` that has the struct, too";
    DYNAMIC = "the size of this type is known at run time only, and that of the Jacobian depends on it; take `SVector<f64, 3>` or \
        `SMatrix<f64, 3, 3>`, for instance";
    NO_RESULT = "a function without a result has no Jacobian; return a float, an array or a tuple of floats, or assign \
        them to a parameter such as `y: &mut [f64; 2]`";
    RESULT_TYPE = "the result must be a float (f64, f32, or a type parameter with a bound, such as `num_traits::Float`), \
        an array of floats, or a tuple of those";
    RESULT_FLOATS = "the result must be of floats of the same type as the active parameters";
    OUTPUT_FLOATS = "an output must be of floats of the same type as the active parameters";
    many_entries(what, most) = "the {what} has more than {most} entries; compute it in parts, or take products: \
        `forms(jvp)`, `forms(vjp)`, `forms(hvp)`; if few entries are not zero, `forms(jac_sparse)` or \
        `forms(hess_sparse)`";
    many_nonzeros(what, most) = "more than {most} entries of the {what} are not zero, which is not supported; compute it in parts, or \
        take products with it: `forms(jvp)`, `forms(vjp)`, `forms(hvp)`";

    // What a function, a closure or a block gives.
    NO_VALUE_SEMICOLON = "the body ends with a semicolon, so that it has no value; remove the semicolon after its \
        last expression";
    NO_VALUE = "the body has no value; end it with an expression of the type of the result";
    OTHER_RESULT = "this value has another shape than is expected here; give as many floats, in the same arrays and \
        tuples, as the type says";
    never_assigned(place) = "`{place}` is never assigned; a function must assign every float of its outputs";
    ALWAYS_PANICS = "the function panics here whatever its arguments are, so that it has no Jacobian; return a value, \
        or remove `#[jacobian]`";
    UNTOLD_TYPE = "the type of this number may be inferred from code that the generated function does not repeat; \
        write the type, as in `1_usize` or `0.5_f64`";
    UNKNOWN_REASON = "this function cannot be differentiated, for a reason that is not known here; please report it";

    // Types and parameters.
    SHAPE_LENGTH = "a length must be written as a number, `[f64; 3]` for instance: a macro does not see what a constant \
        outside of its module or a const parameter is, and a type alias hides the floats";
    LENGTH_PARAMETER = "this length is a parameter of the function; say for which values of it there are to be derivatives, \
        `#[jacobian(instances(3, 6))]`, or write a number";
    SLICE = "the length of a slice is known at run time only, and the size of the Jacobian depends on it; take an \
        array, `&[f64; 3]` for instance";
    SLICE_OUTPUT = "the length of a slice is known at run time only, and the size of the Jacobian depends on it; say how many floats are \
        assigned, `&mut [f64; 3]` for instance";
    VEC = "the length of a `Vec` is known at run time only, and the size of the Jacobian depends on it; use an \
        array, `[f64; 3]` for instance";
    OPTION = "`Option` and `Result` around floats are not supported; use the floats themselves, and `f64::NAN` where there \
        is none";
    MIXED = "a tuple of floats and of something else is not supported; use floats and arrays of floats";
    MUTABLE_INSIDE = "mutable references inside other types are not supported; take a parameter of its own for each";
    FUNCTION_PARAMETER = "a function that is a parameter has no derivative that is known: leave this as a helper of a `#[jacobian] mod`, \
        and mark a function there that gives it a closure";
    FLOAT_TYPE = "this type of floats is not supported; use floats and arrays of floats";
    wrt_struct(name) = "a struct from outside cannot be active as a whole; name floats in it, `wrt({name}.k, \
        {name}.gains: [f64; 3])`, or put the struct and the function into a module with `#[jacobian]`";
    WRT_FIELD_PART = "what `wrt` names here is no float; name a field or a coordinate, `wrt(p.position.x)`, or write the type of the part, \
        `wrt(p.pose.translation.vector: Vector3<f64>)`";
    WRT_FIELD_TYPE = "a field that `wrt` names consists of floats: `p.k: f64`, `p.gains: [f64; 3]`, `p.q: UnitQuaternion<f64>`";
    WRT_FIELD_OF_MUTABLE = "`wrt` cannot name a field of a parameter that is `mut` or behind `&mut`; take the \
        parameter by `&` or by value";
    WRT_FIELD_OF_PATTERN = "a parameter with fields that `wrt` names has a plain name: `p: &Params`";
    WRT_OTHER = "`wrt` names this parameter, whose type has no floats to differentiate by; name a float, an array of \
        floats, or a field, `wrt(p.k)`";
    STRUCT_RESULT = "a struct from outside of a `#[jacobian] mod` cannot be the result: a macro does not see its fields; move it \
        into the module, or return its floats as an array or a tuple; for an alias, write what it stands for";
    STRUCT_RESULT_PASSIVE = "a struct with fields that are no floats cannot be the result; return its floats, in a struct of their own";

    // Structs of a module.
    struct_under_cfg(name) = "`{name}` cannot hold active values: it, or one of its fields, is under a `cfg`, which \
        is not evaluated when the macro runs; put the `cfg` on the module";
    struct_with_generics(name) = "`{name}` is generic: it holds active values where the module says its arguments, as types and numbers; \
        write them, `{name}::<f64> {{ ... }}` or `{name}::<3> {{ ... }}`";
    struct_of_no_instance(name) = "which instance of `{name}` this is cannot be seen here; write its arguments, `{name}::<...>`";
    struct_is_enum(name) = "`{name}` cannot hold active values: it is an enum; a struct can, with an integer beside its floats that says \
        which case it is";
    STRUCT_INSIDE = "structs in a slice, a `Vec`, a `Box`, an `Option` or a tuple are no active parameters; take an array, `[State; 3]` for \
        instance, or several parameters";
    struct_with_attribute(name, attribute) = "`{name}` cannot hold active values: `#[{attribute}]` may change its \
        fields before the compiler sees them; remove that, or keep the floats in a struct of their own";
    struct_with_trait(name, trait_) = "`{name}` cannot hold active values: it implements `{trait_}`, which could read \
        or change its floats unseen; remove the `impl`, or keep the floats in a struct without one";
    struct_with_field(name, field, ty) = "`{name}` cannot hold active values: its field `{field}` is of type `{ty}`; fields are floats, types of nalgebra, \
        arrays, tuples and structs of the module of these, and integers, `bool` and `char`";
    struct_without_floats(name) = "`{name}` has no floats, so that it cannot hold active values; give it a field of \
        floats, or keep the active value outside of it";
    struct_twice(name) = "`{name}` cannot hold active values: the module declares it more than once, and which is \
        meant is not known; give each a name of its own";
    method_under_cfg(name) = "`{name}` is under a `cfg`, which is not evaluated when the macro runs, so that its body \
        is not known; put the `cfg` on a constant that the method reads";
    method_of_generic(name) = "`{name}` is a method of a generic `impl` or trait: call it by its type, `State::<3>::{name}(...)`, or, where a \
        trait from elsewhere bounds a parameter, write it for the struct itself, `impl State<f64>`";
    method_receiver(name) = "`{name}` takes `self` by a type that is not supported; take `self`, `&self` or `&mut \
        self`";
    method_with_items(name) = "`{name}` declares types or implementations inside, in which `Self` is another one; move them out of it";
    method_of_unknown(name) = "of what type this value is is not known here, so that it is not sure which `{name}` is called: declare it with \
        its type, `let value: &Type = ...`, or call the method by its path, `Type::{name}(...)`";
    method_behind_deref(name, ty) = "`{ty}` implements `Deref`, so that `{name}` may be a method of another type; make it a function that takes \
        `&{ty}`, and call that";
    method_of_all(name) = "the module implements a trait with a method `{name}` for every type, so that it is not sure which one is \
        called; call it by its path, or rename one of them";
    method_not_read(name) = "`{name}` cannot be read as a function; move its body into one";
    method_not_seen(name, ty) = "the module does not show what `{name}` of `{ty}` does: there is no such method in its `impl` blocks here; \
        write it there, or use the fields";
    method_of_bound(name, trait_, float) = "a trait here has a method `{name}` as floats have, so that it is not sure which one is meant; call \
        it by its path, `{trait_}::{name}(x)` or `{float}::{name}(x)`";
    method_of_library(name) = "`{name}` is a method of a trait here, and may be one that a type from elsewhere has itself, so that it is not \
        sure which one is meant; call it by the path of the trait";
    method_unclear(name, ty) = "more than one `{name}` of `{ty}` may be meant here; call it by the path of the one that is meant";
    part_unclear(name, ty) = "`{ty}` has a `{name}` of its own, which is not that of a trait by which this function knows the type; \
        name the trait, as in `<T as Trait>::{name}`";
    operator_not_seen(trait_, left, right) = "the module does not show an `impl {trait_}<{right}> for {left}` of the trait of the standard \
        library; import the trait and write it there, or use the fields";
    index_unclear(ty) = "`{ty}` implements `Index` more than once, and which is meant here is not known; use the fields, or a method";
    operator_unclear(trait_) = "more than one implementation of `{trait_}` may be meant here; write the type of the operands, as in \
        `let k: f64 = ...;`";
    STRUCT_BEHIND_TRAIT = "a struct that holds active values cannot be known by its traits alone here, which would \
        hide its own methods; write its type";
    STRUCT_TOTAL = "`sum` and `product` of structs are not supported; write `fold(State::default(), |a, b| a + *b)`, say";
    STRUCT_INDEX_ASSIGNED = "assignment through an index of a struct needs one `IndexMut` in the module that gives `&mut` to a part of it by \
        an index that is known here; assign to its field";
    STRUCT_DEREF = "`*` of a struct that holds active values is not supported: a macro does not see what its `Deref` \
        gives; name the field";
    STRUCT_COMPARED = "structs that hold active values cannot be compared; compare their fields";
    STRUCT_OPERATOR = "this operator is not supported for structs; call a method";
    struct_in_itself(name) = "`{name}` cannot hold active values: it contains itself, so that the number of its \
        floats is not known; keep its parts in an array, `[f64; 3]` for instance";

    // What the bounds of a type parameter offer.
    no_number(name, number) = "the derivative needs {number} as a `{name}`, and no bound offers it; add one that does: \
        `num_traits::Float`, `num_traits::FromPrimitive`, `nalgebra::RealField` or `From<f64>`";
    not_copy(name, bounds) = "`{name}` must be `Copy`, for the derivative uses values several times; write \
        `{name}: {bounds} + Copy`";
    no_operator(name, operator, bound) = "the derivative needs `{operator}` on values of `{name}`, and no bound offers it; \
        add `{bound}<Output = {name}>`, or `num_traits::Float`, which has all of them";

    // Values where others are expected.
    CONDITION_AS_FLOAT = "a float is expected here, not a condition; use `if`";
    NOT_A_FLOAT = "a float is expected here; operate on the elements one by one";
    CONDITION = "a condition is expected here; compare, `x > 0.0` for instance";
    literal_of_parameter(name) = "a literal is no `{name}`; write `{name}::from(2.0).unwrap()` or what its bounds offer";
    UNASSIGNED = "this has no value yet; give the variable a value where it is declared";
    unassigned(name) = "`{name}` has no value on every way to this place; give it one where it is declared";
    JUMP_UNCLEAR = "a jump out of a block leaves its value without a meaning here that can be followed; assign a variable in each arm, \
        and use it after the block";
    UNSET_OUTPUT = "this output is read before it is assigned: name it in `wrt(...)`, so that there are columns for what it holds \
        before, or take that as a parameter of its own";
    OUTPUT_PASSED_ON = "an output cannot be passed on; read its elements, or all of it by `*`";
    INTO = "which type `into` gives is not known here; bind it with its type first: `let v: Vector3<f64> = ...;`";
    CONVERSION = "the conversion into this type is not known; construct it from its floats";
    CAST = "an active value cannot be converted to another type of floats: its derivative would be lost; use one type \
        of floats throughout";
    NO_VALUE_HERE = "`_` is no value; write an expression here";

    OBSERVED = "this active value cannot be given to passive code as a whole; give it its elements one by one";

    // Operators, fields, and what is not supported as a whole.
    OPERATOR = "this operator is not known here; write it out with `+`, `-`, `*`, `/`, `%`, comparisons, `&&` and \
        `||`";
    OPERATOR_ON_ACTIVE = "this operator has no derivative, so it cannot act on an active value; active values take \
        `+`, `-`, `*`, `/`, `%` and comparisons, conditions also `!`, `&&` and `||`";
    POWER = "`^` is no power in Rust, but acts on bits; write `x.powi(2)` or `x.powf(y)`";
    no_such_field(ty, field, names) = "`{ty}` has no field `{field}`; there are: `{names}`";
    FIELD_OF_ACTIVE = "this active value has no such field; use an index, `a[0]`, or declare the struct in a module \
        with `#[jacobian]`, where its fields are seen";
    tuple_field(length) = "there is no such element: this tuple has {length}";
    RECORD_AS_WHOLE = "`wrt` names fields of this value, so that only its fields can be used here: a method, a \
        function or an operator could read the active ones unseen";
    RECORD_BEHIND_DEREF = "this may be a field of another type, to which the `Deref` of the parameter leads; take \
        that type as the parameter";
    STRUCT_VALUE = "a struct that holds active values must be declared in a `#[jacobian] mod` around the function, \
        where a macro sees its fields; elsewhere, use arrays or tuples";
    STRUCT_REST = "what follows `..` must be a struct whose fields are known here; write the fields themselves";
    struct_without_field(name, field) = "the field `{field}` of `{name}` is missing here";
    EXPRESSION = "this expression is not supported; use `let`, arithmetic, and the methods of floats";
    NESTED_EXPRESSION = "this nests too deeply, together with the closures that lead here; bind parts of it with `let`";
    ASYNC = "asynchronous code is not supported in a differentiated function";
    CONST_BLOCK = "`const` blocks are not supported; bind a `const` item";
    RAW_POINTER = "raw pointers are not supported; use references";
    TRY = "`?` leaves the function, which is understood in functions that return an `Option` or a `Result` of floats, \
        outside of closures; return one of these, or write `match`";
    TRIED = "`?` on active values is supported after a call of a function that is inlined here and returns an \
        `Option`, or the same `Result` as this one; bind the active values outside of the `Option`";
    TRIED_ASIDE = "`?` is supported here where it is evaluated in any case; bind the value before, `let v = g(x)?;`";
    LEFT_WITHOUT_TRY = "of a call of a function that returns a `Result` of floats, `?`, `.ok()`, `.map_err(f)?`, `.unwrap()`, `.unwrap_or(x)` and the like, \
        or a `match` on it, take the value out; for anything else, return an `Option`";
    ERROR_CONVERTED = "in this function, `?` converts an error by a `From` of the module, which may do something: here, the \
        error is not known; write `?` after the call, or let it return an `Option`";
    ERROR_READ = "what the error is is not known here: match `Err(_)`, or leave the function with it by `?`";
    ERROR_VALUE = "this error cannot be made here; bind its parts with `let`";
    MUTABLE_TO_CALLED = "through `&mut`, only functions write here whose Jacobian is that of a `#[jacobian]` function of `f64`s or `f32`s; \
        return what it writes, or put both functions into a module with `#[jacobian]`, where it is inlined";
    active_behind_mutable(function) = "what is behind this `&mut` depends on active values before the call: say in \
        `with({function}: fn(..))` whether `{function}` reads it, `#[inout] &mut f64`, with columns for it, or not, `#[out] &mut f64`";
    ARGUMENT_MARK = "a type in `with(...)` marks mutable references only, with `#[out]`, what is behind them is not read, or \
        `#[inout]`, there are columns for it in the Jacobian";
    UNKNOWN_OUTPUT = "what is written here is not known to consist of floats: name the type of the function in `with(...)`, \
        `with(g: fn(f64, &mut [f64; 3]))`; it is a float, or an array of them";
    WRAPPED = "active values cannot be in a `Result`, except in the one that the function returns: `return Ok(x);`, or `Ok(x)` \
        at its end; they can be in an `Option`";
    FALLIBLE_OUTPUT = "a function that returns an `Option` or a `Result` has no outputs behind `&mut`; return them in it";
    UNSAFE = "`unsafe` blocks are not supported; take their value as a parameter";
    YIELD = "`yield` makes a coroutine, whose values have no Jacobian; return an array of what it yields";

    // Items, attributes and macros.
    ITEMS = "of the items, only `const`, `static`, `use`, `fn`, `impl`, traits and types are supported inside a \
        differentiated function; move this one out of it";
    STATE = "a `static` in a differentiated function is copied with it, so it must not hold what can change; move it \
        out of the function, or give it a type made of numbers, `bool` and `char`";
    CONDITIONAL_ITEM =
        "`cfg` and `#[jacobian]` are not supported on items inside a differentiated function; move this one out of it";
    PRIMITIVE = "an item with the name of a primitive type is not supported inside a differentiated function, whose \
        code uses that name; give the item another one";
    GLOB = "`use ...::*` is supported in the outermost block of the function only; name what is imported";
    INNER_TRAIT = "a trait is supported in the outermost block of the function only, and not in a function that is inlined: all of \
        the generated code would see its methods; write it there, or in the module";
    TRAIT_AROUND = "the function that is inlined here would see the methods of a trait that is declared or imported in this function; \
        write that in the module";
    MACRO_AND_ITEM = "what this macro stands for may name items of this function, which a macro cannot see; declare them outside of \
        the function";
    MACRO_STATEMENT = "a macro that is not known may declare variables and items here; write `let () = ...;` in front of it, so that it \
        is an expression";
    ATTRIBUTE = "attributes are not supported inside a differentiated function, except lint levels";
    WRITTEN = "something here holds active values and cannot be printed as a whole; print its elements one by one";
    MACRO = "macros are not expanded here, and active values are given to none that is not the standard library's: write out \
        what this one stands for, or print with `println!` or `dbg!`";
    captured_item(name) = "a macro that is not known here cannot capture `{name}` in its text, which is declared as an item of this \
        function; give it as an argument: `\"{{}}\", {name}`";
    VEC_MACRO = "a `Vec` holds active values only where its length is known at compile time; an array can: write `[x, y]` \
        for `vec![x, y]`";
    STATEMENT_IN_CONSTANT = "a block in a constant is not supported; give its parts constants of their own";
    MACRO_IN_CONSTANT = "a macro in a constant is not expanded here; declare the constant outside of the function, or \
        write out what the macro stands for";
    VARIABLE_IN_CONSTANT = "a constant cannot depend on a variable; write `let` for `const`";
    overflow(operation, ty) = "{operation} has no value in {ty}: the function would panic or wrap around here";
    PRINTED = "a text of active values cannot be kept; print it at once, with `println!` for instance";
    STATEMENT_IN_ASSERTION = "an assertion must not change a variable, so that it has no blocks and no assignments; \
        bind what it is about with `let`";

    // Arrays.
    array_of_more(most) = "an array of more than {most} elements would be written out element by element, which takes \
        the compiler too long; differentiate a part as a function of its own";
    deep_array(most) = "arrays and tuples nest at most {most} deep here; use one array, and compute its index";
    ARRAY_LENGTH = "the length of this array is not known here; write `let a: [f64; 3] = core::array::from_fn(...)`";
    ARRAY_LENGTH_HERE = "the length of this array is not known here; declare it with its type, `let mut a: [f64; 3] = \
        ...;`";
    ONLY_ARRAYS = "this is no array, slice or vector, and only these have elements; bind it with its type first, `let \
        a: [f64; 3] = ...;`";
    index_out_of_range(index, length) = "the index {index} is out of range for an array of {length}";
    range_out_of_range(length) = "this range is not within an array of {length}";
    ARRAY_METHOD = "this method of arrays is not known; there are `len`, `iter`, `map`, `windows`, `chunks`, `split_at`, these with \
        `_mut`, `try_into`, `clone`, `swap`, `fill`, `copy_from_slice`, `reverse`, `rotate_left`, and loops";
    MUTABLE_WINDOW = "a mutable slice whose bounds are known at run time only has loops, `for v in &mut a[..n]`, and `iter_mut`; beyond \
        these, index the array";
    WINDOW_METHOD = "this method of a slice whose bounds are known at run time only is not known; there are `len`, `is_empty`, `iter`, \
        `windows`, `chunks_exact`, `first`, `last`, `get`, `split_at`, indices, ranges, and loops";
    rotated(length) = "by how many places this is rotated must be known, and at most {length}; write a loop, `b[i] = a[(i + k) % {length}];`";
    METHOD_ARGUMENTS = "the number or the shape of these arguments is not what is supported here; assign the elements \
        one by one";
    converted_length(length, other) = "a slice of {length} elements is no array of {other}, so that `try_into` gives an error here";
    CHANGED_BEHIND_MUTABLE = "what this method may change is a slice, or at a run-time index, beside something active; change an array of its own, \
        `let mut b = [a[1], a[2]];`, and assign its elements";
    SLICE_SIZE = "the size of these slices must be known at compile time, and not be 0: the items are written out; \
        write it as a number or a `const`";
    split_index(length) = "an index up to {length} is expected here, known at compile time";
    swapped_indices(length) = "two integers below {length} are expected here";
    copied_length(length) = "an array or a slice of {length} elements is expected here, its length known at compile \
        time";
    known_range(length) = "a range within {length} elements is expected here, known at compile time";

    // What must be known when the function is expanded: the beginning, and how it ends.
    INDEX_KNOWN = "the index of an active array must be known at compile time";
    LENGTH_KNOWN = "the length of an active array must be known at compile time";
    ASSIGNED_INDEX_KNOWN = "the index of an element that is assigned must be known at compile time";
    NUMBER_OF_ITEMS = "a number of items is expected here";
    SLICE_KNOWN = "the bounds of a slice of active values must be known at compile time; where they are not, go over \
        `a.iter().skip(i).take(n)`, or over a range, and index the array";
    without_type(what) = "{what}, but the type of an integer in it is not, and in some types it overflows; write the type, \
        as in `1_usize`";
    without_generic(what, name) = "{what}, but `{name}` is a generic parameter, whose value a macro does not see: \
        write the number or a `const`, and a function for each number that is needed";
    without_constant(what, name) = "{what}, but a macro cannot read `{name}`, which is not declared in the function's body; \
        declare a `const` there or in a module with `#[jacobian]`, or write the number";
    not_known(what) = "{what}: literals are, and `const`s inside the function, the indices of loops, lengths of arrays, and \
        arithmetic on these";

    // Assignments.
    FIELD_ASSIGNED = "assignment to a field is not supported; use a variable";
    PLACE = "this cannot be assigned: only variables and their elements can";
    PLACE_BEHIND = "what this refers to is not known here, so that it cannot be assigned an active value; assign to the \
        variable itself";
    PLACE_OF_UNKNOWN_LENGTH = "this place cannot be assigned: only variables, and elements of arrays and tuples whose length \
        is known here; declare the variable with its type, `let mut a: [f64; 3] = ...;`";
    no_variable(name) = "`{name}` is no variable of this function";
    PLACE_WITH_EFFECTS = "the index in front of a method that changes the element must call nothing, and stay what it is while the \
        arguments are evaluated; bind it with `let` before";
    UNEQUAL_SIDES = "a tuple or an array of as many known elements is expected on the right";
    MUTABLE_REFERENCE = "mutable references are not supported here; assign to the variable itself";
    REFERENCE_ASSIGNED = "closures and mutable references cannot be assigned; bind them with `let`";
    TAKEN = "`mem::take` is supported for floats, arrays, tuples and vectors of them, and structs of the module with a `Default`; write what \
        it leaves behind, `mem::replace(&mut a, ...)`";
    MOVED = "a `move` closure that changes what it has captured is not supported; leave out `move`, and let it change a copy if the variable is used later on: `let mut t = s;`";

    // Patterns.
    PATTERN = "this pattern is not supported; bind names, tuples and arrays of them, and references to those";
    pattern_length(length) = "this pattern does not fit a value of {length} elements";
    LET_ELSE = "`let ... else` is supported where statements of a function, a closure or a loop are, if its `else` \
        ends with a jump or a panic; otherwise write `if let Some(k) = n { ... } else { ... }`";
    MATCHED = "patterns are matched with passive values only; compare active values in an `if`";
    LET_CONDITION = "`let` in a condition is supported as `if let` alone; nest the conditions";
    GUARD = "the guard of an arm cannot call closures or functions with active values; bind their results before, or \
        compare them in an `if` inside the arm";
    STATEMENT_IN_GUARD = "the guard of an arm must not change a variable, so that it has no blocks and no \
        assignments; bind the condition before";
    EMPTY_MATCH = "a `match` without arms has no value, so that there is nothing to differentiate; write `panic!()` \
        if this is never reached";
    NO_ARM = "none of these patterns matches the value that is known here; add an arm, `_ => ...`";

    // Where control goes.
    ARMS = "the arms give values of different shapes; give each the same known length";
    ARMS_THAT_REFER = "mutable references are not chosen between here; choose the index, as in `let k = if c { i } else { j }; \
        let p = &mut a[k];`, or assign in each arm";
    jump_at_run_time(jump) = "whether this `{jump}` is reached is known at run time only: it must end an arm of an `if` or a `match` that is a \
        statement, or the value of a `let` or of an assignment, and at most 49 may follow each other";
    JUMP_BESIDE_INDEX = "whether the index or this jump comes first depends on whether these are numbers, which is not known here; bind the \
        value first: `let v = ...; a[i] += v;`";
    UPDATE_BESIDE_INDEX = "whether the index or the right-hand side comes first depends on whether these are numbers, which is not known \
        here; bind the right-hand side first: `let v = ...; a[i] += v;`";
    MANY_RETURNS = "too many early returns: each nests the rest of the function once more, and at most 49 are \
        supported; assign to a variable in the branches, or move a part of them into a function of its own";
    NOTHING_TO_LEAVE = "there is no loop and no block here that this could leave";
    LOOP_WITHOUT_END = "this loop has no `break` of its own that is supported here; write `if c { break; }` in its body";
    LOOP_STATE = "this loop changes something that cannot be carried from one iteration to the next; floats can, \
        arrays, tuples and vectors of them, and passive variables that are declared as `mut`";
    LOOP_PANICS = "every iteration of this loop panics, so that what it computes has no derivative; panic under a \
        condition, or write the `panic!` without the loop";
    loops_too_deep(limit) = "loops that are not unrolled nest more than {limit} deep here; differentiate the inner ones as a \
        function of their own, in `with(...)`";
    LOOP_LEFT = "a loop without active values cannot be left for the end of the function or of an outer loop, unless \
        it is unrolled; keep what it finds in a variable, `break`, and decide after it";
    LOOP_UNSET = "a variable or a block has its first value from this loop, and the type is not known here; write \
        it, or give a first value: `let mut k = 0.0;`, `let k: f64 = 'found: { ... }`";
    UNROLL_NEVER = "a loop over what closures make of active values is unrolled: take `unroll = \"auto\"`, or go over the \
        values themselves, `for v in a { s += v * v; }`";
    LOOP_ITEMS = "the items of this loop are active, and they are not known at compile time; take an array, such as \
        `&[f64; 3]`, or index it by a range of known bounds";
    MANY_ITERATIONS = "whether this loop goes on is known at run time only, so that each iteration is nested in the one before, and there \
        are too many; go over a range, and it stays a loop, as all do with `unroll = \"never\"`";

    // How much is unrolled: what repeats, and why that is too much.
    too_much(subject, why) = "{subject} {why}; differentiate what is repeated as a function of its own, and repeat that";
    repetition_of_times(what, times) = "this {what} runs {times} times, which";
    repetition(what) = "this {what}";
    BODY = "the body";
    many_statements(most) = "makes the function longer than {most} statements";
    many_repetitions(most) = "is more than the {most} repetitions that are unrolled in a function";
    MANY_STEPS = "takes too long to unroll";
    many_borrows(most) = "more than {most} statements without an active value, which may borrow from each other, are not \
        supported: compute the passive values elsewhere and pass them in";

    // Iterators and ranges.
    RANGE_BOUNDS = "the bounds of a range cannot depend on an active value; compute those of a loop from passive values, or write `while` \
        with a condition, and `a <= x && x <= b` for `(a..=b).contains(&x)`";
    UNKNOWN_ITEMS = "the items of this are not known at compile time; take an array, or a range of known bounds";
    ITEM_CONDITION = "these conditions must be known at compile time, where the items are: those of `filter` after `map`, say; \
        write a `for` loop with an `if`";
    ITEMS_OF_RUN_TIME = "this method is not supported on active values where the number of items is known at run \
        time only; write a `for` loop";
    MUTABLE_ITEMS_OF_RUN_TIME = "which elements these mutable references are to is known at run time only; go over a range of \
        indices, `for i in 0..n { a[i] += x; }`";
    ACTIVE_ITEMS_OF_RUN_TIME = "one of these has active items, and the number of the other one's is known at run \
        time only; write a `for` loop over a range, and index them, `a[i]`";
    CALLED_BEFORE_COUNT = "what is called for active items must follow where their number is known at run time only; call \
        this method first, as in `a.iter().take(n).map(...)`";
    COUNTED_AT_RUN_TIME = "how many items `filter`, `take_while` or `flat_map` leave is known at run time only, and \
        this method would need to know; call it before them, or write a `for` loop";
    EFFECTS_BEFORE_COUNT = "the closures before this `zip`, `skip`, `step_by` or `rev` call, assign or index something, and \
        whether they run for items that are dropped is not known here; call these methods first, or write a `for` loop";
    ENDING_OF_NESTED = "a loop over what `flat_map` gives cannot be left where the number of items is known at run time only; \
        write two loops";
    iterator_size(most) = "iterators of more than {most} parts are not supported; write a `for` loop";
    STEP = "a step of 0 is not allowed: the function would panic";
    LONGER = "the longer one of these calls closures, perhaps for items that have no partner; make both of the same length";
    TOTAL = "the sum or product of active values must be of their float type";
    TOTAL_OF_NOTHING = "this has no terms, and its type is not known here; write `sum::<f64>()`, for instance";
    iterator_method(known, last) = "of the methods of iterators, {known} and `{last}` are supported here";
    collecting(name) = "`{name}` is supported for a `Vec`, `collect::<Vec<_>>()`, of which the length is known at compile time; use \
        `core::array::from_fn`, or `map` of an array";
    reducing(name) = "`{name}` is not supported here; use `fold`, `reduce`, or `max_by` with `f64::total_cmp`";
    picking(name) = "`{name}` is not supported here; index the array";
    MUTABLE_ITERATOR = "a mutable reference to an iterator over active values is not supported; take items off the iterator itself, \
        `it.next()`, or index the array";
    PICKED_AT_RUN_TIME = "which active item this is must be known when the function is expanded: not in a branch or a loop that is \
        decided at run time; use `for`, or index the array";
    TAKEN_AT_RUN_TIME = "how many items this takes off the iterator is known at run time only; call it on another iterator, \
        `x.iter().any(...)`, or index the array";
    adapting(name) = "`{name}` is not supported here; use a `for` loop";
    ORDER_EXPECTED = "an `Ordering` is expected here, as `a.total_cmp(b)` gives it";
    taking_out(name) = "`{name}` is not supported after closures that use active values; write `map_or(0.0, |v| ...)`, or \
        `if let Some(v) = ...`";

    // Closures.
    CLOSURE = "only plain closures are supported: `|x| ...` and `move |x| ...`";
    CLOSURE_EXPECTED = "a closure is expected here";
    CALLABLE_EXPECTED = "a closure such as `|x| ...`, or the path of a function, is expected here";
    CLOSURE_AS_VALUE = "a closure cannot be stored in an array, a tuple or a struct, or be returned: what it does is \
        then not known here; bind it by `let`, pass it as an argument, or write a function";
    FROM_FN = "what an imported name means is not seen here; write `core::array::from_fn(...)`, or import it in the function or in the \
        `#[jacobian] mod`";
    CLOSURE_GIVEN = "a closure cannot be given to a function whose body is not known here; call it, or give it to a method \
        of iterators over arrays and over ranges of known bounds";
    closure_arguments(count) = "this closure takes another number of arguments: {count}";

    // Calls of functions that have a Jacobian of their own.
    declared_arguments(function, count) = "another number of arguments is declared for `{function}`: {count}";
    no_partial(function) = "this argument depends on an active value, and `with({function} = ...)` has `_` in the \
        place of its partial; write that partial, or pass a passive value";
    variable_in_partial(name) = "a partial sees its arguments, the result, and what is around the function; `{name}` is a \
        variable of the function: let it be an argument, or give what is meant here another name";
    PARTIAL_OF_ARGUMENT = "a partial must have the shape of its argument: a float, or an array of as many floats";
    RESULT_OF_PARTIALS = "a function whose partials are written out must return a float, of the type of the active \
        parameters";
    declared_result(float) = "this function must be declared to return a float, or arrays and tuples of floats, of the type of the \
        active parameters, which is `{float}`";
    UNKNOWN_ARGUMENT = "whether this argument is a float is not known here; declare the type of the function, \
        `with(g: fn(f64, usize) -> f64)` for instance";
    ARGUMENT_IS_NO_FLOAT = "this argument is declared to be no float, so that it cannot depend on an active value; \
        declare a float, or pass a passive value";
    ARGUMENT_LENGTH = "an array of another length is expected here";
    RETURNED_LENGTH = "what this call returns is not known here; write `let y: [f64; 3] = g(...)`, or declare its type, \
        `with(g: fn(f64) -> [f64; 3])`, of a tuple `with(g: fn(f64) -> (f64, f64))`";
    MATCHED_RESULT = "what this call returns is not known here; if it is an `Option` or a `Result`, declare it, \
        `with(g: fn(f64) -> Option<f64>)`, and take it out: `g(x)?`, `g(x).unwrap()`";
    WRAPPED_RESULT = "what this call returns is in an `Option` or a `Result`; take it out right there: `g(x)?`, `g(x).unwrap()`, \
        `g(x).expect(\"...\")` or `g(x).ok_or(error)?`";
    solution_not_copied(name) = "the solution of an equation is given to the residual and returned: derive `Clone` and `Copy` for `{name}`";
    RETURNS_ARRAY = "this call returns an array, as it is used elsewhere; a float is expected here";
    RETURNS_FLOAT = "this call returns a float, as declared in `with(...)` or by its partials, but an array or a \
        tuple is expected here; declare that type, `with(g: fn(f64) -> [f64; 3])`";
    no_hessian(function, jacobian) = "the second derivatives of `{function}` are not known; name the function that \
        gives them after its Jacobian, `with({function} = ({jacobian}, ...))`, or write `{function}` out here";
    no_hessian_of_solution(function) = "the solution of an equation has no second derivatives; write a `{function}` that \
        has them, `with({function} = (dg, ddg))`";
    OTHER_ORDER = "this function's `wrt(...)` has another order than its parameters, which a function in `with(...)` \
        must have; name its parameters in order, or leave it out of `with(...)`";
    stored_by_columns(function, jacobian) = "`{jacobian}` returns an array of columns: say so in `with({function} = \
        columns({jacobian}))`, or leave it out of `with(...)`";
    stored_as_matrix(function, jacobian) = "`{jacobian}` returns a matrix of nalgebra: say so in `with({function} = \
        matrix({jacobian}))`, or leave it out of `with(...)`";
    stored_by_rows(function, jacobian) = "`{jacobian}` returns an array of rows: name it as it is, `with({function} = \
        {jacobian})`, or leave it out of `with(...)`";

    // Calls of functions without one.
    CALLEE = "what is called here is no path, so that the function is not known; give it a name, `fn g(...)` or `let \
        g = |x| ...;`, and call that";
    CALLED_PARAMETER = "this function is a parameter, so that its derivative is not known: call one by its name, or leave this as a helper \
        of a `#[jacobian] mod`, and mark a function there that gives it a closure";
    NO_FUNCTION = "this name is a variable that holds a number or an array, and cannot be called; call a function or \
        a closure";
    UNCLEAR_FUNCTION = "this may be an item of the module, or a name out of `use ...::*` in this function; name what is \
        imported, or write `self::` in front of the item";
    RECURSION_OUTSIDE = "the function calls itself here; write a loop, or, where it is known how often it does, put it into a \
        module with `#[jacobian]`";
    recursion(name, depth) = "`{name}` calls itself here, more than {depth} times: how often has to be known, by a constant or a \
        literal, for a call is written out each time";
    function_arguments(name, count) = "`{name}` takes another number of arguments: {count}";
    unknown_generic(name, function) = "what `{name}` is, a generic parameter of `{function}`, which is inlined here, is \
        not known; give it at the call, `{function}::<...>(...)`, as a type, a number or the name of a constant";
    inlined_name(name) = "the function that is inlined here means something else by `{name}` than the item or the `use` in \
        this function; rename one of them";
    INLINED_GLOB = "`use ...::*` in a function that is inlined is not supported; write it in the module";
    unknown_function(path) = "the derivative of `{path}` is not known: put `#[jacobian]` on it and name it here, \
        `#[jacobian(with({path}))]`, or put both functions into a module with `#[jacobian]`";
    variant_of_enum(path) = "`{path}` is given an active value, which only a struct of a `#[jacobian] mod` can hold; enums and structs from \
        elsewhere cannot";
    unknown_path(path, name) = "the derivative of `{path}` is not known. Put `#[jacobian]` on it and name it, \
        `#[jacobian(with({path}))]`; if it is not yours, name a Jacobian of your own, `#[jacobian(with({path} = \
        {name}_jac))]`";
    function_of_std(path) = "the derivative of `{path}` is not known; use the methods of floats, `x.max(y)` for instance";
    unknown_method_of_self(name, types, float) = "the derivative of the method `{name}` is not known. Put \
        `#[jacobian]` on it, and name it, `with(self.{name}: fn(&Self, {types}) -> {float})`; or put the struct and \
        its `impl` into a `#[jacobian] mod`";
    unknown_method(ty, name, receiver, types, float) = "the derivative of the method `{name}` is not known. Call it \
        by its path, `{ty}::{name}({receiver}, ...)`, and name it, `with({ty}::{name}: fn(&{ty}, {types}) -> \
        {float})`: `{ty}::{name}_jac` is called";
    COLLECTION = "a `Vec` holds active values only where its length is known at compile time, and other collections do not; an array can: \
        `let mut log = [0.0; 3];`, and then `log[0] = z;`";
    RESIZED = "how long a `Vec` of active values is has to be known at compile time: so do indices and lengths here";

    // Methods and functions of floats.
    TYPE_ARGUMENTS = "this method is known without type arguments only; leave out `::<...>`, and write the type at \
        the `let` that takes the result";
    operands(name, count) = "`{name}` takes {count} operands, the receiver included";
    PASSIVE_INTEGER = "an integer that depends on no active value is expected here";
    not_complex(name) = "`{name}` has no derivative for complex numbers, which `ComplexField` admits; take `RealField`";
    unknown_name(name, near) = "the derivative of `{name}` is not known. Similar names are: {near}; write the \
        function out with what is known and arithmetic";
    neighbouring(name) = "`{name}` steps to a neighbouring float and has no derivative; call it on passive values";
    leaving_floats(name) = "`{name}` gives no float, so that the derivative would be lost; call it on passive values";
    comparing(name) = "`{name}` compares, and gives no float; write `<`, `==` and the like";
    of_libm(name, libm) = "`{name}` is no stable method of floats; write `libm::{libm}(...)`, with the crate libm (`libm::{libm}f(...)` \
        for f32), or call a function of your own, and name it in `with(...)`";
    of_unknown_items(name) = "`{name}` is not supported on items that are not known one by one at compile time; \
        index them in a loop over a range of known bounds";
    operator(name) = "`{name}` is an operator; write it as `+`, `-`, `*`, `/`, `%`";

    // Vectors, matrices and points of nalgebra.
    VECTOR_OPERATOR = "this operation on vectors, matrices or points is not supported; sums, differences, products with a \
        float, quotients by a float and products of matrices are: write it out over the elements";
    FLOAT_FOR_VECTOR = "this is a float, and a vector is expected; beside an active float, what cannot be seen is taken for a float: \
        bind it with its type first, `let v: Vector3<f64> = ...;`";
    FACTOR_UNSEEN = "this factor of a vector cannot be seen here, was taken for a float, and is none; bind it with its type first: \
        `let m: Matrix3<f64> = ...;`";
    FACTOR_UNSEEN_LABEL = "not a float";
    VECTOR_UNSEEN = "what this is cannot be seen here; bind it with its type first: `let v: Vector3<f64> = ...;`";
    VECTOR_SHAPES = "these two have different numbers of rows or columns, so that the operation is not defined; take \
        parts of equal size, or transpose one";
    VECTOR_SHAPE = "another number of rows or columns is expected here; take a part of that size, \
        `v.fixed_rows::<3>(0)` for instance";
    VECTOR_FIELD = "this field is not known; take the element by its index";
    VECTOR_INDEX = "the index of an element must be an integer, or a tuple of two, `m[(i, j)]`";
    vector_index(rows, columns) = "this index is out of range for {rows} rows and {columns} columns";
    VECTOR_FLOATS = "the elements of this type are other floats than the active parameters; use one float type for \
        all";
    VECTOR_ARGUMENTS = "the arguments do not say which float is where; write them as floats or arrays, as many as the type has";
    vector_constructor(known) = "this is not supported with active values; to construct with them there are {known}";
    vector_method(known) = "of the methods of vectors and matrices, these are supported: {known}; write others out over \
        the elements";
    formula_of_parameter(name) = "this needs numbers that cannot be written for the type parameter `{name}`: \
        rotations in space, and inverses, are differentiated for f64 and f32 only";
    NOT_SQUARE = "only square matrices have a determinant, an inverse or a trace; take a square part, \
        `m.fixed_view::<3, 3>(0, 0)` for instance";
    LARGE_DETERMINANT = "the determinant of a matrix of more than four rows is not supported; expand it by a row, or name a function \
        with a Jacobian in `with(...)`";
    decomposition(name) = "`{name}` is not supported with active values; `lu().solve(&b)`, `cholesky()` and `try_inverse()` are, up to six \
        rows, and a function of yours that solves the equations is, with `with(solve = implicit(residual))`";
    iteration(name) = "`{name}` is not supported with active values: nalgebra iterates until it is near enough; write a function around it \
        that takes and returns arrays, and name it with its Jacobian in `with(...)`";
    LARGE_EQUATIONS = "equations and inverses are supported for up to six rows; let a function of yours solve those of more, with \
        `with(solve = implicit(residual))`";
    optional_method(known) = "of the methods of an `Option` of active values, these are supported: {known}; or take \
        `if let Some(x) = ...`";
    UNUSED_ITEMS = "this is not used, and computes nothing if it is an iterator; if it is an `Option`, which is not known here, write \
        `if let Some(v) = ... { }`";
    OPTION_EXPECTED = "an `Option` is expected here, of which it is seen what is in it: `Some(x)` or `None`, in `if` or `match`";
    OPTIONAL_PATTERN = "an `Option` of active values is matched with `Some(x)` and `None`: match what is in it in the arm";
    factor_method(known) = "of the methods of this factorization, these are supported: {known}; the matrix itself has a `determinant`";
    factorization(path) = "`{path}` is not supported with active values; the methods `m.lu()` and `m.cholesky()` are, and `solve` of what \
        they give";
    SOLVED_BY_PASSIVE = "what this solves is not seen here, where the right side is active: take the matrix itself, `m.lu().solve(&b)`, or \
        multiply by its inverse";
    VECTOR_PART = "the rows and columns of this part are not known here; write them as numbers: `m.fixed_view::<3, 3>(0, 0)`, \
        `m.column(0)`, `m.set_row(1, &r)`, `m.fixed_rows_mut::<3>(0).copy_from(&v)`";
    geometry_method(known) = "of the methods of this type, these are supported with active values: {known}";
    geometry_constructor(known) = "this is not supported with active values; to construct this type with them there are {known}";
    CROSS = "`cross` is for vectors of three elements";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    /// The most characters of a message.
    const MAX_LENGTH: usize = 220;

    /// `cargo test -p jacobian-core -p jacobian-lower --lib messages -- --nocapture` prints all of them, and those of the
    /// engine.
    #[test]
    fn messages_are_short_and_have_no_full_stop() {
        for (name, text) in ALL {
            println!("{name}\n    {text}\n");
            assert!(!text.is_empty() && !text.starts_with(' '), "`{name}` begins with nothing");
            assert!(!text.ends_with(['.', ' ', ';', ':']), "`{name}` does not end with a word");
            assert!(!text.contains("  "), "`{name}` has two spaces in a row");
            assert!(text.chars().count() <= MAX_LENGTH, "`{name}` is longer than {MAX_LENGTH} characters");
        }
    }

    #[test]
    fn no_message_stands_here_twice() {
        for (index, (name, text)) in ALL.iter().enumerate() {
            let earlier = ALL[..index].iter().find(|(_, earlier)| earlier == text);
            assert!(earlier.is_none(), "`{name}` says what `{}` says", earlier.map_or("", |(earlier, _)| earlier));
        }
    }
}
