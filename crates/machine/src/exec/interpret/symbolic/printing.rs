//! Calls that print text of inputs which are followed symbolically.
//!
//! Which characters are printed differs between the values, and so would the states. Where nothing
//! can depend on them, one value stands for all. *Conditions.*
//!
//! - Nothing reads the result of the call, which is how many characters they are.
//! - The program can have opened or redirected nothing (`System::text_is_final`): what is printed
//!   leaves it.
//! - The format uses such arguments as numbers: not as a width or precision, which decides what of
//!   a string is read, and not as a string. It stores no number of characters (`%n`).
//!
//! Other calls print as any function is executed.

use crate::base::fault::{Result, unsupported};
use crate::exec::interpret::Flow;
use crate::machine::Machine;
use crate::value::symbolic::term_of;
use impasse_program::instruction::{CallSite, Instruction as I, Place, Slot};
use impasse_program::link::FunctionId;
use impasse_program::word::Word;
use smallvec::SmallVec;

/// The library's functions that print, each with the index of its format.
const PRINTERS: [(&str, usize); 3] = [("printf", 0), ("fprintf", 1), ("dprintf", 1)];

/// As many bytes of a format are read, at most.
const LONGEST: usize = 4096;

/// Conversions that print an argument as a number.
const NUMBERS: &str = "diuxXocfFeEgGaA";

impl<'s> Machine<'s> {
    /// Whether a call prints text on which nothing depends, with the terms among its arguments as
    /// numbers. Fails if its format cannot be read.
    pub(super) fn only_prints(&self, id: FunctionId, call: &CallSite) -> Result<bool> {
        let info = self.program.info(id);
        let printer = PRINTERS.iter().find(|(name, _)| *name == info.name);
        let Some(&(_, index)) = printer.filter(|_| !self.program.is_users(info.unit)) else {
            return Ok(false);
        };
        let body = &self.at.function.body;
        let next = body.live[self.at.position as usize + 1];
        let is_read = |slot: &Slot| body.live_sets[next as usize].contains(slot);
        if !call.results.is_empty() && is_read(&call.destination) || !self.system.text_is_final {
            return Ok(false);
        }
        let values = call.arguments.iter().map(|it| self.read(it.value));
        let values: SmallVec<[Word; 4]> = values.collect();
        let (fixed, printed) = values.split_at(values.len().min(index + 1));
        let Some(&format) = fixed.get(index) else {
            return Ok(false);
        };
        if fixed.iter().any(|word| !word.term.is_none()) {
            return Ok(false);
        }
        let Some(conversions) = conversions(&self.memory.string(format)?) else {
            return Ok(false);
        };
        let is_number = |(n, word): (usize, &Word)| {
            word.term.is_none() || conversions.get(n).is_some_and(|it| NUMBERS.contains(*it))
        };
        Ok(printed.iter().enumerate().all(is_number))
    }

    /// Calls a function that prints, with numbers instead of terms: those that a report shows, if
    /// it shows any.
    pub(super) fn print_terms(&mut self, instruction: &'s I, call: &CallSite) -> Result<Flow> {
        let base = self.at.base;
        let mut kept: SmallVec<[(usize, Word); 4]> = SmallVec::new();
        for argument in &call.arguments {
            let Place::Slot(slot) = argument.value.place() else {
                continue;
            };
            let index = base + slot.0 as usize;
            let word = self.stack.words[index];
            if word.term.is_none() || word.pointer || argument.scalar.words() == 2 {
                continue;
            }
            self.check_defined(term_of(word.term))?;
            let shown = self.symbolic.shown(word);
            kept.push((index, word));
            self.stack.words[index] = match shown.term.is_none() {
                true => shown,
                false => Word::number(0),
            };
        }
        let result = match self.reads_terms(instruction) {
            false => self.instruction(instruction),
            true => unsupported("printing an address that depends on an input"),
        };
        for (index, word) in kept.into_iter().rev() {
            self.stack.words[index] = word;
        }
        result
    }
}

/// The conversions of a format, one for each argument; `None` if it is none of the plain ones.
fn conversions(format: &str) -> Option<Vec<char>> {
    if format.len() >= LONGEST {
        return None;
    }
    let mut found = Vec::new();
    let mut left = format.chars();
    while let Some(c) = left.next() {
        if c != '%' {
            continue;
        }
        let conversion = left.find(|c| !"-+ #0123456789.hlqjzt".contains(*c))?;
        match conversion {
            '%' => {}
            _ if NUMBERS.contains(conversion) || "sp".contains(conversion) => {
                found.push(conversion);
            }
            _ => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn plain_formats_are_taken_apart() {
        let found = |format| conversions(format).map(String::from_iter);
        let all = found("%d%% %-5ld|%#llx %.3i %c%s %zu%5.2f\n");
        assert_eq!(all.as_deref(), Some("ddxicsuf"));
        assert_eq!(found("nothing").as_deref(), Some(""));
    }

    #[test]
    fn other_formats_are_not() {
        for format in [
            "%n", "%d%hhn", "%*d", "%.*s", "%1$d", "%m", "%ls%S", "%Lf", "%",
        ] {
            assert_eq!(conversions(format), None, "{format}");
        }
    }
}
