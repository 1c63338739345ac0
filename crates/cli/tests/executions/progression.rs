//! Iterations that differ by the same numbers again and again.
//!
//! A path without products of variables and the like is an affine map f of the numbers in memory.
//! Take states a, f(a), f(f(a)) with f(a) - a = d = f(f(a)) - f(a). Then A·d = d for the linear
//! part A of f, so each further iteration on this path adds d, too. What the path compares changes
//! by the same number each time as well, so it is known how many more iterations take it: all, or
//! so many.

/// A number, or an address: of an object, with an offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// Zero for a number.
    pub object: usize,
    pub value: i128,
}

/// What an execution does that decides its path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A number stays where it is: below zero, at zero, above zero.
    Side(i128),
    /// A number is not below zero.
    NotNegative(i128),
    /// This is the same in each iteration: an address, an input.
    Same(i128),
    /// The path is no affine map.
    Other,
}

/// How many more iterations take the path of the last two.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum More {
    All,
    Number(i128),
}

/// The states at three visits, oldest first, and what happened between them. Returns what each
/// further iteration adds, and how many there are; `None` if it is not known.
pub fn more(states: [&[Cell]; 3], between: [&[Event]; 2]) -> Option<(Vec<i128>, More)> {
    let [first, second, third] = states;
    if first.len() != third.len() || second.len() != third.len() {
        return None;
    }
    let mut added = Vec::with_capacity(third.len());
    for ((a, b), c) in first.iter().zip(second).zip(third) {
        let step = c.value.checked_sub(b.value)?;
        if a.object != b.object || b.object != c.object || b.value.checked_sub(a.value)? != step {
            return None;
        }
        added.push(step);
    }
    let [before, after] = between;
    if before.len() != after.len() {
        return None;
    }
    let mut most = More::All;
    for (&earlier, &later) in before.iter().zip(after) {
        let number = match (earlier, later) {
            (Event::Same(a), Event::Same(b)) if a == b => continue,
            (Event::NotNegative(a), Event::NotNegative(b)) => times(b.checked_add(1)?, b - a),
            (Event::Side(0), Event::Side(0)) => continue,
            (Event::Side(a), Event::Side(b)) if a.signum() == b.signum() => times(b, b - a),
            _ => return None,
        };
        most = match (most, number) {
            (More::All, number) => number,
            (most, More::All) => most,
            (More::Number(a), More::Number(b)) => More::Number(a.min(b)),
        };
    }
    Some((added, most))
}

/// How often a step can be added to a number that is not zero until it is no longer on its side.
fn times(number: i128, step: i128) -> More {
    if step == 0 || step.signum() == number.signum() {
        return More::All;
    }
    More::Number((number.abs() - 1) / step.abs())
}
