//! The text form of a code list: one statement a line, written by `Display`, and read by `FromStr` with the feature
//! `tools`: no macro reads one.
//!
//! ```text
//! precision f64
//! input r t
//! passive k: float
//! c = cos(t)
//! y = k * r * c
//! output y c
//! ```
//!
//! `#` starts a comment. The right-hand side of a line that is read may be any
//! [expression](mod@crate::expression): it is flattened, equal constants become one statement. It is one
//! statement of the user, whatever it is flattened into. A line that is written holds one operation, constants in
//! place.
//!
//! A block has a name, and its results are called `name.0`, `name.1`, and so on. The arms of a branch are code lists of
//! their own: an arm sees nothing of the outer list but the values in parentheses, which its inputs take in order. All
//! of its lines but the inputs and the outputs may be missing.
//!
//! ```text
//! input x y
//! passive n: int
//! positive = x > 0 && x < y
//! branch b on positive (x n)
//! arm
//!     input x
//!     input n: int
//!     z = powi(sqrt(x), n)
//!     output z x
//! arm
//!     input x
//!     input n: int
//!     output 0 x
//! end
//! call f (b.0 y) gives 2
//! output f.0 f.1 b.1
//! ```
//!
//! A loop has a body, a code list of its own as an arm is. Of the values in parentheses, it carries the last ones from
//! iteration to iteration: its results are what the outputs of the last iteration are, or these values where there is
//! none. `n` is the number of iterations; if the body has an output more, that says whether another one follows, and
//! `on n` may be missing.
//!
//! ```text
//! input x s
//! passive n: int
//! loop l on n (x s) carries 1
//! body
//!     input x s
//!     t = s * x
//!     output t
//! end
//! output l.0
//! ```
//!
//! A call whose partials are known has a list for them, over its arguments and results; of others it may be known which
//! partials there are, and which of them are numbers, row by row: `call f (x y) gives 2 entries 0,1=2.5;1;`. One of
//! which none is wanted is `unwanted`.
//!
//! ```text
//! rule e (x) gives 1
//! partials
//!     input x e
//!     output e
//! end
//! ```
//!
//! `call f (x y) gives 2 with jacobian` has the four partials as its results `f.2` to `f.5`, too; its columns are those
//! of its arguments that are floats. After what is shown here, `origin 7` is the front end's number for the block, and
//! `kept` says that it stays in any case. Where a value of any kind may be, an integer is written `3i32`; the truth
//! values are `true` and `false`.
//!
//! What the engine does not look into is an opaque statement, here of three results:
//! `opaque g (k n) gives float int opaque`. `passive k: float` is one that reads nothing and has one result, of this
//! name. Unless it is said, the origins of these are 0, 1, 2, ... in the order of the lines.

mod names;
/// Only tests and tools read texts: no macro does.
#[cfg(feature = "tools")]
mod reader;
mod words;
mod writer;

pub use names::{constant_text, part_text, unique_names};
#[cfg(feature = "tools")]
pub use reader::ParseError;
pub use words::named_constant;
pub use writer::{application, block_text};

#[cfg(test)]
mod tests {
    use crate::code_list::CodeList;

    fn read(text: &str) -> CodeList {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let list = read(
            "precision f32\ninput x[0] x[1]\npassive k: float\npassive n: int\n\
             a = sin(x[0]) * -2.5e-3 + k # a comment\nb = powi(a, n) - powi(x[1], -3)\n\
             c = select(a <= b, NAN, -INFINITY)\noutput b c\noutput x[0] 1",
        );
        let text = list.to_string();
        assert_eq!(read(&text).to_string(), text);
        assert_eq!(text.lines().filter(|line| line.contains(" = ")).count(), 7);
        let generic = "precision generic\ninput x\noutput x\n";
        assert_eq!(read(generic).to_string(), generic);
    }

    #[test]
    fn blocks_read_back_as_they_are_written() {
        let text = "input t\ninput n: int\npassive t.0: bool\nbranch b1 on t.0 (t n) origin 7 kept\n\
                    arm\n    input x\n    input n: int\n    branch c on n ()\n    arm\n        output true\n    end\n    \
                    call x_ (x 1.5) gives 2 with jacobian\n    y = x_.5\n    z = x_.0 * y\n    output z\n    output 3i32\n    \
                    output c.0\n\
                    arm\n    input x\n    input n: int\n    output x\n    output n\n    output false\nend\n\
                    w = powi(b1.0, b1.1)\nv = !b1.2\noutput w\noutput v\noutput -2i32\n";
        assert_eq!(read(text).to_string(), text);
    }

    #[test]
    fn loops_read_back_as_they_are_written() {
        let text = "input x\ninput s\npassive n: int\nloop l on n (x s true) carries 2 origin 7 kept\n\
                    body\n    input x\n    input s\n    input p: bool\n    t = s * x\n    loop m (t) carries 1\n    \
                    body\n        input t\n        u = t / 2.0\n        q = u > 1.0\n        output u\n        output q\n    \
                    end\n    v = !p\n    output m.0\n    output v\nend\noutput l.0\n";
        assert_eq!(read(text).to_string(), text);
    }

    /// A block cannot be called `t` where a value is called `t.0`, for that would be the name of its first result.
    #[test]
    fn parts_are_told_from_values() {
        let mut list = read("input t.0\ncall f (t.0) gives 1\ny = f.0 + 1\noutput y");
        let block = list.ids().find(|&id| list.name(id) == Some("f")).expect("the block");
        list.set_name(block, "t");
        assert_eq!(list.to_string(), "input t.0\ncall b1 (t.0) gives 1\ny = b1.0 + 1.0\noutput y\n");
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("input x\ny = x +", "line 2: unexpected end"),
            ("input x\ny = z", "line 2: `z` is not defined"),
            ("input x x", "line 1: `x` is defined twice"),
            ("input x\ny = powi(x, 0.5)", "line 2: 0.5 is no integer"),
            ("input x\ny = powi(x, x)", "line 2: argument 2 of `powi` is of the wrong kind"),
            ("hello", "line 1: `hello` is no statement"),
            ("precision f16", "line 1: no precision is called `f16`"),
            ("input p: bit", "line 1: no kind is called `bit`"),
            ("input x\ny = x && x", "line 2: argument 1 of `and` is of the wrong kind"),
            ("input x\nbranch b on x ()\narm\narm\nend", "line 5: a float selects no arm"),
            ("input p: bool\nbranch b on p ()\narm\nend", "line 4: a truth value selects one of two arms"),
            ("input p: bool\nbranch b on p ()\narm\noutput 1\narm\noutput p\nend", "line 6: `p` is not defined"),
            (
                "input p: bool\nbranch b on p ()\narm\noutput 1\narm\noutput 1i32\nend",
                "line 7: arm 1 does not take the arguments of the branch or give its results",
            ),
            ("input n: int\nbranch b on n ()\nend", "line 3: a branch has an arm"),
            ("input n: int\nbranch b on n ()\ny = 1", "line 3: expected `arm`"),
            ("input n: int\nbranch b on n ()\narm", "line 3: the `end` of `b` is missing"),
            ("input n: int\nbranch b n ()", "line 2: expected `branch NAME on VALUE (VALUES)`"),
            ("input n: int\nbranch b on n () gives 1", "line 2: a branch gives what its arms give"),
            ("arm", "line 1: no branch stands before"),
            ("loop l () carries 0\narm", "line 2: expected `body`"),
            ("loop l ()", "line 1: a loop gives what it carries"),
            ("loop l () carries 0\nbody\nend", "line 3: nothing ends this loop"),
            ("loop l () carries 0\nend", "line 2: a loop has one body"),
            ("input x\nloop l on x () carries 0\nbody\nend", "line 4: the number of iterations is an integer"),
            (
                "input n: int\nloop l on n () carries 1\nbody\nend",
                "line 4: a loop carries some of its arguments, and its body gives a value for each",
            ),
            (
                "input n: int\nloop l on n (n) carries 1\nbody\ninput n: int\noutput 1\nend",
                "line 6: the body does not give the values that the loop carries",
            ),
            (
                "input n: int\nloop l on n (n) carries 1\nbody\noutput 1i32\nend",
                "line 5: the body does not take the arguments of the loop",
            ),
            (
                "input n: int\nloop l on n () carries 0\nbody\noutput 1\nend",
                "line 5: whether another iteration follows is one truth value",
            ),
            ("call f ()", "line 1: expected `call NAME (VALUES) gives NUMBER`"),
            ("call f () gives 1 twice", "line 1: `twice` is no option of a block"),
            ("call f () gives 1\noutput f.1", "line 2: `f` has no result 1"),
            ("call f () gives 1\noutput f", "line 2: `f` is not defined"),
            ("call f () gives 1\nf.0 = 2", "line 2: `f.0` is defined twice"),
            ("input f.0\ncall f () gives 1", "line 2: a result of `f` is defined twice"),
        ] {
            assert_eq!(text.parse::<CodeList>().unwrap_err().to_string(), message);
        }
        let deep = "input n: int\n".to_string() + &"branch b on 0i32 ()\narm\n".repeat(101);
        assert_eq!(deep.parse::<CodeList>().unwrap_err().message, "nested too deeply");
    }
}
