//! The vectors, matrices, points, rotations and isometries of nalgebra, told by the names of their types.
//!
//! A name is no proof. So the generated code converts each type that is taken for one of nalgebra's into the nested
//! array that only nalgebra's type converts into, and does not compile where that is another type.

use std::rc::Rc;

use jacobian_list::chart::Manifold;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, Ident, Path, PathArguments, PathSegment, Type};

use super::super::syntax;
use super::scalar::Scalar;
use super::ty::integer;

/// What a value of nalgebra is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum VectorKind {
    /// A matrix, or a vector: a matrix of one row or column.
    Matrix,
    /// A point.
    Point,
    /// A vector of length one.
    Unit,
    /// A translation.
    Translation,
    /// A rotation matrix.
    Rotation,
    /// A complex number of modulus one: its real part, then the imaginary one.
    UnitComplex,
    /// A quaternion: `i`, `j`, `k`, `w`.
    Quaternion,
    /// A quaternion of length one.
    UnitQuaternion,
    /// A rotation and a translation, in this order: of the plane, with a complex number; of space, with a quaternion.
    Isometry,
}

/// The form of a value of nalgebra. The order of its floats is that of nalgebra's storage: column by column.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The number of rows; of what is no matrix, the number of floats.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// What it is.
    pub kind: VectorKind,
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
    /// What it follows from where it is not written itself, as that of the `coords` of a point or of a product.
    sources: Option<Rc<[Claim]>>,
    /// What has to be known where a value of it is taken apart.
    pub origin: Origin,
}

/// Where a passive value of nalgebra is from.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It is what its type says.
    Own,
    /// It is a part of a matrix, from which it borrows.
    View,
    /// It is a matrix if what cannot be seen of its operands is what it most likely is.
    Supposed,
}

/// That a type is nalgebra's.
#[derive(Clone)]
pub struct Claim {
    /// What tells it from others.
    pub key: String,
    /// A statement that does not compile where it is not.
    pub statement: TokenStream,
}

/// A number of rows or columns: known by the name of the type, or the next of its arguments.
#[derive(Copy, Clone)]
enum Extent {
    Known(usize),
    Argument,
}

use Extent::{Argument, Known};

/// The names that say no number.
const GENERAL: &[(&str, [Extent; 2], VectorKind)] = &[
    ("SVector", [Argument, Known(1)], VectorKind::Matrix),
    ("RowSVector", [Known(1), Argument], VectorKind::Matrix),
    ("SMatrix", [Argument, Argument], VectorKind::Matrix),
    ("Point", [Argument, Known(1)], VectorKind::Point),
];

/// The numbers of rows and columns that a type of this name takes as its arguments after that of its floats, if it is one
/// of those whose values are of this form.
pub fn numbers_of(name: &str, layout: Layout) -> Vec<usize> {
    let own = extents(name).filter(|(_, kind)| *kind == layout.kind);
    let numbers = own.into_iter().flat_map(|(extents, _)| extents.into_iter().zip([layout.rows, layout.columns]));
    numbers.filter(|(extent, _)| matches!(extent, Argument)).map(|(_, number)| number).collect()
}

/// Whether the numbers of rows or columns are arguments of a type of this name.
pub fn is_of_numbers(name: &Ident) -> bool {
    GENERAL.iter().any(|(own, ..)| name == own)
}

/// The names of what is no matrix.
const GEOMETRY: &[(&str, [usize; 2], VectorKind)] = &[
    ("UnitVector2", [2, 1], VectorKind::Unit),
    ("UnitVector3", [3, 1], VectorKind::Unit),
    ("Translation2", [2, 1], VectorKind::Translation),
    ("Translation3", [3, 1], VectorKind::Translation),
    ("Rotation2", [2, 2], VectorKind::Rotation),
    ("Rotation3", [3, 3], VectorKind::Rotation),
    ("UnitComplex", [2, 1], VectorKind::UnitComplex),
    ("Quaternion", [4, 1], VectorKind::Quaternion),
    ("UnitQuaternion", [4, 1], VectorKind::UnitQuaternion),
    ("Isometry2", [4, 1], VectorKind::Isometry),
    ("Isometry3", [7, 1], VectorKind::Isometry),
];

/// The components of a vector in order.
const COMPONENTS: [&str; 6] = ["x", "y", "z", "w", "a", "b"];

impl Layout {
    /// That of a matrix.
    pub fn matrix(rows: usize, columns: usize) -> Self {
        Layout { rows, columns, kind: VectorKind::Matrix }
    }

    /// That of a column of floats.
    pub fn column(kind: VectorKind, rows: usize) -> Self {
        Layout { rows, columns: 1, kind }
    }

    /// That of an isometry of the plane or of space.
    pub fn isometry(dimension: usize) -> Self {
        Layout::column(VectorKind::Isometry, if dimension == 2 { 4 } else { 7 })
    }

    /// Whether it is a matrix or a vector.
    pub fn is_matrix(self) -> bool {
        self.kind == VectorKind::Matrix
    }

    /// The manifold that it is a point of, if its tangents are known.
    pub fn manifold(self) -> Option<Manifold> {
        Some(match (self.kind, self.rows) {
            (VectorKind::UnitComplex, _) => Manifold::Circle,
            (VectorKind::UnitQuaternion, _) => Manifold::Sphere,
            (VectorKind::Rotation, 3) => Manifold::Matrices,
            (VectorKind::Isometry, 4) => Manifold::Plane,
            (VectorKind::Isometry, _) => Manifold::Space,
            _ => return None,
        })
    }

    /// What a value of this form is at length one.
    pub fn unit_kind(self) -> Option<VectorKind> {
        match self.kind {
            VectorKind::Quaternion => Some(VectorKind::UnitQuaternion),
            VectorKind::Matrix if self.columns == 1 => Some(VectorKind::Unit),
            _ => None,
        }
    }

    /// The dimension of the space that it is of.
    pub fn dimension(self) -> usize {
        match self.kind {
            VectorKind::UnitComplex => 2,
            VectorKind::Quaternion | VectorKind::UnitQuaternion => 3,
            VectorKind::Isometry => self.rotation_count().midpoint(2),
            _ => self.rows,
        }
    }

    /// The number of floats of the rotation that an isometry begins with.
    pub fn rotation_count(self) -> usize {
        if self.rows == 4 { 2 } else { 4 }
    }

    /// The number of floats.
    pub fn count(self) -> usize {
        self.rows.saturating_mul(self.columns)
    }

    /// Whether it is a vector or a point: all floats are in one row or one column.
    pub fn is_vector(self) -> bool {
        matches!(self.kind, VectorKind::Matrix | VectorKind::Point) && (self.rows == 1 || self.columns == 1)
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
        match self.kind {
            VectorKind::Quaternion | VectorKind::UnitQuaternion => {
                return ["i", "j", "k", "w"].iter().position(|own| *own == name);
            }
            VectorKind::UnitComplex => return ["re", "im"].iter().position(|own| *own == name),
            VectorKind::Rotation | VectorKind::Isometry => return None,
            VectorKind::Matrix | VectorKind::Point | VectorKind::Unit | VectorKind::Translation => {}
        }
        if self.rows == 1 || self.columns == 1 {
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

    /// The form of the vector, the rotation or the translation that a field is, and the position of its first float.
    pub fn part(self, name: &str) -> Option<(Layout, usize)> {
        let turn = self.rotation_count();
        Some(match (name, self.kind) {
            ("coords", VectorKind::Point | VectorKind::Quaternion | VectorKind::UnitQuaternion)
            | ("vector", VectorKind::Translation) => (Layout { kind: VectorKind::Matrix, ..self }, 0),
            ("rotation", VectorKind::Isometry) if turn == 2 => (Layout::column(VectorKind::UnitComplex, turn), 0),
            ("rotation", VectorKind::Isometry) => (Layout::column(VectorKind::UnitQuaternion, turn), 0),
            ("translation", VectorKind::Isometry) => (Layout::column(VectorKind::Translation, self.rows - turn), turn),
            _ => return None,
        })
    }

    /// The position of the first of `count` floats, which a field of a field, and so on, is.
    pub fn position_of(self, fields: &[String], count: usize) -> Option<usize> {
        let (mut layout, mut first) = (self, 0);
        for (at, name) in fields.iter().enumerate() {
            if let (Some(position), 1, true) = (layout.field(name), count, at + 1 == fields.len()) {
                return Some(first + position);
            }
            let (part, start) = layout.part(name)?;
            (layout, first) = (part, first + start);
        }
        (layout.count() == count).then_some(first)
    }

    /// The type of this form, of these floats, by its name after the path `nalgebra`.
    pub fn ty(self, nalgebra: &TokenStream, float: &TokenStream) -> TokenStream {
        let [rows, columns] = [self.rows, self.columns].map(proc_macro2::Literal::usize_unsuffixed);
        match self.kind {
            VectorKind::Matrix => quote!(#nalgebra SMatrix<#float, #rows, #columns>),
            VectorKind::Point => quote!(#nalgebra Point<#float, #rows>),
            VectorKind::Unit => quote!(#nalgebra Unit<#nalgebra SMatrix<#float, #rows, #columns>>),
            VectorKind::Translation => quote!(#nalgebra Translation<#float, #rows>),
            VectorKind::Rotation => quote!(#nalgebra Rotation<#float, #rows>),
            VectorKind::UnitComplex => quote!(#nalgebra UnitComplex<#float>),
            VectorKind::Quaternion => quote!(#nalgebra Quaternion<#float>),
            VectorKind::UnitQuaternion => quote!(#nalgebra UnitQuaternion<#float>),
            VectorKind::Isometry if self.dimension() == 2 => quote!(#nalgebra Isometry2<#float>),
            VectorKind::Isometry => quote!(#nalgebra Isometry3<#float>),
        }
    }

    /// What follows a value to name the float at a position: `[0]`, `[(0, 1)]`, `.re`.
    pub fn access(self, position: usize) -> TokenStream {
        let index = |at: usize| {
            let at = proc_macro2::Literal::usize_unsuffixed(at);
            quote!([#at])
        };
        match self.kind {
            VectorKind::Translation => {
                let index = index(position);
                quote!(.vector #index)
            }
            VectorKind::UnitComplex if position == 0 => quote!(.re),
            VectorKind::UnitComplex => quote!(.im),
            VectorKind::Isometry => {
                let count = self.rotation_count();
                let kind = if count == 2 { VectorKind::UnitComplex } else { VectorKind::UnitQuaternion };
                let (part, access) = match position.checked_sub(count) {
                    Some(rest) => {
                        (quote!(.translation), Layout::column(VectorKind::Translation, count.midpoint(2)).access(rest))
                    }
                    None => (quote!(.rotation), Layout::column(kind, count).access(position)),
                };
                quote!(#part #access)
            }
            _ if self.columns == 1 || self.rows == 1 => index(position),
            _ => {
                let [row, column] =
                    [position % self.rows, position / self.rows].map(proc_macro2::Literal::usize_unsuffixed);
                quote!([(#row, #column)])
            }
        }
    }

    /// How readers call the float at a position.
    pub fn label(self, position: usize) -> String {
        self.access(position).to_string().replace(" ,", ",").replace(". ", ".").replace(" .", ".").replace(" [", "[")
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
    /// The type that is written so.
    pub fn new(layout: Layout, scalar: Scalar, path: String, tokens: TokenStream) -> Self {
        VectorType { layout, scalar, path, tokens, sources: None, origin: Origin::Own }
    }

    /// The type with this form of what follows from these claims.
    pub fn following(layout: Layout, scalar: &Scalar, from: &[Claim]) -> Self {
        let mut sources: Vec<Claim> = Vec::new();
        for claim in from {
            if sources.iter().all(|known| known.key != claim.key) {
                sources.push(claim.clone());
            }
        }
        let sources = Some(sources.into());
        VectorType { sources, ..VectorType::new(layout, scalar.clone(), String::new(), quote!(_)) }
    }

    /// What has to be true for it to be nalgebra's.
    pub fn claims(&self) -> Rc<[Claim]> {
        let own = || Rc::new([Claim { key: self.key(), statement: self.require() }]) as Rc<[Claim]>;
        self.sources.clone().unwrap_or_else(own)
    }

    /// The type of the vector, the rotation or the translation that a field of this one is.
    pub fn part(&self, name: &str) -> Option<VectorType> {
        let (layout, _) = self.layout.part(name)?;
        Some(VectorType::following(layout, &self.scalar, &self.claims()))
    }

    /// The type as it is written, if it is.
    pub fn written(&self) -> Option<TokenStream> {
        self.sources.is_none().then(|| self.tokens.clone())
    }

    /// A value of this type.
    pub fn value(&self, floats: &[TokenStream]) -> TokenStream {
        value_of(self.layout, &self.tokens, floats)
    }

    /// A statement that does not compile where the type is not nalgebra's.
    fn require(&self) -> TokenStream {
        let (ty, float, layout) = (&self.tokens, self.scalar.ty(), self.layout);
        let (mut rows, mut columns) = (layout.rows, layout.columns);
        let span = Span::mixed_site().located_at(ty.span());
        let matrix = match layout.kind {
            VectorKind::Matrix => quote_spanned!(span=> value),
            VectorKind::Point => quote_spanned!(span=> value.coords),
            VectorKind::Translation => quote_spanned!(span=> value.vector),
            VectorKind::Unit | VectorKind::Rotation => quote_spanned!(span=> value.into_inner()),
            VectorKind::Quaternion => quote_spanned!(span=> value.coords),
            VectorKind::UnitQuaternion => quote_spanned!(span=> value.into_inner().coords),
            VectorKind::UnitComplex => {
                columns = 2;
                quote_spanned!(span=> value.to_rotation_matrix().into_inner())
            }
            VectorKind::Isometry => {
                rows = if layout.rows == 4 { 3 } else { 4 };
                columns = rows;
                quote_spanned!(span=> value.to_homogeneous())
            }
        };
        let [rows, columns] = [rows, columns].map(proc_macro2::Literal::usize_unsuffixed);
        let array = quote!([[#float; #rows]; #columns]);
        match layout.kind {
            VectorKind::Matrix => quote_spanned!(span=> let _: fn(#ty) -> #array = ::core::convert::Into::into;),
            _ => quote_spanned!(span=> let _ = |value: #ty| -> #array { ::core::convert::Into::into(#matrix) };),
        }
    }

    /// What tells the type from others of the same floats: its path, and its form.
    fn key(&self) -> String {
        let Layout { rows, columns, .. } = self.layout;
        format!("{} {rows} {columns}", self.path)
    }
}

/// A value of nalgebra's type `ty`, of these floats. Nothing but this type is named: where the others are is not known.
pub fn value_of(layout: Layout, ty: &TokenStream, floats: &[TokenStream]) -> TokenStream {
    let array = layout.nested(floats);
    let from = quote_spanned!(Span::mixed_site()=> ::core::convert::From::from);
    match layout.kind {
        VectorKind::Matrix | VectorKind::Point | VectorKind::Translation | VectorKind::Quaternion => {
            quote!(<#ty>::from(#array))
        }
        VectorKind::Unit | VectorKind::UnitQuaternion => quote!(<#ty>::new_unchecked(#from(#array))),
        VectorKind::Rotation => quote!(<#ty>::from_matrix_unchecked(#from(#array))),
        VectorKind::UnitComplex => quote!(<#ty>::from_cos_sin_unchecked(#(#floats),*)),
        VectorKind::Isometry => {
            let (rotation, translation) = floats.split_at(layout.rotation_count());
            let value = quote_spanned!(Span::mixed_site()=> value);
            let rotated = match rotation {
                [re, im] => quote!(
                    #value.rotation.as_mut_unchecked().re = #re;
                    #value.rotation.as_mut_unchecked().im = #im;
                ),
                _ => quote!(*#value.rotation.as_mut_unchecked() = #from([#(#rotation),*]);),
            };
            quote!({
                let mut #value = <#ty>::identity();
                #rotated
                #value.translation = #from([#(#translation),*]);
                #value
            })
        }
    }
}

/// What a segment of a path such as `Vector3<f64>` or `SMatrix::<f64, 2, 3>` says.
pub struct Named<'a> {
    /// The numbers of rows and columns, where they are known.
    pub extents: [Option<usize>; 2],
    /// What it is.
    pub kind: VectorKind,
    /// The type of the floats, where it is written.
    pub float: Option<&'a Type>,
    /// Whether the numbers are arguments of the type.
    has_arguments: [bool; 2],
}

impl Named<'_> {
    /// The form, if the numbers are known.
    pub fn layout(&self) -> Option<Layout> {
        let [Some(rows), Some(columns)] = self.extents else { return None };
        Some(Layout { rows, columns, kind: self.kind })
    }

    /// The type with this form after the path before the segment.
    pub fn of_layout(&self, path: &TokenStream, layout: Layout, scalar: &Scalar) -> VectorType {
        let float = scalar.ty();
        let numbers = [layout.rows, layout.columns].into_iter().zip(self.has_arguments);
        let numbers = numbers.filter(|(_, is_argument)| *is_argument);
        let numbers = numbers.map(|(number, _)| proc_macro2::Literal::usize_unsuffixed(number));
        let tokens = quote!(#path<#float #(, #numbers)*>);
        VectorType::new(layout, scalar.clone(), path.to_string(), tokens)
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
    let (extents, kind) = extents(&segment.ident.to_string())?;
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
    Some(Named { extents, kind, float, has_arguments })
}

/// The path of `Matrix3::from_fn`, or of the same function of another type, if an expression is that.
pub fn vector_from_fn(function: &syntax::Expr) -> Option<&syntax::Path> {
    let syntax::ExprKind::Path(path) = &*function.unwrapped().kind else { return None };
    let mut segments = path.path.path.segments.iter().rev();
    let (last, ty) = (segments.next()?, segments.next()?);
    let is_matrix = named(ty).is_some_and(|named| named.kind == VectorKind::Matrix);
    (last.ident == "from_fn" && is_matrix && path.path.qself.is_none()).then_some(path)
}

/// The rows and columns of what is called `name`, and what it is.
fn extents(name: &str) -> Option<([Extent; 2], VectorKind)> {
    if let Some((_, extents, kind)) = GENERAL.iter().find(|(known, ..)| *known == name) {
        return Some((*extents, *kind));
    }
    if let Some((_, extents, kind)) = GEOMETRY.iter().find(|(known, ..)| *known == name) {
        return Some((extents.map(Known), *kind));
    }
    let number = |text: &str| text.parse().ok().filter(|number| text.len() == 1 && (1..=6).contains(number)).map(Known);
    if let Some(size) = name.strip_prefix("RowVector") {
        return Some(([Known(1), number(size)?], VectorKind::Matrix));
    }
    if let Some(size) = name.strip_prefix("Vector") {
        return Some(([number(size)?, Known(1)], VectorKind::Matrix));
    }
    if let Some(size) = name.strip_prefix("Point") {
        return Some(([number(size)?, Known(1)], VectorKind::Point));
    }
    let sizes = name.strip_prefix("Matrix")?;
    let (rows, columns) = sizes.split_once('x').unwrap_or((sizes, sizes));
    Some(([number(rows)?, number(columns)?], VectorKind::Matrix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Option<(usize, usize, VectorKind)> {
        let segment: PathSegment = syn::parse_str(text).unwrap();
        named(&segment)?.layout().map(|layout| (layout.rows, layout.columns, layout.kind))
    }

    #[test]
    fn names_say_rows_and_columns() {
        assert_eq!(layout("Vector3<f64>"), Some((3, 1, VectorKind::Matrix)));
        assert_eq!(layout("RowVector2<f64>"), Some((1, 2, VectorKind::Matrix)));
        assert_eq!(layout("Point1<T>"), Some((1, 1, VectorKind::Point)));
        assert_eq!(layout("Matrix4<f64>"), Some((4, 4, VectorKind::Matrix)));
        assert_eq!(layout("Matrix2x3<f64>"), Some((2, 3, VectorKind::Matrix)));
        assert_eq!(layout("SVector<f64, 9>"), Some((9, 1, VectorKind::Matrix)));
        assert_eq!(layout("SMatrix::<_, 2, 7>"), Some((2, 7, VectorKind::Matrix)));
        assert_eq!(layout("Point<f64, 3>"), Some((3, 1, VectorKind::Point)));
        assert_eq!(layout("UnitQuaternion<f64>"), Some((4, 1, VectorKind::UnitQuaternion)));
        assert_eq!(layout("Isometry3<T>"), Some((7, 1, VectorKind::Isometry)));
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
        let matrix = Layout::matrix(2, 3);
        assert_eq!((matrix.field("m12"), matrix.field("m23"), matrix.field("m31")), (Some(2), Some(5), None));
        assert_eq!((matrix.field("x"), matrix.field("m1"), matrix.field("m00")), (None, None, None));
        let vector = Layout::matrix(3, 1);
        assert_eq!((vector.field("x"), vector.field("z"), vector.field("w")), (Some(0), Some(2), None));
    }
}
