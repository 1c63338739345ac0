//! What unwinding is made of: inspecting the frames that wait for their callees, and continuing in
//! them.
//!
//! The unwinder itself is C code of the runtime (`runtime/unwind.c`), over builtins that are thin
//! covers of what is here; so a state in the middle of unwinding needs nothing that other states do
//! not have. Frames are named by their distance from the outermost one, which no frame below can
//! change.
//!
//! No step of this can be observed by other threads: it accesses the thread's own frames and their
//! objects, and constant tables.

mod terminate;

pub use terminate::why_terminated;

use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::exec::signals::HANDLER_LEFT;
use crate::machine::Machine;
use crate::state::exception_tables::Table;
use crate::state::frame::FrameImage;
use crate::state::thread::Wait;
use impasse_program::address::{Address, ObjectId};
use impasse_program::instruction::{CallSite, Instruction, Position, Slot};
use impasse_program::link::FunctionId;
use impasse_program::word::Word;
use smallvec::SmallVec;

/// Which frames are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All that wait for a callee.
    Any,
    /// Those that may handle an exception.
    Handler,
    /// Those that an exception may arrive in, be it for clean-up only.
    Landing,
}

/// A frame that waits for its callee.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Its number; the outermost frame's is 0.
    pub index: usize,
    /// Whose frame it is.
    pub function: FunctionId,
    /// The call that it waits for.
    pub position: u32,
    /// Where an exception from this call arrives.
    pub landing: Option<Position>,
}

impl<'s> Machine<'s> {
    /// Returns the exception table of a function, or `None` if no exception arrives in it.
    pub fn exception_table(&self, function: FunctionId) -> Option<&'s Table> {
        let system = self.system;
        system.tables.get(&system.program, &system.store, function)
    }

    /// Returns the number of frames of the running thread.
    pub fn frame_count(&self) -> usize {
        self.threads[self.running].frames.len() + self.stack.frames.len()
    }

    /// The function and position of a frame that waits for its callee.
    fn waiting_frame(&self, index: usize) -> Option<(FunctionId, u32)> {
        let stored = &self.threads[self.running].frames;
        if let Some(&id) = stored.get(index) {
            let image = FrameImage::decode(self.memory.store.get(id));
            return image.calling.then_some((image.function, image.position));
        }
        let frame = &self.stack.frames[index - stored.len()];
        frame.calling.then_some((frame.id, frame.position))
    }

    fn objects_of_frame(&self, index: usize) -> SmallVec<[ObjectId; 4]> {
        let stored = &self.threads[self.running].frames;
        match stored.get(index) {
            Some(&id) => FrameImage::decode(self.memory.store.get(id)).objects,
            None => self.stack.frames[index - stored.len()].objects.clone(),
        }
    }

    fn call_at(&self, function: FunctionId, position: u32) -> Option<&'s CallSite> {
        let body = &self.program.function(function).body;
        match body.code[position as usize] {
            Instruction::Call { site } => Some(&body.sites[site.0 as usize]),
            _ => None,
        }
    }

    /// Returns the innermost frame outside of frame `below` that has what is wanted, or `None`.
    /// Fails if one of the frames cannot be unwound.
    pub fn next_frame(&self, below: usize, wanted: Wanted) -> Result<Option<Waiting>> {
        for index in (0..below).rev() {
            let Some((function, position)) = self.waiting_frame(index) else {
                continue;
            };
            let Some(site) = self.call_at(function, position) else {
                continue;
            };
            if self.is_wanted(function, site, wanted)? {
                return Ok(Some(Waiting {
                    index,
                    function,
                    position,
                    landing: site.landing,
                }));
            }
        }
        Ok(None)
    }

    /// Returns whether the running thread has to run destructors or the like if it leaves all
    /// frames. Fails if one of them cannot be unwound.
    pub fn clean_up_waits(&self) -> Result<bool> {
        let site = self.call_at(self.at.id, self.at.position);
        if site.is_some_and(|site| site.landing.is_some()) {
            return Ok(true);
        }
        let found = self.next_frame(self.frame_count() - 1, Wanted::Landing)?;
        Ok(found.is_some())
    }

    /// A personality function decides about a call with a landing pad; about one without in a
    /// function that has others it can only say that the exception passes, or must not occur.
    fn is_wanted(&self, function: FunctionId, site: &CallSite, wanted: Wanted) -> Result<bool> {
        let program = self.program;
        let decides = match (wanted, site.landing) {
            (Wanted::Any, _) => true,
            (Wanted::Handler, Some(Position(landing))) => {
                let body = &program.function(function).body;
                match body.code[landing as usize] {
                    Instruction::LandingPad { clauses, .. } => {
                        !body.pads[clauses.0 as usize].clauses.is_empty()
                    }
                    _ => true,
                }
            }
            (Wanted::Landing, Some(_)) => true,
            (_, None) => site.no_unwind && self.exception_table(function).is_some(),
        };
        let info = program.info(function);
        if wanted == Wanted::Handler
            && site.landing.is_none()
            && !decides
            && program.is_users(info.unit)
            && program.is_nounwind(function)
        {
            return error(
                ErrorKind::Terminate,
                format!(
                    "an exception leaves {}, which promises that none does",
                    info.display_name
                ),
            );
        }
        Ok(decides)
    }

    /// Leaves all frames inside of frame `index`, as if they returned, and with them the atomic
    /// sections that they are in. Fails if the end of a local variable races.
    pub fn leave_frames_inside(&mut self, index: usize) -> Result<()> {
        self.sync();
        while self.frame_count() > index + 1 {
            if self.stack.frames.is_empty() {
                self.fetch_frame();
            }
            self.check_not_listed()?;
            self.record_end_of_copies();
            self.leave_frame()?;
        }
        if self.stack.frames.is_empty() {
            self.fetch_frame();
        }
        self.record_end_of_copies();
        let in_section = self.threads[self.running].atomic > 0;
        self.thread().leave_sections_inside(index);
        if in_section {
            self.release_sections();
        }
        let thread = self.thread();
        if thread.signals.leave_handlers_inside(index) && thread.wait != Wait::None {
            return unsupported(HANDLER_LEFT);
        }
        self.end_functions_inside(index);
        Ok(())
    }

    /// Continues behind the landing pad at `position` of frame `index`, with its two results. Fails
    /// as [`Machine::leave_frames_inside`] does.
    pub fn land(
        &mut self,
        index: usize,
        position: u32,
        exception: Word,
        selector: Word,
    ) -> Result<()> {
        if index + 1 >= self.frame_count() {
            return error(ErrorKind::InvalidCall, "unwinds to a frame that is gone");
        }
        let landing = self.waiting_frame(index).and_then(|(function, _)| {
            let code = &self.program.function(function).body.code;
            match code.get(position as usize) {
                Some(Instruction::LandingPad { destination, .. }) => Some(*destination),
                _ => None,
            }
        });
        let Some(destination) = landing else {
            return error(ErrorKind::InvalidCall, "unwinds to no landing pad");
        };
        self.leave_frames_inside(index)?;
        self.reload();
        self.write(destination, exception);
        self.write(Slot(destination.0 + 1), selector);
        self.at.position = position + 1;
        self.note_operation(|m| {
            let name = &m.program.info(m.at.id).display_name;
            format!("unwinds to {name}")
        });
        Ok(())
    }

    /// Returns the frame that owns an object, or `None`.
    pub fn frame_of_object(&self, object: ObjectId) -> Option<usize> {
        let mut frames = (0..self.frame_count()).rev();
        frames.find(|&index| self.objects_of_frame(index).contains(&object))
    }

    /// Returns a function whose frame is inside of frame `index` and in which an exception would
    /// run destructors, or `None`.
    pub fn destructors_inside(&self, index: usize) -> Option<FunctionId> {
        let innermost = self.frame_count() - 1;
        (index + 1..=innermost).rev().find_map(|inside| {
            let (function, position) = match inside == innermost {
                true => (self.at.id, self.at.position),
                false => self.waiting_frame(inside)?,
            };
            let landing = self.call_at(function, position)?.landing?;
            self.program
                .runs_destructor(function, landing)
                .then_some(function)
        })
    }

    /// Returns once more from the call at `position` of frame `index`, with this result. Counts as
    /// a jump back. Fails as [`Machine::leave_frames_inside`] does.
    pub fn return_again(&mut self, index: usize, position: u32, result: Word) -> Result<()> {
        self.progress.spend(1);
        self.leave_frames_inside(index)?;
        self.reload();
        if let Some(site) = self.call_at(self.at.id, position) {
            self.write_results(site, &[result]);
        }
        self.at.position = position + 1;
        Ok(())
    }

    /// Returns the address to which a frame will return: that of its function, plus one more than
    /// the position of the call.
    pub fn return_address(&self, frame: &Waiting) -> Word {
        let mut address = self.program.address_of(frame.function);
        address.offset += frame.position as i64 + 1;
        Word::pointer(address.bits())
    }

    /// Returns the address of the landing pad for an exception in a frame, or null if there is
    /// none.
    pub fn landing_address(&self, frame: &Waiting) -> Word {
        let Some(Position(landing)) = frame.landing else {
            return Word::number(0);
        };
        let mut address = self.program.address_of(frame.function);
        address.offset += landing as i64;
        Word::pointer(address.bits())
    }

    /// Returns the address of a frame's exception table, or null.
    pub fn table_address(&self, frame: &Waiting) -> Word {
        match self.exception_table(frame.function) {
            Some(_) => Word::pointer(Address::of(ObjectId::table(frame.function.0)).bits()),
            None => Word::number(0),
        }
    }
}
