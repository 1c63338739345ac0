//! Numbers in variables: where they lie, reading and writing them.
//!
//! What is kept of an index may leave open which element it is. Then a read keeps something of each
//! element that it could have read, and a write changes what is kept of each element that it could
//! have written; the numbers themselves are always those of the element that it is.

use super::frame::Frame;
use super::{Cell, Ending, Machine, Shadow, Step};
use crate::instance::InstanceId;
use crate::ir::{Operand, Place, Scalar};
use crate::source::Span;

/// An access that could touch more numbers than this has its indices fixed instead.
const MAX_SPREAD: usize = 256;

/// Where a place lies.
pub(super) struct Spot<T> {
    /// Its first cell.
    at: usize,
    /// The cell that would be its first if all open indices were 0.
    base: usize,
    open: Vec<OpenIndex<T>>,
}

/// An index that could be any number from 0 up to a count.
#[derive(Clone, Copy)]
struct OpenIndex<T> {
    index: Cell<T>,
    stride: usize,
    count: usize,
}

impl<S: Shadow> Machine<'_, S> {
    pub(super) fn read(
        &mut self,
        frame: &Frame<S::Term>,
        instance: InstanceId,
        operand: &Operand,
        span: Span,
    ) -> Step<Cell<S::Term>> {
        match operand {
            Operand::Const(value) => Ok(Cell {
                value: *value,
                term: S::Term::default(),
            }),
            Operand::Place(place) if place.indices.is_empty() => {
                let base = self.layouts[instance.index()].bases[place.var.index()];
                Ok(frame.cells[(base + place.offset) as usize])
            }
            Operand::Place(place) => {
                let spot = self.locate(frame, instance, place, 1, span)?;
                Ok(self.cell(frame, instance, &spot, 0))
            }
        }
    }

    pub(super) fn write(
        &mut self,
        frame: &mut Frame<S::Term>,
        place: &Place,
        cell: Cell<S::Term>,
        ty: Scalar,
        span: Span,
    ) -> Step<()> {
        if let Scalar::Range { low, high } = ty {
            self.shadow.require(span, ty, cell);
            if !(low..=high).contains(&cell.value) {
                let message = format!("{} is outside `int<{low},{high}>`", cell.value);
                return Err(Ending::Failed(span, message));
            }
        }
        let cell = Cell {
            value: ty.wrap(cell.value),
            term: self.shadow.convert(ty, cell),
        };
        if place.indices.is_empty() {
            let base = self.layouts[frame.instance.index()].bases[place.var.index()];
            frame.cells[(base + place.offset) as usize] = cell;
            return Ok(());
        }
        let spot = self.locate(frame, frame.instance, place, 1, span)?;
        self.scatter(frame, frame.instance, &spot, &[cell]);
        Ok(())
    }

    /// Where a place of so many cells lies; the run ends if an index is out of bounds.
    pub(super) fn locate(
        &mut self,
        frame: &Frame<S::Term>,
        instance: InstanceId,
        place: &Place,
        size: u32,
        span: Span,
    ) -> Step<Spot<S::Term>> {
        let layout = &self.layouts[instance.index()];
        let base = (layout.bases[place.var.index()] + place.offset) as usize;
        let (mut at, mut open) = (base, Vec::new());
        for index in &place.indices {
            let cell = frame.cells[layout.bases[index.var.index()] as usize];
            self.shadow.bound(span, cell, index.count);
            if cell.value < 0 || cell.value >= index.count as i64 {
                let message = format!(
                    "index {} is outside an array of {} elements",
                    cell.value, index.count
                );
                return Err(Ending::Failed(span, message));
            }
            at += cell.value as usize * index.stride as usize;
            if self.shadow.is_open(cell) {
                open.push(OpenIndex {
                    index: cell,
                    stride: index.stride as usize,
                    count: index.count as usize,
                });
            }
        }
        let cells = open
            .iter()
            .fold(size as usize, |all, o| all.saturating_mul(o.count));
        if cells > MAX_SPREAD {
            let indices = std::mem::take(&mut open);
            indices
                .iter()
                .for_each(|o| self.shadow.fix(span, o.index, o.count as u32));
        }
        let moved = open.iter().map(|o| o.index.value as usize * o.stride);
        let base = at - moved.sum::<usize>();
        Ok(Spot { at, base, open })
    }

    /// The numbers of a place of so many cells.
    pub(super) fn gather(
        &mut self,
        frame: &Frame<S::Term>,
        instance: InstanceId,
        spot: &Spot<S::Term>,
        size: u32,
    ) -> Vec<Cell<S::Term>> {
        if spot.open.is_empty() {
            return frame.cells[spot.at..spot.at + size as usize].to_vec();
        }
        let cells = 0..size as usize;
        cells
            .map(|offset| self.cell(frame, instance, spot, offset))
            .collect()
    }

    /// Stores numbers in a place of as many cells.
    pub(super) fn scatter(
        &mut self,
        frame: &mut Frame<S::Term>,
        instance: InstanceId,
        spot: &Spot<S::Term>,
        cells: &[Cell<S::Term>],
    ) {
        if spot.open.is_empty() {
            frame.cells[spot.at..spot.at + cells.len()].copy_from_slice(cells);
            return;
        }
        let mut chosen = vec![0; spot.open.len()];
        loop {
            let pairs = spot.open.iter().zip(&chosen);
            let first = spot.base + pairs.map(|(o, index)| o.stride * index).sum::<usize>();
            let guards: Vec<(Cell<S::Term>, usize)> = spot
                .open
                .iter()
                .map(|o| o.index)
                .zip(chosen.iter().copied())
                .collect();
            for (offset, new) in cells.iter().enumerate() {
                let old = frame.cells[first + offset];
                let ty = self.layouts[instance.index()].types[first + offset];
                frame.cells[first + offset] = Cell {
                    value: [old.value, new.value][usize::from(first == spot.at)],
                    term: self.shadow.overwrite(ty, &guards, *new, old),
                };
            }
            let Some(turn) = (0..chosen.len())
                .rev()
                .find(|turn| chosen[*turn] + 1 < spot.open[*turn].count)
            else {
                return;
            };
            chosen[turn] += 1;
            chosen[turn + 1..].fill(0);
        }
    }

    fn cell(
        &mut self,
        frame: &Frame<S::Term>,
        instance: InstanceId,
        spot: &Spot<S::Term>,
        offset: usize,
    ) -> Cell<S::Term> {
        let cell = frame.cells[spot.at + offset];
        if spot.open.is_empty() {
            return cell;
        }
        let ty = self.layouts[instance.index()].types[spot.at + offset];
        let term = self.any_of(frame, ty, spot.base + offset, &spot.open);
        Cell { term, ..cell }
    }

    /// What is kept of a number at one of the places that open indices lead to.
    fn any_of(
        &mut self,
        frame: &Frame<S::Term>,
        ty: Scalar,
        base: usize,
        open: &[OpenIndex<S::Term>],
    ) -> S::Term {
        let Some((first, rest)) = open.split_first() else {
            return frame.cells[base].term;
        };
        let element = |index: usize| base + index * first.stride;
        let elements: Vec<Cell<S::Term>> = (0..first.count)
            .map(|index| Cell {
                value: frame.cells[element(index)].value,
                term: self.any_of(frame, ty, element(index), rest),
            })
            .collect();
        self.shadow.select(ty, first.index, &elements)
    }
}
