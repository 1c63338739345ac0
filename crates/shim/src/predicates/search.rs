//! The search over places in the code and predicates.

use super::Limits;
use super::blocks::Blocks;
use super::values::{Condition, Effect, Slot, Taken, Values};
use crate::automaton::{ENTRY, StateId};
use crate::network::Global;
use crate::single::{Move, begin, is_stuck, next_move};
use crate::solve::{Answer, Question};
use crate::terms::TermId;
use crate::tree::TaskId;
use batsat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A move may not lead to more combinations of predicates.
const MAX_ANSWERS: usize = 64;

/// A predicate: a condition on what places hold.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    /// The condition.
    pub(super) term: TermId,
    /// What it speaks of.
    pub(super) slots: Vec<Slot>,
}

/// Whether a predicate holds, where it is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Truth {
    No,
    Yes,
    /// One of its variables is not alive.
    Absent,
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Truth {
        if truth { Truth::Yes } else { Truth::No }
    }
}

type Cube = Box<[Truth]>;
/// Where everyone is, and which predicates hold.
type Node = (Global, Cube);

/// How a search ended.
pub(super) enum Found {
    /// No deadlock.
    Nothing {
        /// States.
        states: usize,
        /// Moves.
        moves: usize,
    },
    /// A shortest path to one.
    Deadlock(Vec<Taken>),
    /// The limits were reached.
    Limit,
}

/// What is asked of the solver for a move: its effect, which predicates are wanted after it, and
/// which hold before it.
type Asked = (*const Effect, Vec<bool>, Cube);

/// The search with some predicates.
pub(super) struct Search<'s, 'p> {
    blocks: &'s Blocks,
    values: &'s mut Values<'p>,
    predicates: &'s [Predicate],
    /// The predicate that a term is.
    positions: FxHashMap<TermId, usize>,
    nodes: Vec<Node>,
    /// The node from which each was found, and how.
    parents: Vec<(Option<u32>, Taken)>,
    known: FxHashMap<Node, u32>,
    /// What is known of predicates after moves; the effects are kept by `values`.
    answers: FxHashMap<Asked, Rc<Vec<Cube>>>,
    moves: usize,
    cost: &'s mut Cost,
    limits: Limits,
}

/// What all searches together have used up.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Cost {
    pub(super) states: usize,
    pub(super) questions: usize,
    pub(super) effort: u64,
}

impl Cost {
    fn exceeds(&self, limits: &Limits) -> bool {
        self.states > limits.states
            || self.questions > limits.questions
            || self.effort > limits.effort
    }
}

/// The limits were reached, or the solver gave up.
struct GivenUp;

impl<'s, 'p> Search<'s, 'p> {
    pub(super) fn new(
        blocks: &'s Blocks,
        values: &'s mut Values<'p>,
        predicates: &'s [Predicate],
        cost: &'s mut Cost,
        limits: Limits,
    ) -> Search<'s, 'p> {
        let positions = predicates.iter().enumerate();
        Search {
            blocks,
            values,
            predicates,
            positions: positions.map(|(index, p)| (p.term, index)).collect(),
            nodes: Vec::new(),
            parents: Vec::new(),
            known: FxHashMap::default(),
            answers: FxHashMap::default(),
            moves: 0,
            cost,
            limits,
        }
    }

    pub(super) fn run(mut self) -> Found {
        self.explore().unwrap_or(Found::Limit)
    }

    fn explore(&mut self) -> Result<Found, GivenUp> {
        let network = &self.blocks.network;
        let nowhere: Global = vec![ENTRY.0 as u16; network.nodes.len()].into();
        let nothing: Cube = vec![Truth::Absent; self.predicates.len()].into();
        for (path, (after, _)) in network.initial().into_iter().enumerate() {
            let taken = Taken {
                action: None,
                before: nowhere.clone(),
                paths: vec![(TaskId(0), path)],
            };
            self.follow(None, &nothing, taken, after)?;
        }
        let mut next = 0;
        while next < self.nodes.len() {
            let (global, cube) = self.nodes[next].clone();
            match next_move(network, &global, 0) {
                Some(action) => self.expand(next as u32, &global, &cube, action)?,
                None if is_stuck(network, &global) => {
                    return Ok(Found::Deadlock(self.trace(next as u32)));
                }
                None => {}
            }
            next += 1;
        }
        Ok(Found::Nothing {
            states: self.nodes.len(),
            moves: self.moves,
        })
    }

    fn trace(&self, node: u32) -> Vec<Taken> {
        let mut trace = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let (parent, taken) = &self.parents[node as usize];
            trace.push(taken.clone());
            at = *parent;
        }
        trace.reverse();
        trace
    }

    /// Makes a move along all paths that the predicates allow.
    fn expand(
        &mut self,
        from: u32,
        global: &Global,
        cube: &Cube,
        action: Move,
    ) -> Result<(), GivenUp> {
        let (next, choices) = begin(&self.blocks.network, global, &action);
        let mut combined: Vec<(Global, Vec<(TaskId, usize)>)> = vec![(next, Vec::new())];
        let alone = choices.len() < 2;
        for (task, edges) in choices {
            let mut possible = Vec::new();
            for (path, edge) in edges.iter().enumerate() {
                let taken = Taken {
                    action: Some(action.clone()),
                    before: global.clone(),
                    paths: vec![(task, path)],
                };
                if alone || edges.len() < 2 || !self.after(&taken, cube, None)?.is_empty() {
                    possible.push((path, edge.to));
                }
            }
            combined = combined
                .iter()
                .flat_map(|(global, paths)| {
                    possible.iter().map(move |(path, to)| {
                        let (mut global, mut paths) = (global.clone(), paths.clone());
                        global[task.index()] = to.0 as u16;
                        paths.push((task, *path));
                        (global, paths)
                    })
                })
                .collect();
        }
        for (after, paths) in combined {
            let taken = Taken {
                action: Some(action.clone()),
                before: global.clone(),
                paths,
            };
            self.follow(Some(from), cube, taken, after)?;
        }
        Ok(())
    }

    /// Adds the states that a move leads to.
    fn follow(
        &mut self,
        from: Option<u32>,
        cube: &Cube,
        taken: Taken,
        after: Global,
    ) -> Result<(), GivenUp> {
        for cube in self.after(&taken, cube, Some(&after))?.iter() {
            self.moves += 1;
            let node = (after.clone(), cube.clone());
            if self.known.contains_key(&node) {
                continue;
            }
            self.cost.states += 1;
            if self.cost.exceeds(&self.limits) {
                return Err(GivenUp);
            }
            self.known.insert(node.clone(), self.nodes.len() as u32);
            self.nodes.push(node);
            self.parents.push((from, taken.clone()));
        }
        Ok(())
    }

    /// Whether each predicate is followed where everyone is.
    fn followed(&self, global: &Global) -> Vec<bool> {
        let alive = |slot: &Slot| {
            let state = StateId(global[slot.task.index()] as u32);
            self.blocks.alive(slot.task, state)[slot.var.index()]
        };
        let predicates = self.predicates.iter();
        predicates.map(|p| p.slots.iter().all(alive)).collect()
    }

    /// Which predicates can hold together after a move; without a place after it, none are
    /// followed, and only whether it can be made is asked.
    fn after(
        &mut self,
        taken: &Taken,
        cube: &Cube,
        after: Option<&Global>,
    ) -> Result<Rc<Vec<Cube>>, GivenUp> {
        let effect = self.values.effect(self.blocks, taken);
        let followed = match after {
            Some(after) => self.followed(after),
            None => vec![false; self.predicates.len()],
        };
        let asked = (Rc::as_ptr(&effect), followed, cube.clone());
        if let Some(answer) = self.answers.get(&asked) {
            return Ok(answer.clone());
        }
        let answer = Rc::new(self.ask(&effect, &asked.1, cube)?);
        self.answers.insert(asked, answer.clone());
        Ok(answer)
    }

    /// The truth of a condition that follows from the predicates at once.
    fn at_once(&self, term: TermId, cube: &Cube) -> Option<bool> {
        let (term, negated) = self.values.terms().strip(term);
        let truth = match self.values.terms().constant(term) {
            Some(value) => value != 0,
            None => match cube[*self.positions.get(&term)?] {
                Truth::Absent => return None,
                truth => truth == Truth::Yes,
            },
        };
        Some(truth != negated)
    }

    fn ask(
        &mut self,
        effect: &Effect,
        followed: &[bool],
        cube: &Cube,
    ) -> Result<Vec<Cube>, GivenUp> {
        let mut conditions = Vec::new();
        for (term, truth) in &effect.conditions {
            match self.at_once(*term, cube) {
                Some(known) if known != *truth => return Ok(Vec::new()),
                Some(_) => {}
                None => conditions.push((*term, *truth)),
            }
        }
        let mut result: Cube = vec![Truth::Absent; followed.len()].into();
        let mut open = Vec::new();
        for index in (0..followed.len()).filter(|index| followed[*index]) {
            let term = self.values.after(self.predicates[index].term, effect);
            match self.at_once(term, cube) {
                Some(truth) => result[index] = truth.into(),
                None => open.push((index, term)),
            }
        }
        if conditions.is_empty() && open.is_empty() {
            return Ok(vec![result]);
        }
        self.solve(&conditions, &open, cube, result)
    }

    fn solve(
        &mut self,
        conditions: &[Condition],
        open: &[(usize, TermId)],
        cube: &Cube,
        result: Cube,
    ) -> Result<Vec<Cube>, GivenUp> {
        let terms = conditions.iter().map(|(term, _)| *term);
        let relevant = self.relevant(terms.chain(open.iter().map(|(_, term)| *term)), cube);
        let mut question = Question::new(self.values.terms(), self.values.types());
        for (term, truth) in conditions {
            question.require(*term, *truth);
        }
        for index in relevant {
            question.require(self.predicates[index].term, cube[index] == Truth::Yes);
        }
        let wanted: Vec<Lit> = open
            .iter()
            .map(|(_, term)| question.literal(*term, true))
            .collect();
        let mut found = Vec::new();
        loop {
            self.cost.questions += 1;
            if self.cost.exceeds(&self.limits) || found.len() > MAX_ANSWERS {
                return Err(GivenUp);
            }
            let answer = question.ask(&[]);
            self.cost.effort += question.effort();
            match answer {
                Answer::Impossible => return Ok(found),
                Answer::Unknown => return Err(GivenUp),
                Answer::Satisfied(_) => {}
            }
            let mut cube = result.clone();
            let mut met = Vec::new();
            for ((index, _), literal) in open.iter().zip(&wanted) {
                let truth = question.holds(*literal);
                cube[*index] = truth.into();
                met.push(if truth { *literal } else { !*literal });
            }
            found.push(cube);
            if met.is_empty() {
                return Ok(found);
            }
            question.exclude(&met);
        }
    }

    /// The predicates that are followed and speak, directly or through others, of what terms speak
    /// of.
    fn relevant(&self, terms: impl Iterator<Item = TermId>, cube: &Cube) -> Vec<usize> {
        let mut spoken: FxHashSet<Slot> = FxHashSet::default();
        terms.for_each(|term| spoken.extend(self.values.slots(term).0));
        let mut chosen = vec![false; cube.len()];
        loop {
            let fresh: Vec<usize> = (0..cube.len())
                .filter(|index| cube[*index] != Truth::Absent && !chosen[*index])
                .filter(|index| {
                    let slots = &self.predicates[*index].slots;
                    slots.iter().any(|slot| spoken.contains(slot))
                })
                .collect();
            if fresh.is_empty() {
                return (0..cube.len()).filter(|index| chosen[*index]).collect();
            }
            for index in fresh {
                chosen[index] = true;
                spoken.extend(&self.predicates[index].slots);
            }
        }
    }
}
