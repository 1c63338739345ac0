//! Calls of clang.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;

use crate::toolchain::Toolchain;

/// Runs a command with at most 8 GiB of memory and two minutes of processor time.
const LIMITED: [&str; 4] = ["sh", "-c", r#"ulimit -v 8388608 -t 120; exec "$@""#, "sh"];

/// Variables by which clang finds headers or flags that no command line names.
const VARIABLES: &[&str] = &[
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "CCC_OVERRIDE_OPTIONS",
    "CLANG_CONFIG_FILE_USER_DIR",
];

/// A call of clang that only its command line decides on.
pub(crate) fn clang(toolchain: &Toolchain) -> Command {
    let mut command = Command::new(toolchain.clang());
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.arg("--no-default-config");
    die_with_parent(&mut command);
    command
}

/// Has the command killed when this process ends: a limit may end it while clang is at work.
fn die_with_parent(command: &mut Command) {
    // SAFETY: between fork and exec, this is a system call, and allocates nothing.
    unsafe {
        command.pre_exec(|| Ok(set_pdeathsig(Signal::SIGKILL)?));
    }
}

/// The same call with limits: LLVM takes its assembly for well-formed where its grammar does not
/// say.
pub(crate) fn limited(command: &Command) -> Command {
    let mut limited = Command::new(LIMITED[0]);
    limited.args(&LIMITED[1..]).arg(command.get_program());
    limited.args(command.get_args());
    for variable in VARIABLES {
        limited.env_remove(variable);
    }
    die_with_parent(&mut limited);
    limited
}

/// Hashes the arguments of a call.
pub(crate) fn hash_arguments(hasher: &mut blake3::Hasher, arguments: &[OsString]) {
    for argument in arguments {
        hasher.update(argument.as_encoded_bytes());
        hasher.update(&[0]);
    }
}
