//! A body under construction: instructions go to its end, jumps name labels that get their
//! positions when it is finished.

use super::types::Unsupported;
use crate::debug::LocationId;
use crate::instruction::{
    Body, CallSite, CallSiteId, Constant, Instruction, LandingPad, LandingPadId, Operand, Place,
    Position, Range, Scalar, Slot, SymbolId, Variable, VariableId,
};
use crate::word::Word;
use rustc_hash::FxHashMap;

/// A place in the code that is not yet fixed. While a body is built its positions are numbers of
/// labels.
pub(super) type Label = Position;

/// Collects the parts of a body.
#[derive(Default)]
pub(super) struct Builder {
    body: Body,
    /// The positions of labels, where they are bound.
    labels: Vec<Option<u32>>,
    /// One more than the last position at which a label was bound.
    bound_until: u32,
    constants: FxHashMap<(Constant, Option<Constant>), Operand>,
    reasons: FxHashMap<String, u32>,
    /// Where in the source the next instructions come from.
    pub location: LocationId,
}

impl Builder {
    /// Appends an instruction.
    pub fn push(&mut self, instruction: Instruction) {
        self.body.code.push(instruction);
        self.body.locations.push(self.location);
    }

    /// Returns the first of `words` consecutive slots that nothing uses yet.
    pub fn slots(&mut self, words: u32) -> Slot {
        let first = Slot(self.body.slots);
        self.body.slots += words;
        first
    }

    /// Returns a label that is not bound yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Position(self.labels.len() as u32 - 1)
    }

    /// Binds a label to the next instruction. A jump to it just before that is left out.
    pub fn bind(&mut self, label: Label) {
        let here = self.body.code.len() as u32;
        if self.bound_until <= here
            && self.body.code.last() == Some(&Instruction::Jump { target: label })
        {
            self.body.code.pop();
            self.body.locations.pop();
        }
        let here = self.body.code.len() as u32;
        self.labels[label.0 as usize] = Some(here);
        self.bound_until = here + 1;
    }

    /// Returns the operand for a constant of one word.
    pub fn constant(&mut self, constant: Constant) -> Operand {
        self.pooled(constant, None)
    }

    /// Returns the operand for a constant of two words.
    pub fn constant_pair(&mut self, low: Word, high: Word) -> Operand {
        self.pooled(Constant::Word(low), Some(Constant::Word(high)))
    }

    fn pooled(&mut self, first: Constant, second: Option<Constant>) -> Operand {
        let constants = &mut self.body.constants;
        *self
            .constants
            .entry((first, second))
            .or_insert_with_key(|(first, second)| {
                let operand = Operand::constant(constants.len() as u32);
                constants.push(first.clone());
                constants.extend(second.clone());
                operand
            })
    }

    /// Returns the operand for a defined number of at most 64 bits.
    pub fn number(&mut self, bits: u64) -> Operand {
        self.constant(Constant::Word(Word::number(bits)))
    }

    /// Returns the operand for an undefined scalar.
    pub fn undefined(&mut self, scalar: Scalar) -> Operand {
        match scalar.words() {
            1 => self.constant(Constant::Word(Word::undefined(scalar.bits()))),
            _ => self.constant_pair(Word::undefined(64), Word::undefined(scalar.bits() - 64)),
        }
    }

    /// Returns the constant that an operand names.
    pub fn constant_of(&self, operand: Operand) -> Option<&Constant> {
        match operand.place() {
            Place::Constant(index) => self.body.constants.get(index as usize),
            Place::Slot(_) => None,
        }
    }

    /// Returns the operand for `address + offset`, computed now if the address is a constant.
    pub fn address_plus(&mut self, address: Operand, offset: i64) -> Operand {
        if offset == 0 {
            return address;
        }
        match self.constant_of(address).cloned() {
            Some(Constant::Address(symbol, base)) => {
                self.constant(Constant::Address(symbol, base.wrapping_add(offset)))
            }
            Some(Constant::Word(word)) if word.is_defined() && !word.pointer => {
                self.number(word.bits.wrapping_add(offset as u64))
            }
            _ => {
                let destination = self.slots(1);
                self.push(Instruction::AddressOffset {
                    destination,
                    base: address,
                    offset,
                });
                Operand::slot(destination)
            }
        }
    }

    /// Makes the address computation that was added last, whose result has a slot of its own, write
    /// to another slot. Returns whether it could.
    pub fn redirect(&mut self, result: Operand, to: Slot) -> bool {
        match self.body.code.last_mut() {
            Some(
                Instruction::AddressOffset { destination, .. }
                | Instruction::AddressIndex { destination, .. },
            ) if Operand::slot(*destination) == result && destination.0 + 1 == self.body.slots => {
                *destination = to;
                self.body.slots -= 1;
                true
            }
            _ => false,
        }
    }

    /// Adds operands to the pool and returns their range.
    pub fn operands(&mut self, operands: &[Operand]) -> Range {
        let start = self.body.operands.len() as u32;
        self.body.operands.extend_from_slice(operands);
        Range {
            start,
            count: operands.len() as u32,
        }
    }

    /// Says where the loop stands in the source whose header is at a label.
    pub fn loop_start(&mut self, header: Label, at: LocationId) {
        let start = (header, at);
        if !self.body.loop_starts.contains(&start) {
            self.body.loop_starts.push(start);
        }
    }

    /// Adds switch cases to the pool, sorted, and returns their range.
    pub fn cases(&mut self, mut cases: Vec<(u64, Label)>) -> Range {
        cases.sort_by_key(|case| case.0);
        let start = self.body.cases.len() as u32;
        let count = cases.len() as u32;
        self.body.cases.append(&mut cases);
        Range { start, count }
    }

    /// Appends a call.
    pub fn call(&mut self, site: CallSite) {
        let id = CallSiteId(self.body.sites.len() as u32);
        self.body.sites.push(site);
        self.push(Instruction::Call { site: id });
    }

    /// Adds a landing pad and returns its number.
    pub fn landing_pad(&mut self, pad: LandingPad) -> LandingPadId {
        self.body.pads.push(pad);
        LandingPadId(self.body.pads.len() as u32 - 1)
    }

    /// Adds a variable and returns its number.
    pub fn variable(&mut self, variable: Variable) -> VariableId {
        self.body.variables.push(variable);
        VariableId(self.body.variables.len() as u32 - 1)
    }

    /// Appends an instruction that says why execution cannot continue here.
    pub fn unsupported(&mut self, reason: Unsupported) {
        let names = &mut self.body.names;
        let reason = *self.reasons.entry(reason.0).or_insert_with_key(|reason| {
            names.push(reason.clone());
            names.len() as u32 - 1
        });
        self.push(Instruction::Unsupported { reason });
    }

    /// Appends a copy of one word.
    pub fn copy(&mut self, destination: Slot, source: Operand) {
        if Operand::slot(destination) != source {
            self.push(Instruction::Move {
                destination,
                source,
            });
        }
    }

    /// Appends a copy of a scalar.
    pub fn copy_scalar(&mut self, scalar: Scalar, destination: Slot, source: Operand) {
        self.copy(destination, source);
        if scalar.words() == 2 {
            self.copy(Slot(destination.0 + 1), source.second());
        }
    }

    /// Appends copies of words that take effect all at once: no copy reads what another one wrote.
    pub fn copy_parallel(&mut self, mut copies: Vec<(Slot, Operand)>) {
        copies.retain(|&(destination, source)| Operand::slot(destination) != source);
        while !copies.is_empty() {
            let free = copies.iter().position(|&(destination, _)| {
                !copies
                    .iter()
                    .any(|&(_, source)| source == Operand::slot(destination))
            });
            match free {
                Some(index) => {
                    let (destination, source) = copies.swap_remove(index);
                    self.copy(destination, source);
                }
                None => self.save_overwritten(&mut copies),
            }
        }
    }

    /// Breaks a cycle of copies: what the first one overwrites is read from a new slot from now on.
    fn save_overwritten(&mut self, copies: &mut [(Slot, Operand)]) {
        let overwritten = Operand::slot(copies[0].0);
        let saved = self.slots(1);
        self.copy(saved, overwritten);
        for (_, source) in copies {
            if *source == overwritten {
                *source = Operand::slot(saved);
            }
        }
    }

    /// Appends an instruction that makes a scalar undefined.
    pub fn undefine(&mut self, destination: Slot, scalar: Scalar) {
        self.push(Instruction::Undefine {
            destination,
            scalar,
        });
    }

    /// Returns the body, with every label replaced by its position.
    pub fn finish(mut self) -> Body {
        if self.body.code.last().is_none_or(Instruction::falls_through)
            || self.bound_until as usize > self.body.code.len()
        {
            self.push(Instruction::Unreachable);
        }
        let end = self.body.code.len() as u32 - 1;
        let labels = self.labels;
        self.body
            .for_each_position(|position| position.0 = labels[position.0 as usize].unwrap_or(end));
        self.body
    }
}

impl Body {
    /// Calls `visit` with every position that the body mentions.
    pub(super) fn for_each_position(&mut self, mut visit: impl FnMut(&mut Position)) {
        for instruction in &mut self.code {
            match instruction {
                Instruction::Jump { target } => visit(target),
                Instruction::Branch {
                    then, otherwise, ..
                } => {
                    visit(then);
                    visit(otherwise);
                }
                Instruction::Switch { default, .. } => visit(default),
                _ => {}
            }
        }
        self.cases.iter_mut().for_each(|case| visit(&mut case.1));
        self.loop_starts.iter_mut().for_each(|it| visit(&mut it.0));
        for site in &mut self.sites {
            site.landing.iter_mut().for_each(&mut visit);
        }
    }

    /// Every symbol that the body mentions, sorted, without repetition.
    pub(super) fn symbols(&self) -> Vec<SymbolId> {
        use crate::instruction::{Callee, Clause};
        let mut symbols = Vec::new();
        for constant in &self.constants {
            if let Constant::Address(symbol, _) = constant {
                symbols.push(*symbol);
            }
        }
        for instruction in &self.code {
            if let Instruction::ThreadLocal { variable, .. } = instruction {
                symbols.push(*variable);
            }
        }
        for site in &self.sites {
            if let Callee::Symbol(symbol) = site.callee {
                symbols.push(symbol);
            }
        }
        for clause in self.pads.iter().flat_map(|pad| &pad.clauses) {
            match clause {
                Clause::Catch(symbol) => symbols.extend(symbol),
                Clause::Filter(accepted) => symbols.extend(accepted.iter().flatten()),
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }
}
