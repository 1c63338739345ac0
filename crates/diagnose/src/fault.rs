//! Errors and omissions of the machine, with their places.

use crate::place::{frames_with_locals, nowhere, own_frame, placed};
use crate::words;
use impasse_machine::base::fault::{ErrorKind, Fault, Omission, ThreadStack};
use impasse_machine::system::System;
use impasse_report::{ErrorReport, HangReport, Reason, ThreadReport};
use std::convert::identity;

/// Returns the report of a fault, at the place of the thread that failed.
pub fn error(system: &System, fault: &Fault) -> ErrorReport {
    let threads = fault.stacks.iter().map(|stack| thread(system, stack));
    let message = match fault.kind {
        ErrorKind::Hang => words::deadlock(&fault.stacks),
        _ => fault.message.clone(),
    };
    ErrorReport {
        thread: fault.thread,
        ..at_first(fault.kind.name(), message, threads.collect(), None)
    }
}

/// Returns an error at the place of the first of some threads, or nowhere if there is none.
pub fn at_first(
    kind: &str,
    message: String,
    threads: Vec<ThreadReport>,
    hang: Option<HangReport>,
) -> ErrorReport {
    let frame = threads.first().and_then(|t| own_frame(&t.stack)).cloned();
    let frame = frame.unwrap_or_else(nowhere);
    ErrorReport {
        kind: kind.into(),
        message,
        file: frame.file,
        line: frame.line,
        column: frame.column,
        function: frame.function,
        thread: threads.first().map_or(0, |t| t.thread),
        threads,
        hang,
    }
}

/// Returns what an omission left out, at the place of the thread that came to it.
pub fn reason(system: &System, omission: &Omission) -> Reason {
    placed(system, &omission.stack.frames, omission.what.clone())
}

fn thread(system: &System, stack: &ThreadStack) -> ThreadReport {
    let waits = stack.waits.as_ref();
    ThreadReport {
        thread: stack.thread,
        waits: waits.map(|blocked| words::waits_for(blocked, stack.thread, identity)),
        stack: frames_with_locals(system, &stack.frames, &stack.locals),
    }
}
