//! The variables of a running function.

use super::Cell;
use crate::instance::InstanceId;
use crate::ir::{Function, Pc, Program, Scalar};

/// Where the variables of a function lie.
pub(super) struct Layout {
    /// The first cell of each variable.
    pub(super) bases: Vec<u32>,
    /// How many cells each variable takes.
    pub(super) sizes: Vec<u32>,
    /// The type of each cell.
    pub(super) types: Vec<Scalar>,
    defaults: Vec<i64>,
}

impl Layout {
    pub(super) fn new(program: &Program, function: &Function) -> Layout {
        let (mut bases, mut sizes, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for var in &function.vars {
            let base = types.len() as u32;
            program.scalars(&var.ty, &mut types);
            bases.push(base);
            sizes.push(types.len() as u32 - base);
        }
        let defaults = types.iter().map(|ty: &Scalar| ty.default_value()).collect();
        Layout {
            bases,
            sizes,
            types,
            defaults,
        }
    }

    /// A frame in which nothing was assigned yet.
    pub(super) fn frame<T: Default>(&self, instance: InstanceId) -> Frame<T> {
        let cells = self.defaults.iter().map(|value| Cell {
            value: *value,
            term: T::default(),
        });
        Frame {
            instance,
            pc: 0,
            cells: cells.collect(),
        }
    }
}

/// The variables of a running function and where it is.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Frame<T> {
    pub(super) instance: InstanceId,
    pub(super) pc: Pc,
    pub(super) cells: Vec<Cell<T>>,
}
