//! Calls of functions of the library of which a table says what they do ([`super::library`]).

use super::graph::Frame;
use super::library::{self, Effect, Only, Printed, Returned, Size, Written};
use super::obligation::Claim;
use super::state::{Base, Memory, State, Val};
use super::{Executor, Result};
use impasse_machine::base::fault::CodePlace;
use impasse_program::instruction::CallSite;
use impasse_solver::{Term, Test};

/// Longer strings are not read.
const LONGEST: u32 = 4096;

impl Executor<'_, '_> {
    /// Does what is known of a function of the library. Whether the path continues.
    pub(super) fn library(
        &mut self,
        effect: &Effect,
        frame: &Frame<'_>,
        state: &mut State,
        (call, place): (&CallSite, CodePlace),
    ) -> Result<bool> {
        let arguments = self.arguments(frame, state, call);
        arguments.iter().for_each(|&one| self.share(one));
        self.expect_only(effect.only, &arguments, place)?;
        self.give_anything(state, call);
        let mut writes = effect.writes.clone();
        if let Some(printed) = effect.printed {
            writes.extend(self.stored_counts(printed, state, (call, place), &arguments)?);
        }
        if let Some(first) = effect.conversions {
            let format = arguments.get(first - 1).copied();
            let format = format.and_then(|format| self.string(&state.memory, format));
            let sizes = format.and_then(|format| library::scanned(&format));
            let known = (first..).zip(sizes.unwrap_or_else(|| vec![u64::MAX; arguments.len()]));
            writes.extend(known.map(|(to, bytes)| Written {
                to,
                size: if bytes == u64::MAX {
                    Size::Unbounded
                } else {
                    Size::Bytes(bytes)
                },
                optional: false,
            }));
        }
        for written in writes {
            let Some(&to) = arguments.get(written.to) else {
                continue;
            };
            let size = self.written(written.size, &arguments, &state.memory);
            if !self.library_writes(state, (to, written.optional), size, place)? {
                return Ok(false);
            }
        }
        let result = match effect.returned {
            Returned::Never => return Ok(false),
            Returned::Anything => return Ok(true),
            Returned::First => arguments[0],
            Returned::FirstOrNull => {
                let found = self.fresh(1);
                self.choose(found, arguments[0], Val::of(self.number(0)))
            }
            Returned::IntoFirst => {
                let base = match arguments[0].base {
                    Base::Object(object) => Base::Object(object),
                    _ => Base::Unknown,
                };
                Val::at(self.fresh(64), base)
            }
            Returned::Object => {
                let size = self.fresh(64);
                self.make(state, place, size, (false, false, true))
            }
            Returned::Errno => self.errno(state),
        };
        if let [scalar] = &call.results[..]
            && scalar.is_pointer()
        {
            self.set(state, call.destination, result);
        }
        Ok(true)
    }

    /// Fails unless a call has no other effects than those that are known.
    fn expect_only(&mut self, only: Only, arguments: &[Val], place: CodePlace) -> Result<()> {
        match only {
            Only::Always => Ok(()),
            Only::IfNull(at) => {
                let is_null = |buffer: &Val| self.terms.as_constant(buffer.term) == Some(0);
                match arguments.get(at).is_some_and(is_null) {
                    true => Ok(()),
                    false => Err(self.unsupported("a stream with a buffer of its own", place)),
                }
            }
            Only::WithoutEnvironment => match self.sees_environment() {
                true => Err(self.unsupported("a change of what environ points to", place)),
                false => Ok(()),
            },
        }
    }

    /// Whether the program reads the array of the environment's variables.
    fn sees_environment(&self) -> bool {
        let program = &self.subject.system.program;
        let main = program.info(self.subject.entry);
        main.signature.parameters.len() > 2
            || library::ENVIRONMENT
                .iter()
                .any(|name| program.users_mention(name))
    }

    /// What printing according to a format may write: where the format is not known, or has `%n`,
    /// up to eight bytes at each pointer that is printed.
    fn stored_counts(
        &mut self,
        printed: Printed,
        state: &State,
        (call, place): (&CallSite, CodePlace),
        arguments: &[Val],
    ) -> Result<Vec<Written>> {
        let format = arguments.get(printed.format()).copied();
        let format = format.and_then(|format| self.string(&state.memory, format));
        if format.is_some_and(|format| !library::stores_counts(&format)) {
            return Ok(Vec::new());
        }
        let Printed::Arguments(first) = printed else {
            return Err(self.unsupported("a format that may store counts (%n)", place));
        };
        let scalars = call.arguments.iter().flat_map(|argument| {
            let words = argument.scalar.words() as usize;
            std::iter::repeat_n(argument.scalar, words)
        });
        let pointers = scalars.enumerate().skip(first);
        let pointers = pointers.filter(|(_, scalar)| scalar.is_pointer());
        let written = pointers.map(|(to, _)| Written {
            to,
            size: Size::Bytes(8),
            optional: true,
        });
        Ok(written.collect())
    }

    /// How many bytes are written; none if that is not bounded.
    fn written(&mut self, size: Size, arguments: &[Val], memory: &Memory) -> Option<Term> {
        let terms = self.terms;
        let wide = |at: usize| {
            let argument = arguments.get(at)?;
            Some(terms.resize_signed(argument.term, 64))
        };
        match size {
            Size::Bytes(bytes) => Some(self.number(bytes)),
            Size::Argument(at) => wide(at),
            Size::Product(a, b) => match (
                wide(a).zip(wide(b)),
                wide(a).and_then(|a| terms.as_constant(a)),
            ) {
                // Of a product that may wrap around nothing is known.
                (Some((a, b)), Some(_)) => {
                    let fits = terms.not(terms.test(Test::UnsignedMultiplyOverflow, a, b));
                    Some(terms.choose(fits, terms.multiply(a, b), self.number(u64::MAX)))
                }
                _ => None,
            },
            Size::String(at) => {
                let string = self.string(memory, *arguments.get(at)?)?;
                Some(self.number(string.len() as u64 + 1))
            }
            Size::Unbounded => None,
        }
    }

    /// Writes anything where a function of the library does. Whether the path continues.
    fn library_writes(
        &mut self,
        state: &mut State,
        (to, optional): (Val, bool),
        size: Option<Term>,
        place: CodePlace,
    ) -> Result<bool> {
        if optional && self.terms.as_constant(to.term) == Some(0) {
            return Ok(true);
        }
        let Some(size) = size else {
            let never = self.terms.boolean(false);
            self.oblige(state, never, Claim::Write, place)?;
            return Ok(false);
        };
        let path = state.path.clone();
        let Some(reach) = self.writable(state, to, size, place)? else {
            return Ok(optional);
        };
        if optional {
            state.path = path;
        }
        self.blur_reach(state, &reach);
        Ok(true)
    }

    /// A string of which every byte is known.
    fn string(&mut self, memory: &Memory, address: Val) -> Option<Vec<u8>> {
        let Base::Object(object) = address.base else {
            return None;
        };
        let offset = self.offset(address.term, object);
        let offset = u32::try_from(self.terms.as_constant(offset)?).ok()?;
        let mut memory = memory.clone();
        let mut string = Vec::new();
        for at in offset..offset.checked_add(LONGEST)? {
            let size = self.terms.as_constant(self.size_of(object))?;
            if u128::from(at) >= size {
                return None;
            }
            let byte = self.read(&mut memory, (object, at), 1);
            match self.terms.as_constant(byte.term)? {
                0 => return Some(string),
                byte => string.push(byte as u8),
            }
        }
        None
    }
}
