//! Every refusal and its advice, in one room: what is not supported, and what to write instead.
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
        pub const $name: &str = $text;
    };
    ($name:ident($($part:ident),+) = $text:literal) => {
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
    BRACKETS = "brackets nest too deeply here; bind the inner parts with `let`";
    PREFIXES = "too many prefix operators one behind the other";
    NESTED_SOURCE = "this nests too deeply; write it as several statements";
    LONG_EXPRESSION = "this expression is too long; bind parts of it with `let`";

    // Options.
    option_expected(known) = "an option is expected here; known: {known}";
    option_form(form) = "this option is written {form}";
    option_twice(name) = "the option `{name}` is given twice";
    unknown(what, name, known) = "unknown {what} `{name}`; known: {known}";
    steps_expected(most) = "a number of steps, up to {most}, is expected here";
    steps_of_no_search(strategy) = "`steps` is for a search, such as `strategy = \"search\"`, not for `{strategy}`";
    NAME_EXPECTED = "the name of a function is expected here";
    OWN_NAME = "the function itself has this name";
    INTO_AND_FORMS = "`into` is short for `forms(jac, jac_into)`: name all functions there, and leave out `into`";
    FORM_EXPECTED = "the name of a form is expected here";
    FORMS_NOTHING = "`forms(...)` names at least one form";
    form_twice(name) = "the form `{name}` is named twice";
    unknown_form(name, known, matrices) = "unknown form `{name}`; known: {known}, each also with `_into` behind it, which writes in \
        place; {matrices} also with `_sparse` behind them, which gives the entries that are not zero";
    LAYOUT_OF_DENSE = "no form here gives a dense matrix that could be stored like this";
    LAYOUT_OF_SPARSE = "no form here gives a sparse matrix that could be stored like this; `jac_sparse` does";
    CONST_MATRIX = "a `const fn` cannot make a matrix of nalgebra; leave out `layout`";
    NAME_OF_FORMS = "`name` is for one form; the functions of several are called by the names of the forms";
    own_name_in_place(name) = "with `into`, a function `{name}` is generated, and the function itself has this name";
    WRT_EXPECTED = "the name of a parameter is expected here, or a field of one: `p.k`, `p.gains: [f64; 3]`";
    WRT_NOTHING = "`wrt(...)` names at least one parameter";
    wrt_overlap(name, earlier) = "`{name}` and `{earlier}` have floats in common: each may be named once";
    wrt_twice(name) = "the parameter `{name}` is named twice";
    no_parameter(name, known) = "`{name}` is not the name of a parameter; there are: {known}";
    WITH_EXPECTED = "a function is expected here, written `g`, `g = path::to::dg`, `g = (dg, ddg)`, \
        `g = implicit(residual)`, or `g: fn(f64, &[f64; 3]) -> f64`";
    WITH_NOTHING = "`with(...)` names at least one function";
    WITH_TWICE = "this function is named twice";
    OPTION_OF_FUNCTION = "this option belongs to one function; write it on the function inside of the module";

    // Modules.
    MODULE_IN_FILE = "`#[jacobian]` goes on a module with its content in braces: a macro cannot read another file";
    UNMARKED = "no function of this module is marked: write `#[jacobian]` on those that get a Jacobian";
    ONLY_METHODS = "no function of this module is marked, and methods in `impl` blocks are not differentiated across it: \
        write `#[jacobian]` on the methods only, and none on the module, or on a function that a method calls";
    method_of_trait(name, of) = "the Jacobian of `{name}` would be a method that the trait `{of}` does not have: move the \
        body into a method in an `impl` of the type itself, with `#[jacobian]`, and call that one here";
    callee_under_cfg(name) = "`{name}` is under a `cfg`, so that it is not inlined, but called through its Jacobian, which \
        must have a column for every float: it can have no generic parameters and no `wrt`; put the condition on a \
        constant or a module that it uses";
    callees_differ(name) = "the functions `{name}` under `cfg` differ in their signatures or in the names of their \
        Jacobians: which of them is called is not known here; give all of them one signature";

    // Signatures.
    ASYNC_FUNCTION = "`async` functions are not supported: a Jacobian is of a plain function";
    UNSAFE_FUNCTION = "`unsafe` functions are not supported: the generated function is safe";
    FOREIGN_ABI = "a foreign ABI is not supported; annotate a plain function and call it from the foreign one";
    VARIADIC = "variadic functions are not supported";
    MUTABLE_SELF = "`&mut self` is not supported: the generated function would repeat the changes; take `&self`";
    PARAMETER_ATTRIBUTE = "attributes on parameters are not supported; put it on the function or remove it";
    NO_ACTIVE = "there is no active parameter: take a float (`f64`, `f32`, or a type parameter with a bound that the \
        result is of) or an array of these, by value or by `&`, and the fields of a struct one by one";
    ACTIVE_TUPLE = "a tuple as an active parameter is not supported; use an array or several parameters";
    FLOAT_TYPES = "all active parameters must be of one float type; name those of one type with `wrt(...)`";
    or_name_active(why) = "{why} (or name the active parameters with `wrt(...)`, which leaves this one passive)";
    MUTABLE_TARGET = "of mutable references, those to floats and arrays of floats can be differentiated";
    WRT_OUTPUT = "`wrt` names the parameters that are differentiated by; this one is an output, behind `&mut`";
    OUTPUT_PATTERN = "an output, which is a parameter behind `&mut`, has a plain name: `y: &mut [f64; 2]`";
    NO_RESULT = "a function without a result has no Jacobian; return a float, an array or a tuple of floats, or assign \
        them to a parameter such as `y: &mut [f64; 2]`";
    RESULT_TYPE = "the result must be a float (f64, f32, or a type parameter with a bound, such as `num_traits::Float`), \
        an array of floats, or a tuple of those";
    RESULT_FLOATS = "the result must be of floats of the same type as the active parameters";
    OUTPUT_FLOATS = "an output must be of floats of the same type as the active parameters";
    many_entries(what, most) = "the {what} has more than {most} entries, which is not supported; compute it in parts, or take \
        products with it: `forms(jvp)`, `forms(vjp)`, `forms(hvp)`; or, if few entries are not zero, only those: `forms(jac_sparse)`, `forms(hess_sparse)`";
    many_nonzeros(what, most) = "more than {most} entries of the {what} are not zero, which is not supported; compute it in parts, or \
        take products with it: `forms(jvp)`, `forms(vjp)`, `forms(hvp)`";

    // What a function, a closure or a block gives.
    NO_VALUE_SEMICOLON = "the body gives no value, for it ends with a semicolon; remove the one behind its last expression";
    NO_VALUE = "the body gives no value; end it with an expression of the type of the result";
    OTHER_RESULT = "the body does not return a value of this type";
    never_assigned(place) = "`{place}` is never assigned: a function assigns every float of its outputs";
    ALWAYS_PANICS = "the function always panics here";
    UNTOLD_TYPE = "the type of this number may be told by code that is left out of the generated code, for control never comes to \
        it or it is evaluated here; write the type, as in `1_usize`";
    UNKNOWN_REASON = "this function cannot be differentiated, for a reason that is not known here; please report it";

    // Types and parameters.
    SHAPE_LENGTH = "a length must be written as a number, `[f64; 3]` for instance: a macro does not see what a constant \
        outside of its module or a const parameter is, and a type alias hides the floats";
    SLICE = "the length of a slice is not known here; take an array, `&[f64; 3]` for instance";
    VEC = "the length of a `Vec` is not known here; use an array, `[f64; 3]` for instance";
    OPTION = "`Option` and `Result` around floats are not supported; use the floats themselves, and `f64::NAN` where there \
        is none";
    MIXED = "a tuple of floats and of something else is not supported; use floats and arrays of floats";
    MUTABLE_INSIDE = "mutable references inside other types are not supported; take a parameter of its own for each";
    FLOAT_TYPE = "this type of floats is not supported; use floats and arrays of floats";
    wrt_struct(name) = "a struct cannot be an active parameter as a whole; name those of its fields that are floats, \
        `wrt({name}.k, {name}.gains: [f64; 3])` for instance";
    WRT_FIELD_TYPE = "the type of a field that `wrt` names is that of floats: `p.k: f64`, `p.gains: [f64; 3]`";
    WRT_FIELD_OF_MUTABLE = "a field of what is behind `&mut`, or is `mut`, cannot be differentiated by; take it by `&` or by value";
    WRT_FIELD_OF_PATTERN = "a parameter with fields that `wrt` names has a plain name: `p: &Params`";
    WRT_OTHER = "`wrt` names this parameter, but it is neither a float nor an array of floats";
    STRUCT_RESULT = "a struct cannot be the result; return its floats as an array or a tuple";

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
    CONDITION = "a condition is expected here";
    literal_of_parameter(name) = "a literal is no `{name}`; write `{name}::from(2.0).unwrap()` or what its bounds offer";
    UNASSIGNED = "this has no value here";
    unassigned(name) = "`{name}` has no value here";
    UNSET_OUTPUT = "this has no value here: an output is read after it is assigned; what it holds before is a parameter of \
        its own";
    OUTPUT_PASSED_ON = "an output is read by its elements, or as a whole by `*`; here it would be passed on";
    INTO = "which type `into` gives is not known here; bind it with its type first: `let v: Vector3<f64> = ...;`";
    CONVERSION = "the conversion into this type is not known; construct it from its floats";
    CAST = "an active value cannot be converted to another type: its derivative would be lost";
    NO_VALUE_HERE = "`_` is no value here";

    // Operators, fields, and what is not supported as a whole.
    OPERATOR = "this operator is not supported";
    OPERATOR_ON_ACTIVE = "this operator is not supported on active values";
    POWER = "`^` is no power in Rust, but acts on bits; write `x.powi(2)` or `x.powf(y)`";
    FIELD_OF_ACTIVE = "a field of an active value is not supported";
    tuple_field(length) = "this tuple has {length} elements";
    RECORD_AS_WHOLE = "`wrt` names fields of this value, so that only its fields can be used here: a method, a function or an \
        operator could read the active ones where nothing shows it";
    RECORD_BEHIND_DEREF = "`wrt` names fields of a parameter, and this may be a value of another type that its `Deref` leads to; \
        take that type as the parameter";
    STRUCT_VALUE = "struct values are not supported; use arrays or tuples";
    EXPRESSION = "this expression is not supported; use `let`, arithmetic, and the methods of floats";
    NESTED_EXPRESSION = "this nests too deeply, together with the closures that lead here; bind parts of it with `let`";
    ASYNC = "asynchronous code is not supported in a differentiated function";
    CONST_BLOCK = "`const` blocks are not supported; bind a `const` item";
    RAW_POINTER = "raw pointers are not supported; use references";
    TRY = "error propagation is not supported; return floats";
    UNSAFE = "`unsafe` blocks are not supported; take their value as a parameter";
    YIELD = "`yield` is not supported";

    // Items, attributes and macros.
    ITEMS = "of the items, only `const`, `static`, `use`, `fn`, `impl`, traits and types are supported inside a \
        differentiated function; move this one out of it";
    STATE = "a `static` inside a differentiated function must be of a primitive type, or of arrays, tuples and references of \
        these: the generated function has its own copy, and what changes must be one; move it out of the function";
    CONDITIONAL_ITEM =
        "`cfg` and `#[jacobian]` are not supported on items inside a differentiated function; move this one out of it";
    PRIMITIVE = "an item with the name of a primitive type is not supported inside a differentiated function";
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
    MACRO = "macros are not expanded here; write out what this one stands for";
    captured_item(name) = "a macro that is not known here cannot capture `{name}` in its text, which is declared as an item of this \
        function; give it as an argument: `\"{{}}\", {name}`";
    VEC_MACRO = "a `Vec` cannot hold active values; an array can: write `[x, y]` for `vec![x, y]`";
    STATEMENT_IN_CONSTANT = "a block in a constant is not supported; give its parts constants of their own";
    MACRO_IN_CONSTANT = "a macro in a constant is not expanded here; declare the constant outside of the function, or \
        write out what the macro stands for";
    VARIABLE_IN_CONSTANT = "a constant cannot depend on a variable";
    overflow(operation, ty) = "{operation} has no value in {ty}: the function would panic or wrap around here";
    PRINTED = "an active value cannot be printed or be part of a message here; leave it out";
    STATEMENT_IN_ASSERTION = "blocks, assignments and what else may change a variable are not supported in an assertion; bind what it \
        is about with `let`";

    // Arrays.
    array_of_more(most) = "an array of more than {most} elements is not supported";
    deep_array(most) = "arrays and tuples nest at most {most} deep here";
    ARRAY_LENGTH = "the length of this array is not known here; write `let a: [f64; 3] = core::array::from_fn(...)`";
    ARRAY_LENGTH_HERE = "the length of this array is not known here";
    ONLY_ARRAYS = "only arrays can be indexed";
    index_out_of_range(index, length) = "the index {index} is out of range for an array of {length}";
    range_out_of_range(length) = "this range is not within an array of {length}";
    ARRAY_METHOD = "of the methods of arrays, `len`, `is_empty`, `iter`, `iter_mut`, `into_iter`, `map`, `windows`, \
        `chunks_exact`, `split_at`, `as_slice`, `each_ref`, `clone`, `swap`, `fill` and `copy_from_slice` are supported here; \
        operate on the elements one by one";
    METHOD_ARGUMENTS = "this method does not take such arguments";
    SLICE_SIZE = "the size of these slices must be known here, and not be 0";
    split_index(length) = "an index up to {length} that is known here is expected";
    swapped_indices(length) = "two indices below {length} that are known here are expected";
    copied_length(length) = "an array or a slice of {length} elements that is known here is expected";
    known_range(length) = "a range that is known here within {length} elements is expected";

    // What must be known when the function is expanded: the beginning, and how it ends.
    INDEX_KNOWN = "the index of an active array must be known here";
    LENGTH_KNOWN = "the length of an active array must be known here";
    ASSIGNED_INDEX_KNOWN = "the index of an element that is assigned must be known here";
    NUMBER_KNOWN = "this number must be known here";
    without_type(what) = "{what}, but the type of an integer in it is not, and in some types it overflows; write the type, \
        as in `1_usize`";
    without_generic(what, name) = "{what}, but `{name}` is a generic parameter of the function, of which the generated \
        function must know all values: write the number, or a `const`, and a function for each number that is needed";
    without_constant(what, name) = "{what}, but a macro cannot read `{name}`, which is not declared in the function's body; \
        declare a `const` there or in a module with `#[jacobian]`, or write the number";
    not_known(what) = "{what}: literals are, and `const`s inside the function, the indices of loops, lengths of arrays, and \
        arithmetic on these";

    // Assignments.
    FIELD_ASSIGNED = "assignment to a field is not supported; use a variable";
    PLACE = "this place cannot be assigned: only variables and their elements can";
    PLACE_OF_UNKNOWN_LENGTH = "this place cannot be assigned: only variables, and elements of arrays and tuples whose length \
        is known here";
    no_variable(name) = "`{name}` is no variable of this function";
    PLACE_AT_RUN_TIME = "the index in this place is known at run time only: write the element itself, as in `a[k] = x;`";
    UNEQUAL_SIDES = "a tuple or an array of as many known elements is expected on the right";
    MUTABLE_REFERENCE = "mutable references are not supported here; assign to the variable itself";
    REFERENCE_ASSIGNED = "closures and mutable references cannot be assigned; bind them with `let`";
    MOVED = "a `move` closure that changes what it has captured is not supported; leave out `move`";

    // Patterns.
    PATTERN = "this pattern is not supported; bind names, tuples and arrays of them, and references to those";
    pattern_length(length) = "this pattern does not fit a value of {length} elements";
    LET_ELSE = "`let ... else` is supported in the body of a function, of a closure or of a loop, where the `else` ends with a \
        jump or a panic; otherwise write `if let Some(k) = n { ... } else { panic!() }` around the rest";
    MATCHED = "patterns are matched with passive values only; compare active values in an `if`";
    LET_CHAIN = "of a condition with `let` in it, all parts must be passive; compare active values in an `if` inside";
    LET_CONDITION = "`let` in a condition is supported as `if let` alone; nest the conditions";
    GUARD = "the guard of an arm must be a passive condition; compare active values in an `if` inside the arm";
    STATEMENT_IN_GUARD = "blocks, assignments and what else may change a variable are not supported in the guard of an arm; bind the \
        condition before";
    EMPTY_MATCH = "a `match` without arms is not supported";
    NO_ARM = "none of these patterns matches the value that is known here";

    // Where control goes.
    ARMS = "the arms give values of different shapes; give each the same known length";
    BREAK = "whether this `break` is reached is known at run time only. That is supported as `if c { break; }` in the body \
        of the loop itself, and in front of any `continue` of that kind: join the conditions, or assign in the branch \
        instead";
    CONTINUE = "whether this `continue` is reached is known at run time only. That is supported as `if c { continue; }` in \
        the body of the loop itself: join the conditions, or write the rest of the body as the `else` of the branch";
    RETURN = "whether this `return` is reached is known at run time only. That is supported as `if c { return y; }` in the \
        body of the function itself, not in a loop or in a further branch: join the conditions, or assign in the branch";
    BREAK_OF_BLOCK = "whether this `break` is reached is known at run time only, which is not supported in a block with a \
        label; write the rest of the block as the `else` of the branch";
    MANY_RETURNS = "these are too many early returns, for each nests the rest of the function once more, and at most 49 are \
        supported; assign to a variable in the branches, or put a part of them into a function of its own";
    NOTHING_TO_LEAVE = "there is no loop and no block here that this could leave";
    LOOP_WITHOUT_END = "this loop has no `break` of its own that is supported here; write `if c { break; }` in its body";
    LOOP_STATE = "what this loop changes is not carried from trip to trip: that is supported of floats, of arrays, tuples and \
        vectors of them, and of passive values in variables that are declared as `mut`";
    LOOP_PANICS = "every trip of this loop panics";
    loops_too_deep(limit) = "loops that are not unrolled nest more than {limit} deep here; differentiate the inner ones as a \
        function of their own, in `with(...)`";
    LOOP_LEFT = "nothing in this loop is active, but control leaves it to somewhere else than behind it, which is supported \
        only where the loop is unrolled; note what is found in a variable, `break` out of the loop, and decide behind it";
    LOOP_UNSET = "this loop assigns a variable that has no value yet; give it one where it is declared, `let mut k = 0.0;`";
    UNROLL_NEVER = "a loop over active values is unrolled: take `unroll = \"auto\"`, or go over a range and index them, \
        `for i in 0..3 { s += a[i]; }`";
    LOOP_ITEMS = "the items of this loop are active, and they are not known here; take an array, such as `&[f64; 3]`, or index it \
        by a range of known bounds";
    MANY_ITERATIONS = "whether this loop goes on is known at run time only, so that each trip is nested in the one before, \
        and these are too many; differentiate a trip as a function of its own, and repeat that";

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
    RANGE_BOUNDS = "the bounds of a range cannot depend on an active value";
    UNKNOWN_ITEMS = "the items of this are not known here; take an array or a range of known bounds";
    ITEM_CONDITION = "the conditions of `filter`, `all` and `any` must be known when the function is expanded";
    iterator_size(most) = "iterators of more than {most} parts are not supported";
    STEP = "a step of 0 is not allowed: the function would panic";
    LONGER = "the longer one of these calls closures, perhaps for items that have no partner; make both of the same length";
    TOTAL = "the sum or product of active values is a float";
    TOTAL_OF_NOTHING = "this has no terms, and its type is not known here; write `sum::<f64>()`, for instance";
    iterator_method(known, last) = "of the methods of iterators, {known} and `{last}` are supported here";
    collecting(name) = "`{name}` is not supported here; use `core::array::from_fn`, or `map` of an array";
    reducing(name) = "`{name}` is not supported here; use `fold`, with `f64::max` for instance";
    picking(name) = "`{name}` is not supported here; index the array";
    adapting(name) = "`{name}` is not supported here; use a `for` loop";

    // Closures.
    CLOSURE = "only plain closures are supported: `|x| ...` and `move |x| ...`";
    CLOSURE_EXPECTED = "a closure is expected here";
    CALLABLE_EXPECTED = "a closure such as `|x| ...`, or the path of a function, is expected here";
    CLOSURE_AS_VALUE = "a closure can be bound by `let` or be an argument, nothing else";
    CLOSURE_GIVEN = "a closure cannot be given to a function whose body is not known here; call it, or give it to a method \
        of iterators over arrays and over ranges of known bounds";
    closure_arguments(count) = "this closure takes {count} arguments";

    // Calls of functions that have a Jacobian of their own.
    declared_arguments(function, count) = "`{function}` is declared to take {count} arguments";
    declared_result(float) = "this function must be declared to return a float or an array of floats, of the type of the \
        active parameters, which is `{float}`";
    UNKNOWN_ARGUMENT = "whether this argument is a float is not known here; declare the type of the function, \
        `with(g: fn(f64, usize) -> f64)` for instance";
    ARGUMENT_IS_NO_FLOAT = "this argument is no float, and cannot depend on an active value";
    ARGUMENT_LENGTH = "an array of another length is expected here";
    RETURNED_LENGTH = "the length of what this call returns is not known here; write `let y: [f64; 3] = g(...)`, or declare \
        the type of the function, `with(g: fn(f64) -> [f64; 3])` for instance";
    RETURNS_ARRAY = "this call returns an array, as it is used elsewhere; a float is expected here";
    RETURNS_FLOAT = "this call returns a float";
    no_hessian(function, jacobian) = "the second derivatives of `{function}` are not known; name what gives them behind its \
        Jacobian, `with({function} = ({jacobian}, ...))`, or write `{function}` out here";
    no_hessian_of_solution(function) = "the solution of an equation has no second derivatives; write a `{function}` that \
        has them, `with({function} = (dg, ddg))`";
    OTHER_ORDER = "the columns of this function's Jacobian are in the order of its `wrt(...)`, those of a function in \
        `with(...)` in the order of its parameters; leave it out of `with(...)`, or name its parameters in order";

    // Calls of functions without one.
    CALLEE = "only functions that are named by a path can be called";
    NO_FUNCTION = "this is no function";
    UNCLEAR_FUNCTION = "this may be an item of the module, or a name out of `use ...::*` in this function; name what is \
        imported, or write `self::` in front of the item";
    RECURSION_OUTSIDE = "the function calls itself here; write a loop, or, where it is known how often it does, put it into a \
        module with `#[jacobian]`";
    recursion(name, depth) = "`{name}` calls itself here, more than {depth} times: how often has to be known, by a constant or a \
        literal, for a call is written out each time";
    function_arguments(name, count) = "`{name}` takes {count} arguments";
    unknown_generic(name, function) = "what `{name}` is, a generic parameter of `{function}`, which is inlined here, is \
        not known; give it at the call, `{function}::<...>(...)`, as a type, a number or the name of a constant";
    inlined_name(name) = "the function that is inlined here means something else by `{name}` than the item or the `use` in \
        this function; rename one of them";
    INLINED_GLOB = "`use ...::*` in a function that is inlined is not supported; write it in the module";
    unknown_function(path) = "the derivative of `{path}` is not known: put `#[jacobian]` on it and name it here, \
        `#[jacobian(with({path}))]`, or put both functions into a module with `#[jacobian]`";
    unknown_path(path, name) = "the derivative of `{path}` is not known. If the function is yours, put `#[jacobian]` on it \
        and name it here, `#[jacobian(with({path}))]`; if not, write its Jacobian yourself and name both, \
        `#[jacobian(with({path} = {name}_jac))]`";
    function_of_std(path) = "the derivative of `{path}` is not known; use the methods of floats, `x.max(y)` for instance";
    unknown_method(ty, name, receiver, types, float) = "the derivative of the method `{name}` is not known. Call it by its \
        path, `{ty}::{name}({receiver}, ...)`, and name it here: `#[jacobian(with({ty}::{name}: fn(&{ty}, {types}) -> \
        {float}))]`, which calls its Jacobian, `{ty}::{name}_jac`";
    COLLECTION = "a `Vec` or another collection cannot hold active values; an array can: `let mut log = [0.0; 3];`, and then \
        `log[0] = z;`";

    // Methods and functions of floats.
    TYPE_ARGUMENTS = "type arguments are not supported on this method";
    operands(name, count) = "`{name}` takes {count} operands, the receiver included";
    PASSIVE_INTEGER = "an integer that depends on no active value is expected here";
    not_complex(name) = "`{name}` has no derivative for complex numbers, which `ComplexField` admits; take `RealField`";
    unknown_name(name, near) = "the derivative of `{name}` is not known; near: {near}. Write the function out with these and \
        arithmetic";
    neighbouring(name) = "`{name}` steps to a neighbouring float and has no derivative";
    leaving_floats(name) = "`{name}` leaves the floats, so that the derivative would be lost";
    comparing(name) = "`{name}` compares; write `<`, `==` and their like";
    of_libm(name, libm) = "`{name}` is no stable method of floats; write `libm::{libm}(...)`, with the crate libm (`libm::{libm}f(...)` \
        for f32), or call a function of your own, and name it in `with(...)`";
    of_unknown_items(name) = "`{name}` is not supported on items that are not known here one by one; index them in a loop \
        over a range of known bounds";
    operator(name) = "`{name}` is an operator; write it as `+`, `-`, `*`, `/`, `%`";

    // Vectors, matrices and points of nalgebra.
    VECTOR_OPERATOR = "this operation on vectors, matrices or points is not supported; sums, differences, products with a \
        float, quotients by a float and products of matrices are: write it out over the elements";
    VECTOR_UNSEEN = "what this is cannot be seen here; bind it with its type first: `let v: Vector3<f64> = ...;`";
    VECTOR_SHAPES = "these are not of the same number of rows and columns";
    VECTOR_SHAPE = "this has another number of rows or columns";
    VECTOR_FIELD = "this field is not known; take the element by its index";
    VECTOR_INDEX = "the index of an element must be an integer, or a tuple of two, `m[(i, j)]`";
    vector_index(rows, columns) = "this index is out of range for {rows} rows and {columns} columns";
    VECTOR_FLOATS = "the floats of this type are not those of the active parameters";
    VECTOR_ARGUMENTS = "the arguments do not say which float is where; write them as floats or arrays, as many as the type has";
    vector_constructor(known) = "this is not supported with active values; to construct with them there are {known}";
    vector_method(known) = "of the methods of vectors and matrices, these are supported: {known}, `len`; write others out \
        over the elements";
    CROSS = "`cross` is of vectors of three elements";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    /// The most characters of a message.
    const MAX_LENGTH: usize = 300;

    /// `cargo test -p jacobian-macro refuse -- --nocapture` prints all of them.
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
