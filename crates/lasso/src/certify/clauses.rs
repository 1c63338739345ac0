//! Clausal proofs, checked by unit propagation.
//!
//! A proof that clauses contradict each other is a list of further clauses, the last of them empty, each of which follows
//! from those before by *reverse unit propagation*: if all its literals are assumed false, then setting whatever clauses
//! with one literal left force ends in a contradiction (Goldberg and Novikov, 2003). Checking that needs no search.

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

/// Clauses, each watched through two of its literals.
#[derive(Default)]
struct Checker {
    clauses: Vec<Vec<i32>>,
    /// For each literal, the clauses that watch it.
    watched: FxHashMap<i32, Vec<usize>>,
    /// What is set for good, and, above `settled`, for one question.
    set: FxHashMap<i32, bool>,
    trail: Vec<i32>,
    /// How much of the trail has been propagated for good.
    settled: usize,
    contradicted: bool,
}

impl Checker {
    fn value(&self, literal: i32) -> Option<bool> {
        self.set
            .get(&literal.abs())
            .map(|&positive| positive == (literal > 0))
    }

    fn assign(&mut self, literal: i32) {
        self.set.insert(literal.abs(), literal > 0);
        self.trail.push(literal);
    }

    /// Adds a clause for good and sets what it forces.
    fn add(&mut self, clause: &[i32]) {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        // Two literals that are not false come first, to be watched; what is set now is set for good.
        clause.sort_by_key(|&literal| self.value(literal) == Some(false));
        let open = clause
            .iter()
            .filter(|&&literal| self.value(literal) != Some(false))
            .count();
        match open {
            0 => self.contradicted = true,
            1 if self.value(clause[0]).is_none() => {
                self.assign(clause[0]);
                self.contradicted |= !self.propagate(self.settled);
                self.settled = self.trail.len();
            }
            1 => {}
            _ => {
                let at = self.clauses.len();
                for &literal in &clause[..2] {
                    self.watched.entry(literal).or_default().push(at);
                }
                self.clauses.push(clause);
            }
        }
    }

    /// Whether a clause follows by unit propagation.
    fn follows(&mut self, clause: &[i32]) -> bool {
        let mark = self.trail.len();
        let mut contradiction = false;
        for &literal in clause {
            match self.value(literal) {
                Some(true) => contradiction = true,
                Some(false) => {}
                None => self.assign(-literal),
            }
        }
        contradiction = contradiction || !self.propagate(mark);
        for literal in self.trail.drain(mark..) {
            self.set.remove(&literal.abs());
        }
        contradiction
    }

    /// Sets what follows from the trail after `from`; false if that is a contradiction.
    fn propagate(&mut self, from: usize) -> bool {
        let mut next = from;
        while let Some(&literal) = self.trail.get(next) {
            next += 1;
            let mut watching = self.watched.remove(&-literal).unwrap_or_default();
            let mut kept = 0;
            let mut contradiction = false;
            for at in 0..watching.len() {
                let clause = watching[at];
                if !contradiction {
                    match self.visit(clause, -literal) {
                        Visit::Moved => continue,
                        Visit::Kept => {}
                        Visit::Contradiction => contradiction = true,
                    }
                }
                watching[kept] = clause;
                kept += 1;
            }
            watching.truncate(kept);
            self.watched.entry(-literal).or_default().extend(watching);
            if contradiction {
                return false;
            }
        }
        true
    }

    /// Looks at a clause one of whose watched literals has become false.
    fn visit(&mut self, at: usize, falsified: i32) -> Visit {
        let mut clause = std::mem::take(&mut self.clauses[at]);
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let first = self.value(clause[0]);
        let other = (2..clause.len()).find(|&other| self.value(clause[other]) != Some(false));
        let visit = match (first, other) {
            (Some(true), _) => Visit::Kept,
            (_, Some(other)) => {
                clause.swap(1, other);
                self.watched.entry(clause[1]).or_default().push(at);
                Visit::Moved
            }
            (Some(false), None) => Visit::Contradiction,
            (None, None) => {
                self.assign(clause[0]);
                Visit::Kept
            }
        };
        self.clauses[at] = clause;
        visit
    }
}

enum Visit {
    Kept,
    Moved,
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
