//! The variants of a Jacobian, as source text.

use std::error::Error;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use syn::{Item, ItemFn, Stmt, parse_quote};

use super::Extent;
use super::functions::Function;
use super::model::{Prediction, defines, predict};

/// Levels, by the letters of the literature.
const LEVELS: [(&str, &str); 2] = [("SL", "statement"), ("CL", "code-list")];

/// Orders, by the letters of the literature; L is the preset `locality`.
const ORDERS: [(&str, &str); 5] = [
    ("F", "forward"),
    ("R", "reverse"),
    ("M", "markowitz > reverse"),
    ("V", "vlr > reverse"),
    ("L", "sibling > successor-predecessor > markowitz > reverse"),
];

/// The schedules, `source` first: the others are compared with it.
pub const SCHEDULES: [&str; 4] = ["source", "depth-first", "list", "pressure"];

/// A Jacobian under an elimination order and a schedule.
pub struct Variant {
    /// Level and order, such as `CL-P-M`.
    pub order: String,
    /// The number of the schedule.
    pub schedule: usize,
    /// The number of its code among the different ones.
    pub code: usize,
}

/// Code that differs from all others of the function.
pub struct Code {
    /// The name of the function in it.
    pub symbol: String,
    /// A crate.
    pub text: String,
    /// The number of its statements.
    pub statements: usize,
    /// What the model of memory traffic predicts for it.
    pub prediction: Prediction,
}

/// All variants of a function, and the different codes that they give. Without the orders for which the function is
/// too long, which are named.
pub fn variants(function: &Function, extent: Extent<'_>) -> Result<(Vec<Variant>, Vec<Code>), Box<dyn Error>> {
    let (mut variants, mut bodies, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    for (order, options) in orders(extent) {
        for (schedule, name) in SCHEDULES.iter().enumerate() {
            let Some(generated) =
                generated(&function.text(), &format!("{options}, pack = \"never\", schedule = {name:?}"))?
            else {
                eprintln!("{}: too long for {order}", function.label);
                break;
            };
            let body = generated.block.to_token_stream().to_string();
            let code = bodies.iter().position(|known| *known == body).unwrap_or(bodies.len());
            if code == bodies.len() {
                bodies.push(body);
                codes.push(Code::new(function, code, generated)?);
            }
            variants.push(Variant { order: order.clone(), schedule, code });
        }
    }
    Ok((variants, codes))
}

/// The names and the options of all elimination orders.
fn orders(extent: Extent<'_>) -> Vec<(String, String)> {
    let mut orders = Vec::new();
    for (level, linearize) in LEVELS {
        for (pre, filter) in [("", ""), ("P-", "pre > ")] {
            for (letter, order) in ORDERS {
                let options = format!("linearize = {linearize:?}, strategy = \"vertex: {filter}{order}\"");
                orders.push((format!("{level}-{pre}{letter}"), options));
            }
        }
    }
    match extent {
        Extent::Full(start) => orders.into_iter().filter(|(name, _)| name.starts_with(start)).collect(),
        Extent::Quick => orders.split_off(LEVELS.len() * ORDERS.len()).into_iter().take(2).collect(),
    }
}

/// The most statements of a variant: rustc takes some ten seconds for this many.
const MAX_STATEMENTS: usize = 40_000;

/// What the attribute says where a function is too long for an order.
const TOO_LONG: &str = "split the function, or try another strategy";

/// The function that the attribute generates; none where the function is too long for the order, or what is generated
/// is too long for rustc.
fn generated(text: &str, options: &str) -> Result<Option<ItemFn>, Box<dyn Error>> {
    let (options, function): (TokenStream, TokenStream) = (options.parse()?, text.parse()?);
    let expanded = jacobian_expand::expand(options, function);
    let file: syn::File = syn::parse2(expanded.clone())?;
    match file.items.into_iter().next_back() {
        Some(Item::Fn(generated)) if !expanded.to_string().contains("compile_error") => {
            Ok(Some(generated).filter(|generated| count(&generated.block.stmts) <= MAX_STATEMENTS))
        }
        _ if expanded.to_string().contains(TOO_LONG) => Ok(None),
        _ => Err(format!("the attribute refuses the function: {expanded}").into()),
    }
}

impl Code {
    fn new(function: &Function, number: usize, mut generated: ItemFn) -> Result<Self, Box<dyn Error>> {
        let prediction = predict(&generated, function.columns)?;
        let symbol = format!("{}_{number}", function.label);
        generated.attrs = vec![parse_quote!(#[unsafe(no_mangle)]), parse_quote!(#[inline(never)])];
        generated.vis = parse_quote!(pub);
        generated.sig.ident = format_ident!("{symbol}");
        let statements = count(&generated.block.stmts);
        let text = format!("#![crate_type = \"lib\"]\n{}\n", generated.to_token_stream());
        Ok(Code { symbol, text, statements, prediction })
    }
}

/// The statements, those of blocks included.
fn count(statements: &[Stmt]) -> usize {
    let of = |statement: &Stmt| match statement {
        Stmt::Local(local) => match local.init.as_ref().map(|init| &*init.expr) {
            Some(syn::Expr::Block(block)) if defines(&block.block) => 0,
            Some(syn::Expr::Block(block)) => count(&block.block.stmts),
            _ => 1,
        },
        _ => 0,
    };
    statements.iter().map(of).sum()
}
