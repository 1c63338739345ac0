//! The part of the state space that a hang cannot leave.

/// The states reachable from a violation from which the section cannot end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HangRegion {
    /// The states in breadth-first order. The first one is where the violation was found.
    pub states: Vec<Vec<u8>>,
    /// Whether `states` holds all of them. Only then the region proves that the section never ends.
    pub complete: bool,
    /// The nearest terminal strongly connected component: once the system has entered it, it moves
    /// among these states forever. One state without successors means that everything stops. Where
    /// the region is incomplete, this holds all of `states`.
    pub terminal: Vec<Vec<u8>>,
}
