//! All interleavings of small programs, and whether one of them has a data race by the definition.

use crate::reference::{Action, Event, first_race};

/// An operation of a thread: a letter of `program.c`, a place, and a memory order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    pub letter: char,
    pub place: usize,
    pub order: u8,
}

impl Operation {
    fn acquires(self) -> bool {
        matches!(self.order, 2 | 4 | 5)
    }

    fn releases(self) -> bool {
        matches!(self.order, 3..=5)
    }
}

/// A state between two operations.
#[derive(Clone, Default)]
struct State {
    atomics: [i32; 2],
    semaphore: i32,
    owner: Option<usize>,
    threads: Vec<Thread>,
}

#[derive(Clone, Default)]
struct Thread {
    next: usize,
    last: i32,
    skips: bool,
}

/// Atomics stand behind the plain places, and the semaphore behind them.
const ATOMICS: usize = 2;
const SEMAPHORE: usize = 4;

/// Whether some execution of the threads has a race.
pub fn any_races(programs: &[Vec<Operation>]) -> bool {
    let threads = programs.len();
    let start = |n| (0, Action::Start { thread: n });
    let mut events: Vec<Event> = (1..=threads).map(start).collect();
    let state = State {
        threads: vec![Thread::default(); threads],
        ..State::default()
    };
    goes_on_to_race(programs, &state, &mut events)
}

fn goes_on_to_race(programs: &[Vec<Operation>], state: &State, events: &mut Vec<Event>) -> bool {
    let mut ended = true;
    for thread in 0..programs.len() {
        let mut after = state.clone();
        let Some(action) = after.step(programs, thread) else {
            continue;
        };
        ended = false;
        let count = events.len();
        events.extend(action.map(|action| (thread + 1, action)));
        let races = goes_on_to_race(programs, &after, events);
        events.truncate(count);
        if races {
            return true;
        }
    }
    ended && first_race(events).is_some()
}

impl State {
    /// Lets a thread execute its next operation: what that is in terms of the definition, if
    /// anything; none if it has ended or waits.
    fn step(&mut self, programs: &[Vec<Operation>], thread: usize) -> Option<Option<Action>> {
        let me = &mut self.threads[thread];
        let operation = match programs[thread].get(me.next) {
            Some(operation) => *operation,
            None if self.owner == Some(thread) => {
                self.owner = None;
                return Some(Some(Action::Unlock { mutex: 0 }));
            }
            None => return None,
        };
        me.next += 1;
        if std::mem::take(&mut me.skips) {
            return Some(None);
        }
        let (plain, atomic) = (operation.place, operation.place + ATOMICS);
        let (acquires, releases) = (operation.acquires(), operation.releases());
        let mine = self.owner == Some(thread);
        Some(match operation.letter {
            'r' | 'w' => Some(Action::Plain {
                place: plain,
                writes: operation.letter == 'w',
            }),
            'i' => {
                self.atomics[plain] = 0;
                Some(Action::Plain {
                    place: atomic,
                    writes: true,
                })
            }
            'l' => {
                me.last = self.atomics[plain];
                Some(Action::Load {
                    place: atomic,
                    acquires,
                })
            }
            's' => {
                self.atomics[plain] = 1;
                Some(Action::Store {
                    place: atomic,
                    releases,
                })
            }
            'u' | 'k' => {
                if operation.letter == 'u' {
                    me.last = self.atomics[plain];
                }
                self.atomics[plain] += 1;
                Some(Action::Update {
                    place: atomic,
                    acquires,
                    releases,
                })
            }
            'f' => Some(Action::Fence { acquires, releases }),
            'L' if mine => None,
            'L' if self.owner.is_some() => return None,
            'T' if mine => None,
            'T' if self.owner.is_some() => {
                me.last = 0;
                None
            }
            'L' | 'T' => {
                if operation.letter == 'T' {
                    me.last = 1;
                }
                self.owner = Some(thread);
                Some(Action::Lock { mutex: 0 })
            }
            'U' if mine => {
                self.owner = None;
                Some(Action::Unlock { mutex: 0 })
            }
            'U' => None,
            'p' => {
                self.semaphore += 1;
                Some(semaphore(false, true))
            }
            't' if self.semaphore > 0 => {
                self.semaphore -= 1;
                me.last = 1;
                Some(semaphore(true, false))
            }
            't' => {
                me.last = 0;
                None
            }
            'v' => {
                me.last = self.semaphore;
                None
            }
            '?' => {
                me.skips = me.last == 0;
                None
            }
            letter => unreachable!("the operation {letter}"),
        })
    }
}

fn semaphore(acquires: bool, releases: bool) -> Action {
    Action::Update {
        place: SEMAPHORE,
        acquires,
        releases,
    }
}
