//! One instruction on a path.

use super::arithmetic::{Reading, Results};
use super::branches::{compare, divided, lowest_bit, switch};
use super::follow::{Follower, Result};
use super::state::{Object, Part, Path, Value, constant};
use impasse_program::instruction::{
    BinaryOperation, Conversion, Instruction, Operand, Position, Scalar, Slot,
};
use num_traits::ToPrimitive;

impl<'s> Follower<'_, 's> {
    /// Executes an instruction: where it leads.
    pub(super) fn step(&mut self, from: usize, mut path: Path<'s>) -> Result<Vec<Path<'s>>> {
        use Instruction as I;
        let at = path.top().at;
        let body = &path.top().function.body;
        let instruction = &body.code[at as usize];
        let operands = |range: impasse_program::instruction::Range| &body.operands[range.indices()];
        path.top().at += 1;
        if self.in_memory(&mut path, at)? {
            return Ok(vec![path]);
        }
        let numbered = |results: Results<'s>, slot: Slot| {
            let assigned = results.into_iter().map(|(mut path, number)| {
                path.assign(slot, Value::Number(number));
                path
            });
            Ok(assigned.collect())
        };
        match *instruction {
            I::Move {
                destination,
                source,
            }
            | I::Freeze {
                destination,
                source,
                ..
            } => {
                let value = path.read(source);
                path.assign(destination, value);
            }
            I::Binary {
                operation,
                scalar: scalar @ Scalar::Integer(_),
                poison_flags,
                destination,
                left,
                right,
            } => {
                if operation == BinaryOperation::ShiftLeft
                    && is_shifted_back(body.code.get(at as usize + 1), destination)
                {
                    path.assign(destination, Value::Any);
                    return Ok(vec![path]);
                }
                let no_wrap = poison_flags.no_signed_wrap;
                return numbered(
                    path.binary(operation, scalar, no_wrap, (left, right)),
                    destination,
                );
            }
            I::Compare {
                comparison,
                scalar: scalar @ Scalar::Integer(_),
                destination,
                left,
                right,
            } => {
                return Ok(compare(
                    path,
                    comparison,
                    scalar,
                    (destination, left, right),
                ));
            }
            I::Convert {
                conversion:
                    conversion
                    @ (Conversion::Truncate | Conversion::ZeroExtend | Conversion::SignExtend),
                from: narrow @ Scalar::Integer(_),
                to: Scalar::Integer(width),
                destination,
                source,
            } => {
                if width == 1 {
                    return Ok(lowest_bit(path, destination, (source, narrow)));
                }
                let value = match path.read(source) {
                    // The number is 0 or -1.
                    _ if narrow == Scalar::Integer(1) && conversion == Conversion::SignExtend => {
                        Value::Any
                    }
                    value => {
                        let reading = match conversion {
                            Conversion::SignExtend => Reading::Signed,
                            Conversion::ZeroExtend => Reading::Unsigned,
                            _ => Reading::Either,
                        };
                        Value::Number(path.as_number(value, narrow, reading))
                    }
                };
                let negative = match &value {
                    Value::Number(number) if conversion == Conversion::ZeroExtend => {
                        path.without_sign(number)
                    }
                    _ => None,
                };
                path.assign(destination, value);
                return Ok(negative.into_iter().chain([path]).collect());
            }
            I::Select {
                scalar,
                destination,
                condition,
                then,
                otherwise,
            } if scalar.words() == 1 => {
                let (holds, fails) = divided(&mut path, condition);
                let chosen = |paths: Vec<Path<'s>>, operand: Operand| {
                    paths.into_iter().map(move |mut path| {
                        let value = path.read(operand);
                        path.assign(destination, value);
                        path
                    })
                };
                return Ok(chosen(holds, then)
                    .chain(chosen(fails, otherwise))
                    .collect());
            }
            I::Compute {
                intrinsic,
                scalar: scalar @ Scalar::Integer(_),
                destination,
                arguments,
            } if instruction
                .definitions(body)
                .is_some_and(|(_, words)| words == 1) =>
            {
                return numbered(
                    path.computed(intrinsic, scalar, operands(arguments)),
                    destination,
                );
            }
            I::Undefine { .. }
            | I::Float { .. }
            | I::FloatCompare { .. }
            | I::Convert { .. }
            | I::Compare { .. }
            | I::Binary { .. }
            | I::Select { .. }
            | I::Compute { .. }
            | I::Repack { .. } => {
                if let Some((first, words)) = instruction.definitions(body) {
                    (first.0..first.0 + words).for_each(|slot| path.assign(Slot(slot), Value::Any));
                }
            }
            _ => return self.controlled(from, path, at),
        }
        Ok(vec![path])
    }

    /// Executes an instruction about addresses and memory. Whether it is one.
    fn in_memory(&self, path: &mut Path<'s>, at: u32) -> Result<bool> {
        use Instruction as I;
        let instruction = &path.top().function.body.code[at as usize];
        match *instruction {
            I::AddressOffset {
                destination,
                base,
                offset,
            } => {
                let value = match path.read(base) {
                    Value::Address(object, from) => match from.checked_add(offset) {
                        Some(sum) => Value::Address(object, sum),
                        None => Value::Any,
                    },
                    _ => Value::Any,
                };
                path.assign(destination, value);
            }
            I::AddressIndex {
                destination,
                base,
                index,
                width,
                scale,
            } => {
                let number = path.number(index, Scalar::Integer(width), Reading::Signed);
                let known = number.constant.to_i64().filter(|_| number.is_constant());
                let moved = known.and_then(|known| known.checked_mul(scale.try_into().ok()?));
                let value = match (path.read(base), moved) {
                    (Value::Address(object, from), Some(by)) => from
                        .checked_add(by)
                        .map_or(Value::Any, |sum| Value::Address(object, sum)),
                    _ => Value::Any,
                };
                path.assign(destination, value);
            }
            I::Allocate {
                destination,
                count,
                element_bytes,
                ..
            } => {
                let object = Object::Local(path.frames.len() as u32, at);
                let count = constant(&path.read(count));
                let count = count.ok_or("an array whose length is not constant")?;
                let size = count.saturating_mul(element_bytes);
                if path.objects.insert(object, size).is_some() {
                    return Err("an object that is allocated again and again".into());
                }
                path.assign(destination, Value::Address(object, 0));
            }
            I::LifetimeStart { address, .. } => match path.read(address) {
                Value::Address(object @ Object::Local(..), 0) => {
                    path.memory.retain(|part, _| part.0 != object);
                }
                _ => return Err("an object that is not known".into()),
            },
            I::LifetimeEnd { address, .. } => {
                // What is read later is nothing that the program may rely on.
                if self.mode.inputs.is_some() {
                    match path.read(address) {
                        Value::Address(object, 0) => {
                            path.memory.retain(|part, _| part.0 != object);
                        }
                        _ => path.is_over = true,
                    }
                }
            }
            I::Load {
                scalar,
                destination,
                address,
                volatile,
                ..
            } => {
                let value = match path.read(address) {
                    Value::Address(object, offset) if !volatile => {
                        let part = (object, offset, scalar.bytes());
                        path.is_over |= !self.is_inside(path, part);
                        path.load(part, self.initial(path, object))
                    }
                    _ => {
                        path.is_over = true;
                        Value::Any
                    }
                };
                path.assign(destination, value);
                if scalar.words() == 2 {
                    path.assign(destination, Value::Any);
                    path.assign(Slot(destination.0 + 1), Value::Any);
                }
            }
            I::Store {
                scalar,
                source,
                address,
                ..
            } => {
                let Value::Address(object, offset) = path.read(address) else {
                    return Err("a write to memory at an address that is not constant".into());
                };
                let part = (object, offset, scalar.bytes());
                let value = match scalar.words() {
                    1 => path.read(source),
                    _ => Value::Any,
                };
                self.store(path, part, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Executes an instruction that decides what comes next.
    fn controlled(&mut self, from: usize, mut path: Path<'s>, at: u32) -> Result<Vec<Path<'s>>> {
        use Instruction as I;
        let body = &path.top().function.body;
        match body.code[at as usize] {
            I::Jump { target } => path.top().at = target.0,
            I::Branch {
                condition,
                then,
                otherwise,
            } => {
                let (holds, fails) = divided(&mut path, condition);
                let lead = |paths: Vec<Path<'s>>, target: Position| {
                    paths.into_iter().map(move |mut path| {
                        path.top().at = target.0;
                        path
                    })
                };
                return Ok(lead(holds, then).chain(lead(fails, otherwise)).collect());
            }
            I::Switch {
                scalar,
                value,
                cases,
                default,
            } => {
                let number = path.number(value, scalar, Reading::Either);
                let cases = &body.cases[cases.indices()];
                return Ok(switch(path, (&number, scalar), cases, default));
            }
            I::Call { site } => {
                path.top().at = at;
                let call = &body.sites[site.0 as usize];
                let target = path.top().function.targets[site.0 as usize];
                return self.call(from, path, (call, target));
            }
            I::Return { values } => {
                let values: Vec<Value> = body.operands[values.indices()]
                    .iter()
                    .map(|&one| path.read(one))
                    .collect();
                let left = path.frames.pop().map(|frame| frame.id);
                if path.frames.is_empty() {
                    if self.mode.inputs.is_some() {
                        path.is_over = true;
                        return Ok(vec![path]);
                    }
                    if let Some(left) = left {
                        self.leave(from, (left, &values), path);
                    }
                    return Ok(Vec::new());
                }
                path.forget_frame(path.frames.len() as u32 + 1);
                let frame = path.top();
                let Instruction::Call { site } = &frame.function.body.code[frame.at as usize]
                else {
                    return Err("a return to where there is no call".into());
                };
                let first = frame.function.body.sites[site.0 as usize].destination.0;
                frame.at += 1;
                let depth = path.frames.len() as u32;
                for (slot, value) in (first..).zip(values) {
                    let is_gone =
                        matches!(value, Value::Address(Object::Local(of, _), _) if of > depth);
                    path.assign(Slot(slot), if is_gone { Value::Any } else { value });
                }
            }
            I::Unreachable => return Err("code that must not be reached".into()),
            _ => return Err("an instruction that is not followed over integers".into()),
        }
        Ok(vec![path])
    }

    /// What a global holds at the start of the program, if it still does where nothing was written.
    fn initial(&self, path: &Path<'s>, object: Object) -> &'s [u8] {
        let Object::Global(n) = object else {
            return &[];
        };
        let program = &self.subject.system.program;
        match program.globals().get(n as usize) {
            Some(global)
                if (path.is_initial || global.constant)
                    && global.pointers.is_empty()
                    && !global.thread_local =>
            {
                &global.bytes
            }
            _ => &[],
        }
    }

    /// Whether a part of memory is inside of its object.
    fn is_inside(&self, path: &Path<'s>, (object, offset, bytes): Part) -> bool {
        let size = match object {
            Object::Global(n) => {
                let global = self.subject.system.program.globals().get(n as usize);
                global.map(|global| global.bytes.len() as u64)
            }
            Object::Local(..) | Object::Heap(..) => path.objects.get(&object).copied(),
        };
        let end = offset.checked_add(bytes.into());
        let fits = |size: u64| offset >= 0 && end.is_some_and(|end| end as u64 <= size);
        size.is_some_and(fits)
    }

    fn store(&self, path: &mut Path<'s>, part: Part, value: Value) -> Result<()> {
        if !self.is_inside(path, part) {
            return Err("a write that may be outside of its object".into());
        }
        let object = part.0;
        if let Object::Global(n) = object
            && self.subject.system.program.globals()[n as usize].constant
        {
            return Err("a write to a constant".into());
        }
        while let Some(other) = path.overlapping(part) {
            if let Object::Global(_) = object {
                return Err("parts of a global variable that overlap".into());
            }
            path.memory.remove(&other);
        }
        path.memory.insert(part, value);
        Ok(())
    }
}

/// Whether an instruction shifts a slot to the right. If that was shifted to the left just before,
/// both cut bits off, as for a signed bit-field.
fn is_shifted_back(next: Option<&Instruction>, slot: Slot) -> bool {
    use BinaryOperation as B;
    matches!(
        next,
        Some(Instruction::Binary {
            operation: B::ArithmeticShiftRight | B::LogicalShiftRight,
            left,
            ..
        }) if *left == Operand::slot(slot)
    )
}
