//! The result of `impasse loops` as data, which `--format json` prints.

use crate::certificate::{Certificate, Claim, Numbers};
use crate::concolic::explanation::{TraceEvent, explain};
use crate::concolic::iteration::{LoopRelation, input_name, lines_between};
use crate::concolic::names::{Named, names};
use crate::concolic::run::Subject;
use crate::concolic::trace::{Effect, Trace};
use crate::evidence::{Evidence, FORMAT};
use crate::in_c;
use crate::problem::{Line, Overflow, Reading};
use crate::search::{Ending, Endless, Reason, Statistics, Verdict};
use anyhow::{Context, Result, anyhow, bail};
use impasse_program::link::{FunctionId, Target};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What was found out about a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// `nonterminating`, `terminating` or `unknown`.
    pub verdict: VerdictName,
    /// Over which numbers it holds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub arithmetic: Option<String>,
    /// What the verdict assumes, if anything.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub condition: Option<String>,
    /// The inputs, in the order in which the program reads them.
    pub inputs: Vec<Valued>,
    /// The lines of the path to the loop.
    pub stem: Vec<Line>,
    /// The loop.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none", default)]
    pub cycle: Option<Cycle>,
    /// The state that repeats.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repeated_state: Option<RepeatedState>,
    /// Whether nothing leaves the loop, whatever the state.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_never_left: bool,
    /// The set that is never left: conditions that hold together.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recurrent_set: Option<Vec<String>>,
    /// The same in C, as far as it can be written with the variables of the source.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub recurrence: Vec<String>,
    /// Of a program that ends, the headers of the loops that have ranking functions; none if all
    /// its paths were followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ranked: Option<Vec<Line>>,
    /// What `impasse certify` checks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub certificate: Option<Evidence>,
    /// Why there is no verdict.
    pub reasons: Vec<String>,
    /// Undefined behaviour that was met; it ends the path it is on, but for signed overflow, which
    /// wraps around.
    pub undefined: Vec<String>,
    /// What was done.
    pub statistics: Counts,
}

/// The verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they name themselves")]
pub enum VerdictName {
    Nonterminating,
    Terminating,
    Unknown,
}

/// Something with a value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Valued {
    /// Its name.
    pub name: String,
    /// Its value, as its type writes it.
    pub value: String,
    /// Where it is read, if it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<Line>,
    /// Whether it is read again and again on the path around the loop.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub each_iteration: bool,
    /// Whether it is a library's, and not the program's.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub library: bool,
}

/// The part that runs forever.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cycle {
    /// `loop` or `recursion`.
    pub kind: String,
    /// The function it is in.
    pub function: String,
    /// Where it starts.
    pub header: Line,
    /// Its lines, in order.
    pub lines: Vec<Line>,
    /// The assignments of an iteration, where the state repeats.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub assigned: Vec<Assigned>,
}

/// What happens to a variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Assigned {
    /// Where.
    pub line: Line,
    /// The variable; none where a number that is not assigned at once wraps around.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its value from there on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<String>,
    /// Whether a number was computed for it that wraps around.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub wraps: bool,
}

impl Assigned {
    fn of(event: TraceEvent) -> Assigned {
        let (name, value) = event.assigned.unzip();
        Assigned {
            line: event.line,
            name,
            value,
            wraps: event.wraps,
        }
    }
}

/// A state that repeats.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RepeatedState {
    /// After so many iterations.
    pub iterations: u64,
    /// The parts of it that decide which path the program takes.
    pub variables: Vec<Valued>,
}

/// What was done.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Executions.
    pub executions: u64,
    /// Iterations that the provers were asked about.
    pub lassos: u64,
    /// Executions that ended by themselves.
    pub ended: u64,
}

impl Outcome {
    fn unknown(reasons: Vec<String>) -> Outcome {
        Outcome {
            verdict: VerdictName::Unknown,
            arithmetic: None,
            condition: None,
            inputs: Vec::new(),
            stem: Vec::new(),
            cycle: None,
            repeated_state: None,
            is_never_left: false,
            recurrent_set: None,
            recurrence: Vec::new(),
            ranked: None,
            certificate: None,
            reasons,
            undefined: Vec::new(),
            statistics: Counts {
                executions: 0,
                lassos: 0,
                ended: 0,
            },
        }
    }

    /// The result of a search that a limit stopped, for that reason. What it had found is lost.
    pub fn stopped(reason: &str) -> Outcome {
        Outcome::unknown(vec![reason.to_owned()])
    }
}

/// The outcome of a search.
pub fn outcome(
    subject: &Subject<'_>,
    (verdict, statistics): (Verdict, Statistics),
    evidence: impl FnOnce(&Verdict) -> Option<Evidence>,
) -> Outcome {
    let mut outcome = Outcome {
        undefined: statistics.undefined.values().cloned().collect(),
        statistics: Counts {
            executions: statistics.executions,
            lassos: statistics.lassos,
            ended: statistics.ended,
        },
        ..Outcome::unknown(Vec::new())
    };
    outcome.certificate = evidence(&verdict);
    match verdict {
        Verdict::Nonterminating(endless) => {
            outcome.verdict = VerdictName::Nonterminating;
            describe(subject, &endless, &mut outcome);
        }
        Verdict::Terminating(ending) => {
            outcome.verdict = VerdictName::Terminating;
            let assumes_memory = matches!(&ending, Ending::Followed(paths) if paths.assumes_memory);
            let memory = assumes_memory.then(|| "memory is never short".into());
            let returns = matches!(ending, Ending::Ranked(_)).then(|| unknown_return(subject));
            outcome.condition = memory.or(returns.flatten());
            let integers = subject.integers && matches!(ending, Ending::Followed(_))
                || matches!(ending, Ending::Unbounded(..));
            outcome.arithmetic = integers.then(|| "integer".into());
            outcome.ranked = match ending {
                Ending::Followed(_) => None,
                Ending::Unbounded(_, headers) => Some(headers),
                Ending::Ranked(proof) => Some(proof.ranked()),
            };
        }
        Verdict::Unknown(gaps) => {
            outcome.reasons = gaps.iter().map(ToString::to_string).collect();
        }
    }
    outcome
}

/// Reads evidence from what `impasse loops` printed as JSON, or wrote as a certificate. Fails if
/// the text is neither, or of another version.
pub fn read_evidence(text: &str) -> Result<Evidence> {
    let evidence = match serde_json::from_str::<Evidence>(text) {
        Ok(evidence) => evidence,
        Err(error) => match serde_json::from_str::<Outcome>(text) {
            Ok(outcome) => outcome
                .certificate
                .ok_or_else(|| anyhow!("it holds no certificate: nothing was found out"))?,
            Err(other) => return Err(other).context(error).context("this is no certificate"),
        },
    };
    if evidence.format != FORMAT {
        bail!("its form is {}, and not {FORMAT}", evidence.format);
    }
    Ok(evidence)
}

/// What is assumed of the functions that are called and defined nowhere, if there are any.
pub fn unknown_return(subject: &Subject<'_>) -> Option<String> {
    let program = &subject.system.program;
    let mut names = BTreeSet::new();
    let own = subject.system.own.iter().zip(0..).filter(|&(&own, _)| own);
    for (_, id) in own.filter(|_| subject.havoc_functions) {
        for target in &program.function(FunctionId(id)).targets {
            if let Target::Missing(index) = target {
                names.insert(program.missing()[*index as usize].as_str());
            }
        }
    }
    let names: Vec<&str> = names.into_iter().collect();
    let what = match names[..] {
        [] => return None,
        [name] => format!("{name}, which is defined nowhere, returns and frees nothing"),
        _ => format!(
            "{}, which are defined nowhere, return and free nothing",
            names.join(" and ")
        ),
    };
    Some(what)
}

/// What it depends on that an execution never ends, besides its inputs.
pub fn condition(trace: &Trace, relation: &LoopRelation) -> Option<String> {
    let end = trace.visits[relation.visits.1 as usize].step;
    let overflow = match relation.overflow {
        Overflow::Undefined => None,
        Overflow::Wraps => Some("signed overflow wraps around".to_owned()),
    };
    let environment = trace.conditions.iter().filter(|(step, _)| *step < end);
    let all = overflow
        .into_iter()
        .chain(environment.map(|(_, what)| what.clone()));
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| all.join(", and if "))
}

/// The line of the loop that has all paths: of the headers on them, the one that stands first.
fn header(subject: &Subject<'_>, trace: &Trace, from: u32, paths: &[(u32, u32)]) -> Line {
    let own = &trace.visits[from as usize];
    let visits = paths.iter().flat_map(|&(from, to)| from..to);
    visits
        .map(|visit| &trace.visits[visit as usize])
        .filter(|visit| visit.activation == own.activation)
        .map(|visit| subject.line_of(visit.place))
        .chain([subject.line_of(own.place)])
        .min_by_key(|line| line.line)
        .expect("its own")
}

fn describe(subject: &Subject<'_>, endless: &Endless, outcome: &mut Outcome) {
    let Endless {
        trace,
        relation,
        paths,
        iterations,
        reason,
    } = endless;
    let program = &subject.system.program;
    outcome.arithmetic = Some("machine".into());
    outcome.condition = condition(trace, relation);
    outcome.inputs = inputs(subject, endless);
    let (from, to) = relation.visits;
    let (first, last) = (&trace.visits[from as usize], &trace.visits[to as usize]);
    outcome.stem = lines_between(subject, trace, 0, first.step as usize);
    outcome.cycle = Some(Cycle {
        kind: match first.activation == last.activation {
            true => "loop".into(),
            false => "recursion".into(),
        },
        function: program.info(first.place.function).display_name.clone(),
        header: header(subject, trace, from, paths),
        lines: lines_between(subject, trace, first.step as usize, last.step as usize),
        assigned: match reason {
            Reason::Repeats => explain(subject, trace, relation.visits)
                .into_iter()
                .map(Assigned::of)
                .collect(),
            Reason::Proved(_) | Reason::NoExit | Reason::Unending(_) => Vec::new(),
        },
    });
    let named = names(subject, trace, from, &relation.cells);
    match reason {
        Reason::NoExit => outcome.is_never_left = true,
        Reason::Unending(proof) => {
            outcome.arithmetic = Some("integer".into());
            outcome.recurrent_set = Some(proof.show());
        }
        Reason::Repeats => {
            outcome.repeated_state = Some(RepeatedState {
                iterations: *iterations,
                variables: relation
                    .cells
                    .iter()
                    .zip(&named)
                    .map(|(cell, named)| Valued {
                        name: named.name.clone(),
                        value: named.show(cell.initial.bits),
                        line: None,
                        each_iteration: false,
                        library: named.library,
                    })
                    .collect(),
            });
        }
        Reason::Proved(certificate) => {
            outcome.arithmetic = Some(
                match certificate.arithmetic {
                    Numbers::Machine => "machine",
                    Numbers::Integer => "integer",
                }
                .into(),
            );
            outcome.recurrence = in_c::conditions(certificate, &in_source(&named));
            if let Claim::RecurrenceSet { shown, .. } | Claim::LinearRecurrenceSet { shown, .. } =
                &certificate.claim
            {
                outcome.recurrent_set = Some(
                    shown
                        .iter()
                        .map(|text| rename(text, &named, certificate))
                        .collect(),
                );
            }
        }
    }
}

/// Those parts of the state that are variables of an integer type, as the source writes them.
fn in_source(named: &[Named]) -> Vec<Option<in_c::Name>> {
    let name = |named: &Named| {
        let is_name = is_expression(&named.name) && !named.library;
        Some(in_c::Name {
            text: named.name.clone(),
            reading: named.reading.filter(|_| is_name)?,
        })
    };
    named.iter().map(name).collect()
}

/// Whether a name is one that the program could write.
pub fn is_expression(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '[' | ']' | '.'))
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// A condition of a set with the program's names for its variables.
fn rename(text: &str, named: &[Named], certificate: &Certificate) -> String {
    let mut renamed = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        let known = certificate
            .lasso
            .variables
            .iter()
            .position(|v| v.name == rest[..word]);
        match known.and_then(|at| named.get(at)) {
            Some(named) => renamed.push_str(&named.name),
            None => renamed.push_str(&rest[..word]),
        }
        let next = rest[word..].chars().next().map_or(0, char::len_utf8);
        renamed.push_str(&rest[word..word + next]);
        rest = &rest[word + next..];
    }
    renamed
}

fn inputs(subject: &Subject<'_>, endless: &Endless) -> Vec<Valued> {
    let trace: &Trace = &endless.trace;
    let visit = &trace.visits[endless.relation.visits.0 as usize];
    let placed = trace.placed.len() + trace.parameters.len();
    let before = (0..visit.step as usize).map(|step| match trace.steps[step].effect {
        Effect::Input(input) => input as usize + 1,
        Effect::Bytes(first) => first as usize + trace.words_of(step)[3].bits as usize,
        _ => 0,
    });
    let iteration = endless
        .relation
        .inputs
        .iter()
        .map(|(input, _)| *input as usize + 1);
    let count = before
        .chain(iteration)
        .max()
        .unwrap_or(0)
        .max(placed)
        .max(trace.read_before);
    let all = trace.inputs.iter().zip(&trace.values).take(count);
    (0u32..)
        .zip(all)
        .map(|(number, (input, &value))| Valued {
            name: input_name(&input.source, number),
            value: Named {
                name: String::new(),
                reading: Some(match input.signed {
                    true => Reading::Signed,
                    false => Reading::Unsigned,
                }),
                bits: input.bits,
                target: None,
                library: false,
                is_float: false,
            }
            .show(value),
            library: false,
            line: input.place.map(|place| subject.line_of(place)),
            each_iteration: endless
                .relation
                .inputs
                .iter()
                .any(|(read, _)| *read == number),
        })
        .collect()
}
