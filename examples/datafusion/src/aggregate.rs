//! The aggregate function `cooling(time, temperature)` of SQL. What it keeps of a group are its readings, as two lists;
//! parts of a group that are read in other threads, or on other machines, are put together as such lists. It gives a
//! struct of the three parameters, or NULL where a fit is not possible. Readings without a number are left out.

use std::mem::size_of_val;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array, StructArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Float64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};

use crate::model::{Reading, fit};

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Cooling {
    signature: Signature,
}

impl Cooling {
    pub fn new() -> Self {
        Cooling { signature: Signature::exact(vec![DataType::Float64; 2], Volatility::Immutable) }
    }
}

/// The fields of the result.
fn parameters() -> Fields {
    ["ambient", "excess", "rate"].into_iter().map(|name| Field::new(name, DataType::Float64, true)).collect()
}

impl AggregateUDFImpl for Cooling {
    fn name(&self) -> &str {
        "cooling"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(parameters()))
    }

    fn state_fields(&self, _: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let list = |name| Field::new_list(name, Field::new_list_field(DataType::Float64, true), true).into();
        Ok(vec![list("times"), list("temperatures")])
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Group::default()))
    }
}

/// The readings of a group, or of a part of it.
#[derive(Debug, Default)]
struct Group(Vec<Reading>);

impl Group {
    fn add(&mut self, times: &dyn Array, temperatures: &dyn Array) {
        let columns = [times, temperatures].map(|column| column.as_primitive::<Float64Type>());
        let pairs = columns[0].iter().zip(columns[1]);
        let readings = pairs.filter_map(|(time, temperature)| Some(Reading { time: time?, temperature: temperature? }));
        self.0.extend(readings);
    }
}

impl Accumulator for Group {
    fn update_batch(&mut self, columns: &[ArrayRef]) -> Result<()> {
        self.add(&columns[0], &columns[1]);
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let list = |of: fn(&Reading) -> f64| {
            let column = Float64Array::from_iter_values(self.0.iter().map(of));
            SingleRowListArrayBuilder::new(Arc::new(column)).build_list_scalar()
        };
        Ok(vec![list(|reading| reading.time), list(|reading| reading.temperature)])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [times, temperatures] = [0, 1].map(|column: usize| states[column].as_list::<i32>());
        for (times, temperatures) in times.iter().flatten().zip(temperatures.iter().flatten()) {
            self.add(&times, &temperatures);
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let Some(found) = fit(&self.0) else { return ScalarValue::try_new_null(&DataType::Struct(parameters())) };
        let columns = found.map(|parameter| Arc::new(Float64Array::from(vec![parameter])) as ArrayRef);
        Ok(ScalarValue::Struct(Arc::new(StructArray::try_new(parameters(), columns.into(), None)?)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.capacity() * size_of::<Reading>()
    }
}
