//! How the numbers of objects are divided among threads.
//!
//! Objects that only one thread reaches have numbers of that thread's *id range*, all others of id
//! range 0. So what one thread allocates and frees for itself leaves the numbers of all other
//! objects as they are. IdRanges take turns in runs of sixteen numbers, as long as the runs of the
//! stored form (`crate::state::entry_tree`), so that they differ in runs of their own. Once round
//! is a *stripe*.

/// The division for some number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdRanges(u32);

/// Entries in a run.
pub const RUN: usize = 16;

/// Numbers in a turn of an id range.
const TURN: u32 = RUN as u32;

impl IdRanges {
    /// Returns the division for this number of threads. There are few divisions, since every object
    /// of a thread has another number in another one.
    pub fn of(threads: usize) -> IdRanges {
        IdRanges(match threads {
            0 | 1 => 2,
            2 | 3 => 4,
            _ => (threads as u32 + 1).next_power_of_two().max(16),
        })
    }

    /// Returns the id range of a thread's own objects.
    pub fn own(self, thread: usize) -> u32 {
        (thread as u32 + 1).min(self.0 - 1)
    }

    /// Returns the thread whose own objects an id range has, if it is that of one of so many only.
    pub fn owner(self, id_range: u32, threads: usize) -> Option<usize> {
        let owner = id_range.checked_sub(1)? as usize;
        let is_shared = owner + 1 < threads && self.own(owner + 1) == id_range;
        (owner < threads && !is_shared).then_some(owner)
    }

    /// Returns the `n`th number of an id range.
    #[inline]
    pub fn number(self, id_range: u32, n: u32) -> u32 {
        (n / TURN * self.0 + id_range) * TURN + n % TURN
    }

    /// Returns the id range that a number belongs to.
    #[inline]
    pub fn range_of(self, number: u32) -> u32 {
        number / TURN % self.0
    }

    /// Returns the number that an object has when two threads with id ranges of their own change
    /// places.
    pub fn exchanged(self, number: u32, one: usize, other: usize) -> u32 {
        let (one, other) = (self.own(one), self.own(other));
        match self.range_of(number) {
            range if range == one => number - one * TURN + other * TURN,
            range if range == other => number - other * TURN + one * TURN,
            _ => number,
        }
    }

    /// Returns the least multiple of a whole stripe, at least one stripe, that is `count` or more.
    pub fn stripes(self, count: u32) -> u32 {
        count.max(1).next_multiple_of(self.0 * TURN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_change_places_with_their_threads() {
        let id_ranges = IdRanges::of(5);
        for n in 0..100 {
            let [one, other] = [2, 4].map(|thread| id_ranges.number(id_ranges.own(thread), n));
            assert_eq!(id_ranges.exchanged(one, 2, 4), other);
            assert_eq!(id_ranges.exchanged(other, 2, 4), one);
            assert_eq!(id_ranges.owner(id_ranges.range_of(one), 5), Some(2));
            let third = id_ranges.number(id_ranges.own(3), n);
            assert_eq!(id_ranges.exchanged(third, 2, 4), third);
        }
    }

    #[test]
    fn id_ranges_share_all_numbers_out() {
        for threads in 1..9 {
            let id_ranges = IdRanges::of(threads);
            let mut all = Vec::new();
            for id_range in 0..id_ranges.0 {
                let numbers = (0..3 * TURN).map(|n| id_ranges.number(id_range, n));
                all.extend(
                    numbers.inspect(|&number| assert_eq!(id_ranges.range_of(number), id_range)),
                );
            }
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..3 * TURN * id_ranges.0));
            assert_eq!(id_ranges.stripes(all.len() as u32), all.len() as u32);
            assert_eq!(id_ranges.stripes(all.len() as u32 - 1), all.len() as u32);
        }
    }
}
