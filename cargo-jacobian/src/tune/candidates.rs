//! What is tried: other values of the options that change no result.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use jacobian_core::linearize::LEVELS;
use jacobian_core::pack::PACKINGS;
use jacobian_core::schedule::SCHEDULES;
use proc_macro2::{TokenStream, TokenTree};

/// The options that are tuned.
const TUNED: [&str; 5] = ["strategy", "steps", "linearize", "schedule", "pack"];

/// The options that say which functions are generated.
const OF_FORMS: [&str; 3] = ["forms", "into", "name"];

/// The strategies that are tried: the best of these is faster than `auto` on some functions.
const STRATEGIES: [&str; 16] = [
    "auto",
    "forward",
    "reverse",
    "markowitz",
    "vlr",
    "vertex: momr > reverse",
    "edge: markowitz > reverse",
    "vertex: search(steps = 100)",
    "edge: search(steps = 100)",
    "edge: search(steps = 300)",
    "edge: search(steps = 300, seed = 2)",
    "edge: search(steps = 1000)",
    "edge: search(steps = 1000, seed = 2)",
    "edge: search(steps = 1000, seed = 3)",
    "edge: search(steps = 3000)",
    "face: search(steps = 300)",
];

/// The options of an attribute.
#[derive(Clone)]
pub struct Written {
    /// All that are not tuned, in their order, with their names.
    kept: Vec<(String, TokenStream)>,
    /// What is written for those that are.
    pub choice: Choice,
}

/// The values of the options that are tuned, as they are written; those that are not there have their defaults.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Choice(BTreeMap<&'static str, String>);

impl Choice {
    /// The same with another value of an option.
    pub fn with(&self, option: &'static str, value: &str) -> Self {
        let mut choice = self.clone();
        if option == "strategy" {
            choice.0.remove("steps");
        }
        choice.0.insert(option, format!("{value:?}"));
        choice
    }

    /// These values where `over` says nothing else.
    pub fn over(&self, over: &Choice) -> Self {
        let own = self.0.iter().filter(|(option, _)| **option != "steps" || !over.0.contains_key("strategy"));
        Choice(own.chain(&over.0).map(|(option, value)| (*option, value.clone())).collect())
    }

    fn texts(&self) -> Vec<String> {
        self.0.iter().map(|(option, value)| format!("{option} = {value}")).collect()
    }

    /// The value of an option.
    fn value(&self, option: &str) -> Option<&String> {
        self.0.get(option)
    }
}

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { write!(f, "default options") } else { write!(f, "{}", self.texts().join(", ")) }
    }
}

impl Written {
    /// Reads the options of an attribute, or some of them.
    pub fn read(options: TokenStream) -> Self {
        let (mut kept, mut choice) = (Vec::new(), Choice::default());
        let mut tokens = options.into_iter().peekable();
        while tokens.peek().is_some() {
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
            let one: Vec<_> = tokens.by_ref().take_while(|token| !is_comma(token)).collect();
            let Some(name) = one.first().map(ToString::to_string) else { continue };
            match (TUNED.iter().find(|tuned| **tuned == name), one.get(2)) {
                (Some(tuned), Some(value)) => {
                    choice.0.insert(tuned, value.to_string());
                }
                _ => kept.push((name, one.into_iter().collect())),
            }
        }
        Written { kept, choice }
    }

    /// The names of the forms that are generated.
    pub fn forms(&self) -> Vec<String> {
        for (name, tokens) in &self.kept {
            match (name.as_str(), tokens.clone().into_iter().nth(1)) {
                ("into", _) => return vec!["jac".to_string(), "jac_into".to_string()],
                ("forms", Some(TokenTree::Group(names))) => {
                    let names = names.stream().into_iter().filter_map(|token| match token {
                        TokenTree::Ident(name) => Some(name.to_string()),
                        _ => None,
                    });
                    return names.collect();
                }
                _ => {}
            }
        }
        vec!["jac".to_string()]
    }

    /// The options with these values, for a function that is only timed: of one form, by value and in place, with this
    /// name.
    pub fn timed(&self, choice: &Choice, form: &str, name: &str) -> TokenStream {
        let others = self.kept.iter().filter(|(name, _)| !OF_FORMS.contains(&name.as_str()));
        let others = others.map(|(_, tokens)| tokens.to_string());
        let own = [format!("forms({form}, {form}_into)"), format!("name = {name:?}")];
        let all: Vec<_> = others.chain(choice.texts()).chain(own).collect();
        all.join(", ").parse().expect("options are tokens")
    }

    /// The attribute to paste, with these values; with a form more, if it is not among those that there are.
    pub fn attribute(&self, path: &str, choice: &Choice, form: &str) -> String {
        let mut forms = self.forms();
        let is_new = !forms.iter().any(|there| there == form);
        forms.push(form.to_string());
        let others = self.kept.iter().filter(|(name, _)| !(is_new && ["forms", "into"].contains(&name.as_str())));
        let mut all: Vec<_> = others.map(|(_, tokens)| text(tokens)).collect();
        if is_new {
            all.push(if forms == ["jac", "jac_into"] {
                "into".to_string()
            } else {
                format!("forms({})", forms.join(", "))
            });
        }
        all.extend(choice.texts());
        if all.is_empty() { format!("#[{path}]") } else { format!("#[{path}({})]", all.join(", ")) }
    }
}

/// Tokens as the user has written them.
fn text(tokens: &TokenStream) -> String {
    let mut spans = tokens.clone().into_iter().map(|token| token.span());
    let first = spans.next();
    let whole = first.and_then(|first| first.join(spans.last().unwrap_or(first)));
    whole.and_then(|span| span.source_text()).unwrap_or_else(|| tokens.to_string())
}

/// What is written now, and that with one option changed.
pub fn single(now: &Choice) -> Vec<Choice> {
    let mut all = vec![now.clone()];
    let mut add = |option, value: &str| {
        let choice = now.with(option, value);
        if !all.contains(&choice) {
            all.push(choice);
        }
    };
    STRATEGIES.iter().for_each(|strategy| add("strategy", strategy));
    LEVELS.iter().for_each(|(level, _)| add("linearize", level));
    SCHEDULES.iter().for_each(|row| add("schedule", row.name));
    PACKINGS.iter().for_each(|(packing, _)| add("pack", packing));
    all
}

/// The most combinations.
const MAX_COMBINED: usize = 8;

/// Of each option the best values, combined: `ranked` are single changes, the fastest first.
pub fn combined(now: &Choice, ranked: &[Choice]) -> Vec<Choice> {
    let best = |option: &'static str, count: usize| {
        let own = ranked.iter().filter(move |choice| choice.value(option) != now.value(option) || *choice == now);
        own.take(count).map(move |choice| choice.value(option).cloned()).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for strategy in best("strategy", 2) {
        for level in best("linearize", 1) {
            for schedule in best("schedule", 2) {
                for packing in best("pack", 1) {
                    let mut choice = now.clone();
                    for (option, value) in
                        [("strategy", &strategy), ("linearize", &level), ("schedule", &schedule), ("pack", &packing)]
                    {
                        match value {
                            Some(value) if option == "strategy" && Some(value) != now.value("strategy") => {
                                choice.0.remove("steps");
                                choice.0.insert(option, value.clone());
                            }
                            Some(value) => {
                                choice.0.insert(option, value.clone());
                            }
                            None => {
                                choice.0.remove(option);
                            }
                        }
                    }
                    if !ranked.contains(&choice) && !all.contains(&choice) && all.len() < MAX_COMBINED {
                        all.push(choice);
                    }
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Written {
        Written::read(text.parse().unwrap())
    }

    #[test]
    fn what_is_not_tuned_stays() {
        let now = written("wrt(a, b), strategy = \"search\", steps = 10, with(g: fn(f64, f64) -> f64)");
        let choice = now.choice.with("strategy", "reverse").with("pack", "never");
        assert_eq!(
            now.attribute("jacobian", &choice, "jac"),
            "#[jacobian(wrt(a, b), with(g: fn(f64, f64) -> f64), pack = \"never\", strategy = \"reverse\")]"
        );
        assert_eq!(
            now.attribute("jacobian", &Choice::default(), "jac_into"),
            "#[jacobian(wrt(a, b), with(g: fn(f64, f64) -> f64), into)]"
        );
        let timed = now.timed(&now.choice, "jac", "tuned_1").to_string().replace(' ', "");
        assert_eq!(
            timed,
            "wrt(a,b),with(g:fn(f64,f64)->f64),steps=10,strategy=\"search\",forms(jac,jac_into),name=\"tuned_1\""
        );
        assert_eq!(written("").attribute("j::jacobian", &Choice::default(), "jac"), "#[j::jacobian]");
    }

    #[test]
    fn forms_are_added_to_those_that_there_are() {
        let now = written("forms(jac, hess)");
        assert_eq!(now.forms(), ["jac", "hess"]);
        assert_eq!(now.attribute("jacobian", &now.choice, "hess_into"), "#[jacobian(forms(jac, hess, hess_into))]");
        assert_eq!(now.attribute("jacobian", &now.choice, "hess"), "#[jacobian(forms(jac, hess))]");
        assert_eq!(written("into").forms(), ["jac", "jac_into"]);
    }

    #[test]
    fn all_candidates_are_options() {
        let now = Choice::default().with("strategy", "vlr");
        let all = single(&now);
        assert!(all.len() > 20 && all[0] == now);
        let mut ranked = all.clone();
        ranked.reverse();
        let both = combined(&now, &ranked);
        assert!(!both.is_empty());
        for choice in all.iter().chain(&both) {
            let options = written("").timed(choice, "jac", "tuned").to_string().parse().unwrap();
            let item = "fn f(x: f64) -> f64 { x * x }".parse().unwrap();
            let errors = jacobian_expand::tools::expand(options, item).errors;
            assert!(errors.is_empty(), "{choice:?}: {errors:?}");
        }
    }
}
