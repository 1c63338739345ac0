//! Executing instructions: `impasse_semantics::evaluate` says what each one does, `domain` how.
//!
//! Every instruction either completes, or has no effect and says why ([`Halt`]); so it can be
//! executed again from the same state, with the outcomes of its choices given.

mod arithmetic;
mod domain;
mod locals;
mod memory;
pub mod pieces;
mod sharing;
mod symbolic;
mod time;

use crate::base::fault::Result;
use crate::machine::{Machine, Stop};
use crate::state::happens_before::Order;
use crate::state::memory::{Access, Spot};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Instruction as I, Position, Scalar};
use impasse_program::word::Word;
use impasse_semantics::evaluate::evaluate;

/// What an instruction does with control.
pub enum Flow {
    /// Continues with the next instruction.
    Next,
    /// Has set the cursor itself.
    Moved,
    /// The run ends here.
    Stop(Stop),
}

impl<'s> Machine<'s> {
    /// Runs the thread until it has to stop, and returns why. On `Err` the cursor is at the
    /// instruction that halted.
    pub fn execute(&mut self) -> Result<Stop> {
        if self.interruptions.is_signalled() && self.progress.is_at_start() {
            self.progress.begin_instruction();
            self.be_interrupted()?;
            self.commit()?;
        }
        loop {
            self.progress.begin_instruction();
            let code = &self.at.function.body.code;
            let instruction = &code[self.at.position as usize];
            let flow = match self.observer.watches() {
                false => self.instruction(instruction),
                true => self.instruction_watched(instruction),
            };
            let flow = match flow {
                Ok(flow) => flow,
                Err(halt) => {
                    self.history.forget_staged();
                    self.model().take_back(self, &halt);
                    return Err(halt);
                }
            };
            if self.history.is_staged() {
                self.commit()?;
            }
            self.progress.end_instruction();
            self.choices.end_instruction();
            match flow {
                Flow::Next => self.at.position += 1,
                Flow::Moved => {
                    if self.progress.is_exhausted() {
                        return Ok(Stop::BudgetExhausted);
                    }
                }
                Flow::Stop(stop) => return Ok(stop),
            }
        }
    }

    /// Executes the next instruction alone. On `Flow::Next` the caller has to move the cursor.
    /// Fails if the instruction halts, which then has no effect.
    pub fn execute_one(&mut self) -> Result<Flow> {
        let code = &self.at.function.body.code;
        self.instruction(&code[self.at.position as usize])
    }

    #[inline(always)]
    fn instruction(&mut self, instruction: &'s I) -> Result<Flow> {
        let function = self.at.function;
        evaluate(self, &function.body, instruction)
    }

    #[inline]
    fn jump(&mut self, target: Position) -> Flow {
        if target.0 <= self.at.position {
            self.progress.spend(1);
        }
        self.at.position = target.0;
        Flow::Moved
    }

    /// Fills a `va_list`: both register areas are used up, so that every argument is taken from the
    /// overflow area, which is the object made by the call. Under ILP32, the list is the address of
    /// the next argument.
    fn start_variable_arguments(&mut self, list: Word) -> Result<()> {
        let frame = self.stack.frames.last().expect("a running frame");
        let area = match frame.arguments {
            ObjectId::NULL => Word::number(0),
            object => Word::pointer(Address::of(object).bits()),
        };
        if self.program.ilp32().is_some() {
            return self.store(
                Scalar::Pointer32,
                list,
                Value::one(area),
                false,
                Order::BOTH,
            );
        }
        let address = self.memory.address(list)?;
        self.observe(address, 24, Access::Write, false)?;
        let start = self.memory.check(list, address, 24, Access::Write)?;
        let (int, pointer) = (Scalar::Integer(32), Scalar::Pointer);
        let number = |n| Value::one(Word::number(n));
        let fields = [
            (0, int, number(48)),
            (4, int, number(176)),
            (8, pointer, Value::one(area)),
            (16, pointer, number(0)),
        ];
        for (offset, scalar, value) in fields {
            let spot = Spot {
                object: start.object,
                offset: start.offset + offset,
            };
            self.store_checked(scalar, spot, value);
        }
        Ok(())
    }
}

/// Returns `base + distance`, an address if the base is one.
#[inline]
pub fn add_to_address(base: Word, distance: i64) -> Word {
    Word {
        bits: base.bits.wrapping_add(distance as u64),
        undefined: match base.undefined {
            0 => 0,
            _ => !0,
        },
        pointer: base.pointer,
        time: base.time,
        term: base.term,
    }
}

/// Returns whether an address is that of a function.
pub fn is_function(address: Address) -> bool {
    matches!(address.object.kind(), ObjectKind::Function(_)) && address.offset == 0
}
