//! What a verdict assumes of the program's environment, of which one answer is explored.

use crate::place::placed;
use impasse_machine::machine::record::{Action, Event};
use impasse_machine::system::System;
use impasse_program::instruction::Slot;
use impasse_report::Reason;

/// The names of the variable that holds the environment's variables.
const VARIABLES: [&str; 4] = ["environ", "_environ", "__environ", "___environ"];

/// Returns everything that the program asked of its environment during a search, sorted by place.
pub fn asked(system: &System) -> Vec<Reason> {
    let asked = system.environment.asked().into_iter();
    let asked = asked.map(|asked| placed(system, &[asked.place], asked.what));
    sorted(asked.chain(of_main(system)).collect())
}

/// Returns everything that the program asked of its environment in these events, sorted by place.
pub fn asked_on(system: &System, events: &[Event]) -> Vec<Reason> {
    let asked = events.iter().filter_map(|event| match &event.action {
        Action::Environment { what } => Some(placed(system, &event.frames, what.clone())),
        _ => None,
    });
    sorted(asked.chain(of_main(system)).collect())
}

fn sorted(mut reasons: Vec<Reason>) -> Vec<Reason> {
    reasons.sort_by(|a, b| (&a.file, a.line, &a.what).cmp(&(&b.file, b.line, &b.what)));
    reasons.dedup();
    reasons
}

/// The arguments of `main` that it reads.
fn of_main(system: &System) -> Vec<Reason> {
    let Some(main) = system.main else {
        return Vec::new();
    };
    let info = system.program.info(main);
    let place = system.program.declared_at(info.unit, info.location);
    let reason = |what: &str| Reason {
        what: what.into(),
        file: place
            .as_ref()
            .map_or(String::new(), |place| place.file.clone()),
        line: place.as_ref().map_or(0, |place| place.line),
    };
    let body = &system.program.function(main).body;
    let live = &body.live_sets[body.live[0] as usize];
    let reads = |parameter: u32| {
        info.signature.parameters.len() > parameter as usize && live.contains(&Slot(parameter))
    };
    let mut reasons = Vec::new();
    if system.options.arguments.len() == 1 && (reads(0) || reads(1)) {
        reasons.push(reason("main gets no arguments (--arg gives some)"));
    }
    let mentions = |name: &&str| system.program.users_mention(name);
    if system.options.environment.is_empty() && (reads(2) || VARIABLES.iter().any(mentions)) {
        reasons.push(reason("environ holds no variables (--env gives some)"));
    }
    reasons
}
