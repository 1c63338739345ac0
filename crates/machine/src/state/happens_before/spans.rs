//! Sets of accesses, as spans of bytes: of each byte only the accesses that matter.

use crate::base::codec::{Reader, put};
use crate::state::memory::Access;
use impasse_program::address::{Address, ObjectId};
use std::ops::Range;

/// Of so many spans of an object, each is looked at.
const FEW: usize = 8;

/// What an access does to bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(u8);

impl Kind {
    const WRITES: u8 = 1;
    const PLAIN: u8 = 2;
    /// An atomic read.
    pub(super) const ATOMIC_READ: Kind = Kind(0);
    const ALL: [Kind; 4] = [Kind(0), Kind(1), Kind(2), Kind(3)];

    /// Returns the kind of an access.
    pub fn new(access: Access, atomic: bool) -> Kind {
        let writes = (access == Access::Write) as u8 * Self::WRITES;
        Kind(writes | ((!atomic) as u8 * Self::PLAIN))
    }

    /// Returns whether the access reads or writes.
    pub fn access(self) -> Access {
        match self.0 & Self::WRITES {
            0 => Access::Read,
            _ => Access::Write,
        }
    }

    /// Returns whether it is atomic.
    pub fn is_atomic(self) -> bool {
        self.0 & Self::PLAIN == 0
    }

    /// Returns whether two accesses to the same byte race if nothing orders them.
    pub fn conflicts_with(self, other: Kind) -> bool {
        self.0 | other.0 == Self::WRITES | Self::PLAIN
    }

    /// Whether whatever conflicts with the other kind conflicts with this one.
    fn dominates(self, other: Kind) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Accesses of one kind to bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The object.
    pub object: ObjectId,
    /// What they do.
    pub kind: Kind,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset behind the last one.
    pub end: u32,
}

impl Span {
    /// Returns the address of the first byte.
    pub fn address(&self) -> Address {
        Address {
            object: self.object,
            offset: self.start.into(),
        }
    }

    fn overlaps(&self, other: &Span) -> bool {
        self.object == other.object && self.start < other.end && other.start < self.end
    }

    /// Returns whether it races with an access that nothing orders.
    pub fn conflicts_with(&self, other: &Span) -> bool {
        self.kind.conflicts_with(other.kind) && self.overlaps(other)
    }
}

/// A set of accesses. Of those to a byte, none is in it that another one dominates.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Spans(Vec<Span>);

impl Spans {
    /// Returns whether there is no access.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The indices of the spans of an object.
    fn of(&self, object: ObjectId) -> Range<usize> {
        let first = self.0.partition_point(|s| s.object < object);
        let rest = &self.0[first..];
        let few = &rest[..rest.len().min(FEW)];
        let count = match few.iter().position(|s| s.object != object) {
            Some(count) => count,
            None => rest.partition_point(|s| s.object == object),
        };
        first..first + count
    }

    /// The spans of the object of a span, if they are few.
    fn few(&self, span: &Span) -> Option<&[Span]> {
        let all = &self.0[self.of(span.object)];
        (all.len() <= FEW).then_some(all)
    }

    /// The indices of the spans of a kind that overlap with a span, or lie next to it.
    fn range(&self, kind: Kind, span: &Span) -> Range<usize> {
        let of = self.of(span.object);
        let all = &self.0[of.clone()];
        let first = all.partition_point(|s| s.kind < kind || s.kind == kind && s.end < span.start);
        let near = |s: &Span| s.kind == kind && s.start <= span.end;
        let count = all[first..].partition_point(near);
        of.start + first..of.start + first + count
    }

    /// The spans of a kind that overlap with a span.
    fn overlapping(&self, kind: Kind, span: &Span) -> impl Iterator<Item = &Span> {
        let near = &self.0[self.range(kind, span)];
        near.iter().filter(move |s| s.overlaps(span))
    }

    /// Returns the first access, in the order of objects.
    pub(super) fn first(&self) -> Option<&Span> {
        self.0.first()
    }

    /// Returns an access that races with `span` if nothing orders the two, or `None`.
    pub fn conflicting_with(&self, span: &Span) -> Option<Span> {
        if let Some(few) = self.few(span) {
            return few.iter().find(|s| s.conflicts_with(span)).copied();
        }
        let kinds = Kind::ALL
            .into_iter()
            .filter(|kind| kind.conflicts_with(span.kind));
        kinds
            .flat_map(|kind| self.overlapping(kind, span))
            .next()
            .copied()
    }

    /// Adds an access. Returns false if the set already covers it.
    pub fn add(&mut self, new: Span) -> bool {
        let covers =
            |s: &Span| s.kind.dominates(new.kind) && s.start <= new.start && new.end <= s.end;
        if self.few(&new).is_some_and(|few| few.iter().any(covers)) {
            return false;
        }
        let mut added = false;
        for piece in self.uncovered(new) {
            added = true;
            for kind in Kind::ALL {
                if kind != new.kind && new.kind.dominates(kind) {
                    self.cut(kind, &piece);
                }
            }
            self.insert(piece);
        }
        added
    }

    /// The parts of a span that no access of the set dominates.
    fn uncovered(&self, new: Span) -> Vec<Span> {
        let mut parts = vec![new];
        for kind in Kind::ALL
            .into_iter()
            .filter(|kind| kind.dominates(new.kind))
        {
            for known in self.overlapping(kind, &new) {
                parts = parts
                    .into_iter()
                    .flat_map(|part| without(part, known))
                    .collect();
            }
        }
        parts
    }

    /// Takes the bytes of a span out of the accesses of a kind.
    fn cut(&mut self, kind: Kind, span: &Span) {
        let range = self.range(kind, span);
        if range.is_empty() {
            return;
        }
        let rest: Vec<Span> = self.0[range.clone()]
            .iter()
            .flat_map(|s| without(*s, span))
            .collect();
        self.0.splice(range, rest);
    }

    /// Inserts a span that overlaps with none of its kind, and joins it with its neighbours.
    fn insert(&mut self, new: Span) {
        let range = self.range(new.kind, &new);
        let near = &self.0[range.clone()];
        let joined = Span {
            start: near.first().map_or(new.start, |s| s.start.min(new.start)),
            end: near.last().map_or(new.end, |s| s.end.max(new.end)),
            ..new
        };
        self.0.splice(range, [joined]);
    }

    /// Removes what accesses of another set dominate.
    pub fn subtract(&mut self, other: &Spans) {
        for span in &other.0 {
            for kind in Kind::ALL
                .into_iter()
                .filter(|kind| span.kind.dominates(*kind))
            {
                self.cut(kind, span);
            }
        }
    }

    /// Adds the accesses of another set.
    pub fn merge(&mut self, other: &Spans) {
        for span in &other.0 {
            self.add(*span);
        }
    }

    /// Returns all of them, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = &Span> {
        self.0.iter()
    }

    /// Drops what is in some objects.
    pub fn forget_all(&mut self, forgotten: &dyn Fn(ObjectId) -> bool) {
        self.0.retain(|span| !forgotten(span.object));
    }

    /// Removes the accesses to an object.
    pub fn forget(&mut self, object: ObjectId) {
        self.0.retain(|span| span.object != object);
    }

    /// Renames objects, and removes the accesses to those that are gone.
    pub fn rename(&mut self, new_name: &dyn Fn(ObjectId) -> Option<ObjectId>) {
        self.0.retain_mut(|span| match new_name(span.object) {
            Some(object) => {
                span.object = object;
                true
            }
            None => false,
        });
        self.0.sort_unstable();
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.0.len() as u64);
        for span in &self.0 {
            put(out, (span.object.0 as u64) << 2 | span.kind.0 as u64);
            put(out, span.start as u64);
            put(out, (span.end - span.start) as u64);
        }
    }

    /// Reads a stored form.
    pub fn decode(reader: &mut Reader<'_>) -> Spans {
        let spans = (0..reader.small()).map(|_| {
            let what = reader.number();
            let start = reader.small();
            Span {
                object: ObjectId((what >> 2) as u32),
                kind: Kind(what as u8 & 3),
                start,
                end: start + reader.small(),
            }
        });
        Spans(spans.collect())
    }
}

/// What is left of a span without the bytes of another one.
fn without(span: Span, other: &Span) -> impl Iterator<Item = Span> {
    let apart = !span.overlaps(other);
    let before = Span {
        end: if apart {
            span.end
        } else {
            other.start.max(span.start)
        },
        ..span
    };
    let behind = Span {
        start: if apart {
            span.end
        } else {
            other.end.min(span.end)
        },
        ..span
    };
    [before, behind].into_iter().filter(|s| s.start < s.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span() -> impl Strategy<Value = Span> {
        (0u32..2, 0u8..4, 0u32..12, 1u32..6).prop_map(|(object, kind, start, bytes)| Span {
            object: ObjectId::dynamic(object),
            kind: Kind(kind),
            start,
            end: start + bytes,
        })
    }

    fn set(all: &[Span]) -> Spans {
        let mut spans = Spans::default();
        all.iter().for_each(|span| {
            spans.add(*span);
        });
        spans
    }

    proptest! {
        /// Whatever is merged or left out, the same accesses race.
        #[test]
        fn a_set_races_as_its_accesses_do(all in prop::collection::vec(span(), 0..12), other in span()) {
            let races = all.iter().any(|span| span.conflicts_with(&other));
            prop_assert_eq!(set(&all).conflicting_with(&other).is_some(), races);
        }

        /// The order does not matter, nor does how bytes are accessed piece by piece.
        #[test]
        fn equal_sets_are_equal(all in prop::collection::vec(span(), 0..8), seed: u64) {
            let bytes = all.iter().flat_map(|s| (s.start..s.end).map(|n| Span { start: n, end: n + 1, ..*s }));
            let mut bytes: Vec<Span> = bytes.collect();
            fastrand::Rng::with_seed(seed).shuffle(&mut bytes);
            prop_assert_eq!(set(&all), set(&bytes));
        }

        #[test]
        fn what_is_dominated_is_subtracted(all in prop::collection::vec(span(), 0..8), others in prop::collection::vec(span(), 0..8), probe in span()) {
            let byte = |s: &Span, n: u32| Span { start: n, end: n + 1, ..*s };
            let mut rest = set(&all);
            rest.subtract(&set(&others));
            let kept = |s: &Span, n: u32| {
                !others.iter().any(|o| o.overlaps(&byte(s, n)) && o.kind.dominates(s.kind))
            };
            let expected: Vec<Span> = all
                .iter()
                .flat_map(|s| (s.start..s.end).filter(move |&n| kept(s, n)).map(move |n| byte(s, n)))
                .collect();
            let races = expected.iter().any(|s| s.conflicts_with(&probe));
            prop_assert_eq!(rest.conflicting_with(&probe).is_some(), races);
        }

        #[test]
        fn what_is_stored_is_read_back(all in prop::collection::vec(span(), 0..8)) {
            let spans = set(&all);
            let mut stored = Vec::new();
            spans.encode(&mut stored);
            prop_assert_eq!(Spans::decode(&mut Reader::new(&stored)), spans);
        }
    }
}
