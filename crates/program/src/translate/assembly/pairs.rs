//! `cmpxchg8b` and `cmpxchg16b`: two words are compared with those in `dx:ax`, where the old ones
//! are left, and replaced by those in `cx:bx`.

use super::{Assembly, Line};
use crate::instruction::{
    BinaryOperation, Conversion, Instruction, Operand, Ordering, Scalar, Slot,
};
use crate::translate::function::Translator;

impl<'m> Translator<'_, 'm> {
    pub(super) fn exchange_pair(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        flag: Option<&Line<'_>>,
    ) -> Option<()> {
        let (half, both) = match line.name {
            "cmpxchg8b" => (Scalar::Integer(32), Scalar::Integer(64)),
            "cmpxchg16b" => (Scalar::Integer(64), Scalar::Wide(128)),
            _ => return None,
        };
        let [memory] = line.operands[..] else {
            return None;
        };
        line.locked.then_some(())?;
        let address = self.operand(assembly.address(memory)?).ok()?;
        let flag = match flag {
            Some(line) => match (line.name, &line.operands[..]) {
                ("sete" | "setz", &[to]) => Some(assembly.number(to)?),
                _ => return None,
            },
            None => assembly.find(|place| matches!(&*place.constraint, "{@cce}" | "{@ccz}")),
        };
        let outputs = ["{ax}", "{dx}"].map(|name| {
            let number = assembly.register(name, false)?;
            (Some(number) != flag).then_some(number)
        });
        let written = outputs.iter().chain([&flag]).flatten();
        let direct = written.filter(|&&number| assembly.places[number].result.is_some());
        (direct.count() == assembly.parts.len()).then_some(())?;
        let mut words = [None; 4];
        for (word, name) in words.iter_mut().zip(["{ax}", "{dx}", "{bx}", "{cx}"]) {
            *word = Some(self.entering(assembly, name, half)?);
        }
        let [Some(low), Some(high), Some(new_low), Some(new_high)] = words else {
            return None;
        };
        let expected = self.joined((low, high), half);
        let replacement = self.joined((new_low, new_high), half);
        let old = self.build.slots(both.words() + 1);
        let exchange = Instruction::CompareExchange {
            scalar: both,
            success: Ordering::SequentiallyConsistent,
            failure: Ordering::SequentiallyConsistent,
            weak: false,
            destination: old,
            address,
            expected,
            replacement,
        };
        self.push_locked(assembly, exchange);
        for (number, value) in outputs.into_iter().zip(self.halves(old, half)) {
            if let Some(number) = number {
                let (slot, result) = assembly.result(&assembly.places[number])?;
                (result.bits() == half.bits()).then_some(())?;
                self.build.copy_scalar(result, slot, value);
            }
        }
        let Some(number) = flag else {
            return Some(());
        };
        let equal = Operand::slot(Slot(old.0 + both.words()));
        let place = &assembly.places[number];
        let to = assembly.result(place).map_or(Scalar::Integer(8), |it| it.1);
        let is_whole = to.bits() == 8 || place.constraint.starts_with("{@cc");
        is_whole.then_some(())?;
        let value = self.resized(equal, Scalar::Integer(1), to)?;
        self.put(assembly, &format!("${number}"), to, value)
    }

    /// What a register has before the instruction, also where it is the input of an output.
    fn entering(&mut self, assembly: &Assembly<'m>, name: &str, half: Scalar) -> Option<Operand> {
        let number = match assembly.register(name, true) {
            Some(number) => number,
            None => assembly.register(name, false)?,
        };
        let (value, held) = self.incoming(assembly, number)?;
        (held.bits() == half.bits()).then_some(value)
    }

    /// Two words as one number.
    fn joined(&mut self, (low, high): (Operand, Operand), half: Scalar) -> Operand {
        if half.bits() == 64 {
            let both = self.build.slots(2);
            self.build.copy(both, low);
            self.build.copy(Slot(both.0 + 1), high);
            return Operand::slot(both);
        }
        let word = Scalar::Integer(64);
        let wide = |translator: &mut Self, source| {
            let destination = translator.build.slots(1);
            translator.build.push(Instruction::Convert {
                conversion: Conversion::ZeroExtend,
                from: half,
                to: word,
                destination,
                source,
            });
            Operand::slot(destination)
        };
        let (low, high) = (wide(self, low), wide(self, high));
        let by = self.build.number(32);
        let high = self.two(BinaryOperation::ShiftLeft, word, high, by);
        self.two(BinaryOperation::Or, word, low, high)
    }

    /// The two words of a number.
    fn halves(&mut self, number: Slot, half: Scalar) -> [Operand; 2] {
        if half.bits() == 64 {
            return [Operand::slot(number), Operand::slot(Slot(number.0 + 1))];
        }
        let (word, by) = (Scalar::Integer(64), self.build.number(32));
        let moved = self.two(
            BinaryOperation::LogicalShiftRight,
            word,
            Operand::slot(number),
            by,
        );
        [Operand::slot(number), moved].map(|source| {
            let destination = self.build.slots(1);
            self.build.push(Instruction::Convert {
                conversion: Conversion::Truncate,
                from: word,
                to: half,
                destination,
                source,
            });
            Operand::slot(destination)
        })
    }
}
