//! The attribute macro of the crate [`jacobian`](https://docs.rs/jacobian-ad), which documents and re-exports it: the
//! compiler's door to `jacobian-expand`. That is a crate of its own so that it is compiled beside the engine, and not
//! after it as a macro would be, and so that it can be called without a compiler.

use proc_macro::TokenStream;

/// Generates the Jacobian of a function at compile time: beside `f` there is `f_jac`, which returns the value and the
/// Jacobian.
///
/// | option | meaning | without it |
/// |---|---|---|
/// | `wrt(a, p.k)` | the parameters by which it is differentiated, and fields of parameters | all floats and arrays of floats |
/// | `retract(q, return)` | rotations and isometries whose columns, and with `return` whose rows, are those of their tangents | all coordinates |
/// | `forms(jac, jvp)` | what is generated: `jac`, `jac_only`, `jvp`, `vjp`, `lin`, `hess`, `hvp`, `normal`; matrices also with `_sparse`, as in `jac_sparse`, all with `_into` | `forms(jac)` |
/// | `with(g, h = path::to::dh, s = \|x; y\| partial, y = implicit(residual))` | functions that have a Jacobian of their own, or partials that you write, or solve an equation | none |
/// | `name = "..."` | the name of the generated function, where there is one form | that of `f` and the form |
/// | `layout = "columns"` | how matrices are stored: `columns`, `matrix`, `csr` | rows; sparse ones by columns |
/// | `unroll = "..."` | which loops of known length are written out: `"auto"`, `"always"`, `"never"` | `"auto"` |
/// | `instances(3, 6)` | the values of the `const` parameters for which functions are generated | such parameters have no active floats |
/// | `into` | short for `forms(jac, jac_into)` | none |
/// | `strategy = "..."` | the order of the chain-rule operations | `"auto"` |
/// | `steps = 1000` | the steps of `strategy = "search"` | about a second's worth |
/// | `linearize = "..."` | `"statement"`: the gradient of every statement first; `"code-list"`: every operation is a step | `"code-list"` |
/// | `schedule = "..."` | the order in which statements are written | `"auto"` |
/// | `pack = "..."` | which statements are computed as one, on arrays: `"auto"`, `"never"`, `"always"` | `"auto"` |
///
/// The documentation of the crate [`jacobian`](https://docs.rs/jacobian-ad) says more about each.
#[proc_macro_attribute]
pub fn jacobian(options: TokenStream, item: TokenStream) -> TokenStream {
    jacobian_expand::expand(options.into(), item.into()).into()
}
