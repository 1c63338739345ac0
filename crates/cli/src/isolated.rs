//! Bitcode that clang has not just made of a source is read and translated in a process of its own.
//!
//! LLVM's reader takes bitcode for well-formed: a few changed bytes make it read beyond its
//! buffers, abort, or allocate any amount of memory. So a child process, with limits on its memory
//! and time, reads the file, runs LLVM's verifier, and translates it. It writes the executable
//! form, which holds nothing of LLVM, and a digest of it. Any other end of the child is bad
//! input. Bitcode of a source is translated in this process, which saves the start of another.

use crate::console::{Console, Stream};
use anyhow::{Context, Result, bail};
use clap::Args;
use impasse_program::translate::{TranslateError, translate_file};
use impasse_program::unit::Unit;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The memory that reading a file may take, in bytes: this, and so much more for each byte of it.
const MEMORY: u64 = 1 << 30;
const MEMORY_A_BYTE: u64 = 200;
/// The processor time that it may take, in seconds.
const SECONDS: u64 = 60;
const DIGEST_BYTES: usize = 32;

/// Options of the hidden `impasse translate`.
#[derive(Args)]
pub struct Arguments {
    /// Bitcode.
    file: PathBuf,
}

/// Is the child's part: translates a file and writes the result, after its digest, to standard
/// output. Fails if the file is not valid bitcode for this target.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    // A limit may end the parent meanwhile.
    set_pdeathsig(Signal::SIGKILL)?;
    let bytes = std::fs::metadata(&arguments.file)?.len();
    let memory = bytes.saturating_mul(MEMORY_A_BYTE).saturating_add(MEMORY);
    let (_, most) = getrlimit(Resource::RLIMIT_AS)?;
    let memory = memory.min(most);
    setrlimit(Resource::RLIMIT_AS, memory, memory)?;
    setrlimit(Resource::RLIMIT_CPU, SECONDS, SECONDS)?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    let unit = match translate_file(&arguments.file) {
        Ok(unit) => unit,
        Err(TranslateError::Unreadable { message, .. }) => bail!("is not valid: {message}"),
        Err(TranslateError::WrongTarget(_)) => bail!("{WRONG_TARGET}"),
    };
    let bytes = postcard::to_stdvec(&unit)?;
    console.write(Stream::Out, blake3::hash(&bytes).as_bytes());
    console.write(Stream::Out, &bytes);
    Ok(0)
}

/// Translates bitcode that was made of `input`, or is it, in a process of its own. Fails, with one
/// line that names the input, if it is not valid, or if reading it takes more time or memory than
/// the process may have.
pub fn translate(console: &Console, bitcode: &Path, input: &Path) -> Result<Unit> {
    let child = Command::new(console.executable()?)
        .arg("translate")
        .arg(bitcode)
        .stdin(Stdio::null())
        .output()
        .context("starting a process that reads bitcode")?;
    let name = input.display();
    if !child.status.success() {
        let words = String::from_utf8_lossy(&child.stderr);
        bail!("{name}: {}", reason(child.status, &words));
    }
    let Some((digest, bytes)) = child.stdout.split_at_checked(DIGEST_BYTES) else {
        bail!("{name}: {DAMAGED}");
    };
    if digest != blake3::hash(bytes).as_bytes() {
        bail!("{name}: {DAMAGED}");
    }
    postcard::from_bytes(bytes).with_context(|| format!("{name}: {DAMAGED}"))
}

const WRONG_TARGET: &str = "is not for a little-endian target of 64 or 32 bits; compile it for x86";
const DAMAGED: &str = "LLVM cannot read it; compile the file again, with clang -c -emit-llvm";

/// Why a child has failed, in one line.
fn reason(status: ExitStatus, words: &str) -> String {
    const OUT_OF_TIME: [i32; 2] = [nix::libc::SIGXCPU, nix::libc::SIGKILL];
    if status
        .signal()
        .is_some_and(|signal| OUT_OF_TIME.contains(&signal))
    {
        return format!(
            "reading it takes longer than {SECONDS} s; compile the file again, or use a smaller one"
        );
    }
    let said = words
        .lines()
        .find_map(|line| line.strip_prefix("impasse: "));
    match (status.code(), said) {
        (Some(code), Some(said)) if code == i32::from(crate::BAD_INPUT) => said.to_owned(),
        _ => DAMAGED.to_owned(),
    }
}
