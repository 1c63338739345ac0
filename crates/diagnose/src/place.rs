//! Places in the source: the files and lines of what the machine executes.

use impasse_machine::base::fault::CodePlace;
use impasse_machine::machine::record::Event;
use impasse_machine::system::System;
use impasse_program::instruction::Instruction;
use impasse_program::source::SourceLocation;
use impasse_report::{Frame, Reason, Spot};

/// Returns the frames of a stack, innermost first: one for each function, also where functions are
/// inlined into others.
pub fn frames(system: &System, places: &[CodePlace]) -> Vec<Frame> {
    let frames = places.iter().flat_map(|&place| frames_at(system, place));
    frames.collect()
}

/// Returns the frames of a stack as [`frames`] does, with the local variables of each function.
pub fn frames_with_locals(
    system: &System,
    places: &[CodePlace],
    locals: &[Vec<(String, String)>],
) -> Vec<Frame> {
    let mut all = Vec::new();
    for (number, &place) in places.iter().enumerate() {
        let mut chain = frames_at(system, place);
        // Those of the function itself, and not of what is inlined into it.
        if let (Some(frame), Some(locals)) = (chain.last_mut(), locals.get(number)) {
            frame.locals.clone_from(locals);
        }
        all.extend(chain);
    }
    all
}

/// The frames of a place: the innermost inlined function first.
fn frames_at(system: &System, place: CodePlace) -> Vec<Frame> {
    let program = &system.program;
    let info = program.info(place.function);
    let library = !program.is_users(info.unit);
    let chain = program.location(place.function, place.position);
    if chain.is_empty() {
        return vec![Frame {
            function: info.display_name.clone(),
            library,
            ..nowhere()
        }];
    }
    let frame = |location: SourceLocation| Frame {
        library: library || is_library(&location.file),
        function: location.function,
        file: location.file,
        line: location.line,
        column: location.column,
        locals: Vec::new(),
    };
    chain.into_iter().map(frame).collect()
}

/// Whether a file belongs to the libraries, to which Impasse's own headers count.
fn is_library(file: &str) -> bool {
    let own = [
        "include/impasse.h",
        "include/impasse/section.h",
        "include/rst/termsec.h",
    ];
    file.starts_with("/library/") || own.iter().any(|name| file.ends_with(name))
}

/// Returns the innermost frame of the program's own code that has a line, or else the innermost
/// frame with a line, or `None` if there is none.
pub fn own_frame(frames: &[Frame]) -> Option<&Frame> {
    let own = frames.iter().find(|f| !f.library && f.line > 0);
    own.or(frames.iter().find(|f| f.line > 0))
}

/// Returns the innermost line of the program's own code on a stack, or `None` if it has none.
pub fn spot(system: &System, stack: &[CodePlace]) -> Option<Spot> {
    let frames = frames(system, stack);
    let frame = own_frame(&frames).filter(|frame| !frame.library)?;
    Some(Spot {
        file: frame.file.clone(),
        line: frame.line,
    })
}

/// Returns a frame without function, file or line.
pub fn nowhere() -> Frame {
    Frame {
        function: String::new(),
        file: String::new(),
        line: 0,
        column: 0,
        library: false,
        locals: Vec::new(),
    }
}

/// Returns the instruction in the course of which something happened, or `None` if there is none.
pub fn instruction<'s>(system: &'s System, event: &Event) -> Option<&'s Instruction> {
    let at = event.frames.first()?;
    let body = &system.program.function(at.function).body;
    body.code.get(at.position.0 as usize)
}

/// Returns `what` with the place of a stack: that of [`own_frame`], or none.
pub fn placed(system: &System, stack: &[CodePlace], what: String) -> Reason {
    let frames = frames(system, stack);
    let frame = own_frame(&frames);
    Reason {
        what,
        file: frame.map_or(String::new(), |f| f.file.clone()),
        line: frame.map_or(0, |f| f.line),
    }
}
