//! Which slots are live where: those whose value some later instruction may still read.
//!
//! A slot is live at a position if a path leads from there to an instruction that reads it and none
//! on the path assigns it. The sets are the least solution of the usual backward equations over
//! basic blocks. A slot that is not live cannot change what follows, so that the machine may clear
//! it: states that differ in such slots only are one.
//!
//! A call that may return twice (`setjmp`) can do so from any call that follows, here or in a
//! callee, at a place that the code does not name. What is live after its return is therefore taken
//! to be live everywhere in its function. This is a solution of the equations with the missing
//! edges: along each of them nothing else becomes live.
//!
//! A slot is *needed* if it is live even when reads do not count that only compute slots which are
//! not needed (strong liveness): the counter of a loop is not, if nothing else reads it. Such reads
//! are those of arithmetic that cannot fail, whatever it computes with, and touches nothing else.
//! So a slot that is not needed decides nothing that a program does
//! (`docs/internals/canonical-heap.md`). Where a call may return twice, all that is live is needed:
//! the missing edges would have to be known.

use crate::instruction::{
    BinaryOperation, Body, Conversion, Instruction, Needed, Position, Scalar, Slot,
};
use fixedbitset::FixedBitSet;
use std::collections::HashMap;

/// Fills [`Body::live`], [`Body::live_sets`] and [`Body::live_across`] of a body whose first
/// `parameter_words` slots hold its parameters. Every path must assign any other slot before it
/// reads it: what a frame's slots hold at first is no value.
pub(crate) fn fill(body: &mut Body, parameter_words: u32) {
    debug_assert!(parameter_words <= body.slots);
    let mut analysis = Analysis::new(body);
    analysis.solve();
    let kept = analysis.live_at_second_returns();
    let Sets {
        live,
        live_across,
        interned,
    } = analysis.sets(&kept);
    debug_assert!(
        live.first().is_none_or(|&first| {
            let at_entry = &interned.sets[first as usize];
            at_entry
                .iter()
                .all(|slot| slot.0 < parameter_words || kept.contains(slot.0 as usize))
        }),
        "a slot is read before it is assigned"
    );
    body.live = live;
    body.live_across = live_across;
    body.live_sets = interned.sets;
}

/// Fills [`Body::needed`] of a body with its live slots.
pub(crate) fn fill_needed(body: &mut Body) {
    body.needed = None;
    if body.sites.iter().any(|site| site.returns_twice) {
        return;
    }
    let mut analysis = Analysis::new(body);
    analysis.strict = false;
    analysis.solve();
    let nothing = FixedBitSet::with_capacity(body.slots as usize);
    let Sets {
        live,
        live_across,
        interned,
    } = analysis.sets(&nothing);
    let same = |ours: &[u32], theirs: &[u32]| {
        let mut both = ours.iter().zip(theirs);
        both.all(|(&a, &b)| interned.sets[a as usize] == body.live_sets[b as usize])
    };
    if same(&live, &body.live) && same(&live_across, &body.live_across) {
        return;
    }
    let first = body.live_sets.len() as u32;
    body.live_sets.extend(interned.sets);
    let behind = |sets: Vec<u32>| sets.into_iter().map(|set| first + set).collect();
    body.needed = Some(Needed {
        before: behind(live),
        across: behind(live_across),
    });
}

/// Whether an instruction does nothing but compute numbers, and cannot fail, whatever its operands
/// are, unless signed overflow is an error.
fn only_computes(instruction: &Instruction) -> bool {
    use BinaryOperation as Op;
    let is_number = |scalar: &Scalar| matches!(scalar, Scalar::Integer(_));
    match instruction {
        Instruction::Move { .. } => true,
        Instruction::Binary {
            operation, scalar, ..
        } => {
            is_number(scalar)
                && matches!(
                    operation,
                    Op::Add | Op::Subtract | Op::Multiply | Op::And | Op::Or | Op::Xor
                )
        }
        Instruction::Convert {
            conversion,
            from,
            to,
            ..
        } => {
            is_number(from)
                && is_number(to)
                && matches!(
                    conversion,
                    Conversion::Truncate | Conversion::ZeroExtend | Conversion::SignExtend
                )
        }
        _ => false,
    }
}

/// A run of instructions that is entered at its start and left at its end only.
struct Block {
    start: usize,
    end: usize,
    predecessors: Vec<usize>,
    live_at_start: FixedBitSet,
}

/// The equations and their solution so far.
struct Analysis<'a> {
    body: &'a Body,
    blocks: Vec<Block>,
    /// The block that a position lies in.
    block_of: Vec<usize>,
    /// Whether all that an instruction reads counts, whatever it is for.
    strict: bool,
}

/// The solution, position by position.
struct Sets {
    live: Vec<u32>,
    live_across: Vec<u32>,
    interned: Interned,
}

/// Sets of slots, each kept once.
#[derive(Default)]
struct Interned {
    sets: Vec<Vec<Slot>>,
    numbers: HashMap<FixedBitSet, u32>,
}

impl Interned {
    fn number(&mut self, set: &FixedBitSet) -> u32 {
        if let Some(&number) = self.numbers.get(set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets
            .push(set.ones().map(|slot| Slot(slot as u32)).collect());
        self.numbers.insert(set.clone(), number);
        number
    }
}

impl<'a> Analysis<'a> {
    /// Divides the body into blocks, in which nothing is live yet.
    fn new(body: &'a Body) -> Analysis<'a> {
        let starts = block_starts(body);
        let mut blocks = Vec::new();
        let mut block_of = vec![0; body.code.len()];
        for start in starts.ones() {
            let end = (start + 1..body.code.len())
                .find(|&position| starts.contains(position))
                .unwrap_or(body.code.len());
            block_of[start..end].fill(blocks.len());
            blocks.push(Block {
                start,
                end,
                predecessors: Vec::new(),
                live_at_start: FixedBitSet::with_capacity(body.slots as usize),
            });
        }
        for number in 0..blocks.len() {
            let last = blocks[number].end - 1;
            body.code[last].for_each_successor(body, Position(last as u32), |target| {
                blocks[block_of[target.0 as usize]]
                    .predecessors
                    .push(number);
            });
        }
        Analysis {
            body,
            blocks,
            block_of,
            strict: true,
        }
    }

    /// Propagates until nothing changes.
    fn solve(&mut self) {
        let mut waiting: Vec<usize> = (0..self.blocks.len()).collect();
        let mut is_waiting = vec![true; self.blocks.len()];
        let mut live = FixedBitSet::with_capacity(self.body.slots as usize);
        while let Some(number) = waiting.pop() {
            is_waiting[number] = false;
            self.walk(number, &mut live, |_, _, _| {});
            let block = &mut self.blocks[number];
            if live != block.live_at_start {
                block.live_at_start.clone_from(&live);
                for &predecessor in &self.blocks[number].predecessors {
                    if !std::mem::replace(&mut is_waiting[predecessor], true) {
                        waiting.push(predecessor);
                    }
                }
            }
        }
    }

    /// Goes through a block backward; `live` ends as what is live at its start. Before each
    /// instruction's reads are added, `visit` gets with `None` what is live across it, and
    /// afterwards, with its position, what is live before it.
    fn walk(
        &self,
        number: usize,
        live: &mut FixedBitSet,
        mut visit: impl FnMut(&Instruction, Option<usize>, &FixedBitSet),
    ) {
        let body = self.body;
        let Block { start, end, .. } = self.blocks[number];
        live.clear();
        for position in (start..end).rev() {
            let instruction = &body.code[position];
            if position + 1 == end && end < body.code.len() && instruction.falls_through() {
                live.union_with(&self.blocks[self.block_of[end]].live_at_start);
            }
            let mut counts = self.strict || !only_computes(instruction);
            instruction.for_each_definition(body, |slot| {
                counts |= live.contains(slot.0 as usize);
                live.remove(slot.0 as usize);
            });
            instruction.for_each_target(body, |target| {
                live.union_with(&self.blocks[self.block_of[target.0 as usize]].live_at_start);
            });
            visit(instruction, None, live);
            if counts {
                instruction.for_each_use(body, |slot| live.insert(slot.0 as usize));
            }
            visit(instruction, Some(position), live);
        }
    }

    /// What is live where calls return that may do so twice.
    fn live_at_second_returns(&self) -> FixedBitSet {
        let mut kept = FixedBitSet::with_capacity(self.body.slots as usize);
        let sites = &self.body.sites;
        if !sites.iter().any(|site| site.returns_twice) {
            return kept;
        }
        let mut live = FixedBitSet::with_capacity(self.body.slots as usize);
        for number in 0..self.blocks.len() {
            self.walk(number, &mut live, |instruction, position, set| {
                if let (Instruction::Call { site }, None) = (instruction, position)
                    && sites[site.0 as usize].returns_twice
                {
                    kept.union_with(set);
                }
            });
        }
        kept
    }

    /// The sets of all positions and calls, from the solution and what is live everywhere.
    fn sets(&self, everywhere: &FixedBitSet) -> Sets {
        let mut interned = Interned::default();
        let nothing = FixedBitSet::with_capacity(self.body.slots as usize);
        let none = interned.number(&nothing);
        let mut live_before = vec![none; self.body.code.len()];
        let mut live_across = vec![none; self.body.sites.len()];
        let mut live = nothing;
        for number in 0..self.blocks.len() {
            self.walk(number, &mut live, |instruction, position, set| {
                let mut set = std::borrow::Cow::Borrowed(set);
                if !everywhere.is_clear() {
                    set.to_mut().union_with(everywhere);
                }
                match (instruction, position) {
                    (_, Some(position)) => live_before[position] = interned.number(&set),
                    (Instruction::Call { site }, None) => {
                        live_across[site.0 as usize] = interned.number(&set);
                    }
                    (_, None) => {}
                }
            });
        }
        Sets {
            live: live_before,
            live_across,
            interned,
        }
    }
}

/// Where blocks start: at the entry, at every target, and after every instruction that has targets
/// or does not continue.
fn block_starts(body: &Body) -> FixedBitSet {
    let mut starts = FixedBitSet::with_capacity(body.code.len() + 1);
    starts.insert(0);
    for (position, instruction) in body.code.iter().enumerate() {
        let mut ends = !instruction.falls_through();
        instruction.for_each_target(body, |target| {
            starts.insert(target.0 as usize);
            ends = true;
        });
        if ends {
            starts.insert(position + 1);
        }
    }
    starts.remove(body.code.len());
    starts
}

#[cfg(test)]
mod tests;
