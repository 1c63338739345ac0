//! How the numbers of objects are divided among threads.
//!
//! Objects that only one thread reaches have numbers of that thread's *band*, all others of band 0. So what one thread allocates and
//! frees for itself leaves the numbers of all other objects as they are. Bands take turns in runs of sixteen numbers, as
//! long as the runs of the stored form (`crate::state::sequence`), so that they differ in runs of their own. Once round is a *stripe*.

use crate::state::sequence::RUN;

/// The division for some number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bands(u32);

/// Numbers in a turn of a band.
const TURN: u32 = RUN as u32;

impl Bands {
    /// The division for so many threads. There are few of them, since all threads' own objects have other numbers in another one.
    pub fn of(threads: usize) -> Bands {
        Bands(match threads {
            0 | 1 => 2,
            2 | 3 => 4,
            _ => (threads as u32 + 1).next_power_of_two().max(16),
        })
    }

    /// The band of a thread's own objects.
    pub fn own(self, thread: usize) -> u32 {
        (thread as u32 + 1).min(self.0 - 1)
    }

    /// The `n`th number of a band.
    #[inline]
    pub fn number(self, band: u32, n: u32) -> u32 {
        (n / TURN * self.0 + band) * TURN + n % TURN
    }

    /// The band of a number.
    #[inline]
    pub fn band(self, number: u32) -> u32 {
        number / TURN % self.0
    }

    /// The least number of whole stripes, at least one, that hold `count` numbers, in numbers.
    pub fn stripes(self, count: u32) -> u32 {
        count.max(1).next_multiple_of(self.0 * TURN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_share_all_numbers_out() {
        for threads in 1..9 {
            let bands = Bands::of(threads);
            let mut all = Vec::new();
            for band in 0..bands.0 {
                let numbers = (0..3 * TURN).map(|n| bands.number(band, n));
                all.extend(numbers.inspect(|&number| assert_eq!(bands.band(number), band)));
            }
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..3 * TURN * bands.0));
            assert_eq!(bands.stripes(all.len() as u32), all.len() as u32);
            assert_eq!(bands.stripes(all.len() as u32 - 1), all.len() as u32);
        }
    }
}
