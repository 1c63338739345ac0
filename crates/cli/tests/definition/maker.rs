//! Makes programs up: most of what they do makes sense, some of it does not.

use crate::program::{Condition, Flag, Label, Mutex, Operation, Program};
use Operation::*;
use fastrand::Rng;

/// What a program uses.
#[derive(Clone, Copy)]
enum Means {
    Mutex,
    Condition,
    TimedCondition,
    ReaderWriter,
    Barrier,
    Semaphore,
    Section,
    Flag,
    End,
}

const MEANS: [Means; 13] = [
    Means::Mutex,
    Means::Mutex,
    Means::Condition,
    Means::Condition,
    Means::TimedCondition,
    Means::ReaderWriter,
    Means::Barrier,
    Means::Semaphore,
    Means::Section,
    Means::Flag,
    Means::Flag,
    Means::Flag,
    Means::End,
];

/// Makes up the program of a number.
pub fn program(number: u64) -> Program {
    let mut random = Rng::with_seed(number);
    let threads = if random.u8(0..5) < 3 { 2 } else { 3 };
    let count = random.usize(3..=6);
    let mut maker = Maker {
        means: random.choose_multiple(MEANS, count),
        random,
        code: Vec::new(),
        held: Vec::new(),
        reads_or_writes: false,
        sections: 0,
    };
    let mut codes = vec![maker.main(threads)];
    codes.extend((1..threads).map(|_| maker.thread(threads)));
    if threads == 3 && !codes[0].contains(&Join(1)) && maker.rarely() {
        codes[2].push(Join(1));
    }
    Program {
        threads: codes,
        meeting: maker.random.usize(2..=threads),
        tokens: maker.random.u8(0..2),
        blinks: maker.random.bool(),
    }
}

struct Maker {
    random: Rng,
    means: Vec<Means>,
    code: Vec<Operation>,
    /// The mutexes that are held where code is being made, if nothing failed.
    held: Vec<Mutex>,
    /// Whether the reader-writer lock is.
    reads_or_writes: bool,
    sections: usize,
}

impl Maker {
    fn main(&mut self, threads: usize) -> Vec<Operation> {
        (1..threads).for_each(|thread| self.add(Create(thread)));
        for _ in 0..self.random.u8(0..3) {
            self.operation(1);
        }
        for thread in 1..threads {
            if self.random.u8(0..5) > 0 {
                self.add(Join(thread));
            }
        }
        if self.random.u8(0..5) == 0 {
            self.add(Leave);
        }
        std::mem::take(&mut self.code)
    }

    fn thread(&mut self, threads: usize) -> Vec<Operation> {
        for _ in 0..self.random.usize(1..=6 - threads) {
            self.operation(1);
        }
        if self.rarely() {
            self.add(GoTo(0));
        }
        std::mem::take(&mut self.code)
    }

    fn add(&mut self, operation: Operation) {
        self.code.push(operation);
    }

    fn here(&self) -> Label {
        self.code.len()
    }

    fn rarely(&mut self) -> bool {
        self.random.u8(0..12) == 0
    }

    fn flag(&mut self) -> Flag {
        Flag(self.random.usize(0..2))
    }

    /// What is done within something else.
    fn body(&mut self, depth: usize) {
        match depth.checked_sub(1) {
            Some(depth) => (0..self.random.usize(1..=2)).for_each(|_| self.operation(depth)),
            None if self.random.bool() => self.set(),
            None => {}
        }
    }

    fn set(&mut self) {
        let (flag, number) = (self.flag(), self.random.u8(0..3));
        self.add(Set(flag, number));
    }

    /// Something, with something else within it if it is deep.
    fn operation(&mut self, depth: usize) {
        match self.random.choice(self.means.iter().copied()) {
            Some(Means::Mutex) => self.critical(depth),
            Some(Means::Condition) => self.condition(false),
            Some(Means::TimedCondition) => self.condition(true),
            Some(Means::ReaderWriter) => self.reads_or_writes(depth),
            Some(Means::Barrier) => self.add(Meet),
            Some(Means::Semaphore) if self.random.bool() => self.add(Take),
            Some(Means::Semaphore) => self.add(Post),
            Some(Means::Section) => self.section(depth),
            Some(Means::Flag) => self.branch(depth),
            Some(Means::End) if self.rarely() => self.add(Exit),
            Some(Means::End) if self.rarely() => self.add(Leave),
            Some(Means::End) | None => self.set(),
        }
    }

    fn critical(&mut self, depth: usize) {
        let mutex = Mutex(self.random.usize(0..2));
        if self.held.contains(&mutex) && !self.rarely() {
            return self.body(0);
        }
        let first = self.here();
        self.add(Lock(mutex));
        self.held.push(mutex);
        self.body(depth);
        self.held.pop();
        if !self.rarely() {
            self.add(Unlock(mutex));
        }
        let after = self.here();
        match self.random.u8(0..12) {
            0 => self.code[first] = TryLock(mutex, after),
            1 => self.code[first] = TryLock(mutex, first),
            2 => self.code[first] = TimedLock(mutex, after),
            _ => {}
        }
    }

    fn condition(&mut self, timed: bool) {
        let mutex = Mutex(self.random.usize(0..2));
        let condition = Condition(self.random.usize(0..2));
        let is_held = self.held.contains(&mutex);
        if !is_held {
            self.add(Lock(mutex));
        }
        if timed || self.random.bool() {
            // Each condition variable has a mutex of its own: two at once would be misuse.
            self.wait(Condition(mutex.0), mutex, timed);
        } else {
            self.body(0);
            let all = self.random.bool();
            self.add(if all {
                Broadcast(condition)
            } else {
                Signal(condition)
            });
        }
        if !is_held {
            self.add(Unlock(mutex));
        }
    }

    /// Waits once, or as long as a flag is not set, or once unless it is.
    fn wait(&mut self, condition: Condition, mutex: Mutex, timed: bool) {
        let wait = match timed {
            true => TimedWait(condition, mutex),
            false => Wait(condition, mutex),
        };
        let (first, way, flag) = (self.here(), self.random.u8(0..3), self.flag());
        if way == 0 {
            return self.add(wait);
        }
        self.code.extend([GoTo(0), wait]);
        if way == 1 {
            self.add(GoTo(first));
        }
        self.code[first] = Branch {
            flag,
            equal: false,
            number: 0,
            to: self.here(),
        };
    }

    fn reads_or_writes(&mut self, depth: usize) {
        if self.reads_or_writes && !self.rarely() {
            return self.body(0);
        }
        let first = self.here();
        let writes = self.random.bool();
        self.add(if writes { Write } else { Read });
        let before = std::mem::replace(&mut self.reads_or_writes, true);
        self.body(depth);
        self.reads_or_writes = before;
        if !self.rarely() {
            self.add(Release);
        }
        if self.random.u8(0..6) == 0 {
            let after = self.here();
            self.code[first] = if writes {
                TryWrite(after)
            } else {
                TryRead(after)
            };
        }
    }

    fn section(&mut self, depth: usize) {
        let variable = self.sections;
        self.sections += 1;
        self.add(Begin(variable));
        self.body(depth);
        if !self.rarely() {
            self.add(End(variable));
        }
    }

    /// Sets a flag, waits for one without rest, or does something only if one has some number.
    fn branch(&mut self, depth: usize) {
        let (first, flag) = (self.here(), self.flag());
        let branch = |number, to| Branch {
            flag,
            equal: false,
            number,
            to,
        };
        let number = self.random.u8(0..3);
        match self.random.u8(0..6) {
            0 => self.add(branch(number, first)),
            1 | 2 => {
                self.add(GoTo(0));
                self.body(depth);
                self.code[first] = branch(number % 2, self.here());
            }
            _ => self.add(Set(flag, number)),
        }
    }
}
