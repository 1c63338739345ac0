//! All that a program can do, one operation a step, and what can never end in it: the definition
//! written down plainly.
//!
//! A program that does what POSIX leaves undefined (unlocks what it does not hold) has no answer.

use crate::program::{Condition, Label, Mutex, Operation, Program};
use Operation::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Programs with more states are left out.
const MOST: usize = 30_000;

/// What a program can get to.
pub struct Answer {
    /// The types of sections that are open somewhere.
    pub used: BTreeSet<&'static str>,
    /// Those of which one cannot end from somewhere.
    pub hanging: BTreeSet<&'static str>,
    /// Whether some state has no successor, not even by the thread that no section waits for.
    pub deadlocks: bool,
    /// Whether from some state on threads only look at flags, or none can continue.
    pub stands_still: bool,
    /// Whether the program cannot end from somewhere.
    pub never_ends: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    flags: [u8; 2],
    owners: [Option<usize>; 2],
    writer: Option<usize>,
    readers: usize,
    tokens: u8,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    position: usize,
    status: Status,
    /// What it has begun or holds; whatever comes next takes the first free place.
    held: Vec<Option<Held>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Status {
    Unborn,
    Running,
    /// It waits to be woken.
    Waiting(Condition, Mutex, Timed),
    /// It was, and waits for the mutex.
    Woken(Mutex),
    Meeting,
    /// All have met.
    Met,
    Ended,
}

/// Whether the time may be over.
type Timed = bool;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Held {
    Mutex(Mutex),
    Reading,
    Writing,
    Section(usize),
}

impl Held {
    fn section_type(self) -> &'static str {
        match self {
            Held::Mutex(_) => "critical",
            Held::Reading | Held::Writing => "rwlock",
            Held::Section(_) => "user",
        }
    }
}

/// An open section: the thread, its place among what that holds (or none if the thread waits, or
/// itself is it), and the type.
type Key = (usize, Option<usize>, &'static str);

/// What a thread waits for at an operation.
fn waited_for(operation: Operation) -> Option<&'static str> {
    match operation {
        Lock(_) => Some("mutex"),
        Read | Write => Some("rwlock"),
        Take => Some("semaphore"),
        Join(_) => Some("join"),
        _ => None,
    }
}

/// A step: where it leads, if the program does not end, and which sections end in it.
type Step = (Option<State>, Vec<Key>);

/// The same with the number of the state.
type NumberedStep = (Option<usize>, Vec<Key>);

/// What POSIX does not define.
struct Undefined;

/// Finds all that the program can do; none if that is undefined or too much.
pub fn explore(program: &Program) -> Option<Answer> {
    let unborn = |number| Thread {
        position: 0,
        status: if number == 0 {
            Status::Running
        } else {
            Status::Unborn
        },
        held: Vec::new(),
    };
    let first = State {
        threads: (0..program.threads.len()).map(unborn).collect(),
        flags: [0; 2],
        owners: [None; 2],
        writer: None,
        readers: 0,
        tokens: program.tokens,
    };
    let mut numbers = HashMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    // By state: where its steps lead, and what they end.
    let mut steps: Vec<Vec<NumberedStep>> = Vec::new();
    while steps.len() < states.len() {
        let mut leaving = Vec::new();
        for (target, ended) in successors(program, &states[steps.len()]).ok()? {
            let target = target.map(|state| {
                *numbers.entry(state).or_insert_with_key(|state| {
                    states.push(state.clone());
                    states.len() - 1
                })
            });
            leaving.push((target, ended));
        }
        steps.push(leaving);
        if states.len() > MOST {
            return None;
        }
    }
    let open: Vec<Vec<Key>> = states.iter().map(|state| open(program, state)).collect();
    let can_end = |key: Option<Key>| {
        let ends = |ended: &[Key]| key.is_some_and(|key| ended.contains(&key));
        let mut can_end = HashSet::new();
        loop {
            let before = can_end.len();
            for (number, leaving) in steps.iter().enumerate().rev() {
                let ends_by = |(target, ended): &NumberedStep| {
                    target.is_none_or(|target| can_end.contains(&target)) || ends(ended)
                };
                if key.is_none_or(|key| open[number].contains(&key)) && leaving.iter().any(ends_by)
                {
                    can_end.insert(number);
                }
            }
            if can_end.len() == before {
                return can_end;
            }
        }
    };
    let keys: BTreeSet<Key> = open.iter().flatten().copied().collect();
    let hangs = |key: &Key| {
        let can_end = can_end(Some(*key));
        let mut with = open
            .iter()
            .enumerate()
            .filter(|(_, open)| open.contains(key));
        with.any(|(number, _)| !can_end.contains(&number))
    };
    Some(Answer {
        used: keys.iter().map(|(.., kind)| *kind).collect(),
        hanging: keys
            .iter()
            .filter(|key| hangs(key))
            .map(|(.., kind)| *kind)
            .collect(),
        deadlocks: !program.blinks && steps.iter().any(Vec::is_empty),
        stands_still: !program.blinks && stands_still(program, &states, &steps),
        never_ends: can_end(None).len() < states.len(),
    })
}

/// Whether every step from some state on only looks at a flag, or goes elsewhere.
fn stands_still(program: &Program, states: &[State], steps: &[Vec<NumberedStep>]) -> bool {
    let is_silent = |from: usize, to: usize| {
        let mut there = states[to].clone();
        let mut silent = true;
        let threads = there.threads.iter_mut().zip(&states[from].threads);
        for ((thread, before), code) in threads.zip(&program.threads) {
            let moved = std::mem::replace(&mut thread.position, before.position) != before.position;
            let operation = code.get(before.position);
            silent &= !moved || matches!(operation, Some(Branch { .. } | GoTo(_)));
        }
        silent && there == states[from]
    };
    let mut still = vec![true; states.len()];
    loop {
        let before = still.clone();
        for (number, leaving) in steps.iter().enumerate() {
            still[number] &= leaving
                .iter()
                .all(|(target, _)| target.is_some_and(|to| before[to] && is_silent(number, to)));
        }
        if still == before {
            return still.contains(&true);
        }
    }
}

/// The sections that are open in a state.
fn open(program: &Program, state: &State) -> Vec<Key> {
    let mut open = Vec::new();
    for (number, thread) in state.threads.iter().enumerate() {
        for (place, held) in thread.held.iter().enumerate() {
            open.extend(held.map(|held| (number, Some(place), held.section_type())));
        }
        let waits_for = match thread.status {
            Status::Unborn | Status::Ended => continue,
            Status::Running => {
                let operation = program.threads[number].get(thread.position);
                operation.and_then(|&operation| waited_for(operation))
            }
            Status::Waiting(..) => Some("cond"),
            Status::Woken(_) => Some("mutex"),
            Status::Meeting => Some("barrier"),
            Status::Met => None,
        };
        open.extend(waits_for.map(|kind| (number, None, kind)));
        if number > 0 {
            open.push((number, None, "thread"));
        }
    }
    open
}

fn successors(program: &Program, state: &State) -> Result<Vec<Step>, Undefined> {
    let mut steps = Vec::new();
    for number in 0..state.threads.len() {
        let mover = Mover {
            program,
            before: state,
            number,
            state: state.clone(),
            ended: Vec::new(),
        };
        mover.moves(&mut steps)?;
    }
    Ok(steps)
}

/// A thread that takes a step.
#[derive(Clone)]
struct Mover<'a> {
    program: &'a Program,
    before: &'a State,
    number: usize,
    /// The state after it.
    state: State,
    ended: Vec<Key>,
}

impl Mover<'_> {
    fn thread(&mut self) -> &mut Thread {
        &mut self.state.threads[self.number]
    }

    fn done(self) -> Step {
        (Some(self.state), self.ended)
    }

    /// The step that continues with the next operation.
    fn next(mut self) -> Step {
        let thread = self.thread();
        thread.position += 1;
        thread.status = Status::Running;
        self.done()
    }

    fn go_to(mut self, label: Label) -> Step {
        self.thread().position = label;
        self.done()
    }

    fn becomes(mut self, status: Status) -> Step {
        self.thread().status = status;
        self.done()
    }

    /// What the thread, or another one, has waited for has come.
    fn ends_waiting(&mut self, number: usize, kind: &'static str) {
        self.ended.push((number, None, kind));
    }

    fn hold(&mut self, held: Held) {
        let all = &mut self.thread().held;
        let free = all.iter().position(Option::is_none).unwrap_or(all.len());
        all.resize(all.len().max(free + 1), None);
        all[free] = Some(held);
    }

    fn give_up(&mut self, held: Held) -> Result<(), Undefined> {
        let number = self.number;
        let all = &mut self.thread().held;
        let place = all
            .iter()
            .position(|one| *one == Some(held))
            .ok_or(Undefined)?;
        all[place] = None;
        let last = all
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        all.truncate(last);
        self.ended.push((number, Some(place), held.section_type()));
        Ok(())
    }

    fn lock(&mut self, mutex: Mutex) {
        self.state.owners[mutex.0] = Some(self.number);
        self.hold(Held::Mutex(mutex));
        self.ends_waiting(self.number, "mutex");
    }

    fn unlock(&mut self, mutex: Mutex) -> Result<(), Undefined> {
        self.state.owners[mutex.0] = None;
        self.give_up(Held::Mutex(mutex))
    }

    fn is_free(&self, mutex: Mutex) -> bool {
        self.before.owners[mutex.0].is_none()
    }

    /// The thread ends, and the program if it is the last one.
    fn leave(mut self) -> Step {
        let others = self.before.threads.iter().enumerate();
        let mut others = others.filter(|(number, _)| *number != self.number);
        let alone =
            others.all(|(_, thread)| matches!(thread.status, Status::Ended | Status::Unborn));
        if alone && !self.program.blinks {
            return (None, Vec::new());
        }
        self.ends_waiting(self.number, "thread");
        self.becomes(Status::Ended)
    }

    /// Adds what the thread can do.
    fn moves(mut self, steps: &mut Vec<Step>) -> Result<(), Undefined> {
        let thread = &self.before.threads[self.number];
        match thread.status {
            Status::Unborn | Status::Ended | Status::Meeting => {}
            Status::Waiting(_, mutex, timed) => {
                if timed {
                    self.ends_waiting(self.number, "cond");
                    steps.push(self.becomes(Status::Woken(mutex)));
                }
            }
            Status::Woken(mutex) => {
                if self.is_free(mutex) {
                    self.lock(mutex);
                    steps.push(self.next());
                }
            }
            Status::Met => steps.push(self.next()),
            Status::Running => match self.program.threads[self.number].get(thread.position) {
                Some(&operation) => self.does(operation, steps)?,
                None if self.number == 0 => steps.push((None, Vec::new())),
                None => steps.push(self.leave()),
            },
        }
        Ok(())
    }

    /// Adds what an operation can do.
    fn does(mut self, operation: Operation, steps: &mut Vec<Step>) -> Result<(), Undefined> {
        match operation {
            Lock(mutex) => steps.extend(self.locks(mutex, None)),
            TryLock(mutex, to) | TimedLock(mutex, to) => steps.extend(self.locks(mutex, Some(to))),
            Unlock(mutex) => {
                self.unlock(mutex)?;
                steps.push(self.next());
            }
            Wait(condition, mutex) | TimedWait(condition, mutex) => {
                self.unlock(mutex)?;
                let timed = matches!(operation, TimedWait(..));
                // It may wake up for no reason at once.
                steps.push(self.clone().becomes(Status::Woken(mutex)));
                steps.push(self.becomes(Status::Waiting(condition, mutex, timed)));
            }
            Signal(condition) => self.wakes(condition, false, steps),
            Broadcast(condition) => self.wakes(condition, true, steps),
            Read => steps.extend(self.enters(false, None)),
            TryRead(to) => steps.extend(self.enters(false, Some(to))),
            Write => steps.extend(self.enters(true, None)),
            TryWrite(to) => steps.extend(self.enters(true, Some(to))),
            Release if self.before.writer == Some(self.number) => {
                self.state.writer = None;
                self.give_up(Held::Writing)?;
                steps.push(self.next());
            }
            Release => {
                self.give_up(Held::Reading)?;
                self.state.readers -= 1;
                steps.push(self.next());
            }
            Meet => self.meets(steps),
            Take => {
                if let Some(left) = self.before.tokens.checked_sub(1) {
                    self.state.tokens = left;
                    self.ends_waiting(self.number, "semaphore");
                    steps.push(self.next());
                }
            }
            Post => {
                // Who posts forever has too many states.
                self.state.tokens = self.before.tokens.checked_add(1).ok_or(Undefined)?;
                steps.push(self.next());
            }
            Begin(variable) => {
                self.hold(Held::Section(variable));
                steps.push(self.next());
            }
            End(variable) => {
                self.give_up(Held::Section(variable))?;
                steps.push(self.next());
            }
            Set(flag, number) => {
                self.state.flags[flag.0] = number;
                steps.push(self.next());
            }
            Branch {
                flag,
                equal,
                number,
                to,
            } => match (self.before.flags[flag.0] == number) == equal {
                true => steps.push(self.go_to(to)),
                false => steps.push(self.next()),
            },
            GoTo(to) => steps.push(self.go_to(to)),
            Create(thread) => {
                self.state.threads[thread].status = Status::Running;
                steps.push(self.next());
            }
            Join(thread) => {
                if self.before.threads[thread].status == Status::Ended {
                    self.ends_waiting(self.number, "join");
                    steps.push(self.next());
                }
            }
            Leave => steps.push(self.leave()),
            Exit => steps.push((None, Vec::new())),
        }
        Ok(())
    }

    /// Takes a mutex if it is free, or continues elsewhere.
    fn locks(mut self, mutex: Mutex, otherwise: Option<Label>) -> Option<Step> {
        if !self.is_free(mutex) {
            return otherwise.map(|to| self.go_to(to));
        }
        self.lock(mutex);
        Some(self.next())
    }

    /// Takes the reader-writer lock if that can be had, or continues elsewhere.
    fn enters(mut self, writes: bool, otherwise: Option<Label>) -> Option<Step> {
        let State {
            writer, readers, ..
        } = self.before;
        if writer.is_some() || writes && *readers > 0 {
            return otherwise.map(|to| self.go_to(to));
        }
        match writes {
            true => self.state.writer = Some(self.number),
            false => self.state.readers += 1,
        }
        self.hold(if writes { Held::Writing } else { Held::Reading });
        self.ends_waiting(self.number, "rwlock");
        Some(self.next())
    }

    fn wakes(mut self, condition: Condition, all: bool, steps: &mut Vec<Step>) {
        let waiting = self.before.threads.iter().enumerate();
        let waiting = waiting.filter_map(|(number, thread)| match thread.status {
            Status::Waiting(c, mutex, _) if c == condition => Some((number, mutex)),
            _ => None,
        });
        let waiting: Vec<(usize, Mutex)> = waiting.collect();
        let wake = |mover: &mut Self, (number, mutex): (usize, Mutex)| {
            mover.state.threads[number].status = Status::Woken(mutex);
            mover.ends_waiting(number, "cond");
        };
        if all || waiting.is_empty() {
            waiting.into_iter().for_each(|one| wake(&mut self, one));
            return steps.push(self.next());
        }
        for one in waiting {
            let mut mover = self.clone();
            wake(&mut mover, one);
            steps.push(mover.next());
        }
    }

    fn meets(mut self, steps: &mut Vec<Step>) {
        let threads = 0..self.before.threads.len();
        let there = threads.filter(|&n| self.before.threads[n].status == Status::Meeting);
        let there: Vec<usize> = there.collect();
        if there.len() + 1 < self.program.meeting {
            return steps.push(self.becomes(Status::Meeting));
        }
        for number in there {
            self.state.threads[number].status = Status::Met;
            self.ends_waiting(number, "barrier");
        }
        steps.push(self.next());
    }
}
