//! Which of `malloc`, `new` and `new[]` an allocation is of: only `free`, `delete` and `delete[]`
//! may give it back, in this order.
//!
//! The library's `operator new` calls `malloc`, and its `operator new[]` calls `operator new`, as
//! `operator delete` calls `free`: the frames tell. What an operator of the program allocates is of
//! `malloc`. A program may replace some of the operators only, and rely on what the others do, so
//! families are not compared in one that replaces any.

use crate::base::fault::{ErrorKind, Result, error};
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Returned};
use crate::state::memory::object::{Class, Flags};
use impasse_program::address::ObjectId;
use impasse_program::link::FunctionId;
use impasse_program::word::Word;

pub(crate) const BUILTINS: &[Builtin] = &[Builtin::new("__impasse_check_size", 2, check_size)];

/// What the linkage names of operators that a program may replace have behind `_Znw` and the like:
/// sizes, alignments and `std::nothrow`.
const PARAMETERS: [&str; 10] = [
    "m",
    "mRKSt9nothrow_t",
    "mSt11align_val_t",
    "mSt11align_val_tRKSt9nothrow_t",
    "Pv",
    "Pvm",
    "PvRKSt9nothrow_t",
    "PvSt11align_val_t",
    "PvmSt11align_val_t",
    "PvSt11align_val_tRKSt9nothrow_t",
];

/// The family of an operator `new` or `delete` that a program may replace.
fn operator(name: &str) -> Option<Class> {
    let (start, parameters) = name.split_at_checked(4)?;
    let family = match start {
        "_Znw" | "_Zdl" => Class::New,
        "_Zna" | "_Zda" => Class::NewArray,
        _ => return None,
    };
    PARAMETERS.contains(&parameters).then_some(family)
}

impl Machine<'_> {
    /// The family that the running call allocates, or gives back.
    pub(crate) fn family(&self) -> Class {
        let Some(innermost) = self.operator(self.at.id) else {
            return Class::Heap;
        };
        let frames = self.frames_inside_out(self.running);
        let operators = frames.map_while(|frame| self.operator(frame.function));
        operators.fold(innermost, |family, operator| match operator {
            Class::NewArray => operator,
            _ => family,
        })
    }

    /// The family of an operator of the library: `new` (or `delete`), or `new[]`.
    fn operator(&self, function: FunctionId) -> Option<Class> {
        let info = self.program.info(function);
        operator(&info.name).filter(|_| !self.program.is_users(info.unit))
    }

    #[cold]
    fn replaces_operators(&self) -> bool {
        let functions = (0..self.program.functions()).map(|n| self.program.info(FunctionId(n)));
        functions
            .filter(|info| self.program.is_users(info.unit))
            .any(|info| operator(&info.name).is_some())
    }

    /// Fails if an allocation is of another family than the running call, which is `function`
    /// unless an operator has called that.
    pub(crate) fn check_family(&self, object: ObjectId, function: &str) -> Result<()> {
        let allocated = self.memory.get(object).map(|object| object.class());
        let family = self.family();
        if allocated.is_none_or(|allocated| allocated == family) || self.replaces_operators() {
            return Ok(());
        }
        let allocator = match allocated {
            Some(Class::New) => "new",
            Some(Class::NewArray) => "new[]",
            _ => "malloc",
        };
        let function = match family {
            Class::New => "delete",
            Class::NewArray => "delete[]",
            _ => function,
        };
        let name = self.memory.describe(object);
        error(
            ErrorKind::InvalidFree,
            format!("frees {name} with {function}, but {allocator} allocated it"),
        )
    }
}

/// A sized `operator delete` must get the size that was allocated. Whether the address can be
/// deleted at all is seen when it is.
fn check_size(machine: &mut Machine<'_>, arguments: &[Word]) -> Result<Returned> {
    let address = machine.memory.address(arguments[0])?;
    let family = machine.family();
    let object = machine.memory.get(address.object).filter(|object| {
        let is_there = !object.flags().has(Flags::FREED);
        is_there && object.class() == family && address.offset == 0
    });
    let Some(allocated) = object.map(|object| u64::from(object.size())) else {
        return Ok(Returned::Nothing);
    };
    let bytes = machine.defined(arguments[1], "the size of a deleted object")?;
    // An allocation of no bytes has one.
    if bytes.max(1) == allocated {
        return Ok(Returned::Nothing);
    }
    let name = machine.memory.describe(address.object);
    error(
        ErrorKind::InvalidFree,
        format!("deletes {name} as {bytes} bytes, but it was allocated with {allocated}"),
    )
}
