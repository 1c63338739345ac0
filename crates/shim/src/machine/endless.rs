//! Computation that never ends and never communicates.
//!
//! Between two communications a task depends on nothing but its variables and its next inputs. So
//! if it comes back to an instruction with the same variables, without having asked for an input,
//! it goes round forever. The state compared with is replaced after 1, 2, 4, … times as many
//! jumps back (Brent's algorithm), so that every cycle that is entered is found soon.

use super::frame::Frame;

/// Watches one function between two communications.
pub(super) struct Rounds<T> {
    earlier: Option<(Frame<T>, u32)>,
    /// Jumps back until another state is taken, and how many there were to be.
    left: u64,
    interval: u64,
    /// A variable by which a state differed from the earlier one.
    differs: usize,
}

impl<T> Default for Rounds<T> {
    fn default() -> Self {
        Rounds {
            earlier: None,
            left: FIRST,
            interval: FIRST,
            differs: 0,
        }
    }
}

/// Jumps back before the first state is taken; most loops are over by then.
const FIRST: u64 = 64;

impl<T: Copy + PartialEq> Rounds<T> {
    /// After a jump back: whether everything is as it was before, with so many inputs asked for.
    pub(super) fn repeats(&mut self, frame: &Frame<T>, inputs: u32) -> bool {
        if let Some((earlier, asked)) = &self.earlier
            && earlier.pc == frame.pc
            && *asked == inputs
            && earlier.cells.get(self.differs) == frame.cells.get(self.differs)
        {
            let mut pairs = earlier.cells.iter().zip(&frame.cells);
            match pairs.position(|(a, b)| a != b) {
                Some(position) => self.differs = position,
                None => return true,
            }
        }
        self.left -= 1;
        if self.left == 0 {
            self.earlier = Some((frame.clone(), inputs));
            self.interval *= 2;
            self.left = self.interval;
        }
        false
    }
}
