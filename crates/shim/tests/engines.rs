//! The engines agree with each other on random programs.

mod generate;

use generate::{Shape, program};
use impasse_shim::{compile, groups, network::Network, single, symbolic, synchronous, tree::Tree};

fn tree(text: &str) -> Tree {
    let program = compile("random.shim", text)
        .unwrap_or_else(|rejected| panic!("{text}\n{}", rejected.render(false)));
    Tree::new(&program).unwrap_or_else(|d| panic!("{text}\n{d:?}"))
}

fn shape(seed: u64) -> Shape {
    let seed = seed as usize;
    Shape {
        channels: 1 + seed % 4,
        length: 2 + seed % 3,
        depth: 1 + seed % 3,
        open: seed.is_multiple_of(2),
        exceptions: false,
        arrays: false,
    }
}

#[test]
fn three_engines_agree() {
    let (mut compared, mut deadlocks, mut musts, mut taken_apart) = (0, 0, 0, 0);
    for seed in 0..6000 {
        let text = program(seed, shape(seed));
        let network = Network::paper(&tree(&text), false);
        let Some(all) = synchronous::explore(&network, 4_000) else {
            continue;
        };
        let graph = single::explore(&network, 200_000, 200_000);
        assert!(graph.complete, "seed {seed}");
        assert_eq!(
            graph.deadlock.is_none(),
            all.always_moves,
            "AG, seed {seed}\n{text}"
        );
        assert_eq!(
            graph.can_avoid(&network),
            all.can_avoid,
            "EG, seed {seed}\n{text}"
        );
        let sets = symbolic::solve(&network, 1_000_000).expect("small diagrams");
        assert_eq!(
            (sets.always_moves, sets.can_avoid),
            (all.always_moves, all.can_avoid),
            "seed {seed}\n{text}"
        );
        assert_eq!(sets.states, all.states.to_string(), "seed {seed}\n{text}");
        if let Some(apart) = groups::apart(&network, 50_000) {
            let parts = single::explore(&apart, 50_000, 50_000);
            assert!(parts.complete, "seed {seed}");
            assert_eq!(
                parts.deadlock.is_none(),
                all.always_moves,
                "groups, AG, seed {seed}\n{text}"
            );
            assert_eq!(
                parts.can_avoid(&apart),
                all.can_avoid,
                "groups, EG, seed {seed}\n{text}"
            );
            taken_apart += 1;
        }
        compared += 1;
        deadlocks += usize::from(!all.always_moves);
        musts += usize::from(!all.can_avoid);
    }
    assert!(taken_apart > 100, "{taken_apart}");
    println!(
        "{compared} compared, {taken_apart} with groups, {deadlocks} may deadlock, {musts} must"
    );
    assert!(
        compared >= 5_000 && deadlocks > 500 && compared - deadlocks > 500 && musts > 150,
        "{compared} {deadlocks} {musts}"
    );
}

#[test]
fn groups_agree_where_exceptions_pass() {
    let (mut compared, mut deadlocks) = (0, 0);
    for seed in 0..6_000 {
        let mut shape = shape(seed);
        shape.exceptions = true;
        let tree = tree(&program(seed, shape));
        if !tree.has_exceptions() {
            continue;
        }
        let network = Network::paper(&tree, true);
        let Some(apart) = groups::apart(&network, 20_000) else {
            continue;
        };
        let graph = single::explore(&network, 50_000, 50_000);
        let parts = single::explore(&apart, 50_000, 50_000);
        if !graph.complete || !parts.complete {
            continue;
        }
        let text = program(seed, shape);
        assert_eq!(
            parts.deadlock.is_none(),
            graph.deadlock.is_none(),
            "AG, seed {seed}\n{text}"
        );
        assert_eq!(
            parts.can_avoid(&apart),
            graph.can_avoid(&network),
            "EG, seed {seed}\n{text}"
        );
        compared += 1;
        deadlocks += usize::from(graph.deadlock.is_some());
    }
    println!("{compared} with exceptions and groups, {deadlocks} may deadlock");
    assert!(compared > 100 && deadlocks > 10, "{compared} {deadlocks}");
}

#[test]
fn diagrams_agree_where_exceptions_pass() {
    let (mut compared, mut deadlocks) = (0, 0);
    for seed in 0..4_000 {
        let mut shape = shape(seed);
        shape.exceptions = true;
        let text = program(seed, shape);
        let tree = tree(&text);
        if !tree.has_exceptions() || tree.tasks.len() > 12 {
            continue;
        }
        let network = Network::paper(&tree, true);
        let graph = single::explore(&network, 3_000, 3_000);
        if !graph.complete {
            continue;
        }
        let sets = symbolic::solve(&network, 1_000_000).expect("small diagrams");
        assert_eq!(
            (sets.always_moves, sets.can_avoid),
            (graph.deadlock.is_none(), graph.can_avoid(&network)),
            "seed {seed}\n{text}"
        );
        compared += 1;
        deadlocks += usize::from(graph.deadlock.is_some());
    }
    println!("{compared} with exceptions, {deadlocks} may deadlock");
    assert!(compared > 500 && deadlocks > 50, "{compared} {deadlocks}");
}
