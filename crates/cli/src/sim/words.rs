//! What a simulation shows, in words.

use impasse_diagnose::{Choice, Ending, Present};
use impasse_report::rendering::thread_name;
use impasse_report::{Frame, ObjectState, Step};
use std::path::Path;

/// Of more steps, the last ones are shown.
const MOST_STEPS: usize = 40;
/// Of more choices, the first ones are shown.
const MOST_CHOICES: usize = 40;

/// Returns lines for steps: what happens, and where. Details of libraries are left out where they
/// have no name in the program.
pub fn steps(steps: &[Step]) -> Vec<String> {
    let shown = |step: &&Step| !step.library || step.part_of.is_some();
    let shown: Vec<&Step> = steps.iter().filter(shown).collect();
    let left_out = shown.len().saturating_sub(MOST_STEPS);
    let mut lines: Vec<String> = Vec::new();
    if left_out > 0 {
        lines.push(format!("  ({left_out} steps before; trace shows all)"));
    }
    lines.extend(shown[left_out..].iter().map(|step| line(step)));
    lines
}

/// Returns a line for a step.
pub fn line(step: &Step) -> String {
    let name = thread_name(step.thread);
    let place = place(&step.file, step.line);
    format!(
        "  {:>4}  {name:<9} {place:<20} {}",
        step.transition,
        text(step)
    )
}

/// What happens in a step.
fn text(step: &Step) -> String {
    match (&step.part_of, step.library) {
        (Some(whole), true) => match step.action.as_str() {
            "read" => format!("reads {whole}"),
            _ => format!("changes {whole}"),
        },
        _ => step.text.clone(),
    }
}

/// Returns a place in the source: the name of the file without its folders, and the line.
pub fn place(file: &str, line: u32) -> String {
    let name = Path::new(file).file_name();
    let name = name.map_or(file.into(), |name| name.to_string_lossy());
    match line {
        0 => String::new(),
        line => format!("{name}:{line}"),
    }
}

/// Returns where a thread with this stack is: the place, if it has one in the program's own code.
pub fn position(stack: &[Frame]) -> String {
    match stack.first() {
        Some(frame) if !frame.library && frame.line > 0 => place(&frame.file, frame.line),
        _ => String::new(),
    }
}

/// Returns lines for moves that can be made, numbered from 1.
pub fn choices(choices: &[Choice]) -> Vec<String> {
    let lines = (1..).zip(choices).take(MOST_CHOICES);
    let mut lines: Vec<String> = lines.map(|(number, it)| choice(number, it)).collect();
    if choices.len() > MOST_CHOICES {
        lines.push(format!("        and {} more", choices.len() - MOST_CHOICES));
    }
    lines
}

fn choice(number: usize, choice: &Choice) -> String {
    let name = choice.step.thread.map(thread_name).unwrap_or_default();
    let first = choice.steps.iter().find(|step| step.line > 0);
    let (place, text) = match (first, &choice.step.action) {
        (Some(step), _) => (place(&step.file, step.line), text(step)),
        (None, Some(action)) => (place(&choice.step.file, choice.step.line), action.clone()),
        (None, None) => (String::new(), "moves".into()),
    };
    let end = match &choice.ending {
        None => String::new(),
        Some(Ending::Regular) => ", and the program ends".into(),
        Some(Ending::Error(error)) => format!(": {}", error.kind),
    };
    let text = match (&choice.ending, choice.steps.is_empty()) {
        (Some(Ending::Error(error)), true) => error.message.clone(),
        _ => format!("{text}{end}"),
    };
    format!("  {number:>4}  {name:<9} {place:<20} {text}")
}

/// Returns lines for the way in which an execution has ended.
pub fn ending(ending: &Ending) -> Vec<String> {
    match ending {
        Ending::Regular => vec!["the program has ended".into()],
        Ending::Error(error) => {
            let place = match place(&error.file, error.line) {
                place if place.is_empty() => place,
                place => format!(" at {place}"),
            };
            vec![format!("error: {}{place}: {}", error.kind, error.message)]
        }
    }
}

/// Returns lines for a stack, innermost frame first, with the variables of each.
pub fn stack(frames: &[Frame]) -> Vec<String> {
    let mut lines = Vec::new();
    for frame in frames {
        let place = position(std::slice::from_ref(frame));
        lines.push(match place.is_empty() {
            true => format!("  {}, of the library", frame.function),
            false => format!("  {} at {place}", frame.function),
        });
        for (name, value) in &frame.locals {
            lines.push(format!("      {name} = {value}"));
        }
    }
    lines
}

/// Returns lines for the objects in memory of which the name has a part.
pub fn memory(present: &Present, part: &str) -> Vec<String> {
    let named = |identity: &str, object: &ObjectState| {
        identity.contains(part) || object.name.contains(part)
    };
    let objects = present.objects.iter();
    let objects = objects.filter(|(identity, object)| named(identity, object));
    objects
        .flat_map(|(identity, object)| self::object(identity, object))
        .collect()
}

fn object(identity: &str, object: &ObjectState) -> Vec<String> {
    let name = match object.name.is_empty() {
        true => identity.to_owned(),
        false => format!("{identity} ({})", object.name),
    };
    match &object.cells[..] {
        [] => vec![format!("  {name}")],
        cells => {
            let cells = cells.iter();
            cells
                .map(|(part, value)| format!("  {name}{part} = {value}"))
                .collect()
        }
    }
}

/// Returns the values of a variable: of a local one in the stack, or in memory.
pub fn values(present: &Present, stack: &[Frame], name: &str) -> Vec<(String, String)> {
    let locals = stack.iter().flat_map(|frame| &frame.locals);
    let is_it = |whole: &str| {
        let rest = whole.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let local: Vec<_> = locals.filter(|(whole, _)| is_it(whole)).cloned().collect();
    if !local.is_empty() {
        return local;
    }
    let mut found = Vec::new();
    for (identity, object) in &present.objects {
        let shown = match object.name.is_empty() {
            true => identity,
            false => &object.name,
        };
        for (part, value) in &object.cells {
            for whole in [format!("{identity}{part}"), format!("{shown}{part}")] {
                let known = found.iter().any(|(it, _)| *it == whole);
                if is_it(&whole) && !known {
                    found.push((whole, value.clone()));
                }
            }
        }
    }
    found
}
