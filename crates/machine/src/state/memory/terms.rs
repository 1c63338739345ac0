//! Bytes that are parts of terms: values that depend on inputs which are followed symbolically.
//!
//! Such a byte is wholly undefined to whoever does not know of terms.

use super::object::{Flags, TermByte};
use super::{Limit, Memory, Spot};
use crate::base::fault::{Result, unsupported};
use crate::value::symbolic::{Input, InputId, id_of, term_of, word_of};
use impasse_program::address::Address;
use impasse_program::word::{Word, mask};
use impasse_solver::{Term, Terms};
use std::ops::Range;

/// Stands for a byte that is undefined, in a word with bytes that are parts of terms.
const UNDEFINED_BYTE: Input = (InputId::UNDEFINED, 8);

impl Memory<'_> {
    /// The place of an access to an object whose size depends on inputs, if the running instruction
    /// has decided that it is inside. `None` if the access is an error.
    #[cold]
    pub(super) fn check_limited(
        &self,
        word: Word,
        address: Address,
        bytes: u64,
    ) -> Option<Result<Spot>> {
        let object = self.get(address.object)?;
        let flags = object.flags();
        let entitled = word.pointer || flags.has(Flags::EXPOSED);
        if object.limit().is_none() || !entitled || flags.has(Flags::FREED | Flags::ENDED) {
            return None;
        }
        let mut known = self.limits.iter();
        let Some((_, limit)) = known.find(|(of, _)| *of == address.object) else {
            return Some(unsupported(
                "an operation on memory of a size that depends on an input",
            ));
        };
        match limit {
            Limit::Exceeded(_) => None,
            Limit::AtLeast(_) if address.offset < 0 => None,
            Limit::AtLeast(end) => {
                let ends = address.offset as u64 + bytes;
                Some(match ends <= *end && ends <= u64::from(object.size()) {
                    true => Ok(Spot {
                        object: address.object,
                        offset: address.offset as usize,
                    }),
                    false => unsupported(format!(
                        "byte {ends} of memory of a size that depends on an input"
                    )),
                })
            }
        }
    }

    /// Returns a word that is a term, with the lowest bits of it only.
    #[cold]
    pub fn cut_term(&self, word: Word, width: u32) -> Word {
        let Some(terms) = self.terms.filter(|_| !word.pointer) else {
            return word;
        };
        let term = term_of(word.term);
        terms.with(|terms| match u32::from(terms.width(term)) > width {
            true => word_of(terms, terms.extract(term, 0, width as u8)),
            false => word,
        })
    }

    /// Returns a word that is a term, as one of so many bits: its lowest ones, or with zeros above.
    #[cold]
    pub fn fit_term(&self, word: Word, width: u32) -> Word {
        let Some(terms) = self.terms.filter(|_| !word.pointer) else {
            return word;
        };
        let term = term_of(word.term);
        terms.with(|terms| word_of(terms, terms.resize_unsigned(term, width as u8)))
    }

    /// The word at a place of which some bits are undefined: a term if all bytes are parts of terms
    /// or defined.
    #[cold]
    pub(crate) fn load_term(&self, spot: Spot, bytes: usize, plain: Word) -> Word {
        let Some(object) = self.peek(spot.object).filter(|object| object.has_terms()) else {
            return plain;
        };
        let range = spot.offset..spot.offset + bytes;
        let parts = object.terms();
        let parts: Vec<TermByte> = parts
            .into_iter()
            .filter(|part| range.contains(&(part.offset as usize)))
            .collect();
        match parts.is_empty() {
            true => plain,
            false => self.join_terms(range, &parts, plain),
        }
    }

    /// Returns the word at the offsets of a range of which some bytes are parts of terms, and the
    /// others those of `plain`: a term, in which a variable of its own stands for each byte that is
    /// undefined. Panics unless inputs are followed.
    #[cold]
    pub fn join_terms(&self, range: Range<usize>, parts: &[TermByte], plain: Word) -> Word {
        let terms = self.terms.expect("a search that follows inputs");
        let of_term: u64 = parts
            .iter()
            .map(|part| 0xff << (8 * (part.offset as usize - range.start)))
            .sum();
        let undefined = plain.undefined & !of_term;
        if undefined
            .to_le_bytes()
            .iter()
            .any(|byte| !matches!(byte, 0 | 0xff))
        {
            self.mixes_terms.set(true);
            return plain;
        }
        let unknown = terms.input(UNDEFINED_BYTE);
        let plain = (plain.bits, undefined);
        terms.with(|terms| word_of(terms, joined(terms, parts, &range, plain, unknown)))
    }

    /// Returns the bytes of a word that is a term, as it is stored in so many bytes. Those that are
    /// undefined are none.
    #[cold]
    pub(super) fn term_bytes(&self, word: Word, bytes: usize) -> Vec<TermByte> {
        let terms = self.terms.expect("a search that follows inputs");
        let is_mixed = terms.mentions_undefined(term_of(word.term));
        let unknown = is_mixed.then(|| terms.input(UNDEFINED_BYTE));
        terms.with(|terms| {
            let (term, width) = (term_of(word.term), bytes as u8 * 8);
            let term = match terms.width(term) >= width {
                true => terms.extract(term, 0, width),
                false => terms.zero_extend(term, width),
            };
            let all = (0..bytes as u32).map(|n| TermByte {
                offset: n,
                term: id_of(term),
                byte: n as u8,
            });
            let is_there = |part: &TermByte| {
                unknown.is_none() || unknown != Some(terms.extract(term, part.byte * 8, 8))
            };
            all.filter(is_there).collect()
        })
    }

    /// The bytes of a range that are parts of terms, with their offsets in it.
    pub(super) fn terms_in(&self, spot: Spot, range: &Range<usize>) -> Vec<TermByte> {
        let object = self.peek(spot.object);
        let parts = object.filter(|object| object.has_terms());
        let parts = parts.map(|object| object.terms()).unwrap_or_default();
        let within = parts
            .into_iter()
            .filter(|part| range.contains(&(part.offset as usize)));
        within
            .map(|part| TermByte {
                offset: part.offset - range.start as u32,
                ..part
            })
            .collect()
    }
}

/// The bytes of a range, of which `parts` are parts of terms and the others those of `plain`, with
/// `unknown` for those that are undefined.
fn joined(
    terms: &Terms,
    parts: &[TermByte],
    range: &Range<usize>,
    (bits, undefined): (u64, u64),
    unknown: Term,
) -> Term {
    let whole = |part: &TermByte| {
        let first = part.offset as usize - range.start;
        first == part.byte as usize && part.term == parts[0].term
    };
    let first = term_of(parts[0].term);
    if parts.len() == range.len() && parts.iter().all(whole) {
        return terms.extract(first, 0, range.len() as u8 * 8);
    }
    let byte = |at: usize| {
        let found = parts.iter().find(|part| part.offset as usize == at);
        let of = |plain: u64| plain >> (8 * (at - range.start)) & mask(8);
        match found {
            Some(part) => terms.extract(term_of(part.term), part.byte * 8, 8),
            None if of(undefined) != 0 => unknown,
            None => terms.constant(of(bits).into(), 8),
        }
    };
    let mut all = byte(range.start);
    for at in range.start + 1..range.end {
        all = terms.concatenate(byte(at), all);
    }
    all
}
