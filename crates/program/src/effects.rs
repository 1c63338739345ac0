//! What each instruction reads and assigns, and where execution continues. Reading and rewriting
//! derive from the same two lists (`visit_operands`, `destination`).

use crate::instruction::{
    Body, Callee, Instruction, Intrinsic, Operand, Place, Position, Range, Scalar, Slot,
};

impl Intrinsic {
    /// Returns whether the first result is followed by a second one of one bit: whether it
    /// overflows.
    pub const fn has_overflow_flag(self) -> bool {
        matches!(
            self,
            Intrinsic::SignedAddOverflow
                | Intrinsic::UnsignedAddOverflow
                | Intrinsic::SignedSubtractOverflow
                | Intrinsic::UnsignedSubtractOverflow
                | Intrinsic::SignedMultiplyOverflow
                | Intrinsic::UnsignedMultiplyOverflow
        )
    }

    /// Returns the number of words of the argument with this index, where the operation works on
    /// `scalar`.
    pub const fn argument_words(self, index: usize, scalar: Scalar) -> u32 {
        match self {
            Intrinsic::CountLeadingZeros
            | Intrinsic::CountTrailingZeros
            | Intrinsic::Absolute
            | Intrinsic::IsFloatClass
            | Intrinsic::PointerMask
                if index > 0 =>
            {
                1
            }
            _ => scalar.words(),
        }
    }

    /// Returns the number of words of all results, where the operation works on `scalar`.
    pub const fn result_words(self, scalar: Scalar) -> u32 {
        match self {
            Intrinsic::IsFloatClass => 1,
            _ => scalar.words() + self.has_overflow_flag() as u32,
        }
    }
}

impl Body {
    /// Returns the operands of a range of this body.
    pub fn operands_in(&self, range: Range) -> &[Operand] {
        &self.operands[range.indices()]
    }
}

/// Visits the operands that an instruction reads, each with the number of its words. Every reader
/// and every rewriter derives from this list: with `[mut]` the visitor gets `&mut Operand`, with
/// `[]` it gets `&Operand`. `$operands` and `$sites` are the pools of the body.
macro_rules! visit_operands {
    ([$($mutable:tt)?], $instruction:expr, $operands:expr, $sites:expr, $visit:expr) => {{
        use Instruction as I;
        let visit = $visit;
        match $instruction {
            I::Binary { scalar, left, right, .. }
            | I::Compare { scalar, left, right, .. }
            | I::Float { scalar, left, right, .. }
            | I::FloatCompare { scalar, left, right, .. } => {
                visit(left, scalar.words());
                visit(right, scalar.words());
            }
            I::Convert { from, source, .. } => visit(source, from.words()),
            I::Select { scalar, condition, then, otherwise, .. } => {
                visit(condition, 1);
                visit(then, scalar.words());
                visit(otherwise, scalar.words());
            }
            I::Freeze { scalar, source, .. } => visit(source, scalar.words()),
            I::Switch { scalar, value, .. } => visit(value, scalar.words()),
            I::Repack { from, arguments, .. } => {
                for argument in & $($mutable)? $operands[arguments.indices()] {
                    visit(argument, from.words());
                }
            }
            I::Compute { intrinsic, scalar, arguments, .. } => {
                let arguments = & $($mutable)? $operands[arguments.indices()];
                for (index, argument) in arguments.into_iter().enumerate() {
                    visit(argument, intrinsic.argument_words(index, *scalar));
                }
            }
            I::Return { values } => {
                for value in & $($mutable)? $operands[values.indices()] {
                    visit(value, 1);
                }
            }
            I::Call { site } => {
                let site = & $($mutable)? $sites[site.0 as usize];
                if let Callee::Address(address) = & $($mutable)? site.callee {
                    visit(address, 1);
                }
                for argument in & $($mutable)? site.arguments {
                    visit(& $($mutable)? argument.value, argument.scalar.words());
                }
            }
            I::Store { scalar, source, address, .. }
            | I::Update { scalar, source, address, .. } => {
                visit(address, 1);
                visit(source, scalar.words());
            }
            I::CompareExchange { scalar, address, expected, replacement, .. } => {
                visit(address, 1);
                visit(expected, scalar.words());
                visit(replacement, scalar.words());
            }
            I::Move { source: one, .. }
            | I::AddressOffset { base: one, .. }
            | I::Allocate { count: one, .. }
            | I::LifetimeStart { address: one, .. }
            | I::LifetimeEnd { address: one }
            | I::StackRestore { saved: one }
            | I::Load { address: one, .. }
            | I::VariableArgumentsStart { list: one }
            | I::Branch { condition: one, .. }
            | I::IndirectJump { target: one, .. } => visit(one, 1),
            I::AddressIndex { base: one, index: two, .. }
            | I::VariableArgumentsCopy { destination: one, source: two } => {
                visit(one, 1);
                visit(two, 1);
            }
            I::CopyMemory { destination: one, source: two, bytes: three, .. }
            | I::FillMemory { destination: one, value: two, bytes: three } => {
                visit(one, 1);
                visit(two, 1);
                visit(three, 1);
            }
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
    }};
}

/// The first slot that an instruction assigns, as `&Slot` (`[]`) or `&mut Slot` (`[mut]`), and how
/// many it assigns; `None` where it assigns none. `$sites` is the pool of the body.
macro_rules! destination {
    ([$($mutable:tt)?], $instruction:expr, $sites:expr) => {{
        use Instruction as I;
        match $instruction {
            I::Move { destination, .. }
            | I::Compare { destination, .. }
            | I::FloatCompare { destination, .. }
            | I::AddressOffset { destination, .. }
            | I::AddressIndex { destination, .. }
            | I::Allocate { destination, .. }
            | I::StackSave { destination }
            | I::ThreadLocal { destination, .. } => Some((destination, 1)),
            I::Undefine { destination, scalar }
            | I::Binary { destination, scalar, .. }
            | I::Float { destination, scalar, .. }
            | I::Select { destination, scalar, .. }
            | I::Freeze { destination, scalar, .. }
            | I::Load { destination, scalar, .. }
            | I::Update { destination, scalar, .. } => Some((destination, scalar.words())),
            I::Convert { destination, to, .. } => Some((destination, to.words())),
            I::Repack { from, to, destination, arguments } => {
                let results = arguments.count * from.bits() / to.bits();
                Some((destination, results * to.words()))
            }
            I::Compute { intrinsic, destination, scalar, .. } => {
                Some((destination, intrinsic.result_words(*scalar)))
            }
            I::CompareExchange { destination, scalar, .. } => {
                Some((destination, scalar.words() + 1))
            }
            I::LandingPad { destination, .. } => Some((destination, 2)),
            I::Call { site } => {
                let site = & $($mutable)? $sites[site.0 as usize];
                let words = site.result_words();
                Some((& $($mutable)? site.destination, words))
            }
            I::LifetimeStart { .. }
            | I::LifetimeEnd { .. }
            | I::StackRestore { .. }
            | I::Store { .. }
            | I::Fence { .. }
            | I::NonTemporal
            | I::CopyMemory { .. }
            | I::FillMemory { .. }
            | I::VariableArgumentsStart { .. }
            | I::VariableArgumentsCopy { .. }
            | I::Jump { .. }
            | I::Branch { .. }
            | I::Switch { .. }
            | I::IndirectJump { .. }
            | I::Return { .. }
            | I::Unreachable
            | I::Unsupported { .. } => None,
        }
    }};
}

impl Body {
    /// Calls `visit` with every operand that the instruction at `index` reads, for change, and the
    /// number of its words. Operand lists belong to one instruction each, so no other one changes.
    pub(crate) fn change_operands(
        &mut self,
        index: usize,
        mut visit: impl FnMut(&mut Operand, u32),
    ) {
        let (operands, sites) = (&mut self.operands, &mut self.sites);
        visit_operands!([mut], &mut self.code[index], operands, sites, &mut visit);
    }

    /// The first slot that the instruction at `index` assigns, for change.
    pub(crate) fn destination_mut(&mut self, index: usize) -> Option<&mut Slot> {
        let sites = &mut self.sites;
        destination!([mut], &mut self.code[index], sites).map(|(first, _)| first)
    }

    /// Whether every position, slot and constant that the body mentions exists, and no instruction
    /// falls through its end.
    pub(crate) fn is_consistent(&self) -> bool {
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
}

impl Instruction {
    /// Calls `visit` with every operand that the instruction reads and the number of its words.
    pub fn for_each_operand(&self, body: &Body, mut visit: impl FnMut(Operand, u32)) {
        let mut visit = |operand: &Operand, words| visit(*operand, words);
        visit_operands!([], self, body.operands, body.sites, &mut visit);
    }

    /// Calls `visit` with every slot that the instruction reads.
    pub fn for_each_use(&self, body: &Body, mut visit: impl FnMut(Slot)) {
        self.for_each_operand(body, |operand, words| {
            if let Place::Slot(first) = operand.place() {
                (first.0..first.0 + words).for_each(|slot| visit(Slot(slot)));
            }
        });
    }

    /// Returns the slots that the instruction assigns, the first and their number, or `None` if it
    /// assigns none. A call assigns its results on normal return only.
    pub fn definitions(&self, body: &Body) -> Option<(Slot, u32)> {
        destination!([], self, body.sites).map(|(first, words)| (*first, words))
    }

    /// Calls `visit` with every slot that the instruction assigns.
    pub fn for_each_definition(&self, body: &Body, visit: impl FnMut(Slot)) {
        if let Some((first, words)) = self.definitions(body) {
            (first.0..first.0 + words).map(Slot).for_each(visit);
        }
    }

    /// Returns whether execution may continue at the next position.
    pub const fn falls_through(&self) -> bool {
        use Instruction as I;
        !matches!(
            self,
            I::Jump { .. }
                | I::Branch { .. }
                | I::Switch { .. }
                | I::IndirectJump { .. }
                | I::Return { .. }
                | I::Unreachable
                | I::Unsupported { .. }
        )
    }

    /// Calls `visit` with every position where the instruction says that execution may continue:
    /// all successors but the next position.
    pub fn for_each_target(&self, body: &Body, mut visit: impl FnMut(Position)) {
        match *self {
            Instruction::Jump { target } => visit(target),
            Instruction::Branch {
                then, otherwise, ..
            } => {
                visit(then);
                visit(otherwise);
            }
            Instruction::Switch { cases, default, .. } => {
                body.cases[cases.indices()].iter().for_each(|c| visit(c.1));
                visit(default);
            }
            Instruction::IndirectJump { cases, .. } => {
                body.cases[cases.indices()].iter().for_each(|c| visit(c.1));
            }
            Instruction::Call { site } => {
                if let Some(landing) = body.sites[site.0 as usize].landing {
                    visit(landing);
                }
            }
            _ => {}
        }
    }

    /// Calls `visit` with every position where execution may continue after the instruction, which
    /// is at position `at`.
    pub fn for_each_successor(&self, body: &Body, at: Position, mut visit: impl FnMut(Position)) {
        if self.falls_through() && at.0 as usize + 1 < body.code.len() {
            visit(Position(at.0 + 1));
        }
        self.for_each_target(body, visit);
    }
}

impl crate::instruction::CallSite {
    /// Returns the number of words of all results.
    pub fn result_words(&self) -> u32 {
        self.results.iter().map(|scalar| scalar.words()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::{
        Argument, BinaryOperation, CallSite, CallSiteId, LandingPadId, Ordering, PoisonFlags,
    };

    fn slot(n: u32) -> Operand {
        Operand::slot(Slot(n))
    }

    /// What the instruction reads and assigns.
    fn effects(body: &Body, instruction: Instruction) -> (Vec<u32>, Vec<u32>) {
        let (mut uses, mut definitions) = (vec![], vec![]);
        instruction.for_each_use(body, |s| uses.push(s.0));
        instruction.for_each_definition(body, |s| definitions.push(s.0));
        (uses, definitions)
    }

    fn body_with(operands: &[Operand]) -> (Body, Range) {
        let body = Body {
            operands: operands.to_vec(),
            ..Body::default()
        };
        let count = operands.len() as u32;
        (body, Range { start: 0, count })
    }

    #[test]
    fn wide_scalars_take_two_slots() {
        let add = Instruction::Binary {
            operation: BinaryOperation::Add,
            scalar: Scalar::Wide(128),
            poison_flags: PoisonFlags::default(),
            destination: Slot(6),
            left: slot(2),
            right: Operand::constant(0),
        };
        assert_eq!(effects(&Body::default(), add), (vec![2, 3], vec![6, 7]));
        let narrow = Instruction::Convert {
            conversion: crate::instruction::Conversion::FloatTruncate,
            from: Scalar::Extended,
            to: Scalar::Double,
            destination: Slot(0),
            source: slot(4),
        };
        assert_eq!(effects(&Body::default(), narrow), (vec![4, 5], vec![0]));
    }

    #[test]
    fn flags_follow_the_value() {
        let exchange = |scalar| Instruction::CompareExchange {
            scalar,
            success: Ordering::Relaxed,
            failure: Ordering::Relaxed,
            weak: false,
            destination: Slot(10),
            address: slot(0),
            expected: slot(1),
            replacement: slot(3),
        };
        let empty = Body::default();
        assert_eq!(
            effects(&empty, exchange(Scalar::Pointer)),
            (vec![0, 1, 3], vec![10, 11])
        );
        assert_eq!(
            effects(&empty, exchange(Scalar::Wide(128))),
            (vec![0, 1, 2, 3, 4], vec![10, 11, 12])
        );
        let (body, arguments) = body_with(&[slot(0), slot(2)]);
        let compute = |intrinsic, scalar| Instruction::Compute {
            intrinsic,
            scalar,
            destination: Slot(8),
            arguments,
        };
        let multiply = compute(Intrinsic::SignedMultiplyOverflow, Scalar::Wide(128));
        assert_eq!(effects(&body, multiply), (vec![0, 1, 2, 3], vec![8, 9, 10]));
        let zeros = compute(Intrinsic::CountLeadingZeros, Scalar::Wide(128));
        assert_eq!(effects(&body, zeros), (vec![0, 1, 2], vec![8, 9]));
        let class = compute(Intrinsic::IsFloatClass, Scalar::Extended);
        assert_eq!(effects(&body, class), (vec![0, 1, 2], vec![8]));
    }

    #[test]
    fn repack_keeps_the_number_of_bits() {
        let (body, arguments) = body_with(&[slot(0), slot(1), slot(2), slot(3)]);
        let repack = |to| Instruction::Repack {
            from: Scalar::Integer(32),
            to,
            destination: Slot(9),
            arguments,
        };
        let all = vec![0, 1, 2, 3];
        assert_eq!(
            effects(&body, repack(Scalar::Wide(128))),
            (all.clone(), vec![9, 10])
        );
        assert_eq!(
            effects(&body, repack(Scalar::Integer(64))),
            (all, vec![9, 10])
        );
        let count = |to| effects(&body, repack(to)).1.len();
        assert_eq!(count(Scalar::Integer(8)), 16);
    }

    #[test]
    fn calls_and_exceptions() {
        let body = Body {
            code: vec![Instruction::Unreachable; 4],
            sites: vec![CallSite {
                callee: Callee::Address(slot(5)),
                arguments: vec![Argument {
                    value: slot(6),
                    scalar: Scalar::Extended,
                    by_value: None,
                }],
                fixed: 1,
                destination: Slot(1),
                results: vec![Scalar::Pointer, Scalar::Wide(96)],
                landing: Some(Position(3)),
                no_unwind: false,
                returns_twice: false,
            }],
            ..Body::default()
        };
        let call = Instruction::Call {
            site: CallSiteId(0),
        };
        assert_eq!(effects(&body, call.clone()), (vec![5, 6, 7], vec![1, 2, 3]));
        let mut successors = vec![];
        call.for_each_successor(&body, Position(1), |p| successors.push(p.0));
        assert_eq!(successors, [2, 3]);
        let pad = Instruction::LandingPad {
            destination: Slot(4),
            clauses: LandingPadId(0),
        };
        assert_eq!(effects(&body, pad), (vec![], vec![4, 5]));
    }
}
