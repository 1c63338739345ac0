//! The path condition: which values the inputs of a state may have.
//!
//! A state with inputs that are followed symbolically stands for one concrete state for each
//! valuation that satisfies the path condition. It is satisfiable in every state.

use crate::base::codec::{Reader, put};
use crate::value::symbolic::{Input, InputId, id_of, term_of};
use impasse_program::word::TermId;
use impasse_solver::Term;

/// A path condition.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The inputs of the state.
    pub inputs: Vec<Input>,
    /// The conjuncts, of one bit each.
    pub conjuncts: Vec<Term>,
}

/// How long a path condition was when an instruction began.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    inputs: usize,
    conjuncts: usize,
}

impl Condition {
    /// Adds a conjunct, unless it is there.
    pub fn add(&mut self, conjunct: Term) {
        if !self.conjuncts.contains(&conjunct) {
            self.conjuncts.push(conjunct);
        }
    }

    /// Adds an input of an owner, and returns it.
    pub fn add_input(&mut self, owner: u32, width: u8) -> Input {
        let taken = |id: &InputId| self.inputs.iter().any(|(input, _)| input == id);
        let mut ids = (0..).map(|number| InputId::new(owner, number));
        let id = ids.find(|id| !taken(id)).expect("there are always more");
        self.inputs.push((id, width));
        (id, width)
    }

    /// Returns how long it is.
    pub fn length(&self) -> Length {
        Length {
            inputs: self.inputs.len(),
            conjuncts: self.conjuncts.len(),
        }
    }

    /// Becomes as long as it was: what was added since is forgotten.
    pub fn truncate(&mut self, length: Length) {
        self.inputs.truncate(length.inputs);
        self.conjuncts.truncate(length.conjuncts);
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.inputs.len() as u64);
        for (input, width) in &self.inputs {
            out.extend_from_slice(&input.to_bits().to_le_bytes());
            out.push(*width);
        }
        for &conjunct in &self.conjuncts {
            put(out, u64::from(id_of(conjunct).to_bits()));
        }
    }

    /// Reads a stored form.
    pub fn decode(stored: &[u8]) -> Condition {
        let mut reader = Reader::new(stored);
        let count = reader.small();
        let inputs = (0..count).map(|_| {
            let id = InputId::from_bits(reader.little_endian(4) as u32);
            (id, reader.byte())
        });
        let inputs = inputs.collect();
        let mut conjuncts = Vec::new();
        while !reader.is_empty() {
            conjuncts.push(term_of(TermId::from_bits(reader.small())));
        }
        Condition { inputs, conjuncts }
    }
}
