//! Clausal proofs for recurrence sets, which a checker follows without a solver.
//!
//! The clauses are the checker's own; a second solver, which writes down each clause that it
//! learns, refutes them. Its learnt clauses are the steps of the proof. This is also a second
//! opinion on every set that the first solver accepts.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use impasse_solver::work::Moment;
use rustc_hash::FxHashMap;

/// A proof may have so many steps.
const STEPS: usize = 60_000;

/// What the second solver says.
pub(crate) enum Refutation {
    /// The clauses contradict each other by these steps.
    Steps(Vec<Vec<i32>>),
    /// They do not.
    Satisfiable,
    /// Not found out.
    Unknown,
}

/// Refutes clauses.
pub(crate) fn refute(clauses: &[Vec<i32>], end: Moment) -> Refutation {
    let log = Log {
        steps: Vec::new(),
        end,
    };
    let mut solver = Solver::new(SolverOpts::default(), log);
    let mut variables: FxHashMap<i32, batsat::Var> = FxHashMap::default();
    let mut names = Vec::new();
    let mut contradicted = false;
    for clause in clauses {
        let mut literals = Vec::new();
        for &literal in clause {
            let variable = *variables.entry(literal.abs()).or_insert_with(|| {
                names.push(literal.abs());
                solver.new_var_default()
            });
            literals.push(Lit::new(variable, literal > 0));
        }
        contradicted |= !solver.add_clause_reuse(&mut literals);
    }
    let answer = if contradicted {
        lbool::FALSE
    } else {
        solver.solve_limited(&[])
    };
    if answer == lbool::TRUE {
        return Refutation::Satisfiable;
    }
    if answer != lbool::FALSE {
        return Refutation::Unknown;
    }
    let literal = |lit: &Lit| {
        let name = names[lit.var().idx() as usize];
        if lit.sign() { name } else { -name }
    };
    let steps = solver
        .cb()
        .steps
        .iter()
        .map(|step| step.iter().map(literal).collect());
    Refutation::Steps(steps.collect())
}

/// Writes down what is learnt.
struct Log {
    steps: Vec<Vec<Lit>>,
    end: Moment,
}

impl Callbacks for Log {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.steps.push(clause.to_vec());
    }

    fn stop(&self) -> bool {
        self.steps.len() > STEPS || self.end.is_over()
    }
}
