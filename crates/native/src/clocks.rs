//! Which accesses of a process are ordered: a clock for each thread and for each object by which
//! threads synchronise.

use crate::protocol::Access;
use std::collections::{BTreeMap, HashMap};

/// For each thread, how much of what it did is known to come before.
type Clock = BTreeMap<u32, u64>;

/// The clocks of a process.
#[derive(Default)]
pub struct Clocks {
    threads: HashMap<u32, Known>,
    objects: HashMap<u64, Clock>,
}

/// What a thread knows.
#[derive(Clone, Default)]
struct Known {
    clock: Clock,
    /// What a release fence gives to the relaxed stores after it.
    fenced: Clock,
    /// What relaxed loads have read, for an acquire fence after them.
    read: Clock,
    /// The call that the thread is in.
    call: Option<Access>,
}

impl Clocks {
    /// Notes that a thread starts another one.
    pub fn start(&mut self, parent: Option<u32>, child: u32) {
        let clock = match parent {
            Some(parent) => self.tick(parent),
            None => Clock::new(),
        };
        let known = self.threads.entry(child).or_default();
        known.clock = clock;
        known.clock.insert(child, 1);
    }

    /// Notes what a thread does, and returns its own time then.
    pub fn act(&mut self, thread: u32, access: &Access) -> u64 {
        self.end_call(thread);
        let time = self.time(thread);
        let is_fence = access.size == 0 && access.atomic;
        if is_fence {
            self.fence(thread, access);
        } else if access.size == 0 {
            let now = self.tick(thread);
            let gives = access.address > 0 && access.order.releases;
            let objects = [access.address, access.other];
            for object in objects.into_iter().filter(|_| gives) {
                join(self.objects.entry(object).or_default(), &now);
            }
            self.known(thread).call = Some(*access);
        } else if access.atomic {
            self.atomic(thread, access);
        }
        time
    }

    /// Returns whether what a thread did at a time of its own comes before what another one does
    /// next.
    pub fn is_before(&mut self, thread: u32, time: u64, other: u32) -> bool {
        self.end_call(other);
        let known = &self.known(other).clock;
        known.get(&thread).is_some_and(|&it| it >= time)
    }

    fn known(&mut self, thread: u32) -> &mut Known {
        self.threads.entry(thread).or_default()
    }

    fn time(&mut self, thread: u32) -> u64 {
        *self.known(thread).clock.entry(thread).or_insert(1)
    }

    /// The clock of a thread; what it does from now on comes later.
    fn tick(&mut self, thread: u32) -> Clock {
        let clock = &mut self.known(thread).clock;
        let now = clock.clone();
        *clock.entry(thread).or_insert(1) += 1;
        now
    }

    /// Notes that the call in which a thread is has been in vain, and orders nothing.
    pub fn forget_call(&mut self, thread: u32) {
        self.known(thread).call = None;
    }

    /// A call acquires when it returns.
    fn end_call(&mut self, thread: u32) {
        let call = self.known(thread).call.take();
        let Some(call) = call.filter(|call| call.order.acquires) else {
            return;
        };
        for object in [call.address, call.other] {
            let of_object = self.objects.get(&object).filter(|_| object > 0).cloned();
            join(
                &mut self.known(thread).clock,
                &of_object.unwrap_or_default(),
            );
        }
        if call.address == 0 && call.other > 0 {
            let joined = self.known(call.other as u32).clock.clone();
            join(&mut self.known(thread).clock, &joined);
        }
    }

    fn fence(&mut self, thread: u32, access: &Access) {
        if access.order.acquires {
            let known = self.known(thread);
            join(&mut known.clock, &known.read);
        }
        if access.order.releases {
            self.known(thread).fenced = self.tick(thread);
        }
    }

    fn atomic(&mut self, thread: u32, access: &Access) {
        let of_object = self.objects.entry(access.address).or_default().clone();
        let known = self.known(thread);
        if access.reads {
            let to = match access.order.acquires {
                true => &mut known.clock,
                false => &mut known.read,
            };
            join(to, &of_object);
        }
        if access.writes {
            let mut given = match access.order.releases {
                true => self.tick(thread),
                false => known.fenced.clone(),
            };
            if access.reads {
                join(&mut given, &of_object);
            }
            self.objects.insert(access.address, given);
        }
    }
}

fn join(into: &mut Clock, from: &Clock) {
    for (&thread, &time) in from {
        let known = into.entry(thread).or_insert(0);
        *known = (*known).max(time);
    }
}

#[cfg(test)]
mod tests {
    use super::Clocks;
    use crate::protocol::{Access, Order};

    fn plain(writes: bool) -> Access {
        Access {
            reads: !writes,
            writes,
            address: 8,
            size: 4,
            ..Access::default()
        }
    }

    fn atomic(writes: bool, orders: bool) -> Access {
        Access {
            reads: !writes,
            writes,
            atomic: true,
            address: 16,
            size: 4,
            order: Order {
                acquires: orders && !writes,
                releases: orders && writes,
            },
            ..Access::default()
        }
    }

    fn call(address: u64, other: u64) -> Access {
        Access {
            address,
            other,
            order: Order {
                acquires: true,
                releases: true,
            },
            ..Access::default()
        }
    }

    fn two_threads() -> Clocks {
        let mut clocks = Clocks::default();
        clocks.start(None, 0);
        clocks.start(Some(0), 1);
        clocks
    }

    #[test]
    fn a_release_store_orders_what_is_before_it_and_a_relaxed_one_does_not() {
        for orders in [true, false] {
            let mut clocks = two_threads();
            let time = clocks.act(0, &plain(true));
            clocks.act(0, &atomic(true, orders));
            clocks.act(1, &atomic(false, true));
            assert_eq!(clocks.is_before(0, time, 1), orders);
            let later = clocks.act(0, &plain(true));
            assert!(!clocks.is_before(0, later, 1));
        }
    }

    #[test]
    fn fences_order_around_relaxed_accesses() {
        let fence = |acquires, releases| Access {
            atomic: true,
            order: Order { acquires, releases },
            ..Access::default()
        };
        for (first, second) in [(true, true), (true, false), (false, true)] {
            let mut clocks = two_threads();
            let time = clocks.act(0, &plain(true));
            if first {
                clocks.act(0, &fence(false, true));
            }
            clocks.act(0, &atomic(true, false));
            clocks.act(1, &atomic(false, false));
            if second {
                clocks.act(1, &fence(true, false));
            }
            assert_eq!(clocks.is_before(0, time, 1), first && second);
        }
    }

    #[test]
    fn only_a_lock_that_is_taken_orders_what_is_before_its_release() {
        let of = |acquires, releases| Access {
            order: Order { acquires, releases },
            ..call(64, 0)
        };
        for (releases, vain) in [(true, false), (false, false), (true, true)] {
            let mut clocks = two_threads();
            let time = clocks.act(0, &plain(true));
            clocks.act(0, &of(!releases, releases));
            clocks.act(1, &of(true, false));
            if vain {
                clocks.forget_call(1);
            }
            assert_eq!(clocks.is_before(0, time, 1), releases && !vain);
        }
    }

    #[test]
    fn starts_joins_and_locks_order() {
        let mut clocks = Clocks::default();
        clocks.start(None, 0);
        let before = clocks.act(0, &plain(true));
        clocks.start(Some(0), 1);
        assert!(clocks.is_before(0, before, 1));
        let inside = clocks.act(1, &plain(true));
        assert!(!clocks.is_before(1, inside, 0));
        clocks.act(1, &call(64, 0));
        clocks.act(0, &call(64, 0));
        assert!(clocks.is_before(1, inside, 0));
        let last = clocks.act(1, &plain(true));
        assert!(!clocks.is_before(1, last, 0));
        clocks.act(0, &call(0, 1));
        assert!(clocks.is_before(1, last, 0));
    }
}
