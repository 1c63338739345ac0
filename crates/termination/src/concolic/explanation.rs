//! What an iteration does with the program's variables, for people.

use super::names::{Named, slot_name_in};
use super::replay::{IterationInputs, Replay};
use super::run::{Bounds, Described, Subject, describe};
use super::shadow::CellPlace;
use super::trace::{Effect, Known, Trace};
use crate::problem::{Line, Overflow};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Scalar, Slot, VariablePlace};
use impasse_program::link::FunctionId;
use impasse_solver::Terms;

/// Something that happens to a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceEvent {
    /// The line at which it happens.
    pub line: Line,
    /// The variable and its value from there on, as its type writes it; none where a number that is
    /// not assigned at once wraps around.
    pub assigned: Option<(String, String)>,
    /// Whether a number was computed for it that wraps around.
    pub wraps: bool,
}

/// The largest number of events of one iteration.
const MOST: usize = 200;

/// A value that is assigned; names of memory come later.
enum Found {
    Local(Named, Known),
    Memory(usize, u8, Known),
}

/// The first events between two visits in the program's own functions, in order.
pub fn explain(subject: &Subject<'_>, trace: &Trace, visits: (u32, u32)) -> Vec<TraceEvent> {
    let (from, to) = (
        &trace.visits[visits.0 as usize],
        &trace.visits[visits.1 as usize],
    );
    let terms = Terms::new();
    let mut symbols = IterationInputs::default();
    let mut replay = Replay::of_iteration(
        subject,
        &terms,
        trace,
        &mut symbols,
        (from, Overflow::Wraps),
    );
    let mut events = Events::default();
    let mut wrapped: Option<Line> = None;
    for at in from.step as usize..to.step as usize {
        if replay.flaw.is_some() || events.found.len() >= MOST {
            break;
        }
        let step = trace.steps[at];
        if !subject.system.own[step.function.0 as usize] {
            replay.advance(at + 1);
            continue;
        }
        let line = subject.line_of(step.place());
        if let Some(before) = wrapped.take_if(|before| *before != line) {
            events.found.push((before, None, true));
        }
        if replay.wraps_around() {
            wrapped = Some(line.clone());
        }
        let stored = replay.stored();
        replay.advance(at + 1);
        let mut here = assigned(subject, trace, (at, from.place.function), &mut replay);
        here.extend(stored.map(|(address, bytes, known)| {
            let place = (address.object, address.offset as u32, bytes);
            events.places.push(place);
            Found::Memory(events.places.len() - 1, bytes, known)
        }));
        for one in here {
            let wraps = wrapped.take().is_some();
            events.found.push((line.clone(), Some(one), wraps));
        }
    }
    let bounds = Bounds {
        steps: to.step as usize,
        inputs: usize::MAX,
        skip: trace.skipped,
    };
    events.named(|places| describe(subject, &trace.values, bounds, places))
}

/// The events of an iteration whose places in memory have no names yet.
#[derive(Default)]
struct Events {
    /// The line, what is assigned, and whether a number wraps around.
    found: Vec<(Line, Option<Found>, bool)>,
    /// The places in memory that are assigned to.
    places: Vec<(ObjectId, u32, u8)>,
}

impl Events {
    /// The events with the names that `describe` gives to places, in their order.
    fn named(
        self,
        describe: impl FnOnce(&[(ObjectId, u32, u8)]) -> Vec<Option<Described>>,
    ) -> Vec<TraceEvent> {
        let targets = self.found.iter().filter_map(|(_, found, _)| match found {
            Some(Found::Local(_, known)) | Some(Found::Memory(_, _, known)) => target(*known),
            _ => None,
        });
        let targets: Vec<(ObjectId, u32, u8)> = targets.collect();
        let stored = self.places.len();
        let asked: Vec<_> = self
            .places
            .into_iter()
            .chain(targets.iter().copied())
            .collect();
        let names = match asked.is_empty() {
            true => Vec::new(),
            false => describe(&asked),
        };
        let pointed_at = |known: Known| {
            let place = target(known)?;
            let at = targets.iter().position(|other| *other == place)?;
            names[stored + at].clone().map(|part| part.name)
        };
        let event = |(line, found, wraps): (Line, Option<Found>, bool)| {
            let assigned = match found {
                None => None,
                Some(Found::Local(mut named, known)) => {
                    named.target = pointed_at(known).filter(|_| named.bits == 64);
                    Some((named.name.clone(), named.show(known.bits)))
                }
                Some(Found::Memory(at, bytes, known)) => {
                    let part = names[at].clone()?;
                    let named = Named {
                        is_float: part.is_float,
                        name: part.name,
                        reading: None,
                        bits: bytes * 8,
                        target: pointed_at(known),
                        library: false,
                    };
                    Some((named.name.clone(), named.show(known.bits)))
                }
            };
            Some(TraceEvent {
                line,
                assigned,
                wraps,
            })
        };
        self.found.into_iter().filter_map(event).collect()
    }
}

/// The variables in slots that a step has assigned to; the parameters of a call where that is the
/// recursion that continues.
fn assigned(
    subject: &Subject<'_>,
    trace: &Trace,
    (at, header): (usize, FunctionId),
    replay: &mut Replay<'_, '_>,
) -> Vec<Found> {
    let program = &subject.system.program;
    let step = trace.steps[at];
    let body = |function: FunctionId| &program.function(function).body;
    match step.effect {
        Effect::Entered(callee) if callee == header => {
            let count = program.info(callee).signature.parameters.len() as u32;
            let parameters = (0..count).map(Slot).filter_map(|slot| {
                let named = variable(subject, callee, slot)?;
                let missing = Known {
                    bits: 0,
                    undefined: true,
                };
                let known = replay.value_at(CellPlace::Slot(slot), missing).known;
                (!known.undefined).then_some(Found::Local(named, known))
            });
            parameters.collect()
        }
        Effect::Ordinary | Effect::Input(_) => {
            let instruction = &body(step.function).code[step.position as usize];
            let Some((first, count)) = instruction.definitions(body(step.function)) else {
                return Vec::new();
            };
            let words = trace.words_of(at);
            let Some(start) = words.len().checked_sub(count as usize) else {
                return Vec::new();
            };
            let slots = (first.0..first.0 + count).map(Slot).zip(&words[start..]);
            let named = slots.filter_map(|(slot, &known)| {
                let named = variable(subject, step.function, slot)?;
                (!known.undefined).then_some(Found::Local(named, known))
            });
            named.collect()
        }
        _ => Vec::new(),
    }
}

/// The variable that a slot holds, if it is a number or a pointer.
fn variable(subject: &Subject<'_>, function: FunctionId, slot: Slot) -> Option<Named> {
    let body = &subject.system.program.function(function).body;
    let bits = body
        .variables
        .iter()
        .find_map(|variable| match variable.place {
            VariablePlace::Value {
                slot: held,
                scalar:
                    scalar @ (Scalar::Integer(1..=64)
                    | Scalar::Pointer
                    | Scalar::Pointer32
                    | Scalar::Float
                    | Scalar::Double),
                ..
            } if held == slot => Some(scalar.bits() as u8),
            _ => None,
        })?;
    Some(slot_name_in(subject, function, slot, bits))
}

/// The place that a word points to, if it looks like an address.
fn target(known: Known) -> Option<(ObjectId, u32, u8)> {
    let address = Address::from_bits(known.bits);
    let named = matches!(
        address.object.kind(),
        ObjectKind::Global(_) | ObjectKind::Dynamic(_)
    );
    let offset = u32::try_from(address.offset).ok()?;
    named.then_some((address.object, offset, 0))
}
