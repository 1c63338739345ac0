//! Which local variables are new objects whenever their scopes begin again.
//!
//! A pointer to a variable of an earlier iteration of a loop is stale (C17, 6.2.4), although the
//! variable has one `alloca`. Its address is in one slot; to put the address of a new object
//! there is right if nothing that was computed from the old one is used for the new one. This
//! holds if one instruction begins all its scopes and dominates all uses: between two executions
//! of it and before the use, each value in between is computed again. What the program itself
//! holds over the beginning (in a variable, or in a phi that stands for it) is stale.
//!
//! A `goto` back within a block does not end the block, in C, and the variable remains the same
//! object; clang ends and begins its scope there all the same. So functions with labels are left
//! out, and so are those without debug information for variables, where labels would not show.

use super::llvm::{Block, Instruction as Source, Opcode, Value};
use super::stem::stem;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the blocks of a function.
#[derive(Default)]
pub(super) struct Scopes<'m> {
    /// Whether debug information names variables.
    pub has_variables: bool,
    /// Whether it names labels.
    pub has_labels: bool,
    /// Whether a call may return again (`setjmp`), which makes cycles that blocks do not show.
    pub returns_twice: bool,
    /// For a block, those that are reached without it; none if it is on no cycle.
    apart: FxHashMap<Block<'m>, Option<FxHashSet<Block<'m>>>>,
}

impl<'m> Scopes<'m> {
    /// Returns whether a variable is a new object when the mark `begins` is executed again.
    pub fn renews(&mut self, entry: Block<'m>, variable: Value<'m>, begins: Source<'m>) -> bool {
        let is_alloca = |value: Source<'_>| value.opcode() == Opcode::LLVMAlloca;
        if self.has_labels
            || !self.has_variables
            || !variable.as_instruction().is_some_and(is_alloca)
        {
            return false;
        }
        let Some(home) = begins.block() else {
            return false;
        };
        let apart = self.apart.entry(home);
        let may_repeat = self.returns_twice || is_on_cycle(home);
        let apart = apart.or_insert_with(|| may_repeat.then(|| reached(entry, Some(home))));
        let Some(apart) = apart else {
            return false;
        };
        let before = |user: Source<'m>| match user.block() {
            Some(block) if block == home => {
                let mut earlier = home.instructions().take_while(|&i| i != begins);
                earlier.any(|i| i == user)
            }
            Some(block) => apart.contains(&block),
            None => true,
        };
        variable.users().all(|user| {
            user.as_instruction()
                .is_some_and(|user| match lifetime(user) {
                    Some(true) => user == begins,
                    Some(false) => true,
                    None => !before(user),
                })
        })
    }
}

/// Whether an instruction is the mark of a beginning or an end of a scope, and of which.
fn lifetime(instruction: Source<'_>) -> Option<bool> {
    if instruction.opcode() != Opcode::LLVMCall || !instruction.callee().is_intrinsic() {
        return None;
    }
    match stem(&instruction.callee().name()) {
        "lifetime.start" => Some(true),
        "lifetime.end" => Some(false),
        _ => None,
    }
}

fn successors<'m>(block: Block<'m>) -> impl Iterator<Item = Block<'m>> {
    block.terminator().into_iter().flat_map(Source::successors)
}

/// The blocks that are reached from one, which is one of them, not through `without`.
fn reached<'m>(from: Block<'m>, without: Option<Block<'m>>) -> FxHashSet<Block<'m>> {
    let mut reached = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if Some(block) != without && reached.insert(block) {
            stack.extend(successors(block));
        }
    }
    reached
}

fn is_on_cycle(block: Block<'_>) -> bool {
    successors(block).any(|next| reached(next, None).contains(&block))
}
