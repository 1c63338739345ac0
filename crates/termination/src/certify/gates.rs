//! Gates over bits, and the clauses that say what they compute.
//!
//! A gate of each kind that adders and choices are made of has clauses of its own. Of and-gates
//! alone, an exclusive or takes three gates and nine clauses instead of four, and a carry six gates
//! and 18 clauses instead of six, all of which a refutation has to go through.

use rustc_hash::FxHashMap;

/// A wire: a gate or a variable, perhaps inverted. Zero is false, one is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wire(u32);

/// The wire that is never set.
pub const FALSE: Wire = Wire(0);
/// The wire that is always set.
pub const TRUE: Wire = Wire(1);

impl Wire {
    /// Returns the wire with the complement.
    pub fn inverse(self) -> Wire {
        Wire(self.0 ^ 1)
    }

    fn node(self) -> usize {
        self.0 as usize / 2
    }

    /// The constant it is, if it is one.
    pub fn constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    pub(super) fn of(bit: bool) -> Wire {
        Wire(bit.into())
    }

    fn is_inverted(self) -> bool {
        !self.0.is_multiple_of(2)
    }

    /// The complement, if a condition holds.
    fn inverted_if(self, condition: bool) -> Wire {
        Wire(self.0 ^ u32::from(condition))
    }

    /// As a literal of a clause: the number of its node, negative if inverted.
    fn literal(self) -> i32 {
        let node = i32::try_from(self.node()).expect("fewer than 2^31 gates");
        if self.is_inverted() { -node } else { node }
    }
}

/// A vector of wires, the lowest bit first.
pub type Bus = Vec<Wire>;

/// What a node computes. No input is a constant, and no two are the same or complements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    /// Both; the smaller wire comes first.
    And([Wire; 2]),
    /// One of the two, neither of which is inverted; the smaller wire comes first.
    Xor([Wire; 2]),
    /// The second if the first is set, otherwise the third; neither of the first two is inverted.
    Choose([Wire; 3]),
    /// At least two of the three, in order; at most one is inverted.
    Majority([Wire; 3]),
}

impl Gate {
    fn inputs(&self) -> &[Wire] {
        match self {
            Gate::And(inputs) | Gate::Xor(inputs) => inputs,
            Gate::Choose(inputs) | Gate::Majority(inputs) => inputs,
        }
    }

    /// Clauses that hold exactly where `gate` has the value that is computed.
    fn clauses(&self, gate: i32, clauses: &mut Vec<Vec<i32>>) {
        match self
            .inputs()
            .iter()
            .map(|wire| wire.literal())
            .collect::<Vec<_>>()[..]
        {
            [a, b] if matches!(self, Gate::And(_)) => {
                clauses.extend([vec![-gate, a], vec![-gate, b], vec![gate, -a, -b]]);
            }
            [a, b] => {
                clauses.extend([vec![-gate, a, b], vec![-gate, -a, -b]]);
                clauses.extend([vec![gate, -a, b], vec![gate, a, -b]]);
            }
            [c, a, b] if matches!(self, Gate::Choose(_)) => {
                clauses.extend([vec![-c, -a, gate], vec![-c, a, -gate]]);
                clauses.extend([vec![c, -b, gate], vec![c, b, -gate]]);
                // They follow, but not by unit propagation.
                clauses.extend([vec![-a, -b, gate], vec![a, b, -gate]]);
            }
            [a, b, c] => {
                for (one, other) in [(a, b), (a, c), (b, c)] {
                    clauses.extend([vec![-one, -other, gate], vec![one, other, -gate]]);
                }
            }
            _ => unreachable!("a gate has two or three inputs"),
        }
    }
}

/// Gates.
#[derive(Default)]
pub struct Circuit {
    /// Variables are no gates. Node 0 is the constant.
    gates: Vec<Option<Gate>>,
    known: FxHashMap<Gate, Wire>,
    /// What holds whatever the variables are.
    facts: Vec<Wire>,
}

impl Circuit {
    /// No gates.
    pub fn new() -> Circuit {
        Circuit {
            gates: vec![None],
            known: FxHashMap::default(),
            facts: Vec::new(),
        }
    }

    /// A vector of new variables.
    pub fn variables(&mut self, width: usize) -> Bus {
        (0..width).map(|_| self.push(None)).collect()
    }

    fn push(&mut self, gate: Option<Gate>) -> Wire {
        let node = u32::try_from(self.gates.len()).expect("fewer than 2^31 gates");
        self.gates.push(gate);
        Wire(node * 2)
    }

    fn gate(&mut self, gate: Gate) -> Wire {
        if let Some(&wire) = self.known.get(&gate) {
            return wire;
        }
        let wire = self.push(Some(gate));
        self.known.insert(gate, wire);
        wire
    }

    /// Notes what holds whatever the variables are.
    pub(super) fn note(&mut self, fact: Wire) {
        if fact != TRUE {
            self.facts.push(fact);
        }
    }

    /// Both.
    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = (a.min(b), a.max(b));
        if a == FALSE || a == b.inverse() {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        self.gate(Gate::And([a, b]))
    }

    /// Either.
    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        self.and(a.inverse(), b.inverse()).inverse()
    }

    /// One of the two.
    pub(super) fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let inverted = a.is_inverted() != b.is_inverted();
        let (a, b) = (Wire(a.0 & !1), Wire(b.0 & !1));
        let (a, b) = (a.min(b), a.max(b));
        let wire = match (a, b) {
            (FALSE, b) => b,
            (a, b) if a == b => FALSE,
            (a, b) => self.gate(Gate::Xor([a, b])),
        };
        wire.inverted_if(inverted)
    }

    /// The second if the first is set, otherwise the third.
    pub(super) fn choose(&mut self, c: Wire, a: Wire, b: Wire) -> Wire {
        if let Some(set) = c.constant() {
            return if set { a } else { b };
        }
        if a == b {
            return a;
        }
        if a == b.inverse() {
            return self.xor(c, b);
        }
        if a == TRUE || a == c {
            return self.or(c, b);
        }
        if a == FALSE || a == c.inverse() {
            return self.and(c.inverse(), b);
        }
        if b == TRUE || b == c.inverse() {
            return self.or(c.inverse(), a);
        }
        if b == FALSE || b == c {
            return self.and(c, a);
        }
        let (c, a, b) = match c.is_inverted() {
            true => (c.inverse(), b, a),
            false => (c, a, b),
        };
        let inverted = a.is_inverted();
        let (a, b) = (a.inverted_if(inverted), b.inverted_if(inverted));
        self.gate(Gate::Choose([c, a, b])).inverted_if(inverted)
    }

    /// At least two of the three.
    pub(super) fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        // Constants come first, and equal wires and complements side by side.
        match inputs {
            [FALSE, FALSE, _] => return FALSE,
            [FALSE, TRUE, c] => return c,
            [FALSE, b, c] => return self.and(b, c),
            [TRUE, b, c] => return self.or(b, c),
            [a, b, _] if a == b => return a,
            [_, b, c] if b == c => return b,
            [a, b, c] if a == b.inverse() => return c,
            [a, b, c] if b == c.inverse() => return a,
            _ => {}
        }
        let inverted = inputs.iter().filter(|wire| wire.is_inverted()).count() > 1;
        let inputs = inputs.map(|wire| wire.inverted_if(inverted));
        self.gate(Gate::Majority(inputs)).inverted_if(inverted)
    }

    /// All of them.
    pub fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires
            .into_iter()
            .fold(TRUE, |all, wire| self.and(all, wire))
    }

    /// The clauses that say what the gates below a wire compute, that the wire is set, and that
    /// the facts hold, which are true of all values. The variables of the clauses are the numbers
    /// of the nodes.
    pub fn clauses(&self, root: Wire) -> Vec<Vec<i32>> {
        match root.constant() {
            Some(true) => return Vec::new(),
            Some(false) => return vec![Vec::new()],
            None => {}
        }
        let mut clauses = Vec::new();
        let mut seen = vec![false; self.gates.len()];
        let mut open = vec![root.node()];
        open.extend(self.facts.iter().map(|fact| fact.node()));
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if let Some(gate) = &self.gates[node] {
                gate.clauses(Wire(node as u32 * 2).literal(), &mut clauses);
                open.extend(gate.inputs().iter().map(|wire| wire.node()));
            }
        }
        let facts = self.facts.iter().map(|fact| vec![fact.literal()]);
        clauses.extend(facts);
        clauses.push(vec![root.literal()]);
        clauses
    }

    #[cfg(test)]
    pub(super) fn facts(&self) -> &[Wire] {
        &self.facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::clauses::refutes;

    const KINDS: [&str; 4] = ["and", "xor", "choose", "majority"];

    fn built(circuit: &mut Circuit, kind: &str, [a, b, c]: [Wire; 3]) -> Wire {
        match kind {
            "and" => circuit.and(a, b),
            "xor" => circuit.xor(a, b),
            "choose" => circuit.choose(a, b, c),
            _ => circuit.majority(a, b, c),
        }
    }

    fn meant(kind: &str, [a, b, c]: [bool; 3]) -> bool {
        match kind {
            "and" => a && b,
            "xor" => a != b,
            "choose" => [c, b][usize::from(a)],
            _ => u8::from(a) + u8::from(b) + u8::from(c) >= 2,
        }
    }

    /// For each kind of gate, all constants, variables and complements as inputs, and all values of
    /// the variables: the clauses contradict the wrong value by unit propagation, and only that.
    #[test]
    fn clauses_say_what_gates_compute() {
        for kind in KINDS {
            for inputs in 0..8u32.pow(3) {
                let mut circuit = Circuit::new();
                let variables = circuit.variables(3);
                let wires = [FALSE, variables[0], variables[1], variables[2]];
                let inputs = [0, 3, 6].map(|at| (inputs >> at) as usize & 7);
                let wire = |at: usize| wires[at / 2].inverted_if(at % 2 == 1);
                let gate = built(&mut circuit, kind, inputs.map(wire));
                for values in 0..8 {
                    let bits = [false, values & 1 != 0, values & 2 != 0, values & 4 != 0];
                    let expected = meant(kind, inputs.map(|at| bits[at / 2] != (at % 2 == 1)));
                    for claimed in [false, true] {
                        let mut clauses = circuit.clauses(gate.inverted_if(!claimed));
                        for (variable, bit) in variables.iter().zip(&bits[1..]) {
                            clauses.push(vec![variable.inverted_if(!bit).literal()]);
                        }
                        let what = format!("{kind} {inputs:?} of {bits:?} is {claimed}");
                        assert_eq!(refutes(&clauses, &[]), claimed != expected, "{what}");
                    }
                }
            }
        }
    }

    /// Complements of inputs make no further gates.
    #[test]
    fn equal_functions_are_equal_gates() {
        let mut circuit = Circuit::new();
        let wires = circuit.variables(3);
        let [a, b, c] = [wires[0], wires[1], wires[2]];
        let xor = circuit.xor(a, b);
        assert_eq!(circuit.xor(b.inverse(), a), xor.inverse());
        let choose = circuit.choose(a, b, c);
        assert_eq!(circuit.choose(a.inverse(), c, b), choose);
        let inverse = circuit.choose(a, b.inverse(), c.inverse());
        assert_eq!(inverse, choose.inverse());
        let majority = circuit.majority(a, b, c);
        let inverse = circuit.majority(c.inverse(), b.inverse(), a.inverse());
        assert_eq!(inverse, majority.inverse());
    }
}
