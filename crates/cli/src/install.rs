//! `impasse install`: the program, its files, manual pages and completions in the folders where a
//! system looks for them.

use crate::console::Console;
use anyhow::{Context, Result};
use clap::Args;
use clap_complete::Shell;
use impasse_compile::{HOME_BELOW_PREFIX, Toolchain, folders_to_install};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Options of `impasse install`.
#[derive(Args)]
pub struct Arguments {
    /// Install to the folders bin and share in this folder. What is there already is replaced.
    #[arg(long, value_name = "FOLDER", default_value = "/usr/local")]
    prefix: PathBuf,
}

/// What users may look for after an installation: the shell, and the file below the prefix.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions/impasse"),
    (Shell::Zsh, "share/zsh/site-functions/_impasse"),
    (Shell::Fish, "share/fish/vendor_completions.d/impasse.fish"),
];
/// The compilers that record how they compile: their names, and the subcommands.
const COMPILERS: [(&str, &str); 2] = [("impasse-cc", "cc"), ("impasse-c++", "c++")];
const MANUAL: &str = "share/man/man1";

/// Installs the running program, whose command line is `command`, and returns the exit code. Fails
/// if a file cannot be read or written, or if the sources of the libraries cannot be fetched.
pub fn main(arguments: Arguments, command: clap::Command, console: &Console) -> Result<u8> {
    let prefix = &arguments.prefix;
    let toolchain = Toolchain::locate(&Toolchain::default_cache())?;
    let folders = folders_to_install(&toolchain, &|line| {
        console.print_error(&format!("impasse: {line}\n"));
    })?;
    for folder in folders {
        let name = folder.file_name().context("the folder has no name")?;
        replace_folder(&folder, &prefix.join(HOME_BELOW_PREFIX).join(name))?;
    }
    install_executable(&prefix.join("bin/impasse"))?;
    for (compiler, subcommand) in COMPILERS {
        let file = prefix.join("bin").join(compiler);
        let script = format!(
            "#!/bin/sh\nexec \"$(dirname \"$(readlink -f \"$0\")\")/impasse\" {subcommand} \"$@\"\n"
        );
        write(&file, script.as_bytes())?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    }
    write_manual(command.clone(), &prefix.join(MANUAL))?;
    for (shell, file) in COMPLETIONS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command.clone(), "impasse", &mut text);
        write(&prefix.join(file), &text)?;
    }
    console.print(&summary(prefix));
    Ok(0)
}

/// What was installed where.
fn summary(prefix: &Path) -> String {
    let rows = [
        ("program", "bin/impasse"),
        ("compiler", "bin/impasse-cc"),
        ("compiler", "bin/impasse-c++"),
        ("its files", HOME_BELOW_PREFIX),
        ("manual", MANUAL),
    ];
    let completions = COMPLETIONS.map(|(_, file)| ("completion", file));
    let rows = rows.iter().chain(&completions);
    let rows = rows.map(|(what, file)| format!("{what:12}{}\n", prefix.join(file).display()));
    rows.collect()
}

fn write(file: &Path, content: &[u8]) -> Result<()> {
    make_folder_of(file)?;
    fs::write(file, content).with_context(|| cannot_write(file))
}

fn make_folder_of(file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).with_context(|| cannot_write(folder))
}

fn cannot_write(path: &Path) -> String {
    format!(
        "{}: cannot be written (--prefix chooses another folder)",
        path.display()
    )
}

/// Copies a folder; `to` has no other files afterwards.
fn replace_folder(from: &Path, to: &Path) -> Result<()> {
    if to.canonicalize().is_ok_and(|to| from == to) {
        return Ok(());
    }
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| cannot_write(to))?;
    }
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).with_context(|| cannot_write(&target))?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| cannot_write(&target))?;
        }
    }
    Ok(())
}

/// Copies the running program. The old one, which may be running, is replaced in one step.
fn install_executable(to: &Path) -> Result<()> {
    let running = std::env::current_exe()?.canonicalize()?;
    if to.canonicalize().is_ok_and(|to| running == to) {
        return Ok(());
    }
    make_folder_of(to)?;
    let new = to.with_extension("new");
    fs::copy(&running, &new).with_context(|| cannot_write(&new))?;
    fs::rename(&new, to).with_context(|| cannot_write(to))
}

/// Writes a page for the program and one for each of its subcommands.
fn write_manual(command: clap::Command, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
    let command = command.disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).with_context(|| cannot_write(folder))
}
