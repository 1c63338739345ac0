//! Instructions without a lock: arithmetic, shifts, and searches for bits, of a register or of
//! memory, which is then loaded and stored in two accesses; and the counter of cycles.

use super::{Assembly, Line, immediate};
use crate::instruction::{
    BinaryOperation, CallSite, Callee, Comparison, Conversion, Instruction, Intrinsic, Operand,
    Ordering, PoisonFlags, Scalar, Slot,
};
use crate::translate::function::Translator;

/// The operation of a mnemonic of two operands.
pub(super) fn binary(stem: &str) -> Option<BinaryOperation> {
    Some(match stem {
        "add" | "inc" => BinaryOperation::Add,
        "sub" | "dec" => BinaryOperation::Subtract,
        "and" => BinaryOperation::And,
        "or" => BinaryOperation::Or,
        "xor" => BinaryOperation::Xor,
        "imul" => BinaryOperation::Multiply,
        _ => return None,
    })
}

/// The operation of a mnemonic that shifts.
fn shift(stem: &str) -> Option<BinaryOperation> {
    Some(match stem {
        "shl" | "sal" => BinaryOperation::ShiftLeft,
        "shr" => BinaryOperation::LogicalShiftRight,
        "sar" => BinaryOperation::ArithmeticShiftRight,
        _ => return None,
    })
}

/// Whether an instruction is about the cache only.
pub(super) fn is_about_the_cache(line: &Line<'_>) -> bool {
    line.name.starts_with("prefetch") || matches!(line.name, "clflush" | "clflushopt" | "clwb")
}

impl<'m> Translator<'_, 'm> {
    /// An instruction that changes one place.
    pub(super) fn plain(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        stem: &str,
        scalar: Scalar,
    ) -> Option<()> {
        let to = *line.operands.last()?;
        let results = match assembly.address(to) {
            Some(_) => 0,
            None => {
                let (_, result) = assembly.result(assembly.place(to)?)?;
                (result == scalar).then_some(1)?
            }
        };
        (assembly.parts.len() == results && !line.locked).then_some(())?;
        let value = self.computed(assembly, line, stem, scalar)?;
        self.put(assembly, to, scalar, value)
    }

    /// What such an instruction computes.
    fn computed(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        stem: &str,
        scalar: Scalar,
    ) -> Option<Operand> {
        let is_search = matches!(stem, "bsf" | "bsr");
        (matches!(scalar, Scalar::Integer(_)) && (is_search || !line.repeated)).then_some(())?;
        match (stem, &line.operands[..]) {
            ("inc" | "dec", &[place]) => {
                let (old, one) = (self.get(assembly, place, scalar)?, self.build.number(1));
                Some(self.two(binary(stem)?, scalar, old, one))
            }
            ("neg", &[place]) => {
                let (old, zero) = (self.get(assembly, place, scalar)?, self.build.number(0));
                Some(self.two(BinaryOperation::Subtract, scalar, zero, old))
            }
            ("not", &[place]) => {
                let old = self.get(assembly, place, scalar)?;
                let ones = self.build.number(crate::word::mask(scalar.bits()));
                Some(self.two(BinaryOperation::Xor, scalar, old, ones))
            }
            ("bswap", &[place]) if scalar.bits() >= 32 => {
                let old = self.get(assembly, place, scalar)?;
                Some(self.function(Intrinsic::SwapBytes, scalar, &[old]))
            }
            ("popcnt", &[from, _]) => {
                let value = self.get(assembly, from, scalar)?;
                Some(self.function(Intrinsic::CountOnes, scalar, &[value]))
            }
            ("lzcnt" | "tzcnt", &[from, _]) => {
                let value = self.get(assembly, from, scalar)?;
                let count = match stem {
                    "lzcnt" => Intrinsic::CountLeadingZeros,
                    _ => Intrinsic::CountTrailingZeros,
                };
                let defined = self.build.number(0);
                Some(self.function(count, scalar, &[value, defined]))
            }
            ("bsf" | "bsr", &[from, to]) => {
                // With the prefix, newer processors take it for another instruction, which keeps
                // nothing.
                let kept = match line.repeated {
                    true => None,
                    false => self.value_of(assembly, to, scalar),
                };
                self.found_bit(assembly, (from, kept), stem, scalar)
            }
            (_, &[count, place]) if matches!(stem, "rol" | "ror") || shift(stem).is_some() => {
                let count = self.count(assembly, count, scalar)?;
                let old = self.get(assembly, place, scalar)?;
                Some(match shift(stem) {
                    // Narrow numbers can be shifted by more than they have.
                    Some(_) if scalar.bits() < 32 => return None,
                    Some(operation) => self.two(operation, scalar, old, count),
                    None => {
                        let turn = match stem {
                            "rol" => Intrinsic::FunnelShiftLeft,
                            _ => Intrinsic::FunnelShiftRight,
                        };
                        self.function(turn, scalar, &[old, old, count])
                    }
                })
            }
            (_, &[from, place]) => {
                let operation = binary(stem).filter(|_| !matches!(stem, "inc" | "dec"))?;
                let by = self.get(assembly, from, scalar)?;
                let old = self.get(assembly, place, scalar)?;
                Some(self.two(operation, scalar, old, by))
            }
            _ => None,
        }
    }

    /// The number of the lowest or highest bit that is set; if none is, what the register keeps.
    fn found_bit(
        &mut self,
        assembly: &Assembly<'m>,
        (from, kept): (&str, Option<Operand>),
        stem: &str,
        scalar: Scalar,
    ) -> Option<Operand> {
        let value = self.get(assembly, from, scalar)?;
        let kept = kept.unwrap_or_else(|| self.build.undefined(scalar));
        let (defined, zero) = (self.build.number(0), self.build.number(0));
        let found = match stem {
            "bsf" => self.function(Intrinsic::CountTrailingZeros, scalar, &[value, defined]),
            _ => {
                let zeros = self.function(Intrinsic::CountLeadingZeros, scalar, &[value, defined]);
                let highest = self.build.number(u64::from(scalar.bits()) - 1);
                self.two(BinaryOperation::Subtract, scalar, highest, zeros)
            }
        };
        let none = self.compared(Comparison::Equal, scalar, value, zero);
        let destination = self.build.slots(1);
        self.build.push(Instruction::Select {
            scalar,
            destination,
            condition: none,
            then: kept,
            otherwise: found,
        });
        Some(Operand::slot(destination))
    }

    /// By how much is shifted: the processor looks at the lowest bits only.
    fn count(&mut self, assembly: &Assembly<'m>, operand: &str, scalar: Scalar) -> Option<Operand> {
        let most = if scalar.bits() == 64 { 63 } else { 31 };
        if let Some(number) = immediate(operand) {
            return Some(self.build.number(number as u64 & most));
        }
        let number = match operand {
            "%cl" => assembly.register("{cx}", true)?,
            _ => assembly.number(operand)?,
        };
        let (value, held) = self.incoming(assembly, number)?;
        let value = self.resized(value, held, scalar)?;
        let mask = self.build.number(most & crate::word::mask(scalar.bits()));
        Some(self.two(BinaryOperation::And, scalar, value, mask))
    }

    /// A number in another width; what is new is zero.
    pub(super) fn resized(&mut self, value: Operand, from: Scalar, to: Scalar) -> Option<Operand> {
        matches!((from, to), (Scalar::Integer(_), Scalar::Integer(_))).then_some(())?;
        let conversion = match from.bits().cmp(&to.bits()) {
            std::cmp::Ordering::Equal => return Some(value),
            std::cmp::Ordering::Less => Conversion::ZeroExtend,
            std::cmp::Ordering::Greater => Conversion::Truncate,
        };
        let destination = self.build.slots(1);
        self.build.push(Instruction::Convert {
            conversion,
            from,
            to,
            destination,
            source: value,
        });
        Some(Operand::slot(destination))
    }

    /// What a register, a number or memory holds.
    pub(super) fn get(
        &mut self,
        assembly: &Assembly<'m>,
        operand: &str,
        scalar: Scalar,
    ) -> Option<Operand> {
        let Some(address) = assembly.address(operand) else {
            return self.value_of(assembly, operand, scalar);
        };
        let address = self.operand(address).ok()?;
        let destination = self.build.slots(1);
        self.build.push(Instruction::Load {
            scalar,
            ordering: match assembly.orders {
                true => Ordering::Acquire,
                false => Ordering::Relaxed,
            },
            volatile: false,
            destination,
            address,
        });
        Some(Operand::slot(destination))
    }

    /// Writes a register or memory.
    pub(super) fn put(
        &mut self,
        assembly: &Assembly<'m>,
        operand: &str,
        scalar: Scalar,
        value: Operand,
    ) -> Option<()> {
        let Some(address) = assembly.address(operand) else {
            let (slot, result) = assembly.result(assembly.place(operand)?)?;
            let value = match result == scalar {
                true => value,
                false => self.resized(value, scalar, result)?,
            };
            self.build.copy_scalar(result, slot, value);
            return Some(());
        };
        let address = self.operand(address).ok()?;
        self.build.push(Instruction::Store {
            scalar,
            ordering: match assembly.orders {
                true => Ordering::Release,
                false => Ordering::Relaxed,
            },
            volatile: false,
            source: value,
            address,
        });
        Some(())
    }

    pub(super) fn two(
        &mut self,
        operation: BinaryOperation,
        scalar: Scalar,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let destination = self.build.slots(1);
        self.build.push(Instruction::Binary {
            operation,
            scalar,
            poison_flags: PoisonFlags::default(),
            destination,
            left,
            right,
        });
        Operand::slot(destination)
    }

    pub(super) fn compared(
        &mut self,
        comparison: Comparison,
        scalar: Scalar,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let destination = self.build.slots(1);
        self.build.push(Instruction::Compare {
            comparison,
            scalar,
            destination,
            left,
            right,
        });
        Operand::slot(destination)
    }

    fn function(&mut self, intrinsic: Intrinsic, scalar: Scalar, values: &[Operand]) -> Operand {
        let destination = self.build.slots(1);
        let arguments = self.build.operands(values);
        self.build.push(Instruction::Compute {
            intrinsic,
            scalar,
            destination,
            arguments,
        });
        Operand::slot(destination)
    }

    /// A hint that memory will be needed, which does nothing, or a line of the cache written back,
    /// for which a byte must be there.
    pub(super) fn touch(&mut self, assembly: &Assembly<'m>, line: &Line<'_>) -> Option<()> {
        let &[place] = &line.operands[..] else {
            return None;
        };
        let address = assembly.address(place)?;
        (assembly.parts.is_empty() && !line.locked).then_some(())?;
        if line.name.starts_with("prefetch") {
            return Some(());
        }
        let address = self.operand(address).ok()?;
        let destination = self.build.slots(1);
        self.build.push(Instruction::Load {
            scalar: Scalar::Integer(8),
            ordering: Ordering::Relaxed,
            volatile: false,
            destination,
            address,
        });
        Some(())
    }

    /// The counter of cycles, in two halves; with `rdtscp` also the number of the processor. Two
    /// more instructions may join the halves.
    pub(super) fn cycles(&mut self, assembly: &Assembly<'m>, lines: &[Line<'_>]) -> Option<()> {
        let joined = match &lines[1..] {
            [] => false,
            [shift, or] => {
                let shifts = matches!(shift.name, "shl" | "shlq" | "sal" | "salq")
                    && matches!(shift.operands[..], ["$$32", "%rdx"]);
                let to = match or.operands[..] {
                    ["%rdx", to] if matches!(or.name, "or" | "orq") => to,
                    _ => return None,
                };
                let low = |to| Some(assembly.place(to)?.constraint == "{ax}");
                (shifts && (to == "%rax" || low(to)?)).then_some(true)?
            }
            _ => return None,
        };
        lines.iter().all(|line| !line.locked).then_some(())?;
        lines[0].operands.is_empty().then_some(())?;
        let halves = [
            assembly.register("{ax}", false),
            assembly.register("{dx}", false),
        ];
        let processor = assembly.register("{cx}", false);
        let known = halves.iter().chain([&processor]).flatten().count();
        let is_number = |part: &super::Part| matches!(part.scalar, Scalar::Integer(32 | 64));
        (known == assembly.parts.len() && assembly.parts.iter().all(is_number)).then_some(())?;
        let (word, half) = (Scalar::Integer(64), Scalar::Integer(32));
        let all = Operand::slot(self.call_for_word("__impasse_cycles"));
        let by = self.build.number(32);
        let high = self.two(BinaryOperation::LogicalShiftRight, word, all, by);
        let mask = self.build.number(crate::word::mask(half.bits()));
        let low = match joined {
            true => all,
            false => self.two(BinaryOperation::And, word, all, mask),
        };
        // Joining leaves the upper half where it was shifted to.
        let high = match joined {
            true => self.two(BinaryOperation::ShiftLeft, word, high, by),
            false => high,
        };
        let zero = self.build.number(0);
        let written = halves.into_iter().chain([processor]).zip([low, high, zero]);
        for (number, value) in written {
            if let Some(number) = number {
                let (slot, result) = assembly.result(&assembly.places[number])?;
                let value = self.resized(value, word, result)?;
                self.build.copy_scalar(result, slot, value);
            }
        }
        Some(())
    }

    /// Calls a function of the runtime that has no arguments and returns a word.
    fn call_for_word(&mut self, name: &str) -> Slot {
        let callee = Callee::Symbol(self.context.runtime_function(name));
        let destination = self.build.slots(1);
        self.build.call(CallSite {
            callee,
            arguments: Vec::new(),
            fixed: 0,
            destination,
            results: vec![Scalar::Integer(64)],
            landing: None,
            no_unwind: true,
            returns_twice: false,
        });
        destination
    }
}
