//! The options about hangs, and what follows from them for the search and the report.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use impasse_machine::base::hangs::{HangAlgorithm, Hangs};
use impasse_machine::base::section_type::{SectionType, SectionTypes};
use impasse_machine::system::System;
use impasse_report::{Report, Scope};
use impasse_search::{Search, Strategy};
use impasse_transition_system::Key;

/// Options about hangs.
#[derive(Args)]
pub struct HangOptions {
    /// Which hangs Impasse reports: sections that can never end (waiting for a lock or holding it,
    /// a join, ...; docs/hangs.md), a program that can never end, or none. `local` by default; a
    /// depth-first search finds only deadlocks of all threads.
    #[arg(long, value_enum)]
    hangs: Option<OnHangs>,
    /// The types of sections that must be able to end; by default all but `thread`.
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = section_type)]
    sections: Vec<SectionType>,
    /// How Impasse finds hangs.
    #[arg(long, value_enum, default_value_t = OnHangAlgorithm::Fixpoint)]
    hang_algorithm: OnHangAlgorithm,
    /// The order in which states are visited. Breadth-first gives short traces.
    #[arg(long, value_enum, default_value_t = Order::Breadth)]
    search: Order,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnHangs {
    /// Every section that a thread enters must be able to end.
    Local,
    /// The program must be able to end from every state.
    Global,
    /// No hang is an error.
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnHangAlgorithm {
    /// With a backward fixpoint over states and open sections.
    Fixpoint,
    /// In a product with the choice of one section instance, on one thread; a slow reference.
    Product,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Breadth-first, on all threads.
    Breadth,
    /// Depth-first, on one thread.
    Depth,
}

fn section_type(text: &str) -> Result<SectionType, String> {
    let found = SectionType::ALL.iter().find(|kind| kind.name() == text);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = SectionType::ALL.iter().map(|kind| kind.name()).collect();
        format!("one of {}", names.join(", "))
    })
}

impl HangOptions {
    /// Returns which hangs to look for. Fails if the options contradict each other.
    pub fn chosen(&self) -> Result<Hangs> {
        let asked = self.hangs.is_some_and(|hangs| hangs != OnHangs::Off);
        if self.search == Order::Depth && (asked || !self.sections.is_empty()) {
            bail!("--hangs and --sections need the breadth-first search: leave out --search depth");
        }
        let hangs = self.hangs.unwrap_or(OnHangs::Local);
        if hangs != OnHangs::Local && !self.sections.is_empty() {
            bail!("--sections chooses among what --hangs=local looks for");
        }
        let algorithm = match self.hang_algorithm {
            OnHangAlgorithm::Fixpoint => HangAlgorithm::Fixpoint,
            OnHangAlgorithm::Product => HangAlgorithm::Product,
        };
        let types = match self.sections.as_slice() {
            [] => SectionTypes::USUAL,
            types => types.iter().copied().collect(),
        };
        Ok(match (hangs, self.search) {
            (OnHangs::Off, _) => Hangs::Off,
            (_, Order::Depth) => Hangs::Deadlocks,
            (OnHangs::Local, Order::Breadth) => Hangs::Local(types, algorithm),
            (OnHangs::Global, Order::Breadth) => Hangs::Global(algorithm),
        })
    }

    /// Returns the search strategy for these hangs, which may be fewer than those chosen.
    fn strategy(&self, hangs: Hangs) -> Strategy {
        match (hangs.algorithm(), self.search) {
            (Some(HangAlgorithm::Fixpoint), _) => Strategy::LivenessFixpoint,
            (Some(HangAlgorithm::Product), _) => Strategy::LivenessProduct,
            (None, Order::Breadth) => Strategy::BreadthFirst,
            (None, Order::Depth) => Strategy::DepthFirst,
        }
    }

    /// Returns the search for what a system looks for.
    pub fn search<'a, 's>(&self, system: &'a &'s System) -> Search<'a, &'s System> {
        let hangs = system.options.hangs;
        let search = Search::new(system).strategy(self.strategy(hangs));
        match hangs.notes_program() {
            true => search.note(Key::PROGRAM),
            false => search,
        }
    }

    /// Returns a report that says which hangs Impasse looks for, and nothing yet about what it
    /// found.
    pub fn blank_report(&self, hangs: Hangs) -> Report {
        let sections = self.sections.iter().map(|kind| kind.name().to_owned());
        Report {
            sections: sections.collect(),
            hangs: match hangs {
                Hangs::Off => Scope::Off,
                Hangs::Deadlocks => Scope::Deadlocks,
                Hangs::Local(..) => Scope::Local,
                Hangs::Global(_) => Scope::Global,
            },
            ..Report::blank()
        }
    }
}
