//! The data that the solvers fit: Misra1a of the NIST reference data sets (dental research, monomolecular adsorption).

/// The pressure and the volume.
pub const DATA: [(f64, f64); 14] = [
    (77.6, 10.07),
    (114.9, 14.73),
    (141.1, 17.94),
    (190.8, 23.93),
    (239.9, 29.61),
    (289.0, 35.18),
    (332.8, 40.02),
    (378.4, 44.82),
    (434.8, 50.76),
    (477.3, 55.05),
    (536.8, 61.01),
    (593.1, 66.40),
    (689.1, 75.47),
    (760.0, 81.78),
];

/// NIST's nearer starting point.
pub const START: [f64; 2] = [250.0, 5e-4];

/// Compares the parameters with NIST's certified ones.
///
/// # Panics
///
/// Panics where they differ by more than a millionth.
pub fn check(found: [f64; 2]) {
    for (found, certified) in found.into_iter().zip([2.389_421_291_8e2, 5.501_564_318_1e-4]) {
        println!("{found:.10e}, certified {certified:.10e}");
        assert!((found / certified - 1.0).abs() < 1e-6, "{found} is not {certified}");
    }
}
