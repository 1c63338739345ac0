//! What `impasse certify` checks: the evidence for a verdict, as data.

use crate::certificate::Certificate;
use crate::problem::Overflow;
use crate::search::paths::PathsProof;
use crate::search::{Ending, Reason, Verdict};
use crate::subject::Wanted;
use crate::termination::record::TerminationProof;
use crate::unbounded::{EndlessProof, UnboundedProof};
use serde::{Deserialize, Serialize};

/// The version of the form.
pub const FORMAT: u32 = 2;

/// What can be checked without the search and the solver.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// The version of the form.
    pub format: u32,
    /// The sources.
    pub files: Vec<String>,
    /// The flags that they were compiled with.
    pub flags: Vec<String>,
    /// What was executed.
    pub wanted: Wanted,
    /// What is shown, and how.
    pub claimed: Claimed,
}

/// What a certificate shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claimed {
    /// That an execution never ends.
    Execution(Box<Execution>),
    /// That every execution ends, by ranking functions.
    Ranking(Box<TerminationProof>),
    /// That every execution ends over unbounded integers.
    Unbounded(Box<UnboundedProof>),
    /// That every execution ends, because it takes one of these paths.
    Paths {
        /// The proof.
        paths: PathsProof,
        /// Whether no number may wrap around on them.
        integers: bool,
    },
}

/// An execution that never ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Execution {
    /// The inputs of the execution, as the numbers that their bits are without sign.
    pub inputs: Vec<String>,
    /// How many instructions come before those that are counted, and are not looked at.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub skipped: u64,
    /// How many instructions it has.
    pub steps: u64,
    /// The visits of cutpoints, by number, between which the iteration lies.
    pub visits: (u32, u32),
    /// Whether loop acceleration replaced inner loops, so that the number of their iterations may
    /// differ from the execution's.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub accelerated: bool,
    /// Where several paths are taken, the visits between which an iteration on each lies.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub paths: Vec<(u32, u32)>,
    /// What is assumed of signed overflow.
    #[serde(default)]
    pub overflow: Overflow,
    /// Whether nothing leaves the loop.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_never_left: bool,
    /// The proof that the program ends on no path, over unbounded integers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unending: Option<Box<EndlessProof>>,
    /// The proof that a set is never left, where no state repeats.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proof: Option<Certificate>,
}

impl Claimed {
    /// Returns what shows a verdict, or `None` if there is none. `integers` says whether no number
    /// may wrap around.
    pub fn of(verdict: &Verdict, integers: bool) -> Option<Claimed> {
        Some(match verdict {
            Verdict::Unknown(_) => return None,
            Verdict::Terminating(Ending::Ranked(ranking)) => Claimed::Ranking(ranking.clone()),
            Verdict::Terminating(Ending::Unbounded(proof, _)) => Claimed::Unbounded(proof.clone()),
            Verdict::Terminating(Ending::Followed(paths)) => Claimed::Paths {
                paths: paths.clone(),
                integers,
            },
            Verdict::Nonterminating(endless) => {
                let trace = &endless.trace;
                Claimed::Execution(Box::new(Execution {
                    inputs: trace.values.iter().map(u64::to_string).collect(),
                    skipped: trace.skipped as u64,
                    // One more than there are: the last visit comes before it.
                    steps: trace.steps.len() as u64 + 1,
                    visits: endless.relation.visits,
                    accelerated: !endless.relation.accelerated.is_empty(),
                    paths: endless.paths.clone(),
                    overflow: endless.relation.overflow,
                    is_never_left: matches!(endless.reason, Reason::NoExit),
                    unending: match &endless.reason {
                        Reason::Unending(proof) => Some(proof.clone()),
                        _ => None,
                    },
                    proof: match &endless.reason {
                        Reason::Repeats | Reason::NoExit | Reason::Unending(_) => None,
                        Reason::Proved(certificate) => Some((**certificate).clone()),
                    },
                }))
            }
        })
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
