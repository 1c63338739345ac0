//! Predicates found from abstract traces: abstraction refined by counterexamples (Clarke, Grumberg,
//! Jha, Lu and Veith, the work that the paper names for later).
//!
//! Here, unlike in [`crate::data`], tasks are looked at together, so that what one knows of another
//! counts: that both are at the same number of the same packet, or that a tag received is the tag
//! sent. A state is where every task is, and for each predicate that speaks of variables which are
//! alive there, whether it holds (`search`). A move is the code between two communications
//! (`blocks`), executed on terms (`moves`, `values`); which predicates can hold after it, a solver
//! says.
//!
//! The search begins without predicates. When it meets a deadlock, the path to it is executed on
//! terms from the start. If some inputs satisfy all its conditions, the program is run on them. If
//! none do, the conditions that contradict each other give new predicates (`refinement`), and the
//! search starts over. Without a deadlock the program has none: a state of the search stands for
//! all states of the program in which the same predicates hold, and moves are dropped only where
//! the solver excludes them.

mod blocks;
mod moves;
mod refinement;
mod search;
mod values;

use crate::inputs::Inputs;
use crate::ir::Program;
use crate::machine::{Ending, Run};
use crate::runner::replay;
use crate::solve::{Answer, Question};
use crate::tree::Tree;
use blocks::Blocks;
use refinement::Refinement;
use search::{Cost, Found, Search};
use values::{Condition, History, Origin, Values};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Rounds of search and refinement.
    pub rounds: usize,
    /// Predicates.
    pub predicates: usize,
    /// States of all searches.
    pub states: usize,
    /// Questions to the solver.
    pub questions: usize,
    /// How hard all questions together may be, in the units of [`crate::solve::Question::effort`].
    pub effort: u64,
    /// Instructions of a run that confirms a deadlock.
    pub steps: u64,
}

/// What was found.
pub enum Outcome {
    /// Nothing deadlocks; so many predicates, states and moves show it.
    Free {
        /// Predicates.
        predicates: usize,
        /// States of the last search.
        states: usize,
        /// Moves of the last search.
        moves: usize,
    },
    /// The run deadlocks on these inputs.
    Deadlock(Box<Run>, Inputs),
    /// The limits were reached, or a deadlock could be neither confirmed nor refuted.
    Open,
}

/// Searches and refines until the program is decided or a limit is reached.
pub fn decide(program: &Program, tree: &Tree, limits: Limits) -> Outcome {
    let Some(blocks) = Blocks::new(tree) else {
        return Outcome::Open;
    };
    let mut values = Values::new(program, tree);
    let mut refinement = Refinement::default();
    let mut cost = Cost::default();
    for _ in 0..limits.rounds {
        let predicates = refinement.predicates();
        if predicates.len() > limits.predicates {
            break;
        }
        let search = Search::new(&blocks, &mut values, predicates, &mut cost, limits);
        let trace = match search.run() {
            Found::Nothing { states, moves } => {
                return Outcome::Free {
                    predicates: predicates.len(),
                    states,
                    moves,
                };
            }
            Found::Limit => break,
            Found::Deadlock(trace) => trace,
        };
        let history = values.follow(&blocks, &trace);
        match contradiction(&values, &history) {
            Contradiction::Unknown => break,
            Contradiction::None(found) => {
                let inputs = inputs(program, &values, &found);
                let run = replay(program, tree, &inputs, limits.steps);
                return match run.ending {
                    Ending::Deadlock => Outcome::Deadlock(Box::new(run), inputs),
                    _ => Outcome::Open,
                };
            }
            Contradiction::Between(needed) => {
                if !refinement.learn(&blocks, &mut values, &trace, &history, &needed) {
                    break;
                }
            }
        }
    }
    Outcome::Open
}

/// Whether the conditions of a trace contradict each other.
enum Contradiction {
    /// They do; those marked are enough for it.
    Between(Vec<bool>),
    /// They do not: these values of the symbols satisfy them.
    None(Vec<i64>),
    /// It is too hard to tell.
    Unknown,
}

fn contradiction(values: &Values, history: &History) -> Contradiction {
    let conditions: Vec<Condition> = history.conditions().collect();
    let false_at_once = conditions.iter().position(|(term, truth)| {
        let value = values.terms().constant(*term);
        value.is_some_and(|value| (value != 0) != *truth)
    });
    if let Some(wrong) = false_at_once {
        let marked = (0..conditions.len()).map(|index| index == wrong);
        return Contradiction::Between(marked.collect());
    }
    let mut question = Question::new(values.terms(), values.types());
    let assumed: Vec<_> = conditions
        .iter()
        .map(|(term, truth)| question.literal(*term, *truth))
        .collect();
    match question.ask(&assumed) {
        Answer::Unknown => Contradiction::Unknown,
        Answer::Satisfied(found) => Contradiction::None(found),
        Answer::Impossible => {
            let marked = assumed.iter().map(|literal| question.needed(*literal));
            Contradiction::Between(marked.collect())
        }
    }
}

/// The inputs among the values of symbols.
fn inputs(program: &Program, values: &Values, found: &[i64]) -> Inputs {
    let mut inputs = Inputs::blank(program);
    for (origin, value) in values.origins().iter().zip(found) {
        match *origin {
            Origin::Parameter(parameter, position) => {
                inputs.parameters[parameter][position] = *value;
            }
            Origin::Input(task, count) => inputs.give(task, count, *value),
            Origin::Slot(_) | Origin::Unknown => {}
        }
    }
    inputs
}
