//! Runs a program for its output.

use crate::inputs::Inputs;
use crate::ir::{Program, Scalar};
use crate::machine::{Cell, Ending, Endless, Run, Shadow, run};
use crate::tree::{TaskId, Tree};
use crate::words::counted;
use std::collections::BTreeMap;

/// Runs without inputs and keeps no output.
pub struct Silent;

impl Shadow for Silent {
    type Term = ();

    fn input(&mut self, _: TaskId, _: u32, ty: Scalar) -> (i64, ()) {
        (ty.default_value(), ())
    }
}

/// Runs with given inputs and passes each printed line on.
struct Loud<'a> {
    streams: &'a BTreeMap<String, Vec<i64>>,
    tree: &'a Tree,
    sink: &'a mut dyn FnMut(&str),
}

impl Shadow for Loud<'_> {
    type Term = ();

    fn input(&mut self, task: TaskId, count: u32, ty: Scalar) -> (i64, ()) {
        let stream = self
            .streams
            .get(&self.tree.task(task).name)
            .or_else(|| self.streams.get(""));
        let value = stream
            .and_then(|values| values.get(count as usize))
            .copied();
        (value.unwrap_or_else(|| ty.default_value()), ())
    }

    fn print(&mut self, line: String) {
        (self.sink)(&line);
    }
}

/// Runs with inputs that were found.
struct Given<'a>(&'a Inputs);

impl Shadow for Given<'_> {
    type Term = ();

    fn input(&mut self, task: TaskId, count: u32, ty: Scalar) -> (i64, ()) {
        let given = self
            .0
            .streams
            .get(&task)
            .and_then(|s| s.get(count as usize));
        (given.copied().unwrap_or_else(|| ty.default_value()), ())
    }
}

/// Runs a program on inputs that a search found, for at most `steps` instructions.
pub fn replay(program: &Program, tree: &Tree, inputs: &Inputs, steps: u64) -> Run {
    let cell = |value: &i64| Cell {
        value: *value,
        term: (),
    };
    let arguments: Vec<Vec<Cell<()>>> = inputs
        .parameters
        .iter()
        .map(|values| values.iter().map(cell).collect())
        .collect();
    run(program, tree, &arguments, &mut Given(inputs), steps)
}

/// The inputs of a run.
#[derive(Clone, Default, Debug)]
pub struct RunInputs {
    /// Parameters of `main` by name; what is missing is 0.
    pub parameters: BTreeMap<String, Vec<i64>>,
    /// What `input()` gives in each task, by the task's name; the empty name stands for all others.
    pub streams: BTreeMap<String, Vec<i64>>,
}

/// Runs a program for at most `steps` instructions. Passes each printed line to `sink`. Fails if
/// the inputs do not fit the parameters of `main`.
pub fn run_program(
    program: &Program,
    tree: &Tree,
    inputs: &RunInputs,
    steps: u64,
    sink: &mut dyn FnMut(&str),
) -> Result<Run, String> {
    let main = &program.functions[program.main.index()];
    let mut arguments = Vec::new();
    for (index, var) in main.vars.iter().enumerate().take(main.params.len()) {
        let mut types = Vec::new();
        program.scalars(&main.vars[index].ty, &mut types);
        let given = inputs
            .parameters
            .get(&var.name)
            .map_or(&[][..], Vec::as_slice);
        if given.len() > types.len() {
            return Err(format!(
                "`{}` takes {}, not {}",
                var.name,
                counted(types.len(), "number"),
                given.len()
            ));
        }
        let cells = types.iter().enumerate().map(|(position, ty)| Cell {
            value: given
                .get(position)
                .map_or(ty.default_value(), |value| ty.wrap(*value)),
            term: (),
        });
        arguments.push(cells.collect());
    }
    if let Some(unknown) = inputs
        .parameters
        .keys()
        .find(|name| main.vars.iter().all(|var| var.name != **name))
    {
        return Err(format!("`main` has no parameter `{unknown}`"));
    }
    let known = |task: &String| task.is_empty() || tree.tasks.iter().any(|t| t.name == *task);
    if let Some(unknown) = inputs.streams.keys().find(|task| !known(task)) {
        return Err(format!("there is no task `{unknown}`"));
    }
    let mut shadow = Loud {
        streams: &inputs.streams,
        tree,
        sink,
    };
    Ok(run(program, tree, &arguments, &mut shadow, steps))
}

/// Returns how a run ended, in words.
pub fn describe(program: &Program, tree: &Tree, run: &Run) -> String {
    match &run.ending {
        Ending::Finished => "the program has ended".into(),
        Ending::Deadlock => "deadlock: no task can continue".into(),
        Ending::Forever(endless) => forever(program, tree, endless),
        Ending::Failed(span, message) => format!(
            "run-time error on line {}: {message}",
            program.file.line(*span)
        ),
        Ending::OutOfSteps => "stopped at the limit of steps".into(),
    }
}

fn forever(program: &Program, tree: &Tree, endless: &Endless) -> String {
    let name = |task: TaskId| format!("`{}`", tree.task(task).name);
    let mut parts = Vec::new();
    for computing in &endless.computing {
        let line = program.file.line(computing.span);
        let task = name(computing.task);
        parts.push(format!("{task} computes forever on line {line}"));
    }
    let waiting: Vec<String> = endless.waiting.iter().map(|task| name(*task)).collect();
    if !waiting.is_empty() {
        parts.push(format!("{} never move again", waiting.join(", ")));
    }
    if parts.is_empty() {
        return "the program never terminates; stopped where it repeats itself".into();
    }
    format!(
        "the program never terminates, and {}; stopped where it repeats itself",
        parts.join(", and ")
    )
}
