//! The shapes of values: floats, and arrays and tuples of them.

use super::random::Random;
use super::text::REAL;

/// The shape of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Float,
    Array(Box<Shape>, usize),
    Tuple(Vec<Shape>),
}

impl Shape {
    /// An array of this many elements of this shape.
    pub fn array(element: Shape, length: usize) -> Self {
        Shape::Array(Box::new(element), length)
    }

    /// An aggregate.
    pub fn aggregate(random: &mut Random) -> Self {
        match random.below(6) {
            0 | 1 => Shape::array(Shape::Float, 2 + random.below(2)),
            2 => Shape::array(Shape::array(Shape::Float, 2), 2),
            3 => Shape::Tuple(vec![Shape::Float; 2]),
            4 => Shape::Tuple(vec![Shape::Float, Shape::array(Shape::Float, 2)]),
            _ => Shape::Tuple(vec![Shape::Tuple(vec![Shape::Float; 2]), Shape::Float]),
        }
    }

    /// The shape of an active parameter.
    pub fn parameter(random: &mut Random) -> Self {
        match random.below(6) {
            0..=2 => Shape::Float,
            3 => Shape::array(Shape::Float, 2),
            4 => Shape::array(Shape::Float, 3),
            _ => Shape::array(Shape::array(Shape::Float, 2), 2),
        }
    }

    /// The shape of a result.
    pub fn result(random: &mut Random) -> Self {
        match random.below(7) {
            0 => Shape::Float,
            1 | 2 => Shape::array(Shape::Float, 1 + random.below(4)),
            3 => Shape::array(Shape::array(Shape::Float, 2), 2),
            4 => Shape::Tuple(vec![Shape::Float; 2]),
            5 => Shape::Tuple(vec![Shape::Float, Shape::array(Shape::Float, 2)]),
            _ => Shape::Tuple(vec![Shape::Tuple(vec![Shape::Float; 2]), Shape::array(Shape::Float, 2), Shape::Float]),
        }
    }

    /// The type.
    pub fn ty(&self) -> String {
        self.with(&|_| REAL.to_string(), true)
    }

    /// The shape with every float of it written by `float`, which is given its number in order: a type, or else a
    /// value.
    pub fn with(&self, float: &dyn Fn(usize) -> String, is_type: bool) -> String {
        self.from(&mut 0, float, is_type)
    }

    fn from(&self, next: &mut usize, float: &dyn Fn(usize) -> String, is_type: bool) -> String {
        match self {
            Shape::Float => {
                *next += 1;
                float(*next - 1)
            }
            Shape::Array(element, length) if is_type => format!("[{}; {length}]", element.from(next, float, is_type)),
            Shape::Array(element, length) => {
                let elements: Vec<_> = (0..*length).map(|_| element.from(next, float, is_type)).collect();
                format!("[{}]", elements.join(", "))
            }
            Shape::Tuple(shapes) => {
                let elements: Vec<_> = shapes.iter().map(|shape| shape.from(next, float, is_type)).collect();
                format!("({})", elements.join(", "))
            }
        }
    }

    /// The number of floats.
    pub fn count(&self) -> usize {
        match self {
            Shape::Float => 1,
            Shape::Array(element, length) => element.count() * length,
            Shape::Tuple(shapes) => shapes.iter().map(Shape::count).sum(),
        }
    }
}
