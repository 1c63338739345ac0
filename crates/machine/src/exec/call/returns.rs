//! Returns from functions and from start routines.

use super::Words;
use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::base::options::ExitCodes;
use crate::exec::interpret::Flow;
use crate::machine::record::Action;
use crate::machine::{Machine, Stop};
use crate::state::thread::Phase;
use impasse_program::instruction::{Instruction, Range, Scalar};
use impasse_program::link::FunctionId;
use impasse_program::word::{Word, mask};

impl<'s> Machine<'s> {
    /// Returns from the innermost frame. Fails if the results are not what the caller expects.
    pub fn return_from(&mut self, values: Range) -> Result<Flow> {
        let operands = &self.at.function.body.operands[values.indices()];
        let mut words = Words::new();
        for &operand in operands {
            words.push(self.read(operand));
        }
        let ends_thread = self.at.id == self.system.thread_exit
            && self.threads[self.running].phase == Phase::Exiting;
        if ends_thread {
            self.drain()?;
            // A signal may come before its end. What it has accessed may race with others' accesses
            // until they can know of its end.
            if self.interruptions.are_possible()
                || !self.threads[self.running].access_history.is_empty()
            {
                self.act()?;
            }
        }
        if Some(self.at.id) == self.system.main {
            if self.observer.notes_events() {
                self.note_status(words.first());
            }
            // The status of a `main` without one is unspecified, not undefined (C17, 5.1.2.2.3).
            if words.is_empty() && self.options.exit_codes == ExitCodes::Any {
                words.push(Word::number(0));
            }
        }
        let function = self.at.id;
        let operation = self.system.operations[function.0 as usize];
        self.leave_frame()?;
        if ends_thread {
            self.leave_frames()?;
            return self.start_routine_returned(Word::number(0));
        }
        if self.stack.frames.is_empty() && !self.fetch_frame() {
            let result = self.result_of_start_routine(function, &words)?;
            return self.start_routine_returned(result);
        }
        self.record_end_of_copies();
        let calling = self.stack.frames.last().is_some_and(|f| f.calling);
        self.reload();
        if self.threads[self.running].has_sections() {
            let innermost = self.frame_count() - 1;
            let lock = self.end_operations_inside(innermost);
            self.thread().inherit_sections(innermost);
            let succeeded = words.first().is_none_or(|result| result.bits & 1 == 1);
            let taken = operation.and_then(|operation| operation.takes);
            if let (Some(kind), Some(lock), true) = (taken, lock, succeeded) {
                self.hold_library_lock(kind, lock);
            }
        }
        if calling {
            self.write_returned(&words);
            self.at.position += 1;
        }
        Ok(Flow::Moved)
    }

    /// What a thread's outermost function leaves where a result of type `void *` is read: a program
    /// may start one of another type, of whose result some bits or all are undefined then. Fails if
    /// such a result depends on inputs.
    fn result_of_start_routine(&self, function: FunctionId, words: &[Word]) -> Result<Word> {
        match *self.program.info(function).signature.results {
            [Scalar::Pointer | Scalar::Pointer32 | Scalar::Integer(64)] => Ok(words[0]),
            [Scalar::Integer(width)] if words[0].term.is_none() => Ok(Word {
                undefined: words[0].undefined | !mask(width.into()),
                ..words[0]
            }),
            [Scalar::Integer(_)] => unsupported(
                "a result that depends on inputs, of a thread whose function does not return a pointer",
            ),
            _ => Ok(Word::undefined(64)),
        }
    }

    /// Assigns what the function that an instruction has called returns.
    fn write_returned(&mut self, words: &[Word]) {
        let body = &self.at.function.body;
        match body.code[self.at.position as usize] {
            Instruction::Call { site } => self.write_results(&body.sites[site.0 as usize], words),
            Instruction::Load {
                destination,
                scalar,
                ..
            } => self.loaded_in_pieces(destination, scalar, words),
            _ => {}
        }
    }

    /// `main` returns what is not the usual: a step of its own in the trace.
    fn note_status(&mut self, status: Option<&Word>) {
        let text = match status {
            None => "main returns no value".to_owned(),
            Some(status) if !status.is_defined() => "main returns an undefined value".to_owned(),
            Some(status) if status.bits != 0 => format!("main returns {}", status.bits as i32),
            Some(_) => return,
        };
        self.note(Action::Operation { text });
    }

    /// Fails if the thread, whose start routine has returned, is still in an atomic section.
    pub fn expect_no_section(&self) -> Result<()> {
        match self.threads[self.running].atomic {
            0 => Ok(()),
            _ => error(
                ErrorKind::InvalidCall,
                "the thread ends in an atomic section, which it never left",
            ),
        }
    }

    /// The outermost frame of a thread was left.
    fn start_routine_returned(&mut self, result: Word) -> Result<Flow> {
        match self.threads[self.running].phase {
            Phase::Running => {
                self.expect_no_section()?;
                self.begin_exit(result)
            }
            _ if self.is_last_thread() => {
                let exit = self.system.exit;
                self.enter(exit, &[Word::number(0)])?;
                Ok(Flow::Moved)
            }
            _ => {
                self.finish_thread();
                Ok(Flow::Stop(Stop::ThreadEnd))
            }
        }
    }

    /// Begins the end of the running thread, whose start routine was left with a result: clean-up
    /// handlers and destructors run next, on top of the frames, whose locals they may use. Fails in
    /// a signal handler that interrupted a wait.
    pub fn begin_exit(&mut self, result: Word) -> Result<Flow> {
        if self.handles_within_wait() {
            return unsupported("the end of a thread in a signal handler that interrupted a wait");
        }
        let thread = &mut self.threads[self.running];
        thread.result = result;
        thread.phase = Phase::Exiting;
        thread.cancel_disabled = true;
        let exit = self.system.thread_exit;
        self.enter(exit, &[])?;
        Ok(Flow::Moved)
    }
}
