//! Objects whose size depends on inputs: made by allocations, and accessed.
//!
//! Such an object has the term of its size, and content for a number of bytes. Before an
//! instruction accesses it, whether the access lies inside is decided, as for any other condition
//! on inputs. Whatever else is done with the object needs a number for its size.

use crate::base::fault::{ErrorKind, Result, error, unsupported};
use crate::machine::Machine;
use crate::machine::builtin::{Builtin, Extent};
use crate::state::memory::object::{Class, Object};
use crate::state::memory::{Limit, allocatable};
use crate::value::symbolic::{Feasibility, id_of, term_of};
use impasse_program::address::{Address, MAX_OBJECT_BYTES, ObjectId};
use impasse_program::instruction::{CallSite, CallSiteId, Callee, Instruction as I};
use impasse_program::link::Target;
use impasse_program::word::Word;
use impasse_solver::{Term, Test};

/// How many bytes the content of an object has: the first of these that its size cannot exceed.
const CONTENTS: [u64; 6] = [64, 256, 1024, 4096, 16384, 65536];
/// How many it has if the size can exceed all.
const CONTENT: u64 = 4096;
/// The machine's functions that need the size of the memory that they are given, whatever they
/// access.
const NEED_SIZE: [&str; 4] = [
    "realloc",
    "__libc_realloc",
    "malloc_usable_size",
    "__impasse_check_size",
];

impl<'s> Machine<'s> {
    /// Decides whether the accesses of the next instruction lie inside the objects whose size
    /// depends on inputs. Returns whether one has got a number for its size, so that the same
    /// instruction is to be executed next.
    pub(super) fn decide_bounds(&mut self, instruction: &'s I) -> Result<bool> {
        match *instruction {
            I::Load {
                scalar, address, ..
            }
            | I::Store {
                scalar, address, ..
            }
            | I::Update {
                scalar, address, ..
            }
            | I::CompareExchange {
                scalar, address, ..
            } => {
                let bytes = Word::number(scalar.bytes().into());
                self.decide_inside(self.read(address), bytes)?;
            }
            I::CopyMemory {
                destination,
                source,
                bytes,
                ..
            } => {
                let bytes = self.read(bytes);
                self.decide_inside(self.read(source), bytes)?;
                self.decide_inside(self.read(destination), bytes)?;
            }
            I::FillMemory {
                destination, bytes, ..
            } => self.decide_inside(self.read(destination), self.read(bytes))?,
            I::Call { site } => return self.decide_bounds_of_call(site),
            _ => {}
        }
        Ok(false)
    }

    /// The same for what a function of the machine accesses.
    fn decide_bounds_of_call(&mut self, site: CallSiteId) -> Result<bool> {
        let call = &self.at.function.body.sites[site.0 as usize];
        if let Callee::Address(operand) = call.callee
            && !self.read(operand).term.is_none()
        {
            return Ok(false);
        }
        let Ok(Target::Builtin(id)) = self.target(site) else {
            for argument in &call.arguments {
                if let Some((bytes, _)) = argument.by_value {
                    let bytes = Word::number(bytes.into());
                    self.decide_inside(self.read(argument.value), bytes)?;
                }
            }
            return Ok(false);
        };
        let builtin = Builtin::from_id(id);
        for row in builtin.accesses() {
            let Some(pointer) = self.argument(call, row.argument) else {
                continue;
            };
            match row.extent {
                Extent::Block => {}
                Extent::Argument(count) => {
                    if let Some(bytes) = self.argument(call, count) {
                        self.decide_inside(pointer, bytes)?;
                    }
                }
                Extent::Bytes(_) | Extent::Pointer if self.fix_size(pointer)? => return Ok(true),
                Extent::Bytes(_) | Extent::Pointer => {}
            }
        }
        if NEED_SIZE.contains(&builtin.name())
            && let Some(pointer) = self.argument(call, 0)
        {
            return self.fix_size(pointer);
        }
        Ok(false)
    }

    fn argument(&self, call: &CallSite, index: usize) -> Option<Word> {
        let argument = call.arguments.get(index)?;
        Some(self.read(argument.value))
    }

    /// The object that a word points into and the term that is its size.
    fn limited(&self, pointer: Word) -> Option<(ObjectId, Term)> {
        let object = match pointer.is_defined() && pointer.pointer {
            true => self.memory.address(pointer).ok()?.object,
            false => return None,
        };
        let limit = self.memory.get(object)?.limit();
        (!limit.is_none()).then(|| (object, term_of(limit)))
    }

    /// Decides whether so many bytes from an address on, which is a number, are inside of the
    /// object, if its size depends on inputs. What becomes a number first is not decided here.
    fn decide_inside(&mut self, pointer: Word, bytes: Word) -> Result<()> {
        let Some((object, limit)) = self.limited(pointer) else {
            return Ok(());
        };
        // Where nothing is accessed, a place outside is no error.
        if !bytes.is_defined() || bytes.bits == 0 {
            return Ok(());
        }
        let offset = Address::from_bits(pointer.bits).offset;
        let end = match u64::try_from(offset) {
            Ok(offset) => offset.saturating_add(bytes.bits),
            Err(_) => u64::MAX,
        };
        let terms = self.terms();
        let inside = terms.with(|terms| {
            let end = terms.constant(end.into(), 64);
            terms.test(Test::UnsignedLessEqual, end, limit)
        });
        if self.decide(inside)? {
            return self.know(object, Limit::AtLeast(end));
        }
        self.choose_size(object, limit)?;
        Ok(())
    }

    fn know(&mut self, object: ObjectId, limit: Limit) -> Result<()> {
        let known = self.memory.limits.iter_mut().find(|(of, _)| *of == object);
        match known {
            Some((_, known)) => match (*known, limit) {
                (Limit::AtLeast(before), Limit::AtLeast(end)) => {
                    *known = Limit::AtLeast(end.max(before));
                }
                (_, Limit::Exceeded(_)) => *known = limit,
                _ => {}
            },
            None => self.memory.limits.push((object, limit)),
        }
        Ok(())
    }

    /// Every size with which an access lies outside of an object is an error: one stands for all.
    /// The instruction must not complete then.
    pub(in crate::exec) fn choose_size(&mut self, object: ObjectId, limit: Term) -> Result<u64> {
        let terms = self.terms();
        let path = &self.symbolic.condition.conjuncts;
        let Some(size) = terms.plain_value(path, limit) else {
            return unsupported("an access outside of memory of a size that depends on an input");
        };
        let equal = terms.with(|terms| terms.equal(limit, terms.constant(size.into(), 64)));
        self.symbolic.add(equal);
        self.know(object, Limit::Exceeded(size))?;
        Ok(size)
    }

    /// Gives a number to the size of the object that a word points into. Returns whether that was
    /// done: a fork, after which the same instruction is to be executed, before anything else.
    fn fix_size(&mut self, pointer: Word) -> Result<bool> {
        let Some((object, limit)) = self.limited(pointer) else {
            return Ok(false);
        };
        let word = Word {
            term: id_of(limit),
            undefined: u64::MAX,
            ..Word::default()
        };
        let (size, _) = self.concrete(word, "the size of memory")?;
        let content = self.memory.get(object).map_or(0, |it| it.size());
        if size.bits > content.into() {
            return unsupported("an operation on memory of a size that depends on an input");
        }
        self.memory.get_mut(object).resize(size.bits as u32);
        self.put_known_inputs();
        Ok(true)
    }

    /// How many bytes the content of an object has whose size is a term.
    pub(crate) fn content_for(&self, size: Term) -> u64 {
        let terms = self.terms();
        let path = &self.symbolic.condition.conjuncts;
        let fits = |most: &u64| {
            let exceeds = terms.with(|terms| {
                let most = terms.constant((*most).into(), 64);
                terms.test(Test::UnsignedLess, most, size)
            });
            terms.is_feasible(path, exceeds) == Feasibility::No
        };
        CONTENTS.into_iter().find(fits).unwrap_or(CONTENT)
    }

    /// Makes a local object of so many elements, a number that depends on inputs; returns its
    /// address.
    pub(super) fn variable_of_term(
        &mut self,
        count: Word,
        element_bytes: u64,
        align: u32,
    ) -> Result<Word> {
        let terms = self.terms();
        let (size, is_large) = terms.with(|terms| {
            let count = terms.resize_unsigned(term_of(count.term), 64);
            let element = terms.constant(element_bytes.into(), 64);
            let size = terms.multiply(count, element);
            let most = terms.constant((MAX_OBJECT_BYTES / element_bytes.max(1)).into(), 64);
            (size, terms.test(Test::UnsignedLess, most, count))
        });
        if self.program.ilp32().is_some() {
            return unsupported("a local array of a size that depends on an input");
        }
        if self.decide(is_large)? {
            return error(
                ErrorKind::StackOverflow,
                format!("a local object of more than {MAX_OBJECT_BYTES} bytes"),
            );
        }
        let content = self.content_for(size);
        debug_assert!(allocatable(content));
        let align = align.max(1).trailing_zeros() as u8;
        let place = Some(self.place());
        let object = Object {
            limit: id_of(size),
            ..Object::undefined(Class::Stack, content as u32, align, place)
        };
        let id = self.allocate_local(object);
        Ok(Word::pointer(Address::of(id).bits()))
    }
}
