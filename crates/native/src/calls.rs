//! Calls of libraries as wholes: the system's C++ library makes other operations than Impasse's, so
//! the order of these cannot always be followed. Whether the calls come in the right order often
//! decides by itself.

use impasse_diagnose::order::{Class, Operation, Order, Place};
use std::collections::HashMap;

/// When a thread makes a call of which the operations are spread over several of its turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// At the first of them.
    First,
    /// At the last one.
    Last,
}

/// Returns an order in which a thread makes each call of a library at once.
pub fn with_whole_calls(order: &Order, moment: Moment) -> Order {
    let mut order = Order {
        turns: order.with_descriptors.clone(),
        ..order.clone()
    };
    let mut next: HashMap<u32, Operation> = HashMap::new();
    for turn in order.turns.iter_mut().rev() {
        for act in turn.operations.iter_mut().rev() {
            // Where nothing of the call follows, the thread is before what it does there.
            let begins = next
                .get(&turn.thread)
                .is_some_and(|next| next.class == Class::Library && next.place == act.place);
            if act.class == Class::Call || act.class == Class::LibraryAccess && begins {
                act.class = Class::Library;
            }
            next.insert(turn.thread, act.clone());
        }
    }
    let mut last: HashMap<u32, Place> = HashMap::new();
    let mut repeats = |thread: u32, act: &Operation| {
        let is_call = act.class == Class::Library;
        let place = is_call.then(|| act.place.clone());
        let before = match place.clone() {
            Some(place) => last.insert(thread, place),
            None => last.remove(&thread),
        };
        is_call && before == place
    };
    match moment {
        Moment::First => {
            for turn in &mut order.turns {
                turn.operations.retain(|act| !repeats(turn.thread, act));
            }
        }
        Moment::Last => {
            for turn in order.turns.iter_mut().rev() {
                turn.operations.reverse();
                turn.operations.retain(|act| !repeats(turn.thread, act));
                turn.operations.reverse();
            }
        }
    }
    order.turns.retain(|turn| !turn.operations.is_empty());
    order
}

#[cfg(test)]
mod tests {
    use super::{Moment, with_whole_calls};
    use impasse_diagnose::order::{Class, Operation, Order, Place, Turn};

    fn act(class: Class, column: u32) -> Operation {
        let place = Place { spot: None, column };
        Operation { class, place }
    }

    fn turn(thread: u32, operations: &[(Class, u32)]) -> Turn {
        let operations = operations.iter().map(|&(class, column)| act(class, column));
        Turn {
            thread,
            operations: operations.collect(),
        }
    }

    #[test]
    fn a_call_is_made_at_its_first_or_its_last_operation() {
        let order = Order {
            with_descriptors: vec![
                turn(0, &[(Class::Write, 1), (Class::LibraryAccess, 2)]),
                turn(1, &[(Class::Call, 2)]),
                turn(0, &[(Class::Call, 2), (Class::Read, 3)]),
                turn(0, &[(Class::Call, 2)]),
            ],
            ..Order::default()
        };
        let (one, other) = (
            turn(1, &[(Class::Library, 2)]),
            turn(0, &[(Class::Library, 2)]),
        );
        let first = with_whole_calls(&order, Moment::First).turns;
        let wanted = vec![
            turn(0, &[(Class::Write, 1), (Class::Library, 2)]),
            one.clone(),
            turn(0, &[(Class::Read, 3)]),
            other.clone(),
        ];
        assert_eq!(first, wanted);
        let last = with_whole_calls(&order, Moment::Last).turns;
        let wanted = vec![
            turn(0, &[(Class::Write, 1)]),
            one,
            turn(0, &[(Class::Library, 2), (Class::Read, 3)]),
            other,
        ];
        assert_eq!(last, wanted);
    }
}
