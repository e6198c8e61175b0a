//! `enumerate`.

use super::{Adaptor, AnyItems, End, Items, Length, Lowering, Takes, Value};

pub(super) const ENUMERATE: Adaptor =
    Adaptor { names: &["enumerate"], takes: Takes::Nothing(|items| Box::new(Enumerate { items, index: 0 })) };

#[derive(Clone)]
struct Enumerate {
    items: AnyItems,
    /// That of the next item at the front.
    index: usize,
}

impl Items for Enumerate {
    fn next(&mut self, end: End, lowering: &mut Lowering<'_>) -> Option<Value> {
        let item = lowering.next(&mut self.items, end)?;
        let index = match end {
            End::Front => {
                self.index += 1;
                self.index - 1
            }
            End::Back => self.index + self.items.length().exact()?,
        };
        Some(Value::Tuple(vec![Value::Passive(lowering.usize(index)), item].into()))
    }

    fn length(&self) -> Length {
        self.items.length()
    }
}
