//! Exception tables: what a personality function reads to learn where in a function an exception
//! arrives.
//!
//! A table has the form of a language-specific data area as compilers for the Itanium C++ ABI write
//! it, DWARF-encoded: a header, the call-site table, the action table, the type table (which grows
//! downward), and the exception specifications. Code addresses are positions: an instruction of a
//! function has the function's address plus its position. The numbers that the table gives to types
//! are also the values of `llvm.eh.typeid.for`, so that the two agree.

use crate::instruction::{Body, CallSite, Clause, Instruction, LandingPad, Position, SymbolId};
use crate::link::{FunctionId, Program};
use crate::word::Word;

/// The table of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExceptionTable {
    /// Its content.
    pub bytes: Vec<u8>,
    /// The offsets of addresses in it.
    pub pointers: Vec<u32>,
    /// The addresses of the types that it names; the first has the number 1. A null stands for
    /// every type.
    types: Vec<Word>,
}

impl ExceptionTable {
    /// Returns the number of a type, by the address of its type info, from 1. All types that no
    /// landing pad names share one number, which no exception arrives with.
    pub fn type_number(&self, type_info: Word) -> u64 {
        let found = self.types.iter().position(|ty| ty.bits == type_info.bits);
        found.unwrap_or(self.types.len()) as u64 + 1
    }
}

/// `DW_EH_PE_omit`: what is encoded so is not there.
const OMITTED: u8 = 0xff;
/// `DW_EH_PE_absptr`: an address of eight bytes.
const ADDRESS: u8 = 0;
/// `DW_EH_PE_udata4`: a number of four bytes.
const FOUR_BYTES: u8 = 3;
/// How long the header is with lengths of [`PADDED`] bytes.
const HEADER: usize = 3 + 2 * PADDED;
/// Lengths are written with so many bytes, whatever their value.
const PADDED: usize = 5;

impl Program {
    /// Returns the address of a function's personality routine, which decides what its frames do
    /// with exceptions, or `None` if it has none.
    pub fn personality(&self, function: FunctionId) -> Option<Word> {
        let symbol = self.definition(function).personality?;
        Some(self.address_word(self.target(function, symbol), 0))
    }

    /// Returns whether a function promises that no exception leaves it.
    pub fn is_nounwind(&self, function: FunctionId) -> bool {
        self.definition(function).no_unwind
    }

    pub(crate) fn definition(&self, function: FunctionId) -> &crate::unit::Function {
        let info = self.info(function);
        &self.units[info.unit.0 as usize].module.unit.functions[info.index as usize]
    }

    /// Returns the exception table of a function, or `None` if no exception arrives in it. Decodes
    /// the function.
    pub fn exception_table(&self, function: FunctionId) -> Option<ExceptionTable> {
        let body = &self.function(function).body;
        body.sites.iter().find(|site| site.landing.is_some())?;
        let mut writer = Writer::new(body, |symbol| match symbol {
            Some(symbol) => self.address_word(self.target(function, symbol), 0),
            None => Word::number(0),
        });
        writer.pads();
        writer.sites();
        Some(writer.table())
    }
}

/// What happens to an exception at a range of positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unwinding {
    /// It must not occur.
    Forbidden,
    /// It propagates to the caller.
    Passes,
    /// It arrives at a landing pad: the position, and the number of its first action (0 for none
    /// but clean-up).
    Arrives(u32, u32),
}

struct Writer<'a, F> {
    body: &'a Body,
    address: F,
    sites: Vec<u8>,
    actions: Vec<u8>,
    /// For each landing pad, one more than the offset of its first action.
    first_actions: Vec<u32>,
    types: Vec<Word>,
    specifications: Vec<u8>,
}

impl<'a, F: Fn(Option<SymbolId>) -> Word> Writer<'a, F> {
    fn new(body: &'a Body, address: F) -> Self {
        Writer {
            body,
            address,
            sites: Vec::new(),
            actions: Vec::new(),
            first_actions: Vec::new(),
            types: Vec::new(),
            specifications: Vec::new(),
        }
    }

    /// Writes the actions of all landing pads.
    fn pads(&mut self) {
        for pad in &self.body.pads {
            let first = self.pad(pad);
            self.first_actions.push(first);
        }
    }

    /// A chain of actions, one for each clause and one for clean-up at the end.
    fn pad(&mut self, pad: &LandingPad) -> u32 {
        if pad.clauses.is_empty() {
            return 0;
        }
        let first = self.actions.len() as u32 + 1;
        let mut filters: Vec<i64> = Vec::new();
        for clause in &pad.clauses {
            filters.push(match clause {
                Clause::Catch(ty) => self.type_number(*ty),
                Clause::Filter(types) => self.specification(types),
            });
        }
        if pad.cleanup {
            filters.push(0);
        }
        for (rest, filter) in (0..filters.len()).rev().zip(filters) {
            signed(&mut self.actions, filter);
            // The next record starts right behind this one-byte distance.
            signed(&mut self.actions, (rest > 0) as i64);
        }
        first
    }

    fn type_number(&mut self, symbol: Option<SymbolId>) -> i64 {
        let address = (self.address)(symbol);
        let known = self.types.iter().position(|ty| ty.bits == address.bits);
        let index = known.unwrap_or_else(|| {
            self.types.push(address);
            self.types.len() - 1
        });
        index as i64 + 1
    }

    fn specification(&mut self, types: &[Option<SymbolId>]) -> i64 {
        let filter = -(self.specifications.len() as i64 + 1);
        for &ty in types {
            let number = self.type_number(ty);
            unsigned(&mut self.specifications, number as u64);
        }
        self.specifications.push(0);
        filter
    }

    fn unwinding(&self, site: &CallSite) -> Unwinding {
        match site.landing {
            Some(Position(landing)) => match self.body.code[landing as usize] {
                Instruction::LandingPad { clauses, .. } => {
                    Unwinding::Arrives(landing, self.first_actions[clauses.0 as usize])
                }
                _ => Unwinding::Forbidden,
            },
            None if site.no_unwind => Unwinding::Forbidden,
            None => Unwinding::Passes,
        }
    }

    /// Writes the call-site table: neighbouring calls that unwind alike share an entry.
    fn sites(&mut self) {
        let mut entry: Option<(u32, u32, Unwinding)> = None;
        for (position, instruction) in (0..).zip(&self.body.code) {
            let Instruction::Call { site } = instruction else {
                continue;
            };
            let unwinding = self.unwinding(&self.body.sites[site.0 as usize]);
            match &mut entry {
                Some((_, last, known)) if *known == unwinding => *last = position,
                _ => {
                    self.site(entry);
                    entry = Some((position, position, unwinding));
                }
            }
        }
        self.site(entry);
    }

    fn site(&mut self, entry: Option<(u32, u32, Unwinding)>) {
        let (first, last, landing, action) = match entry {
            Some((first, last, Unwinding::Passes)) => (first, last, 0, 0),
            Some((first, last, Unwinding::Arrives(landing, action))) => {
                (first, last, landing, action)
            }
            Some((_, _, Unwinding::Forbidden)) | None => return,
        };
        for number in [first, last - first + 1, landing] {
            self.sites.extend_from_slice(&number.to_le_bytes());
        }
        unsigned(&mut self.sites, action as u64);
    }

    fn table(self) -> ExceptionTable {
        let before_types = (HEADER + self.sites.len() + self.actions.len()).next_multiple_of(8);
        let end_of_types = before_types + self.types.len() * 8;
        let mut bytes = vec![OMITTED, ADDRESS];
        padded(&mut bytes, end_of_types - 2 - PADDED);
        bytes.push(FOUR_BYTES);
        padded(&mut bytes, self.sites.len());
        bytes.extend_from_slice(&self.sites);
        bytes.extend_from_slice(&self.actions);
        bytes.resize(before_types, 0);
        let mut pointers = Vec::new();
        for ty in self.types.iter().rev() {
            if ty.pointer {
                pointers.push(bytes.len() as u32);
            }
            bytes.extend_from_slice(&ty.bits.to_le_bytes());
        }
        bytes.extend_from_slice(&self.specifications);
        ExceptionTable {
            bytes,
            pointers,
            types: self.types,
        }
    }
}

/// Appends an unsigned LEB128 number.
fn unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed LEB128 number.
fn signed(out: &mut Vec<u8>, mut value: i64) {
    while !(-0x40..0x40).contains(&value) {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}

/// Appends an unsigned LEB128 number of [`PADDED`] bytes.
fn padded(out: &mut Vec<u8>, value: usize) {
    for part in 0..PADDED {
        let more = if part + 1 < PADDED { 0x80 } else { 0 };
        out.push((value >> (7 * part)) as u8 & 0x7f | more);
    }
}

#[cfg(test)]
mod tests;
