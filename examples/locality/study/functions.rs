//! The functions whose Jacobians are studied.

/// A function.
#[derive(Clone)]
pub struct Function {
    /// Its name in the study.
    pub label: &'static str,
    /// Its source text, with `STEPS` in the place of the number of steps.
    source: &'static str,
    steps: usize,
    /// The number of columns and of rows.
    pub columns: usize,
    pub rows: usize,
    /// The point at which it is evaluated.
    pub point: &'static [f64],
}

impl Function {
    /// The function in Rust.
    pub fn text(&self) -> String {
        self.source.replace("STEPS", &self.steps.to_string())
    }
}

const LORENZ: Function = Function {
    label: "",
    source: include_str!("../functions/lorenz.rs"),
    steps: 0,
    columns: 4,
    rows: 4,
    point: &[1.0, 2.5, -0.5, 3.0],
};

/// The functions, the smallest first.
pub const FUNCTIONS: &[Function] = &[
    Function {
        label: "heart_dipole",
        source: include_str!("../functions/heart_dipole.rs"),
        steps: 0,
        columns: 8,
        rows: 8,
        point: &[0.299, 0.186, -0.0273, -0.0254, -0.474, 0.474, -0.0892, 0.0892],
    },
    Function {
        label: "roe_flux",
        source: include_str!("../functions/roe_flux.rs"),
        steps: 0,
        columns: 10,
        rows: 5,
        point: &[1.2, 0.6, 0.2, -0.1, 1.1, 0.7, 0.4, -0.3, 0.25, 0.8],
    },
    Function { label: "lorenz_300", steps: 3, ..LORENZ },
    Function { label: "lorenz_3000", steps: 26, ..LORENZ },
];
