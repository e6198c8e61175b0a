//! What the attribute refuses: the errors say what is not supported and what to write instead, at the token that they
//! are about, and nothing follows from them.

#[test]
fn refused() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
