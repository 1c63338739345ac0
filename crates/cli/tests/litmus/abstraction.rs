//! The operations of a litmus test, read from its source, and the outcomes that the axioms of RC11
//! give them.
//!
//! A source has globals, a function for each thread, and `THREADS`. What it may have besides
//! statements that are [`Operation`]s, such as locks, makes it no program for the axioms.

use crate::axioms::{Behaviour, Kind, Operation, Outcome, behaviour};
use impasse_program::instruction::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A litmus test in the language of the axioms.
#[derive(Default)]
pub struct Abstraction {
    threads: Vec<Vec<Operation>>,
    /// The names of the atomics.
    atomics: Vec<String>,
    /// The names of the plain variables that are no registers.
    plain: Vec<String>,
    /// The thread and the number of the operation that a register has the value of.
    registers: BTreeMap<String, (usize, usize)>,
    /// The variables of an outcome, in their order.
    marked: Vec<String>,
}

impl Abstraction {
    /// Reads a source. Fails with the reason if the axioms say nothing of it.
    pub fn read(source: &str) -> Result<Abstraction, String> {
        let mut abstraction = Abstraction::default();
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            let is_empty = line.is_empty() || line.starts_with("//");
            if is_empty || line.starts_with("#include") || line.starts_with("THREADS(") {
                continue;
            }
            match line.starts_with("static void *thread") {
                true => {
                    let body = lines.by_ref().skip(1).take_while(|line| *line != "}");
                    let body: Vec<&str> = body.map(str::trim).collect();
                    abstraction.add_thread(&body.join(" "))?;
                }
                false => abstraction.declare(line)?,
            }
        }
        Ok(abstraction)
    }

    fn declare(&mut self, line: &str) -> Result<(), String> {
        let declaration = line.trim_end_matches(';');
        let names = |list: &str| list.split(", ").map(str::to_owned).collect::<Vec<_>>();
        let marked = declaration.strip_prefix("IMPASSE_OUTCOME(");
        if let Some(list) = declaration.strip_prefix("static atomic_int ") {
            self.atomics.extend(names(list));
        } else if let Some(list) = declaration.strip_prefix("static int ") {
            self.plain.extend(names(list));
        } else if let Some((kind, name)) =
            marked.and_then(|marked| marked.strip_suffix(')')?.split_once(", "))
        {
            self.marked.push(name.to_owned());
            match kind {
                "int" => {}
                "atomic_int" => self.atomics.push(name.to_owned()),
                _ => return Err(line.to_owned()),
            }
        } else {
            return Err(line.to_owned());
        }
        Ok(())
    }

    fn add_thread(&mut self, body: &str) -> Result<(), String> {
        let number = self.threads.len();
        let mut thread = Thread {
            abstraction: self,
            number,
            operations: Vec::new(),
            last: None,
            expected: 0,
        };
        for statement in body.split(';').map(str::trim).filter(|s| !s.is_empty()) {
            let known = thread.add(statement);
            known.ok_or_else(|| format!("thread {number}: {statement}"))?;
        }
        let operations = thread.operations;
        self.threads.push(operations);
        Ok(())
    }

    /// Returns the outcomes as Impasse prints them. Fails if there is a data race.
    pub fn outcomes(&self) -> Result<BTreeSet<String>, String> {
        match behaviour(&self.threads, self.atomics.len() as u8) {
            Behaviour::Races => Err("a data race".into()),
            Behaviour::Outcomes(found) => Ok(found.iter().map(|o| self.in_words(o)).collect()),
        }
    }

    fn in_words(&self, (last, reads): &Outcome) -> String {
        let value = |name: &String| {
            if let Some(place) = self.atomics.iter().position(|atomic| atomic == name) {
                return last[place];
            }
            // What a thread leaves out leaves the register as it was.
            let operation = self.registers.get(name);
            let is_it = |(t, n, _): &&(usize, usize, u8)| operation == Some(&(*t, *n));
            reads.iter().find(is_it).map_or(0, |(_, _, value)| *value)
        };
        let words = self
            .marked
            .iter()
            .map(|name| format!("{name}={}", value(name)));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A thread of which the first statements are known.
struct Thread<'a> {
    abstraction: &'a mut Abstraction,
    number: usize,
    operations: Vec<Operation>,
    /// The register that has what was read last.
    last: Option<String>,
    /// What the next compare-exchange expects.
    expected: u8,
}

impl Thread<'_> {
    /// Adds a statement. Returns `None` if it is no operation of the axioms.
    fn add(&mut self, statement: &str) -> Option<()> {
        if statement == "return argument" || statement.starts_with("atomic_signal_fence(") {
            return Some(());
        }
        if statement.starts_with("__asm__ volatile(\"mfence\"") {
            return self.push(Kind::Fence, 0, Ordering::SequentiallyConsistent, 0);
        }
        if let Some(name) = statement.strip_prefix("atomic_int ") {
            self.abstraction
                .atomics
                .push(self.own(name.strip_suffix(" = 0")?));
            return Some(());
        }
        if let Some(expected) = statement.strip_prefix("int expected = ") {
            self.expected = expected.parse().ok()?;
            return Some(());
        }
        if let Some((register, rest)) = statement
            .strip_prefix("if (")
            .and_then(|s| s.split_once(") "))
        {
            self.is_last(register).then_some(())?;
            self.push(Kind::Skip, 0, Ordering::Relaxed, 0)?;
            return self.add(rest);
        }
        match statement.split_once(" = ") {
            Some((target, value)) => self.assign(target, value),
            None => self.call(statement),
        }
    }

    fn assign(&mut self, target: &str, value: &str) -> Option<()> {
        let plain = |name: &str| {
            self.abstraction
                .plain
                .iter()
                .position(|plain| plain == name)
        };
        if let Some(place) = plain(target) {
            let value = value.parse().ok()?;
            return self.push(Kind::Write, place, Ordering::NotAtomic, value);
        }
        match plain(value) {
            Some(place) => self.push(Kind::Read, place, Ordering::NotAtomic, 0)?,
            None if value == "expected" => {
                matches!(self.operations.last()?.kind, Kind::CompareExchange(..)).then_some(())?;
            }
            None => self.call(value)?,
        }
        let at = self.operations.len() - 1;
        let is_guarded = at > 0 && self.operations[at - 1].kind == Kind::Skip;
        self.last = (!is_guarded).then(|| target.to_owned());
        let registers = &mut self.abstraction.registers;
        let before = registers.insert(target.to_owned(), (self.number, at));
        before.is_none().then_some(())
    }

    /// Adds a call of a function of stdatomic.h.
    fn call(&mut self, call: &str) -> Option<()> {
        let (name, arguments) = call.strip_suffix(')')?.split_once('(')?;
        let arguments: Vec<&str> = arguments.trim().split(", ").collect();
        let (name, orders) = match name.strip_suffix("_explicit") {
            Some(name) => (
                name,
                arguments
                    .iter()
                    .position(|a| a.starts_with("memory_order_"))?,
            ),
            None if name == "atomic_thread_fence" => (name, 0),
            None => (name, arguments.len()),
        };
        let (arguments, orders) = arguments.split_at(orders);
        let orders: Option<Vec<Ordering>> = orders.iter().map(|name| order(name)).collect();
        let orders = orders?;
        let total = Ordering::SequentiallyConsistent;
        let first = orders.first().copied().unwrap_or(total);
        if name == "atomic_thread_fence" {
            return self.push(Kind::Fence, 0, first, 0);
        }
        let place = self.place(arguments[0].strip_prefix('&')?)?;
        let constant = |n: usize| arguments.get(n)?.parse::<u8>().ok();
        match name {
            "atomic_load" => self.push(Kind::Load, place, first, 0)?,
            "atomic_store" if self.is_last(arguments.get(1)?) => {
                return self.push(Kind::StoreLast, place, first, 0);
            }
            "atomic_store" => return self.push(Kind::Store, place, first, constant(1)?),
            "atomic_exchange" => self.push(Kind::Exchange, place, first, constant(1)?)?,
            "atomic_fetch_add" => self.push(Kind::Add, place, first, constant(1)?)?,
            "atomic_compare_exchange_strong" => {
                let failure = orders.get(1).copied().unwrap_or(total);
                let kind = Kind::CompareExchange(self.expected, failure);
                self.push(kind, place, first, constant(2)?)?;
            }
            _ => return None,
        }
        // What it has read is in no register yet.
        self.last = None;
        Some(())
    }

    fn push(&mut self, kind: Kind, place: usize, order: Ordering, value: u8) -> Option<()> {
        let place = place as u8;
        self.operations.push(Operation {
            kind,
            place,
            order,
            value,
        });
        Some(())
    }

    /// Whether the value that was read last is surely in a register.
    fn is_last(&self, register: &str) -> bool {
        self.last.as_deref() == Some(register)
    }

    /// The name of an atomic of the thread's own.
    fn own(&self, name: &str) -> String {
        format!("{name} of thread {}", self.number)
    }

    fn place(&self, name: &str) -> Option<usize> {
        let own = self.own(name);
        let mut atomics = self.abstraction.atomics.iter();
        atomics.position(|atomic| atomic == name || *atomic == own)
    }
}

fn order(name: &str) -> Option<Ordering> {
    Some(match name.strip_prefix("memory_order_")? {
        "relaxed" => Ordering::Relaxed,
        "acquire" => Ordering::Acquire,
        "release" => Ordering::Release,
        "acq_rel" => Ordering::AcquireRelease,
        "seq_cst" => Ordering::SequentiallyConsistent,
        _ => return None,
    })
}
