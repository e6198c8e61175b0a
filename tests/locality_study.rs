//! The study of the example `locality` runs: a few of its variants compile, agree in all bits, and are counted.
#![cfg(target_arch = "x86_64")]

#[allow(dead_code, reason = "the example studies more")]
#[path = "../examples/locality/study/mod.rs"]
mod study;

use study::functions::FUNCTIONS;
use study::{Extent, Study};

#[test]
fn a_few_variants_are_compared() {
    let study = Study::run(&FUNCTIONS[..1], Extent::Quick).unwrap_or_else(|error| panic!("{error}"));
    let [(label, findings)] = &study.functions[..] else { panic!("one function is studied") };
    assert_eq!((*label, findings.len()), ("heart_dipole", 8));
    for finding in findings {
        // The Jacobian has more than 100 operations in any order, and 36 entries that are neither 0 nor 1.
        assert!(finding.counts.flops > 100 && finding.counts.loads > 8, "{:?}", finding.counts);
        assert!(finding.counts.stores > 8 + 36 / 2 && finding.time > 0.0, "{:?}", finding.counts);
        assert!(finding.prediction.traffic.stores >= 72 && finding.prediction.live > 8, "{:?}", finding.prediction);
        if let Some(instructions) = finding.instructions {
            assert!(instructions as usize > finding.counts.flops / 2, "{instructions} of {:?}", finding.counts);
        }
    }
    let report = study.to_string();
    for row in ["| CL-F | source |", "| CL-R | pressure |", "| depth-first | ", "| `heart_dipole` | loads + stores | "]
    {
        assert!(report.contains(row), "no {row} in\n{report}");
    }
}
