//! Happens-before by its definition (C++20 [intro.races], [atomics.order], [atomics.fences]), as a
//! relation between the events of a sequentially consistent execution: what the search must agree
//! with.

/// What a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// It accesses a place without atomicity.
    Plain { place: usize, writes: bool },
    /// It reads a place atomically.
    Load { place: usize, acquires: bool },
    /// It writes a place atomically.
    Store { place: usize, releases: bool },
    /// Both at once.
    Update {
        place: usize,
        acquires: bool,
        releases: bool,
    },
    /// It writes a place atomically, but the store waits in its buffer.
    Delay { place: usize, releases: bool },
    /// The oldest store in its buffer reaches memory.
    Reach,
    /// A fence.
    Fence { acquires: bool, releases: bool },
    /// It locks a mutex.
    Lock { mutex: usize },
    /// It unlocks one.
    Unlock { mutex: usize },
    /// It starts a thread.
    Start { thread: usize },
    /// It waits for the end of one.
    Join { thread: usize },
}

/// A thread and what it does, in the order of the execution.
pub type Event = (usize, Action);

/// A write of a place.
#[derive(Clone, Copy)]
struct Write {
    place: usize,
    /// The event that issues it.
    event: usize,
    atomic: bool,
    updates: bool,
}

/// An execution, as far as it has been read.
#[derive(Default)]
struct Execution {
    events: Vec<Event>,
    /// For each event, those that happen before it.
    before: Vec<Vec<usize>>,
    /// For each event, those that it synchronises with if it acquires what it reads.
    released: Vec<Vec<usize>>,
    /// All writes that have reached memory.
    writes: Vec<Write>,
    /// Those that have not, and their threads.
    delayed: Vec<(usize, Write)>,
}

/// Returns the first event that is an access which conflicts with an earlier one that does not
/// happen before it, and these earlier ones.
pub fn first_race(events: &[Event]) -> Option<(usize, Vec<usize>)> {
    let mut execution = Execution::default();
    (0..events.len()).find_map(|n| {
        execution.add(events[n]);
        let racing = execution.racing(n);
        (!racing.is_empty()).then_some((n, racing))
    })
}

impl Execution {
    fn add(&mut self, (thread, action): Event) {
        let n = self.events.len();
        self.events.push((thread, action));
        let released = match action {
            Action::Load { place, .. } | Action::Update { place, .. } => {
                self.released(thread, place)
            }
            _ => Vec::new(),
        };
        self.released.push(released);
        let mut sources = self.synchronising(n);
        sources.extend((0..n).rev().find(|&m| self.events[m].0 == thread));
        let mut before = sources.clone();
        before.extend(sources.iter().flat_map(|&m| &self.before[m]));
        before.sort_unstable();
        before.dedup();
        self.before.push(before);
        self.write(n);
    }

    /// The events that synchronise with one.
    fn synchronising(&self, n: usize) -> Vec<usize> {
        let (thread, action) = self.events[n];
        let earlier = |is_it: &dyn Fn(Event) -> bool| -> Vec<usize> {
            (0..n).filter(|&m| is_it(self.events[m])).collect()
        };
        let mut sources = earlier(&|(_, a)| a == Action::Start { thread });
        match action {
            Action::Load { acquires: true, .. } | Action::Update { acquires: true, .. } => {
                sources.extend(&self.released[n]);
            }
            Action::Fence { acquires: true, .. } => {
                let own = earlier(&|(by, _)| by == thread);
                sources.extend(own.iter().flat_map(|&m| &self.released[m]));
            }
            Action::Lock { mutex } => {
                sources.extend(earlier(&|(_, a)| a == Action::Unlock { mutex }))
            }
            Action::Join { thread: ended } => sources.extend(earlier(&|(by, a)| {
                by == ended || a == Action::Start { thread: ended }
            })),
            _ => {}
        }
        sources
    }

    /// What a read synchronises with if it acquires: the writes of the release sequence that ends
    /// in what it reads, and the fences before these.
    fn released(&self, thread: usize, place: usize) -> Vec<usize> {
        let mut own = self.delayed.iter();
        if own.any(|(by, write)| *by == thread && write.place == place) {
            return Vec::new();
        }
        let mut released = Vec::new();
        for write in self
            .writes
            .iter()
            .rev()
            .filter(|write| write.place == place)
        {
            if !write.atomic {
                break;
            }
            let (writer, action) = self.events[write.event];
            let releases = match action {
                Action::Store { releases, .. }
                | Action::Update { releases, .. }
                | Action::Delay { releases, .. } => releases,
                _ => false,
            };
            released.extend(releases.then_some(write.event));
            let fence = |m: &usize| {
                let (by, action) = self.events[*m];
                by == writer && matches!(action, Action::Fence { releases: true, .. })
            };
            released.extend((0..write.event).filter(fence));
            if !write.updates {
                break;
            }
        }
        released
    }

    /// Does what an event writes.
    fn write(&mut self, event: usize) {
        let (thread, action) = self.events[event];
        let write = |place, atomic, updates| Write {
            place,
            event,
            atomic,
            updates,
        };
        match action {
            Action::Plain {
                place,
                writes: true,
            } => self.writes.push(write(place, false, false)),
            Action::Store { place, .. } => self.writes.push(write(place, true, false)),
            Action::Update { place, .. } => self.writes.push(write(place, true, true)),
            Action::Delay { place, .. } => self.delayed.push((thread, write(place, true, false))),
            Action::Reach => {
                if let Some(at) = self.delayed.iter().position(|(by, _)| *by == thread) {
                    let (_, write) = self.delayed.remove(at);
                    self.writes.push(write);
                }
            }
            _ => {}
        }
    }

    /// The earlier accesses that one races with.
    fn racing(&self, n: usize) -> Vec<usize> {
        let (thread, action) = self.events[n];
        let Some((place, writes, atomic)) = access(action) else {
            return Vec::new();
        };
        let races = |m: &usize| {
            let (other, action) = self.events[*m];
            other != thread
                && !self.before[n].contains(m)
                && access(action).is_some_and(|(other_place, other_writes, other_atomic)| {
                    place == other_place && (writes || other_writes) && !(atomic && other_atomic)
                })
        };
        (0..n).filter(races).collect()
    }
}

/// The place that an action accesses, whether it writes, and whether it is atomic.
fn access(action: Action) -> Option<(usize, bool, bool)> {
    match action {
        Action::Plain { place, writes } => Some((place, writes, false)),
        Action::Load { place, .. } => Some((place, false, true)),
        Action::Store { place, .. }
        | Action::Update { place, .. }
        | Action::Delay { place, .. } => Some((place, true, true)),
        _ => None,
    }
}
