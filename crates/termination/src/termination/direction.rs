//! Which way a list goes through the objects in the order in which they were made, and how far.

use impasse_solver::{Symbol, Term};
use serde::{Deserialize, Serialize};

/// Which way a list goes through the objects in the order in which they were made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Direction {
    /// To those that were made before.
    Older,
    /// To those that were made after.
    Newer,
    /// To those that can be reached, whenever they were made.
    Reach,
}

/// Which ways the addresses go that some objects hold.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub older: bool,
    pub newer: bool,
    /// Whether each is null or where an object starts.
    #[serde(default)]
    pub plain: bool,
}

impl Order {
    /// Null goes either way.
    pub const BOTH: Order = Order {
        older: true,
        newer: true,
        plain: true,
    };
    /// Nothing is known.
    pub const NONE: Order = Order {
        older: false,
        newer: false,
        plain: false,
    };

    /// The ways that both go.
    pub fn and(self, other: Order) -> Order {
        Order {
            older: self.older && other.older,
            newer: self.newer && other.newer,
            plain: self.plain && other.plain,
        }
    }

    /// The ways that these go, and one more.
    pub(super) fn or(self, direction: Direction) -> Order {
        Order {
            older: self.older || direction == Direction::Older,
            newer: self.newer || direction == Direction::Newer,
            plain: self.plain,
        }
    }

    /// Whether they are not known to go any way.
    pub fn is_none(self) -> bool {
        !self.older && !self.newer
    }

    /// Returns the ways that they go.
    pub(super) fn directions(self) -> impl Iterator<Item = Direction> {
        let older = self.older.then_some(Direction::Older);
        older
            .into_iter()
            .chain(self.newer.then_some(Direction::Newer))
    }
}

/// Where the objects of a summary hold the address of the next one, and which way they go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link {
    pub offset: u32,
    pub direction: Direction,
}

/// How far the objects of a summary are as they were. Positions have 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frontier {
    /// No object was made since this variable was.
    pub since: Option<Symbol>,
    pub link: Link,
    /// Objects before this position have not been freed.
    pub freed: Term,
    /// The links of objects before this position go in the direction.
    pub turned: Term,
}
