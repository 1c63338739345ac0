//! The memory model of the machine that the program is taken to run on.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use impasse_machine::base::options::MemoryModelName;
use impasse_machine::base::options::Options;

/// Options about the memory model.
#[derive(Args)]
pub struct Model {
    /// Memory model: when other threads see a store.
    #[arg(long, value_enum, default_value_t = Name::Auto)]
    memory_model: Name,
    /// Capacity of a thread's store buffer, or `unbounded`.
    #[arg(long, value_name = "N", default_value = "32", value_parser = bound)]
    store_buffer: usize,
    /// Under c11: number of stores to one atomic that can be read at a time, at most.
    #[arg(long, value_name = "N", default_value = "256", value_parser = bound)]
    max_history: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Sequential consistency: immediately.
    Sc,
    /// x86-TSO: later loads may overtake a store.
    Tso,
    /// x86-TSO by its operational definition; slow, for comparison.
    TsoFlusher,
    /// C and C++: what the memory orders of the program permit.
    C11,
    /// The same, explored under sequential consistency if the program asks for nothing weaker;
    /// sequential consistency if races are no errors.
    Auto,
}

fn bound(text: &str) -> Result<usize, String> {
    match text {
        "unbounded" => Ok(usize::MAX),
        number => match number.parse() {
            Ok(0) | Err(_) => Err("a number from 1 on, or unbounded".into()),
            Ok(number) => Ok(number),
        },
    }
}

impl Model {
    /// Returns the machine's options, with the memory model and the store buffer replaced by these.
    /// Fails if the model says nothing of programs with data races, and these are to be executed.
    pub fn apply(&self, options: Options) -> Result<Options> {
        if self.memory_model == Name::C11 && !options.races {
            bail!("--memory-model c11 says nothing of programs with data races: leave out --races");
        }
        Ok(Options {
            memory_model: match self.memory_model {
                Name::Sc => MemoryModelName::SequentialConsistency,
                Name::Tso => MemoryModelName::Tso,
                Name::TsoFlusher => MemoryModelName::TsoFlusher,
                Name::C11 => MemoryModelName::C11,
                Name::Auto if options.races => MemoryModelName::Auto,
                Name::Auto => MemoryModelName::SequentialConsistency,
            },
            store_buffer: self.store_buffer,
            max_history: self.max_history,
            ..options
        })
    }
}
