//! The statistics of timings: whether a candidate is surely faster than what is written now.
//!
//! What disturbs a timing is no normal noise: other programs, the frequency of the processor, and above all where code
//! and data lie in memory, which is the same in all rounds of a build. So times are compared in pairs, of one round; of
//! the ratios of a build, the median counts; and the code lies elsewhere in every build. The median over all builds that
//! there could be is between the least and the largest of `n` with a probability of `1 - 2^(1 - n)`, whatever the
//! distribution is.

/// The times of the rounds of a build: of each round, those of all variants.
pub type Build = Vec<Vec<f64>>;

/// A ratio of times, and between what it surely is.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Ratio {
    /// The least of all builds.
    pub low: f64,
    /// The median of all builds.
    pub middle: f64,
    /// The largest of all builds.
    pub high: f64,
}

impl Ratio {
    /// The time of a variant divided by that of another, in these builds.
    pub fn of(builds: &[Build], variant: usize, base: usize) -> Self {
        let ratio = |round: &Vec<f64>| round[variant] / round[base];
        let mut medians: Vec<_> = builds.iter().map(|build| median(build.iter().map(ratio).collect())).collect();
        medians.sort_by(f64::total_cmp);
        Ratio { low: medians[0], middle: median(medians.clone()), high: medians[medians.len() - 1] }
    }

    /// Whether it is less than one in all builds.
    pub fn is_surely_less(self) -> bool {
        self.high < 1.0
    }
}

/// The probability, in per cent, that the median is between the least and the largest of `builds`, for all of `compared`
/// ratios.
pub fn confidence(builds: usize, compared: usize) -> f64 {
    let outside = 0.5_f64.powi(i32::try_from(builds).unwrap_or(i32::MAX) - 1);
    100.0 * (1.0 - outside * compared.max(1) as f64).max(0.0)
}

/// The time of a variant, in nanoseconds.
pub fn time(builds: &[Build], variant: usize) -> f64 {
    median(builds.iter().flatten().map(|round| round[variant]).collect())
}

/// The variants, the fastest first, by the medians of their ratios to the first one.
pub fn ranking(builds: &[Build]) -> Vec<usize> {
    let count = builds.first().and_then(|build| build.first()).map_or(0, Vec::len);
    let mut ranked: Vec<_> = (0..count).map(|variant| (Ratio::of(builds, variant, 0).middle, variant)).collect();
    ranked.sort_by(|(left, _), (right, _)| left.total_cmp(right));
    ranked.into_iter().map(|(_, variant)| variant).collect()
}

/// The ratio above which a variant is not worth an attribute, however sure it is: 1 % is within what the next change of the
/// program moves.
const CLEARLY_FASTER: f64 = 0.99;

/// The fastest variant of those that are surely faster than the first one, and by more than 1 %, and its ratio to that.
pub fn chosen(builds: &[Build], among: &[usize]) -> Option<(usize, Ratio)> {
    let ratios = among.iter().map(|&variant| (variant, Ratio::of(builds, variant, 0)));
    let faster = ratios.filter(|(_, ratio)| ratio.is_surely_less() && ratio.middle < CLEARLY_FASTER);
    faster.min_by(|(_, left), (_, right)| left.middle.total_cmp(&right.middle))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[middle],
        _ => 0.5 * (values[middle - 1] + values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds, with rounds in which variants take these times, on a machine that is disturbed: it changes its frequency, all
    /// that is in a round is slower together, one in seven measurements is interrupted, and in each build each variant
    /// lies in memory where it is up to two per cent faster or slower.
    fn builds(times: &[f64], count: usize, seed: u64) -> Vec<Build> {
        let mut state = seed | 1;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut build = || {
            let places: Vec<_> = times.iter().map(|_| 0.98 + 0.04 * random()).collect();
            let mut round = |number: usize| {
                let frequency = if number < 15 { 1.0 } else { 1.4 };
                let load = 1.0 + random();
                let mut timed = |(time, place): (&f64, &f64)| {
                    let interrupted = if random() < 0.15 { 10.0 * random() } else { 0.0 };
                    time * place * frequency * load * (1.0 + 0.02 * random()) + interrupted
                };
                times.iter().zip(&places).map(&mut timed).collect()
            };
            (0..31).map(&mut round).collect()
        };
        (0..count).map(|_| build()).collect()
    }

    #[test]
    fn what_is_slower_is_never_chosen() {
        for seed in 1..200 {
            for slower in [10.05, 10.5, 20.0] {
                let builds = builds(&[10.0, slower], 8, seed);
                assert_eq!(chosen(&builds, &[1]), None, "{slower}, {seed}");
            }
        }
    }

    #[test]
    fn what_is_hardly_faster_is_not_chosen_however_sure_it_is() {
        let alike: Vec<Build> = vec![vec![vec![10.0, 9.95, 9.8]; 31]; 8];
        assert_eq!(chosen(&alike, &[1]), None);
        assert_eq!(chosen(&alike, &[1, 2]).map(|(variant, _)| variant), Some(2));
    }

    #[test]
    fn what_is_as_fast_is_hardly_ever_chosen() {
        let is_chosen = |seed: &u64| chosen(&builds(&[10.0, 10.0, 10.0], 8, *seed), &[1, 2]).is_some();
        let count = (1..=1000).filter(is_chosen).count();
        assert!(count <= 20, "{count} of 1000, and {} % are promised", confidence(8, 2));
    }

    #[test]
    fn what_is_faster_is_chosen_with_its_ratio() {
        for seed in 1..200 {
            let builds = builds(&[10.0, 12.0, 8.0, 9.0], 8, seed);
            assert_eq!(ranking(&builds), [2, 3, 0, 1]);
            let (variant, ratio) = chosen(&builds, &[1, 2, 3]).expect("a fifth is enough");
            assert_eq!(variant, 2);
            assert!((ratio.middle - 0.8).abs() < 0.03, "{ratio:?}");
            assert!(ratio.low <= ratio.middle && ratio.middle <= ratio.high);
        }
    }

    #[test]
    fn one_fast_build_among_slow_ones_is_luck() {
        let mut builds = builds(&[10.0, 12.0], 8, 7);
        for round in &mut builds[3] {
            round[1] = 0.1;
        }
        assert_eq!(chosen(&builds, &[1]), None);
    }

    #[test]
    fn few_builds_say_little() {
        assert!(confidence(2, 1) <= 50.0);
        assert!(confidence(8, 2) > 98.0 && confidence(8, 2) < 98.9);
        assert!(confidence(1, 1) == 0.0);
    }
}
