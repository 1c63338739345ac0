//! Processes of this machine that search together.

use crate::console::Console;
use anyhow::{Context, Result};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use std::io::Write;
use std::net::TcpListener;
use std::num::NonZeroUsize;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::NamedTempFile;

/// By how much each process begins after the one before it, which must listen first.
const STAGGER: Duration = Duration::from_millis(50);

/// Returns so many addresses of this machine that nobody listens at.
pub fn free_addresses(count: NonZeroUsize) -> Result<Vec<String>> {
    let listeners: Result<Vec<TcpListener>, _> = (0..count.get())
        .map(|_| TcpListener::bind("127.0.0.1:0"))
        .collect();
    let listeners = listeners.context("finding free ports")?;
    let address = |listener: &TcpListener| Ok(listener.local_addr()?.to_string());
    listeners.iter().map(address).collect()
}

/// Prepares a process that [`start`] has started.
pub fn begin(process: usize) -> Result<()> {
    set_pdeathsig(Signal::SIGKILL)?;
    thread::sleep(STAGGER * (process.saturating_sub(1)) as u32);
    Ok(())
}

/// Processes that this one has started. They end with it.
pub struct Children {
    children: Vec<Child>,
    _hosts: NamedTempFile,
}

/// Starts all processes but the first, which is this one. Fails if one cannot be started.
pub fn start(
    console: &Console,
    addresses: &[String],
    workers: NonZeroUsize,
    max_memory: Option<u64>,
) -> Result<Children> {
    let mut hosts = NamedTempFile::new()?;
    hosts.write_all((addresses.join("\n") + "\n").as_bytes())?;
    let mut started = Children {
        children: Vec::new(),
        _hosts: hosts,
    };
    for process in 1..addresses.len() {
        let mut command = Command::new(console.executable()?);
        command
            .args(["check", "--child", "--hosts"])
            .arg(started._hosts.path())
            .args(["--process", &process.to_string()])
            .args(["--workers", &workers.to_string()])
            .args(max_memory.map(|bytes| format!("--max-memory={bytes}")))
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let child = command.spawn().context("starting a process")?;
        started.children.push(child);
    }
    Ok(started)
}

impl Children {
    /// Returns the number of a process that has ended, if one has.
    pub fn ended(&mut self) -> Option<usize> {
        let mut all = (1..).zip(&mut self.children);
        let ended = |child: &mut Child| matches!(child.try_wait(), Ok(Some(_)));
        all.find_map(|(process, child)| ended(child).then_some(process))
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.children {
            // One that is stopped would never end by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
