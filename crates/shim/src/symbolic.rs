//! The symbolic engine: the paper's model with sets of states as binary decision diagrams.
//!
//! Every task has one relation; a step takes all of them, and a task's variables are quantified
//! away as soon as no later relation needs them. The order of the variables is fixed beforehand:
//! tasks that share channels, or are parent and child, stand near each other.

use crate::automaton::{ENTRY, EXIT, Kind};
use crate::network::Network;
use crate::tree::{ChannelId, TaskId};
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

/// Diagrams may not have more nodes than this.
pub const MAX_NODES: usize = 1_500_000;

/// Solves the model; none if the diagrams grow beyond `max_nodes`.
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
        let relations: Vec<Bdd> = self.order.iter().map(|task| self.relation(*task)).collect();
        let forward = self.schedule(&relations);
        let initial = self.initial();
        let dead = self.dead();
        let mut reached = initial.clone();
        let mut frontier = initial.clone();
        while !frontier.is_false() {
            let image = self.image(&frontier, &relations, &forward)?;
            frontier = image.and_not(&reached);
            reached = reached.or(&image);
            if reached.size() > self.max_nodes {
                return None;
            }
        }
        let always_moves = reached.and(&dead).is_false();
        let can_avoid = always_moves || self.avoids(&initial, &reached, &dead, &relations)?;
        Some(Outcome {
            always_moves,
            can_avoid,
            states: self.count(&reached),
        })
    }

    /// The greatest set of reachable states that are no deadlock and have a way on in the set.
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
            let mut agrees = self.where_(*task, |kind, _| match kind {
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
                agrees = agrees.or(&self.at(*task, index).and(&active));
            }
            all = all.and(&agrees);
        }
        all
    }

    fn all_exited(&self, tasks: &[TaskId]) -> Bdd {
        tasks.iter().fold(self.variables.mk_true(), |set, task| {
            set.and(&self.at(*task, EXIT.index()))
        })
    }

    /// The moves of one task: from where all are to where it is next, and whether it moved.
    fn relation(&self, task: TaskId) -> Bdd {
        let code = &self.codes[task.index()];
        let node = &self.network.nodes[task.index()];
        let mut ready: HashMap<ChannelId, Bdd> = HashMap::new();
        let mut moves = self.variables.mk_false();
        let mut can = self.variables.mk_false();
        for (index, state) in node.automaton.states.iter().enumerate() {
            let mut targets: Vec<usize> = state.next.iter().map(|edge| edge.to.index()).collect();
            let guard = match &state.kind {
                Kind::Entry => match node.parent {
                    Some(parent) => self.where_(
                        parent,
                        |kind, _| matches!(kind, Kind::Par(c) if c.contains(&task)),
                    ),
                    None => continue,
                },
                Kind::Exit if task.0 > 0 => {
                    targets = vec![ENTRY.index()];
                    self.all_exited(&node.siblings)
                }
                Kind::Exit | Kind::Stuck | Kind::Thrown(_) => continue,
                Kind::Spin => {
                    targets = vec![index];
                    self.variables.mk_true()
                }
                Kind::Par(children) => self.all_exited(children),
                Kind::Compute => self.variables.mk_true(),
                Kind::Wait(channel, _) => ready
                    .entry(*channel)
                    .or_insert_with(|| self.ready(*channel))
                    .clone(),
            };
            let from = self.at(task, index).and(&guard);
            let to = targets.iter().fold(self.variables.mk_false(), |set, to| {
                set.or(&self.cube(&code.next, *to))
            });
            can = can.or(&from);
            moves = moves.or(&from.and(&to));
        }
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
        for (position, task) in self.order.iter().enumerate() {
            let code = &self.codes[task.index()];
            for var in &code.now {
                gone[last.get(var).copied().unwrap_or(position)].push(*var);
            }
            gone[0].push(code.moved_now);
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
