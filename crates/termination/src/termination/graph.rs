//! The control flow of a function: blocks, in an order in which they can be executed, and the loops
//! among them.

use impasse_program::instruction::{Body, Position};
use impasse_program::link::{Function, FunctionId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A block of a function, by its place in an order in which every edge leads forward but for those
/// back to the header of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct BlockId(pub u32);

/// Instructions that are executed one after the other.
pub(super) struct Block {
    /// The first.
    pub first: u32,
    /// One past the last.
    pub end: u32,
    successors: Vec<BlockId>,
    /// The blocks of the loop of which it is the header.
    pub cycle: Option<BTreeSet<BlockId>>,
}

/// The blocks of a function that can be reached; the first is where it is entered.
pub(super) struct Graph {
    pub blocks: Vec<Block>,
    /// The block that starts at a position.
    at: Vec<Option<BlockId>>,
}

/// A function that is executed.
#[derive(Clone)]
pub(super) struct Frame<'s> {
    pub id: FunctionId,
    pub function: &'s Function,
    pub graph: Rc<Graph>,
    pub users: bool,
}

impl Graph {
    /// That of a function. None if it has a loop that can be entered in two places.
    pub fn of(body: &Body) -> Option<Graph> {
        let mut graph = blocks(body);
        let predecessors = graph.predecessors();
        let dominators = graph.dominators(&predecessors);
        for from in graph.ids().collect::<Vec<_>>() {
            for to in graph.block(from).successors.clone() {
                if to > from {
                    continue;
                }
                if !dominates(&dominators, to, from) {
                    return None;
                }
                let body = natural_loop(&predecessors, to, from);
                let cycle = &mut graph.blocks[to.0 as usize].cycle;
                cycle.get_or_insert_with(BTreeSet::new).extend(body);
            }
        }
        Some(graph)
    }

    pub fn ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// The block that is entered by a jump to a position.
    pub fn block_at(&self, position: Position) -> Option<BlockId> {
        self.at[position.0 as usize]
    }

    /// The blocks from which each block is entered.
    fn predecessors(&self) -> Vec<Vec<BlockId>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for id in self.ids() {
            for next in &self.block(id).successors {
                predecessors[next.0 as usize].push(id);
            }
        }
        predecessors
    }

    /// The immediate dominator of each block; the entry's is itself.
    fn dominators(&self, predecessors: &[Vec<BlockId>]) -> Vec<BlockId> {
        let entry = BlockId(0);
        let mut known: Vec<Option<BlockId>> = vec![None; self.blocks.len()];
        known[0] = Some(entry);
        loop {
            let mut changed = false;
            for id in self.ids().skip(1) {
                let mut best: Option<BlockId> = None;
                for &before in &predecessors[id.0 as usize] {
                    if known[before.0 as usize].is_some() {
                        best = Some(best.map_or(before, |best| meet(&known, best, before)));
                    }
                }
                changed |= known[id.0 as usize] != best;
                known[id.0 as usize] = best;
            }
            if !changed {
                return known.into_iter().map(|one| one.unwrap_or(entry)).collect();
            }
        }
    }
}

/// The blocks on paths from the target of a jump back to its source, both included.
fn natural_loop(
    predecessors: &[Vec<BlockId>],
    header: BlockId,
    back: BlockId,
) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::from([header]);
    let mut open = vec![back];
    while let Some(block) = open.pop() {
        if found.insert(block) {
            open.extend(&predecessors[block.0 as usize]);
        }
    }
    found
}

fn meet(known: &[Option<BlockId>], mut one: BlockId, mut other: BlockId) -> BlockId {
    let above = |id: BlockId| known[id.0 as usize].unwrap_or(BlockId(0));
    while one != other {
        if one > other {
            one = above(one);
        } else {
            other = above(other);
        }
    }
    one
}

fn dominates(dominators: &[BlockId], above: BlockId, mut below: BlockId) -> bool {
    while below > above {
        below = dominators[below.0 as usize];
    }
    below == above
}

/// Cuts a body into blocks, numbered in reverse postorder.
fn blocks(body: &Body) -> Graph {
    let successors = |at: u32| {
        let mut found = Vec::new();
        let instruction = &body.code[at as usize];
        instruction.for_each_successor(body, Position(at), |next| found.push(next.0));
        found
    };
    let mut starts = BTreeSet::from([0]);
    for at in 0..body.code.len() as u32 {
        let next = successors(at);
        if next != [at + 1] {
            starts.extend(next);
            starts.insert(at + 1);
        }
    }
    let starts: Vec<u32> = starts
        .into_iter()
        .filter(|&start| (start as usize) < body.code.len())
        .collect();
    let mut raw: Vec<(u32, u32, Vec<usize>)> = Vec::new();
    for (number, &first) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied();
        let end = end.unwrap_or(body.code.len() as u32);
        let mut next: Vec<usize> = successors(end - 1)
            .iter()
            .filter_map(|target| starts.binary_search(target).ok())
            .collect();
        next.dedup();
        raw.push((first, end, next));
    }
    let order = reverse_postorder(&raw);
    let mut place = vec![None; raw.len()];
    for (number, &block) in order.iter().enumerate() {
        place[block] = Some(BlockId(number as u32));
    }
    let mut at = vec![None; body.code.len()];
    let mut blocks = Vec::new();
    for &block in &order {
        let (first, end, next) = &raw[block];
        at[*first as usize] = place[block];
        blocks.push(Block {
            first: *first,
            end: *end,
            successors: next.iter().filter_map(|&next| place[next]).collect(),
            cycle: None,
        });
    }
    Graph { blocks, at }
}

fn reverse_postorder(blocks: &[(u32, u32, Vec<usize>)]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(0usize, 0usize)];
    seen[0] = true;
    while let Some((block, next)) = stack.pop() {
        match blocks[block].2.get(next) {
            Some(&target) => {
                stack.push((block, next + 1));
                if !seen[target] {
                    seen[target] = true;
                    stack.push((target, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}
