//! What looks on while functions are generated: nobody in a user's build, tools elsewhere.

use jacobian_core::Jacobian;
use jacobian_core::pipeline::Settings;
use jacobian_lower::Lowered;
use syn::ItemFn;

use super::emit::Emitted;

/// Looks on.
pub trait Watch {
    /// The functions of a form of `function` have been generated.
    fn generated(
        &mut self,
        _function: &ItemFn,
        _lowered: &Lowered,
        _settings: Settings,
        _jacobian: Jacobian,
        _emitted: &Emitted,
    ) {
    }
}

impl Watch for () {}
