//! The forms that the macro generates for a program, by value and in place, at a point: each as an interpreter runs it.

use super::ending::Ending;
use super::interpret::Interpreter;
use super::number::Number;
use super::tree::{Function, Program, Type};
use super::value::Value;

/// The forms of first derivatives, and those of second ones. Each is there by value and in place.
const FIRST: [&str; 9] = ["jac", "jac_only", "jvp", "vjp", "lin", "lin_jvp", "lin_vjp", "jac_sparse", "normal"];
const SECOND: [&str; 3] = ["hess", "hvp", "hess_sparse"];

/// The forms of the functions that a program calls, where it has second derivatives.
pub const OF_CALLED: &str = "jac, hess";

/// What is said of programs that have no second derivatives.
pub const NO_SECOND: &str = "second derivative";

/// What the macro says where a strategy that the user asks for would take too long.
pub const TOO_LONG: &str = "which takes too long";

/// The floats of a value, and those of the derivatives after it, the entries of a Jacobian row by row; what has
/// happened besides.
pub struct Returned {
    pub value: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub ending: Ending,
}

/// How a form gives what it computes, by what its name has at its end.
#[derive(Copy, Clone, Debug)]
pub enum Way {
    ByValue,
    InPlace,
}

impl Way {
    pub const ALL: [Way; 2] = [Way::ByValue, Way::InPlace];

    fn suffix(self) -> &'static str {
        match self {
            Way::ByValue => "",
            Way::InPlace => "_into",
        }
    }
}

/// The names of all forms, as the attribute takes them.
pub fn names(has_second: bool) -> String {
    let second = if has_second { &SECOND[..] } else { &[] };
    let both = |form: &&str| Way::ALL.map(|way| format!("{form}{}", way.suffix()));
    FIRST.iter().chain(second).flat_map(both).collect::<Vec<_>>().join(", ")
}

/// The value and the Jacobian of a program at a point, as what the macro generated computes them.
pub fn jacobian<R: Number>(expanded: &Program, point: &[Value<f64>]) -> Returned {
    Run::<R>::new(expanded, Way::ByValue).call("jac", point, &[])
}

/// The weights, or the direction, of second derivatives: a vector of this length.
pub fn seed(length: usize) -> Vec<f64> {
    [0.5, -1.0, 2.0, 1.5, -0.25].into_iter().cycle().take(length).collect()
}

/// The second derivatives of a program with this many columns at a point, by the forms for them, for [`seed`]s: the
/// gradient, and then the Hessian, its product with a direction, and the Hessian by its entries that are not zero by
/// structure.
pub fn second<R: Number>(expanded: &Program, way: Way, point: &[Value<f64>], columns: usize) -> [Returned; 3] {
    let run = Run::<R>::new(expanded, way);
    SECOND.map(|form| {
        let returned = run.call(form, point, &run.seeds(form, point));
        if form != "hess_sparse" || returned.ending.panic.is_some() {
            return returned;
        }
        let (gradient, entries) = returned.jacobian.split_at(columns);
        let mut hessian = run.scattered("hess_pattern", entries, columns, columns);
        for (row, column) in (0..columns).flat_map(|row| (0..row).map(move |column| (row, column))) {
            hessian[column * columns + row] = hessian[row * columns + column];
        }
        Returned { jacobian: [gradient, &hessian].concat(), ..returned }
    })
}

/// The normal equations of a program at a point.
pub fn normal<R: Number>(expanded: &Program, way: Way, point: &[Value<f64>]) -> Returned {
    Run::<R>::new(expanded, way).call("normal", point, &[])
}

/// The Jacobian of a program with `rows` and `columns` at a point, by every form that gives one: by itself, row by row
/// from its products with unit vectors, and from its entries that are not zero by structure, each with the value.
pub fn jacobians<R: Number>(
    expanded: &Program,
    way: Way,
    point: &[Value<f64>],
    (rows, columns): (usize, usize),
) -> Vec<(&'static str, Returned)> {
    let run = Run::<R>::new(expanded, way);
    let [own, only] = ["jac", "jac_only"].map(|form| (form, run.call(form, point, &[])));
    let along = (0..columns).map(|column| run.call("jvp", point, &[unit(columns, column)]));
    let along: Vec<_> = along.collect();
    let across: Vec<_> = (0..rows).map(|row| run.call("vjp", point, &[run.cotangent(rows, row)])).collect();
    let entry = |row: usize, column: usize| along[column].jacobian.get(row).copied();
    let by_columns = (0..rows).flat_map(|row| (0..columns).filter_map(move |column| entry(row, column))).collect();
    let by_rows = across.iter().flat_map(|product| product.jacobian.iter().copied()).collect();
    let together =
        |products: Vec<Returned>, jacobian| products.into_iter().next().map(|first| Returned { jacobian, ..first });
    let along = together(along, by_columns).map(|all| ("jvp", all));
    let across = together(across, by_rows).map(|all| ("vjp", all));
    let sparse = run.call("jac_sparse", point, &[]);
    let sparse = match sparse.ending.panic {
        Some(_) => sparse,
        None => Returned { jacobian: run.scattered("jac_pattern", &sparse.jacobian, rows, columns), ..sparse },
    };
    let mut all: Vec<_> = [own, only].into_iter().chain(along).chain(across).collect();
    all.extend(run.linear(point, rows, columns));
    all.push(("jac_sparse", sparse));
    all
}

/// A unit vector.
fn unit(length: usize, place: usize) -> Value<f64> {
    let entries = (0..length).map(|index| Value::Float(f64::from(u8::from(index == place))));
    Value::sequence(entries.collect())
}

/// A vector of this type, which says how long it is.
fn seed_of(ty: &Type) -> Value<f64> {
    match ty {
        Type::Reference(target) => match &**target {
            Type::Array(_, length) => Value::sequence(seed(*length).into_iter().map(Value::Float).collect()),
            other => panic!("no seed is of the type {other:?}"),
        },
        other => panic!("no seed is of the type {other:?}"),
    }
}

/// Runs the forms of a program.
struct Run<'p, R> {
    expanded: &'p Program,
    way: Way,
    number: std::marker::PhantomData<R>,
}

impl<'p, R: Number> Run<'p, R> {
    fn new(expanded: &'p Program, way: Way) -> Self {
        Run { expanded, way, number: std::marker::PhantomData }
    }

    fn generated(&self, name: &str) -> &'p Function {
        let name = format!("{}_{name}", self.expanded.main().name);
        self.expanded.function(&name).unwrap_or_else(|| panic!("`{name}` has not been generated"))
    }

    /// The function of this form.
    fn form(&self, form: &str) -> &'p Function {
        self.generated(&format!("{form}{}", self.way.suffix()))
    }

    /// The seeds of this form, which are its parameters between those of the program and what is written in place.
    fn seeds(&self, form: &str, point: &[Value<f64>]) -> Vec<Value<f64>> {
        let after = self.form(form).parameters[point.len()..].iter().map(|parameter| &parameter.ty);
        after.filter(|ty| !matches!(ty, Type::Exclusive(_))).map(seed_of).collect()
    }

    /// A unit cotangent, which is a number where the result is one.
    fn cotangent(&self, rows: usize, row: usize) -> Value<f64> {
        if self.expanded.main().result == Type::Float { Value::Float(1.0) } else { unit(rows, row) }
    }

    /// The Jacobian from the products of its labels with unit vectors, first by columns, then by rows.
    fn linear(&self, point: &[Value<f64>], rows: usize, columns: usize) -> [(&'static str, Returned); 2] {
        let given = self.call("lin", point, &[]);
        let labels = Value::sequence(given.jacobian.iter().copied().map(Value::Float).collect());
        let product = |form: &str, seed: Value<f64>| {
            // A product that nothing is left of has no result.
            match given.ending.panic {
                Some(_) => Vec::new(),
                None => self.call(form, &[labels.clone(), seed], &[]).jacobian,
            }
        };
        let along: Vec<_> = (0..columns).map(|column| product("lin_jvp", unit(columns, column))).collect();
        let entry = |row: usize, column: usize| along[column].get(row).copied();
        let by_columns = (0..rows).flat_map(|row| (0..columns).filter_map(move |column| entry(row, column))).collect();
        let by_rows = (0..rows).flat_map(|row| product("lin_vjp", self.cotangent(rows, row))).collect();
        let returned = |jacobian| Returned { value: given.value.clone(), jacobian, ending: given.ending.clone() };
        [("lin_jvp", returned(by_columns)), ("lin_vjp", returned(by_rows))]
    }

    /// A matrix row by row from its compressed columns, the places of which are in this pattern.
    fn scattered(&self, pattern: &str, entries: &[f64], rows: usize, columns: usize) -> Vec<f64> {
        let pattern = Interpreter::<R>::new(self.expanded).run(self.generated(pattern), Vec::new());
        let pattern = pattern.unwrap_or_else(|_| panic!("a pattern is constant"));
        let [starts, indices] =
            [0, 1].map(|part| pattern.elements()[part].elements().iter().map(Value::index).collect::<Vec<_>>());
        assert_eq!((starts[columns], indices.len()), (entries.len(), entries.len()), "a place for every entry");
        let mut matrix = vec![0.0; rows * columns];
        for column in 0..columns {
            for place in starts[column]..starts[column + 1] {
                matrix[indices[place] * columns + column] = entries[place];
            }
        }
        matrix
    }

    /// What a generated function gives at a point: the value, if it gives that, and what follows it.
    fn call(&self, form: &str, point: &[Value<f64>], seeds: &[Value<f64>]) -> Returned {
        let function = self.form(form);
        let mut arguments: Vec<_> = point.iter().chain(seeds).map(|argument| argument.map(&mut R::constant)).collect();
        let given = arguments.len();
        let has_value = form != "jac_only" && !form.starts_with("lin_");
        for (index, parameter) in function.parameters[given..].iter().enumerate() {
            let Type::Exclusive(target) = &parameter.ty else { panic!("an argument is missing") };
            let target = if has_value && index == 0 { &self.expanded.main().result } else { &**target };
            arguments.push(nothing(target));
        }
        let mut interpreter = Interpreter::<R>::new(self.expanded);
        let result = interpreter.run_changing(function, arguments.clone());
        let floats = |value: &Value<R>| value.floats().into_iter().map(R::value).collect::<Vec<_>>();
        let (value, jacobian) = match &result {
            Ok((result, changed)) => {
                let parts = match (self.way, has_value) {
                    (Way::InPlace, _) => &changed[given..],
                    (Way::ByValue, true) => result.elements(),
                    (Way::ByValue, false) => std::slice::from_ref(result),
                };
                let (value, rest) = parts.split_at(usize::from(has_value));
                (value.iter().flat_map(floats).collect(), rest.iter().flat_map(floats).collect())
            }
            Err(_) => (Vec::new(), Vec::new()),
        };
        Returned { value, jacobian, ending: Ending::of(result.err(), &interpreter.trace, &arguments) }
    }
}

/// A value of this type, all floats of which are still to be written.
fn nothing<R: Number>(ty: &Type) -> Value<R> {
    match ty {
        Type::Float => Value::Float(R::constant(f64::NAN)),
        Type::Array(element, length) => Value::sequence(vec![nothing(element); *length]),
        Type::Tuple(elements) => Value::sequence(elements.iter().map(nothing).collect()),
        Type::Struct(own) => {
            Value::Struct(own.name.clone(), std::rc::Rc::new(own.fields.iter().map(|(_, ty)| nothing(ty)).collect()))
        }
        other => panic!("nothing of the type {other:?} is written in place"),
    }
}
