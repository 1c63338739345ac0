//! What a path condition says of the differences between readings of clocks, in a normal form.
//!
//! A reading is an input of [`CLOCK_BITS`] bits, which no other input has. A conjunct that compares
//! two readings, or their seconds, each with a constant added, bounds the difference of two
//! integers: the constants are small enough that no sum wraps. Readings that nothing else mentions
//! are eliminated as by Fourier and Motzkin, which is exact for differences of integers, and bounds
//! that others imply are dropped. A time that is forgotten may be any integer, also one before the
//! year 1970: else each sleep would bound the distance from then, and no two states were the same.
//! So a loop that asks for the time has the same states each time.

use super::{Arena, Input, InputId, SharedTerms};
use impasse_solver::{Binary, Node, Term, Test};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The width of an input that is a reading of a clock. A clock never shows more nanoseconds, which
/// pass until the year 2116.
pub const CLOCK_BITS: u8 = 62;
/// The last time that a clock shows.
const LAST: i128 = (1 << CLOCK_BITS) - 1;
/// Constants that are added to readings are smaller.
const FAR: i128 = 1 << 61;
/// So many nanoseconds are a second.
const SECOND: i128 = 1_000_000_000;

/// Returns whether an input is a reading of a clock.
pub fn is_clock(input: Input) -> bool {
    input.1 == CLOCK_BITS
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Time {
    Zero,
    /// A reading.
    Exact(InputId),
    /// The whole seconds of a reading.
    Second(InputId),
}

/// What is compared with what.
type Pair = (Time, Time);

/// By how much the second of a pair is more than the first, at least.
#[derive(Clone)]
struct Bounds {
    known: BTreeMap<Pair, i128>,
    /// How long a second is.
    second: i128,
}

impl Bounds {
    fn new(second: i128) -> Bounds {
        Bounds {
            known: BTreeMap::new(),
            second,
        }
    }

    /// What the range of readings says of a pair.
    fn in_range(&self, pair: Pair) -> Option<i128> {
        match pair {
            (a, b) if a == b => Some(0),
            (Time::Zero, _) => Some(0),
            (Time::Exact(_), Time::Zero) => Some(-LAST),
            (Time::Second(_), Time::Zero) => Some(-(LAST / self.second)),
            _ => None,
        }
    }

    /// Adds a bound, unless the range of readings implies it. Returns whether it can be written
    /// down.
    fn add(&mut self, pair: Pair, least: i128) -> bool {
        if self.in_range(pair).is_some_and(|known| known >= least) {
            return true;
        }
        let is_plain = match pair {
            (Time::Exact(a), Time::Exact(b)) | (Time::Second(a), Time::Second(b)) => {
                a != b && least.abs() < FAR
            }
            (Time::Zero, Time::Zero) => false,
            (Time::Zero, _) | (_, Time::Zero) => least.abs() < 1 << 63,
            _ => false,
        };
        if is_plain {
            let known = self.known.entry(pair).or_insert(least);
            *known = least.max(*known);
        }
        is_plain
    }

    /// What is known of a pair.
    fn least(&self, pair: Pair) -> Option<i128> {
        let ordered = match pair {
            (Time::Second(a), Time::Second(b)) => {
                let exact = self.known.get(&(Time::Exact(a), Time::Exact(b)));
                exact.filter(|least| **least >= 0).map(|_| 0)
            }
            _ => None,
        };
        let known = self.known.get(&pair).copied();
        known.max(self.in_range(pair)).max(ordered)
    }

    /// The bounds before a time, and those after it.
    fn around(&self, time: Time) -> [Vec<(Time, i128)>; 2] {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (&(first, second), &least) in &self.known {
            if second == time {
                before.push((first, least));
            } else if first == time {
                after.push((second, least));
            }
        }
        [before, after]
    }

    /// Removes a reading, with what its bounds imply for the others. Returns whether it could.
    ///
    /// The reading is any integer of an interval, which may have no lower end, whose seconds are
    /// all integers of an interval again. So there is a reading if neither interval is empty, and
    /// the bounds of the seconds meet the second one.
    fn eliminate(&mut self, reading: InputId) -> bool {
        let (exact, whole) = (Time::Exact(reading), Time::Second(reading));
        let [before, mut after] = self.around(exact);
        let [least, most] = self.around(whole);
        if after.iter().all(|(other, _)| *other != Time::Zero) {
            after.push((Time::Zero, -LAST));
        }
        let mut others = self.clone();
        let own = |time: Time| time == exact || time == whole;
        others.known.retain(|&(a, b), _| !own(a) && !own(b));
        let mut meet = |before: &[(Time, i128)], after: &[(Time, i128)]| {
            let pairs = before
                .iter()
                .flat_map(|a| after.iter().map(move |b| (a, b)));
            let mut pairs = pairs.map(|(a, b)| others.add((a.0, b.0), a.1 + b.1));
            pairs.all(|is_written| is_written)
        };
        if !meet(&before, &after) {
            return false;
        }
        if !least.is_empty() || !most.is_empty() {
            let seconds = |&(other, least): &(Time, i128), is_before: bool| match other {
                Time::Zero if is_before => Some((other, least.div_euclid(self.second))),
                Time::Zero => Some((other, -(-least).div_euclid(self.second))),
                Time::Exact(other) if least % self.second == 0 => {
                    Some((Time::Second(other), least / self.second))
                }
                _ => None,
            };
            let first: Option<Vec<_>> = before.iter().map(|it| seconds(it, true)).collect();
            let last: Option<Vec<_>> = after.iter().map(|it| seconds(it, false)).collect();
            let (Some(first), Some(last)) = (first, last) else {
                return false;
            };
            if !meet(&least, &most) || !meet(&least, &last) || !meet(&first, &most) {
                return false;
            }
        }
        *self = others;
        true
    }

    /// Returns whether some readings are within the bounds, or `None` if seconds are bounded too.
    fn are_possible(&self) -> Option<bool> {
        // The earliest times that the bounds allow.
        let mut earliest = BTreeMap::new();
        for time in self.known.keys().flat_map(|&(a, b)| [a, b]) {
            if matches!(time, Time::Second(_)) {
                return None;
            }
            earliest.insert(time, 0);
        }
        for _ in 0..=earliest.len() {
            let mut is_settled = true;
            for (&(first, second), &least) in &self.known {
                let time = earliest[&first] + least;
                if time > earliest[&second] {
                    if second == Time::Zero || time > LAST {
                        return Some(false);
                    }
                    earliest.insert(second, time);
                    is_settled = false;
                }
            }
            if is_settled {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Drops the bounds that two others imply.
    fn reduce(&mut self) {
        let times = self.known.keys().flat_map(|&(a, b)| [a, b]);
        let times: FxHashSet<Time> = times.chain([Time::Zero]).collect();
        let pairs: Vec<Pair> = self.known.keys().copied().collect();
        for pair in pairs {
            let Some(least) = self.known.remove(&pair) else {
                continue;
            };
            let implies = |between: &Time| {
                let sum = self
                    .least((pair.0, *between))
                    .zip(self.least((*between, pair.1)));
                sum.is_some_and(|(a, b)| a + b >= least)
            };
            if !times.iter().any(implies) {
                self.known.insert(pair, least);
            }
        }
    }
}

impl SharedTerms {
    /// Brings the conjuncts that bound differences of readings into a normal form, without the
    /// readings that no other conjunct mentions and that are not `mentioned`.
    pub fn normalise_times(&self, conjuncts: &mut Vec<Term>, mentioned: &FxHashSet<InputId>) {
        let mut arena = self.arena();
        let mut bounds = Bounds::new(SECOND);
        let mut others = Vec::new();
        let mut readings = Vec::new();
        for &conjunct in conjuncts.iter() {
            let inputs = arena.inputs_of(conjunct);
            if inputs.iter().copied().all(is_clock) && arena.add_bound(conjunct, &mut bounds) {
                readings.extend(inputs.iter().map(|&(input, _)| input));
                continue;
            }
            others.push(conjunct);
        }
        if readings.is_empty() {
            return;
        }
        others.retain(|&conjunct| {
            let Some((first, second, least)) = arena.as_different(conjunct) else {
                return true;
            };
            // One bound says that they are in order: then it is strict.
            let pairs = [(first, second, least), (second, first, -least)];
            !pairs.into_iter().any(|(first, second, least)| {
                let known = bounds.known.get(&(first, second));
                known.is_some_and(|known| *known >= least) && bounds.add((first, second), least + 1)
            })
        });
        let mut fixed = mentioned.clone();
        for &conjunct in &others {
            let inputs = arena.inputs_of(conjunct);
            fixed.extend(inputs.iter().map(|&(input, _)| input));
        }
        readings.sort_unstable();
        readings.dedup();
        for reading in readings {
            if !fixed.contains(&reading) {
                bounds.eliminate(reading);
            }
        }
        bounds.reduce();
        let written = bounds
            .known
            .iter()
            .map(|(&pair, &least)| arena.bound_of(pair, least));
        let written: Vec<Term> = written.collect();
        others.extend(written);
        *conjuncts = others;
    }
}

impl Arena {
    /// Returns whether conditions can hold together that bound differences of readings, or `None`
    /// if some of them are no such bounds.
    pub(super) fn are_times_possible(&mut self, conditions: &[Term]) -> Option<bool> {
        let mut bounds = Bounds::new(SECOND);
        for &condition in conditions {
            let inputs = self.inputs_of(condition);
            let is_added = inputs.iter().copied().all(is_clock);
            if !is_added || !self.add_bound(condition, &mut bounds) {
                return None;
            }
        }
        bounds.are_possible()
    }

    /// Adds the bound that a conjunct is. Returns false, and adds nothing, if it is none.
    fn add_bound(&self, conjunct: Term, bounds: &mut Bounds) -> bool {
        let Node::Test(test, a, b) = self.terms.node(conjunct) else {
            return false;
        };
        let width = self.terms.width(a);
        let is_read = match test {
            Test::SignedLess | Test::SignedLessEqual => width == 64,
            Test::UnsignedLess | Test::UnsignedLessEqual => width == CLOCK_BITS,
            Test::Equal => width == 64 || width == CLOCK_BITS,
            _ => false,
        };
        if !is_read {
            return false;
        }
        let Some((first, second, least)) = self.as_difference(a, b) else {
            return false;
        };
        match test {
            Test::Equal => {
                let mut both = bounds.clone();
                let are_added =
                    both.add((first, second), least) && both.add((second, first), -least);
                if are_added {
                    *bounds = both;
                }
                are_added
            }
            Test::SignedLess | Test::UnsignedLess => bounds.add((first, second), least + 1),
            _ => bounds.add((first, second), least),
        }
    }

    /// The times that a conjunct says to differ, with the constant that is added to the first.
    fn as_different(&self, conjunct: Term) -> Option<(Time, Time, i128)> {
        let Node::Not(equal) = self.terms.node(conjunct) else {
            return None;
        };
        match self.terms.node(equal) {
            Node::Test(Test::Equal, a, b) if [64, CLOCK_BITS].contains(&self.terms.width(a)) => {
                self.as_difference(a, b)
            }
            _ => None,
        }
    }

    /// The times of which a comparison compares the first, plus a constant, with the second one,
    /// and the constant. One side may be the difference of two times, and the other a constant.
    fn as_difference(&self, a: Term, b: Term) -> Option<(Time, Time, i128)> {
        if let (Some((first, more)), Some((second, further))) = (self.as_time(a), self.as_time(b)) {
            return Some((first, second, more - further));
        }
        if let (Some((first, second, more)), Some((Time::Zero, further))) =
            (self.as_distance(a), self.as_time(b))
        {
            return Some((first, second, more - further));
        }
        match (self.as_time(a)?, self.as_distance(b)?) {
            ((Time::Zero, more), (first, second, further)) => Some((second, first, more - further)),
            _ => None,
        }
    }

    /// The times and the constant such that a term is the first, less the second, plus the
    /// constant.
    fn as_distance(&self, term: Term) -> Option<(Time, Time, i128)> {
        let terms = &self.terms;
        if terms.width(term) != 64 {
            return None;
        }
        let (difference, added) = match terms.node(term) {
            Node::Binary(Binary::Add, inner, more) => match self.as_time(more)? {
                (Time::Zero, more) => (inner, more),
                _ => return None,
            },
            _ => (term, 0),
        };
        let Node::Binary(Binary::Subtract, first, second) = terms.node(difference) else {
            return None;
        };
        let ((first, more), (second, further)) = (self.as_time(first)?, self.as_time(second)?);
        let are_small = [more, further, added].iter().all(|it| it.abs() < FAR / 2);
        are_small.then_some((first, second, more - further + added))
    }

    /// The time and the constant whose sum a term is.
    fn as_time(&self, term: Term) -> Option<(Time, i128)> {
        let terms = &self.terms;
        let number = |term: Term| {
            let unused = 128 - u32::from(terms.width(term));
            let value = terms.as_constant(term)? as i128;
            Some(match terms.width(term) {
                CLOCK_BITS => value,
                _ => value << unused >> unused,
            })
        };
        let reading = |term: Term| match terms.node(term) {
            Node::Symbol(symbol) => {
                let input = self.inputs[symbol.index() as usize];
                is_clock(input).then_some(input.0)
            }
            _ => None,
        };
        let widened = |term: Term| match terms.node(term) {
            Node::ZeroExtend(inner) => reading(inner),
            _ => None,
        };
        let time = |term: Term| match terms.node(term) {
            Node::Binary(Binary::SignedDivide | Binary::UnsignedDivide, inner, by) => {
                let is_second = number(by) == Some(SECOND);
                widened(inner).filter(|_| is_second).map(Time::Second)
            }
            _ => widened(term).map(Time::Exact),
        };
        match terms.node(term) {
            Node::Constant(_) => Some((Time::Zero, number(term)?)),
            Node::Symbol(_) => Some((Time::Exact(reading(term)?), 0)),
            Node::Binary(Binary::Add, inner, more) => {
                let more = number(more)?;
                (more.abs() < FAR / 2).then_some((time(inner)?, more))
            }
            _ => Some((time(term)?, 0)),
        }
    }

    /// The conjunct that is a bound.
    fn bound_of(&mut self, (first, second): Pair, least: i128) -> Term {
        let mut sum = |of: Time, more: i128| {
            let constant = self.terms.constant(more as u128, 64);
            let (Time::Exact(id) | Time::Second(id)) = of else {
                return constant;
            };
            let reading = self.input((id, CLOCK_BITS));
            let reading = self.terms.zero_extend(reading, 64);
            let time = match of {
                Time::Second(_) => {
                    let second = self.terms.constant(SECOND as u128, 64);
                    self.terms.binary(Binary::SignedDivide, reading, second)
                }
                _ => reading,
            };
            self.terms.add(time, constant)
        };
        let (a, b) = match (first, second) {
            (Time::Zero, _) => (sum(Time::Zero, least), sum(second, 0)),
            (_, Time::Zero) => (sum(first, 0), sum(Time::Zero, -least)),
            _ => (sum(first, 0), sum(second, -least)),
        };
        self.terms.test(Test::SignedLessEqual, a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elimination among small times, against all times of the eliminated reading.
    #[test]
    fn elimination_is_exact() {
        let [x, y, z] = [0, 1, 2].map(|number| InputId::new(1, number));
        let [a, b, c] = [x, y, z].map(Time::Exact);
        let [p, q, r] = [x, y, z].map(Time::Second);
        let pairs = [
            (a, b),
            (b, a),
            (b, c),
            (c, b),
            (a, c),
            (Time::Zero, b),
            (b, Time::Zero),
            (p, q),
            (q, r),
            (r, q),
            (q, Time::Zero),
        ];
        let mut random = fastrand::Rng::with_seed(1);
        let (mut satisfied, mut left, mut impossible) = ([0, 0], 0, 0);
        for _ in 0..400 {
            let mut bounds = Bounds::new(3);
            for pair in pairs {
                if random.u8(0..4) > 0 {
                    continue;
                }
                let least = match pair {
                    (Time::Exact(_), Time::Exact(_)) if random.bool() => 0,
                    (_, Time::Zero) => -random.i128(1..9),
                    _ => random.i128(-4..4),
                };
                assert!(bounds.add(pair, least));
            }
            let holds = |bounds: &Bounds, times: [i128; 3]| {
                let of = |id: InputId| times[[x, y, z].iter().position(|it| *it == id).unwrap()];
                let time = |time: Time| match time {
                    Time::Zero => 0,
                    Time::Exact(id) => of(id),
                    Time::Second(id) => of(id).div_euclid(3),
                };
                let mut all = bounds.known.iter();
                all.all(|(&(a, b), &least)| time(a) + least <= time(b))
            };
            let mut exact = bounds.clone();
            exact.known.retain(|(a, b), _| {
                let is_second = |time: &Time| matches!(time, Time::Second(_));
                !is_second(a) && !is_second(b)
            });
            let all = (0..14).flat_map(|a| (0..14).map(move |b| (a, b)));
            let mut all = all.flat_map(|(a, b)| (0..14).map(move |c| [a, b, c]));
            let is_any = all.any(|times| holds(&exact, times));
            assert_eq!(exact.are_possible(), Some(is_any));
            impossible += usize::from(!is_any);
            let mut reduced = bounds.clone();
            reduced.reduce();
            let mut without = reduced.clone();
            let is_eliminated = without.eliminate(y);
            left += usize::from(!is_eliminated);
            without.reduce();
            for (a, c) in (0..9).flat_map(|a| (0..9).map(move |c| (a, c))) {
                let some = (-40..40).any(|b| holds(&bounds, [a, b, c]));
                if is_eliminated {
                    assert_eq!(holds(&without, [a, 0, c]), some);
                    satisfied[usize::from(some)] += 1;
                }
                for b in 0..12 {
                    let all = [a, b, c];
                    assert_eq!(holds(&bounds, all), holds(&reduced, all));
                }
            }
        }
        assert!(satisfied.iter().all(|&count| count > 1000), "{satisfied:?}");
        assert!(left < 200, "{left}");
        assert!(impossible > 10, "{impossible}");
    }

    /// Conjuncts that are read as bounds and written down again mean the same.
    #[test]
    fn bounds_are_read_and_written() {
        let shared = SharedTerms::default();
        let inputs = [0, 1].map(|number| (InputId::new(1, number), CLOCK_BITS));
        let [x, y] = inputs.map(|input| shared.input(input));
        let sides = shared.with(|terms| {
            let wide = [x, y].map(|reading| terms.zero_extend(reading, 64));
            let five = terms.constant(5, 64);
            let least = terms.constant(u128::from(u64::MAX - 2), 64);
            let second = terms.constant(SECOND as u128, 64);
            let whole = wide.map(|time| terms.binary(Binary::SignedDivide, time, second));
            let later = terms.add(whole[1], five);
            let sums = [terms.add(wide[0], five), terms.add(wide[1], least)];
            let distance = terms.add(terms.subtract(wide[0], wide[1]), least);
            [
                wide[0], wide[1], sums[0], sums[1], five, whole[0], later, distance,
            ]
        });
        let mentioned = inputs.iter().map(|&(input, _)| input).collect();
        let mut read = 0;
        for test in [Test::SignedLess, Test::SignedLessEqual, Test::Equal] {
            for (a, b) in sides.iter().flat_map(|a| sides.map(|b| (*a, b))) {
                let conjunct = shared.with(|terms| terms.test(test, a, b));
                let mut conjuncts = vec![conjunct];
                shared.normalise_times(&mut conjuncts, &mentioned);
                read += usize::from(conjuncts != [conjunct]);
                for (first, second) in (0..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
                    let times = [first, second].map(|n| n / 4 * SECOND as u64 + n % 4);
                    let values = shared.values(&[(inputs[0], times[0]), (inputs[1], times[1])]);
                    let holds = |term: &Term| shared.value(*term, &values) == 1;
                    assert_eq!(holds(&conjunct), conjuncts.iter().all(holds));
                }
            }
        }
        assert!(read > 8, "{read}");
    }
}
