/// The digamma function, the derivative of the logarithm of the gamma function. Its poles are infinite at +0 and -0, as
/// `-1 / x` is, and NaN at the negative integers, where they have no sign.
fn digamma(x: ::core::primitive::f64) -> ::core::primitive::f64 {
    if x < 0.0 {
        let fraction = x - libm::round(x);
        if fraction == 0.0 {
            return ::core::primitive::f64::NAN;
        }
        let reflected = digamma(1.0 - x);
        return reflected - ::core::f64::consts::PI / libm::tan(::core::f64::consts::PI * fraction);
    }
    if x > 10.0 {
        // The asymptotic series, with the Bernoulli numbers over twice their index.
        let mut series = 0.0;
        for number in [1.0 / 12.0, -691.0 / 32760.0, 1.0 / 132.0, -1.0 / 240.0, 1.0 / 252.0, -1.0 / 120.0, 1.0 / 12.0] {
            series = (series + number) / x / x;
        }
        return libm::log(x) - 0.5 / x - series;
    }
    // The recurrence leads to where a rational function is near, which has the root and the pole of the digamma
    // function.
    let (mut x, mut sum) = (x, 0.0);
    while x > 2.0 {
        x -= 1.0;
        sum += 1.0 / x;
    }
    let (mut numerator, mut denominator) = (0.007805760149592601, 1.0);
    for coefficient in [
        4.958153915392419,
        193.30059769541697,
        2346.8605917723044,
        11923.014676720632,
        27328.701452510024,
        26414.30546403394,
        7752.656556355013,
    ] {
        numerator = numerator * x + coefficient;
    }
    for coefficient in [
        56.38541803061202,
        908.6965664131609,
        6005.295114792543,
        18135.056043371962,
        24314.603600878087,
        11331.532031668215,
    ] {
        denominator = denominator * x + coefficient;
    }
    let from_root = (x - 1.4616321449683622) - 9.549995429965697e-17;
    sum + from_root * numerator / (x * denominator)
}
