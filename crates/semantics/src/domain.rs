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
/// An operation that fails has no effect: no slot is assigned after it. What an instruction means
/// is a function over any domain, as [`crate::evaluate::evaluate`] is:
///
/// ```
/// use impasse_program::instruction::{Comparison, Operand, Scalar};
/// use impasse_semantics::domain::{Domain, Halting};
///
/// /// Returns whether two integers of 32 bits are equal, as a word of one bit.
/// fn equal<D: Domain>(d: &mut D, left: Operand, right: Operand) -> Halting<D::Word, D> {
///     let scalar = Scalar::Integer(32);
///     let (left, right) = (d.one_word(left, scalar), d.one_word(right, scalar));
///     d.compare(Comparison::Equal, scalar, left, right)
/// }
/// ```
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

    /// Returns the word of an operand, whatever its type.
    fn word(&mut self, operand: Operand) -> Self::Word;
    /// Returns the word of an operand that is a scalar of one word.
    fn one_word(&mut self, operand: Operand, scalar: Scalar) -> Self::Word;
    /// Returns the value of an operand that is a scalar of one or two words.
    fn value(&mut self, operand: Operand, scalar: Scalar) -> Self::Value;
    /// Assigns one word to a slot.
    fn assign(&mut self, slot: Slot, word: Self::Word);
    /// Assigns a scalar to a slot, and to the next one if it has two words.
    fn assign_value(&mut self, slot: Slot, scalar: Scalar, value: Self::Value);

    /// Returns a scalar of which every bit is undefined.
    fn undefined(&mut self, scalar: Scalar) -> Self::Value;
    /// Returns the result of arithmetic on scalars of one word. Fails on undefined behaviour that
    /// the domain reports, such as a division by zero.
    fn binary(
        &mut self,
        arithmetic: Arithmetic,
        left: Self::Word,
        right: Self::Word,
    ) -> Halting<Self::Word, Self>;
    /// Returns the result of arithmetic on scalars of two words. Fails as [`Domain::binary`] does.
    fn binary_wide(
        &mut self,
        arithmetic: Arithmetic,
        left: Self::Value,
        right: Self::Value,
    ) -> Halting<Self::Value, Self>;
    /// Returns the result, of one bit, of comparing scalars of one word. Fails if the domain must
    /// make a choice first, as for the address of a freed object that may be used again.
    fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Self::Word,
        right: Self::Word,
    ) -> Halting<Self::Word, Self>;
    /// Returns the result, of one bit, of comparing scalars of two words.
    fn compare_wide(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Word;
    /// Returns the result of floating-point arithmetic.
    fn float(
        &mut self,
        operation: FloatOperation,
        scalar: Scalar,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Value;
    /// Returns the result, of one bit, of comparing floating-point numbers.
    fn compare_floats(
        &mut self,
        comparison: FloatComparison,
        scalar: Scalar,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Word;
    /// Returns a value converted from one type to another.
    fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        value: Self::Value,
    ) -> Self::Value;
    /// Returns the integer that an address has in memory where addresses take four bytes. Fails if
    /// it has none.
    fn narrow(&mut self, address: Self::Value, to: Scalar) -> Halting<Self::Value, Self>;
    /// Returns the address that an integer of four bytes stands for.
    fn widen(&mut self, number: Self::Value, from: Scalar) -> Self::Value;
    /// Returns `then` where the lowest bit of the condition is one, `otherwise` where it is zero.
    fn select(
        &mut self,
        scalar: Scalar,
        condition: Self::Word,
        then: Operand,
        otherwise: Operand,
    ) -> Self::Value;
    /// Returns the value, with some fixed bits where its bits are undefined.
    fn freeze(&mut self, scalar: Scalar, value: Self::Value) -> Self::Value;
    /// Joins the bits of `parts`, of type `from`, and splits them into `count` scalars of type
    /// `to`; the lowest bits come first. Both sides must have the same number of bits.
    fn repack(
        &mut self,
        from: Scalar,
        to: Scalar,
        parts: Vec<Self::Value>,
        count: u32,
    ) -> Vec<Self::Value>;
    /// Returns the results of an intrinsic; the second where it has an overflow flag. Fails on
    /// undefined behaviour that the domain reports.
    fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Halting<(Self::Value, Option<Self::Word>), Self>;
    /// Returns the address a number of bytes away.
    fn offset(&mut self, base: Self::Word, bytes: i64) -> Self::Word;
    /// Returns the address that lies `index` times `scale` bytes away; the index is signed and has
    /// `width` bits.
    fn index(&mut self, base: Self::Word, index: Self::Word, width: u8, scale: u64) -> Self::Word;

    /// Allocates an object of the frame, of `count * element_bytes` bytes, aligned to `align`
    /// bytes, and returns its address. Fails if there is no room.
    fn allocate(
        &mut self,
        count: Self::Word,
        element_bytes: u64,
        align: u32,
    ) -> Halting<Self::Word, Self>;
    /// Begins or ends the lifetime of an object of the frame. Fails as [`Domain::store`] does.
    fn lifetime(&mut self, address: Self::Word, ends: bool) -> Halting<(), Self>;
    /// Returns the address of a new object in place of this one, whose lifetime begins again;
    /// `None` if it may remain the same object. Fails as [`Domain::store`] does.
    fn renew(&mut self, _address: Self::Word) -> Halting<Option<Self::Word>, Self> {
        Ok(None)
    }
    /// Returns what [`Domain::restore_stack`] takes to free the objects allocated since.
    fn save_stack(&mut self) -> Self::Word;
    /// Frees the objects of the frame that were allocated since the stack was saved. Fails as
    /// [`Domain::store`] does.
    fn restore_stack(&mut self, saved: Self::Word) -> Halting<(), Self>;
    /// Returns the address of the running thread's copy of a thread-local variable. Fails if there
    /// is no room for the copy.
    fn thread_local(&mut self, variable: SymbolId) -> Halting<Self::Word, Self>;
    /// Loads a scalar from memory into a slot. Fails if the access is an error, or cannot be made
    /// now.
    fn load(
        &mut self,
        access: Access,
        address: Self::Word,
        destination: Slot,
    ) -> Halting<Self::Flow, Self>;
    /// Stores a scalar to memory. Fails if the access is an error, or cannot be made now.
    fn store(
        &mut self,
        access: Access,
        address: Self::Word,
        value: Self::Value,
    ) -> Halting<Self::Flow, Self>;
    /// Reads, modifies and writes memory in one step ([`crate::update`]). Returns the old value.
    /// Fails as [`Domain::store`] does.
    fn update(
        &mut self,
        operation: ReadModifyWrite,
        access: Access,
        address: Self::Word,
        operand: Self::Value,
    ) -> Halting<Self::Value, Self>;
    /// Compares memory with `expected` and, if equal, writes `replacement`. Returns the old value
    /// and whether it wrote. Fails as [`Domain::store`] does.
    fn compare_exchange(
        &mut self,
        exchange: Exchange,
        address: Self::Word,
        expected: Self::Value,
        replacement: Self::Value,
    ) -> Halting<(Self::Value, Self::Word), Self>;
    /// Executes a fence between threads. Fails if it cannot be executed now.
    fn fence(&mut self, ordering: Ordering) -> Halting<(), Self>;
    /// Says that the next store is non-temporal: it may reach memory late. Fails if the domain does
    /// not support that.
    fn non_temporal(&mut self) -> Halting<(), Self>;
    /// Copies `bytes` bytes. Fails if an access is an error, or if the two ranges overlap and
    /// `may_overlap` is false.
    fn copy_memory(
        &mut self,
        to: Self::Word,
        from: Self::Word,
        bytes: Self::Word,
        may_overlap: bool,
    ) -> Halting<Self::Flow, Self>;
    /// Fills `bytes` bytes with the low byte of a value. Fails as [`Domain::store`] does.
    fn fill_memory(
        &mut self,
        to: Self::Word,
        value: Self::Word,
        bytes: Self::Word,
    ) -> Halting<Self::Flow, Self>;
    /// Initialises the list of variable arguments at an address (`va_start`). Fails as
    /// [`Domain::store`] does.
    fn start_arguments(&mut self, list: Self::Word) -> Halting<(), Self>;
    /// Copies a list of variable arguments (`va_copy`). Fails as [`Domain::copy_memory`] does.
    fn copy_arguments(&mut self, to: Self::Word, from: Self::Word) -> Halting<Self::Flow, Self>;

    /// Continues at a position.
    fn jump(&mut self, target: Position) -> Self::Flow;
    /// Continues at `then` where the lowest bit of the condition is one, else at `otherwise`. Fails
    /// if the domain cannot decide it.
    fn branch(
        &mut self,
        condition: Self::Word,
        then: Position,
        otherwise: Position,
    ) -> Halting<Self::Flow, Self>;
    /// Continues at the first case that equals the value. Fails if the domain cannot decide it.
    fn switch(&mut self, switch: Switch, value: Self::Value) -> Halting<Self::Flow, Self>;
    /// Continues at the label that is the target, which must be one of `cases`. Fails if it is
    /// none.
    fn indirect_jump(&mut self, target: Self::Word, cases: Range) -> Halting<Self::Flow, Self>;
    /// Executes a call site: enters the function that it calls, or executes a builtin. Fails if the
    /// call is an error, or cannot be made now.
    fn call(&mut self, site: CallSiteId) -> Halting<Self::Flow, Self>;
    /// Returns from the function with some words. Fails if the return is an error, or cannot be
    /// made now.
    fn return_from(&mut self, values: Range) -> Halting<Self::Flow, Self>;
    /// Halts at an instruction that is reached only by mistake, or that cannot be executed:
    /// `LandingPad`, `Unreachable`, `Unsupported`.
    fn stuck(&mut self, instruction: &Instruction) -> Halting<Self::Flow, Self>;
}
