//! Clausal proofs, checked by unit propagation.
//!
//! A proof that clauses contradict each other is a list of further clauses, the last of them empty,
//! each of which follows from those before by *reverse unit propagation*: if all its literals are
//! assumed false, then setting whatever clauses with one literal left force ends in a contradiction
//! (Goldberg and Novikov, 2003). Checking that needs no search.

use rustc_hash::FxHashMap;

/// Checks that `steps` refute `clauses`.
pub fn refutes(clauses: &[Vec<i32>], steps: &[Vec<i32>]) -> bool {
    let mut checker = Checker::default();
    for clause in clauses {
        checker.add(clause);
    }
    for step in steps {
        if checker.contradicted {
            return true;
        }
        if !checker.follows(step) {
            return false;
        }
        checker.add(step);
    }
    checker.contradicted
}

/// A literal: twice the number of its variable, plus one if it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Literal(u32);

impl Literal {
    fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// What is set of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Open,
    True,
    False,
}

/// A clause that watches a literal, and another literal of it: if that holds, there is no need to
/// look further.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    other: Literal,
}

/// Clauses, each watched through two of its literals.
#[derive(Default)]
struct Checker {
    /// The numbers of the variables that were met.
    variables: FxHashMap<u32, u32>,
    clauses: Vec<Vec<Literal>>,
    /// For each literal, the clauses that watch it.
    watched: Vec<Vec<Watch>>,
    /// For each literal, whether it holds: for good, or, above `settled` on the trail, for one
    /// question.
    values: Vec<Value>,
    trail: Vec<Literal>,
    /// How much of the trail has been propagated for good.
    settled: usize,
    contradicted: bool,
}

impl Checker {
    fn literal(&mut self, number: i32) -> Literal {
        let next = self.variables.len() as u32;
        let variable = *self.variables.entry(number.unsigned_abs()).or_insert(next);
        if variable == next {
            for _ in 0..2 {
                self.watched.push(Vec::new());
                self.values.push(Value::Open);
            }
        }
        Literal(variable * 2 + u32::from(number < 0))
    }

    fn literals(&mut self, clause: &[i32]) -> Vec<Literal> {
        clause.iter().map(|&number| self.literal(number)).collect()
    }

    fn value(&self, literal: Literal) -> Value {
        self.values[literal.0 as usize]
    }

    fn assign(&mut self, literal: Literal) {
        self.values[literal.0 as usize] = Value::True;
        self.values[literal.negated().0 as usize] = Value::False;
        self.trail.push(literal);
    }

    /// Adds a clause for good and sets what it forces.
    fn add(&mut self, clause: &[i32]) {
        let mut clause = self.literals(clause);
        clause.sort_unstable();
        clause.dedup();
        // Two literals that are not false come first, to be watched; what is set now is set for
        // good.
        clause.sort_by_key(|&literal| self.value(literal) == Value::False);
        let open = clause
            .iter()
            .filter(|&&literal| self.value(literal) != Value::False)
            .count();
        match open {
            0 => self.contradicted = true,
            1 if self.value(clause[0]) == Value::Open => {
                self.assign(clause[0]);
                self.contradicted |= !self.propagate(self.settled);
                self.settled = self.trail.len();
            }
            1 => {}
            _ => {
                let at = self.clauses.len() as u32;
                self.watch(clause[0], at, clause[1]);
                self.watch(clause[1], at, clause[0]);
                self.clauses.push(clause);
            }
        }
    }

    fn watch(&mut self, literal: Literal, clause: u32, other: Literal) {
        self.watched[literal.0 as usize].push(Watch { clause, other });
    }

    /// Whether a clause follows by unit propagation.
    fn follows(&mut self, clause: &[i32]) -> bool {
        let mark = self.trail.len();
        let mut contradiction = false;
        for literal in self.literals(clause) {
            match self.value(literal) {
                Value::True => contradiction = true,
                Value::False => {}
                Value::Open => self.assign(literal.negated()),
            }
        }
        contradiction = contradiction || !self.propagate(mark);
        for literal in self.trail.drain(mark..) {
            self.values[literal.0 as usize] = Value::Open;
            self.values[literal.negated().0 as usize] = Value::Open;
        }
        contradiction
    }

    /// Sets what follows from the trail after `from`; false if that is a contradiction.
    fn propagate(&mut self, from: usize) -> bool {
        let mut next = from;
        while let Some(&literal) = self.trail.get(next) {
            next += 1;
            let falsified = literal.negated();
            let mut watching = std::mem::take(&mut self.watched[falsified.0 as usize]);
            let mut kept = 0;
            let mut contradiction = false;
            for at in 0..watching.len() {
                let mut watch = watching[at];
                if !contradiction && self.value(watch.other) != Value::True {
                    match self.visit(watch.clause, falsified) {
                        Visit::Moved => continue,
                        Visit::Kept(other) => watch.other = other,
                        Visit::Contradiction => contradiction = true,
                    }
                }
                watching[kept] = watch;
                kept += 1;
            }
            watching.truncate(kept);
            self.watched[falsified.0 as usize].extend(watching);
            if contradiction {
                return false;
            }
        }
        true
    }

    /// Looks at a clause one of whose watched literals has become false.
    fn visit(&mut self, at: u32, falsified: Literal) -> Visit {
        let clause = &mut self.clauses[at as usize];
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let first = clause[0];
        let value = self.values[first.0 as usize];
        if value == Value::True {
            return Visit::Kept(first);
        }
        let is_false = |literal: &Literal| self.values[literal.0 as usize] == Value::False;
        if let Some(other) = (2..clause.len()).find(|&other| !is_false(&clause[other])) {
            clause.swap(1, other);
            let literal = clause[1];
            self.watch(literal, at, first);
            return Visit::Moved;
        }
        if value == Value::False {
            return Visit::Contradiction;
        }
        self.assign(first);
        Visit::Kept(first)
    }
}

enum Visit {
    /// Another literal is watched now.
    Moved,
    /// This literal of the clause holds.
    Kept(Literal),
    Contradiction,
}

#[cfg(test)]
mod tests {
    use super::refutes;

    fn square() -> Vec<Vec<i32>> {
        vec![vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]]
    }

    #[test]
    fn a_proof_by_one_unit() {
        assert!(refutes(&square(), &[vec![1]]));
    }

    #[test]
    fn clauses_that_contradict_each_other_by_themselves_need_no_steps() {
        assert!(refutes(&[vec![1], vec![-1, 2], vec![-2]], &[]));
        assert!(refutes(&[vec![]], &[]));
    }

    #[test]
    fn what_does_not_follow_is_refused() {
        assert!(!refutes(&square()[..3], &[vec![-1]]));
        assert!(!refutes(&square()[..3], &[vec![1], vec![2], vec![]]));
        assert!(!refutes(&square(), &[vec![3]]));
        assert!(!refutes(&[vec![1, 2, 3]], &[vec![1]]));
    }

    #[test]
    fn an_incomplete_proof_is_refused() {
        assert!(!refutes(&square(), &[]));
    }

    /// Three pigeons in two holes: variable 2p + h + 1 says that pigeon p sits in hole h.
    #[test]
    fn pigeons() {
        let at = |pigeon: i32, hole: i32| 2 * pigeon + hole + 1;
        let mut clauses: Vec<Vec<i32>> = (0..3)
            .map(|pigeon| vec![at(pigeon, 0), at(pigeon, 1)])
            .collect();
        for hole in 0..2 {
            for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                clauses.push(vec![-at(one, hole), -at(other, hole)]);
            }
        }
        assert!(!refutes(&clauses, &[]));
        assert!(refutes(&clauses, &[vec![at(0, 0)]]));
        clauses.pop();
        assert!(!refutes(
            &clauses,
            &[vec![at(0, 0)], vec![-at(0, 0)], vec![]]
        ));
    }
}
