//! What each instruction does: which operands it reads, with which types, what it computes of them,
//! in which order, and which slots it assigns.

use crate::domain::{Access, Arithmetic, Domain, Exchange, Halting, Switch};
use impasse_program::instruction::{
    Body, Conversion, Instruction, Intrinsic, Operand, Place, Scalar, Slot,
};

/// Executes `instruction`, which must be one of `body`, and returns how execution continues. Fails
/// if an operation of the domain fails; then the instruction assigns nothing.
#[inline(always)]
pub fn evaluate<D: Domain>(
    d: &mut D,
    body: &Body,
    instruction: &Instruction,
) -> Halting<D::Flow, D> {
    use Instruction as I;
    match *instruction {
        I::Move {
            destination,
            source,
        } => {
            let word = d.word(source);
            d.assign(destination, word);
        }
        I::Binary { .. } => binary(d, instruction)?,
        I::Compare { .. } => compare(d, instruction)?,
        I::Load {
            scalar,
            ordering,
            volatile,
            destination,
            address,
        } => {
            let access = Access {
                scalar,
                ordering,
                volatile,
            };
            let address = d.one_word(address, Scalar::Pointer);
            return d.load(access, address, destination);
        }
        I::Store {
            scalar,
            ordering,
            volatile,
            source,
            address,
        } => {
            let access = Access {
                scalar,
                ordering,
                volatile,
            };
            let address = d.one_word(address, Scalar::Pointer);
            let value = d.value(source, scalar);
            return d.store(access, address, value);
        }
        I::Jump { target } => return Ok(d.jump(target)),
        I::Branch {
            condition,
            then,
            otherwise,
        } => {
            let condition = d.one_word(condition, Scalar::Integer(1));
            return d.branch(condition, then, otherwise);
        }
        I::Call { site } => return d.call(site),
        I::Return { values } => return d.return_from(values),
        I::AddressOffset {
            destination,
            base,
            offset,
        } => {
            let base = d.one_word(base, Scalar::Pointer);
            let word = d.offset(base, offset);
            d.assign(destination, word);
        }
        I::AddressIndex {
            destination,
            base,
            index,
            width,
            scale,
        } => {
            let base = d.one_word(base, Scalar::Pointer);
            let index = d.one_word(index, Scalar::Integer(width));
            let word = d.index(base, index, width, scale);
            d.assign(destination, word);
        }
        I::Convert { .. } => convert(d, instruction)?,
        I::Select {
            scalar,
            destination,
            condition,
            then,
            otherwise,
        } => {
            let condition = d.one_word(condition, Scalar::Integer(1));
            let value = d.select(scalar, condition, then, otherwise);
            d.assign_value(destination, scalar, value);
        }
        _ => return rare(d, body, instruction),
    }
    Ok(D::NEXT)
}

// The next three take the instruction apart themselves: passing its fields costs more than that.

#[inline]
fn binary<D: Domain>(d: &mut D, instruction: &Instruction) -> Halting<(), D> {
    let Instruction::Binary {
        operation,
        scalar,
        poison_flags: flags,
        destination,
        left,
        right,
    } = *instruction
    else {
        unreachable!("arithmetic");
    };
    let arithmetic = Arithmetic {
        operation,
        scalar,
        flags,
    };
    if scalar.words() == 2 {
        let (left, right) = (d.value(left, scalar), d.value(right, scalar));
        let value = d.binary_wide(arithmetic, left, right)?;
        d.assign_value(destination, scalar, value);
    } else {
        let (left, right) = (d.one_word(left, scalar), d.one_word(right, scalar));
        let word = d.binary(arithmetic, left, right)?;
        d.assign(destination, word);
    }
    Ok(())
}

#[inline]
fn compare<D: Domain>(d: &mut D, instruction: &Instruction) -> Halting<(), D> {
    let Instruction::Compare {
        comparison,
        scalar,
        destination,
        left,
        right,
    } = *instruction
    else {
        unreachable!("a comparison");
    };
    let word = if scalar.words() == 2 {
        let (left, right) = (d.value(left, scalar), d.value(right, scalar));
        d.compare_wide(comparison, scalar, left, right)
    } else {
        let (left, right) = (d.one_word(left, scalar), d.one_word(right, scalar));
        d.compare(comparison, scalar, left, right)?
    };
    d.assign(destination, word);
    Ok(())
}

#[inline]
fn convert<D: Domain>(d: &mut D, instruction: &Instruction) -> Halting<(), D> {
    let Instruction::Convert {
        conversion,
        from,
        to,
        destination,
        source,
    } = *instruction
    else {
        unreachable!("a conversion");
    };
    let value = d.value(source, from);
    let value = match conversion {
        Conversion::PointerToInteger if from == Scalar::Pointer32 => d.narrow(value, to)?,
        Conversion::IntegerToPointer if to == Scalar::Pointer32 => d.widen(value, from),
        _ => d.convert(conversion, from, to, value),
    };
    d.assign_value(destination, to, value);
    Ok(())
}

/// Instructions that compute, but not often.
#[inline(never)]
fn rare<D: Domain>(d: &mut D, body: &Body, instruction: &Instruction) -> Halting<D::Flow, D> {
    use Instruction as I;
    match *instruction {
        I::Undefine {
            destination,
            scalar,
        } => {
            let value = d.undefined(scalar);
            d.assign_value(destination, scalar, value);
        }
        I::Float {
            operation,
            scalar,
            destination,
            left,
            right,
        } => {
            let (left, right) = (d.value(left, scalar), d.value(right, scalar));
            let value = d.float(operation, scalar, left, right);
            d.assign_value(destination, scalar, value);
        }
        I::FloatCompare {
            comparison,
            scalar,
            destination,
            left,
            right,
        } => {
            let (left, right) = (d.value(left, scalar), d.value(right, scalar));
            let word = d.compare_floats(comparison, scalar, left, right);
            d.assign(destination, word);
        }
        I::Freeze {
            scalar,
            destination,
            source,
        } => {
            let value = d.value(source, scalar);
            let value = d.freeze(scalar, value);
            d.assign_value(destination, scalar, value);
        }
        I::Repack {
            from,
            to,
            destination,
            arguments,
        } => repack(d, (from, to), destination, body.operands_in(arguments)),
        I::Compute {
            intrinsic,
            scalar,
            destination,
            arguments,
        } => {
            let (value, flag) = d.compute(intrinsic, scalar, body.operands_in(arguments))?;
            let result = match intrinsic {
                Intrinsic::IsFloatClass => Scalar::Integer(1),
                _ => scalar,
            };
            d.assign_value(destination, result, value);
            if let Some(flag) = flag {
                d.assign(Slot(destination.0 + result.words()), flag);
            }
        }
        I::Switch {
            scalar,
            value,
            cases,
            default,
        } => {
            let value = d.value(value, scalar);
            let switch = Switch {
                scalar,
                cases,
                default,
            };
            return d.switch(switch, value);
        }
        I::IndirectJump { target, cases } => {
            let target = d.one_word(target, Scalar::Pointer);
            return d.indirect_jump(target, cases);
        }
        I::LandingPad { .. } | I::Unreachable | I::Unsupported { .. } => {
            return d.stuck(instruction);
        }
        _ => return memory(d, instruction),
    }
    Ok(D::NEXT)
}

/// LLVM's `bitcast`. Scalars of equal size keep their words.
fn repack<D: Domain>(
    d: &mut D,
    (from, to): (Scalar, Scalar),
    destination: Slot,
    operands: &[Operand],
) {
    if from.bits() == to.bits() && from.words() == 1 {
        for (index, &operand) in (0..).zip(operands) {
            let word = d.one_word(operand, from);
            d.assign(Slot(destination.0 + index), word);
        }
        return;
    }
    let parts = operands.iter().map(|&operand| d.value(operand, from));
    let parts: Vec<D::Value> = parts.collect();
    let count = parts.len() as u32 * from.bits() / to.bits();
    for (index, value) in (0..).zip(d.repack(from, to, parts, count)) {
        let slot = Slot(destination.0 + index * to.words());
        d.assign_value(slot, to, value);
    }
}

/// Instructions about memory, other than loads and stores.
fn memory<D: Domain>(d: &mut D, instruction: &Instruction) -> Halting<D::Flow, D> {
    use Instruction as I;
    match *instruction {
        I::Allocate {
            destination,
            count,
            element_bytes,
            align,
            ..
        } => {
            let count = d.one_word(count, Scalar::Integer(64));
            let address = d.allocate(count, element_bytes, align)?;
            d.assign(destination, address);
        }
        I::LifetimeStart { address, renews } => {
            let old = d.one_word(address, Scalar::Pointer);
            if renews
                && let Place::Slot(slot) = address.place()
                && let Some(new) = d.renew(old)?
            {
                d.assign(slot, new);
            } else {
                let address = d.one_word(address, Scalar::Pointer);
                d.lifetime(address, false)?;
            }
        }
        I::LifetimeEnd { address } => {
            let address = d.one_word(address, Scalar::Pointer);
            d.lifetime(address, true)?;
        }
        I::StackSave { destination } => {
            let saved = d.save_stack();
            d.assign(destination, saved);
        }
        I::StackRestore { saved } => {
            let saved = d.one_word(saved, Scalar::Integer(64));
            d.restore_stack(saved)?;
        }
        I::ThreadLocal {
            destination,
            variable,
        } => {
            let address = d.thread_local(variable)?;
            d.assign(destination, address);
        }
        I::Update {
            operation,
            scalar,
            ordering,
            destination,
            address,
            source,
        } => {
            let access = Access {
                scalar,
                ordering,
                volatile: false,
            };
            let address = d.one_word(address, Scalar::Pointer);
            let operand = d.value(source, scalar);
            let old = d.update(operation, access, address, operand)?;
            d.assign_value(destination, scalar, old);
        }
        I::CompareExchange { .. } => compare_exchange(d, instruction)?,
        I::Fence {
            ordering,
            single_thread: false,
        } => d.fence(ordering)?,
        I::Fence { .. } => {}
        I::NonTemporal => d.non_temporal()?,
        I::CopyMemory {
            destination,
            source,
            bytes,
            may_overlap,
        } => {
            let to = d.one_word(destination, Scalar::Pointer);
            let from = d.one_word(source, Scalar::Pointer);
            let bytes = d.one_word(bytes, Scalar::Integer(64));
            return d.copy_memory(to, from, bytes, may_overlap);
        }
        I::FillMemory {
            destination,
            value,
            bytes,
        } => {
            let to = d.one_word(destination, Scalar::Pointer);
            let value = d.one_word(value, Scalar::Integer(8));
            let bytes = d.one_word(bytes, Scalar::Integer(64));
            return d.fill_memory(to, value, bytes);
        }
        I::VariableArgumentsStart { list } => {
            let list = d.one_word(list, Scalar::Pointer);
            d.start_arguments(list)?;
        }
        I::VariableArgumentsCopy {
            destination,
            source,
        } => {
            let to = d.one_word(destination, Scalar::Pointer);
            let from = d.one_word(source, Scalar::Pointer);
            return d.copy_arguments(to, from);
        }
        _ => unreachable!("every instruction has its place"),
    }
    Ok(D::NEXT)
}

fn compare_exchange<D: Domain>(d: &mut D, instruction: &Instruction) -> Halting<(), D> {
    let Instruction::CompareExchange {
        scalar,
        success,
        failure,
        weak,
        destination,
        address,
        expected,
        replacement,
    } = *instruction
    else {
        unreachable!("a compare-exchange");
    };
    let exchange = Exchange {
        scalar,
        success,
        failure,
        weak,
    };
    let address = d.one_word(address, Scalar::Pointer);
    let expected = d.value(expected, scalar);
    let replacement = d.value(replacement, scalar);
    let (old, wrote) = d.compare_exchange(exchange, address, expected, replacement)?;
    d.assign_value(destination, scalar, old);
    d.assign(Slot(destination.0 + scalar.words()), wrote);
    Ok(())
}
