//! Executing instructions.
//!
//! Every instruction either completes, or has no effect and says why ([`Halt`]); so it can be executed again from the same
//! state, with the outcomes of its choices given.

mod arithmetic;
mod locals;
mod memory;
pub mod pieces;
mod sharing;
mod time;

use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::machine::{Machine, Stop};
use crate::state::happens_before::Order;
use crate::state::memory::{Access, Spot};
use crate::value::{Value, float};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{Instruction as I, Position, Scalar};
use impasse_program::word::Word;

/// What an instruction does with control.
pub enum Flow {
    /// Goes on with the next instruction.
    Next,
    /// Has set the cursor itself.
    Moved,
    /// The run ends here.
    Stop(Stop),
}

impl<'s> Machine<'s> {
    /// Runs the thread until it has to stop. On `Err` the cursor is at the instruction that halted.
    pub fn execute(&mut self) -> Result<Stop> {
        if self.signalled && self.executed == 0 {
            self.visible_before = self.visible;
            self.be_interrupted()?;
            self.commit()?;
        }
        loop {
            self.visible_before = self.visible;
            let code = &self.at.function.body.code;
            let instruction = &code[self.at.position as usize];
            let flow = match self.watches {
                false => self.instruction(instruction),
                true => self.instruction_watched(instruction),
            };
            let flow = match flow {
                Ok(flow) => flow,
                Err(halt) => {
                    self.staged.clear();
                    self.take_back(&halt);
                    return Err(halt);
                }
            };
            if !self.staged.is_empty() {
                self.commit()?;
            }
            self.executed += 1;
            if !self.script.is_empty() {
                self.script.clear();
                self.scripted = 0;
            }
            match flow {
                Flow::Next => self.at.position += 1,
                Flow::Moved => {
                    if self.budget == 0 {
                        return Ok(Stop::BudgetExhausted);
                    }
                }
                Flow::Stop(stop) => return Ok(stop),
            }
        }
    }

    /// Executes the next instruction alone. On `Flow::Next` the cursor is still to be moved.
    pub fn execute_one(&mut self) -> Result<Flow> {
        let code = &self.at.function.body.code;
        self.instruction(&code[self.at.position as usize])
    }

    #[inline(always)]
    fn instruction(&mut self, instruction: &'s I) -> Result<Flow> {
        match instruction {
            I::Move {
                destination,
                source,
            } => {
                let word = self.read(*source);
                self.write(*destination, word);
            }
            I::Binary {
                operation,
                scalar,
                poison_flags,
                destination,
                left,
                right,
            } => self.binary(
                *operation,
                *scalar,
                *poison_flags,
                *destination,
                *left,
                *right,
            )?,
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => self.compare(*comparison, *scalar, *destination, *left, *right)?,
            I::Load {
                scalar,
                ordering,
                volatile,
                destination,
                address,
            } => {
                let atomic = self.is_atomic(*ordering, *volatile);
                let word = self.read(*address);
                if !atomic && self.is_scalar_in_pieces(word, *scalar) {
                    return self.load_in_pieces(word, *scalar);
                }
                let order = self.order_of(*ordering, *volatile);
                let value = self.load(*scalar, word, atomic, order)?;
                self.write_scalar(*destination, *scalar, value);
            }
            I::Store {
                scalar,
                ordering,
                volatile,
                source,
                address,
            } => {
                let atomic = self.is_atomic(*ordering, *volatile);
                let (word, value) = (self.read(*address), self.read_scalar(*source, *scalar));
                if !atomic && self.is_scalar_in_pieces(word, *scalar) {
                    return self.store_in_pieces(word, *scalar, value);
                }
                let order = self.order_of(*ordering, *volatile);
                match self.delays() {
                    true => self.store_in_order(*scalar, word, value, atomic, *ordering, order)?,
                    false => self.store(*scalar, word, value, atomic, order)?,
                }
            }
            I::Jump { target } => return Ok(self.jump(*target)),
            I::Branch {
                condition,
                then,
                otherwise,
            } => {
                let word = self.read(*condition);
                if !word.is_defined() {
                    return error(
                        ErrorKind::UndefinedValue,
                        "a branch depends on an undefined value",
                    );
                }
                let target = if word.bits & 1 == 1 { then } else { otherwise };
                return Ok(self.jump(*target));
            }
            I::Call { site } => return self.call(*site),
            I::Return { values } => return self.return_from(*values),
            I::AddressOffset {
                destination,
                base,
                offset,
            } => {
                let base = self.read(*base);
                self.write(*destination, add_to_address(base, *offset));
            }
            I::AddressIndex {
                destination,
                base,
                index,
                width,
                scale,
            } => {
                let (base, index) = (self.read(*base), self.read(*index));
                let distance =
                    crate::value::signed(index.bits, *width as u32).wrapping_mul(*scale as i64);
                let mut word = add_to_address(base, distance);
                if !index.is_defined() {
                    word.undefined = !0;
                }
                self.write(*destination, word);
            }
            I::Convert {
                conversion,
                from,
                to,
                destination,
                source,
            } => self.convert(*conversion, *from, *to, *destination, *source)?,
            I::Select {
                scalar,
                destination,
                condition,
                then,
                otherwise,
            } => {
                let condition = self.read(*condition);
                let value = match (condition.is_defined(), condition.bits & 1) {
                    (false, _) => Value::undefined(scalar.bits()),
                    (_, 1) => self.read_scalar(*then, *scalar),
                    _ => self.read_scalar(*otherwise, *scalar),
                };
                self.write_scalar(*destination, *scalar, value);
            }
            other => return self.rare_instruction(other),
        }
        Ok(Flow::Next)
    }

    fn rare_instruction(&mut self, instruction: &'s I) -> Result<Flow> {
        match instruction {
            I::Undefine {
                destination,
                scalar,
            } => self.write_scalar(*destination, *scalar, Value::undefined(scalar.bits())),
            I::Float {
                operation,
                scalar,
                destination,
                left,
                right,
            } => {
                let left = self.read_scalar(*left, *scalar);
                let right = self.read_scalar(*right, *scalar);
                let value = float::binary(*operation, *scalar, left, right);
                self.write_scalar(*destination, *scalar, value);
            }
            I::FloatCompare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => {
                let left = self.read_scalar(*left, *scalar);
                let right = self.read_scalar(*right, *scalar);
                self.write(
                    *destination,
                    float::compare(*comparison, *scalar, left, right),
                );
            }
            I::Freeze {
                scalar,
                destination,
                source,
            } => {
                let mut value = self.read_scalar(*source, *scalar);
                (value.low.undefined, value.high.undefined) = (0, 0);
                self.write_scalar(*destination, *scalar, value);
            }
            I::Repack {
                from,
                to,
                destination,
                arguments,
            } => self.repack(*from, *to, *destination, *arguments),
            I::Compute {
                intrinsic,
                scalar,
                destination,
                arguments,
            } => self.compute(*intrinsic, *scalar, *destination, *arguments)?,
            I::Switch {
                scalar,
                value,
                cases,
                default,
            } => {
                let value = self.read_scalar(*value, *scalar);
                if !value.is_defined() {
                    return error(
                        ErrorKind::UndefinedValue,
                        "a switch depends on an undefined value",
                    );
                }
                let cases = &self.at.function.body.cases[cases.indices()];
                let case = cases.iter().find(|(v, _)| *v as u128 == value.bits());
                return Ok(self.jump(case.map_or(*default, |(_, target)| *target)));
            }
            I::IndirectJump { target, cases } => {
                let target = self.read(*target);
                let cases = &self.at.function.body.cases[cases.indices()];
                return match cases.iter().find(|case| case.0 == target.bits) {
                    Some(case) if target.is_defined() => Ok(self.jump(case.1)),
                    _ => error(
                        ErrorKind::InvalidPointer,
                        "a computed goto to what is no label of the function",
                    ),
                };
            }
            I::Unreachable => {
                return error(
                    ErrorKind::Unreachable,
                    "execution reaches a point that the compiler takes for unreachable",
                );
            }
            I::Unsupported { reason } => {
                return unsupported(self.at.function.body.names[*reason as usize].clone());
            }
            I::LandingPad { .. } => {
                return unsupported("a landing pad that is reached without an exception");
            }
            other => return self.memory_instruction(other),
        }
        Ok(Flow::Next)
    }

    #[inline]
    fn jump(&mut self, target: Position) -> Flow {
        if target.0 <= self.at.position {
            self.budget = self.budget.saturating_sub(1);
        }
        self.at.position = target.0;
        Flow::Moved
    }

    /// Fills a `va_list`: both register areas are used up, so that every argument is taken from the overflow area, which is the object
    /// made by the call. Under ILP32, the list is the address of the next argument.
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

/// `base + distance`, an address if the base is.
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
    }
}

/// Whether an address belongs to something that can be called.
pub fn is_function(address: Address) -> bool {
    matches!(address.object.kind(), ObjectKind::Function(_)) && address.offset == 0
}
