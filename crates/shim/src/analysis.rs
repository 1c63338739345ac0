//! From a program to a verdict.
//!
//! The abstraction comes first: if nothing deadlocks whatever the branches do, no data matter. A
//! program without inputs is then run, which decides it. Otherwise every task learns its own data
//! and the search is repeated; and at last runs on chosen inputs confirm or refute what is left.

use crate::concolic::{self, Findings, Limits};
use crate::ir::Program;
use crate::machine::Run;
use crate::network::Network;
use crate::runner::Silent;
use crate::single::{self, Graph};
use crate::tree::{TaskId, Tree};
use crate::verdict::*;
use crate::{groups, predicates, refine, symbolic};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// States of one search.
    pub states: usize,
    /// Nodes of one decision diagram.
    pub nodes: usize,
    /// Instructions of a run of a program without inputs.
    pub steps: u64,
    /// Runs on chosen inputs.
    pub limits: Limits,
    /// Inputs that are all run, where there are no more.
    pub inputs: usize,
    /// Instructions of all runs on them.
    pub input_steps: u64,
    /// Searches with predicates.
    pub predicates: predicates::Limits,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            states: 400_000,
            nodes: 1_500_000,
            steps: 30_000_000,
            limits: Limits {
                runs: 300,
                steps: 1_000_000,
                total_steps: 6_000_000,
                conditions: 200,
                questions: 1_000,
                effort: 60_000,
            },
            inputs: 4_096,
            input_steps: 40_000_000,
            predicates: predicates::Limits {
                rounds: 40,
                predicates: 60,
                states: 20_000,
                questions: 6_000,
                effort: 100_000,
                steps: 3_000_000,
            },
        }
    }
}

/// How it was found that no data matter.
pub(crate) const ALWAYS: &str = "whatever the branches do";
/// How it was found that tasks that know their data do not deadlock.
const BY_DATA: &str = "by what each task knows of its own data";

/// Before predicates are looked for, a share of the runs on chosen inputs is made.
const FIRST_PART: usize = 8;

/// Runs for what is suspicious only, where the verdict is known.
const REMARKS: Limits = Limits {
    runs: 8,
    steps: 2_000,
    total_steps: 4_000,
    conditions: 20,
    questions: 10,
    effort: 200,
};

/// Instructions of such a run where there are no inputs.
const REMARK_STEPS: u64 = 50_000;
/// With more numbers in the parameters of `main`, such runs would take longer than the verdict.
const MAX_PARAMETERS: usize = 256;

/// What one abstraction says.
pub(crate) struct Abstract {
    pub(crate) network: Network,
    pub(crate) graph: Graph,
    /// Nothing deadlocks.
    pub(crate) free: Option<bool>,
    /// Everything deadlocks.
    pub(crate) inevitable: Option<bool>,
    pub(crate) symbolic: Option<String>,
}

/// Decides a program and returns the result. Passes preliminary results to `so_far` now and then,
/// for a caller that must stop early.
pub fn decide(
    program: &Program,
    tree: &Tree,
    budget: &Budget,
    so_far: &mut dyn FnMut(&CheckResult),
) -> CheckResult {
    let mut analysis = Analysis {
        program,
        tree,
        budget,
        result: blank(program, tree),
    };
    analysis.decide(so_far);
    analysis.result
}

fn blank(program: &Program, tree: &Tree) -> CheckResult {
    let file = &program.file;
    let info = |id: TaskId| TaskInfo {
        name: tree.task(id).name.clone(),
        function: tree.task(id).function.name.clone(),
        line: file.line(tree.task(id).function.span),
        parent: tree.task(id).parent.map(|(parent, ..)| parent.index()),
    };
    CheckResult {
        tasks: tree.ids().map(info).collect(),
        channels: channels(program, tree),
        ..CheckResult::unknown(&file.name, file.line_count())
    }
}

fn channels(program: &Program, tree: &Tree) -> Vec<ChannelInfo> {
    use crate::ir::Op;
    let mut all: Vec<ChannelInfo> = tree
        .channels
        .iter()
        .map(|channel| ChannelInfo {
            name: channel.name.clone(),
            line: program.file.line(channel.span),
            senders: Vec::new(),
            receivers: Vec::new(),
        })
        .collect();
    for id in tree.ids() {
        let task = tree.task(id);
        let reached = crate::instance::reachable(&task.function);
        for (_, instr) in task
            .function
            .code
            .iter()
            .enumerate()
            .filter(|(pc, _)| reached[*pc])
        {
            let (var, sends) = match instr.op {
                Op::Send(var) => (var, true),
                Op::Receive(var) => (var, false),
                _ => continue,
            };
            let channel = &mut all[task.channel(var).index()];
            let list = if sends {
                &mut channel.senders
            } else {
                &mut channel.receivers
            };
            if !list.contains(&id.index()) {
                list.push(id.index());
            }
        }
    }
    all
}

/// A check at work.
pub(crate) struct Analysis<'a> {
    pub(crate) program: &'a Program,
    pub(crate) tree: &'a Tree,
    pub(crate) budget: &'a Budget,
    pub(crate) result: CheckResult,
}

impl Analysis<'_> {
    fn decide(&mut self, so_far: &mut dyn FnMut(&CheckResult)) {
        crate::warnings::assumptions(self.program, self.tree, &mut self.result);
        so_far(&self.result);
        self.result.reason = None;
        let closed = concolic::is_closed(self.program, self.tree);
        // Running is exact and cheap, but says less than that no branch matters.
        let first = if closed {
            (400_000 / self.tree.tasks.len()).min(20_000)
        } else {
            self.budget.states / 10
        };
        let plain = self.search(Network::paper(self.tree, true), first);
        self.count(&plain);
        let second = if closed { first } else { self.budget.states };
        if self.free(&plain, ALWAYS) {
            return self.remark(&plain, closed);
        }
        let known = refine::network(self.program, self.tree, refine::QUICK);
        let known = self.search(known, second);
        if self.free(&known, BY_DATA) {
            return self.remark(&known, closed);
        }
        if closed && self.by_running() {
            return;
        }
        so_far(&self.provisional(&known));
        let mut findings = None;
        if !closed {
            match self.by_inputs(&plain, &known, so_far) {
                Tried::Decided => return,
                Tried::Open(found) => findings = Some(found),
            }
        }
        let thorough = refine::network(self.program, self.tree, refine::THOROUGH);
        let mut thorough = self.search(thorough, self.budget.states);
        let mut plain = plain;
        for (network, method) in [(&mut thorough, BY_DATA), (&mut plain, ALWAYS)] {
            self.search_sets(network);
            if self.free(network, method) {
                return self.remark(network, closed);
            }
        }
        self.conclude(&known, &thorough, findings);
    }

    /// Looks for inputs that lead to a deadlock, or for a proof that none do: first with runs, and
    /// with all of them where they are few, then with predicates, then with more runs.
    fn by_inputs(
        &mut self,
        plain: &Abstract,
        known: &Abstract,
        so_far: &mut dyn FnMut(&CheckResult),
    ) -> Tried {
        let (program, tree, budget) = (self.program, self.tree, self.budget);
        let is_enough = |found: &Findings| found.complete || found.deadlock().is_some();
        let mut found = concolic::explore(program, tree, budget.limits.part(FIRST_PART));
        if !found.complete
            && let Some(all) =
                concolic::every_input(program, tree, budget.inputs, budget.input_steps)
        {
            found = all;
        }
        if is_enough(&found) {
            self.conclude(plain, known, Some(found));
            return Tried::Decided;
        }
        if self.by_predicates(plain, known, &found) {
            return Tried::Decided;
        }
        so_far(&self.provisional(known));
        let found = concolic::explore(program, tree, budget.limits);
        if is_enough(&found) {
            self.conclude(plain, known, Some(found));
            return Tried::Decided;
        }
        Tried::Open(found)
    }

    /// The result if no time were left.
    fn provisional(&self, known: &Abstract) -> CheckResult {
        let mut other = Analysis {
            result: self.result.clone(),
            ..*self
        };
        other.count(known);
        other.possible(known, false, UNFINISHED);
        other.result
    }

    /// Whether a network shows that nothing deadlocks, which is then the verdict.
    fn free(&mut self, found: &Abstract, method: &str) -> bool {
        let free = found.free == Some(true);
        if free {
            self.count(found);
            self.result.verdict = Verdict::DeadlockFree;
            self.result.method = format!("{method}{}", engine_note(found));
        }
        free
    }

    /// Adds warnings about a program that does not deadlock: what may happen if branches go as an
    /// abstract path says, and if there is such a thing, what happens in runs.
    fn remark(&mut self, free: &Abstract, closed: bool) {
        let (program, tree) = (self.program, self.tree);
        crate::warnings::from_network(program, tree, &free.network, &mut self.result);
        if self.result.warnings.is_empty() && self.result.assumptions.is_empty() {
            return;
        }
        let found = if closed {
            Findings::of_one(self.run(self.budget.steps.min(REMARK_STEPS)))
        } else if concolic::parameter_count(program) <= MAX_PARAMETERS {
            concolic::explore(program, tree, REMARKS)
        } else {
            Findings::default()
        };
        if found.complete {
            self.result.warnings.clear();
        } else if !self.result.warnings.is_empty() {
            self.result.warnings.clear();
            let network = refine::network(program, tree, refine::QUICK);
            crate::warnings::from_network(program, tree, &network, &mut self.result);
        }
        self.warn(&found);
    }

    pub(crate) fn run(&self, steps: u64) -> Run {
        crate::machine::run(self.program, self.tree, &[], &mut Silent, steps)
    }

    fn search(&self, network: Network, limit: usize) -> Abstract {
        if let Some(found) = self.search_apart(&network, limit) {
            return found;
        }
        let graph = single::explore(&network, limit, limit);
        let mut found = Abstract {
            free: None,
            inevitable: None,
            symbolic: None,
            graph,
            network,
        };
        if found.graph.complete {
            found.free = Some(found.graph.deadlock.is_none());
            found.inevitable =
                Some(found.graph.deadlock.is_some() && !found.graph.can_avoid(&found.network));
        } else if found.graph.deadlock.is_some() {
            found.free = Some(false);
        }
        found
    }

    /// Explores independent groups apart. A deadlock is looked for in the whole network as well,
    /// for its trace; it is only counted here.
    fn search_apart(&self, network: &Network, limit: usize) -> Option<Abstract> {
        let apart = groups::apart(network, limit)?;
        let parts = single::explore(&apart, limit, limit);
        if !parts.complete {
            return None;
        }
        if parts.deadlock.is_none() {
            return Some(Abstract {
                free: Some(true),
                inevitable: Some(false),
                symbolic: None,
                graph: parts,
                network: network.clone(),
            });
        }
        let inevitable = !parts.can_avoid(&apart);
        let graph = single::explore(network, limit, limit.min(single::AFTER_DEADLOCK));
        Some(Abstract {
            free: Some(false),
            inevitable: Some(inevitable),
            symbolic: None,
            graph,
            network: network.clone(),
        })
    }

    /// Asks the symbolic engine where the other came to no end.
    fn search_sets(&self, found: &mut Abstract) {
        if found.free.is_none()
            && let Some(outcome) = symbolic::solve(&found.network, self.budget.nodes)
        {
            found.free = Some(outcome.always_moves);
            found.inevitable = Some(!outcome.can_avoid);
            found.symbolic = Some(outcome.states);
        }
    }

    pub(crate) fn count(&mut self, found: &Abstract) {
        self.result.states = found
            .symbolic
            .clone()
            .unwrap_or_else(|| found.graph.states.len().to_string());
        self.result.transitions = found.graph.transitions() as u64;
        let explicit = found.symbolic.is_none();
        self.result.depth = if explicit { found.graph.depth() } else { 0 };
        self.result.state_bytes = if explicit { found.graph.bytes() } else { 0 };
    }
}

/// Whether trying inputs gave the answer.
enum Tried {
    Decided,
    Open(Findings),
}

fn engine_note(found: &Abstract) -> &'static str {
    if found.symbolic.is_some() {
        ", with decision diagrams"
    } else {
        ""
    }
}
