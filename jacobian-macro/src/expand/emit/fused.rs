//! Emission of fused products and sums: `fused(a, b, c)` is `a * b + c`, by the one instruction that many targets have for
//! it, or as it stands. Which of the two is decided when the generated code is compiled, by the features of its target.

use jacobian_core::Derivative;
use jacobian_core::code_list::ValueId;
use jacobian_core::fuse::fused_statements;
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::ItemFn;

use super::super::flatten::Names;
use super::super::scalar::Scalar;
use super::super::signature::Signature;
use super::super::writer::Writer;
use super::Emitter;

/// The fewest fused statements for which the generated function brings along what computes them.
const FEWEST: usize = 4;

/// The derivative with its products and sums fused, and a name for what computes them; or as it is, where that does not pay
/// or cannot be: of a type parameter it is not known whether it has the instruction, and a constant function cannot use it.
pub(super) fn fused(
    item: &ItemFn,
    signature: &Signature,
    derivative: &Derivative,
    names: &mut Names,
) -> (Derivative, Option<Ident>) {
    if let (Scalar::Primitive(_), None) = (&signature.scalar, item.sig.constness) {
        let fused = derivative.fused();
        if fused_statements(&fused.list) >= FEWEST {
            return (fused, Some(names.fresh("fused")));
        }
    }
    (derivative.clone(), None)
}

impl Emitter<'_> {
    /// The statement that defines the function for fused statements, if there are any. It is a variable, which meets no
    /// name of the user, and its module sees no trait of the user. The trait takes the place of the method of floats in
    /// crates without the standard library: that method is found first, for it takes its receiver by value.
    pub(super) fn fused_definition(&self) -> Option<TokenStream> {
        let (name, ty) = (self.fused?, self.scalar.ty());
        Some(quote_spanned! {Span::mixed_site()=>
            let #name = {
                mod float {
                    /// `a * b + c`, rounded once if the target has an instruction for it.
                    #[inline(always)]
                    pub fn fused(a: #ty, b: #ty, c: #ty) -> #ty {
                        if ::core::cfg!(any(target_feature = "fma", all(target_arch = "aarch64", target_feature = "neon"))) {
                            a.mul_add(b, c)
                        } else {
                            a * b + c
                        }
                    }

                    /// For crates without the standard library.
                    trait MulAdd {
                        fn mul_add(&self, b: #ty, c: #ty) -> #ty;
                    }

                    impl MulAdd for #ty {
                        #[inline(always)]
                        fn mul_add(&self, b: #ty, c: #ty) -> #ty {
                            *self * b + c
                        }
                    }
                }
                float::fused
            };
        })
    }

    /// Writes a fused statement, with these signs in front of its arguments.
    pub(super) fn fused_call(&self, out: &mut Writer, signs: [&str; 3], args: &[ValueId]) {
        out.token(self.fused.expect("fused statements have a function").clone());
        out.group(Delimiter::Parenthesis, |inner| {
            for (index, (sign, &arg)) in signs.iter().zip(args).enumerate() {
                if index > 0 {
                    inner.punct(",");
                }
                match *sign {
                    "" => self.separated(inner, &[arg]),
                    sign => drop(inner.punct(sign).all(&self.operands[arg.index()])),
                }
            }
        });
    }
}
