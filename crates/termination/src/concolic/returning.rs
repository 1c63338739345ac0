//! Calls of the library that return, whatever the numbers among their arguments are.
//!
//! They print numbers and constant texts to a stream of the library, or read an input. What they
//! return may be any number of its type.

use super::environment::keeps_streams;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{Argument, CallSite, Instruction, Operand, Place, Scalar, Slot};
use impasse_program::link::{Function, Program};

/// Whether a call of the library's function with this name, in `function`, returns.
pub(super) fn returns(program: &Program, name: &str, function: &Function, call: &CallSite) -> bool {
    let given = Given {
        program,
        function,
        arguments: &call.arguments,
    };
    let numbers = |count: usize| {
        given.arguments.len() == count
            && given
                .arguments
                .iter()
                .all(|argument| matches!(argument.scalar, Scalar::Integer(_)))
    };
    if let Some(ty) = name.strip_prefix("__VERIFIER_nondet_") {
        let is_number =
            |scalar: &Scalar| matches!(scalar, Scalar::Integer(_) | Scalar::Float | Scalar::Double);
        return ty != "memory" && numbers(0) && call.results.iter().all(is_number);
    }
    let streams = || keeps_streams(program);
    match name {
        "rand" | "random" | "lrand48" | "mrand48" => numbers(0),
        "getchar" => numbers(0) && streams(),
        "putchar" => numbers(1) && streams(),
        "puts" => given.arguments.len() == 1 && given.text(0).is_some() && streams(),
        "putc" | "fputc" => given.arguments.len() == 2 && given.stream(1) && streams(),
        "fputs" => {
            given.arguments.len() == 2 && given.text(0).is_some() && given.stream(1) && streams()
        }
        "fflush" => given.arguments.len() == 1 && given.stream(0) && streams(),
        "printf" => given.is_formatted(0) && streams(),
        "fprintf" => given.stream(0) && given.is_formatted(1) && streams(),
        _ => false,
    }
}

/// The arguments of a call.
struct Given<'g> {
    program: &'g Program,
    function: &'g Function,
    arguments: &'g [Argument],
}

impl Given<'_> {
    /// The bytes of a constant text, its end not included.
    fn text(&self, at: usize) -> Option<&[u8]> {
        let Place::Constant(index) = self.arguments.get(at)?.value.place() else {
            return None;
        };
        let word = self.function.constants[index as usize];
        let address = Address::from_bits(word.bits);
        let ObjectKind::Global(number) = address.object.kind() else {
            return None;
        };
        let global = self.program.globals().get(number as usize)?;
        if !word.pointer || !global.constant || global.thread_local || !global.pointers.is_empty() {
            return None;
        }
        let rest = global.bytes.get(usize::try_from(address.offset).ok()?..)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        Some(&rest[..end])
    }

    /// Whether an argument is one of the streams for output that the library opens.
    fn stream(&self, at: usize) -> bool {
        let Some(argument) = self.arguments.get(at) else {
            return false;
        };
        let Place::Slot(slot) = argument.value.place() else {
            return false;
        };
        let Some(Instruction::Load { address, .. }) = self.only_definition(slot) else {
            return false;
        };
        self.global_name(*address)
            .is_some_and(|name| name == "stdout" || name == "stderr")
    }

    /// The instruction that assigns a slot, if there is one only.
    fn only_definition(&self, slot: Slot) -> Option<&Instruction> {
        let body = &self.function.body;
        let defines = |instruction: &&Instruction| {
            let mut found = false;
            instruction.for_each_definition(body, |defined| found |= defined == slot);
            found
        };
        let mut all = body.code.iter().filter(defines);
        all.next().filter(|_| all.next().is_none())
    }

    /// The name of the library's constant that starts at an address.
    fn global_name(&self, address: Operand) -> Option<&str> {
        let Place::Constant(index) = address.place() else {
            return None;
        };
        let address = Address::from_bits(self.function.constants[index as usize].bits);
        let ObjectKind::Global(number) = address.object.kind() else {
            return None;
        };
        let global = self.program.globals().get(number as usize)?;
        let is_library = !self.program.is_users(global.unit);
        (is_library && global.constant && address.offset == 0).then_some(&global.name)
    }

    /// Whether an argument is a format that fits those that follow it.
    fn is_formatted(&self, at: usize) -> bool {
        let Some(format) = self.text(at) else {
            return false;
        };
        let Some(wanted) = conversions(format) else {
            return false;
        };
        let rest = &self.arguments[at + 1..];
        wanted.len() <= rest.len()
            && wanted
                .iter()
                .zip(at + 1..)
                .all(|(wanted, at)| match wanted {
                    Wanted::Scalar(scalar) => self.arguments[at].scalar == *scalar,
                    Wanted::Text => self.text(at).is_some(),
                })
    }
}

/// What a conversion of a format takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Scalar(Scalar),
    Text,
}

/// What the conversions of a format take; `None` if one of them is not known.
fn conversions(format: &[u8]) -> Option<Vec<Wanted>> {
    let mut wanted = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        while rest
            .next_if(|byte| b"-+ #0123456789.".contains(byte))
            .is_some()
        {}
        let mut length = Vec::new();
        while let Some(byte) = rest.next_if(|byte| b"hlzjt".contains(byte)) {
            length.push(byte);
        }
        let integer = match &length[..] {
            b"" | b"h" | b"hh" => 32,
            b"l" | b"ll" | b"z" | b"j" | b"t" => 64,
            _ => return None,
        };
        let is_plain = length.is_empty();
        match rest.next()? {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                wanted.push(Wanted::Scalar(Scalar::Integer(integer)));
            }
            b'c' if is_plain => wanted.push(Wanted::Scalar(Scalar::Integer(32))),
            b'f' | b'F' | b'g' | b'G' | b'e' | b'E' if is_plain || length == b"l" => {
                wanted.push(Wanted::Scalar(Scalar::Double));
            }
            b's' if is_plain => wanted.push(Wanted::Text),
            b'%' if is_plain => {}
            _ => return None,
        }
    }
    Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::{Scalar, Wanted, conversions};

    #[test]
    fn formats() {
        let integer = |bits| Wanted::Scalar(Scalar::Integer(bits));
        assert_eq!(conversions(b"x"), Some(vec![]));
        assert_eq!(
            conversions(b"%d %-5ld%% %s"),
            Some(vec![integer(32), integer(64), Wanted::Text])
        );
        assert_eq!(
            conversions(b"%.3f"),
            Some(vec![Wanted::Scalar(Scalar::Double)])
        );
        for format in ["%n", "%*d", "%", "%p", "%ls", "%lc", "%Lf"] {
            assert_eq!(conversions(format.as_bytes()), None, "{format}");
        }
    }
}
