//! Where loops start.

use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::{Body, Position};
use impasse_program::link::FunctionId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// The headers of loops, function by function: the targets of jumps that do not lead forward, as
/// far as they are in a cycle. Every cycle of the control flow has such a jump.
#[derive(Default)]
pub struct LoopHeaders {
    known: RefCell<FxHashMap<FunctionId, FxHashSet<u32>>>,
}

impl LoopHeaders {
    /// Whether a position of a function with this body is the header of a loop.
    pub fn is_header(&self, function: FunctionId, body: &Body, position: Position) -> bool {
        let mut known = self.known.borrow_mut();
        let headers = known.entry(function).or_insert_with(|| headers_of(body));
        headers.contains(&position.0)
    }

    /// Whether a place is the header of a loop; [`Self::is_header`] must have seen its function.
    pub fn knows(&self, place: CodePlace) -> bool {
        let known = self.known.borrow();
        known
            .get(&place.function)
            .is_some_and(|headers| headers.contains(&place.position.0))
    }
}

fn headers_of(body: &Body) -> FxHashSet<u32> {
    let mut headers = FxHashSet::default();
    for (at, instruction) in body.code.iter().enumerate() {
        instruction.for_each_successor(body, Position(at as u32), |target| {
            if target.0 as usize <= at {
                headers.insert(target.0);
            }
        });
    }
    // Code may lie before what leads to it without being in a cycle.
    headers.retain(|&header| comes_back(body, header));
    headers
}

/// Whether execution may come back to a position.
fn comes_back(body: &Body, start: u32) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        let mut found = false;
        body.code[at as usize].for_each_successor(body, Position(at), |target| {
            found |= target.0 == start;
            if seen.insert(target.0) {
                open.push(target.0);
            }
        });
        if found {
            return true;
        }
    }
    false
}
