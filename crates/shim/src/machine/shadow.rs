//! What a run keeps of numbers besides their values.

use crate::ir::Scalar;
use crate::source::Span;
use crate::syntax::tree::{BinaryOp, UnaryOp};
use crate::tree::TaskId;

/// A number and what is kept of it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cell<T> {
    /// The number.
    pub value: i64,
    /// What is kept of it.
    pub term: T,
}

/// What is kept of each number besides its value, and where inputs come from.
///
/// ```
/// use impasse_shim::elaborate;
/// use impasse_shim::ir::Scalar;
/// use impasse_shim::machine::{Shadow, run};
/// use impasse_shim::tree::TaskId;
///
/// /// Collects what a program without inputs prints.
/// struct Output(Vec<String>);
///
/// impl Shadow for Output {
///     type Term = ();
///     fn input(&mut self, _: TaskId, _: u32, _: Scalar) -> (i64, ()) {
///         (0, ())
///     }
///     fn print(&mut self, line: String) {
///         self.0.push(line);
///     }
/// }
///
/// let (program, tree) = elaborate("sum.shim", "void main() { print(2 + 3); }").unwrap();
/// let mut output = Output(Vec::new());
/// run(&program, &tree, &[], &mut output, 1000);
/// assert_eq!(output.0, ["5"]);
/// ```
pub trait Shadow {
    /// What is kept of a number; the default is kept of constants.
    type Term: Copy + Default + PartialEq;

    /// Returns the `count`-th input of a task, from 0, of the given type: its value and its term.
    fn input(&mut self, task: TaskId, count: u32, ty: Scalar) -> (i64, Self::Term);

    /// Returns the term of `op a`, converted to a type.
    fn unary(&mut self, _: UnaryOp, _: Scalar, _: Cell<Self::Term>) -> Self::Term {
        Self::Term::default()
    }

    /// Returns the term of `a op b`, converted to a type.
    fn binary(
        &mut self,
        _: BinaryOp,
        _: Scalar,
        _: Cell<Self::Term>,
        _: Cell<Self::Term>,
    ) -> Self::Term {
        Self::Term::default()
    }

    /// Returns the term of a number converted to a type.
    fn convert(&mut self, _: Scalar, cell: Cell<Self::Term>) -> Self::Term {
        cell.term
    }

    /// Notes that a condition was decided.
    fn decide(&mut self, _: Span, _: Cell<Self::Term>) {}

    /// Notes that a number was in the range of a type; otherwise the run would have stopped.
    fn require(&mut self, _: Span, _: Scalar, _: Cell<Self::Term>) {}

    /// Notes that an index was less than a number of elements; otherwise the run would have
    /// stopped.
    fn bound(&mut self, _: Span, _: Cell<Self::Term>, _: u32) {}

    /// Returns whether an index, known to be within bounds, could be another one.
    fn is_open(&self, _: Cell<Self::Term>) -> bool {
        false
    }

    /// Notes that the element of an open index was decided.
    fn fix(&mut self, _: Span, _: Cell<Self::Term>, _: u32) {}

    /// Returns the term of the element, of the given type, at an open index.
    fn select(
        &mut self,
        _: Scalar,
        _index: Cell<Self::Term>,
        _elements: &[Cell<Self::Term>],
    ) -> Self::Term {
        Self::Term::default()
    }

    /// Returns the term of a place of the given type that becomes `new` if every open index of
    /// `guards` equals the number next to it, and stays `old` otherwise.
    fn overwrite(
        &mut self,
        _: Scalar,
        _guards: &[(Cell<Self::Term>, usize)],
        _new: Cell<Self::Term>,
        _old: Cell<Self::Term>,
    ) -> Self::Term {
        Self::Term::default()
    }

    /// Returns whether the run may stop because its rest is of no interest.
    fn enough(&self) -> bool {
        false
    }

    /// Notes that a line was printed.
    fn print(&mut self, _: String) {}
}
