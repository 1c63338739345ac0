//! Executing instructions.
//!
//! Every instruction either completes, or has no effect and says why ([`Halt`]); so it can be executed again from the same
//! state, with the outcomes of its choices given.

use crate::fault::{ErrorKind, Halt, Result, error, unsupported};
use crate::machine::{Machine, Stop};
use crate::memory::object::{Class, Flags, Object};
use crate::memory::{Access, Spot, allocatable};
use crate::model::Route;
use crate::value::integer::{self, Strictness};
use crate::value::{Value, float, intrinsic};
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::{
    BinaryOperation, Comparison, Conversion, Instruction as I, Intrinsic, Operand, Ordering,
    Position, Promises, Range, ReadModifyWrite, Scalar, Slot, SymbolId,
};
use impasse_program::link::Target;
use impasse_program::word::{Word, mask};
use smallvec::SmallVec;

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
            self.acted_before = self.acted;
            self.be_interrupted()?;
        }
        loop {
            self.acted_before = self.acted;
            let code = &self.at.function.body.code;
            let flow = match self.instruction(&code[self.at.position as usize]) {
                Ok(flow) => flow,
                Err(halt) => {
                    self.take_back(&halt);
                    return Err(halt);
                }
            };
            self.executed += 1;
            if !self.script.is_empty() {
                self.script.clear();
                self.scripted = 0;
            }
            match flow {
                Flow::Next => self.at.position += 1,
                Flow::Moved => {
                    if self.budget == 0 {
                        return Ok(Stop::Cut);
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
                promises,
                destination,
                left,
                right,
            } => self.binary(*operation, *scalar, *promises, *destination, *left, *right)?,
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
                let value = self.load(*scalar, word, atomic)?;
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
                match self.delays() {
                    true => self.store_in_order(*scalar, word, value, atomic, *ordering)?,
                    false => self.store(*scalar, word, value, atomic)?,
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

    fn memory_instruction(&mut self, instruction: &'s I) -> Result<Flow> {
        match instruction {
            I::Allocate {
                destination,
                count,
                element_bytes,
                align,
                ..
            } => self.allocate_variable(*destination, *count, *element_bytes, *align)?,
            I::LifetimeStart { address } => self.lifetime(*address, false)?,
            I::LifetimeEnd { address } => self.lifetime(*address, true)?,
            I::StackSave { destination } => {
                let frame = self.stack.frames.last().expect("a running frame");
                let count = frame.objects.len() as u64;
                self.write(*destination, Word::number(count));
            }
            I::StackRestore { saved } => {
                let saved = self.read(*saved).bits as usize;
                let frame = self.stack.frames.last_mut().expect("a running frame");
                let gone: SmallVec<[ObjectId; 4]> = match saved <= frame.objects.len() {
                    true => frame.objects.drain(saved..).collect(),
                    false => SmallVec::new(),
                };
                self.free_locals(gone)?;
            }
            I::ThreadLocal {
                destination,
                variable,
            } => {
                let word = self.thread_local(*variable)?;
                self.write(*destination, word);
            }
            I::Update {
                operation,
                scalar,
                destination,
                address,
                source,
                ..
            } => self.update(*operation, *scalar, *destination, *address, *source)?,
            I::CompareExchange {
                scalar,
                weak,
                destination,
                address,
                expected,
                replacement,
                ..
            } => {
                let (expected, new) = (
                    self.read_scalar(*expected, *scalar),
                    self.read_scalar(*replacement, *scalar),
                );
                self.compare_exchange(*scalar, *weak, *destination, *address, expected, new)?;
            }
            I::Fence {
                ordering: Ordering::SequentiallyConsistent,
                single_thread: false,
            } => self.drain()?,
            I::Fence { .. } => {}
            I::CopyMemory {
                destination,
                source,
                bytes,
                may_overlap,
            } => {
                let (to, from) = (self.read(*destination), self.read(*source));
                let bytes = self.read(*bytes);
                self.copy_memory(to, from, bytes, *may_overlap)?;
            }
            I::FillMemory {
                destination,
                value,
                bytes,
            } => {
                let (to, value) = (self.read(*destination), self.read(*value));
                let bytes = self.read(*bytes);
                self.fill_memory(to, value, bytes)?;
            }
            I::VariableArgumentsStart { list } => {
                let list = self.read(*list);
                self.start_variable_arguments(list)?;
            }
            I::VariableArgumentsCopy {
                destination,
                source,
            } => {
                let (to, from) = (self.read(*destination), self.read(*source));
                self.copy_memory(to, from, Word::number(self.program.list_bytes()), false)?;
            }
            _ => unreachable!("every instruction has its place"),
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

    fn strictness(&self) -> Strictness {
        Strictness {
            shifts: self.at.users,
            signed_overflow: self.at.users && self.options.signed_overflow,
        }
    }

    #[inline]
    fn binary(
        &mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        promises: Promises,
        destination: Slot,
        left: Operand,
        right: Operand,
    ) -> Result<()> {
        let width = scalar.bits();
        let strict = self.strictness();
        if scalar.words() == 2 {
            let (left, right) = (
                self.read_scalar(left, scalar),
                self.read_scalar(right, scalar),
            );
            let value = raise(integer::binary_wide(
                operation, width, left, right, promises, strict,
            ))?;
            self.write_scalar(destination, scalar, value);
            return Ok(());
        }
        let (left, right) = (self.read(left), self.read(right));
        let mut word = raise(integer::binary(
            operation, width, left, right, promises, strict,
        ))?;
        if left.pointer || right.pointer {
            word.pointer = self.arithmetic_on_addresses(operation, left, right);
        }
        self.write(destination, word);
        Ok(())
    }

    /// Whether the result of arithmetic is an address still. If it is not, but depends on the number of an object, the object is
    /// pinned.
    #[cold]
    fn arithmetic_on_addresses(
        &mut self,
        operation: BinaryOperation,
        left: Word,
        right: Word,
    ) -> bool {
        use BinaryOperation as Op;
        let object = |word: Word| Address::from_bits(word.bits).object;
        if left.pointer && right.pointer {
            if operation == Op::Subtract && object(left) == object(right) {
                return false;
            }
            self.memory.pin_word(left);
            self.memory.pin_word(right);
            return false;
        }
        let (number, address_first) = if left.pointer {
            (right.bits, true)
        } else {
            (left.bits, false)
        };
        let high = number >> 32;
        let below_tag = || {
            let named = object(if address_first { left } else { right });
            high & 0x7fff == 0x7fff && named.leaves_room_for_tag()
        };
        let near = number as i64 >= -(1 << 31) && (number as i64) < 1 << 31;
        match operation {
            Op::Add if near => return true,
            Op::Subtract if near && address_first => return true,
            Op::And if high == 0xffff_ffff => return true,
            Op::And if high == 0 => return false,
            Op::And if below_tag() => return true,
            Op::Or | Op::Xor if high == 0 => return true,
            _ => {}
        }
        self.memory.pin_word(left);
        self.memory.pin_word(right);
        false
    }

    #[inline]
    fn compare(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        destination: Slot,
        left: Operand,
        right: Operand,
    ) -> Result<()> {
        let result = if scalar.words() == 2 {
            let (left, right) = (
                self.read_scalar(left, scalar),
                self.read_scalar(right, scalar),
            );
            integer::compare_wide(comparison, scalar.bits(), left, right)
        } else {
            let (left, right) = (self.read(left), self.read(right));
            if (left.pointer || right.pointer)
                && !matches!(comparison, Comparison::Equal | Comparison::NotEqual)
            {
                self.order_addresses(left, right);
            }
            integer::compare(comparison, scalar.bits(), left, right)
        };
        self.write(destination, result);
        Ok(())
    }

    /// Addresses are about to be ordered: where the order depends on numbers of objects, these are pinned.
    #[cold]
    fn order_addresses(&mut self, left: Word, right: Word) {
        let object = |word: Word| Address::from_bits(word.bits).object;
        let far = |word: Word| !word.pointer && (word.bits >> 32 == 0 || word.bits >> 48 == 0xffff);
        // Objects made while running lie behind most others, whatever their numbers.
        let before = |a: ObjectId, b: ObjectId| a.lies_below_dynamic() && b.is_dynamic();
        let fixed = left.pointer && right.pointer && {
            before(object(left), object(right)) || before(object(right), object(left))
        };
        if !fixed && object(left) != object(right) && !far(left) && !far(right) {
            self.memory.pin_word(left);
            self.memory.pin_word(right);
        }
    }

    fn convert(
        &mut self,
        conversion: Conversion,
        from: Scalar,
        to: Scalar,
        destination: Slot,
        source: Operand,
    ) -> Result<()> {
        let value = self.read_scalar(source, from);
        let result = match conversion {
            Conversion::PointerToInteger if from == Scalar::ShortPointer => {
                let number = self.memory.expose_short(value.low)?;
                Value::with_undefined(number.bits.into(), number.undefined.into(), to.bits())
            }
            Conversion::IntegerToPointer if to == Scalar::ShortPointer => {
                Value::one(self.memory.widen(value.low))
            }
            Conversion::Truncate => {
                if value.low.pointer && to.bits() > 32 && to.bits() < 64 {
                    self.memory.pin_word(value.low);
                }
                match (to.bits(), value.low.pointer) {
                    (64, true) => Value::one(value.low),
                    (width, _) => {
                        Value::with_undefined(value.bits(), value.undefined_bits(), width)
                    }
                }
            }
            Conversion::ZeroExtend => value,
            Conversion::SignExtend => integer::sign_extend(value, from.bits(), to.bits()),
            Conversion::PointerToInteger | Conversion::IntegerToPointer => {
                let width = to.bits().min(64);
                if width == 64 {
                    value
                } else {
                    if value.low.pointer && width > 32 {
                        self.memory.pin_word(value.low);
                    }
                    Value::with_undefined(value.bits(), value.undefined_bits(), width)
                }
            }
            _ => float::convert(conversion, from, to, value),
        };
        self.write_scalar(destination, to, result);
        Ok(())
    }

    fn repack(&mut self, from: Scalar, to: Scalar, destination: Slot, arguments: Range) {
        let operands = &self.at.function.body.operands[arguments.indices()];
        if from.bits() == 64 && to.bits() == 64 {
            for (i, &operand) in operands.iter().enumerate() {
                let word = self.read(operand);
                self.write(Slot(destination.0 + i as u32), word);
            }
            return;
        }
        let mut bits: Vec<(bool, bool)> = Vec::new();
        for &operand in operands {
            let value = self.read_scalar(operand, from);
            self.memory.pin_word(value.low);
            let (number, undefined) = (value.bits(), value.undefined_bits());
            bits.extend((0..from.bits()).map(|i| (number >> i & 1 == 1, undefined >> i & 1 == 1)));
        }
        for (i, part) in bits.chunks(to.bits() as usize).enumerate() {
            let (mut number, mut undefined) = (0, 0);
            for (at, &(bit, unknown)) in part.iter().enumerate() {
                number |= (bit as u128) << at;
                undefined |= (unknown as u128) << at;
            }
            let slot = Slot(destination.0 + i as u32 * to.words());
            let value = Value::with_undefined(number, undefined, to.bits());
            self.write_scalar(slot, to, value);
        }
    }

    fn compute(
        &mut self,
        intrinsic: Intrinsic,
        scalar: Scalar,
        destination: Slot,
        arguments: Range,
    ) -> Result<()> {
        if scalar == Scalar::ShortPointer {
            return unsupported("masks on addresses of 32 bits");
        }
        let operands = &self.at.function.body.operands[arguments.indices()];
        let count = operands.len();
        let mut values: SmallVec<[Value; 3]> = SmallVec::new();
        for (i, &operand) in operands.iter().enumerate() {
            let flag = match intrinsic {
                Intrinsic::CountLeadingZeros
                | Intrinsic::CountTrailingZeros
                | Intrinsic::Absolute
                | Intrinsic::IsFloatClass => i + 1 == count && i > 0,
                _ => false,
            };
            let scalar = if flag { Scalar::Integer(32) } else { scalar };
            let value = self.read_scalar(operand, scalar);
            if intrinsic != Intrinsic::PointerMask {
                self.memory.pin_word(value.low);
            }
            values.push(value);
        }
        let (mut value, flag) = raise(intrinsic::compute(intrinsic, scalar, &values))?;
        let to = match intrinsic {
            Intrinsic::IsFloatClass => Scalar::Integer(1),
            _ => scalar,
        };
        if intrinsic == Intrinsic::PointerMask {
            value.low.pointer = values[0].low.pointer;
        }
        self.write_scalar(destination, to, value);
        if let Some(flag) = flag {
            self.write(Slot(destination.0 + to.words()), flag);
        }
        Ok(())
    }

    fn allocate_variable(
        &mut self,
        destination: Slot,
        count: Operand,
        element_bytes: u64,
        align: u32,
    ) -> Result<()> {
        let count = self.read(count);
        if !count.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "the size of a local array is undefined",
            );
        }
        let bytes = count.bits.saturating_mul(element_bytes);
        if !allocatable(bytes) {
            return error(
                ErrorKind::StackOverflow,
                format!("a local object of {bytes} bytes"),
            );
        }
        let align = align.max(1).trailing_zeros() as u8;
        let object = Object::undefined(Class::Stack, bytes as u32, align, Some(self.place()));
        let id = self.allocate_local(object);
        self.write(destination, Word::pointer(Address::of(id).bits()));
        Ok(())
    }

    fn lifetime(&mut self, address: Operand, ended: bool) -> Result<()> {
        let word = self.read(address);
        let object = Address::from_bits(word.bits).object;
        let local =
            |o: crate::memory::ObjectRef| o.class() == Class::Stack && !o.flags().has(Flags::FREED);
        if word.is_defined() && self.memory.get(object).is_some_and(local) {
            self.look_for_late_accesses(object)?;
            self.release(object)?;
            let object = self.memory.get_mut(object);
            object.clear();
            object.flags.set(Flags::ENDED, ended);
        }
        Ok(())
    }

    fn thread_local(&mut self, variable: SymbolId) -> Result<Word> {
        let Target::Global(global, offset) = self.program.target(self.at.id, variable) else {
            return unsupported("a thread-local variable that is defined nowhere");
        };
        let info = &self.program.globals()[global.0 as usize];
        let object = if info.thread_local {
            self.local_copy(global.0)
        } else {
            ObjectId::global(global.0)
        };
        Ok(Word::pointer(Address { object, offset }.bits()))
    }

    fn local_copy(&mut self, global: u32) -> ObjectId {
        let locals = &self.threads[self.running].locals;
        if let Some((_, object)) = locals.iter().find(|(g, _)| *g == global) {
            return *object;
        }
        let info = &self.program.globals()[global as usize];
        let object = Object::of_global(Class::ThreadLocal, info, self.program);
        let id = self.memory.allocate(object);
        let locals = &mut self.threads[self.running].locals;
        let at = locals.partition_point(|(g, _)| *g < global);
        locals.insert(at, (global, id));
        id
    }

    fn update(
        &mut self,
        operation: ReadModifyWrite,
        scalar: Scalar,
        destination: Slot,
        address: Operand,
        source: Operand,
    ) -> Result<()> {
        let (word, operand) = (self.read(address), self.read_scalar(source, scalar));
        let bytes = scalar.bytes() as u64;
        self.drain()?;
        let address = self.memory.address(word)?;
        self.observe(address, bytes, Access::Write, true)?;
        let spot = self.memory.check(word, address, bytes, Access::Write)?;
        let old = self.load_checked(scalar, spot);
        let new = modify(operation, scalar, old, operand);
        self.check_short(scalar, new)?;
        if self.events.is_some() {
            self.note_update(address, scalar, old, new);
        }
        self.store_checked(scalar, spot, new);
        self.write_scalar(destination, scalar, old);
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        scalar: Scalar,
        weak: bool,
        destination: Slot,
        address: Operand,
        expected: Value,
        new: Value,
    ) -> Result<()> {
        let word = self.read(address);
        let bytes = scalar.bytes() as u64;
        self.drain()?;
        let address = self.memory.address(word)?;
        self.observe(address, bytes, Access::Write, true)?;
        let spot = self.memory.check(word, address, bytes, Access::Write)?;
        let old = self.load_checked(scalar, spot);
        if !old.is_defined() || !expected.is_defined() {
            return error(
                ErrorKind::UndefinedValue,
                "a compare-and-exchange depends on an undefined value",
            );
        }
        self.check_short(scalar, new)?;
        let equal = old.bits() == expected.bits();
        let fails = weak && equal && self.choose(2, false)? == 1;
        if equal && !fails {
            if self.events.is_some() {
                self.note_update(address, scalar, old, new);
            }
            self.store_checked(scalar, spot, new);
        } else if self.events.is_some() {
            self.note_update(address, scalar, old, old);
        }
        self.write_scalar(destination, scalar, old);
        let flag = Slot(destination.0 + scalar.words());
        self.write(flag, Word::number((equal && !fails) as u64));
        Ok(())
    }

    #[cold]
    fn note_update(&mut self, address: Address, scalar: Scalar, old: Value, new: Value) {
        let variable = self.memory.describe_part(address, scalar.bytes() as u64);
        let action = crate::record::Action::Write {
            variable,
            old: self.show(scalar, old),
            value: self.show(scalar, new),
        };
        self.note(action);
    }

    /// `memcpy` and `memmove`: reading and writing are one action. Where both are observable, this loses
    /// nothing: both are checked for races, and whoever could observe the point between them races with one of them.
    pub fn copy_memory(&mut self, to: Word, from: Word, bytes: Word, overlap: bool) -> Result<()> {
        let count = self.defined_size(bytes)?;
        if count == 0 {
            return Ok(());
        }
        let (target, source) = (self.memory.address(to)?, self.memory.address(from)?);
        self.observe_also(Route::Forwarded, source, count, Access::Read, false)?;
        let route = self.store_route(target, count, false);
        self.observe_also(route, target, count, Access::Write, false)?;
        self.copy_now(to, from, count, overlap, route)
    }

    fn copy_now(
        &mut self,
        to: Word,
        from: Word,
        count: u64,
        overlap: bool,
        route: Route,
    ) -> Result<()> {
        let source = self.memory.resolve(from, count, Access::Read)?;
        let target = self.memory.resolve(to, count, Access::Write)?;
        let apart = source.offset.abs_diff(target.offset) as u64 >= count;
        if !overlap && source.object == target.object && !apart && source != target {
            return error(ErrorKind::InvalidCall, "memcpy between places that overlap");
        }
        if self.delays() {
            return self.copy_in_order(route, target, source, count as usize);
        }
        self.memory.copy(target, source, count as usize);
        Ok(())
    }

    /// `memset`.
    pub fn fill_memory(&mut self, to: Word, value: Word, bytes: Word) -> Result<()> {
        let count = self.defined_size(bytes)?;
        if count == 0 {
            return Ok(());
        }
        let target = self.memory.address(to)?;
        let route = self.store_route(target, count, false);
        self.observe_as(route, target, count, Access::Write, false)?;
        let target = self.memory.check(to, target, count, Access::Write)?;
        if self.delays() && route == Route::Delayed {
            return self.fill_in_order(target, count as usize, value);
        }
        self.memory.fill(target, count as usize, value);
        Ok(())
    }

    fn defined_size(&self, bytes: Word) -> Result<u64> {
        if bytes.is_defined() {
            return Ok(bytes.bits);
        }
        error(
            ErrorKind::UndefinedValue,
            "the size of a memory operation is undefined",
        )
    }

    /// Fills a `va_list`: both register areas are used up, so that every argument is taken from the overflow area, which is the object
    /// made by the call. With short pointers, the list is the address of the next argument.
    fn start_variable_arguments(&mut self, list: Word) -> Result<()> {
        let frame = self.stack.frames.last().expect("a running frame");
        let area = match frame.arguments {
            ObjectId::NULL => Word::number(0),
            object => Word::pointer(Address::of(object).bits()),
        };
        if self.program.short().is_some() {
            return self.store(Scalar::ShortPointer, list, Value::one(area), false);
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
    }
}

fn raise<T>(outcome: integer::Outcome<T>) -> Result<T> {
    outcome.map_err(|(kind, message)| Box::new(Halt::Error(kind, message)))
}

fn modify(operation: ReadModifyWrite, scalar: Scalar, old: Value, operand: Value) -> Value {
    use BinaryOperation as B;
    use ReadModifyWrite as R;
    let width = scalar.bits();
    let lax = Strictness {
        shifts: false,
        signed_overflow: false,
    };
    let binary = |op| {
        let result = integer::binary_wide(op, width, old, operand, Promises::default(), lax);
        let mut value = result.unwrap_or(Value::undefined(width));
        value.low.pointer = old.low.pointer;
        value
    };
    let pick = |intrinsic| {
        let result = intrinsic::compute(intrinsic, scalar, &[old, operand]);
        result.map_or(Value::undefined(width), |(value, _)| value)
    };
    let float = |op| float::binary(op, scalar, old, operand);
    match operation {
        R::Exchange => operand,
        R::Add => binary(B::Add),
        R::Subtract => binary(B::Subtract),
        R::And => binary(B::And),
        R::Or => binary(B::Or),
        R::Xor => binary(B::Xor),
        R::Nand => {
            let value = binary(B::And);
            let bits = !value.bits();
            Value::with_undefined(bits, value.undefined_bits(), width)
        }
        R::SignedMaximum => pick(Intrinsic::SignedMaximum),
        R::SignedMinimum => pick(Intrinsic::SignedMinimum),
        R::UnsignedMaximum => pick(Intrinsic::UnsignedMaximum),
        R::UnsignedMinimum => pick(Intrinsic::UnsignedMinimum),
        R::FloatAdd => float(impasse_program::instruction::FloatOperation::Add),
        R::FloatSubtract => float(impasse_program::instruction::FloatOperation::Subtract),
        R::FloatMaximum => pick(Intrinsic::MaximumNumber),
        R::FloatMinimum => pick(Intrinsic::MinimumNumber),
        R::IncrementWrap => {
            let wraps = old.bits() >= operand.bits();
            Value::number(if wraps { 0 } else { old.bits() + 1 })
        }
        R::DecrementWrap => {
            let wraps = old.bits() == 0 || old.bits() > operand.bits();
            Value::number(if wraps {
                operand.bits()
            } else {
                old.bits() - 1
            })
        }
    }
}

/// Whether an address belongs to something that can be called.
pub fn is_function(address: Address) -> bool {
    matches!(address.object.kind(), ObjectKind::Function(_)) && address.offset == 0
}

/// A number of `width` bits.
pub fn number(bits: u64, width: u32) -> Word {
    Word::number(bits & mask(width))
}
