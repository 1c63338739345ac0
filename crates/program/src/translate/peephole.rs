//! Shortening a body without a change of what it does: fewer moves, fewer slots.
//!
//! Only instructions that move or undefine slots, and jumps, are removed. Accesses to memory, calls
//! and all that can fail stay as they are and in their order.
//! - A slot that was copied from another is read from there while neither changes, within a run of
//!   instructions that is entered at its start only.
//! - A result that is only moved on is put where it goes: its slot is read nowhere else, and
//!   between the two nothing reads or assigns the final place, nor can an exception leave.
//! - A move into a slot that is not live after it is dropped, and so is an `Undefine`. What it says
//!   of a variable of the source is kept for reports, where the value is still found.
//! - A jump to a jump goes where that one goes.
//! - Slots and constants that nothing mentions any more get no number.

use crate::instruction::{
    Assigned, Body, Constant, Instruction, Operand, Place, Position, Slot, VariableId,
    VariablePlace,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Shortens a body whose first `parameter_words` slots hold its parameters.
pub(super) fn optimise(body: &mut Body, parameter_words: u32) {
    let starts = run_starts(body);
    let dropped = adopt_parameters(body, &starts, parameter_words);
    compact(body, &dropped);
    let starts = run_starts(body);
    propagate_copies(body, &starts);
    let dropped = forward_results(body, &starts, parameter_words);
    compact(body, &dropped);
    drop_dead_moves(body, parameter_words);
    thread_jumps(body);
    let dropped = needless_jumps(body);
    compact(body, &dropped);
    renumber_slots(body, parameter_words);
    renumber_constants(body);
}

/// Lets jumps go past jumps.
fn thread_jumps(body: &mut Body) {
    let jumps: Vec<Option<Position>> = body
        .code
        .iter()
        .map(|instruction| match instruction {
            Instruction::Jump { target } => Some(*target),
            _ => None,
        })
        .collect();
    body.for_each_position(|position| {
        let mut steps = 0;
        while let Some(target) = jumps[position.0 as usize]
            && steps < 16
        {
            *position = target;
            steps += 1;
        }
    });
}

/// Where execution may arrive other than from the instruction before.
fn run_starts(body: &Body) -> Vec<bool> {
    let mut starts = vec![false; body.code.len() + 1];
    for (index, instruction) in body.code.iter().enumerate() {
        instruction.for_each_target(body, |target| starts[target.0 as usize] = true);
        if !instruction.falls_through() {
            starts[index + 1] = true;
        }
    }
    starts
}

/// A parameter that is only moved to a variable, before that is read or assigned, is that variable.
/// Looks at what runs once, at the start.
fn adopt_parameters(body: &mut Body, starts: &[bool], parameter_words: u32) -> Vec<bool> {
    let counts = Counts::new(body);
    let mut dropped = vec![false; body.code.len()];
    let mut adopted: FxHashMap<Slot, Slot> = FxHashMap::default();
    let mut mentioned = vec![false; body.slots as usize];
    let mut undefined: Vec<(usize, Slot)> = Vec::new();
    let end = (0..body.code.len()).find(|&index| starts[index]);
    for index in 0..end.unwrap_or(body.code.len()) {
        let instruction = &body.code[index];
        if let Instruction::Undefine { destination, .. } = *instruction {
            undefined.push((index, destination));
        }
        if let Instruction::Move {
            destination,
            source,
        } = *instruction
            && let Some(parameter) = counts.unused_but_here(source, parameter_words)
            && destination.0 >= parameter_words
            && counts.single[destination.0 as usize]
            && !mentioned[destination.0 as usize]
        {
            adopted.insert(destination, parameter);
            dropped[index] = true;
            for &(earlier, slot) in &undefined {
                dropped[earlier] |= slot == destination;
            }
        }
        if !matches!(instruction, Instruction::Undefine { .. }) {
            instruction.for_each_use(body, |slot| mentioned[slot.0 as usize] = true);
            instruction.for_each_definition(body, |slot| mentioned[slot.0 as usize] = true);
        }
    }
    rename(body, |slot| adopted.get(&slot).copied().unwrap_or(slot));
    dropped
}

/// Gives slots other numbers.
fn rename(body: &mut Body, new: impl Fn(Slot) -> Slot) {
    for index in 0..body.code.len() {
        body.change_operands(index, |operand, _| {
            if let Place::Slot(slot) = operand.place() {
                *operand = Operand::slot(new(slot));
            }
        });
        if let Some(destination) = body.destination_mut(index) {
            *destination = new(*destination);
        }
    }
    for variable in &mut body.variables {
        let (VariablePlace::Value { slot, .. } | VariablePlace::Object(slot)) = &mut variable.place;
        *slot = new(*slot);
    }
    for assigned in &mut body.assigned {
        if let Place::Slot(slot) = assigned.value.place() {
            assigned.value = Operand::slot(new(slot));
        }
    }
}

/// Reads copies from where they were copied.
fn propagate_copies(body: &mut Body, starts: &[bool]) {
    let mut copies: FxHashMap<Slot, Operand> = FxHashMap::default();
    for (index, &starts_here) in starts.iter().enumerate().take(body.code.len()) {
        if starts_here {
            copies.clear();
        }
        if !copies.is_empty() {
            body.change_operands(index, |operand, words| {
                if let Some(original) = original(&copies, *operand, words) {
                    *operand = original;
                }
            });
        }
        if let Instruction::LifetimeStart {
            address,
            renews: true,
        } = body.code[index]
        {
            copies.retain(|_, source| *source != address);
        }
        if let Some((first, words)) = body.code[index].definitions(body) {
            let assigned = |slot: Slot| (first.0..first.0 + words).contains(&slot.0);
            copies.retain(|&copy, source| {
                !assigned(copy) && !matches!(source.place(), Place::Slot(slot) if assigned(slot))
            });
        }
        if let Instruction::Move {
            destination,
            source,
        } = body.code[index]
            && source != Operand::slot(destination)
        {
            copies.insert(destination, source);
        }
    }
}

/// What an operand is a copy of.
fn original(copies: &FxHashMap<Slot, Operand>, operand: Operand, words: u32) -> Option<Operand> {
    let Place::Slot(slot) = operand.place() else {
        return None;
    };
    let first = *copies.get(&slot)?;
    let consecutive = (1..words).all(|word| {
        let mut expected = first;
        (0..word).for_each(|_| expected = expected.second());
        copies.get(&Slot(slot.0 + word)) == Some(&expected)
    });
    consecutive.then_some(first)
}

/// Puts results that are only moved on where they go; marks the moves that this makes needless.
fn forward_results(body: &mut Body, starts: &[bool], parameter_words: u32) -> Vec<bool> {
    let mut dropped = vec![false; body.code.len()];
    let counts = Counts::new(body);
    let named: FxHashSet<Slot> = body
        .variables
        .iter()
        .map(|variable| variable.place.slot())
        .collect();
    let mut run = 0;
    for (index, &starts_here) in starts.iter().enumerate().take(body.code.len()) {
        if starts_here {
            run = index;
        }
        let Instruction::Move {
            destination,
            source,
        } = body.code[index]
        else {
            continue;
        };
        let Place::Slot(result) = source.place() else {
            continue;
        };
        let alone =
            counts.uses[result.0 as usize] == 1 && counts.definitions[result.0 as usize] == 1;
        if !alone || result.0 < parameter_words || named.contains(&result) {
            continue;
        }
        if let Some(origin) = origin_of(body, run..index, result, destination)
            && let Some(place) = body.destination_mut(origin)
        {
            *place = destination;
            dropped[index] = true;
        }
    }
    dropped
}

/// How often each slot is read and assigned; variables of the source count as read.
struct Counts {
    uses: Vec<u32>,
    definitions: Vec<u32>,
    /// Whether the slot is never half of a scalar of two words, or one of several results.
    single: Vec<bool>,
}

impl Counts {
    fn new(body: &Body) -> Counts {
        let mut counts = Counts {
            uses: vec![0; body.slots as usize],
            definitions: vec![0; body.slots as usize],
            single: vec![true; body.slots as usize],
        };
        for instruction in &body.code {
            instruction.for_each_operand(body, |operand, words| {
                if let Place::Slot(first) = operand.place() {
                    for slot in first.0..first.0 + words {
                        counts.uses[slot as usize] += 1;
                        counts.single[slot as usize] &= words == 1;
                    }
                }
            });
            let (first, words) = instruction.definitions(body).unwrap_or((Slot(0), 0));
            for slot in first.0..first.0 + words {
                counts.definitions[slot as usize] += 1;
                counts.single[slot as usize] &= words == 1;
            }
        }
        counts
    }

    /// The parameter that an operand is, if nothing else reads or assigns it.
    fn unused_but_here(&self, operand: Operand, parameter_words: u32) -> Option<Slot> {
        let Place::Slot(slot) = operand.place() else {
            return None;
        };
        let index = slot.0 as usize;
        let alone = self.uses[index] == 1 && self.definitions[index] == 0;
        (slot.0 < parameter_words && alone).then_some(slot)
    }
}

/// The instruction of a run that gives `result` alone, if `destination` may take its place from
/// there on.
fn origin_of(
    body: &Body,
    run: std::ops::Range<usize>,
    result: Slot,
    destination: Slot,
) -> Option<usize> {
    for index in run.rev() {
        let instruction = &body.code[index];
        let (first, words) = instruction.definitions(body).unwrap_or((Slot(0), 0));
        if first == result && words == 1 {
            return Some(index);
        }
        let assigned =
            (first.0..first.0 + words).any(|slot| slot == result.0 || slot == destination.0);
        let mut read = false;
        instruction.for_each_use(body, |slot| read |= slot == destination);
        let mut leaves = false;
        instruction.for_each_target(body, |_| leaves = true);
        if assigned || read || leaves {
            return None;
        }
    }
    None
}

/// Drops moves into slots that are not live, until none is left.
fn drop_dead_moves(body: &mut Body, parameter_words: u32) {
    let mut lost: FxHashSet<Slot> = FxHashSet::default();
    loop {
        crate::liveness::fill(body, parameter_words);
        let mut dropped = vec![false; body.code.len()];
        let last = body.code.len() - 1;
        for (index, instruction) in body.code.iter().enumerate().take(last) {
            let (Instruction::Move { .. } | Instruction::Undefine { .. }) = instruction else {
                continue;
            };
            let live = &body.live_sets[body.live[index + 1] as usize];
            let mut dead = true;
            instruction
                .for_each_definition(body, |slot| dead &= live.binary_search(&slot).is_err());
            dropped[index] = dead;
        }
        if !dropped.contains(&true) {
            break;
        }
        keep_assigned(body, &dropped);
        let gone = body
            .code
            .iter()
            .zip(&dropped)
            .filter(|(_, dropped)| **dropped);
        gone.for_each(|(instruction, _)| {
            instruction.for_each_definition(body, |slot| {
                lost.insert(slot);
            })
        });
        compact(body, &dropped);
    }
    // A slot that was assigned by a move that is gone may hold something else. An address would
    // make the body mention a symbol that nothing in it uses.
    let constants = &body.constants;
    body.assigned
        .retain(|assigned| match assigned.value.place() {
            Place::Slot(slot) => !lost.contains(&slot),
            Place::Constant(index) => matches!(constants[index as usize], Constant::Word(_)),
        });
}

/// Keeps what moves that are dropped say of variables: that they have the value after the
/// instruction that is executed just before.
fn keep_assigned(body: &mut Body, dropped: &[bool]) {
    let starts = run_starts(body);
    for index in (0..dropped.len()).filter(|&index| dropped[index]) {
        let Instruction::Move {
            destination,
            source,
        } = body.code[index]
        else {
            continue;
        };
        let is_it = |place: VariablePlace| {
            let VariablePlace::Value { slot, scalar, .. } = place else {
                return false;
            };
            slot == destination && scalar.words() == 1
        };
        let variable = body.variables.iter().find(|v| is_it(v.place)).cloned();
        if let Some(variable) = variable
            && let Some(after) = kept_before(body, index, &starts, dropped)
        {
            body.assigned.push(Assigned {
                after: Position(after as u32),
                variable,
                value: source,
            });
        }
    }
}

/// The last instruction before a move that is kept, if it is always executed just before, and what
/// is moved does not change in between.
fn kept_before(body: &Body, index: usize, starts: &[bool], dropped: &[bool]) -> Option<usize> {
    let mut at = index;
    while at > 0 && !starts[at] {
        at -= 1;
        if !dropped[at] {
            return Some(at);
        }
        let mut changes = false;
        let assigned = body.code[at].definitions(body);
        body.code[index].for_each_use(body, |slot| {
            changes |=
                assigned.is_some_and(|(first, words)| (first.0..first.0 + words).contains(&slot.0));
        });
        if changes {
            return None;
        }
    }
    None
}

/// Marks jumps to the next instruction and what cannot be reached at all.
fn needless_jumps(body: &Body) -> Vec<bool> {
    let mut reached = vec![false; body.code.len()];
    let mut stack = vec![0];
    while let Some(start) = stack.pop() {
        for (instruction, reached) in body.code.iter().zip(&mut reached).skip(start) {
            if std::mem::replace(reached, true) {
                break;
            }
            instruction.for_each_target(body, |target| stack.push(target.0 as usize));
            if !instruction.falls_through() {
                break;
            }
        }
    }
    let mut dropped: Vec<bool> = reached.iter().map(|&reached| !reached).collect();
    for (index, instruction) in body.code.iter().enumerate() {
        if let Instruction::Jump { target } = *instruction {
            let target = target.0 as usize;
            let between = index + 1..target.max(index + 1);
            dropped[index] |=
                target > index && between.into_iter().all(|skipped| !reached[skipped]);
        }
    }
    dropped
}

impl VariablePlace {
    /// The slot that holds the value or the address.
    fn slot(self) -> Slot {
        match self {
            VariablePlace::Value { slot, .. } | VariablePlace::Object(slot) => slot,
        }
    }
}

/// Removes instructions; positions that named one name the next that stays.
fn compact(body: &mut Body, dropped: &[bool]) {
    if !dropped.contains(&true) {
        return;
    }
    let mut new_positions = Vec::with_capacity(dropped.len());
    let mut kept = 0;
    for &dropped in dropped {
        new_positions.push(kept);
        kept += u32::from(!dropped);
    }
    body.for_each_position(|position| position.0 = new_positions[position.0 as usize]);
    body.assigned
        .retain(|assigned| !dropped[assigned.after.0 as usize]);
    for assigned in &mut body.assigned {
        assigned.after.0 = new_positions[assigned.after.0 as usize];
    }
    let mut index = 0;
    body.code.retain(|_| {
        index += 1;
        !dropped[index - 1]
    });
    index = 0;
    body.locations.retain(|_| {
        index += 1;
        !dropped[index - 1]
    });
}

/// Numbers the slots that are mentioned, parameters first.
fn renumber_slots(body: &mut Body, parameter_words: u32) {
    let mut mentioned = vec![false; body.slots as usize];
    mentioned[..parameter_words as usize].fill(true);
    for instruction in &body.code {
        instruction.for_each_use(body, |slot| mentioned[slot.0 as usize] = true);
        instruction.for_each_definition(body, |slot| mentioned[slot.0 as usize] = true);
    }
    retain_variables(body, |slot| mentioned[slot.0 as usize]);
    body.assigned
        .retain(|assigned| match assigned.value.place() {
            Place::Slot(slot) => mentioned[slot.0 as usize],
            Place::Constant(_) => true,
        });
    let mut numbers = Vec::with_capacity(mentioned.len() + 1);
    let mut next = 0;
    for mentioned in mentioned {
        numbers.push(next);
        next += u32::from(mentioned);
    }
    numbers.push(next);
    rename(body, |slot| Slot(numbers[slot.0 as usize]));
    body.slots = next;
}

/// Keeps the variables whose places are kept.
fn retain_variables(body: &mut Body, is_kept: impl Fn(Slot) -> bool) {
    let mut next = 0;
    let numbers = body.variables.iter().map(|variable| {
        let kept = is_kept(variable.place.slot());
        next += u32::from(kept);
        kept.then(|| VariableId(next - 1))
    });
    let numbers: Vec<Option<VariableId>> = numbers.collect();
    body.variables.retain(|v| is_kept(v.place.slot()));
    for instruction in &mut body.code {
        if let Instruction::Allocate { variable, .. } = instruction {
            *variable = variable.and_then(|old| numbers[old.0 as usize]);
        }
    }
}

/// Numbers the constants that are mentioned.
fn renumber_constants(body: &mut Body) {
    let mut numbers: Vec<Option<u32>> = vec![None; body.constants.len()];
    let old = std::mem::take(&mut body.constants);
    let mut kept: Vec<Constant> = Vec::new();
    let mut renumber = |operand: &mut Operand, words: u32| {
        let Place::Constant(first) = operand.place() else {
            return;
        };
        let first = first as usize;
        let known = numbers[first].filter(|&number| {
            (0..words)
                .all(|word| kept.get((number + word) as usize) == Some(&old[first + word as usize]))
        });
        let number = known.unwrap_or_else(|| {
            kept.extend_from_slice(&old[first..first + words as usize]);
            kept.len() as u32 - words
        });
        numbers[first] = Some(number);
        *operand = Operand::constant(number);
    };
    for index in 0..body.code.len() {
        body.change_operands(index, &mut renumber);
    }
    for assigned in &mut body.assigned {
        renumber(&mut assigned.value, 1);
    }
    body.constants = kept;
}
