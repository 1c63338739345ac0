//! Runs a program on each of its inputs, where they are few.
//!
//! Inputs are counted up like the digits of a number: the last one asked for that has a next value
//! gets it, and those after it start over. A run may ask for more or other inputs after that.

use super::Findings;
use crate::inputs::{Inputs, Source, parameter_types};
use crate::ir::{Program, Scalar};
use crate::machine::{Cell, Shadow, run};
use crate::tree::{TaskId, Tree};

/// A type of more numbers than this is not counted through.
const MAX_NUMBERS: i128 = 4_096;

/// Returns the findings of running a program on each of its inputs, or `None` if there are more
/// than `runs` inputs, or all runs together take more than `steps` instructions.
pub fn every_input(program: &Program, tree: &Tree, runs: usize, steps: u64) -> Option<Findings> {
    let parameters = parameter_types(program);
    let numbers = parameters.iter().flatten().map(|ty| count(*ty));
    let all = numbers.fold(1i128, |all, count| all.saturating_mul(count));
    if all > runs as i128 {
        return None;
    }
    let mut counter = Counter::default();
    let mut findings = Findings {
        complete: true,
        ..Findings::default()
    };
    loop {
        let arguments: Vec<Vec<Cell<()>>> = parameters
            .iter()
            .enumerate()
            .map(|(parameter, types)| counter.parameter(parameter, types))
            .collect();
        let left = steps.checked_sub(findings.steps)?;
        let run = run(program, tree, &arguments, &mut counter, left);
        findings.note(run, || counter.inputs(program));
        if !findings.complete || counter.too_many || findings.runs >= runs {
            return None;
        }
        if !counter.next() {
            return Some(findings);
        }
    }
}

/// How many numbers a type has.
fn count(ty: Scalar) -> i128 {
    i128::from(highest(ty)) - i128::from(lowest(ty)) + 1
}

fn lowest(ty: Scalar) -> i64 {
    match ty {
        Scalar::Range { low, .. } => low,
        Scalar::Int { bits, signed: true } => -1 << (bits - 1),
        _ => 0,
    }
}

fn highest(ty: Scalar) -> i64 {
    match ty {
        Scalar::Bool => 1,
        Scalar::Range { high, .. } => high,
        Scalar::Int { bits, signed: true } => !(-1 << (bits - 1)),
        Scalar::Int { bits, .. } => (u64::MAX >> (64 - bits)).min(i64::MAX as u64) as i64,
    }
}

/// The inputs of a run, and how the next ones follow from them.
#[derive(Default)]
struct Counter {
    digits: Vec<i64>,
    asked: Vec<(Source, Scalar)>,
    too_many: bool,
}

impl Counter {
    fn ask(&mut self, source: Source, ty: Scalar) -> i64 {
        let position = self.asked.len();
        self.asked.push((source, ty));
        self.too_many |= count(ty) > MAX_NUMBERS;
        if position == self.digits.len() {
            self.digits.push(lowest(ty));
        }
        self.digits[position]
    }

    fn parameter(&mut self, parameter: usize, types: &[Scalar]) -> Vec<Cell<()>> {
        let numbers = types.iter().enumerate().map(|(position, ty)| Cell {
            value: self.ask(Source::Parameter(parameter, position), *ty),
            term: (),
        });
        numbers.collect()
    }

    fn inputs(&self, program: &Program) -> Inputs {
        let mut inputs = Inputs::blank(program);
        for ((source, _), value) in self.asked.iter().zip(&self.digits) {
            inputs.set(*source, *value);
        }
        inputs
    }

    /// Counts up; false if all inputs have been there.
    fn next(&mut self) -> bool {
        while let (Some((_, ty)), Some(digit)) = (self.asked.pop(), self.digits.last_mut()) {
            if *digit < highest(ty) {
                *digit += 1;
                self.asked.clear();
                return true;
            }
            self.digits.pop();
        }
        false
    }
}

impl Shadow for Counter {
    type Term = ();

    fn input(&mut self, task: TaskId, before: u32, ty: Scalar) -> (i64, ()) {
        (self.ask(Source::Stream(task, before, ty), ty), ())
    }

    fn enough(&self) -> bool {
        self.too_many
    }
}
