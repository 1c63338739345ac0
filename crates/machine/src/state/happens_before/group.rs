//! Accesses, by who knows of them.

use super::Holder;
use super::holder::{Holders, Knowing, holds};
use super::spans::{Span, Spans};

/// Accesses of which the same ones know.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Group {
    pub(super) holders: Holders,
    pub(super) spans: Spans,
}

impl Clone for Group {
    fn clone(&self) -> Group {
        Group {
            holders: Holders::from_slice(&self.holders),
            spans: self.spans.clone(),
        }
    }
}

impl Group {
    /// An access that a thread makes now.
    pub(super) fn new(holder: Holder, span: Span) -> Group {
        let mut spans = Spans::default();
        spans.add(span);
        Group {
            holders: [holder].into_iter().collect(),
            spans,
        }
    }

    pub(super) fn knows(&self, holder: Holder) -> bool {
        holds(&self.holders, holder)
    }

    /// Whether whatever knows of the other one's accesses knows of these, now and later. A thread
    /// that knows gets nothing new by its fence.
    pub(super) fn is_known_to_all_of(&self, other: &Group) -> bool {
        other.holders.iter().all(|holder| match *holder {
            Holder::AcquireFence(thread) => {
                self.knows(*holder) || self.knows(Holder::Thread(thread))
            }
            holder => self.knows(holder),
        })
    }
}

/// A thread makes an access that it alone knows of.
pub(super) fn add_to_own(groups: &mut Vec<Group>, thread: u32, span: Span) {
    let me = Holder::Thread(thread);
    match groups.iter_mut().find(|group| group.holders[..] == [me]) {
        Some(group) => {
            group.spans.add(span);
        }
        None => groups.push(Group::new(me, span)),
    }
}

/// The accesses of groups that conflict with one of a thread which does not know of them, and the
/// indices of the groups.
pub(super) fn conflicting(
    groups: &[Group],
    thread: u32,
    span: &Span,
) -> impl Iterator<Item = (usize, Span)> {
    let me = Holder::Thread(thread);
    let groups = groups.iter().enumerate();
    let unknown = groups.filter(move |(_, group)| !group.knows(me));
    unknown.filter_map(|(n, group)| Some((n, group.spans.conflicting_with(span)?)))
}

/// Drops accesses that all know of, or that others stand for.
pub(super) fn drop_known(groups: &mut Vec<Group>, knowing: &Knowing) {
    groups.retain_mut(|group| {
        let is_fence = |holder: &Holder| matches!(holder, Holder::AcquireFence(_));
        if group.holders.iter().any(is_fence) {
            let known = group.holders.clone();
            // A thread that knows gets nothing new by its fence.
            group.holders.retain(|holder| match *holder {
                Holder::AcquireFence(thread) => !holds(&known, Holder::Thread(thread)),
                _ => true,
            });
        }
        let all_know = { knowing.of_each() }.all(|k| k.iter().any(|holder| group.knows(*holder)));
        !group.spans.is_empty() && !all_know
    });
    groups.sort_unstable_by(|one, other| one.holders.cmp(&other.holders));
    groups.dedup_by(|next, kept| {
        let same = next.holders == kept.holders;
        if same {
            kept.spans.merge(&next.spans);
        }
        same
    });
    for n in 0..groups.len() {
        let mut spans = std::mem::take(&mut groups[n].spans);
        let known = &groups[n];
        let less_known = groups
            .iter()
            .filter(|group| known.is_known_to_all_of(group));
        less_known.for_each(|group| spans.subtract(&group.spans));
        groups[n].spans = spans;
    }
    groups.retain(|group| !group.spans.is_empty());
}
