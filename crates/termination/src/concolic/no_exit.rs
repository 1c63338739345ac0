//! Loops that nothing leaves.
//!
//! If no path from a header leads out of its function or to anything that may fail, an execution
//! that reaches the header never terminates, whatever it computes. Paths are followed through the
//! functions that the loop calls, to their returns. Instructions that may fail are those that read
//! what may be undefined, divisions and shifts by what is not a constant, accesses to memory other
//! than to whole global variables, and calls of the library but for those of `returning`.

use super::returning::returns;
use super::run::{Bounds, Subject, are_defined};
use super::trace::{Trace, Visit};
use crate::problem::Overflow;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{
    BinaryOperation, CallSite, Callee, Conversion, Instruction, Operand, Place, Position, Slot,
};
use impasse_program::link::{Function, FunctionId, Target};
use impasse_program::word::Word;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How many instructions are followed.
const MOST: usize = 100_000;

/// What must be assumed about signed overflow so that nothing leaves the loop whose header an
/// execution visits; `None` if something may leave it.
pub fn is_never_left(subject: &Subject<'_>, trace: &Trace, visit: &Visit) -> Option<Overflow> {
    let unset = visit.slots.iter().filter(|(_, known)| known.undefined);
    let mut walk = Walk {
        subject,
        overflow: Overflow::Undefined,
        left: MOST,
        active: Vec::new(),
        done: FxHashSet::default(),
        read: BTreeSet::new(),
    };
    let header = visit.place;
    walk.active.push(header.function);
    walk.follow(
        header.function,
        header.position,
        unset.map(|(slot, _)| slot.0).collect(),
        Until::Never,
    )?;
    let bounds = Bounds {
        steps: visit.step as usize,
        inputs: trace.values.len(),
        skip: trace.skipped,
    };
    let read: Vec<(Address, u32)> = walk
        .read
        .iter()
        .map(|&(bits, bytes)| (Address::from_bits(bits), bytes))
        .collect();
    are_defined(subject, &trace.values, bounds, &read).then_some(walk.overflow)
}

/// Up to where paths are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// A return leaves the loop.
    Never,
    /// A return continues in the loop.
    Return,
}

struct Walk<'w, 's> {
    subject: &'w Subject<'s>,
    overflow: Overflow,
    left: usize,
    /// The functions that the paths are in, outermost first. One that calls itself may exhaust the
    /// stack.
    active: Vec<FunctionId>,
    /// The functions that return or run forever.
    done: FxHashSet<FunctionId>,
    /// The bytes of global variables that are read.
    read: BTreeSet<(u64, u32)>,
}

impl Walk<'_, '_> {
    /// Follows all paths from a position, where these slots may be undefined. `None` if one leads
    /// to what may fail, or to a return that it must not get to.
    fn follow(
        &mut self,
        id: FunctionId,
        from: Position,
        unset: BTreeSet<u32>,
        until: Until,
    ) -> Option<()> {
        let function = self.subject.system.program.function(id);
        let body = &function.body;
        let mut unset_at: FxHashMap<u32, BTreeSet<u32>> = FxHashMap::default();
        unset_at.insert(from.0, unset);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            self.left = self.left.checked_sub(1)?;
            let instruction = &body.code[at.0 as usize];
            if matches!(instruction, Instruction::Return { .. }) && until == Until::Never {
                return None;
            }
            let after = assigned(function, instruction, &unset_at[&at.0]);
            let after = after.filter(|_| self.cannot_fail(function, instruction).is_some());
            let Some(after) = after else {
                tracing::debug!(function = id.0, ?instruction, "may leave the loop");
                return None;
            };
            instruction.for_each_successor(body, at, |next| {
                let live = &body.live_sets[body.live[next.0 as usize] as usize];
                let is_live = |slot: &u32| live.contains(&Slot(*slot));
                let live: BTreeSet<u32> = after.iter().copied().filter(is_live).collect();
                match unset_at.get_mut(&next.0) {
                    None => {
                        unset_at.insert(next.0, live);
                        open.push(next);
                    }
                    Some(known) if !live.is_subset(known) => {
                        known.extend(live);
                        open.push(next);
                    }
                    Some(_) => {}
                }
            });
        }
        Some(())
    }

    /// `None` if an instruction may fail where all that it reads is defined.
    fn cannot_fail(&mut self, function: &Function, instruction: &Instruction) -> Option<()> {
        use Instruction as I;
        if let I::Binary { poison_flags, .. } = instruction
            && poison_flags.no_signed_wrap
        {
            self.overflow = Overflow::Wraps;
        }
        let is_fine = match instruction {
            I::Move { .. }
            | I::Undefine { .. }
            | I::Compare { .. }
            | I::Float { .. }
            | I::FloatCompare { .. }
            | I::Select { .. }
            | I::Freeze { .. }
            | I::AddressOffset { .. }
            | I::Jump { .. }
            | I::Branch { .. }
            | I::Switch { .. }
            | I::Return { .. } => true,
            I::Convert { conversion, .. } => matches!(
                conversion,
                Conversion::Truncate
                    | Conversion::ZeroExtend
                    | Conversion::SignExtend
                    | Conversion::FloatTruncate
                    | Conversion::FloatExtend
                    | Conversion::UnsignedToFloat
                    | Conversion::SignedToFloat
            ),
            I::Binary {
                operation,
                right,
                scalar,
                ..
            } => {
                use BinaryOperation as B;
                let right = constant(function, *right).map(|word| word.bits);
                match operation {
                    B::UnsignedDivide | B::UnsignedRemainder => right.is_some_and(|by| by != 0),
                    B::SignedDivide | B::SignedRemainder => {
                        // Neither zero nor minus one.
                        right.is_some_and(|by| (2..1 << 31).contains(&by))
                    }
                    B::ShiftLeft | B::LogicalShiftRight | B::ArithmeticShiftRight => {
                        right.is_some_and(|by| by < u64::from(scalar.bits()))
                    }
                    _ => true,
                }
            }
            I::Load {
                scalar, address, ..
            } => {
                let from = constant(function, *address)?;
                self.read.insert((from.bits, scalar.bytes()));
                is_inside(self.subject, from, scalar.bytes(), Access::Read)
            }
            I::Store {
                scalar, address, ..
            } => {
                let to = constant(function, *address)?;
                is_inside(self.subject, to, scalar.bytes(), Access::Write)
            }
            I::Call { site } => {
                return self.call(function, site.0 as usize);
            }
            _ => false,
        };
        is_fine.then_some(())
    }

    /// `None` if a call may fail to return, or to run forever.
    fn call(&mut self, function: &Function, site: usize) -> Option<()> {
        let call: &CallSite = &function.body.sites[site];
        let is_direct = matches!(call.callee, Callee::Symbol(_));
        if !is_direct || call.returns_twice || call.landing.is_some() {
            return None;
        }
        let Target::Function(id) = function.targets[site] else {
            return None;
        };
        let system = self.subject.system;
        let info = system.program.info(id);
        if call.results != info.signature.results {
            return None;
        }
        if !system.own[id.0 as usize] {
            return returns(&system.program, &info.name, function, call).then_some(());
        }
        if !function.simple[site] || self.active.contains(&id) {
            return None;
        }
        if self.done.contains(&id) {
            return Some(());
        }
        let body = &system.program.function(id).body;
        let parameters = &info.signature.parameters;
        let given: u32 = parameters.iter().map(|scalar| scalar.words()).sum();
        let live = &body.live_sets[body.live[0] as usize];
        let unset = live.iter().map(|slot| slot.0).filter(|&slot| slot >= given);
        self.active.push(id);
        self.follow(id, Position(0), unset.collect(), Until::Return)?;
        self.active.pop();
        self.done.insert(id);
        Some(())
    }
}

/// The slots that may be undefined after an instruction, where these may be before it; `None` if it
/// may do anything else with one of them than move it.
fn assigned(
    function: &Function,
    instruction: &Instruction,
    unset: &BTreeSet<u32>,
) -> Option<BTreeSet<u32>> {
    let mut reads_unset = false;
    instruction.for_each_operand(&function.body, |operand, words| {
        reads_unset |= match operand.place() {
            Place::Slot(slot) => (slot.0..slot.0 + words).any(|slot| unset.contains(&slot)),
            Place::Constant(index) => {
                let mut words = function.constants[index as usize..]
                    .iter()
                    .take(words as usize);
                !words.all(|word| word.is_defined())
            }
        };
    });
    let makes_unset = match instruction {
        Instruction::Undefine { .. } => true,
        Instruction::Move { .. } => reads_unset,
        Instruction::Freeze { .. } => false,
        _ if reads_unset => return None,
        _ => false,
    };
    let mut after = unset.clone();
    instruction.for_each_definition(&function.body, |slot| {
        match makes_unset {
            true => after.insert(slot.0),
            false => after.remove(&slot.0),
        };
    });
    Some(after)
}

fn constant(function: &Function, operand: Operand) -> Option<Word> {
    match operand.place() {
        Place::Constant(index) => Some(function.constants[index as usize]),
        Place::Slot(_) => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// Whether so many bytes at an address lie in a global variable, which the program may write if it
/// does.
fn is_inside(subject: &Subject<'_>, address: Word, bytes: u32, access: Access) -> bool {
    let program = &subject.system.program;
    let address = Address::from_bits(address.bits);
    let ObjectKind::Global(number) = address.object.kind() else {
        return false;
    };
    let global = program.globals().get(number as usize);
    let end = address.offset.checked_add(i64::from(bytes));
    global.is_some_and(|global| {
        let size = global.bytes.len() as i64;
        let aligned = address.offset % i64::from(bytes.max(1)) == 0;
        let is_writable = !global.constant || access == Access::Read;
        is_writable
            && !global.thread_local
            && aligned
            && address.offset >= 0
            && end.is_some_and(|end| end <= size)
    })
}
