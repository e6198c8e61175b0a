#![allow(unused_variables, unused_assignments, unused_mut, unused_imports, unused_macros)]

use jacobian::jacobian;

struct Meter;

impl Meter {
    fn lt(&self, x: &f64) -> f64 {
        *x
    }
}

type Index = usize;

#[jacobian]
fn texts(x: f64) -> f64 {
    let text = format!("{x}");
    let other = x.to_string();
    x * text.len() as f64
}

#[jacobian]
fn of_bits(x: f64) -> f64 {
    f64::from_bits(x.to_bits() + 1)
}

#[jacobian]
fn an_alias(x: f64, table: &[u8; 3]) -> f64 {
    x * table[x as Index] as f64
}

#[jacobian(wrt(x))]
fn of_the_user(x: f64, meter: &Meter) -> f64 {
    x * meter.lt(&x)
}

#[jacobian(wrt(x))]
fn stored_by_a_chain(x: f64, k: Option<f64>, cell: &std::cell::Cell<f64>) -> f64 {
    if let Some(v) = k && cell.replace(x) > v { cell.get() } else { x }
}

#[jacobian(wrt(x))]
fn stored_by_a_guard(x: f64, n: usize, cell: &std::cell::Cell<f64>) -> f64 {
    match n {
        n if keep(cell, x) > n as f64 => cell.get(),
        _ => x,
    }
}

fn keep(cell: &std::cell::Cell<f64>, x: f64) -> f64 {
    cell.replace(x)
}

#[jacobian(wrt(x))]
fn stored_by_a_search(x: f64, data: &[f64], list: &std::cell::RefCell<Vec<f64>>) -> f64 {
    let is_there = data.iter().any(|d| {
        list.borrow_mut().push(x);
        *d > x
    });
    list.borrow()[0]
}

#[jacobian(wrt(x))]
fn stored_by_a_text(x: f64, out: &mut String, cell: &std::cell::Cell<f64>) -> f64 {
    use std::fmt::Write;
    write!(out, "{}", keep(cell, x)).unwrap();
    cell.get()
}

#[jacobian(wrt(x))]
fn default_of_what_is_no_float(x: f64, n: usize) -> f64 {
    let mut pair = (x, n);
    let (y, m) = std::mem::take(&mut pair);
    y * m as f64
}

#[jacobian(wrt(x))]
fn written_elsewhere(x: f64, list: &mut Vec<f64>) -> f64 {
    list.push(x);
    note(list, x);
    x * list[0]
}

fn note(list: &mut Vec<f64>, x: f64) {
    list.push(x);
}

fn main() {}
