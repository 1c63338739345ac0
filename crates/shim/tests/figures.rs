//! The paper's figures have the known answers in the paper's model.

use impasse_shim::{compile, network::Network, synchronous, tree::Tree};

fn paper(figure: u32) -> (bool, bool, u64) {
    let path = format!(
        "{}/../../examples/shim/figure{figure}.shim",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).expect("the figure is there");
    let program =
        compile(&path, &text).unwrap_or_else(|rejected| panic!("{}", rejected.render(false)));
    let tree = Tree::new(&program).unwrap_or_else(|d| panic!("{d:?}"));
    let network = Network::paper(&tree, false);
    let outcome = synchronous::explore(&network, 100_000).expect("the figures are small");
    (outcome.always_moves, outcome.can_avoid, outcome.states)
}

#[test]
fn figures_have_the_known_answers() {
    let answers = [
        (1, true, true, 6),
        (2, false, false, 3),
        (3, true, true, 16),
        (7, true, true, 15),
        (8, false, true, 50),
        (9, true, true, 20),
    ];
    for (figure, always_moves, can_avoid, states) in answers {
        assert_eq!(
            paper(figure),
            (always_moves, can_avoid, states),
            "figure {figure}"
        );
    }
}
