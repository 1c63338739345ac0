//! `impasse setup`: the libraries, compiled and translated once.

use crate::console::{Console, Stream};
use crate::data_model::Model;
use anyhow::{Context, Result};
use clap::Args;
use impasse_compile::{DataModel, Library as Bitcode, Toolchain, library};
use impasse_program::library::{Library, version};
use impasse_program::translate::translate_file;
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{fs, thread};

/// Options of `impasse setup`.
#[derive(Args)]
pub struct Arguments {
    /// The sizes of C's types.
    #[arg(long, value_enum, default_value_t = Model::Lp64)]
    data_model: Model,
}

/// Builds what is missing and returns the exit code. Fails if it cannot be built.
pub fn main(arguments: Arguments, console: &Console) -> Result<u8> {
    let toolchain = Toolchain::locate(&Toolchain::default_cache())?;
    let bitcode = bitcode(console, &toolchain, arguments.data_model.into())?;
    executable(console, &toolchain, &bitcode)?;
    Ok(0)
}

/// Returns the bitcode of the library from the cache. Builds it first if it is missing: shows the
/// progress on a terminal, and says once that it does so elsewhere. Fails as [`library::ensure`]
/// does.
pub fn bitcode(console: &Console, toolchain: &Toolchain, model: DataModel) -> Result<Bitcode> {
    let bar = match console.is_terminal(Stream::Err) {
        true => ProgressBar::new_spinner(),
        false => ProgressBar::hidden(),
    };
    let is_announced = AtomicBool::new(!bar.is_hidden());
    let bitcode = library::ensure(toolchain, model, &|line| {
        if !is_announced.swap(true, Ordering::Relaxed) {
            console.print_error("compiling the standard libraries (once, a minute or two)\n");
        }
        bar.set_message(line.to_owned());
        bar.tick();
    });
    bar.finish_and_clear();
    Ok(bitcode?)
}

/// Returns the library in executable form from the cache. Translates it first if it is missing.
/// Fails if it cannot be translated or the cache cannot be written.
pub fn executable(
    console: &Console,
    toolchain: &Toolchain,
    bitcode: &Bitcode,
) -> Result<Arc<Library>> {
    let path = path(toolchain, bitcode);
    if let Ok(library) = Library::open(&path) {
        return Ok(library);
    }
    let members = bitcode.members().len();
    console.print_error(&format!("translating the library ({members} members)\n"));
    let units = translate_all(bitcode)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Library::write(&path, units)?;
    Ok(Library::open(&path)?)
}

fn path(toolchain: &Toolchain, bitcode: &Bitcode) -> PathBuf {
    let name = format!("{}-{:016x}.library", &bitcode.digest()[..32], version());
    toolchain.cache().join("executable").join(name)
}

fn translate_all(bitcode: &Bitcode) -> Result<Vec<impasse_program::unit::Unit>> {
    let members = bitcode.members();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut done = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(member) = members.get(n) else {
                return done;
            };
            let unit = translate_file(&member.bitcode)
                .with_context(|| format!("translating {}", member.source));
            done.push((n, unit));
        }
    };
    let mut units = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let results = threads
            .into_iter()
            .map(|t| t.join().expect("translation does not panic"));
        results.flatten().collect::<Vec<_>>()
    });
    units.sort_by_key(|(n, _)| *n);
    units.into_iter().map(|(_, unit)| unit).collect()
}
