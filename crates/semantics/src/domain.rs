//! A domain of values and of the states that hold them.

use impasse_program::instruction::{
    BinaryOperation, CallSiteId, Comparison, Conversion, FloatComparison, FloatOperation,
    Instruction, Intrinsic, Operand, Ordering, PoisonFlags, Position, Range, ReadModifyWrite,
    Scalar, Slot, SymbolId,
};

/// Integer arithmetic, less its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arithmetic {
    /// What is computed.
    pub operation: BinaryOperation,
    /// The type of both operands and of the result.
    pub scalar: Scalar,
    /// The poison-generating flags.
    pub flags: PoisonFlags,
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// What is read or written.
    pub scalar: Scalar,
    /// The ordering.
    pub ordering: Ordering,
    /// For C's `volatile`.
    pub volatile: bool,
}

/// A compare-exchange, less its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// What is compared and written.
    pub scalar: Scalar,
    /// The ordering where the two are equal.
    pub success: Ordering,
    /// The ordering where they differ.
    pub failure: Ordering,
    /// Whether it may fail although they are equal.
    pub weak: bool,
}

/// Where a switch goes, less the value that decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch {
    /// The type of the value.
    pub scalar: Scalar,
    /// Indices into [`impasse_program::instruction::Body::cases`].
    pub cases: Range,
    /// Where no case matches.
    pub default: Position,
}

/// A result that may halt execution.
pub type Halting<T, D> = Result<T, <D as Domain>::Halt>;

/// An interpreter as one instruction sees it.
///
/// An operation that fails has no effect: no slot is assigned after it.
pub trait Domain {
    /// What a slot holds.
    type Word;
    /// A scalar of one or two words.
    type Value;
    /// How execution continues.
    type Flow;
    /// Why an instruction could not be executed.
    type Halt;

    /// Execution continues at the next position.
    const NEXT: Self::Flow;

    /// One word, whatever its type.
    fn word(&mut self, operand: Operand) -> Self::Word;
    /// A scalar of one word.
    fn one_word(&mut self, operand: Operand, scalar: Scalar) -> Self::Word;
    /// A scalar.
    fn value(&mut self, operand: Operand, scalar: Scalar) -> Self::Value;
    /// Assigns one word.
    fn assign(&mut self, slot: Slot, word: Self::Word);
    /// Assigns a scalar.
    fn assign_value(&mut self, slot: Slot, scalar: Scalar, value: Self::Value);

    /// A scalar of which every bit is undefined.
    fn undefined(&mut self, scalar: Scalar) -> Self::Value;
    /// Arithmetic on scalars of one word.
    fn binary(
        &mut self,
        arithmetic: Arithmetic,
        left: Self::Word,
        right: Self::Word,
    ) -> Halting<Self::Word, Self>;
    /// Arithmetic on scalars of two words.
    fn binary_wide(
        &mut self,
        arithmetic: Arithmetic,
        left: Self::Value,
        right: Self::Value,
    ) -> Halting<Self::Value, Self>;
    /// Compares scalars of one word.
    fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Self::Word,
        right: Self::Word,
    ) -> Halting<Self::Word, Self>;
    /// Compares scalars of two words.
    fn compare_wide(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Word;
    /// Floating-point arithmetic.
    fn float(
        &mut self,
        operation: FloatOperation,
        scalar: Scalar,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Value;
    /// Compares floating-point numbers.
    fn compare_floats(
        &mut self,
        comparison: FloatComparison,
        scalar: Scalar,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Word;
    /// Converts between types.
    fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        value: Self::Value,
    ) -> Self::Value;
    /// The integer that an address has in memory where addresses take four bytes.
    fn narrow(&mut self, address: Self::Value, to: Scalar) -> Halting<Self::Value, Self>;
    /// The address that an integer of four bytes is.
    fn widen(&mut self, number: Self::Value, from: Scalar) -> Self::Value;
    /// One of two operands: the first where the lowest bit of the condition is one.
    fn select(
        &mut self,
        scalar: Scalar,
        condition: Self::Word,
        then: Operand,
        otherwise: Operand,
    ) -> Self::Value;
    /// Some fixed value where bits are undefined.
    fn freeze(&mut self, scalar: Scalar, value: Self::Value) -> Self::Value;
    /// Joins the bits of scalars, and takes `count` others apart; the lowest bits come first.
    fn repack(
        &mut self,
        from: Scalar,
        to: Scalar,
        parts: Vec<Self::Value>,
        count: u32,
    ) -> Vec<Self::Value>;
    /// The results of an intrinsic; the second where it has an overflow flag.
    fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Halting<(Self::Value, Option<Self::Word>), Self>;
    /// The address a number of bytes away.
    fn offset(&mut self, base: Self::Word, bytes: i64) -> Self::Word;
    /// The address that an index of `width` bits, times `scale`, is away.
    fn index(&mut self, base: Self::Word, index: Self::Word, width: u8, scale: u64) -> Self::Word;

    /// Makes an object of the frame, `count * element_bytes` bytes; returns its address.
    fn allocate(
        &mut self,
        count: Self::Word,
        element_bytes: u64,
        align: u32,
    ) -> Halting<Self::Word, Self>;
    /// The scope of an object begins or ends.
    fn lifetime(&mut self, address: Self::Word, ends: bool) -> Halting<(), Self>;
    /// What [`Domain::restore_stack`] takes to free the objects made since.
    fn save_stack(&mut self) -> Self::Word;
    /// Frees the objects of the frame made since the stack was saved.
    fn restore_stack(&mut self, saved: Self::Word) -> Halting<(), Self>;
    /// The address of the thread's copy of a variable.
    fn thread_local(&mut self, variable: SymbolId) -> Halting<Self::Word, Self>;
    /// Reads memory into a slot.
    fn load(
        &mut self,
        access: Access,
        address: Self::Word,
        destination: Slot,
    ) -> Halting<Self::Flow, Self>;
    /// Writes memory.
    fn store(
        &mut self,
        access: Access,
        address: Self::Word,
        value: Self::Value,
    ) -> Halting<Self::Flow, Self>;
    /// Reads and writes in one step ([`crate::update`]); returns the old value.
    fn update(
        &mut self,
        operation: ReadModifyWrite,
        access: Access,
        address: Self::Word,
        operand: Self::Value,
    ) -> Halting<Self::Value, Self>;
    /// Compares and, if equal, writes; returns the old value and whether it wrote.
    fn compare_exchange(
        &mut self,
        exchange: Exchange,
        address: Self::Word,
        expected: Self::Value,
        replacement: Self::Value,
    ) -> Halting<(Self::Value, Self::Word), Self>;
    /// A fence between threads.
    fn fence(&mut self, ordering: Ordering) -> Halting<(), Self>;
    /// The next store may reach memory late.
    fn non_temporal(&mut self) -> Halting<(), Self>;
    /// Copies bytes.
    fn copy_memory(
        &mut self,
        to: Self::Word,
        from: Self::Word,
        bytes: Self::Word,
        may_overlap: bool,
    ) -> Halting<Self::Flow, Self>;
    /// Fills bytes with the low byte of a value.
    fn fill_memory(
        &mut self,
        to: Self::Word,
        value: Self::Word,
        bytes: Self::Word,
    ) -> Halting<Self::Flow, Self>;
    /// Fills a list of variable arguments.
    fn start_arguments(&mut self, list: Self::Word) -> Halting<(), Self>;
    /// Copies a list of variable arguments.
    fn copy_arguments(&mut self, to: Self::Word, from: Self::Word) -> Halting<Self::Flow, Self>;

    /// Continues at a position.
    fn jump(&mut self, target: Position) -> Self::Flow;
    /// Continues at the first position where the lowest bit of the condition is one.
    fn branch(
        &mut self,
        condition: Self::Word,
        then: Position,
        otherwise: Position,
    ) -> Halting<Self::Flow, Self>;
    /// Continues at the first case that equals the value.
    fn switch(&mut self, switch: Switch, value: Self::Value) -> Halting<Self::Flow, Self>;
    /// Continues at a label.
    fn indirect_jump(&mut self, target: Self::Word, cases: Range) -> Halting<Self::Flow, Self>;
    /// Calls.
    fn call(&mut self, site: CallSiteId) -> Halting<Self::Flow, Self>;
    /// Returns words.
    fn return_from(&mut self, values: Range) -> Halting<Self::Flow, Self>;
    /// What can only be reached by a mistake, or cannot be executed: `LandingPad`, `Unreachable`,
    /// `Unsupported`.
    fn stuck(&mut self, instruction: &Instruction) -> Halting<Self::Flow, Self>;
}
