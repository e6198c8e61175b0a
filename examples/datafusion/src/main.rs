//! Fits a model to every group of a table, by a function of DataFusion in whose inner loop is a generated derivative.
//!
//!     cargo run

mod aggregate;
mod model;

use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::{ArrayRef, AsArray, Float64Array, Int64Array, RecordBatch};
use datafusion::arrow::datatypes::{Float64Type, Int64Type};
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::logical_expr::AggregateUDF;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::aggregate::Cooling;

const SENSORS: i64 = 1000;
const READINGS: i64 = 40;
const PARTITIONS: i64 = 4;

const QUERY: &str = "
    SELECT sensor, get_field(fit, 'ambient') AS ambient, get_field(fit, 'excess') AS excess, get_field(fit, 'rate') AS rate
    FROM (SELECT sensor, cooling(time, temperature) AS fit FROM readings GROUP BY sensor)
    ORDER BY sensor";

/// What is to be found again: the parameters of a sensor.
fn truth(sensor: i64) -> [f64; 3] {
    let s = sensor as f64;
    [20.0 + s.sin(), 50.0 + 10.0 * (0.7 * s).cos(), 0.5 + 0.3 * (0.3 * s).sin()]
}

/// The readings of all sensors whose number is that of the partition: so each group is spread over all partitions. Some
/// temperatures are missing, and of the last sensor all but two.
fn partition(number: i64) -> Result<RecordBatch> {
    let places =
        || (0..READINGS).filter(move |i| i % PARTITIONS == number).flat_map(|i| (0..SENSORS).map(move |s| (s, i)));
    let time = |i: i64| 0.25 * i as f64;
    let temperature = |(sensor, i): (i64, i64)| {
        let [ambient, excess, rate] = truth(sensor);
        let is_missing = (sensor + i) % 11 == 0 || (sensor == SENSORS - 1 && i > 1);
        (!is_missing).then(|| ambient + excess * (-rate * time(i)).exp())
    };
    let columns: [(&str, ArrayRef); 3] = [
        ("sensor", Arc::new(places().map(|(sensor, _)| sensor).collect::<Int64Array>())),
        ("time", Arc::new(places().map(|(_, i)| Some(time(i))).collect::<Float64Array>())),
        ("temperature", Arc::new(places().map(temperature).collect::<Float64Array>())),
    ];
    // Missing numbers are in the last column only; all columns may have some.
    Ok(RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))?)
}

#[tokio::main]
async fn main() -> Result<()> {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(PARTITIONS as usize));
    context.register_udaf(AggregateUDF::from(Cooling::new()));
    let partitions = (0..PARTITIONS).map(|number| Ok(vec![partition(number)?])).collect::<Result<Vec<_>>>()?;
    let table = MemTable::try_new(partitions[0][0].schema(), partitions)?;
    context.register_table("readings", Arc::new(table))?;

    context.sql(&format!("EXPLAIN {QUERY}")).await?.show().await?;
    context.sql(&format!("{QUERY} LIMIT 5")).await?.show().await?;

    let start = Instant::now();
    let batches = context.sql(QUERY).await?.collect().await?;
    let elapsed = start.elapsed();
    let mut fitted = 0;
    for batch in &batches {
        let sensors = batch.column(0).as_primitive::<Int64Type>();
        let found = [1, 2, 3].map(|column: usize| batch.column(column).as_primitive::<Float64Type>());
        for (row, sensor) in sensors.iter().flatten().enumerate() {
            let parameters = found.map(|column| column.iter().nth(row).flatten());
            if sensor == SENSORS - 1 {
                assert_eq!(parameters, [None; 3], "two readings do not determine three parameters");
                continue;
            }
            for (parameter, truth) in parameters.into_iter().zip(truth(sensor)) {
                assert!(
                    (parameter.expect("a fit") - truth).abs() < 1e-8,
                    "sensor {sensor}: {parameter:?}, not {truth}"
                );
            }
            fitted += 1;
        }
    }
    assert_eq!(fitted, SENSORS - 1);
    println!("{fitted} of {SENSORS} groups of {READINGS} readings fitted in {elapsed:.1?}, all within 1e-8");
    Ok(())
}
