//! `cargo jacobian tune`: builds and times candidates on this machine, and says which attribute is the fastest.
//!
//! It goes in three steps, each with a build of its own that has all candidates of the step: what is written now with
//! one option changed; of each option the best values, combined; and the fastest of these against what is written now,
//! in several builds, from which alone the gain is told. Candidates whose code is the same are one.

mod candidates;
mod compare;
mod harness;
mod needed;
mod progress;
mod scratch;
mod subject;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use jacobian_core::form::FORMS;

use self::candidates::{Choice, Written, combined, single};
use self::compare::{Build, Ratio, chosen, confidence, ranking, time};
use self::harness::Given;
use self::progress::Progress;
use self::scratch::{Package, Printed};
use self::subject::{Candidate, Subject};
use super::select::Place;

/// What is asked for.
#[derive(Args)]
pub struct Tuning {
    /// `FILE::path::f`.
    place: Place,
    /// A file with a point a line: the numbers of all parameters in order, slices in brackets.
    #[arg(long)]
    points: Option<PathBuf>,
    /// The range of the random numbers of a parameter, or of all: `x=-1..1`, `0..10`.
    #[arg(long, value_name = "[NAME=]LOW..HIGH", value_parser = range, allow_hyphen_values = true)]
    range: Vec<(Option<String>, (f64, f64))>,
    /// An expression for a parameter that is not made of numbers, or for `self`: `'p=&Params { k: 1.0 }'`.
    #[arg(long, value_name = "NAME=EXPRESSION", value_parser = named)]
    value: Vec<(String, String)>,
    /// The number of random points.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// The form that is timed: without it, the first that the attribute names.
    #[arg(long)]
    form: Option<String>,
    /// Times these options against what is written now, and no others: `'strategy = "reverse", pack = "never"'`.
    #[arg(long = "try", value_name = "OPTIONS")]
    tries: Vec<String>,
    /// How often the fastest are built at the end.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..))]
    builds: u8,
    /// How often each of these builds is run.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
}

fn range(text: &str) -> Result<(Option<String>, (f64, f64)), String> {
    let (name, range) = match text.split_once('=') {
        Some((name, range)) => (Some(name.trim().to_string()), range),
        None => (None, text),
    };
    let expected = || format!("expected `NAME=LOW..HIGH`, found `{text}`");
    let (low, high) = range.split_once("..").ok_or_else(expected)?;
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(expected);
    let (low, high) = (number(low)?, number(high)?);
    if low <= high { Ok((name, (low, high))) } else { Err(expected()) }
}

fn named(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected `NAME=EXPRESSION`, found `{text}`"))?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// The rounds of a run.
const ROUNDS: usize = 31;

/// The runs of a build that only tells what is worth a closer look.
const RUNS: usize = 3;

/// With a probability, in per cent, below this, nothing is advised.
const SURE: f64 = 90.0;

/// How many builds there are.
fn counted(builds: &[Build]) -> String {
    format!("{} build{}", builds.len(), if builds.len() == 1 { "" } else { "s" })
}

/// How long candidates may take to be expanded; those after that are left out.
const MAX_EXPANSION: Duration = Duration::from_secs(60);

/// A candidate, called by value or in place.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Variant {
    candidate: usize,
    in_place: bool,
}

/// What is being tuned.
struct Session<'a> {
    tuning: &'a Tuning,
    subject: Subject,
    package: Package,
    progress: Progress,
    /// What has been expanded, none twice; the first is what is written now.
    candidates: Vec<Candidate>,
    /// How many choices have been expanded.
    tried: usize,
    /// Those that gave no code, or other derivatives.
    left_out: Vec<String>,
    printed: Printed,
}

/// Times candidates for a function, and says which is the fastest.
///
/// # Errors
/// Where the function, the points or the candidates are refused.
pub fn tune(tuning: &Tuning) -> Result<String, String> {
    let given =
        Given { values: tuning.value.clone(), ranges: tuning.range.clone(), has_points: tuning.points.is_some() };
    let subject = Subject::of(&tuning.place, tuning.form.as_deref(), given)?;
    let form = &subject.form;
    let is_timed = |(name, form): &&(&str, jacobian_core::Form)| {
        let own = subject.form.strip_suffix("_sparse").unwrap_or(&subject.form);
        *name == own && !form.is_of_labels() && *form != jacobian_core::Form::Labels
    };
    if !FORMS.iter().any(|row| is_timed(&row)) {
        return Err(format!("`{form}` is no form that is timed by itself: name another by --form"));
    }
    let mut session = Session {
        package: Package::of(tuning.place.file())?,
        tuning,
        subject,
        progress: Progress::new(),
        candidates: Vec::new(),
        tried: 0,
        left_out: Vec::new(),
        printed: Printed::default(),
    };
    let told = session.tuned()?;
    session.package.clear();
    Ok(told)
}

impl Session<'_> {
    fn tuned(&mut self) -> Result<String, String> {
        let (written, in_place) = (self.subject.written.clone(), self.subject.in_place);
        let now = Variant { candidate: 0, in_place };
        let style = |in_place| move |candidate| Variant { candidate, in_place };
        let mut screened = Vec::new();
        let finalists: Vec<Variant> = if self.tuning.tries.is_empty() {
            let fresh = self.expanded(single(&written.choice))?;
            let both = [in_place, !in_place]
                .map(|style| fresh.iter().map(|&candidate| Variant { candidate, in_place: style }).collect::<Vec<_>>())
                .concat();
            let both = self.there(now, both);
            let runs = [self.measured(&both, 0, RUNS, "alone")?];
            let ranked: Vec<_> = ranking(&runs).into_iter().map(|index| both[index]).collect();
            let own: Vec<_> = ranked.iter().filter(|variant| variant.in_place == in_place).collect();
            let choices: Vec<_> = own.iter().map(|variant| self.candidates[variant.candidate].choice.clone()).collect();
            let mut best: Vec<_> = own.iter().take(4).map(|variant| variant.candidate).collect();
            best.extend(self.expanded(combined(&written.choice, &choices))?);
            let again = [in_place, !in_place]
                .map(|in_place| best.iter().copied().map(style(in_place)).collect::<Vec<_>>())
                .concat();
            let again = self.there(now, again);
            let second = [self.measured(&again, 1, RUNS, "combined")?];
            screened
                .extend(both.iter().enumerate().map(|(index, variant)| (*variant, Ratio::of(&runs, index, 0).middle)));
            screened.extend(
                again.iter().enumerate().map(|(index, variant)| (*variant, Ratio::of(&second, index, 0).middle)),
            );
            let ranked: Vec<_> =
                ranking(&second).into_iter().map(|index| again[index]).filter(|variant| *variant != now).collect();
            let of = |is_own: bool, count| {
                ranked.iter().filter(move |variant| (variant.in_place == in_place) == is_own).take(count).copied()
            };
            of(true, 2).chain(of(false, 1)).collect()
        } else {
            let mut choices = vec![written.choice.clone()];
            choices
                .extend(self.tuning.tries.iter().map(|text| self.subject.tried(text)).collect::<Result<Vec<_>, _>>()?);
            let fresh = self.expanded(choices)?;
            [in_place, !in_place]
                .map(|in_place| fresh.iter().copied().map(style(in_place)).collect::<Vec<_>>())
                .concat()
        };
        let last = self.there(now, finalists);
        let (builds, runs) = (usize::from(self.tuning.builds), usize::from(self.tuning.runs));
        let mut all = Vec::new();
        for build in 0..builds {
            let what = format!("to be sure, build {} of {builds}", build + 1);
            all.push(self.measured(&last, 2 + build, runs, &what)?);
        }
        Ok(self.report(&written, &last, &all, screened))
    }

    /// The variants whose functions are there, after the present one.
    fn there(&self, now: Variant, others: Vec<Variant>) -> Vec<Variant> {
        let is_there = |variant: &Variant| *variant != now && self.candidates[variant.candidate].has(variant.in_place);
        std::iter::once(now).chain(others.into_iter().filter(is_there)).collect()
    }

    /// Expands what is new: the numbers of the candidates.
    fn expanded(&mut self, choices: Vec<Choice>) -> Result<Vec<usize>, String> {
        let (start, mut fresh, all) = (Instant::now(), Vec::new(), choices.len());
        for (done, choice) in choices.into_iter().enumerate() {
            self.progress.show("expanded", done, all);
            if start.elapsed() > MAX_EXPANSION {
                self.left_out.push(format!("{choice}: the others took a minute to be expanded"));
                continue;
            }
            self.tried += 1;
            match self.subject.candidate(choice.clone(), self.tried) {
                Ok(candidate) => match self.candidates.iter().any(|other| other.code == candidate.code) {
                    true => {}
                    false => {
                        fresh.push(self.candidates.len());
                        self.candidates.push(candidate);
                    }
                },
                Err(why) if self.candidates.is_empty() => return Err(why),
                Err(why) => self.left_out.push(format!("{choice}: {why}")),
            }
        }
        Ok(fresh)
    }

    /// The times of variants, the first of which is what is written now.
    fn measured(&mut self, variants: &[Variant], build: usize, runs: usize, what: &str) -> Result<Build, String> {
        self.progress.show(&format!("built, {what}: {} candidates", variants.len()), 0, runs);
        let timed =
            variants.iter().map(|variant| (&self.candidates[variant.candidate], variant.in_place)).collect::<Vec<_>>();
        let (code, module) = self.subject.crate_with(&timed, build)?;
        self.package.build(&code, &module)?;
        let mut all = Vec::new();
        for run in 0..runs {
            self.progress.show(&format!("timed, {what}: {} candidates", variants.len()), run, runs);
            let seed = 1 + build * 100 + run;
            let printed = self.package.run(ROUNDS, self.tuning.count.into(), seed, self.tuning.points.as_deref())?;
            if let Some(&index) = printed.differ.first() {
                let (now, other) = (&self.candidates[0].choice, &self.candidates[variants[index].candidate].choice);
                return Err(format!(
                    "`{now}` and `{other}` give different derivatives, which is a fault of jacobian: please report it; \
                     the program is in {}",
                    self.package.directory().display()
                ));
            }
            all.extend(printed.rounds.iter().cloned());
            self.printed = printed;
        }
        Ok(all)
    }

    fn report(&self, written: &Written, last: &[Variant], builds: &[Build], screened: Vec<(Variant, f64)>) -> String {
        let (subject, [points, not_finite, panics]) = (&self.subject, self.printed.points);
        let style = |variant: Variant| if variant.in_place { "in place" } else { "by value" };
        let mut text = format!("{}, form {}: {points} points", subject.name, subject.form);
        for (count, what) in [(not_finite, "where it is not finite"), (panics, "where it panics")] {
            if count > 0 {
                text += &format!(", {count} left out {what}");
            }
        }
        let [low, high] = self.printed.usual;
        if self.tuning.points.is_none() {
            text += &format!(" (random, from {low} to {high} where no range is given)");
        }
        text += &format!("\n{} candidates, {} of them with code of their own\n", self.tried, self.candidates.len());
        self.left_out.iter().for_each(|why| text += &format!("left out: {why}\n"));
        text += &format!(
            "\ntimes, and ratios to what is written now, where less is faster: the median of {}",
            counted(builds)
        );
        text += " (the least to the greatest)\n\n      ns  ratio\n";
        let mut rows: Vec<(f64, String)> = Vec::new();
        for (index, variant) in last.iter().enumerate() {
            let ratio = Ratio::of(builds, index, 0);
            let choice = &self.candidates[variant.candidate].choice;
            let range = if index == 0 {
                "what is written now".to_string()
            } else {
                format!("{:.3} to {:.3}", ratio.low, ratio.high)
            };
            rows.push((
                ratio.middle,
                format!("{:8.2}  {:.3} ({range})  {}: {choice}\n", time(builds, index), ratio.middle, style(*variant)),
            ));
        }
        let mut screened: Vec<_> = screened.into_iter().filter(|(variant, _)| !last.contains(variant)).collect();
        screened.sort_by(|(_, left), (_, right)| left.total_cmp(right));
        rows.sort_by(|(left, _), (right, _)| left.total_cmp(right));
        rows.iter().for_each(|(_, row)| text += row);
        if !screened.is_empty() {
            text += "\nratios from one build, which decide nothing:\n\n";
        }
        for (index, (variant, ratio)) in screened.iter().enumerate() {
            if !screened[..index].iter().any(|(other, _)| other == variant) {
                let choice = &self.candidates[variant.candidate].choice;
                text += &format!("          {ratio:.3}  {}: {choice}\n", style(*variant));
            }
        }
        text += "\n";
        let sure = confidence(builds.len(), last.len() - 1);
        let of = |is_own: bool| {
            (1..last.len()).filter(|&index| (last[index].in_place == subject.in_place) == is_own).collect::<Vec<_>>()
        };
        let own = chosen(builds, &of(true));
        let mut told = |(index, ratio): (usize, Ratio), how: &str| {
            let per_cent = |ratio: f64| 100.0 * (1.0 - ratio);
            let [low, middle, high] = [ratio.high, ratio.middle, ratio.low].map(per_cent);
            let builds = counted(builds);
            text += &match sure < SURE {
                true => format!(
                    "{middle:.1} % faster than now{how} ({low:.1} to {high:.1} %), but in {builds}, too few to be sure, so that \
                     nothing is advised; with more of them, by --builds, this attribute may be the faster one:\n"
                ),
                false => format!(
                    "{middle:.1} % faster than now{how} ({low:.1} to {high:.1} % in {builds}, sure to {sure:.1} %), with this \
                     attribute:\n"
                ),
            };
            let choice = &self.candidates[last[index].candidate].choice;
            text += &format!("{}\n", subject.attribute(written, choice, last[index].in_place));
        };
        let other = chosen(builds, &of(false)).filter(|(_, ratio)| own.is_none_or(|(_, own)| ratio.high < own.low));
        if let Some(other) = other {
            told(other, if subject.in_place { " if called by value" } else { " if called in place" });
        }
        if let Some(own) = own {
            told(own, "");
        }
        if own.is_none() && other.is_none() {
            text += &format!(
                "no candidate is surely faster than what is written now by more than 1 %, in {}; keep this attribute:\n{}\n",
                counted(builds),
                subject.attribute(written, &written.choice, subject.in_place)
            );
        }
        let others = written.forms().into_iter().filter(|form| form.trim_end_matches("_into") != subject.form);
        let others: Vec<_> = others.collect();
        if !others.is_empty() {
            text += &format!("the options hold for {}, too; that has not been timed\n", others.join(", "));
        }
        text
    }
}
