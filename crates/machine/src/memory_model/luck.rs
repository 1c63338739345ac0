//! Which transitions a section may end through, so that few states have to be settled.
//!
//! A section must be able to end from each settled state (see [`crate::memory_model`]). To settle every state would about double
//! the states. But a step of the lazy semantics often is one under sequential consistency as well: one that reads what it would read if all
//! buffers had been emptied before. Only other steps are left to chance.
//!
//! *Argument.* Let u be a state, and e an order in which its buffers can be emptied; u/e is the settled state. Let thread t take a step
//! from u, and let there be no store *late* in the way that it chooses: after the way, no byte that t loads from memory is in
//! another thread's buffer. Take from e the stores which `order` says are needed, in their order. They are one of
//! the ways of t's step, and none is late in it: if a byte that is loaded from memory is in another buffer, its store is asked for. With this
//! way t loads what it loads from u/e, and so does the same in its step from u as in several steps from u/e,
//! where its stores go to memory; and the state u' after it, emptied in the order of what is left of e and then t's new stores, is where t
//! comes to from u/e. So each order e has its transition among those of t's step in which nothing is late. Where all buffers'
//! stores are to different bytes, that is a single one, as the order does not matter; else they are
//! grouped, as if an input chose among them. Hence, by induction, what ends from u in the fixpoint of `search`, through groups all of
//! whose transitions lead to where it ends, ends from u/e for each e. This is the first promise that `search` asks for; the second is that
//! whatever can be done under sequential consistency can be done under x86-TSO: it is what the same transitions do.
//!
//! Where a section needs a state that a thread runs through (it stores 1, then 0, and the 1 is waited for), it is in doubt
//! whether it ends, and settled states decide. So they do where a step makes a choice of another kind after one among several orders, which are
//! put into one group. A step in which something
//! has failed spuriously is left to chance as well (`docs/internals/spurious.md`).
//! `settle = Always` looks at all settled states; both must give the same verdicts.

use impasse_transition_system::Branch;

/// What the transitions of a step owe to its choice of a way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Luck {
    /// A store was late.
    late: bool,
    /// There were several ways in which none is late.
    contested: bool,
    /// Something has failed spuriously.
    failed: bool,
}

impl Luck {
    /// A way was chosen; of each it is said whether a store is late in it.
    pub fn choose(&mut self, late: &[bool], chosen: usize) {
        self.late |= late[chosen];
        self.contested |= late.iter().filter(|&&late| !late).count() > 1;
    }

    /// Something fails spuriously.
    pub fn fail(&mut self) {
        self.failed = true;
    }

    /// The instruction that chose a way has no effect after all.
    pub fn take_back(&mut self) {
        *self = Luck {
            failed: self.failed,
            ..Luck::default()
        };
    }

    /// Who decides that a transition is taken that came about so: the step's last choice was an input or not, and a
    /// transition that is not one of chance was emitted for the step before or not.
    pub fn branch(self, input: bool, led: bool) -> Branch {
        match self.late || self.failed {
            true => Branch::Chance,
            false if (input || self.contested) && led => Branch::Input,
            false => Branch::Schedule,
        }
    }
}
