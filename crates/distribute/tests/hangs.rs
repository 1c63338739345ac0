//! Hangs as several workers find them, against the definition written down plainly.

mod common;
#[path = "../../search/tests/sections/mod.rs"]
#[allow(dead_code, reason = "only a part is needed")]
mod sections;

use common::with_team;
use impasse_distribute::{Bounds, HangSearch, explore};
use impasse_search::{LiveStatistics, Strategy as Order, Verdict};
use impasse_transition_system::{Key, Malformed, Portable};
use proptest::prelude::*;
use sections::{Kind, LARGE, SMALL, SectionGraph, graphs, node};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Portable for SectionGraph {
    type Hashes = ();
    type Sender = ();
    type Receiver = ();

    fn portable_hash(&self, _: &mut (), state: &[u8]) -> u64 {
        (node(state) as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23)
    }

    fn export(&self, _: &mut (), state: &[u8], out: &mut Vec<u8>) {
        out.extend(state);
    }

    fn import(&self, _: &mut (), bytes: &mut &[u8], state: &mut Vec<u8>) -> Result<(), Malformed> {
        let (own, rest) = bytes.split_at_checked(2).ok_or(Malformed)?;
        *bytes = rest;
        state.clear();
        state.extend(own);
        Ok(())
    }
}

/// What so many workers find, whether the noted section may never end, and the number of states.
fn with_workers(
    graph: &SectionGraph,
    workers: usize,
    noted: Option<Key>,
) -> (Verdict<()>, bool, u64) {
    let bounds = Bounds {
        hangs: Some(HangSearch { noted }),
        max_states: None,
        cancel: Arc::default(),
        live: Arc::new(LiveStatistics::new()),
        saving: None,
    };
    let graph = graph.clone();
    let found = with_team(workers, &bounds.clone(), move |endpoint| {
        explore(endpoint, &graph, &bounds, None)
    });
    (found.verdict, found.noted_may_hang, found.statistics.states)
}

fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("IMPASSE_PROGRAMS").map_or(usual, |n| n.parse().unwrap());
    ProptestConfig::with_cases(cases)
}

const INPUTS: Kind = Kind {
    inputs: true,
    omissions: true,
    ..SMALL
};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn hangs_are_those_of_the_definition(graph in graphs(INPUTS), workers in 1..4usize) {
        let (verdict, _, states) = with_workers(&graph, workers, None);
        graph.assert_right(&verdict, &graph.hanging());
        if verdict == Verdict::Exhausted {
            prop_assert_eq!(states, graph.search(Order::LivenessFixpoint, 1).1);
        }
    }

    #[test]
    fn a_noted_section_is_no_hang(graph in graphs(INPUTS), workers in 1..4usize) {
        let noted = Key(1);
        let (own, others): (BTreeSet<_>, _) =
            graph.hanging().into_iter().partition(|(_, key)| *key == noted);
        let (verdict, may_hang, _) = with_workers(&graph, workers, Some(noted));
        graph.assert_right(&verdict, &others);
        prop_assert_eq!(may_hang, others.is_empty() && !own.is_empty());
    }
}

proptest! {
    #![proptest_config(cases(5))]

    #[test]
    fn large_graphs_too(graph in graphs(Kind { inputs: true, ..LARGE }), workers in 2..5usize) {
        let (verdict, ..) = with_workers(&graph, workers, None);
        graph.assert_right(&verdict, &graph.hanging());
    }
}
