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
pub trait Shadow {
    /// What is kept of a number; the default is kept of constants.
    type Term: Copy + Default + PartialEq;

    /// The `count`-th input of a task, of the given type.
    fn input(&mut self, task: TaskId, count: u32, ty: Scalar) -> (i64, Self::Term);

    /// What is kept of `op a` brought to a type.
    fn unary(&mut self, _: UnaryOp, _: Scalar, _: Cell<Self::Term>) -> Self::Term {
        Self::Term::default()
    }

    /// What is kept of `a op b`.
    fn binary(
        &mut self,
        _: BinaryOp,
        _: Scalar,
        _: Cell<Self::Term>,
        _: Cell<Self::Term>,
    ) -> Self::Term {
        Self::Term::default()
    }

    /// What is kept of a number brought to a type.
    fn convert(&mut self, _: Scalar, cell: Cell<Self::Term>) -> Self::Term {
        cell.term
    }

    /// A condition was decided.
    fn decide(&mut self, _: Span, _: Cell<Self::Term>) {}

    /// A number had to be in the range of a type, or the run would have stopped.
    fn require(&mut self, _: Span, _: Scalar, _: Cell<Self::Term>) {}

    /// An index had to be one of so many elements, or the run would have stopped.
    fn bound(&mut self, _: Span, _: Cell<Self::Term>, _: u32) {}

    /// Whether an index, known to be within bounds, could be another.
    fn is_open(&self, _: Cell<Self::Term>) -> bool {
        false
    }

    /// Which of so many elements an open index stands for was decided.
    fn fix(&mut self, _: Span, _: Cell<Self::Term>, _: u32) {}

    /// What is kept of the element, of the given type, that an open index stands for.
    fn select(
        &mut self,
        _: Scalar,
        _index: Cell<Self::Term>,
        _elements: &[Cell<Self::Term>],
    ) -> Self::Term {
        Self::Term::default()
    }

    /// What is kept of a place of the given type that becomes `new` if every open index of `guards`
    /// is the number next to it, and stays `old` otherwise.
    fn overwrite(
        &mut self,
        _: Scalar,
        _guards: &[(Cell<Self::Term>, usize)],
        _new: Cell<Self::Term>,
        _old: Cell<Self::Term>,
    ) -> Self::Term {
        Self::Term::default()
    }

    /// Whether the rest of the run is of no interest.
    fn enough(&self) -> bool {
        false
    }

    /// A line was printed.
    fn print(&mut self, _: String) {}
}
