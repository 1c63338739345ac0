//! Usage: `cargo bench -p impasse-search [-- NAME]`, where NAME is a part of a line's first three
//! columns.
//!
//! What a search costs beyond the system that it explores: states a second and bytes a state, on
//! toys whose successors cost next to nothing.

#[path = "../tests/toys/mod.rs"]
mod toys;

use impasse_search::{Search, Strategy, Verdict};
use impasse_transition_system::TransitionSystem;
use std::num::NonZeroUsize;
use toys::{Counters, Philosophers};

fn main() {
    println!(
        "{:<24} {:<14} {:>7} {:>10} {:>12} {:>8} {:>12} {:>7}",
        "system", "order", "threads", "states", "transitions", "seconds", "states/s", "bytes"
    );
    measure(
        "counters 10^7 of 16",
        &Counters::new([vec![9; 7], vec![0; 9]].concat()),
    );
    measure("counters 2^21 of 21", &Counters::new(vec![1; 21]));
    measure(
        "counters 2^10*1000",
        &Counters::new([vec![1; 10], vec![9; 3]].concat()),
    );
    measure("counters 1000^2", &Counters::new(vec![250, 250, 15]));
    measure(
        "philosophers 14",
        &Philosophers {
            count: 14,
            asymmetric: true,
        },
    );
}

fn measure<S: TransitionSystem>(name: &str, system: &S)
where
    S::Fault: PartialEq + std::fmt::Debug,
{
    for (order, threads) in [
        (Strategy::BreadthFirst, 1),
        (Strategy::BreadthFirst, 2),
        (Strategy::LivenessFixpoint, 1),
        (Strategy::LivenessFixpoint, 2),
        (Strategy::DepthFirst, 1),
    ] {
        let row = format!("{name:<24} {:<14} {threads:>7}", format!("{order:?}"));
        let wanted = std::env::args()
            .skip(1)
            .find(|argument| !argument.starts_with("--"));
        if wanted.is_some_and(|wanted| !row.contains(&wanted)) {
            continue;
        }
        let outcome = Search::new(system)
            .strategy(order)
            .threads(NonZeroUsize::new(threads).unwrap())
            .run();
        assert_eq!(outcome.verdict, Verdict::Exhausted);
        let statistics = outcome.statistics;
        let (states, seconds) = (statistics.states as f64, statistics.elapsed.as_secs_f64());
        println!(
            "{row} {states:>10} {:>12} {seconds:>8.2} {:>12.0} {:>7.1}",
            statistics.transitions,
            states / seconds,
            statistics.bytes as f64 / states
        );
    }
}
