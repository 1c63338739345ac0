//! Where a value goes that a thread has read: through local variables, calls and returns, and
//! through the branches that it decides.
//!
//! The value goes *only into stores* if nothing that is computed of it is an address, decides a
//! branch, is divided by, or reaches any other instruction with an effect; it then changes nothing
//! but what these stores write. It may decide a branch, too, if both ways meet again after nothing
//! but computations and such stores: then what they assign depends on the value as well.
//!
//! The analysis follows the code of whole functions, in any order, and so finds at least what any
//! execution does. It gives up (`None`) wherever it is not certain.

use impasse_machine::base::fault::CodePlace;
use impasse_machine::system::System;
use impasse_program::address::{Address, ObjectKind};
use impasse_program::instruction::{
    BinaryOperation, Body, CallSite, Instruction, Operand, Ordering, Place, Position, Slot,
};
use impasse_program::link::{Function, FunctionId, Target};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Positions that follow a branch, within which its two ways must meet.
const LONGEST: u32 = 200;

/// How many instructions the address of a variable is computed by, at most.
const DEEPEST: u32 = 4;

/// The names of the global variables that a value is stored into.
pub type Variables = BTreeSet<String>;

/// Where values go, for the reads of a trace.
pub struct Flows<'s> {
    system: &'s System,
    /// Where threads are at the error, which may be about what is used there.
    at_error: HashSet<CodePlace>,
    known: HashMap<Vec<CodePlace>, Option<Variables>>,
}

/// Where the value of one read goes.
struct Flow<'f, 's> {
    system: &'s System,
    at_error: &'f HashSet<CodePlace>,
    stored: Variables,
    /// The frames of the thread that reads, the innermost first, and which of them have the value:
    /// those up to this one. A function returns it to the next.
    frames: &'f [CodePlace],
    reached: usize,
    /// Functions that get the value as an argument.
    callees: BTreeSet<FunctionId>,
    derived: BTreeSet<(FunctionId, Slot)>,
    /// Slots that are not followed yet.
    next: Vec<(FunctionId, Slot)>,
}

impl<'s> Flows<'s> {
    /// Returns the flows in a trace at whose end threads are at these places.
    pub fn new(system: &'s System, at_error: impl IntoIterator<Item = CodePlace>) -> Self {
        Flows {
            system,
            at_error: at_error.into_iter().collect(),
            known: HashMap::new(),
        }
    }

    /// Returns the global variables that the value is stored into, or something that depends on it,
    /// which the load at the first of these frames reads; `None` if it may go elsewhere.
    pub fn stored_into(&mut self, frames: &[CodePlace]) -> Option<&Variables> {
        if !self.known.contains_key(frames) {
            let found = self.find(frames);
            self.known.insert(frames.to_vec(), found);
        }
        self.known[frames].as_ref()
    }

    fn find(&self, frames: &[CodePlace]) -> Option<Variables> {
        let at = frames.first()?;
        let code = self.system.program.function(at.function);
        let mut flow = Flow {
            system: self.system,
            at_error: &self.at_error,
            stored: Variables::new(),
            frames,
            reached: 0,
            callees: BTreeSet::new(),
            derived: BTreeSet::new(),
            next: Vec::new(),
        };
        let load = code.body.code.get(at.position.0 as usize)?;
        flow.derive_all(code, at.function, load);
        while let Some((function, slot)) = flow.next.pop() {
            // The trace does not show what libraries do.
            self.system.own[function.0 as usize].then_some(())?;
            flow.follow(function, slot)?;
        }
        Some(flow.stored)
    }
}

impl Flow<'_, '_> {
    fn derive(&mut self, function: FunctionId, slot: Slot) {
        if self.derived.insert((function, slot)) {
            self.next.push((function, slot));
        }
    }

    /// Follows a slot to all instructions of its function that use it.
    fn follow(&mut self, function: FunctionId, slot: Slot) -> Option<()> {
        let code = self.system.program.function(function);
        for (at, instruction) in (0..).map(Position).zip(&code.body.code) {
            let mut uses = false;
            instruction.for_each_use(&code.body, |used| uses |= used == slot);
            if !uses {
                continue;
            }
            let place = CodePlace {
                function,
                position: at,
            };
            if self.at_error.contains(&place) {
                return None;
            }
            self.enter(code, place, instruction, slot)?;
        }
        Some(())
    }

    /// Follows a slot into an instruction that uses it.
    fn enter(
        &mut self,
        code: &Function,
        place: CodePlace,
        instruction: &Instruction,
        slot: Slot,
    ) -> Option<()> {
        let is = |operand: Operand| operand.place() == Place::Slot(slot);
        match instruction {
            _ if computes(instruction) => {
                self.derive_all(code, place.function, instruction);
                Some(())
            }
            Instruction::Store { address, .. } if !is(*address) => self.store(code, instruction),
            Instruction::Branch { .. } => self.decide(code, place),
            Instruction::Call { site } => self.pass(code, place.function, site.0 as usize, slot),
            Instruction::Return { .. } => self.give_back(place.function),
            _ => None,
        }
    }

    fn store(&mut self, code: &Function, store: &Instruction) -> Option<()> {
        let Instruction::Store {
            ordering: Ordering::NotAtomic,
            volatile: false,
            address,
            ..
        } = store
        else {
            return None;
        };
        let number = variable(code, *address, DEEPEST)?;
        let globals = self.system.program.globals();
        let name = &globals.get(number as usize)?.display_name;
        self.stored.insert(name.clone());
        Some(())
    }

    /// Follows a slot into the function that a call passes it to, and takes what this returns for a
    /// value that depends on it.
    fn pass(&mut self, code: &Function, caller: FunctionId, site: usize, slot: Slot) -> Option<()> {
        let Target::Function(callee) = code.targets[site] else {
            return None;
        };
        if self.frames[..=self.reached]
            .iter()
            .any(|it| it.function == callee)
        {
            return None;
        }
        self.callees.insert(callee);
        let site = &code.body.sites[site];
        let mut parameter = 0;
        let mut passed = false;
        for (n, argument) in site.arguments.iter().enumerate() {
            if argument.value.place() == Place::Slot(slot) {
                let is_plain = (n as u32) < site.fixed && argument.by_value.is_none();
                (is_plain && argument.scalar.words() == 1).then_some(())?;
                self.derive(callee, Slot(parameter));
                passed = true;
            }
            parameter += argument.scalar.words();
        }
        self.derive_results(caller, site);
        // Else it is called through the slot, or the slot is a part of an argument.
        passed.then_some(())
    }

    fn derive_results(&mut self, function: FunctionId, site: &CallSite) {
        let words: u32 = site.results.iter().map(|it| it.words()).sum();
        let first = site.destination.0;
        (first..first + words).for_each(|slot| self.derive(function, Slot(slot)));
    }

    /// Follows what a function returns. What one returns that got the value as an argument is
    /// followed where it is called.
    fn give_back(&mut self, function: FunctionId) -> Option<()> {
        let readers = &self.frames[..=self.reached];
        let Some(number) = readers.iter().position(|it| it.function == function) else {
            return Some(());
        };
        if number < self.reached {
            return Some(());
        }
        let caller = *self.frames.get(self.reached + 1)?;
        let is_reader = readers.iter().any(|it| it.function == caller.function);
        if is_reader || self.callees.contains(&caller.function) {
            return None;
        }
        self.reached += 1;
        let code = self.system.program.function(caller.function);
        match code.body.code.get(caller.position.0 as usize) {
            Some(Instruction::Call { site }) => {
                self.derive_results(caller.function, &code.body.sites[site.0 as usize]);
                Some(())
            }
            _ => None,
        }
    }

    fn derive_all(&mut self, code: &Function, function: FunctionId, instruction: &Instruction) {
        let mut assigned = Vec::new();
        instruction.for_each_definition(&code.body, |slot| assigned.push(slot));
        for slot in assigned {
            self.derive(function, slot);
        }
    }

    /// Follows a branch on the value, if its two ways soon meet and do nothing but compute and
    /// store.
    fn decide(&mut self, code: &Function, branch: CodePlace) -> Option<()> {
        let body = &code.body;
        for at in inside(body, branch.position)? {
            let instruction = &body.code[at.0 as usize];
            match instruction {
                Instruction::Jump { .. } | Instruction::Branch { .. } => {}
                _ if computes(instruction) => {
                    self.derive_all(code, branch.function, instruction);
                }
                Instruction::Load {
                    address,
                    ordering: Ordering::NotAtomic,
                    volatile: false,
                    ..
                } if variable(code, *address, DEEPEST).is_some() => {
                    self.derive_all(code, branch.function, instruction);
                }
                Instruction::Store { .. } => self.store(code, instruction)?,
                _ => return None,
            }
        }
        Some(())
    }
}

/// The positions that execution may pass after a branch before its two ways meet, all of which
/// follow the branch; `None` if they meet nowhere near.
fn inside(body: &Body, branch: Position) -> Option<BTreeSet<Position>> {
    let end = (body.code.len() as u32).min(branch.0 + LONGEST);
    (branch.0 + 1..end).find_map(|meeting| ways_to(body, branch, Position(meeting)))
}

/// The positions between a branch and a later one, if all ways lead there without going back.
fn ways_to(body: &Body, branch: Position, meeting: Position) -> Option<BTreeSet<Position>> {
    let mut passed = BTreeSet::from([branch]);
    let mut next = vec![branch];
    while let Some(at) = next.pop() {
        let instruction = &body.code[at.0 as usize];
        let mut targets = Vec::new();
        instruction.for_each_target(body, |target| targets.push(target));
        if instruction.falls_through() {
            targets.push(Position(at.0 + 1));
        }
        if targets.is_empty() {
            return None;
        }
        for target in targets {
            if target <= at || target > meeting {
                return None;
            }
            if target < meeting && passed.insert(target) {
                next.push(target);
            }
        }
    }
    passed.remove(&branch);
    Some(passed)
}

/// Whether an instruction computes values of others and does nothing else, whatever they are.
fn computes(instruction: &Instruction) -> bool {
    use BinaryOperation as B;
    match instruction {
        Instruction::Binary { operation, .. } => matches!(
            operation,
            B::Add | B::Subtract | B::Multiply | B::And | B::Or | B::Xor
        ),
        _ => matches!(
            instruction,
            Instruction::Move { .. }
                | Instruction::Undefine { .. }
                | Instruction::Compare { .. }
                | Instruction::Float { .. }
                | Instruction::FloatCompare { .. }
                | Instruction::Convert { .. }
                | Instruction::Select { .. }
                | Instruction::Freeze { .. }
                | Instruction::Repack { .. }
                | Instruction::AddressOffset { .. }
                | Instruction::AddressIndex { .. }
        ),
    }
}

/// The number of the global variable, or constant, that an address is always in.
fn variable(code: &Function, address: Operand, depth: u32) -> Option<u32> {
    let slot = match address.place() {
        Place::Constant(index) => {
            let word = code.constants.get(index as usize)?;
            return match Address::from_bits(word.bits).object.kind() {
                ObjectKind::Global(number) => Some(number),
                _ => None,
            };
        }
        Place::Slot(slot) => slot,
    };
    let mut assigning = code.body.code.iter().filter(|it| {
        let definitions = it.definitions(&code.body);
        definitions.is_some_and(|(first, words)| (first.0..first.0 + words).contains(&slot.0))
    });
    match (assigning.next()?, assigning.next()) {
        (
            Instruction::AddressOffset { base, .. } | Instruction::AddressIndex { base, .. },
            None,
        ) => variable(code, *base, depth.checked_sub(1)?),
        _ => None,
    }
}
