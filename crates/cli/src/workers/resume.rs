//! The heads of checkpoints: which check they are of, and what its earlier searches have found.

use super::Found;
use anyhow::{Context, Result, bail};
use impasse_distribute::{Checkpoint, Endpoint, Moment, Part, Reader, Shares, list};
use impasse_machine::base::fault::Omission;
use impasse_search::{Statistics, Verdict};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;
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

/// Returns how many workers have written the checkpoints of a folder: of several numbers the one
/// with the last complete checkpoint. Fails if there are none, or of several numbers and none is
/// complete.
pub fn workers(folder: &Path) -> Result<usize> {
    let name = || folder.display().to_string();
    let parts = list(folder).with_context(name)?;
    let numbers: BTreeSet<usize> = parts.iter().map(|part| part.workers).collect();
    match numbers.into_iter().collect::<Vec<_>>()[..] {
        [one] => Ok(one),
        [] => bail!("{}: there is no checkpoint", name()),
        ref several => {
            let complete = several.iter().filter_map(|&workers| {
                let moment = moments(&parts, 0..workers, workers).pop_last()?;
                Some((moment, workers))
            });
            let last = complete
                .max()
                .with_context(|| format!("{}: there are checkpoints of several checks", name()));
            last.map(|(_, workers)| workers)
        }
    }
}

/// The moments of which there are files of some of so many workers.
fn moments(parts: &[Part], of: Range<usize>, workers: usize) -> BTreeSet<Moment> {
    let of_worker = |worker| -> BTreeSet<Moment> {
        let parts = parts.iter();
        let own = parts.filter(|part| (part.worker, part.workers) == (worker, workers));
        own.map(|part| part.moment).collect()
    };
    let all = of.map(of_worker);
    let common = all.reduce(|all, one| all.intersection(&one).copied().collect());
    common.unwrap_or_default()
}

/// Opens the last checkpoint of all workers, as many as there are now or another number. Returns
/// the heads of all files as well. All workers must call it, and all get the same error.
pub fn open(
    endpoint: &mut Endpoint<'_>,
    folder: &Path,
    identity: &str,
) -> Result<(Checkpoint, Vec<Head>), String> {
    let (own, now) = (endpoint.index(), endpoint.peers());
    // The files of a worker may be on its machine only.
    let former = workers(folder).unwrap_or(0);
    let all = endpoint.share(encoded(&former)).into_iter();
    let former = all.map(|bytes| decoded::<usize>(&bytes)).max().unwrap_or(0);
    let needed = if former == now {
        own..own + 1
    } else {
        0..former
    };
    let parts = list(folder).unwrap_or_default();
    let moments = moments(&parts, needed.clone(), former);
    let each = endpoint.share(encoded(&moments)).into_iter();
    let each = each.map(|bytes| decoded::<BTreeSet<Moment>>(&bytes));
    let common = each.reduce(|all, one| all.intersection(&one).copied().collect());
    let Some(moment) = common.unwrap_or_default().pop_last() else {
        let name = folder.display();
        return Err(match former == now {
            true => format!("{name}: there is no checkpoint of {now} workers"),
            false => format!("{name}: there is no checkpoint of all {former} workers"),
        });
    };
    let opened: Result<Vec<(Reader, Head)>> = needed
        .map(|worker| read(folder, moment, (worker, former), identity))
        .collect();
    let problem = opened.as_ref().err().map(|error| format!("{error:#}"));
    let problems = endpoint.share(problem.unwrap_or_default().into_bytes());
    match (problems.into_iter().find(|text| !text.is_empty()), opened) {
        (None, Ok(opened)) => {
            let (mut readers, heads): (Vec<Reader>, Vec<Head>) = opened.into_iter().unzip();
            let checkpoint = match former == now {
                true => Checkpoint::Own(readers.remove(0)),
                false => Checkpoint::All(readers),
            };
            Ok((checkpoint, heads))
        }
        (text, _) => Err(String::from_utf8_lossy(&text.unwrap_or_default()).into_owned()),
    }
}

fn encoded(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("all types have an encoding")
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> T {
    postcard::from_bytes(bytes).unwrap_or_else(|error| panic!("a damaged message: {error}"))
}

fn read(
    folder: &Path,
    moment: Moment,
    (worker, workers): (usize, usize),
    identity: &str,
) -> Result<(Reader, Head)> {
    let name = || folder.display().to_string();
    let mut reader = Reader::open(folder, moment, worker, workers).with_context(name)?;
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
