//! Searches the product for a hang: a fully accepting terminal strongly connected component. Where
//! inputs select, that is not enough: see `adversarial_inputs`.

use super::product::{Product, active_section};
use super::{adversarial_inputs, tarjan};
use crate::outcome::{Outcome, Verdict};
use crate::search::Search;
use impasse_transition_system::{Path, TransitionSystem};

/// Searches the product for a hang.
pub(crate) fn search<S: TransitionSystem + ?Sized>(search: &Search<'_, S>) -> Outcome<S> {
    search.system.begin_search(false, false);
    let product = Product::new(search.system);
    let inner = Search {
        system: &product,
        strategy: search.strategy,
        threads: search.threads,
        noted: search.noted,
        max_states: search.max_states,
        max_inputs: search.max_inputs,
        cancel: search.cancel,
        live_statistics: search.live_statistics,
        disk: search.disk,
        superseded: search.superseded,
    };
    let Outcome {
        verdict,
        omissions,
        noted_may_hang,
        statistics,
    } = tarjan::search(&inner, active_section);
    let verdict = match verdict {
        Verdict::Exhausted if product.has_inputs() => {
            adversarial_inputs::search(&inner, active_section)
        }
        other => other,
    };
    let verdict = match verdict {
        Verdict::Exhausted => Verdict::Exhausted,
        Verdict::Stopped(reason) => Verdict::Stopped(reason),
        Verdict::Hang { section, path } => Verdict::Hang { section, path },
        Verdict::Fault {
            fault: (fault, ordinal),
            path,
        } => Verdict::Fault {
            fault,
            path: Path::new([path.ordinals(), &[ordinal]].concat()),
        },
    };
    Outcome {
        verdict,
        omissions,
        noted_may_hang,
        statistics,
    }
}
