//! The heads of checkpoints: which check they are of, and what its earlier searches have found.

use super::Found;
use anyhow::{Context, Result, bail};
use impasse_distribute::{Endpoint, Moment, Reader, Shares, list};
use impasse_machine::base::fault::Omission;
use impasse_search::{Statistics, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// What a file of a checkpoint begins with.
#[derive(Clone, Serialize, Deserialize)]
pub struct Head {
    /// Of the program and the options.
    pub identity: String,
    /// The searches before this one, in order.
    pub past: Vec<Past>,
    /// What this worker's system has noted in this search, in serialised form.
    pub notes: Vec<u8>,
}

/// A search that was exhausted.
#[derive(Clone, Serialize, Deserialize)]
pub struct Past {
    omissions: Vec<Omission>,
    noted_may_hang: bool,
    states: u64,
    transitions: u64,
    depth: u64,
    terminal: u64,
    bytes: u64,
    elapsed: Duration,
    workers: Vec<Shares>,
    /// What the systems of all workers have noted, in serialised form.
    pub notes: Vec<Vec<u8>>,
}

impl Past {
    /// Returns what is kept of a search that was exhausted.
    pub fn of(found: &Found, notes: Vec<Vec<u8>>) -> Past {
        let statistics = found.statistics;
        Past {
            omissions: found.omissions.clone(),
            noted_may_hang: found.noted_may_hang,
            states: statistics.states,
            transitions: statistics.transitions,
            depth: statistics.depth,
            terminal: statistics.terminal,
            bytes: statistics.bytes,
            elapsed: statistics.elapsed,
            workers: found.workers.clone(),
            notes,
        }
    }

    /// Returns what the search has found.
    pub fn found(&self) -> Found {
        Found {
            verdict: Verdict::Exhausted,
            omissions: self.omissions.clone(),
            noted_may_hang: self.noted_may_hang,
            statistics: Statistics {
                states: self.states,
                transitions: self.transitions,
                depth: self.depth,
                terminal: self.terminal,
                bytes: self.bytes,
                elapsed: self.elapsed,
            },
            workers: self.workers.clone(),
        }
    }
}

/// Returns how many workers have written the checkpoints of a folder. Fails if there are none, or of
/// several numbers of workers.
pub fn workers(folder: &Path) -> Result<usize> {
    let name = || folder.display().to_string();
    let parts = list(folder).with_context(name)?;
    let numbers: BTreeSet<usize> = parts.iter().map(|part| part.workers).collect();
    match numbers.into_iter().collect::<Vec<_>>()[..] {
        [one] => Ok(one),
        [] => bail!("{}: there is no checkpoint", name()),
        _ => bail!("{}: there are checkpoints of several checks", name()),
    }
}

/// Opens the last checkpoint of all workers. All of them must call it, and all get the same error.
pub fn open(
    endpoint: &mut Endpoint<'_>,
    folder: &Path,
    identity: &str,
) -> Result<(Reader, Head), String> {
    let (own, workers) = (endpoint.index(), endpoint.peers());
    let parts = list(folder).unwrap_or_default().into_iter();
    let moments = parts.filter(|part| (part.worker, part.workers) == (own, workers));
    let moments: BTreeSet<Moment> = moments.map(|part| part.moment).collect();
    let bytes = postcard::to_stdvec(&moments).expect("all types have an encoding");
    let each = endpoint.share(bytes).into_iter();
    let each = each.map(|bytes| -> BTreeSet<Moment> {
        postcard::from_bytes(&bytes).unwrap_or_else(|error| panic!("a damaged message: {error}"))
    });
    let common = each.reduce(|all, one| all.intersection(&one).copied().collect());
    let Some(moment) = common.unwrap_or_default().pop_last() else {
        let name = folder.display();
        return Err(format!(
            "{name}: there is no checkpoint of {workers} workers"
        ));
    };
    let opened = read(folder, moment, own, workers, identity);
    let problem = opened.as_ref().err().map(|error| format!("{error:#}"));
    let problems = endpoint.share(problem.unwrap_or_default().into_bytes());
    match (problems.into_iter().find(|text| !text.is_empty()), opened) {
        (None, Ok(opened)) => Ok(opened),
        (text, _) => Err(String::from_utf8_lossy(&text.unwrap_or_default()).into_owned()),
    }
}

fn read(
    folder: &Path,
    moment: Moment,
    own: usize,
    workers: usize,
    identity: &str,
) -> Result<(Reader, Head)> {
    let name = || folder.display().to_string();
    let mut reader = Reader::open(folder, moment, own, workers).with_context(name)?;
    // Found out before the search begins, which the others would wait for.
    reader.verify().with_context(name)?;
    let head: Head = postcard::from_bytes(reader.head()).with_context(name)?;
    if head.identity != identity {
        bail!(
            "{}: the checkpoint is of another program, or was made with other options",
            name()
        );
    }
    Ok((reader, head))
}
