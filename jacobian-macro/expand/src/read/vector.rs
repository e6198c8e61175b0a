//! The vectors, matrices and points of nalgebra, told by the names of their types.
//!
//! A name is no proof. So the generated code converts each type that is taken for one of nalgebra's into the nested
//! array that only nalgebra's type converts into, and does not compile where that is another type.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, Path, PathArguments, PathSegment, Type};

use super::super::syntax;
use super::scalar::Scalar;
use super::shape::integer;

/// The form of a vector, a matrix or a point. The order of its floats is that of nalgebra: column by column.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// Whether it is a point.
    pub is_point: bool,
}

/// A type of vectors, matrices or points.
#[derive(Clone)]
pub struct VectorType {
    /// The form.
    pub layout: Layout,
    /// The type of the floats.
    pub scalar: Scalar,
    /// The path of the type, without arguments.
    pub path: String,
    /// The type as it is written.
    pub tokens: TokenStream,
}

/// A number of rows or columns: known by the name of the type, or the next of its arguments.
#[derive(Copy, Clone)]
enum Extent {
    Known(usize),
    Argument,
}

use Extent::{Argument, Known};

/// The names that say no number.
const GENERAL: &[(&str, [Extent; 2], bool)] = &[
    ("SVector", [Argument, Known(1)], false),
    ("RowSVector", [Known(1), Argument], false),
    ("SMatrix", [Argument, Argument], false),
    ("Point", [Argument, Known(1)], true),
];

/// The components of a vector in order.
const COMPONENTS: [&str; 6] = ["x", "y", "z", "w", "a", "b"];

impl Layout {
    /// The number of floats.
    pub fn count(self) -> usize {
        self.rows.saturating_mul(self.columns)
    }

    /// Whether all floats are in one row or one column.
    pub fn is_vector(self) -> bool {
        self.rows == 1 || self.columns == 1
    }

    /// The form with the other numbers of rows and columns.
    pub fn transposed(self) -> Self {
        Layout { rows: self.columns, columns: self.rows, ..self }
    }

    /// Whether the numbers of rows and columns are the same.
    pub fn has_shape_of(self, other: Self) -> bool {
        (self.rows, self.columns) == (other.rows, other.columns)
    }

    /// The position of an entry.
    pub fn position(self, row: usize, column: usize) -> Option<usize> {
        (row < self.rows && column < self.columns).then_some(column * self.rows + row)
    }

    /// The position of the float that a field is: `x`, or `m12` of a matrix.
    pub fn field(self, name: &str) -> Option<usize> {
        if self.is_vector() {
            let position = COMPONENTS.iter().position(|component| *component == name)?;
            return (position < self.count() && self.count() <= COMPONENTS.len()).then_some(position);
        }
        let digit = |at: usize| {
            name.as_bytes().get(at).filter(|digit| digit.is_ascii_digit()).map(|digit| usize::from(digit - b'0'))
        };
        let is_entry = name.starts_with('m') && name.len() == 3 && self.rows <= 6 && self.columns <= 6;
        match (digit(1), digit(2)) {
            (Some(row @ 1..), Some(column @ 1..)) if is_entry => self.position(row - 1, column - 1),
            _ => None,
        }
    }

    /// The index of the float at a position.
    pub fn index(self, position: usize) -> TokenStream {
        let [row, column, position] =
            [position % self.rows, position / self.rows, position].map(proc_macro2::Literal::usize_unsuffixed);
        if self.is_vector() { quote!(#position) } else { quote!((#row, #column)) }
    }

    /// The array that a conversion to and from this form takes: of floats, or of the columns.
    pub fn nested(self, floats: &[TokenStream]) -> TokenStream {
        if self.columns == 1 {
            return quote!([#(#floats),*]);
        }
        let columns = (0..self.columns).map(|column| {
            let column = &floats[column * self.rows..(column + 1) * self.rows];
            quote!([#(#column),*])
        });
        quote!([#(#columns),*])
    }
}

impl VectorType {
    /// A value of this type.
    pub fn value(&self, floats: &[TokenStream]) -> TokenStream {
        let (ty, array) = (&self.tokens, self.layout.nested(floats));
        quote!(<#ty>::from(#array))
    }

    /// A statement that does not compile where the type is not nalgebra's.
    pub fn require(&self) -> TokenStream {
        let (ty, float) = (&self.tokens, self.scalar.ty());
        let [rows, columns] = [self.layout.rows, self.layout.columns].map(proc_macro2::Literal::usize_unsuffixed);
        let array = quote!([[#float; #rows]; #columns]);
        let span = Span::mixed_site().located_at(ty.span());
        match self.layout.is_point {
            true => quote_spanned!(span=> let _ = |p: #ty| -> #array { ::core::convert::Into::into(p.coords) };),
            false => quote_spanned!(span=> let _: fn(#ty) -> #array = ::core::convert::Into::into;),
        }
    }

    /// What tells the type from others of the same floats: its path, and its form.
    pub fn key(&self) -> String {
        let Layout { rows, columns, .. } = self.layout;
        format!("{} {rows} {columns}", self.path)
    }
}

/// What a segment of a path such as `Vector3<f64>` or `SMatrix::<f64, 2, 3>` says.
pub struct Named<'a> {
    /// The numbers of rows and columns, where they are known.
    pub extents: [Option<usize>; 2],
    /// Whether it is a point.
    pub is_point: bool,
    /// The type of the floats, where it is written.
    pub float: Option<&'a Type>,
    /// Whether the numbers are arguments of the type.
    has_arguments: [bool; 2],
}

impl Named<'_> {
    /// The form, if the numbers are known.
    pub fn layout(&self) -> Option<Layout> {
        let [Some(rows), Some(columns)] = self.extents else { return None };
        Some(Layout { rows, columns, is_point: self.is_point })
    }

    /// The type with this form after the path before the segment.
    pub fn of_layout(&self, path: &TokenStream, layout: Layout, scalar: &Scalar) -> VectorType {
        let float = scalar.ty();
        let numbers = [layout.rows, layout.columns].into_iter().zip(self.has_arguments);
        let numbers = numbers.filter(|(_, is_argument)| *is_argument);
        let numbers = numbers.map(|(number, _)| proc_macro2::Literal::usize_unsuffixed(number));
        let tokens = quote!(#path<#float #(, #numbers)*>);
        VectorType { layout, scalar: scalar.clone(), path: path.to_string(), tokens }
    }
}

/// A path without the arguments of its last segment.
pub fn without_arguments(path: &Path) -> TokenStream {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    quote!(#path)
}

/// Reads a segment of a path, if its name is that of a vector, a matrix or a point.
pub fn named(segment: &PathSegment) -> Option<Named<'_>> {
    let (extents, is_point) = extents(&segment.ident.to_string())?;
    let has_arguments = extents.map(|extent| matches!(extent, Argument));
    let expected = 1 + has_arguments.iter().filter(|is_argument| **is_argument).count();
    let arguments: Vec<_> = match &segment.arguments {
        PathArguments::None => Vec::new(),
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        PathArguments::Parenthesized(_) => return None,
    };
    if !arguments.is_empty() && arguments.len() != expected {
        return None;
    }
    let mut arguments = arguments.into_iter();
    let float = match arguments.next() {
        Some(GenericArgument::Type(Type::Infer(_))) | None => None,
        Some(GenericArgument::Type(ty)) => Some(ty),
        Some(_) => return None,
    };
    let extents = extents.map(|extent| match extent {
        Known(number) => Some(number),
        Argument => match arguments.next()? {
            GenericArgument::Const(number) => integer(&syntax::expression(number)).filter(|number| *number > 0),
            _ => None,
        },
    });
    Some(Named { extents, is_point, float, has_arguments })
}

/// The rows and columns of what is called `name`, and whether it is a point.
fn extents(name: &str) -> Option<([Extent; 2], bool)> {
    if let Some((_, extents, is_point)) = GENERAL.iter().find(|(known, ..)| *known == name) {
        return Some((*extents, *is_point));
    }
    let number = |text: &str| text.parse().ok().filter(|number| text.len() == 1 && (1..=6).contains(number)).map(Known);
    if let Some(size) = name.strip_prefix("RowVector") {
        return Some(([Known(1), number(size)?], false));
    }
    if let Some(size) = name.strip_prefix("Vector") {
        return Some(([number(size)?, Known(1)], false));
    }
    if let Some(size) = name.strip_prefix("Point") {
        return Some(([number(size)?, Known(1)], true));
    }
    let sizes = name.strip_prefix("Matrix")?;
    let (rows, columns) = sizes.split_once('x').unwrap_or((sizes, sizes));
    Some(([number(rows)?, number(columns)?], false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Option<(usize, usize, bool)> {
        let segment: PathSegment = syn::parse_str(text).unwrap();
        named(&segment)?.layout().map(|layout| (layout.rows, layout.columns, layout.is_point))
    }

    #[test]
    fn names_say_rows_and_columns() {
        assert_eq!(layout("Vector3<f64>"), Some((3, 1, false)));
        assert_eq!(layout("RowVector2<f64>"), Some((1, 2, false)));
        assert_eq!(layout("Point1<T>"), Some((1, 1, true)));
        assert_eq!(layout("Matrix4<f64>"), Some((4, 4, false)));
        assert_eq!(layout("Matrix2x3<f64>"), Some((2, 3, false)));
        assert_eq!(layout("SVector<f64, 9>"), Some((9, 1, false)));
        assert_eq!(layout("SMatrix::<_, 2, 7>"), Some((2, 7, false)));
        assert_eq!(layout("Point<f64, 3>"), Some((3, 1, true)));
    }

    #[test]
    fn other_names_say_nothing() {
        for other in ["Vector<f64>", "Vector7<f64>", "Vector33<f64>", "Matrix0x2<f64>", "Matrixx<f64>", "Vector3D<f64>"]
        {
            assert_eq!(layout(other), None, "{other}");
        }
        for other in ["SVector<f64, N>", "SVector<f64>", "Vector3<f64, Space>", "Vector3<'a>", "SMatrix<f64, 2>"] {
            assert_eq!(layout(other), None, "{other}");
        }
    }

    #[test]
    fn fields_are_components_or_entries() {
        let matrix = Layout { rows: 2, columns: 3, is_point: false };
        assert_eq!((matrix.field("m12"), matrix.field("m23"), matrix.field("m31")), (Some(2), Some(5), None));
        assert_eq!((matrix.field("x"), matrix.field("m1"), matrix.field("m00")), (None, None, None));
        let vector = Layout { rows: 3, columns: 1, is_point: false };
        assert_eq!((vector.field("x"), vector.field("z"), vector.field("w")), (Some(0), Some(2), None));
    }
}
