//! The operations in the generated code, counted in the code itself: what is written there, before any optimization.

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, ExprUnary, File, Item, ItemFn, ItemMod, UnOp};

/// The texts of the functions.
const SOURCES: [&str; 2] = [include_str!("functions.rs"), include_str!(concat!(env!("OUT_DIR"), "/chain.rs"))];

/// The text of the functions of a single result.
const SCALARS: &str = include_str!("scalars.rs");

/// The text of the residuals.
const RESIDUALS: &str = include_str!("residuals.rs");

/// The strategies of the table, if no others are asked for.
pub const STRATEGIES: [&str; 5] = ["auto", "forward", "reverse", "markowitz", "vlr"];

/// Operations by kind.
#[derive(Default)]
pub struct Operations {
    /// Products.
    pub products: usize,
    /// Sums and differences.
    pub sums: usize,
    /// Quotients.
    pub quotients: usize,
    /// Changes of sign.
    pub negations: usize,
    /// Calls, square roots among them.
    pub calls: usize,
}

impl Operations {
    /// Products, sums and quotients.
    pub fn arithmetic(&self) -> usize {
        self.products + self.sums + self.quotients
    }

    /// Counts in a function.
    pub fn of(function: &ItemFn) -> Self {
        let mut operations = Operations::default();
        operations.visit_block(&function.block);
        operations
    }
}

impl<'ast> Visit<'ast> for Operations {
    /// What sums are fused with is in a module, and is written once more than it is carried out.
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        visit::visit_expr_binary(self, binary);
        match binary.op {
            BinOp::Mul(_) => self.products += 1,
            BinOp::Add(_) | BinOp::Sub(_) => self.sums += 1,
            BinOp::Div(_) => self.quotients += 1,
            _ => {}
        }
    }

    fn visit_expr_unary(&mut self, unary: &'ast ExprUnary) {
        visit::visit_expr_unary(self, unary);
        if matches!(unary.op, UnOp::Neg(_)) && !matches!(*unary.expr, Expr::Lit(_)) {
            self.negations += 1;
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        visit::visit_expr_method_call(self, call);
        self.calls += 1;
    }
}

/// The functions of the benchmark, as they are written.
pub fn functions() -> Vec<ItemFn> {
    SOURCES.iter().flat_map(|source| functions_in(source)).collect()
}

fn functions_in(source: &str) -> Vec<ItemFn> {
    let macros = syn::parse_file(source).expect("the source is Rust").items.into_iter();
    let contents = macros.filter_map(|item| match item {
        Item::Macro(item) if item.ident.is_none() => syn::parse2::<File>(item.mac.tokens).ok(),
        _ => None,
    });
    let functions = contents.flat_map(|file| file.items).filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    functions.collect()
}

/// The operations of value and Jacobian by a strategy: of single statements, for packed ones are calls.
pub fn of_jacobian(function: &ItemFn, strategy: &str) -> Operations {
    of_generated(function, quote!(strategy = #strategy, pack = "never"))
}

fn of_generated(function: &ItemFn, options: TokenStream) -> Operations {
    Operations::of(&last_function(jacobian_expand::expand(options, function.to_token_stream())))
}

/// The operations of the function: those of its code list, which a loop is unrolled in.
fn of_function(function: &ItemFn) -> String {
    let expanded = last_function(jacobian_expand::expand(TokenStream::new(), function.to_token_stream()));
    let documentation: String =
        expanded.attrs.iter().map(|attribute| attribute.to_token_stream().to_string()).collect();
    let text = documentation.split_once(&format!("`{}`: ", function.sig.ident)).map(|(_, rest)| rest);
    let count = text.and_then(|text| text.split_once(" operation")).map(|(count, _)| count);
    count.expect("the documentation says how many operations the function takes").to_string()
}

fn last_function(expanded: TokenStream) -> ItemFn {
    let items = syn::parse2::<File>(expanded).expect("the expansion is Rust").items;
    match items.into_iter().next_back() {
        Some(Item::Fn(function)) => function,
        _ => panic!("the Jacobian is the last item"),
    }
}

/// The table of all functions by these strategies, in Markdown: products + sums + quotients (of them quotients; calls).
pub fn table(strategies: &[&str]) -> String {
    let mut table = format!("| function | f, all operations | {} |\n", strategies.join(" | "));
    table += &format!("|---|---{}|\n", "|---".repeat(strategies.len()));
    for function in functions() {
        write!(table, "| {} | {}", function.sig.ident, of_function(&function)).expect("strings can be written");
        for strategy in strategies {
            let operations = of_jacobian(&function, strategy);
            let (sum, quotients, calls) = (operations.arithmetic(), operations.quotients, operations.calls);
            write!(table, " | {sum} ({quotients}; {calls})").expect("strings can be written");
        }
        table += " |\n";
    }
    table
}

/// The tables of functions by the forms of what is generated, by `auto`.
pub fn tables_of_forms() -> String {
    let others = functions()
        .into_iter()
        .filter(|function| ["quadrotor", "pollution"].iter().any(|name| function.sig.ident == name));
    let scalars = functions_in(SCALARS).into_iter().chain(others);
    let first = table_of_forms(scalars, &["jac", "jac_only", "jvp", "vjp", "hess", "hvp"]);
    format!("{first}\n{}", table_of_forms(functions_in(RESIDUALS).into_iter(), &["jac", "normal"]))
}

fn table_of_forms(functions: impl Iterator<Item = ItemFn>, forms: &[&str]) -> String {
    let mut table = format!("| function | f, all operations | {} |\n", forms.join(" | "));
    table += &format!("|---|---{}|\n", "|---".repeat(forms.len()));
    for function in functions {
        write!(table, "| {} | {}", function.sig.ident, of_function(&function)).expect("strings can be written");
        for form in forms {
            let form = syn::Ident::new(form, proc_macro2::Span::call_site());
            let operations = of_generated(&function, quote!(forms(#form), pack = "never"));
            let (sum, quotients, calls) = (operations.arithmetic(), operations.quotients, operations.calls);
            write!(table, " | {sum} ({quotients}; {calls})").expect("strings can be written");
        }
        table += " |\n";
    }
    table
}
