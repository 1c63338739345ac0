//! Executions over unbounded integers that continue where a number leaves its type.
//!
//! The machine executes a program without inputs as it is. Beside it, each slot whose number does
//! not fit its type has that number (`Exact`). An instruction that reads such a slot is
//! evaluated over integers, and the outcome of a comparison takes the place of the machine's: so
//! the program takes the path that it takes over integers. A conversion between integer types
//! leaves a number as it is. What cannot be followed so (a number that leaves its type in memory,
//! in a call, in a mask or an index) ends the attempt: then nothing is claimed.
//!
//! *Signs.* Types have no sign here, but operations show it (`wraps`), which needs the
//! compiler's promise that signed numbers do not overflow. Where no operation shows it, a number
//! whose highest bit is set is not followed.

use super::builtins::is_followed;
use super::environment::answer;
use super::run::Subject;
use super::run::outside::sees_address;
use super::signs::{Sign, Signs};
use super::wraps::{Wrap, is_negative, signed, wrap};
use impasse_machine::machine::builtin::Builtin;
use impasse_machine::system::sequential::{Progress, Sequential};
use impasse_program::instruction::{
    BinaryOperation, Comparison, Conversion, Instruction, Operand, Place, Scalar, Slot,
};
use impasse_program::link::Target;
use impasse_program::word::{Word, mask};
use rustc_hash::FxHashMap;

/// Checks that a program without inputs ends over unbounded integers within `most` instructions.
/// `Err` says why that is not known.
pub fn ends(subject: &Subject<'_>, most: usize) -> Result<(), String> {
    if subject.test.is_some() || subject.globals.is_some() {
        return Err("a function under test, or globals that are inputs, are not followed".into());
    }
    let mut exact = Exact {
        subject,
        machine: Sequential::new(subject.system),
        entered: None,
        numbers: FxHashMap::default(),
        signs: Signs::default(),
    };
    for count in 0..most {
        let is_over = match exact.is_inside() {
            true => exact.step()?,
            false => exact.pass()?,
        };
        if is_over {
            return Ok(());
        }
        if subject.is_late(count) {
            break;
        }
    }
    Err("it runs longer than the search followed it".into())
}

struct Exact<'a, 's> {
    subject: &'a Subject<'s>,
    machine: Sequential<'s>,
    /// The depth of the frame of the function where the program starts, once it was entered.
    entered: Option<usize>,
    /// The numbers that do not fit their slots, by depth of the frame.
    numbers: FxHashMap<(usize, Slot), i128>,
    /// As what the other numbers were made.
    signs: Signs,
}

impl Exact<'_, '_> {
    /// Whether the program is between its entry and its exit.
    fn is_inside(&mut self) -> bool {
        let (place, depth) = (self.machine.place(), self.machine.depth());
        let is_start = place.position.0 == 0;
        if is_start && place.function == self.subject.entry && self.entered.is_none() {
            self.entered = Some(depth);
        }
        if is_start && place.function == self.subject.system.exit {
            self.entered = Some(usize::MAX);
        }
        self.entered.is_some_and(|entered| depth >= entered)
    }

    /// Executes one instruction of what the library does before and after; whether the program has
    /// ended.
    fn pass(&mut self) -> Result<bool, String> {
        if self.machine.in_users_code() {
            return Err("code of the program runs before its entry or after its exit".into());
        }
        match self.machine.step() {
            Progress::On => Ok(false),
            Progress::Exit(_) => Ok(true),
            Progress::Halted(_) => Err("its exit is not followed".into()),
        }
    }

    /// Executes one instruction; whether the program has ended.
    fn step(&mut self) -> Result<bool, String> {
        let instruction = self.machine.next();
        let body = &self.machine.function().body;
        let depth = self.machine.depth();
        let mut is_exact = false;
        if !self.numbers.is_empty() {
            instruction.for_each_operand(body, |operand, _| {
                is_exact |= self.number(operand).is_some();
            });
        }
        let known = match instruction {
            Instruction::Call { .. } => {
                self.check_call()?;
                None
            }
            Instruction::Load { volatile: true, .. } if self.machine.in_users_code() => {
                return Err("what volatile variables hold is not known".into());
            }
            _ if self.sees_address(instruction) => {
                return Err("it depends on where objects lie".into());
            }
            _ if is_exact || self.wraps(instruction) => Some(self.evaluate(instruction)?),
            _ => None,
        };
        if is_exact && known.is_none() || self.misreads(instruction) {
            return Err(self.lost());
        }
        let made = self.made(instruction).filter(|_| known.is_none());
        let defined = instruction.definitions(body);
        match self.machine.step() {
            Progress::On => {}
            Progress::Exit(_) => return Ok(true),
            Progress::Halted(_) => return Err(self.lost()),
        }
        if self.machine.is_parallel() {
            return Err("it starts a thread".into());
        }
        if let Some((first, count)) = defined {
            for slot in first.0..first.0 + count {
                self.numbers.remove(&(depth, Slot(slot)));
            }
            let word = made.map(|made| (made, self.machine.slots()[first.0 as usize]));
            if let Some(((sign, width), word)) = word.filter(|(_, word)| word.is_defined()) {
                self.signs.note(sign, word.bits, width);
            }
        }
        let now = self.machine.depth();
        if now < depth {
            self.numbers.retain(|&(of, _), _| of <= now);
        }
        match known {
            Some(Known::Number(slot, number, width)) => match fits(number, width) {
                Some(bits) => self.machine.assign(slot, Word::number(bits)),
                None => {
                    self.numbers.insert((depth, slot), number);
                }
            },
            Some(Known::Outcome(slot, holds)) => {
                self.machine.assign(slot, Word::number(holds.into()));
            }
            None => {}
        }
        Ok(false)
    }

    fn lost(&self) -> String {
        format!(
            "a number leaves its type, and is not followed at {}",
            self.machine.own_place()
        )
    }

    /// The number in a slot, if it does not fit.
    fn number(&self, operand: Operand) -> Option<i128> {
        match operand.place() {
            Place::Slot(slot) => self.numbers.get(&(self.machine.depth(), slot)).copied(),
            Place::Constant(_) => None,
        }
    }

    /// Whether an instruction of the program's own makes a number that does not fit.
    fn wraps(&self, instruction: &Instruction) -> bool {
        let wraps = |wrap: Option<Wrap>| wrap.is_some();
        self.machine.in_users_code()
            && wraps(wrap(instruction, is_constant, |operand| {
                self.machine.read(operand)
            }))
    }

    /// Whether an instruction of the program's own reads a number with another sign than it was
    /// made with.
    fn misreads(&self, instruction: &Instruction) -> bool {
        let read = |operand| self.machine.read(operand);
        self.machine.in_users_code() && self.signs.misreads(instruction, read)
    }

    /// As what an instruction of the program's own makes its result.
    fn made(&self, instruction: &Instruction) -> Option<(Sign, u32)> {
        let read = |operand| self.machine.read(operand);
        self.signs
            .result(instruction, read)
            .filter(|_| self.machine.in_users_code())
    }

    fn sees_address(&self, instruction: &Instruction) -> bool {
        self.machine.in_users_code()
            && sees_address(instruction, |operand| self.machine.read(operand))
    }

    /// Calls must not pass a number that does not fit, nor ask for what comes from outside.
    fn check_call(&self) -> Result<(), String> {
        let system = self.subject.system;
        let is_outside = |name: &str| self.machine.in_users_code() && answer(name).is_some();
        let (name, is_known) = match self.machine.call() {
            Some((_, Target::Builtin(id))) => {
                let name = Builtin::from_id(id).name();
                let reads_input = name == "__impasse_snapshot_size";
                (name, is_followed(name) && !reads_input && !is_outside(name))
            }
            Some((site, Target::Function(id))) => {
                let name = &system.program.info(id).name;
                let is_asked = !system.own[id.0 as usize] && is_outside(name);
                (name.as_str(), !is_asked && !self.machine.converts(site, id))
            }
            _ => ("something that is no function", false),
        };
        match is_known {
            true => Ok(()),
            false => Err(format!("it calls {name}")),
        }
    }

    /// What an instruction gives over integers.
    fn evaluate(&self, instruction: &Instruction) -> Result<Known, String> {
        use Instruction as I;
        let known = match *instruction {
            I::Move {
                destination,
                source,
            } => self
                .number(source)
                .map(|n| Known::Number(destination, n, 0)),
            I::Convert {
                conversion: Conversion::Truncate | Conversion::ZeroExtend | Conversion::SignExtend,
                from,
                to,
                destination,
                source,
            } if to.bits() > 1 => {
                let number = self.read(source, from, None);
                number.map(|n| Known::Number(destination, n, to.bits()))
            }
            I::Binary {
                operation,
                scalar,
                poison_flags,
                destination,
                left,
                right,
            } => self
                .binary(
                    operation,
                    scalar,
                    poison_flags.no_signed_wrap,
                    (left, right),
                )
                .map(|n| Known::Number(destination, n, scalar.bits())),
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => self
                .compare(comparison, scalar, (left, right))
                .map(|holds| Known::Outcome(destination, holds)),
            _ => None,
        };
        known.ok_or_else(|| self.lost())
    }

    /// The number that an operand is, read with sign or without; none if that is not known.
    fn read(&self, operand: Operand, scalar: Scalar, with_sign: Option<bool>) -> Option<i128> {
        if let Some(number) = self.number(operand) {
            return Some(number);
        }
        let (word, width) = (self.machine.read(operand), scalar.bits());
        let (number, plain) = (signed(word.bits, width), word.bits & mask(width));
        let is_number = word.is_defined() && !word.pointer && scalar.words() == 1;
        let read = match with_sign {
            Some(true) => number,
            Some(false) => i128::from(plain),
            None if number >= 0 => number,
            None => return None,
        };
        is_number.then_some(read)
    }

    fn binary(
        &self,
        operation: BinaryOperation,
        scalar: Scalar,
        with_sign: bool,
        (left, right): (Operand, Operand),
    ) -> Option<i128> {
        use BinaryOperation as B;
        let a = self.read(left, scalar, Some(with_sign))?;
        // What subtracts a constant without sign adds one whose highest bit is set.
        let bits = self.machine.read(right).bits;
        let subtracts = operation == B::Add && is_constant(right);
        let subtracts = subtracts && is_negative(bits, scalar.bits());
        let b = self.read(right, scalar, Some(with_sign || subtracts))?;
        let positive = a >= 0 && b > 0;
        match operation {
            B::Add => a.checked_add(b),
            B::Subtract => a.checked_sub(b),
            B::Multiply => a.checked_mul(b),
            B::UnsignedDivide | B::SignedDivide if positive => Some(a / b),
            B::UnsignedRemainder | B::SignedRemainder if positive => Some(a % b),
            _ => None,
        }
    }

    fn compare(
        &self,
        comparison: Comparison,
        scalar: Scalar,
        (left, right): (Operand, Operand),
    ) -> Option<bool> {
        use Comparison as C;
        let with_sign = match comparison {
            C::Equal | C::NotEqual => None,
            C::SignedGreater | C::SignedGreaterEqual | C::SignedLess | C::SignedLessEqual => {
                Some(true)
            }
            _ => Some(false),
        };
        let a = self.read(left, scalar, with_sign)?;
        let b = self.read(right, scalar, with_sign)?;
        if with_sign == Some(false) && (a < 0 || b < 0) {
            return None;
        }
        Some(match comparison {
            C::Equal => a == b,
            C::NotEqual => a != b,
            C::UnsignedGreater | C::SignedGreater => a > b,
            C::UnsignedGreaterEqual | C::SignedGreaterEqual => a >= b,
            C::UnsignedLess | C::SignedLess => a < b,
            C::UnsignedLessEqual | C::SignedLessEqual => a <= b,
        })
    }
}

/// What is known of the slot that an instruction assigns.
enum Known {
    /// Its number, and the width of its type.
    Number(Slot, i128, u32),
    /// The outcome of a comparison.
    Outcome(Slot, bool),
}

/// The bits of a number, if they mean the same with sign and without.
fn fits(number: i128, width: u32) -> Option<u64> {
    let bits = u64::try_from(number).ok()?;
    (width > 0 && width <= 64 && bits <= mask(width) >> 1).then_some(bits)
}

fn is_constant(operand: Operand) -> bool {
    matches!(operand.place(), Place::Constant(_))
}
