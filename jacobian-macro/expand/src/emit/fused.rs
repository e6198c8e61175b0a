//! Emission of sums that are fused with a product: `fused(a, b, c, p + c)`, where `p` is `a * b`. On a target with an
//! instruction for it, this is `a * b + c`, rounded once; elsewhere it is the sum, as if nothing had been fused. Which
//! of the two is decided by the configuration under which the generated code is compiled.

use jacobian_core::Jacobian;
use jacobian_core::block::BlockId;
use jacobian_core::code_list::ValueId;
use jacobian_core::fuse::{FusedSum, Fusion};
use jacobian_lower::read::scalar::Scalar;
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::ItemFn;

use super::Emitter;
use super::writer::Writer;

/// The fewest fused sums for which a function brings along what computes them.
const FEWEST: usize = 4;

/// What is fused of the code of a function.
pub(super) struct Fused<'a> {
    /// The sums.
    pub fusion: &'a Fusion,
    /// The variable that holds the function which computes them.
    pub name: Ident,
}

/// What is fused of a derivative; nothing where it does not pay, and where it cannot be: it is not known of a type
/// parameter whether it has an instruction, and a constant function cannot use it.
pub(super) fn fusion(item: &ItemFn, scalar: &Scalar, jacobian: &Jacobian) -> Option<Fusion> {
    if !matches!(scalar, Scalar::Primitive(_)) || item.sig.constness.is_some() {
        return None;
    }
    let fusion = jacobian.fused();
    (fusion.count() >= FEWEST).then_some(fusion)
}

impl<'a> Fused<'a> {
    /// The same for a list in a block.
    pub fn inner(&self, block: BlockId, list: usize) -> Fused<'a> {
        Fused { fusion: self.fusion.inner(block, list), name: self.name.clone() }
    }

    /// The statement that defines the function which computes fused sums. As a variable, the function meets no name of
    /// the user. (A closure would be called as shortly, but rustc takes twice the time for it.)
    ///
    /// Without the standard library, floats have no `mul_add`. So there is a trait that has it, in a module, where
    /// there are no traits of the user. Where floats have it, that is found first, for it takes its receiver by value.
    pub fn definition(&self, scalar: &Scalar) -> TokenStream {
        let (name, ty) = (&self.name, scalar.ty());
        quote_spanned! {Span::mixed_site()=>
            let #name = {
                mod float {
                    /// `a * b + c`, rounded once where the target has an instruction for it.
                    #[inline(always)]
                    pub fn fused(a: #ty, b: #ty, c: #ty, sum: #ty) -> #ty {
                        if ::core::cfg!(any(target_feature = "fma", target_arch = "aarch64")) { a.mul_add(b, c) } else { sum }
                    }

                    trait _WithoutStd {
                        fn mul_add(&self, b: #ty, c: #ty) -> #ty;
                    }

                    impl _WithoutStd for #ty {
                        fn mul_add(&self, b: #ty, c: #ty) -> #ty {
                            *self * b + c
                        }
                    }
                }
                float::fused
            };
        }
    }
}

impl Emitter<'_> {
    /// The sum that the statement `id` computes, as a call of the function called `name`.
    pub(super) fn fused_sum(&self, name: &Ident, sum: &FusedSum, id: ValueId) -> Writer {
        let (mut arguments, [first, second, addend]) = (Writer::default(), sum.args());
        for (is_negative, arg) in [(sum.is_product_negative, first), (false, second), (sum.is_addend_negative, addend)]
        {
            match is_negative {
                true => arguments.punct("-").all(&self.operands[arg.index()]),
                false => arguments.append(self.alone(arg)),
            };
            arguments.punct(",");
        }
        arguments.append(self.application(id));
        let mut out = Writer::from(name.clone());
        out.append(arguments.within(Delimiter::Parenthesis));
        out
    }
}
