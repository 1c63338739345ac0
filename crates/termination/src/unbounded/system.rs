//! Transition systems over integers.

use super::farkas::contradiction;
use crate::affine::Affine;
use crate::problem::Line;
use impasse_program::link::FunctionId;
use std::collections::BTreeMap;

/// Where executions come by again and again.
#[derive(Clone, Debug)]
pub(super) struct Location {
    pub line: Line,
    /// How many variables there are: integers.
    pub variables: usize,
}

/// A way from a location to a location.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub from: usize,
    pub to: usize,
    /// Expressions that are at most zero, over the variables (numbered from zero) and more
    /// unknowns.
    pub known: Vec<Affine>,
    /// The variables after it.
    pub after: Vec<Affine>,
    /// Unknowns that are products, each with its factors, in the order in which they were computed.
    pub products: Vec<(usize, Affine, Affine)>,
}

/// Expressions that are at most zero for each function: over its arguments, and its result as the
/// unknown after them. One that is greater than zero says that the function does not return.
pub(super) type Summaries = BTreeMap<FunctionId, Vec<Affine>>;

/// A return of a function that may call itself.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    pub function: FunctionId,
    /// The location from which it is reached.
    pub from: usize,
    /// Expressions that are at most zero.
    pub known: Vec<Affine>,
    /// What its arguments were when it was called.
    pub arguments: Vec<Affine>,
    /// What it returns: any of these.
    pub results: Vec<Affine>,
}

impl Exit {
    /// Its arguments, and what it returns after them, for each possible result.
    pub(super) fn values(&self) -> Vec<Vec<Affine>> {
        let with = |result: &Affine| {
            let all = self.arguments.iter().chain([result]);
            all.cloned().collect()
        };
        self.results.iter().map(with).collect()
    }
}

/// A transition system. Its first location is where it starts, with any integers.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub locations: Vec<Location>,
    pub transitions: Vec<Transition>,
    /// The functions that may call themselves, with how many arguments they have, all of which are
    /// integers, as is the result.
    pub recursive: BTreeMap<FunctionId, usize>,
    /// Where executions are that may not continue, if that is followed: it has no variables.
    pub end: Option<usize>,
    /// The returns of those of which bounds are assumed.
    pub exits: Vec<Exit>,
}

impl System {
    /// Whether the program computes products.
    pub(super) fn has_products(&self) -> bool {
        self.transitions.iter().any(|one| !one.products.is_empty())
    }
}

/// Which transitions may come right after each other.
pub(super) struct Order {
    next: Vec<Vec<usize>>,
}

/// Beyond this many transitions, only their locations are compared.
const COMPARED: usize = 80;

impl Order {
    /// The order of the transitions of a system, with what is known on each.
    pub(super) fn new(system: &System, premises: &[Vec<Affine>]) -> Order {
        let transitions = &system.transitions;
        let may_follow = |one: usize, other: usize| {
            transitions[one].to == transitions[other].from
                && (transitions.len() > COMPARED
                    || contradiction(&both(&transitions[one], (&premises[one], &premises[other])))
                        .is_none())
        };
        let all = 0..transitions.len();
        let next = |one: usize| {
            all.clone()
                .filter(|&other| may_follow(one, other))
                .collect()
        };
        Order {
            next: all.clone().map(next).collect(),
        }
    }

    /// For each transition the component that it belongs to, if only those are taken that are
    /// alive: two are in the same one if each may come some time after the other. None for one that
    /// is not alive, or that is taken once at most.
    pub(super) fn components(&self, is_alive: &[bool]) -> Vec<Option<usize>> {
        let reach: Vec<Vec<bool>> = (0..self.next.len())
            .map(|one| self.after(one, is_alive))
            .collect();
        let component = |one: usize| {
            let same = |other: usize| reach[one][other] && reach[other][one];
            (0..=one).find(|&other| same(other))
        };
        (0..self.next.len()).map(component).collect()
    }

    /// Which transitions may come some time after one.
    fn after(&self, one: usize, is_alive: &[bool]) -> Vec<bool> {
        let mut found = vec![false; self.next.len()];
        let mut open = vec![one];
        while let Some(next) = open.pop().filter(|_| is_alive[one]) {
            for &other in &self.next[next] {
                if is_alive[other] && !found[other] {
                    found[other] = true;
                    open.push(other);
                }
            }
        }
        found
    }
}

/// What is known where two transitions come after each other.
fn both(first: &Transition, (before, after): (&[Affine], &[Affine])) -> Vec<Affine> {
    let unknowns = |all: &[Affine]| {
        let used = all.iter().flat_map(|one| one.coefficients.keys());
        used.max().map_or(0, |most| most + 1)
    };
    let start = unknowns(before).max(unknowns(&first.after));
    // The variables are what they are after the first, and other unknowns are new ones.
    let variables = first.after.len();
    let more = variables..unknowns(after).max(variables);
    let values: Vec<Affine> = first
        .after
        .iter()
        .cloned()
        .chain(more.map(|one| Affine::unknown(start + one)))
        .collect();
    let after = after.iter().map(|one| one.substitute(&values));
    before.iter().cloned().chain(after).collect()
}
