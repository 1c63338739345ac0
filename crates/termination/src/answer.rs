//! From a program and a question about its termination to the outcome.

use crate::concolic::run::Parameter;
use crate::evidence::{Claimed, Evidence, FORMAT};
use crate::nontermination::Arithmetic;
use crate::outcome::{Outcome, VerdictName, outcome};
use crate::search::{Goal, Options, Verdict, search};
use crate::subject::{Links, Wanted, subject, tells_signs};
use anyhow::Result;
use impasse_machine::system::System;
use impasse_solver::Terms;
use impasse_solver::work::Moment;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A question about a program.
pub struct Question<'q> {
    /// The program.
    pub system: &'q System,
    /// Its sources.
    pub files: &'q [PathBuf],
    /// The flags that they were compiled with.
    pub flags: &'q [String],
    /// What is executed.
    pub wanted: Wanted,
    /// The verdicts to search for.
    pub goal: Goal,
    /// The integers over which the program must not terminate.
    pub arithmetic: Arithmetic,
    /// How much work the search may do, if that is limited.
    pub work: Option<Duration>,
}

impl Question<'_> {
    /// Searches for so long and returns the outcome. If it is unknown, and a parameter points to
    /// elements with pointers to their own type, which are null, searches again with circular
    /// lists. Fails if what is wanted cannot be executed.
    pub fn answer(&self, time: Duration) -> Result<Outcome> {
        let (started, began) = (Instant::now(), Moment::now());
        let first = self.answer_for(&self.wanted, (time, self.work))?;
        let is_open = first.verdict == VerdictName::Unknown && self.wanted.main.is_some();
        if !is_open || self.goal == Goal::End {
            return Ok(first);
        }
        let wanted = Wanted {
            links: Links::Circular,
            ..self.wanted.clone()
        };
        let (subject, _) = subject(self.system, &wanted)?;
        let parameters = subject.test.iter().flat_map(|(_, parameters)| parameters);
        let links = |one: &Parameter| matches!(one, Parameter::Object(to) if !to.links.is_empty());
        let left = time.saturating_sub(started.elapsed());
        let done = Moment::now().since(began);
        let work = self.work.map(|work| work.saturating_sub(done));
        if !parameters.into_iter().any(links) || left.is_zero() {
            return Ok(first);
        }
        let second = self.answer_for(&wanted, (left, work))?;
        Ok(match second.verdict {
            VerdictName::Nonterminating => second,
            _ => first,
        })
    }

    fn answer_for(
        &self,
        wanted: &Wanted,
        (time, work): (Duration, Option<Duration>),
    ) -> Result<Outcome> {
        let (mut subject, gaps) = subject(self.system, wanted)?;
        subject.integers = self.arithmetic == Arithmetic::Integer;
        subject.tells_signs = tells_signs(self.files, self.flags);
        let options = Options {
            goal: self.goal,
            arithmetic: self.arithmetic,
            time,
            work,
            gaps,
        };
        let found = search(&subject, &Terms::new(), &options);
        let evidence = |verdict: &Verdict| self.evidence(verdict, wanted);
        Ok(outcome(&subject, found, evidence))
    }

    fn evidence(&self, verdict: &Verdict, wanted: &Wanted) -> Option<Evidence> {
        let files = self.files.iter().map(|file| file.display().to_string());
        Some(Evidence {
            format: FORMAT,
            files: files.collect(),
            flags: self.flags.to_vec(),
            wanted: wanted.clone(),
            claimed: Claimed::of(verdict, self.arithmetic == Arithmetic::Integer)?,
        })
    }
}
