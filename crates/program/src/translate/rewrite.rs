//! Changing the operands and destinations of instructions in place.

use crate::instruction::{Body, CallSite, Callee, Instruction, Operand, Place, Slot};

impl Body {
    /// Calls `visit` with every operand that the instruction at `index` reads, for change, and the number of words that it has.
    /// Operand lists belong to one instruction each, so that no other one changes with it.
    pub(super) fn change_operands(
        &mut self,
        index: usize,
        mut visit: impl FnMut(&mut Operand, u32),
    ) {
        use Instruction as I;
        let Body {
            code,
            operands,
            sites,
            ..
        } = self;
        match &mut code[index] {
            I::Move { source, .. } => visit(source, 1),
            I::Binary {
                scalar,
                left,
                right,
                ..
            }
            | I::Compare {
                scalar,
                left,
                right,
                ..
            }
            | I::Float {
                scalar,
                left,
                right,
                ..
            }
            | I::FloatCompare {
                scalar,
                left,
                right,
                ..
            } => {
                visit(left, scalar.words());
                visit(right, scalar.words());
            }
            I::Convert { from, source, .. } => visit(source, from.words()),
            I::Select {
                scalar,
                condition,
                then,
                otherwise,
                ..
            } => {
                visit(condition, 1);
                visit(then, scalar.words());
                visit(otherwise, scalar.words());
            }
            I::Freeze { scalar, source, .. } => visit(source, scalar.words()),
            I::Repack {
                from, arguments, ..
            } => operands[arguments.indices()]
                .iter_mut()
                .for_each(|argument| visit(argument, from.words())),
            I::Compute {
                intrinsic,
                scalar,
                arguments,
                ..
            } => {
                for (position, argument) in operands[arguments.indices()].iter_mut().enumerate() {
                    visit(argument, intrinsic.argument_words(position, *scalar));
                }
            }
            I::AddressOffset { base: address, .. }
            | I::Allocate { count: address, .. }
            | I::LifetimeStart { address }
            | I::LifetimeEnd { address }
            | I::StackRestore { saved: address }
            | I::Load { address, .. }
            | I::VariableArgumentsStart { list: address }
            | I::Branch {
                condition: address, ..
            }
            | I::IndirectJump {
                target: address, ..
            } => visit(address, 1),
            I::AddressIndex { base, index, .. } => {
                visit(base, 1);
                visit(index, 1);
            }
            I::Store {
                scalar,
                source,
                address,
                ..
            }
            | I::Update {
                scalar,
                source,
                address,
                ..
            } => {
                visit(address, 1);
                visit(source, scalar.words());
            }
            I::CompareExchange {
                scalar,
                address,
                expected,
                replacement,
                ..
            } => {
                visit(address, 1);
                visit(expected, scalar.words());
                visit(replacement, scalar.words());
            }
            I::CopyMemory {
                destination: first,
                source: second,
                bytes: third,
                ..
            }
            | I::FillMemory {
                destination: first,
                value: second,
                bytes: third,
            } => {
                visit(first, 1);
                visit(second, 1);
                visit(third, 1);
            }
            I::VariableArgumentsCopy {
                destination,
                source,
            } => {
                visit(destination, 1);
                visit(source, 1);
            }
            I::Switch { scalar, value, .. } => visit(value, scalar.words()),
            I::Call { site } => change_call(&mut sites[site.0 as usize], visit),
            I::Return { values } => operands[values.indices()]
                .iter_mut()
                .for_each(|value| visit(value, 1)),
            I::Undefine { .. }
            | I::StackSave { .. }
            | I::ThreadLocal { .. }
            | I::Fence { .. }
            | I::NonTemporal
            | I::Jump { .. }
            | I::LandingPad { .. }
            | I::Unreachable
            | I::Unsupported { .. } => {}
        }
    }

    /// Whether every position, slot and constant that the body mentions is there, and its end is not run over.
    pub(super) fn is_consistent(&self) -> bool {
        let (length, slots) = (self.code.len(), self.slots);
        let mut consistent = self.locations.len() == length
            && self.code.last().is_some_and(|last| !last.falls_through());
        for instruction in &self.code {
            instruction.for_each_target(self, |target| consistent &= (target.0 as usize) < length);
            instruction.for_each_definition(self, |slot| consistent &= slot.0 < slots);
            instruction.for_each_operand(self, |operand, words| {
                consistent &= match operand.place() {
                    Place::Slot(slot) => slot.0 + words <= slots,
                    Place::Constant(index) => (index + words) as usize <= self.constants.len(),
                };
            });
        }
        consistent
    }

    /// The first slot that the instruction at `index` assigns, for change.
    pub(super) fn destination_mut(&mut self, index: usize) -> Option<&mut Slot> {
        use Instruction as I;
        match &mut self.code[index] {
            I::Move { destination, .. }
            | I::Undefine { destination, .. }
            | I::Binary { destination, .. }
            | I::Compare { destination, .. }
            | I::Float { destination, .. }
            | I::FloatCompare { destination, .. }
            | I::Convert { destination, .. }
            | I::Select { destination, .. }
            | I::Freeze { destination, .. }
            | I::Repack { destination, .. }
            | I::Compute { destination, .. }
            | I::AddressOffset { destination, .. }
            | I::AddressIndex { destination, .. }
            | I::Allocate { destination, .. }
            | I::StackSave { destination }
            | I::ThreadLocal { destination, .. }
            | I::Load { destination, .. }
            | I::Update { destination, .. }
            | I::CompareExchange { destination, .. }
            | I::LandingPad { destination, .. } => Some(destination),
            I::Call { site } => Some(&mut self.sites[site.0 as usize].destination),
            _ => None,
        }
    }
}

fn change_call(site: &mut CallSite, mut visit: impl FnMut(&mut Operand, u32)) {
    if let Callee::Address(address) = &mut site.callee {
        visit(address, 1);
    }
    for argument in &mut site.arguments {
        visit(&mut argument.value, argument.scalar.words());
    }
}
