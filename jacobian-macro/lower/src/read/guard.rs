//! The guard before the parser: syn recurses over nested syntax and has no limit, so that a deep enough expression
//! would end the compiler. What nests too deeply is refused by a look at the tokens, without recursion.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

use super::super::refuse;

/// The deepest nesting of brackets that is parsed.
const MAX_NESTING: usize = 128;

/// The longest run of tokens that each open another level of syntax (`- - - x`, `a = b = c`, `else if`, `A<B<C<`), and
/// of prefix operators in a row.
const MAX_RUN: usize = 128;

/// The longest chain of operators and method calls in one expression: the tree that the parser makes of it is as deep.
const MAX_CHAIN: usize = 2_000;

/// The place and the description of syntax that nests too deeply, if there is such.
pub fn too_deep(tokens: &TokenStream) -> Option<(Span, &'static str)> {
    let mut levels = vec![(tokens.clone().into_iter(), Run::default())];
    while let Some((level, run)) = levels.last_mut() {
        let Some(token) = level.next() else {
            levels.pop();
            continue;
        };
        if let Some(what) = run.step(&token) {
            return Some((token.span(), what));
        }
        if let TokenTree::Group(group) = token {
            if levels.len() > MAX_NESTING {
                return Some((group.span(), refuse::BRACKETS));
            }
            levels.push((group.stream().into_iter(), Run::default()));
        }
    }
    None
}

/// What has been seen since the last separator at one level of brackets.
#[derive(Default)]
struct Run {
    /// Prefix operators in a row.
    prefixes: usize,
    /// Tokens after which the syntax nests to the right.
    openers: usize,
    /// Operators and method calls.
    chain: usize,
    /// Whether the last token ended an operand, so that an operator after it is no prefix.
    after_operand: bool,
    /// Whether the last token was a punctuation that goes on in the next.
    joint: bool,
    /// Whether the last token was a block. What follows it is a new statement or arm, unless it is `else` or an
    /// operator.
    after_block: bool,
}

impl Run {
    fn step(&mut self, token: &TokenTree) -> Option<&'static str> {
        let goes_on = match token {
            TokenTree::Punct(_) => true,
            TokenTree::Ident(word) => word == "else",
            TokenTree::Group(_) | TokenTree::Literal(_) => false,
        };
        if self.after_block && !goes_on {
            *self = Run::default();
        }
        self.after_block = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        match token {
            TokenTree::Punct(punct) => self.punct(punct.as_char(), punct.spacing()),
            TokenTree::Ident(ident) => self.ident(&ident.to_string()),
            TokenTree::Group(_) | TokenTree::Literal(_) => self.operand(),
        }
        if self.prefixes > MAX_RUN {
            return Some(refuse::PREFIXES);
        }
        if self.openers > MAX_RUN {
            return Some(refuse::NESTED_SOURCE);
        }
        (self.chain > MAX_CHAIN).then_some(refuse::LONG_EXPRESSION)
    }

    fn operand(&mut self) {
        self.prefixes = 0;
        self.after_operand = true;
        self.joint = false;
    }

    fn ident(&mut self, name: &str) {
        let nests = ["return", "break", "yield", "move", "else", "if", "match", "mut", "ref", "dyn", "async", "const"];
        let is_keyword =
            nests.contains(&name) || matches!(name, "let" | "for" | "while" | "loop" | "unsafe" | "static");
        if is_keyword {
            self.openers += 1;
            self.after_operand = false;
        } else {
            self.operand();
        }
        if matches!(name, "let" | "fn") {
            *self = Run::default();
        }
    }

    fn punct(&mut self, symbol: char, spacing: Spacing) {
        if matches!(symbol, ';' | ',') {
            *self = Run::default();
            return;
        }
        let continues = std::mem::replace(&mut self.joint, spacing == Spacing::Joint);
        if matches!(symbol, '=' | '<' | '|' | '@' | ':' | '?') || (symbol == '>' && continues) {
            self.openers += usize::from(!matches!(symbol, '?'));
        }
        if self.after_operand {
            self.chain += usize::from(!continues);
        } else {
            self.prefixes += 1;
        }
        self.after_operand = symbol == '?' && self.after_operand;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> bool {
        too_deep(&text.parse().unwrap()).is_some()
    }

    #[test]
    fn deep_syntax_is_refused_and_long_syntax_is_not() {
        for deep in ["- ", "!", "&", "*", "x = ", "|| ", "return ", "break ", "if a {} else ", "x += ", "&mut ", "<"] {
            assert!(refused(&format!("{} x", deep.repeat(1_000))), "{deep}");
        }
        assert!(refused(&format!("{}x{}", "(".repeat(200), ")".repeat(200))));
        assert!(refused(&format!("x{}", " + x".repeat(10_000))));
        assert!(!refused(&"let a = - b; ".repeat(10_000)));
        assert!(!refused(&format!("let a = x{};", " + -x".repeat(900))));
        assert!(!refused(&"a = f(-b, &c, *d);".repeat(1_000)));
        assert!(!refused(&"if a < b { c = d; } else { c = e; } ".repeat(1_000)));
        assert!(!refused(&"A { b, .. } if b > 2 => { c } 1 => { d } ".repeat(1_000)));
    }
}
