//! Which memory orders to try for each operation, and the search for the weakest ones.
//!
//! Weaker orders permit all that stronger ones do. So an order that does not do for one operation
//! does not do either when others have become weaker, and one pass over the operations leaves none
//! of which a single order could be weakened further.

use super::trial::Finding;
use impasse_program::atomics::AtomicKind;
use impasse_program::instruction::Ordering;
use impasse_program::orders::Orders;

/// Returns all orders of a kind of operation, each after all weaker ones.
pub fn all_orders(kind: AtomicKind) -> Vec<Orders> {
    use Ordering::{Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent};
    let one = |order| Orders {
        order,
        failure: None,
    };
    let all = [
        Relaxed,
        Acquire,
        Release,
        AcquireRelease,
        SequentiallyConsistent,
    ];
    let fits = |order: &Ordering| match kind {
        AtomicKind::Load => !matches!(order, Release | AcquireRelease),
        AtomicKind::Store => !matches!(order, Acquire | AcquireRelease),
        _ => true,
    };
    let orders = all.into_iter().filter(fits);
    if kind != AtomicKind::CompareExchange {
        return orders.map(one).collect();
    }
    let failures = [Relaxed, Acquire, SequentiallyConsistent];
    let with_failure = |order| {
        let weaker = failures
            .into_iter()
            .filter(move |&failure| is_at_most(failure, order));
        weaker.map(move |failure| Orders {
            order,
            failure: Some(failure),
        })
    };
    orders.flat_map(with_failure).collect()
}

/// Returns whether an order is another one or weaker.
fn is_at_most(order: Ordering, other: Ordering) -> bool {
    use Ordering::{Acquire, AcquireRelease, NotAtomic, Relaxed, Release, Unordered};
    order == other
        || match order {
            NotAtomic | Unordered => true,
            Relaxed => !matches!(other, NotAtomic | Unordered),
            Acquire | Release => other >= AcquireRelease,
            AcquireRelease | Ordering::SequentiallyConsistent => {
                order == AcquireRelease && other == Ordering::SequentiallyConsistent
            }
        }
}

/// Returns whether orders are others or weaker.
pub fn are_at_most(orders: Orders, others: Orders) -> bool {
    let failures = match (orders.failure, others.failure) {
        (Some(one), Some(other)) => is_at_most(one, other),
        _ => true,
    };
    is_at_most(orders.order, others.order) && failures
}

/// The strongest orders of an operation.
pub fn strongest(kind: AtomicKind) -> Orders {
    *all_orders(kind).last().expect("each operation has orders")
}

/// The strongest orders of an operation that are not sequentially consistent.
fn strongest_of_release_and_acquire(kind: AtomicKind) -> Orders {
    let is_total = |orders: &Orders| {
        let total = Ordering::SequentiallyConsistent;
        orders.order == total || orders.failure == Some(total)
    };
    let mut orders = all_orders(kind).into_iter().rev();
    let found = orders.find(|orders| !is_total(orders));
    found.expect("each operation can be relaxed")
}

/// An operation whose orders may change.
pub struct Choice {
    /// What it does.
    pub kind: AtomicKind,
    /// Its orders are these or stronger.
    pub least: Option<Orders>,
    /// The orders that do, as far as is known.
    pub orders: Orders,
    /// Orders that do not, with the reason, while all later operations had their strongest orders.
    pub rejected: Vec<(Orders, Finding)>,
}

impl Choice {
    fn permits(&self, orders: Orders) -> bool {
        are_at_most(orders, self.orders)
            && self.least.is_none_or(|least| are_at_most(least, orders))
    }

    /// The orders to try, weakest first.
    fn weaker(&self) -> Vec<Orders> {
        let all = all_orders(self.kind).into_iter();
        all.filter(|&orders| orders != self.orders && self.permits(orders))
            .collect()
    }

    /// These orders, or the weakest permitted ones that are stronger.
    fn at_least(&self, orders: Orders) -> Orders {
        let mut all = all_orders(self.kind).into_iter();
        let found = all.find(|&other| {
            are_at_most(orders, other) && self.permits(other) && are_at_most(other, self.orders)
        });
        found.unwrap_or(self.orders)
    }
}

/// Weakens the orders of operations that do, as far as they still do. `check` says what is found
/// with an order of each operation, of which the number is that of the operation that changes; the
/// search ends early if it returns `None`.
pub fn weaken(
    choices: &mut [Choice],
    mut check: impl FnMut(Option<usize>, &[Orders]) -> Option<Finding>,
) {
    let all = |choices: &[Choice], orders: &dyn Fn(&Choice) -> Orders| -> Vec<Orders> {
        choices.iter().map(orders).collect()
    };
    // Sequential consistency costs the most trials, and is seldom needed.
    let weaker = all(choices, &|choice| {
        choice.at_least(strongest_of_release_and_acquire(choice.kind))
    });
    let now = all(choices, &|choice| choice.orders);
    if weaker != now {
        match check(None, &weaker) {
            Some(Finding::Verified) => choices
                .iter_mut()
                .zip(weaker)
                .for_each(|(choice, orders)| choice.orders = orders),
            Some(_) => {}
            None => return,
        }
    }
    for n in 0..choices.len() {
        for orders in choices[n].weaker() {
            let mut tried = all(choices, &|choice| choice.orders);
            tried[n] = orders;
            match check(Some(n), &tried) {
                Some(Finding::Verified) => {
                    choices[n].orders = orders;
                    break;
                }
                Some(finding) => choices[n].rejected.push((orders, finding)),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_orders_come_first() {
        let kinds = [
            AtomicKind::Load,
            AtomicKind::Store,
            AtomicKind::ReadModifyWrite,
            AtomicKind::CompareExchange,
            AtomicKind::Fence,
        ];
        for kind in kinds {
            let all = all_orders(kind);
            for (n, &orders) in all.iter().enumerate() {
                assert!(are_at_most(all[0], orders) && are_at_most(orders, strongest(kind)));
                assert!(!all[n + 1..].iter().any(|&later| are_at_most(later, orders)));
            }
        }
        assert_eq!(all_orders(AtomicKind::Load).len(), 3);
        assert_eq!(all_orders(AtomicKind::CompareExchange).len(), 9);
    }

    /// Two operations of which one must be strong, whichever.
    #[test]
    fn no_single_order_can_be_weakened_further() {
        let choice = |kind| Choice {
            kind,
            least: None,
            orders: strongest(kind),
            rejected: Vec::new(),
        };
        let mut choices = [choice(AtomicKind::Store), choice(AtomicKind::Load)];
        weaken(&mut choices, |_, orders| {
            let strong = orders.iter().filter(|o| o.order != Ordering::Relaxed);
            Some(match strong.count() {
                0 => Finding::Inconclusive("no".into()),
                _ => Finding::Verified,
            })
        });
        let found = choices.map(|choice| (choice.orders.order, choice.rejected.len()));
        assert_eq!(found, [(Ordering::Relaxed, 0), (Ordering::Acquire, 1)]);
    }
}
