//! The memory traffic that the model of the engine predicts for generated code.

use std::error::Error;
use std::fmt::Write;

use jacobian_core::CodeList;
use jacobian_lab::traffic::{Traffic, live_values};
use quote::ToTokens;
use syn::{Block, Expr, ItemFn, Pat, Stmt};

/// The registers for floats of x86-64.
pub const REGISTERS: usize = 16;

/// What the model predicts.
#[derive(Copy, Clone, Debug)]
pub struct Prediction {
    /// Loads and stores.
    pub traffic: Traffic,
    /// The most values that are live at once.
    pub live: usize,
}

/// The prediction for a generated function without branches of one array of this many inputs.
pub fn predict(generated: &ItemFn, inputs: usize) -> Result<Prediction, Box<dyn Error>> {
    let mut text: String = (0..inputs).map(|input| format!("input x[{input}]\n")).collect();
    statements(&mut text, &generated.block.stmts, true)?;
    let list: CodeList = text.parse()?;
    Ok(Prediction { traffic: Traffic::of(&list, REGISTERS), live: live_values(&list).into_iter().max().unwrap_or(0) })
}

/// Writes statements as a code list. The value of the function is written as outputs; that of a block repeats names.
fn statements(text: &mut String, statements: &[Stmt], is_function: bool) -> Result<(), Box<dyn Error>> {
    for statement in statements {
        match statement {
            Stmt::Local(local) => match (&local.pat, local.init.as_ref().map(|init| &*init.expr)) {
                (_, Some(Expr::Block(block))) if defines(&block.block) => {}
                (_, Some(Expr::Block(block))) => self::statements(text, &block.block.stmts, false)?,
                (pattern, Some(value)) => writeln!(text, "{} = {}", name(pattern)?, expression(value)?)?,
                (_, None) => return Err("a variable without a value".into()),
            },
            Stmt::Expr(value, None) if is_function => outputs(text, value)?,
            Stmt::Expr(_, None) => {}
            other => return Err(format!("unexpected: {}", other.to_token_stream()).into()),
        }
    }
    Ok(())
}

/// Whether a block is the definition of how sums are fused with products, which are single ones here.
pub fn defines(block: &Block) -> bool {
    matches!(block.stmts[..], [Stmt::Item(_), ..])
}

fn name(pattern: &Pat) -> Result<String, Box<dyn Error>> {
    match pattern {
        Pat::Ident(variable) => Ok(variable.ident.to_string()),
        Pat::Type(typed) => name(&typed.pat),
        other => Err(format!("unexpected: {}", other.to_token_stream()).into()),
    }
}

fn outputs(text: &mut String, value: &Expr) -> Result<(), Box<dyn Error>> {
    match value {
        Expr::Tuple(tuple) => tuple.elems.iter().try_for_each(|element| outputs(text, element)),
        Expr::Array(array) => array.elems.iter().try_for_each(|element| outputs(text, element)),
        entry => Ok(writeln!(text, "output {}", expression(entry)?)?),
    }
}

fn expression(value: &Expr) -> Result<String, Box<dyn Error>> {
    Ok(match value {
        Expr::Binary(binary) => {
            let symbol = binary.op.to_token_stream();
            format!("({} {symbol} {})", expression(&binary.left)?, expression(&binary.right)?)
        }
        // Of a number, it is a part of the constant, which may be a result.
        Expr::Unary(unary) if matches!(*unary.expr, Expr::Lit(_)) => format!("-{}", expression(&unary.expr)?),
        Expr::Unary(unary) => format!("(-{})", expression(&unary.expr)?),
        // `fused(a, b, c, a * b + c)`
        Expr::Call(call) => expression(call.args.last().ok_or("a call without arguments")?)?,
        Expr::MethodCall(call) => {
            let arguments = std::iter::once(&*call.receiver).chain(&call.args);
            let arguments = arguments.map(expression).collect::<Result<Vec<_>, _>>()?;
            format!("{}({})", call.method, arguments.join(", "))
        }
        Expr::Index(index) => format!("{}[{}]", expression(&index.expr)?, expression(&index.index)?),
        Expr::Paren(inner) => expression(&inner.expr)?,
        Expr::Path(_) | Expr::Lit(_) => value.to_token_stream().to_string(),
        other => return Err(format!("unexpected: {}", other.to_token_stream()).into()),
    })
}

#[cfg(test)]
mod tests {
    use super::{Traffic, predict};

    #[test]
    fn generated_code_is_read_as_it_is_written() {
        let function = syn::parse_quote! {
            fn f(x: &[f64; 2]) -> ([f64; 1], [[f64; 2]; 1]) {
                let (y,) = { let y: f64 = x[0] * x[1].sqrt(); (y,) };
                let v2 = -y;
                ([y], [[v2, -1.0]])
            }
        };
        // Two inputs, three outputs; after each statement, one value is used again.
        let prediction = predict(&function, 2).expect("generated code");
        assert_eq!((prediction.traffic, prediction.live), (Traffic { loads: 2, stores: 3 }, 1));
    }
}
