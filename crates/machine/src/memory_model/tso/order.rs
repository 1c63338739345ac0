//! In which drain orders delayed stores can have reached memory when an instruction asks for it.
//!
//! A delayed store reaches memory at a time that nothing but the buffer's order determines. Nothing
//! is chosen, though, until an instruction *asks*: a load asks for bytes of memory, a fence for its
//! thread's buffer to be empty. A *drain order* is a sequence of delayed stores that reach memory
//! just then, each the oldest of its buffer. `docs/internals/tso.md` argues that the drain
//! orders which [`drain_orders`] gives are all that is needed.
//!
//! Two delayed stores *depend* on each other if they are of one buffer, or have a byte in common. A
//! store that is *asked for* is a store of another thread to a byte that is loaded from memory, or
//! one of the own stores that must leave the buffer. In a drain order, each store is asked for or
//! depends on a later one of the drain order. Of the drain orders with the same stores that leave
//! the same bytes in memory, one is given.

use super::DrainOrder;
use crate::state::store_buffer::{Buffer, Bytes, Entry};
use impasse_limits::Cancel;
use smallvec::SmallVec;
use std::collections::{BTreeMap, HashSet};
use std::iter::repeat_n;

/// What an instruction asks of the buffers.
pub struct Requested {
    /// Its thread.
    pub thread: usize,
    /// The bytes that it loads, from its own buffer where they are there.
    pub load: Option<Bytes>,
    /// How many of the thread's own stores must have reached memory.
    pub own: usize,
}

impl Requested {
    /// Returns the delayed stores that are part of some drain order.
    pub fn reached<'b>(&self, buffers: &[&'b Buffer]) -> impl Iterator<Item = &'b Entry> {
        let limits = limits(buffers, self);
        let stores = buffers.iter().copied().zip(limits);
        let stores: SmallVec<[_; 8]> = stores.collect();
        let reached = |(buffer, limit): (&'b Buffer, u32)| &buffer.entries()[..limit as usize];
        stores.into_iter().flat_map(reached)
    }

    /// Returns whether, after a drain order, a store of another thread to a byte that is loaded
    /// from memory is still delayed.
    pub fn is_late(&self, buffers: &[&Buffer], order: &[u16]) -> bool {
        let Some(load) = &self.load else {
            return false;
        };
        let rest = |thread: usize| {
            let gone = order.iter().filter(|&&t| t as usize == thread).count();
            buffers[thread].entries()[gone..].iter().map(|e| e.bytes())
        };
        let others = (0..buffers.len()).filter(|&thread| thread != self.thread);
        let mut late = others.flat_map(rest).filter(|store| store.overlaps(load));
        late.any(|store| {
            let both = store.range.start.max(load.range.start)..store.range.end.min(load.range.end);
            both.into_iter().any(|offset| {
                let mut own = rest(self.thread);
                !own.any(|own| own.object == load.object && own.range.contains(&offset))
            })
        })
    }
}

/// How many stores of each buffer have reached memory.
type Counts = SmallVec<[u32; 4]>;

/// Returns all drain orders, in a fixed order of which the first has the fewest stores, or `None`
/// if cancelled meanwhile.
pub fn drain_orders(
    buffers: &[&Buffer],
    requested: &Requested,
    cancel: &Cancel,
) -> Option<Vec<DrainOrder>> {
    let limits = limits(buffers, requested);
    let total: usize = limits.iter().map(|&limit| limit as usize).sum();
    if total == requested.own && limits[requested.thread] as usize == requested.own {
        return Some(vec![SmallVec::from_elem(
            requested.thread as u16,
            requested.own,
        )]);
    }
    let search = Search::new(buffers, requested, &limits);
    let mut found = BTreeMap::new();
    let mut counts: Counts = limits.iter().map(|_| 0).collect();
    counts[requested.thread] = requested.own as u32;
    loop {
        search.with_counts(&counts, &mut found, cancel);
        if cancel.is_cancelled() {
            return None;
        }
        let next = (0..limits.len()).find(|&n| counts[n] < limits[n]);
        let Some(next) = next else {
            return Some(found.into_values().collect());
        };
        counts[next] += 1;
        for (n, count) in counts[..next].iter_mut().enumerate() {
            *count = if n == requested.thread {
                requested.own as u32
            } else {
                0
            };
        }
    }
}

/// Returns the drain orders in which all buffers can become empty, or `None` if cancelled
/// meanwhile.
pub fn full_drain_orders(buffers: &[&Buffer], cancel: &Cancel) -> Option<Vec<DrainOrder>> {
    let whole: Vec<Buffer> = buffers.iter().map(|&b| b.clone()).collect();
    let mut partial = vec![(whole, DrainOrder::new())];
    for thread in 0..buffers.len() {
        let mut longer = Vec::new();
        for (buffers, order) in partial {
            let requested = Requested {
                thread,
                load: None,
                own: buffers[thread].entries().len(),
            };
            let views: SmallVec<[&Buffer; 8]> = buffers.iter().collect();
            for more in drain_orders(&views, &requested, cancel)? {
                let (mut rest, mut order) = (buffers.clone(), order.clone());
                for &thread in &more {
                    rest[thread as usize].remove(0);
                }
                order.extend(more);
                longer.push((rest, order));
            }
        }
        partial = longer;
    }
    Some(partial.into_iter().map(|(_, order)| order).collect())
}

/// How many stores of each buffer can be part of a drain order at most.
fn limits(buffers: &[&Buffer], requested: &Requested) -> Counts {
    let mut limits: Counts = buffers.iter().map(|_| 0).collect();
    limits[requested.thread] = requested.own as u32;
    if let Some(load) = &requested.load {
        for (n, buffer) in buffers
            .iter()
            .enumerate()
            .filter(|(n, _)| *n != requested.thread)
        {
            let last = buffer
                .entries()
                .iter()
                .rposition(|e| e.bytes().overlaps(load));
            limits[n] = last.map_or(0, |last| last as u32 + 1);
        }
    }
    loop {
        let mut grown = false;
        for n in 0..buffers.len() {
            let reached = |bytes: &Bytes| {
                let others = buffers
                    .iter()
                    .zip(&limits)
                    .enumerate()
                    .filter(|(m, _)| *m != n);
                others.into_iter().any(|(_, (buffer, &limit))| {
                    let stores = buffer.entries()[..limit as usize].iter();
                    stores.into_iter().any(|e| e.bytes().overlaps(bytes))
                })
            };
            let entries = buffers[n].entries();
            let beyond = limits[n] as usize..entries.len();
            let last = beyond.rev().find(|&at| reached(&entries[at].bytes()));
            if let Some(last) = last {
                limits[n] = last as u32 + 1;
                grown = true;
            }
        }
        if !grown {
            return limits;
        }
    }
}

/// The search for drain orders, from their last store to their first.
struct Search<'a> {
    requested: &'a Requested,
    /// The bytes of each buffer's stores.
    stores: Vec<Vec<Bytes>>,
    /// For each buffer and each of its stores, indices of the contested bytes that it writes.
    writes: Vec<Vec<SmallVec<[u32; 8]>>>,
    /// How many bytes are written by stores of several buffers.
    contested: usize,
}

/// A suffix of a drain order: what of each buffer comes before it, and for each contested byte the
/// buffer that writes it last, plus one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Suffix {
    before: Counts,
    last: SmallVec<[u16; 16]>,
}

/// What distinguishes drain orders: how many stores of each buffer they hold, and who wrote each
/// contested byte last.
type Outcome = (u32, Counts, SmallVec<[u16; 16]>);

impl<'a> Search<'a> {
    fn new(buffers: &[&Buffer], requested: &'a Requested, limits: &[u32]) -> Self {
        let stores: Vec<Vec<Bytes>> = buffers
            .iter()
            .zip(limits)
            .map(|(b, &limit)| {
                b.entries()[..limit as usize]
                    .iter()
                    .map(|e| e.bytes())
                    .collect()
            })
            .collect();
        let mut writers: BTreeMap<(u32, u32), (usize, bool)> = BTreeMap::new();
        for (n, stores) in stores.iter().enumerate() {
            for store in stores {
                for offset in store.range.clone() {
                    let writer = writers
                        .entry((store.object.0, offset))
                        .or_insert((n, false));
                    writer.1 |= writer.0 != n;
                }
            }
        }
        writers.retain(|_, (_, several)| *several);
        let index: BTreeMap<(u32, u32), u32> = writers.keys().copied().zip(0..).collect();
        let contested_in = |store: &Bytes| {
            let offsets = store.range.clone();
            offsets
                .filter_map(|o| index.get(&(store.object.0, o)).copied())
                .collect()
        };
        let writes = stores
            .iter()
            .map(|s| s.iter().map(contested_in).collect())
            .collect();
        Search {
            requested,
            writes,
            contested: index.len(),
            stores,
        }
    }

    /// Whether a byte of the load that is not forwarded from the own buffer is written by a store.
    fn loads_from(&self, store: &Bytes, counts: &Counts) -> bool {
        let Some(load) = self
            .requested
            .load
            .as_ref()
            .filter(|load| load.overlaps(store))
        else {
            return false;
        };
        let kept = &self.own_kept(counts);
        let both = store.range.start.max(load.range.start)..store.range.end.min(load.range.end);
        both.into_iter().any(|offset| {
            let mut kept = kept.iter();
            !kept.any(|own| own.object == load.object && own.range.contains(&offset))
        })
    }

    /// The candidates among the thread's own stores that stay in the buffer. The other stores that
    /// stay do not write what is loaded, or no other thread writes there.
    fn own_kept(&self, counts: &Counts) -> &[Bytes] {
        &self.stores[self.requested.thread][counts[self.requested.thread] as usize..]
    }

    fn is_asked_for(&self, buffer: usize, store: usize, counts: &Counts) -> bool {
        match buffer == self.requested.thread {
            true => store < self.requested.own,
            false => self.loads_from(&self.stores[buffer][store], counts),
        }
    }

    /// Adds the drain orders that hold so many stores of each buffer, or some of them if cancelled
    /// meanwhile.
    fn with_counts(
        &self,
        counts: &Counts,
        found: &mut BTreeMap<Outcome, DrainOrder>,
        cancel: &Cancel,
    ) {
        let newest_is_needed = |n: usize| {
            let Some(newest) = (counts[n] as usize).checked_sub(1) else {
                return true;
            };
            let store = &self.stores[n][newest];
            let mut others = (0..counts.len()).filter(|&m| m != n);
            self.is_asked_for(n, newest, counts)
                || others.any(|m| {
                    self.stores[m][..counts[m] as usize]
                        .iter()
                        .any(|o| o.overlaps(store))
                })
        };
        if !(0..counts.len()).all(newest_is_needed) {
            return;
        }
        if self.contested == 0 {
            let stores = counts.iter().enumerate();
            let order = stores.flat_map(|(n, &count)| repeat_n(n as u16, count as usize));
            let outcome = (counts.iter().sum(), counts.clone(), SmallVec::new());
            found.insert(outcome, order.collect());
            return;
        }
        let empty = Suffix {
            before: counts.clone(),
            last: SmallVec::from_elem(0, self.contested),
        };
        let mut seen = HashSet::from([empty.clone()]);
        let mut pending = vec![(empty, DrainOrder::new())];
        while let Some((suffix, order)) = pending.pop().filter(|_| !cancel.is_cancelled()) {
            if suffix.before.iter().all(|&n| n == 0) {
                let outcome = (counts.iter().sum(), counts.clone(), suffix.last);
                found
                    .entry(outcome)
                    .or_insert_with(|| order.into_iter().rev().collect());
                continue;
            }
            for n in (0..counts.len()).filter(|&n| self.can_precede(n, &suffix, counts)) {
                let mut longer = suffix.clone();
                longer.before[n] -= 1;
                for &byte in &self.writes[n][longer.before[n] as usize] {
                    let last = &mut longer.last[byte as usize];
                    *last = if *last == 0 { n as u16 + 1 } else { *last };
                }
                if seen.insert(longer.clone()) {
                    let mut order = order.clone();
                    order.push(n as u16);
                    pending.push((longer, order));
                }
            }
        }
    }

    /// Whether the newest store of buffer `n` that is not in the suffix is asked for, or needed by
    /// the suffix.
    fn can_precede(&self, n: usize, suffix: &Suffix, counts: &Counts) -> bool {
        let Some(newest) = (suffix.before[n] as usize).checked_sub(1) else {
            return false;
        };
        let store = &self.stores[n][newest];
        let later = |m: usize| &self.stores[m][suffix.before[m] as usize..counts[m] as usize];
        suffix.before[n] < counts[n]
            || self.is_asked_for(n, newest, counts)
            || (0..counts.len()).any(|m| m != n && later(m).iter().any(|o| o.overlaps(store)))
    }
}
