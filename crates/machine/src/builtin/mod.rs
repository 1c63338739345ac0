//! Functions that the machine implements itself: allocation, threads and synchronisation, choices,
//! and the world outside.
//!
//! Each is one step or a few, with blocking that can be seen. A builtin either completes or has no
//! effect; what it may halt for ([`crate::base::fault::Halt`]) it asks for before its first effect.

mod choice;
mod drain;
pub use drain::Drains;
mod family;
mod jump;
mod memory;
mod outcomes;
mod process;
mod room;
mod unwind;
mod world;

use crate::machine::builtin::Builtin;
use crate::sync::{
    both, condition, coordination, lock, mutex, section, semaphore, shared, signal, threads, watch,
};
use impasse_program::link::BuiltinId;
use std::collections::HashMap;
use std::sync::OnceLock;

impl Builtin {
    /// Returns the builtin with a number that [`Builtin::find`] returned. Panics on other numbers.
    #[inline]
    pub fn from_id(id: BuiltinId) -> &'static Builtin {
        let (group, index) = (id.0 >> 8, id.0 & 0xff);
        &GROUPS[group as usize].builtins[index as usize]
    }

    /// Returns all builtins.
    pub fn all() -> impl Iterator<Item = &'static Builtin> {
        GROUPS.iter().flat_map(|group| group.builtins)
    }

    /// Returns whether the builtin also works where addresses and `long` take four bytes.
    pub fn supports_ilp32(id: BuiltinId) -> bool {
        GROUPS[(id.0 >> 8) as usize].ilp32
    }

    /// Returns the number of the builtin with a name, or `None` if there is none.
    pub fn find(name: &str) -> Option<BuiltinId> {
        static NAMES: OnceLock<HashMap<&'static str, BuiltinId>> = OnceLock::new();
        let names = NAMES.get_or_init(|| {
            let groups = GROUPS.iter().enumerate();
            let all = groups.flat_map(|(g, group)| {
                let entries = group.builtins.iter().enumerate();
                entries.map(move |(i, b)| (b.name, BuiltinId((g as u16) << 8 | i as u16)))
            });
            all.collect()
        });
        names.get(name).copied()
    }
}

/// The builtins of a file.
struct Group {
    builtins: &'static [Builtin],
    /// Whether they access nothing that has another layout where addresses, and `long`, take four
    /// bytes.
    ilp32: bool,
}

impl Group {
    const fn ilp32(self) -> Group {
        Group {
            ilp32: true,
            ..self
        }
    }
}

const fn plain(builtins: &'static [Builtin]) -> Group {
    Group {
        builtins,
        ilp32: false,
    }
}

const GROUPS: &[Group] = &[
    plain(memory::BUILTINS).ilp32(),
    plain(family::BUILTINS).ilp32(),
    plain(mutex::BUILTINS),
    plain(both::BUILTINS),
    plain(condition::BUILTINS),
    plain(lock::BUILTINS).ilp32(),
    plain(semaphore::BUILTINS),
    plain(coordination::BUILTINS).ilp32(),
    plain(shared::BUILTINS).ilp32(),
    plain(threads::BUILTINS),
    plain(threads::QUESTIONS).ilp32(),
    plain(choice::BUILTINS).ilp32(),
    plain(process::BUILTINS).ilp32(),
    plain(unwind::BUILTINS),
    plain(jump::BUILTINS),
    plain(world::CLOCKS),
    plain(world::BUILTINS).ilp32(),
    plain(section::BUILTINS).ilp32(),
    plain(watch::BUILTINS),
    plain(signal::BUILTINS),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        for Group { builtins, .. } in GROUPS {
            assert!(builtins.len() <= 256);
            for builtin in *builtins {
                let id = Builtin::find(builtin.name).expect("its own name");
                assert_eq!(Builtin::from_id(id).name, builtin.name);
            }
        }
    }
}
