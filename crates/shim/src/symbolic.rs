//! The symbolic engine: the paper's model with sets of states as binary decision diagrams.
//!
//! Every task has one relation; a step takes all of them, and a task's variables are quantified
//! away as soon as no later relation needs them. The order of the variables is fixed beforehand:
//! tasks that share channels, or are parent and child, stand near each other.
//!
//! Whether a task moved is a part of the paper's states, but nothing depends on it. So the fixed
//! point is computed without, on much smaller diagrams; one more step from all that it reached
//! gives every state but the first with what moved before it.
//!
//! Exceptions, which the paper leaves out, are those of the single-channel engine: they spread
//! where nothing else can move, on the first channel on which they can.

use crate::automaton::{ENTRY, EXIT, Edge, Kind};
use crate::network::Network;
use crate::tree::{ChannelId, HandlerId, TaskId};
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet, BddVariableSetBuilder, op_function};
use std::collections::HashMap;

/// What the engine found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// No reachable state is a deadlock (AG).
    pub always_moves: bool,
    /// Some path avoids deadlocks (EG, from some first state).
    pub can_avoid: bool,
    /// Reachable states, exactly, in decimal digits.
    pub states: String,
}

/// Relations are joined up to so many nodes.
const CLUSTER: usize = 3_000;

/// Diagrams may not have more nodes than this.
pub const MAX_NODES: usize = 1_500_000;

/// Solves the model, or returns `None` if the diagrams grow beyond `max_nodes`.
pub fn solve(network: &Network, max_nodes: usize) -> Option<Outcome> {
    Engine::new(network, max_nodes).solve()
}

/// The variables of one task.
struct Code {
    now: Vec<BddVariable>,
    next: Vec<BddVariable>,
    moved_now: BddVariable,
    moved_next: BddVariable,
}

struct Engine<'a> {
    network: &'a Network,
    variables: BddVariableSet,
    codes: Vec<Code>,
    /// Tasks in the order of their variables.
    order: Vec<TaskId>,
    max_nodes: usize,
}

impl<'a> Engine<'a> {
    fn new(network: &'a Network, max_nodes: usize) -> Engine<'a> {
        let order = arrange(network);
        let mut builder = BddVariableSetBuilder::new();
        let mut codes: Vec<Option<Code>> = network.ids().map(|_| None).collect();
        for task in &order {
            let states = network.nodes[task.index()].automaton.states.len();
            let bits = usize::BITS - (states - 1).leading_zeros();
            let mut pair = |name: String| {
                (
                    builder.make_variable(&name),
                    builder.make_variable(&format!("{name}'")),
                )
            };
            let (now, next) = (0..bits)
                .map(|bit| pair(format!("t{}b{bit}", task.0)))
                .unzip();
            let (moved_now, moved_next) = pair(format!("t{}m", task.0));
            codes[task.index()] = Some(Code {
                now,
                next,
                moved_now,
                moved_next,
            });
        }
        let codes = codes.into_iter().flatten().collect();
        Engine {
            network,
            variables: builder.build(),
            codes,
            order,
            max_nodes,
        }
    }

    fn solve(&self) -> Option<Outcome> {
        let spreads = self.spreads()?;
        let relations: Vec<Bdd> = self
            .order
            .iter()
            .map(|task| self.relation(*task, &spreads))
            .collect();
        let initial = self.initial();
        let dead = self.dead();
        let before = self.reach(&initial, &relations)?;
        let forward = self.schedule(&relations);
        let reached = initial.or(&self.image(&before, &relations, &forward)?);
        let always_moves = reached.and(&dead).is_false();
        let can_avoid = always_moves || self.avoids(&initial, &reached, &dead, &relations)?;
        Some(Outcome {
            always_moves,
            can_avoid,
            states: self.count(&reached),
        })
    }

    /// The states that can be reached, without what moved before them.
    fn reach(&self, initial: &Bdd, relations: &[Bdd]) -> Option<Bdd> {
        let moved =
            |pick: fn(&Code) -> BddVariable| self.codes.iter().map(pick).collect::<Vec<_>>();
        let (now, next) = (moved(|code| code.moved_now), moved(|code| code.moved_next));
        let relations = relations.iter().map(|r| r.exists(&next));
        let relations = clusters(relations, CLUSTER);
        let forward = self.schedule(&relations);
        let mut reached = initial.exists(&now);
        let mut frontier = reached.clone();
        while !frontier.is_false() {
            let image = self.image(&frontier, &relations, &forward)?;
            frontier = image.and_not(&reached);
            reached = reached.or(&image);
            if reached.size() > self.max_nodes {
                return None;
            }
        }
        Some(reached)
    }

    /// The greatest set of reachable states that are no deadlock and have a successor in the set.
    fn avoids(&self, initial: &Bdd, reached: &Bdd, dead: &Bdd, relations: &[Bdd]) -> Option<bool> {
        let mut good = reached.and_not(dead);
        loop {
            let mut before = self.rename(&good, true);
            for (task, relation) in self.order.iter().zip(relations) {
                let code = &self.codes[task.index()];
                let mut gone = code.next.clone();
                gone.push(code.moved_next);
                before = Bdd::binary_op_with_exists(&before, relation, op_function::and, &gone);
                if before.size() > self.max_nodes {
                    return None;
                }
            }
            let fewer = good.and(&before);
            if fewer == good || initial.and(&fewer).is_false() {
                return Some(!initial.and(&fewer).is_false());
            }
            good = fewer;
        }
    }

    /// The number of states: assignments of the current variables.
    fn count(&self, states: &Bdd) -> String {
        let spare = self.variables.num_vars() / 2;
        let all = states.exact_cardinality();
        (all >> spare as usize).to_string()
    }

    fn cube(&self, bits: &[BddVariable], value: usize) -> Bdd {
        let literals: Vec<(BddVariable, bool)> = bits
            .iter()
            .enumerate()
            .map(|(bit, var)| (*var, value >> bit & 1 == 1))
            .collect();
        self.variables
            .mk_conjunctive_clause(&biodivine_lib_bdd::BddPartialValuation::from_values(
                &literals,
            ))
    }

    fn at(&self, task: TaskId, state: usize) -> Bdd {
        self.cube(&self.codes[task.index()].now, state)
    }

    fn initial(&self) -> Bdd {
        let mut all = self.variables.mk_true();
        for task in self.order.iter().rev() {
            let code = &self.codes[task.index()];
            let edges = &self.network.nodes[0].automaton.state(ENTRY).next;
            let here = if task.0 == 0 {
                edges.iter().fold(self.variables.mk_false(), |set, edge| {
                    set.or(&self.at(*task, edge.to.index()))
                })
            } else {
                self.at(*task, ENTRY.index())
            };
            all = all.and(&here).and(&self.variables.mk_var(code.moved_now));
        }
        all
    }

    fn dead(&self) -> Bdd {
        let mut all = self.at(TaskId(0), EXIT.index()).not();
        for code in &self.codes {
            all = all.and(&self.variables.mk_not_var(code.moved_now));
        }
        all
    }

    /// States of one task that satisfy a condition.
    fn where_(&self, task: TaskId, test: impl Fn(&Kind, usize) -> bool) -> Bdd {
        let states = self.network.nodes[task.index()]
            .automaton
            .states
            .iter()
            .enumerate();
        let matching = states.filter(|(index, state)| test(&state.kind, *index));
        matching.fold(self.variables.mk_false(), |set, (index, _)| {
            set.or(&self.at(task, index))
        })
    }

    fn running(&self, task: TaskId) -> Bdd {
        self.at(task, ENTRY.index())
            .or(&self.at(task, EXIT.index()))
            .not()
    }

    fn ready(&self, channel: ChannelId) -> Bdd {
        let mut all = self.variables.mk_true();
        for task in self
            .order
            .iter()
            .rev()
            .filter(|t| self.network.holds(**t, channel))
        {
            all = all.and(&self.agrees(*task, channel));
        }
        all
    }

    /// Where a task does not hold a channel up.
    fn agrees(&self, task: TaskId, channel: ChannelId) -> Bdd {
        let mut agrees = self.where_(task, |kind, _| match kind {
            Kind::Entry | Kind::Exit => true,
            Kind::Wait(waited, _) => *waited == channel,
            _ => false,
        });
        for (index, state) in self.network.nodes[task.index()]
            .automaton
            .states
            .iter()
            .enumerate()
        {
            let Kind::Par(children) = &state.kind else {
                continue;
            };
            let connected = children.iter().filter(|c| self.network.holds(**c, channel));
            let active = connected.fold(self.variables.mk_false(), |set, child| {
                set.or(&self.running(*child))
            });
            agrees = agrees.or(&self.at(task, index).and(&active));
        }
        agrees
    }

    /// Where some task is left by an exception to a handler.
    fn left(&self, tasks: impl Iterator<Item = TaskId>, handler: HandlerId) -> Bdd {
        tasks.fold(self.variables.mk_false(), |set, task| {
            let thrown = Kind::Thrown(handler);
            set.or(&self.where_(task, |kind, _| *kind == thrown))
        })
    }

    /// Where a handler is the outermost one, of those around a task, that some of the tasks are
    /// left for.
    fn outermost(&self, tasks: &[TaskId], handler: HandlerId, around: TaskId) -> Bdd {
        let scopes = &self.network.scopes;
        let further_out = (0..scopes.len() as u32).map(HandlerId).filter(|other| {
            *other != handler
                && scopes[other.index()][around.index()]
                && self.network.outer[handler.index()][other.index()] == *other
        });
        further_out.fold(self.left(tasks.iter().copied(), handler), |set, other| {
            set.and_not(&self.left(tasks.iter().copied(), other))
        })
    }

    fn all_over(&self, tasks: &[TaskId]) -> Bdd {
        tasks.iter().fold(self.variables.mk_true(), |set, task| {
            set.and(&self.where_(*task, |kind, _| {
                matches!(kind, Kind::Exit | Kind::Thrown(_))
            }))
        })
    }

    /// For each channel, where exceptions spread on it next; nothing without exceptions.
    fn spreads(&self) -> Option<Vec<Bdd>> {
        if self.network.scopes.is_empty() {
            return Some(Vec::new());
        }
        let mut open = self.variables.mk_true();
        for task in &self.order {
            open = open.and_not(&self.moves(*task, &[]).1);
            if open.size() > self.max_nodes {
                return None;
            }
        }
        let mut spreads = Vec::new();
        for channel in (0..self.network.channels.len() as u32).map(ChannelId) {
            let tasks = &self.network.channels[channel.index()];
            let mut here = self.variables.mk_false();
            for task in tasks {
                let waits = |kind: &Kind, _| matches!(kind, Kind::Wait(c, _) if *c == channel);
                let reached = self.reaching(channel, *task);
                let reached = reached
                    .into_iter()
                    .fold(self.variables.mk_false(), |set, (_, one)| set.or(&one));
                here = here.or(&self.where_(*task, waits).and(&reached));
            }
            for task in tasks {
                let over = self.where_(*task, |kind, _| matches!(kind, Kind::Thrown(_)));
                here = here.and(&self.agrees(*task, channel).or(&over));
            }
            here = here.and(&open);
            open = open.and_not(&here);
            spreads.push(here);
            if open.size() > self.max_nodes {
                return None;
            }
        }
        Some(spreads)
    }

    /// The handlers around a task, each with where exceptions on a channel reach the task for it.
    fn reaching(&self, channel: ChannelId, task: TaskId) -> Vec<(HandlerId, Bdd)> {
        let tasks = &self.network.channels[channel.index()];
        (0..self.network.scopes.len() as u32)
            .map(HandlerId)
            .filter(|handler| self.network.scopes[handler.index()][task.index()])
            .map(|handler| (handler, self.outermost(tasks, handler, task)))
            .collect()
    }

    fn all_exited(&self, tasks: &[TaskId]) -> Bdd {
        tasks.iter().fold(self.variables.mk_true(), |set, task| {
            set.and(&self.at(*task, EXIT.index()))
        })
    }

    /// The moves of one task, from where all are to where it is next, and where it can move.
    fn moves(&self, task: TaskId, spreads: &[Bdd]) -> (Bdd, Bdd) {
        let code = &self.codes[task.index()];
        let node = &self.network.nodes[task.index()];
        let mut ready: HashMap<ChannelId, Bdd> = HashMap::new();
        let mut moves = self.variables.mk_false();
        let mut can = self.variables.mk_false();
        let mut add = |from: Bdd, targets: &[usize]| {
            let to = targets.iter().fold(self.variables.mk_false(), |set, to| {
                set.or(&self.cube(&code.next, *to))
            });
            can = can.or(&from);
            moves = moves.or(&from.and(&to));
        };
        let to = |edges: &[Edge]| -> Vec<usize> { edges.iter().map(|e| e.to.index()).collect() };
        for (index, state) in node.automaton.states.iter().enumerate() {
            let here = self.at(task, index);
            let targets = to(&state.next);
            match &state.kind {
                Kind::Entry => {
                    let Some(parent) = node.parent else { continue };
                    let called = |kind: &Kind, _| matches!(kind, Kind::Par(c) if c.contains(&task));
                    add(here.and(&self.where_(parent, called)), &targets);
                }
                Kind::Exit | Kind::Thrown(_) if task.0 > 0 => {
                    add(here.and(&self.all_over(&node.siblings)), &[ENTRY.index()]);
                }
                Kind::Exit | Kind::Stuck | Kind::Thrown(_) => {}
                Kind::Spin => add(here, &[index]),
                Kind::Compute => add(here, &targets),
                Kind::Par(children) => {
                    add(here.and(&self.all_exited(children)), &targets);
                    for (handler, edges) in &state.caught {
                        let over = here.and(&self.all_over(children));
                        let caught = self.outermost(children, *handler, children[0]);
                        add(over.and(&caught), &to(edges));
                    }
                }
                Kind::Wait(channel, _) => {
                    let ready = ready
                        .entry(*channel)
                        .or_insert_with(|| self.ready(*channel));
                    add(here.and(ready), &targets);
                    let Some(spread) = spreads.get(channel.index()) else {
                        continue;
                    };
                    for (handler, reached) in self.reaching(*channel, task) {
                        let thrown = Kind::Thrown(handler);
                        let states = &node.automaton.states;
                        if let Some(left) = states.iter().position(|s| s.kind == thrown) {
                            add(here.and(spread).and(&reached), &[left]);
                        }
                    }
                }
            }
        }
        (moves, can)
    }

    /// The moves of one task, or that it stays, and whether it moved.
    fn relation(&self, task: TaskId, spreads: &[Bdd]) -> Bdd {
        let code = &self.codes[task.index()];
        let (moves, can) = self.moves(task, spreads);
        let stay =
            code.now
                .iter()
                .zip(&code.next)
                .fold(self.variables.mk_true(), |all, (now, next)| {
                    all.and(
                        &self
                            .variables
                            .mk_var(*now)
                            .iff(&self.variables.mk_var(*next)),
                    )
                });
        let moved = self.variables.mk_var(code.moved_next);
        moves.and(&moved).or(&stay.and_not(&can).and_not(&moved))
    }

    /// For each relation, the current variables that no later relation needs.
    fn schedule(&self, relations: &[Bdd]) -> Vec<Vec<BddVariable>> {
        let mut last: HashMap<BddVariable, usize> = HashMap::new();
        for (position, relation) in relations.iter().enumerate() {
            last.extend(
                relation
                    .support_set()
                    .into_iter()
                    .map(|var| (var, position)),
            );
        }
        let mut gone = vec![Vec::new(); relations.len()];
        for code in &self.codes {
            for var in code.now.iter().chain([&code.moved_now]) {
                gone[last.get(var).copied().unwrap_or(0)].push(*var);
            }
        }
        gone
    }

    fn image(&self, from: &Bdd, relations: &[Bdd], gone: &[Vec<BddVariable>]) -> Option<Bdd> {
        let mut image = from.clone();
        for (relation, gone) in relations.iter().zip(gone) {
            image = Bdd::binary_op_with_exists(&image, relation, op_function::and, gone);
            if image.size() > self.max_nodes {
                return None;
            }
        }
        Some(self.rename(&image, false))
    }

    /// Moves a set between the current variables and the next ones.
    fn rename(&self, set: &Bdd, to_next: bool) -> Bdd {
        let pairs = self.codes.iter().flat_map(|code| {
            let bits = code.now.iter().copied().zip(code.next.iter().copied());
            bits.chain(std::iter::once((code.moved_now, code.moved_next)))
        });
        let map: HashMap<BddVariable, BddVariable> = pairs
            .map(|(now, next)| if to_next { (now, next) } else { (next, now) })
            .collect();
        let mut renamed = set.clone();
        // SAFETY: each variable is exchanged for its neighbour in the order, and the set depends on
        // only one of the two: on current variables before a step backwards, and on next variables
        // after an image, which quantifies every current one. The order of its variables is kept.
        unsafe { renamed.rename_variables(&map) };
        renamed
    }
}

/// Joins relations that follow each other, as long as the diagrams stay small: a step takes fewer
/// operations on its large diagram.
fn clusters(relations: impl Iterator<Item = Bdd>, limit: usize) -> Vec<Bdd> {
    let mut clusters: Vec<Bdd> = Vec::new();
    for relation in relations {
        let joined = clusters
            .last()
            .and_then(|last| Bdd::binary_op_with_limit(limit, last, &relation, op_function::and));
        match (joined, clusters.last_mut()) {
            (Some(joined), Some(last)) => *last = joined,
            _ => clusters.push(relation),
        }
    }
    clusters
}

/// Puts tasks that share channels or are parent and child near each other: always the one next
/// that has most to do with those already placed.
fn arrange(network: &Network) -> Vec<TaskId> {
    let count = network.nodes.len();
    let mut weight = vec![HashMap::<usize, f64>::new(); count];
    let mut link = |a: usize, b: usize, w: f64| {
        *weight[a].entry(b).or_default() += w;
        *weight[b].entry(a).or_default() += w;
    };
    for tasks in &network.channels {
        let leaves: Vec<usize> = tasks.iter().map(|t| t.index()).collect();
        for (i, a) in leaves.iter().enumerate() {
            leaves[i + 1..]
                .iter()
                .for_each(|b| link(*a, *b, 1.0 / leaves.len() as f64));
        }
    }
    for task in network.ids() {
        if let Some(parent) = network.nodes[task.index()].parent {
            link(task.index(), parent.index(), 0.01);
        }
    }
    let mut placed = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut pull = vec![0.0; count];
    for step in 0..count {
        let candidates = (0..count).filter(|t| !placed[*t]);
        let best = candidates.max_by(|a, b| {
            let score = |t: usize| {
                let open: f64 = weight[t]
                    .iter()
                    .filter(|(o, _)| !placed[**o])
                    .map(|(_, w)| w)
                    .sum();
                if step == 0 {
                    -open
                } else {
                    pull[t] - 0.3 * open
                }
            };
            score(*a).total_cmp(&score(*b)).then(b.cmp(a))
        });
        let Some(next) = best else { break };
        placed[next] = true;
        order.push(TaskId(next as u32));
        for (other, w) in &weight[next] {
            pull[*other] += w;
        }
        // Old ties weigh less than new ones, so that the walk stays near where it is.
        pull.iter_mut().for_each(|p| *p *= 0.8);
    }
    order
}
