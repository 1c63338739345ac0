//! From a program to a verdict.
//!
//! The abstraction comes first: if nothing deadlocks whatever the branches do, no data matter. A
//! program without inputs is then run, which decides it. Otherwise every task learns its own data
//! and the search is repeated; and at last runs on chosen inputs confirm or refute what is left.

use crate::concolic::{self, Findings, Limits};
use crate::ir::Program;
use crate::machine::Ending;
use crate::network::Network;
use crate::runner::Silent;
use crate::single::{self, Graph};
use crate::tree::{TaskId, Tree};
use crate::verdict::*;
use crate::words::{counted, ordinal};
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

/// How it was found that tasks that know their data do not deadlock.
const BY_DATA: &str = "by what each task knows of its own data";

/// Before predicates are looked for, a share of the runs on chosen inputs is made.
const FIRST_PART: usize = 8;

/// What one abstraction says.
struct Abstract {
    network: Network,
    graph: Graph,
    /// Nothing deadlocks.
    free: Option<bool>,
    /// Everything deadlocks.
    inevitable: Option<bool>,
    symbolic: Option<String>,
}

/// Decides a program.
pub fn decide(program: &Program, tree: &Tree, budget: &Budget) -> CheckResult {
    let mut analysis = Analysis {
        program,
        tree,
        budget,
        result: blank(program, tree),
    };
    analysis.decide();
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
        verdict: Verdict::Possible,
        error: None,
        states: "0".into(),
        transitions: 0,
        depth: 0,
        state_bytes: 0,
        seconds: 0.0,
        peak_memory_bytes: 0,
        reason: None,
        trace: Vec::new(),
        method: String::new(),
        inputs: Vec::new(),
        unsettled: Vec::new(),
        waiting: Vec::new(),
        cycle: Vec::new(),
        help: None,
        warnings: Vec::new(),
        assumptions: Vec::new(),
        file: file.name.clone(),
        lines: file.line_count(),
        tasks: tree.ids().map(info).collect(),
        channels: channels(program, tree),
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
        let reached = crate::specialise::reachable(&task.function);
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
    budget: &'a Budget,
    pub(crate) result: CheckResult,
}

impl Analysis<'_> {
    fn decide(&mut self) {
        crate::warnings::assumptions(self.program, self.tree, &mut self.result);
        let closed = concolic::is_closed(self.program, self.tree);
        // Running is exact and cheap, but says less than that no branch matters.
        let first = if closed {
            (400_000 / self.tree.tasks.len()).min(20_000)
        } else {
            self.budget.states / 10
        };
        let plain = self.search(Network::paper(self.tree, true), first);
        self.count(&plain);
        if self.free(&plain, "whatever the branches do") {
            return;
        }
        let second = if closed { first } else { self.budget.states };
        let known = self.search(
            refine::network(self.program, self.tree, refine::QUICK),
            second,
        );
        if self.free(&known, BY_DATA) || (closed && self.by_running()) {
            return;
        }
        let mut findings = None;
        if !closed {
            for part in [FIRST_PART, 1] {
                let limits = self.budget.limits.part(part);
                let found = concolic::explore(self.program, self.tree, limits);
                if found.complete || found.deadlock.is_some() {
                    return self.conclude(&plain, &known, Some(found));
                }
                if part == FIRST_PART && self.by_predicates(&plain, &known, &found) {
                    return;
                }
                findings = Some(found);
            }
        }
        let mut thorough = self.search(
            refine::network(self.program, self.tree, refine::THOROUGH),
            self.budget.states,
        );
        for (network, method) in [
            (&mut thorough, BY_DATA),
            (&mut { plain }, "whatever the branches do"),
        ] {
            self.search_sets(network);
            if self.free(network, method) {
                return;
            }
        }
        self.conclude(&known, &thorough, findings);
    }

    fn free(&mut self, found: &Abstract, method: &str) -> bool {
        let free = found.free == Some(true);
        if free {
            self.count(found);
            self.result.verdict = Verdict::DeadlockFree;
            self.result.method = format!("{method}{}", engine_note(found));
            crate::warnings::from_network(
                self.program,
                self.tree,
                &found.network,
                &mut self.result,
            );
        }
        free
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

    /// Explores independent groups apart. A deadlock is looked for in the whole network as well, for
    /// its trace; it is only counted here.
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

    fn count(&mut self, found: &Abstract) {
        self.result.states = found
            .symbolic
            .clone()
            .unwrap_or_else(|| found.graph.states.len().to_string());
        self.result.transitions = found.graph.transitions() as u64;
        let explicit = found.symbolic.is_none();
        self.result.depth = if explicit { found.graph.depth() } else { 0 };
        self.result.state_bytes = if explicit { found.graph.bytes() } else { 0 };
    }

    fn count_runs(&mut self, runs: usize, steps: u64, longest: u64) {
        self.result.states = runs.to_string();
        self.result.transitions = steps;
        self.result.depth = longest;
        self.result.state_bytes = 0;
    }

    /// Runs a program without inputs; whether that decided it.
    fn by_running(&mut self) -> bool {
        let run = crate::machine::run(self.program, self.tree, &[], &mut Silent, self.budget.steps);
        let (verdict, method) = match &run.ending {
            Ending::OutOfSteps => return false,
            Ending::Deadlock => (Verdict::Inevitable, "by running it: it has no inputs"),
            Ending::Finished => (
                Verdict::DeadlockFree,
                "by running it to its end: it has no inputs",
            ),
            Ending::Forever(_) => (
                Verdict::DeadlockFree,
                "by running it until it came back to an earlier state",
            ),
            Ending::Failed(..) => (
                Verdict::DeadlockFree,
                "by running it until a run-time error ended it",
            ),
        };
        self.result.verdict = verdict;
        self.result.method = method.into();
        self.count_runs(1, run.steps, run.rendezvous);
        // What was run to its end needs nothing taken for granted.
        self.result.assumptions.clear();
        crate::warnings::from_run(self.program, self.tree, &run, &mut self.result);
        if verdict == Verdict::Inevitable {
            self.show_run(&run);
        }
        true
    }

    /// Looks for predicates that refute every deadlock, or for inputs that lead to one; whether
    /// that decided it.
    fn by_predicates(&mut self, plain: &Abstract, known: &Abstract, tried: &Findings) -> bool {
        let outcome = predicates::decide(self.program, self.tree, self.budget.predicates);
        match outcome {
            predicates::Outcome::Open => false,
            predicates::Outcome::Free {
                predicates,
                states,
                moves,
            } => {
                self.result.verdict = Verdict::DeadlockFree;
                self.result.method =
                    format!("by {} over its data", counted(predicates, "predicate"));
                self.result.states = states.to_string();
                self.result.transitions = moves as u64;
                (self.result.depth, self.result.state_bytes) = (0, 0);
                // The network does not know what the predicates say, and would give false alarms.
                if let Some(run) = &tried.other {
                    crate::warnings::from_run(self.program, self.tree, run, &mut self.result);
                }
                true
            }
            predicates::Outcome::Deadlock(run, inputs) => {
                let findings = Findings {
                    deadlock: Some((*run, inputs)),
                    other: None,
                    complete: false,
                    runs: 1,
                    steps: 0,
                    longest: 0,
                };
                self.conclude(plain, known, Some(findings));
                true
            }
        }
    }

    fn conclude(&mut self, plain: &Abstract, known: &Abstract, findings: Option<Findings>) {
        let inevitable = plain.inevitable == Some(true) || known.inevitable == Some(true);
        self.count(known);
        let Some(findings) = findings else {
            return self.possible(
                known,
                inevitable,
                "the program did not end within the limit of steps",
            );
        };
        match (&findings.deadlock, findings.complete) {
            (None, true) => {
                self.result.verdict = Verdict::DeadlockFree;
                self.result.method = covering(findings.runs);
                self.count_runs(findings.runs, findings.steps, findings.longest);
            }
            (Some((run, inputs)), complete) => {
                let all = inevitable || (complete && findings.other.is_none());
                self.result.verdict = if all {
                    Verdict::Inevitable
                } else {
                    Verdict::Deadlock
                };
                self.result.method = match (inevitable, complete) {
                    (true, _) => "whatever the branches do; shown by a run".to_string(),
                    (false, true) if all => covering(findings.runs),
                    _ => format!(
                        "shown by a run on chosen inputs, the {} tried",
                        ordinal(findings.runs)
                    ),
                };
                self.result.inputs = self.name_inputs(inputs);
                self.show_run(run);
            }
            (None, false) => self.possible(
                known,
                inevitable,
                "the search for inputs that lead there ended at its limits",
            ),
        }
        if let Some(run) = &findings.other {
            crate::warnings::from_run(self.program, self.tree, run, &mut self.result);
        }
    }

    fn possible(&mut self, found: &Abstract, inevitable: bool, why: &str) {
        if let Some(state) = found.graph.deadlock {
            let path = found.graph.path(&found.network, state);
            self.show_path(&found.network, &path, &found.graph.states[state]);
        }
        if inevitable {
            self.result.unsettled.clear();
            self.result.verdict = Verdict::Inevitable;
            self.result.method = "whatever the branches do".into();
            return;
        }
        self.result.verdict = Verdict::Possible;
        self.result.method = "found where data are not known; not confirmed on real data".into();
        self.result.reason = Some(match found.graph.deadlock {
            Some(_) => format!("a deadlock exists if the branches go as shown; {why}"),
            None => format!("the state space is too large to explore to its end; {why}"),
        });
        let mut unsettled = std::mem::take(&mut self.result.unsettled);
        for branch in self.result.trace.iter().flat_map(|step| &step.branches) {
            if !unsettled.contains(branch) {
                unsettled.push(branch.clone());
            }
        }
        self.result.unsettled = unsettled;
    }
}

fn covering(runs: usize) -> String {
    match runs {
        1 => "by a run that covers all inputs".into(),
        _ => format!("by {runs} runs that cover all inputs"),
    }
}

fn engine_note(found: &Abstract) -> &'static str {
    if found.symbolic.is_some() {
        ", with decision diagrams"
    } else {
        ""
    }
}
