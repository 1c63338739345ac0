//! The options that say which workers search.

use super::resume;
use crate::job::Course;
use anyhow::{Context, Result, bail};
use clap::Args;
use impasse_distribute::Team;
use impasse_machine::base::hangs::{HangAlgorithm, Hangs};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Options about workers.
#[derive(Args)]
pub struct WorkerOptions {
    /// Search with N workers, each of which stores and explores a part of the states; with several
    /// processes, N in each.
    #[arg(long, value_name = "N", conflicts_with = "threads")]
    workers: Option<NonZeroUsize>,
    /// Search with N processes of this machine.
    #[arg(long, value_name = "N", conflicts_with_all = ["threads", "hosts"])]
    pub processes: Option<NonZeroUsize>,
    /// Search with several processes, perhaps of several machines: a file with the address of each,
    /// HOST:PORT, one a line.
    #[arg(
        long,
        value_name = "FILE",
        requires = "process",
        conflicts_with = "threads"
    )]
    hosts: Option<PathBuf>,
    /// Which of these processes this one is, from 0. Process 0 reads the program and prints the
    /// report.
    #[arg(long, value_name = "K", requires = "hosts")]
    process: Option<usize>,
    /// Write what was found so far to FOLDER from time to time, so that `--resume` can continue
    /// from there.
    #[arg(long, value_name = "FOLDER", conflicts_with = "threads")]
    checkpoint: Option<PathBuf>,
    /// Seconds from one checkpoint to the next, at least.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 300,
        requires = "checkpoint"
    )]
    checkpoint_interval: u64,
    /// Go on with the last checkpoint in FOLDER, of the same program with the same options.
    #[arg(long, value_name = "FOLDER", conflicts_with = "threads")]
    resume: Option<PathBuf>,
    /// Ends with the process that has started this one.
    #[arg(long, hide = true, requires = "hosts")]
    pub child: bool,
}

impl WorkerOptions {
    /// Returns whether several workers search, or one as several do.
    pub fn are_used(&self) -> bool {
        self.workers.is_some() || self.need_parts()
    }

    /// Returns whether the program is sent to other processes, or compared with that of a
    /// checkpoint.
    pub fn need_parts(&self) -> bool {
        let folders = [&self.checkpoint, &self.resume, &self.hosts];
        self.processes.is_some() || folders.iter().any(|path| path.is_some())
    }

    /// Returns whether this process only does what process 0 asks for.
    pub fn serve(&self) -> bool {
        self.process.is_some_and(|process| process > 0)
    }

    /// Returns how the check proceeds. Fails if the folder of checkpoints cannot be made.
    pub fn course(&self, max_states: Option<u64>) -> Result<Course> {
        if let Some(folder) = &self.checkpoint {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let interval = Duration::from_secs(self.checkpoint_interval);
        Ok(Course {
            max_states,
            checkpoints: self.checkpoint.clone().map(|folder| (folder, interval)),
            resumed: self.resume.clone(),
            identity: String::new(),
        })
    }

    /// How many workers each process has, in so many processes.
    fn of_each(&self, processes: usize) -> Result<NonZeroUsize> {
        if let Some(workers) = self.workers {
            return Ok(workers);
        }
        let of_checkpoint = self.resume.as_deref().map(resume::workers).transpose()?;
        let share = of_checkpoint.map_or(1, |all| all / processes);
        Ok(NonZeroUsize::new(share).unwrap_or(NonZeroUsize::MIN))
    }

    /// Returns the team that the file of hosts and the number of workers describe. Fails if the
    /// file cannot be read or makes no sense.
    pub fn team(&self) -> Result<Team> {
        let addresses = match &self.hosts {
            None => Vec::new(),
            Some(path) => {
                let name = || path.display().to_string();
                let text = std::fs::read_to_string(path).with_context(name)?;
                addresses(&text).with_context(name)?
            }
        };
        let process = self.process.unwrap_or(0);
        if !addresses.is_empty() && process >= addresses.len() {
            bail!(
                "--process {process}: the file of hosts names {} processes, from 0",
                addresses.len()
            );
        }
        let processes = self
            .processes
            .map_or(addresses.len().max(1), NonZeroUsize::get);
        Ok(Team {
            workers: self.of_each(processes)?,
            addresses,
            process,
        })
    }
}

/// The addresses in a file of hosts.
fn addresses(text: &str) -> Result<Vec<String>> {
    let mut addresses: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let port = line.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            bail!("{line}: an address is HOST:PORT, as in node1:2101");
        }
        if addresses.iter().any(|known| known == line) {
            bail!("{line} is there twice");
        }
        addresses.push(line.to_owned());
    }
    match addresses.is_empty() {
        true => bail!("it names no host"),
        false => Ok(addresses),
    }
}

/// Fails if several workers cannot look for these hangs.
pub fn check(hangs: Hangs) -> Result<()> {
    if hangs == Hangs::Deadlocks {
        bail!("--workers searches breadth-first: leave out --search depth");
    }
    if hangs.algorithm() == Some(HangAlgorithm::Product) {
        bail!("--workers finds hangs by the fixpoint: leave out --hang-algorithm product");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_hosts_has_an_address_a_line() {
        let text = "# two machines\nnode1:2101\n\n  node2:2101 # the big one\n[::1]:7\n";
        let expected = ["node1:2101", "node2:2101", "[::1]:7"];
        assert_eq!(addresses(text).unwrap(), expected);
        for wrong in [
            "",
            "# nobody\n",
            "node1\n",
            "node1:port\n",
            "node1:0\n",
            "a:1\na:1\n",
        ] {
            assert!(addresses(wrong).is_err(), "{wrong}");
        }
    }
}
