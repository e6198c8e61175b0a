//! What the attribute refuses: the errors say what is not supported and what to write instead, at the token that they
//! are about, and nothing follows from them.
//!
//! What compiles today and should not lies in `pending_refused`, a case a file, and moves to `refused` when it is refused.

#[test]
fn refused() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
