//! Filters applied as their definition has it: to all targets, anew at every step.

use jacobian_core::eliminate::{Heuristic, Mode};

/// All targets, then what each filter of the hierarchy leaves of what the one before it left.
pub fn selections<M: Mode>(mode: &M, hierarchy: &[&Heuristic<M>]) -> Vec<Vec<M::Target>> {
    let mut selections = vec![mode.targets()];
    for heuristic in hierarchy {
        let left = selections.last().expect("all targets");
        let keys: Vec<_> = left.iter().map(|&target| (heuristic.key)(mode, target)).collect();
        let least = keys.iter().min();
        let best = left.iter().zip(&keys).filter(|(_, key)| Some(*key) == least);
        let best = best.map(|(&target, _)| target).collect();
        selections.push(best);
    }
    selections
}
