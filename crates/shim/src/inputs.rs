//! Inputs of a run.

use crate::ir::{Program, Scalar};
use crate::tree::TaskId;
use rustc_hash::FxHashMap;

/// Inputs of a run.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    /// Parameters of `main` in order, each as its numbers.
    pub parameters: Vec<Vec<i64>>,
    /// What `input()` gave to each task, in order.
    pub streams: FxHashMap<TaskId, Vec<i64>>,
}

impl Inputs {
    /// Returns the default inputs of a program.
    pub fn blank(program: &Program) -> Inputs {
        let types = parameter_types(program);
        let default = |types: &Vec<Scalar>| types.iter().map(|ty| ty.default_value()).collect();
        Inputs {
            parameters: types.iter().map(default).collect(),
            streams: FxHashMap::default(),
        }
    }

    /// Sets an input of a task; `before` is the number of its earlier inputs.
    pub fn give(&mut self, task: TaskId, before: u32, value: i64) {
        let stream = self.streams.entry(task).or_default();
        let missing = (before as usize + 1).saturating_sub(stream.len());
        stream.extend(std::iter::repeat_n(0, missing));
        stream[before as usize] = value;
    }

    /// Sets an input.
    pub(crate) fn set(&mut self, source: Source, value: i64) {
        match source {
            Source::Parameter(parameter, position) => self.parameters[parameter][position] = value,
            Source::Stream(task, before, _) => self.give(task, before, value),
        }
    }
}

/// Which input a number is. The same `input()` of a task can be asked for as numbers of different
/// types, on different paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// Of a parameter of `main`, the number at a position.
    Parameter(usize, usize),
    /// Of the inputs that a task asks for, the one after so many, as a number of a type.
    Stream(TaskId, u32, Scalar),
}

/// The types of the numbers in each parameter of `main`.
pub(crate) fn parameter_types(program: &Program) -> Vec<Vec<Scalar>> {
    let main = &program.functions[program.main.index()];
    let types = main.vars.iter().take(main.params.len()).map(|var| {
        let mut types = Vec::new();
        program.scalars(&var.ty, &mut types);
        types
    });
    types.collect()
}
