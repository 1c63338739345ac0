//! Which local variables live in slots of the frame instead of in memory.
//!
//! A variable (an `alloca`) is promoted if its address is used for nothing but loads and stores
//! inside the object, fills with a constant byte, copies of a constant into it, and the marks of
//! its lifetime, and if these accesses divide it into parts that do not overlap, each always
//! accessed as a whole. Each part is then a slot, and an access is a move.
//!
//! No behaviour is lost or gained: the address is stored nowhere, compared with nothing and passed
//! nowhere, so that no other code and no other thread can reach the object; each load gives what
//! the last store to the same bytes wrote, bit for bit, with the bits that are undefined and the
//! right to access that a pointer carries. Where memory would be undefined (a new object, one whose
//! lifetime starts or has ended) the slots are made undefined. Nothing is concluded from what is
//! undefined, as LLVM's own promotion does. An access that leaves the object keeps it in memory,
//! where the machine reports it; so does a volatile or atomic one.

use super::fold::constant_offset;
use super::llvm::{AtomicOrdering, Instruction, Opcode, Value};
use super::stem::stem;
use super::types::{Types, Unsupported};
use crate::instruction::{Scalar, Slot};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A variable of more parts stays in memory.
const MOST_PARTS: usize = 256;

/// A part of a promoted variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalPart {
    /// Where it starts in the variable, in bytes.
    pub offset: u64,
    /// Its type in one of the accesses; the others have types as wide.
    pub scalar: Scalar,
    /// Its first slot.
    pub slot: Slot,
}

/// A promoted variable: its parts, in order.
pub(super) type Local = Rc<Vec<LocalPart>>;

/// The promoted variables of a function.
#[derive(Default)]
pub(super) struct Promotion<'m> {
    /// For each address into a promoted variable, the variable and the offset.
    addresses: FxHashMap<Value<'m>, (Local, u64)>,
}

impl<'m> Promotion<'m> {
    /// Returns the promoted variable that an address points into, and the offset in bytes, or
    /// `None`.
    pub fn find(&self, address: Value<'m>) -> Option<(Local, u64)> {
        self.addresses.get(&address).cloned()
    }

    /// Promotes the variable of an `alloca` if that is possible; `slots` returns that many unused
    /// slots.
    pub fn consider(
        &mut self,
        alloca: Instruction<'m>,
        types: &mut Types<'m>,
        mut slots: impl FnMut(u32) -> Slot,
    ) -> Result<(), Unsupported> {
        let Some(count) = alloca.operand(0).integer() else {
            return Ok(());
        };
        let size = types
            .size(alloca.allocated_type())?
            .saturating_mul(count as u64);
        let mut uses = Uses {
            size,
            types,
            addresses: Vec::new(),
            accesses: Vec::new(),
            fills: Vec::new(),
        };
        if uses.collect(alloca.value(), 0).is_none() {
            return Ok(());
        }
        let Some(parts) = uses.parts() else {
            return Ok(());
        };
        let local: Local = Rc::new(
            parts
                .into_iter()
                .map(|(offset, scalar)| LocalPart {
                    offset,
                    scalar,
                    slot: slots(scalar.words()),
                })
                .collect(),
        );
        for (address, offset) in uses.addresses {
            self.addresses.insert(address, (local.clone(), offset));
        }
        Ok(())
    }
}

/// How the address of a variable is used.
struct Uses<'a, 'm> {
    size: u64,
    types: &'a mut Types<'m>,
    addresses: Vec<(Value<'m>, u64)>,
    accesses: Vec<(u64, Scalar)>,
    fills: Vec<std::ops::Range<u64>>,
}

impl<'m> Uses<'_, 'm> {
    /// Collects the uses of an address into the variable; `None` if one of them rules promotion
    /// out.
    fn collect(&mut self, address: Value<'m>, offset: u64) -> Option<()> {
        self.addresses.push((address, offset));
        for user in address.users() {
            let user = user.as_instruction()?;
            match user.opcode() {
                Opcode::LLVMLoad => {
                    self.access(user, user.ty(), offset)?;
                }
                Opcode::LLVMStore if user.operand(0) != address => {
                    self.access(user, user.operand(0).ty(), offset)?;
                }
                Opcode::LLVMGetElementPtr if user.operand(0) == address => {
                    let inner = constant_offset(user.value(), self.types)?;
                    let inner = offset.checked_add_signed(inner)?;
                    self.collect(user.value(), inner)?;
                }
                Opcode::LLVMCall => self.call(user, address, offset)?,
                _ => return None,
            }
        }
        Some(())
    }

    fn access(
        &mut self,
        access: Instruction<'m>,
        ty: super::llvm::Type<'m>,
        offset: u64,
    ) -> Option<()> {
        if access.is_volatile() || access.ordering() != AtomicOrdering::LLVMAtomicOrderingNotAtomic
        {
            return None;
        }
        let layout = self.types.layout(ty).ok()?;
        if layout.packed || self.accesses.len() + layout.parts.len() > 64 * MOST_PARTS {
            return None;
        }
        for part in &layout.parts {
            let start = offset.checked_add(part.offset)?;
            if start.checked_add(part.scalar.bytes().into())? > self.size {
                return None;
            }
            self.accesses.push((start, part.scalar));
        }
        Some(())
    }

    fn call(&mut self, call: Instruction<'m>, address: Value<'m>, offset: u64) -> Option<()> {
        let callee = call.callee();
        if !callee.is_intrinsic() {
            return None;
        }
        match stem(&callee.name()) {
            "lifetime.start" | "lifetime.end" => Some(()),
            "memset" | "memset.inline" if call.operand(0) == address => {
                let byte = call.operand(1).integer()?;
                if byte != 0 && self.types.is_ilp32() {
                    // Bytes that are no address of theirs may be one when they are read as such.
                    return None;
                }
                let length = u64::try_from(call.operand(2).integer()?).ok()?;
                let end = offset.checked_add(length)?;
                let volatile = call.operand(3).integer()? != 0;
                if volatile || end > self.size {
                    return None;
                }
                self.fills.push(offset..end);
                Some(())
            }
            "memcpy" | "memcpy.inline"
                if call.operand(0) == address && call.operand(1) != address =>
            {
                let length = u64::try_from(call.operand(2).integer()?).ok()?;
                let end = offset.checked_add(length)?;
                let from_constant =
                    call.operand(1).is_constant_variable() && !call.operand(1).is_thread_local();
                if !from_constant || call.operand(3).integer()? != 0 || end > self.size {
                    return None;
                }
                self.fills.push(offset..end);
                Some(())
            }
            _ => None,
        }
    }

    /// The parts into which the accesses divide the variable, if they do.
    fn parts(&mut self) -> Option<Vec<(u64, Scalar)>> {
        self.accesses
            .sort_by_key(|&(offset, scalar)| (offset, scalar.bits()));
        let mut parts: Vec<(u64, Scalar)> = Vec::new();
        for &(offset, scalar) in &self.accesses {
            if let Some(&(last, known)) = parts.last() {
                if last == offset
                    && known.bits() == scalar.bits()
                    && known.bytes() == scalar.bytes()
                    && known.words() == scalar.words()
                {
                    continue;
                }
                if last + u64::from(known.bytes()) > offset {
                    return None;
                }
            }
            parts.push((offset, scalar));
        }
        let whole = |&(offset, scalar): &(u64, Scalar)| {
            let end = offset + u64::from(scalar.bytes());
            self.fills.iter().all(|fill| {
                end <= fill.start
                    || fill.end <= offset
                    || (fill.start <= offset && end <= fill.end && scalar.bits() % 8 == 0)
            })
        };
        (parts.len() <= MOST_PARTS && parts.iter().all(whole)).then_some(parts)
    }
}
