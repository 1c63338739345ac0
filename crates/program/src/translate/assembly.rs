//! Inline assembly: barriers, and the atomic instructions of x86 that programs write by hand.
//!
//! Assembly without instructions keeps the compiler from moving code, which nothing here does;
//! `pause`, `nop`, and the fences of loads and of stores forbid no order that sequential
//! consistency or x86-TSO allows. `mfence`, and a locked operation that leaves a place of the own
//! stack as it is, order all. One locked instruction (`xchg` is always locked) is the
//! read-modify-write that LLVM has for it, between two fences; after `cmpxchg`, `sete` stores its
//! flag. A `mov` between a register and memory is an atomic access, as the processor makes it. Both
//! order others only if the assembly clobbers memory: the compiler may move them past it otherwise.
//! `int3` is a trap. Requests to Valgrind, which turn a register round and exchange another one
//! with itself, do nothing. [`plain`] has the instructions without a lock: arithmetic, shifts and
//! searches for bits in registers, and the counter of cycles; [`bits`] those that test a bit, and
//! those that are followed by one that stores a flag; [`pairs`] exchanges of two words. Everything
//! else is not supported, and says so.
//!
//! LLVM writes AT&T's order, the source first. `$0` is an operand, `$$0` a number; `lock` and `rep`
//! are prefixes.

mod bits;
mod pairs;
mod plain;

use super::function::Translator;
use super::llvm::{Instruction as Source, Value};
use super::types::{Part, Unsupported};
use crate::instruction::{
    Conversion, Instruction, Operand, Ordering, ReadModifyWrite, Scalar, Slot,
};

/// One machine instruction, taken apart.
struct Line<'t> {
    locked: bool,
    /// Whether it has the prefix `rep`.
    repeated: bool,
    name: &'t str,
    operands: Vec<&'t str>,
}

/// The instructions of a template.
fn lines(template: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let (mut locked, mut repeated) = (false, false);
    for part in template.split([';', '\n']) {
        let mut rest = part.trim();
        while let Some((prefix @ ("lock" | "rep"), after)) =
            rest.split_once([' ', '\t']).or(Some((rest, "")))
        {
            locked |= prefix == "lock";
            repeated |= prefix == "rep";
            rest = after.trim_start();
        }
        if rest.is_empty() {
            continue;
        }
        let (name, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let operands = operands.split(',').map(str::trim);
        lines.push(Line {
            locked: std::mem::take(&mut locked),
            repeated: std::mem::take(&mut repeated),
            name,
            operands: operands.filter(|operand| !operand.is_empty()).collect(),
        });
    }
    lines
}

/// What an operand stands for.
struct Place<'m> {
    /// Its constraint without the marks for outputs: a register, memory, a number, or the output
    /// that it is tied to.
    constraint: String,
    /// The value that comes in; for memory, its address.
    input: Option<Value<'m>>,
    /// Which of the results it is.
    result: Option<usize>,
    /// Whether it is in memory.
    indirect: bool,
}

/// The operands, by number.
fn places<'m>(source: Source<'m>, constraints: &str) -> Vec<Place<'m>> {
    let mut arguments = source.arguments();
    let mut results = 0..;
    constraints
        .split(',')
        .filter(|constraint| !constraint.starts_with('~'))
        .map(|text| {
            let output = text.starts_with('=');
            let direct = output && !text.contains('*');
            Place {
                constraint: text.replace(['=', '*', '&', '%'], ""),
                input: if direct { None } else { arguments.next() },
                result: if direct { results.next() } else { None },
                indirect: text.contains('*'),
            }
        })
        .collect()
}

/// The operation of a mnemonic without its suffix, if it has two operands.
fn locked_operation(stem: &str) -> Option<ReadModifyWrite> {
    Some(match stem {
        "add" | "xadd" | "inc" => ReadModifyWrite::Add,
        "sub" | "dec" => ReadModifyWrite::Subtract,
        "and" => ReadModifyWrite::And,
        "or" => ReadModifyWrite::Or,
        "xor" => ReadModifyWrite::Xor,
        "xchg" => ReadModifyWrite::Exchange,
        _ => return None,
    })
}

/// The mnemonics that may leave the size to a register.
const UNSIZED: [&str; 31] = [
    "mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "inc", "dec", "neg", "not",
    "imul", "shl", "sal", "shr", "sar", "rol", "ror", "bswap", "bsf", "bsr", "popcnt", "lzcnt",
    "tzcnt", "bt", "bts", "btr", "btc", "sbb",
];

/// The mnemonic without the letter that says the size, and the size.
fn sized(name: &str) -> Option<(&str, Scalar)> {
    let bits = match name.as_bytes().last()? {
        b'b' => 8,
        b'w' => 16,
        b'l' => 32,
        b'q' => 64,
        _ => return None,
    };
    Some((&name[..name.len() - 1], Scalar::Integer(bits)))
}

/// Whether an instruction does nothing, and forbids no order that the models allow.
fn orders_nothing(line: &Line<'_>) -> bool {
    let names = ["pause", "nop", "lfence", "sfence"];
    !line.locked && line.operands.is_empty() && names.contains(&line.name)
}

/// The number that an operand is.
fn immediate(operand: &str) -> Option<i64> {
    let text = operand.strip_prefix("$$")?;
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let number = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -number } else { number })
}

/// Whether a locked instruction leaves a place of the own stack as it is.
fn is_full_barrier(line: &Line<'_>) -> bool {
    let unchanged = sized(line.name).is_some_and(|(stem, _)| matches!(stem, "add" | "or"));
    let own = |operand: &str| {
        let (offset, register) = operand.split_once('(').unwrap_or((operand, ""));
        matches!(register, "%rsp)" | "%esp)")
            && (offset.is_empty() || offset.parse::<i32>().is_ok())
    };
    line.locked && unchanged && matches!(line.operands[..], ["$$0", place] if own(place))
}

/// Whether instructions rotate a register by whole turns, and exchange a register with itself: how
/// a program asks whether it runs under Valgrind, and tells it of its memory.
fn is_request_to_valgrind(lines: &[Line<'_>]) -> bool {
    let Some((exchange, rotations)) = lines.split_last() else {
        return false;
    };
    let (name, register, bits) = match exchange.name {
        "xchgq" => ("rolq", "%rdi", 64),
        "xchgl" => ("roll", "%edi", 32),
        _ => return false,
    };
    let places = rotations.iter().map(|line| match line.operands[..] {
        [count, place] if line.name == name && place == register => {
            count.strip_prefix("$$")?.parse::<u32>().ok()
        }
        _ => None,
    });
    let turned = places.sum::<Option<u32>>();
    turned.is_some_and(|places| places > 0 && places % bits == 0)
        && matches!(exchange.operands[..], [from, to] if from == to && from.starts_with('%'))
}

impl<'m> Translator<'_, 'm> {
    /// Translates a call of inline assembly. Fails if the assembly is unknown.
    pub fn assembly(
        &mut self,
        source: Source<'m>,
        template: &str,
        constraints: &str,
    ) -> Result<(), Unsupported> {
        let text = template.replace("%%", "%");
        let assembly = Assembly {
            places: places(source, constraints),
            parts: self.context.types.layout(source.ty())?.parts.clone(),
            destination: self.slot_of(source.value()),
            orders: constraints.split(',').any(|text| text == "~{memory}"),
        };
        let mut lines = lines(&text);
        if lines.len() > 1 {
            lines.retain(|line| !orders_nothing(line));
        }
        let known = match &lines[..] {
            [] => self.nothing(&assembly),
            [line] if orders_nothing(line) => self.nothing(&assembly),
            [line] if plain::is_about_the_cache(line) => self.touch(&assembly, line),
            lines if lines[0].name == "rdtsc" || lines[0].name == "rdtscp" => {
                self.cycles(&assembly, lines)
            }
            [line] if line.name.starts_with("cmpxchg8b") || line.name.starts_with("cmpxchg16b") => {
                self.exchange_pair(&assembly, line, None)
            }
            [line, flag]
                if line.name.starts_with("cmpxchg8b") || line.name.starts_with("cmpxchg16b") =>
            {
                self.exchange_pair(&assembly, line, Some(flag))
            }
            [line] if !line.locked && line.operands.is_empty() => match line.name {
                "mfence" => self.full_barrier(),
                "int3" => {
                    self.call_plain_runtime("llvm.debugtrap");
                    Some(())
                }
                _ => None,
            },
            [line] if is_full_barrier(line) => self.full_barrier(),
            lines if is_request_to_valgrind(lines) => self.nothing(&assembly),
            [line] => match self.sized(&assembly, line) {
                Some(("cmpxchg", scalar)) if line.locked => {
                    self.compare_exchange_by_hand(&assembly, line, scalar, None)
                }
                Some(("mov", scalar)) if !line.locked => self.moves(&assembly, line, scalar),
                Some((stem @ ("bt" | "bts" | "btr" | "btc"), scalar)) => {
                    self.test_bit(&assembly, line, (stem, scalar), None)
                }
                Some((stem, scalar)) if line.locked || matches!(stem, "xchg" | "xadd") => {
                    match assembly.has_flag() {
                        true => self.locked_with_flag(&assembly, line, (stem, scalar), None),
                        false => self.locked(&assembly, line, stem, scalar),
                    }
                }
                Some((stem, scalar)) => self.plain(&assembly, line, stem, scalar),
                None => None,
            },
            [line, flag] if line.locked && matches!(flag.name, "sete" | "setz") => {
                match (self.sized(&assembly, line), &flag.operands[..]) {
                    (Some(("cmpxchg", scalar)), &[flag]) => {
                        self.compare_exchange_by_hand(&assembly, line, scalar, Some(flag))
                    }
                    (Some(known), _) => self.followed_by_flag(&assembly, line, known, flag),
                    _ => None,
                }
            }
            [line, flag] => match self.sized(&assembly, line) {
                Some(known) => self.followed_by_flag(&assembly, line, known, flag),
                None => None,
            },
            _ => None,
        };
        known.ok_or_else(|| Unsupported(format!("inline assembly \"{}\"", template.escape_debug())))
    }

    /// Nothing happens: each output keeps what its input brought.
    fn nothing(&mut self, assembly: &Assembly<'m>) -> Option<()> {
        for (number, place) in assembly.places.iter().enumerate() {
            if place.result.is_some() {
                let tied = number.to_string();
                let input = assembly
                    .places
                    .iter()
                    .find(|p| p.constraint == tied)?
                    .input?;
                let value = self.operand(input).ok()?;
                let (slot, scalar) = assembly.result(place)?;
                self.build.copy_scalar(scalar, slot, value);
            }
        }
        Some(())
    }

    pub(super) fn full_barrier(&mut self) -> Option<()> {
        self.build.push(Instruction::Fence {
            ordering: Ordering::SequentiallyConsistent,
            single_thread: false,
        });
        Some(())
    }

    /// The mnemonic without the letter that says the size, and what is moved: of that size, or that
    /// of a register, and a pointer if the register holds one.
    fn sized<'t>(&mut self, assembly: &Assembly<'m>, line: &Line<'t>) -> Option<(&'t str, Scalar)> {
        let mut operands = line.operands.iter();
        let held = operands.find_map(|operand| self.held(assembly, operand));
        let (stem, scalar) = match UNSIZED.contains(&line.name) {
            true => (line.name, Scalar::Integer(held?.bits() as u8)),
            false => sized(line.name)?,
        };
        let same = held.filter(|held| held.bits() == scalar.bits());
        let copies = matches!(stem, "mov" | "xchg" | "cmpxchg");
        Some((stem, same.filter(|_| copies).unwrap_or(scalar)))
    }

    /// What a register holds, if it is one for integers and pointers.
    fn held(&mut self, assembly: &Assembly<'m>, operand: &str) -> Option<Scalar> {
        let place = assembly.place(operand)?;
        if place.indirect || place.constraint.contains(['i', 'x']) {
            return None;
        }
        let scalar = match assembly.result(place) {
            Some((_, scalar)) => scalar,
            None => {
                let layout = self.context.types.layout(place.input?.ty()).ok()?;
                (layout.parts.len() == 1).then(|| layout.parts[0].scalar)?
            }
        };
        matches!(scalar, Scalar::Integer(_) | Scalar::Pointer).then_some(scalar)
    }

    /// A `mov`.
    fn moves(&mut self, assembly: &Assembly<'m>, line: &Line<'_>, scalar: Scalar) -> Option<()> {
        let [from, to] = line.operands[..] else {
            return None;
        };
        let ordering = |when_ordered| match assembly.orders {
            true => when_ordered,
            false => Ordering::Relaxed,
        };
        if let Some(to) = assembly.address(to) {
            assembly.parts.is_empty().then_some(())?;
            let (address, source) = (
                self.operand(to).ok()?,
                self.value_of(assembly, from, scalar)?,
            );
            self.build.push(Instruction::Store {
                scalar,
                ordering: ordering(Ordering::Release),
                volatile: false,
                source,
                address,
            });
            return Some(());
        }
        let (destination, result) = assembly.result(assembly.place(to)?)?;
        (result == scalar && assembly.parts.len() == 1).then_some(())?;
        match assembly.address(from) {
            Some(from) => {
                let address = self.operand(from).ok()?;
                self.build.push(Instruction::Load {
                    scalar,
                    ordering: ordering(Ordering::Acquire),
                    volatile: false,
                    destination,
                    address,
                });
            }
            None => {
                let source = self.value_of(assembly, from, scalar)?;
                self.build.copy_scalar(scalar, destination, source);
            }
        }
        Some(())
    }

    /// What a locked instruction does. The processor orders all accesses before it and after it,
    /// which is more than a sequentially consistent operation of C does.
    fn push_locked(&mut self, assembly: &Assembly<'m>, instruction: Instruction) {
        if assembly.orders {
            self.full_barrier();
        }
        self.build.push(instruction);
        if assembly.orders {
            self.full_barrier();
        }
    }

    /// A read-modify-write; `xadd` and `xchg` leave the old value in their register.
    fn locked(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        stem: &str,
        scalar: Scalar,
    ) -> Option<()> {
        let operation = locked_operation(stem)?;
        let exchange = stem == "xchg";
        if !line.locked && !exchange {
            return None;
        }
        let (register, memory) = match line.operands[..] {
            [memory] if matches!(stem, "inc" | "dec") => (None, memory),
            [memory, register] if exchange && assembly.address(memory).is_some() => {
                (Some(register), memory)
            }
            [register, memory] if !matches!(stem, "inc" | "dec") => (Some(register), memory),
            _ => return None,
        };
        let address = self.operand(assembly.address(memory)?).ok()?;
        let source = match register {
            None => self.build.number(1),
            Some(register) => self.value_of(assembly, register, scalar)?,
        };
        let destination = match register {
            Some(register) if exchange || stem == "xadd" => {
                let (slot, result) = assembly.result(assembly.place(register)?)?;
                (result == scalar && assembly.parts.len() == 1).then_some(slot)?
            }
            _ => assembly.parts.is_empty().then(|| self.build.slots(1))?,
        };
        let update = Instruction::Update {
            operation,
            scalar,
            ordering: Ordering::SequentiallyConsistent,
            destination,
            address,
            source,
        };
        self.push_locked(assembly, update);
        Some(())
    }

    /// `cmpxchg`: what is expected comes in the accumulator, where the old value is left.
    fn compare_exchange_by_hand(
        &mut self,
        assembly: &Assembly<'m>,
        line: &Line<'_>,
        scalar: Scalar,
        flag: Option<&str>,
    ) -> Option<()> {
        let [replacement, memory] = line.operands[..] else {
            return None;
        };
        let address = self.operand(assembly.address(memory)?).ok()?;
        let replacement = self.value_of(assembly, replacement, scalar)?;
        let accumulator =
            assembly.find(|place| place.constraint == "{ax}" && place.result.is_some());
        let tied = accumulator.map(|number| number.to_string());
        let expected = assembly.places.iter().find_map(|place| {
            let accumulates =
                place.constraint == "{ax}" || Some(&place.constraint) == tied.as_ref();
            place.input.filter(|_| accumulates)
        })?;
        let expected = self.operand(expected).ok()?;
        let old_to = match accumulator {
            Some(number) => {
                let (slot, result) = assembly.result(&assembly.places[number])?;
                Some((result == scalar).then_some(slot)?)
            }
            None => None,
        };
        let flag = match flag {
            Some(flag) => Some(assembly.place(flag)?),
            None => assembly
                .find(|place| matches!(place.constraint.as_str(), "{@cce}" | "{@ccz}"))
                .map(|number| &assembly.places[number]),
        };
        let flag_to = match flag {
            Some(flag) => Some(assembly.result(flag)?),
            None => None,
        };
        let written = old_to.is_some() as usize + flag_to.is_some() as usize;
        (assembly.parts.len() == written).then_some(())?;
        let old = self.build.slots(2);
        let exchange = Instruction::CompareExchange {
            scalar,
            success: Ordering::SequentiallyConsistent,
            failure: Ordering::SequentiallyConsistent,
            weak: false,
            destination: old,
            address,
            expected,
            replacement,
        };
        self.push_locked(assembly, exchange);
        if let Some(slot) = old_to {
            self.build.copy_scalar(scalar, slot, Operand::slot(old));
        }
        if let Some((slot, to)) = flag_to {
            self.build.push(Instruction::Convert {
                conversion: Conversion::ZeroExtend,
                from: Scalar::Integer(1),
                to,
                destination: slot,
                source: Operand::slot(Slot(old.0 + 1)),
            });
        }
        Some(())
    }

    /// The value of a register or number that an instruction reads.
    fn value_of(
        &mut self,
        assembly: &Assembly<'m>,
        operand: &str,
        scalar: Scalar,
    ) -> Option<Operand> {
        if let Some(number) = immediate(operand) {
            return Some(
                self.build
                    .number(number as u64 & crate::word::mask(scalar.bits())),
            );
        }
        let (value, held) = self.incoming(assembly, assembly.number(operand)?)?;
        (held.bits() == scalar.bits()).then_some(value)
    }

    /// The value of a register before the instruction, and what it is.
    fn incoming(&mut self, assembly: &Assembly<'m>, number: usize) -> Option<(Operand, Scalar)> {
        let tied = number.to_string();
        let place = &assembly.places[number];
        let input = match place.result {
            None => place.input,
            Some(_) => assembly.places.iter().find(|p| p.constraint == tied)?.input,
        }?;
        let layout = self.context.types.layout(input.ty()).ok()?;
        (!place.indirect && layout.parts.len() == 1).then_some(())?;
        Some((self.operand(input).ok()?, layout.parts[0].scalar))
    }
}

/// A call of inline assembly, taken apart.
struct Assembly<'m> {
    places: Vec<Place<'m>>,
    /// The scalars of the results.
    parts: Vec<Part>,
    destination: Slot,
    /// Whether it clobbers memory.
    orders: bool,
}

impl<'m> Assembly<'m> {
    /// The number of an operand in a template: `$1`, or `${1:b}`.
    fn number(&self, operand: &str) -> Option<usize> {
        let digits = operand.strip_prefix('$')?;
        let digits = digits.strip_prefix('{').unwrap_or(digits);
        let number = digits.split([':', '}']).next()?.parse().ok()?;
        (number < self.places.len()).then_some(number)
    }

    fn place(&self, operand: &str) -> Option<&Place<'m>> {
        Some(&self.places[self.number(operand)?])
    }

    fn find(&self, wanted: impl Fn(&Place<'m>) -> bool) -> Option<usize> {
        self.places.iter().position(wanted)
    }

    /// Whether a flag is a result.
    fn has_flag(&self) -> bool {
        self.places.iter().any(|p| p.constraint.starts_with("{@cc"))
    }

    /// The place that is a register of this name, comes in if it `enters`, and goes out otherwise.
    fn register(&self, name: &str, enters: bool) -> Option<usize> {
        self.find(|place| place.constraint == name && place.result.is_none() == enters)
    }

    /// The address of an operand in memory: `$1`, or `($1)` where a register holds it.
    fn address(&self, operand: &str) -> Option<Value<'m>> {
        let inner = operand.strip_prefix('(').and_then(|o| o.strip_suffix(')'));
        let place = self.place(inner.unwrap_or(operand))?;
        (place.indirect == inner.is_none() && place.result.is_none()).then_some(())?;
        place.input
    }

    /// Where an output goes, and its type.
    fn result(&self, place: &Place<'m>) -> Option<(Slot, Scalar)> {
        let part = self.parts.get(place.result?)?;
        Some((Slot(self.destination.0 + part.word), part.scalar))
    }
}
