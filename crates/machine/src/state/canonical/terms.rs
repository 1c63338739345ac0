//! The canonical form of what a state knows of its inputs.
//!
//! *Claim.* The canonical state stands for the same concrete states, up to the names of inputs that
//! nothing reads any more.
//!
//! *Conditions.* A conjunct of the path condition is dropped only if it shares no input with a
//! value of the state, neither directly nor through other conjuncts: it can be satisfied whatever
//! the others demand. An input that equals a number is replaced by it. The inputs that remain are
//! numbered in the order in which values mention them: those of shared memory first, then those of
//! each thread, then those that only the path condition mentions.
//!
//! The argument is in `docs/internals/symbolic.md`.

use crate::state::clock::Clock;
use crate::state::condition::Condition;
use crate::state::frame::{FrameImage, has_terms};
use crate::state::happens_before::HappensBefore;
use crate::state::memory::{Entry, Memory};
use crate::state::thread::{Threads, Wait};
use crate::value::symbolic::{InputId, SharedTerms, Substitute, id_of, term_of, word_of};
use impasse_program::address::ObjectId;
use impasse_program::word::{TermId, Word, mask};
use impasse_solver::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A term that a value of the state is, and who owns the inputs that nobody mentions before.
struct Mention {
    owner: u32,
    term: TermId,
}

/// What of a state may depend on inputs.
pub struct Parts<'p, 's> {
    /// Its memory.
    pub memory: &'p mut Memory<'s>,
    /// Its threads, all frames of which are images or stored.
    pub threads: &'p mut Threads,
    /// Its history.
    pub history: &'p mut Arc<HappensBefore>,
    /// Its clock.
    pub clock: &'p mut Clock,
}

/// Brings the inputs of a state into canonical form. All names of objects must be canonical, and no
/// thread may have frames on the machine's stack.
pub fn canonicalise_inputs(
    terms: &SharedTerms,
    condition: &mut Condition,
    parts: &mut Parts<'_, '_>,
) {
    if condition.inputs.is_empty() {
        return;
    }
    let mentions = mentions(parts);
    let mut map = put_numbers(terms, condition);
    map.insert(InputId::UNDEFINED, Substitute::Input(InputId::UNDEFINED));
    let live = mentions.iter().map(|mention| term_of(mention.term));
    drop_dead(terms, condition, live, &map);
    forget(terms, condition, &mentions);
    let owners = number(terms, condition, &mentions, &mut map);
    condition.inputs = owners;
    condition.conjuncts = condition
        .conjuncts
        .iter()
        .map(|&conjunct| terms.substitute(conjunct, &map))
        .collect();
    condition.conjuncts.sort_unstable();
    condition.conjuncts.dedup();
    let changes = |(input, to): (&InputId, &Substitute)| *to != Substitute::Input(*input);
    if map.iter().any(changes) {
        Renaming { terms, map }.rename(parts);
    }
}

/// Replaces the inputs that equal numbers in the values of a state, and keeps all inputs and the
/// whole path condition, for a report.
pub fn put_known_inputs(terms: &SharedTerms, condition: &Condition, parts: &mut Parts<'_, '_>) {
    let map = put_numbers(terms, &mut condition.clone());
    if !map.is_empty() {
        Renaming { terms, map }.rename(parts);
    }
}

/// Returns the inputs that the path condition says are numbers.
pub fn known_inputs(terms: &SharedTerms, condition: &Condition) -> FxHashMap<InputId, Substitute> {
    let conjuncts = condition.conjuncts.iter();
    let equalities = conjuncts.filter_map(|&conjunct| terms.as_equality(conjunct));
    let equalities = equalities.chain(terms.determined(&condition.conjuncts));
    equalities
        .map(|(input, number)| (input, Substitute::Number(number)))
        .collect()
}

/// Replaces inputs in the values that memory holds.
pub fn put_in_memory(
    terms: &SharedTerms,
    map: FxHashMap<InputId, Substitute>,
    memory: &mut Memory<'_>,
) {
    Renaming { terms, map }.rename_objects(memory);
}

/// The terms of a state's values, in an order that depends on nothing but the state.
fn mentions(parts: &Parts<'_, '_>) -> Vec<Mention> {
    let Parts {
        memory, threads, ..
    } = parts;
    let mut found = Vec::new();
    if !parts.clock.term.is_none() {
        found.push(Mention {
            owner: InputId::SHARED,
            term: parts.clock.term,
        });
    }
    let mut object = |entry: Entry, owner: u32| {
        let Some(object) = memory.at(entry) else {
            return;
        };
        let mut mention = |term: TermId| found.push(Mention { owner, term });
        if !object.limit().is_none() {
            mention(object.limit());
        }
        if object.has_terms() {
            object.terms().iter().for_each(|part| mention(part.term));
        }
    };
    for &entry in &memory.globals {
        object(entry, InputId::SHARED);
    }
    let mut dynamic: Vec<(u32, Entry)> = Vec::new();
    for (number, &entry) in memory.dynamic.iter().enumerate() {
        let range = memory.id_ranges.range_of(number as u32);
        match range {
            0 => object(entry, InputId::SHARED),
            _ => dynamic.push((range, entry)),
        }
    }
    dynamic.sort_by_key(|&(range, _)| range);
    let in_messages = parts.history.words().filter(|word| !word.term.is_none());
    let in_messages: Vec<Word> = in_messages.collect();
    for (range, entry) in dynamic {
        object(entry, range);
    }
    found.extend(in_messages.into_iter().map(|word| Mention {
        owner: InputId::SHARED,
        term: word.term,
    }));
    for (number, thread) in threads.iter().enumerate() {
        let owner = InputId::owner_of(number);
        let mut word = |word: Word| {
            if !word.term.is_none() {
                found.push(Mention {
                    owner,
                    term: word.term,
                });
            }
        };
        word(thread.result);
        if let Wait::Condition { until, .. } = thread.wait {
            word(until);
        }
        thread.buffer.words().for_each(&mut word);
        for &frame in &thread.frames {
            let stored = memory.store.get(frame);
            if has_terms(stored) {
                FrameImage::decode(stored)
                    .words
                    .into_iter()
                    .for_each(&mut word);
            }
        }
        for image in &thread.images {
            image.words.iter().copied().for_each(&mut word);
        }
    }
    found
}

/// Drops the conjuncts that share no input with a value.
fn drop_dead(
    terms: &SharedTerms,
    condition: &mut Condition,
    live: impl Iterator<Item = Term>,
    numbers: &FxHashMap<InputId, Substitute>,
) {
    let mut seen = FxHashSet::default();
    let mut inputs: FxHashSet<InputId> = FxHashSet::default();
    for term in live {
        if seen.insert(term) {
            inputs.extend(terms.inputs_of(term).iter().map(|&(input, _)| input));
        }
    }
    inputs.retain(|input| !numbers.contains_key(input));
    let mut left = std::mem::take(&mut condition.conjuncts);
    let mut kept = FxHashSet::default();
    loop {
        let before = kept.len();
        for &conjunct in &left {
            let of = terms.inputs_of(conjunct);
            if !kept.contains(&conjunct) && of.iter().any(|(input, _)| inputs.contains(input)) {
                inputs.extend(of.iter().map(|&(input, _)| input));
                kept.insert(conjunct);
            }
        }
        if kept.len() == before {
            break;
        }
    }
    left.retain(|conjunct| kept.contains(conjunct));
    condition.conjuncts = left;
    condition.inputs.retain(|(input, _)| inputs.contains(input));
}

/// Removes inputs that only one conjunct mentions, where that is simple, and conjuncts that others
/// imply.
fn forget(terms: &SharedTerms, condition: &mut Condition, mentions: &[Mention]) {
    terms.drop_implied(&mut condition.conjuncts);
    let mut mentioned: FxHashSet<InputId> = FxHashSet::default();
    for mention in mentions {
        let inputs = terms.inputs_of(term_of(mention.term));
        mentioned.extend(inputs.iter().map(|&(input, _)| input));
    }
    terms.normalise_times(&mut condition.conjuncts, &mentioned);
    let inputs = condition.inputs.clone();
    for (input, _) in inputs
        .into_iter()
        .filter(|(input, _)| !mentioned.contains(input))
    {
        let of_input =
            |conjunct: &Term| terms.inputs_of(*conjunct).iter().any(|&(i, _)| i == input);
        let mut with = condition
            .conjuncts
            .iter()
            .enumerate()
            .filter(|(_, c)| of_input(c));
        let (Some((index, &conjunct)), None) = (with.next(), with.next()) else {
            continue;
        };
        if let Some(without) = terms.without(conjunct, input) {
            condition.conjuncts.remove(index);
            terms.for_each_conjunct(without, |conjunct| condition.add(conjunct));
        }
    }
    terms.drop_implied(&mut condition.conjuncts);
}

/// Replaces the inputs that the path condition says are numbers in the path condition, and returns
/// them.
fn put_numbers(terms: &SharedTerms, condition: &mut Condition) -> FxHashMap<InputId, Substitute> {
    let mut numbers = FxHashMap::default();
    loop {
        let before = numbers.len();
        numbers.extend(known_inputs(terms, condition));
        if numbers.len() == before {
            return numbers;
        }
        condition.conjuncts = condition
            .conjuncts
            .iter()
            .map(|&conjunct| terms.substitute(conjunct, &numbers))
            .filter(|&conjunct| !terms.with(|terms| terms.is_true(conjunct)))
            .collect();
    }
}

/// Numbers the inputs that remain, and returns them with their new numbers.
fn number(
    terms: &SharedTerms,
    condition: &Condition,
    mentions: &[Mention],
    map: &mut FxHashMap<InputId, Substitute>,
) -> Vec<(InputId, u8)> {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    let mut inputs = Vec::new();
    let mut seen = FxHashSet::default();
    let only_in_path = condition.conjuncts.iter().map(|&conjunct| Mention {
        owner: InputId::FORGOTTEN,
        term: id_of(conjunct),
    });
    let only_in_path: Vec<Mention> = only_in_path.collect();
    for mention in mentions.iter().chain(&only_in_path) {
        if !seen.insert(mention.term) {
            continue;
        }
        for &(input, width) in terms.inputs_of(term_of(mention.term)).iter() {
            map.entry(input).or_insert_with(|| {
                let count = counts.entry(mention.owner).or_default();
                let new = InputId::new(mention.owner, *count);
                *count += 1;
                inputs.push((new, width));
                Substitute::Input(new)
            });
        }
    }
    inputs
}

/// Gives inputs other names, or numbers, wherever values mention them.
struct Renaming<'t> {
    terms: &'t SharedTerms,
    map: FxHashMap<InputId, Substitute>,
}

impl Renaming<'_> {
    fn rename(&self, parts: &mut Parts<'_, '_>) {
        let Parts {
            memory,
            threads,
            history,
            clock,
        } = parts;
        if !clock.term.is_none() {
            let term = self.terms.substitute(term_of(clock.term), &self.map);
            let word = self.terms.with(|terms| word_of(terms, term));
            (clock.now, clock.term) = (word.bits, word.term);
        }
        if history.words().any(|word| !word.term.is_none()) {
            let history = Arc::make_mut(history);
            history.words_mut().for_each(|word| self.rename_word(word));
        }
        self.rename_objects(memory);
        for number in 0..threads.len() {
            self.rename_thread(memory, threads, number);
        }
    }

    fn rename_objects(&self, memory: &mut Memory<'_>) {
        let globals = (0..memory.globals.len() as u32).map(ObjectId::global);
        let dynamic = (0..memory.dynamic.len() as u32).map(ObjectId::dynamic);
        let objects: Vec<ObjectId> = globals.chain(dynamic).collect();
        for object in objects {
            self.rename_object(memory, object);
        }
    }

    fn rename_word(&self, word: &mut Word) {
        self.terms.substitute_word(word, &self.map);
    }

    fn rename_object(&self, memory: &mut Memory<'_>, object: ObjectId) {
        self.rename_limit(memory, object);
        let Some(view) = memory.peek(object).filter(|object| object.has_terms()) else {
            return;
        };
        let mut parts = view.terms();
        let mut numbers = Vec::new();
        let mut stale = false;
        parts.retain_mut(|part| {
            let term = self.terms.substitute(term_of(part.term), &self.map);
            stale |= id_of(term) != part.term;
            match self.terms.with(|terms| terms.as_constant(term)) {
                Some(number) => {
                    let byte = number as u64 >> (8 * part.byte) & mask(8);
                    numbers.push((part.offset as usize, byte as u8));
                    false
                }
                None => {
                    part.term = id_of(term);
                    true
                }
            }
        });
        if !stale {
            return;
        }
        let target = memory.get_mut(object);
        for (offset, byte) in numbers {
            target.bytes[offset] = byte;
            target.undefined[offset] = 0;
        }
        target.terms = parts;
    }

    /// A size that has become a number is that of the object, if its content has so many bytes.
    fn rename_limit(&self, memory: &mut Memory<'_>, object: ObjectId) {
        let Some(view) = memory.peek(object).filter(|view| !view.limit().is_none()) else {
            return;
        };
        let (before, size) = (view.limit(), view.size());
        let limit = self.terms.substitute(term_of(before), &self.map);
        match self.terms.with(|terms| terms.as_constant(limit)) {
            Some(number) if number <= size.into() => memory.get_mut(object).resize(number as u32),
            _ if id_of(limit) != before => memory.get_mut(object).limit = id_of(limit),
            _ => {}
        }
    }

    fn rename_thread(&self, memory: &Memory<'_>, threads: &mut Threads, number: usize) {
        let store = memory.store;
        let thread = &threads[number];
        let stored = thread
            .frames
            .iter()
            .any(|&frame| has_terms(store.get(frame)));
        let is_term = |word: &Word| !word.term.is_none();
        let images = thread.images.iter().flat_map(|image| &image.words);
        let delayed = thread.buffer.words().any(|word| is_term(&word));
        let waits = matches!(&thread.wait, Wait::Condition { until, .. } if is_term(until));
        let has_any = stored || delayed || waits || is_term(&thread.result);
        if !has_any && !images.into_iter().any(is_term) {
            return;
        }
        let mut buffer = Vec::new();
        let mut thread = thread.clone();
        self.rename_word(&mut thread.result);
        if let Wait::Condition { until, .. } = &mut thread.wait {
            self.rename_word(until);
        }
        thread
            .buffer
            .for_each_word_mut(|word| self.rename_word(word));
        for frame in &mut thread.frames {
            let stored = store.get(*frame);
            if !has_terms(stored) {
                continue;
            }
            let mut image = FrameImage::decode(stored);
            image
                .words
                .iter_mut()
                .for_each(|word| self.rename_word(word));
            buffer.clear();
            image.encode(&mut buffer);
            *frame = store.intern(&buffer).id;
        }
        for image in &mut thread.images {
            image
                .words
                .iter_mut()
                .for_each(|word| self.rename_word(word));
        }
        if thread != threads[number] {
            threads[number] = thread;
        }
    }
}
