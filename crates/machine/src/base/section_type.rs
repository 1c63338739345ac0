//! The types of sections, and which hangs Impasse looks for.

use serde::{Deserialize, Serialize};

macro_rules! types {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal,)*) => {
        /// The type of a section. The names are a stable interface.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum SectionType { $($(#[doc = $doc])* $kind,)* }

        impl SectionType {
            /// Every type.
            pub const ALL: &'static [SectionType] = &[$(SectionType::$kind,)*];

            /// Returns the stable name, as in `--sections`.
            pub fn name(self) -> &'static str {
                match self { $(SectionType::$kind => $name,)* }
            }
        }
    };
}

types! {
    /// Waiting for a mutex or a spin lock.
    Mutex "mutex",
    /// Holding a mutex or a spin lock.
    Critical "critical",
    /// Waiting for a condition variable.
    Condition "cond",
    /// Waiting for a thread to end.
    Join "join",
    /// Waiting at a barrier or a latch.
    Barrier "barrier",
    /// Waiting for a reader-writer lock, or holding it.
    ReaderWriter "rwlock",
    /// Waiting for a semaphore.
    Semaphore "semaphore",
    /// Waiting for an initialisation that another thread makes.
    Once "once",
    /// Waiting for a number to change, as `std::atomic::wait` does.
    Atomic "atomic",
    /// A started thread.
    Thread "thread",
    /// A section that the program marks itself.
    User "user",
}

/// A set of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SectionTypes(u16);

impl SectionTypes {
    /// No type.
    pub const NONE: SectionTypes = SectionTypes(0);

    /// All but [`SectionType::Thread`]: many threads are meant to run forever.
    pub const USUAL: SectionTypes =
        SectionTypes((1 << SectionType::ALL.len()) - 1 - (1 << SectionType::Thread as u16));

    /// Returns this set and one more type.
    pub fn with(self, kind: SectionType) -> SectionTypes {
        SectionTypes(self.0 | 1 << kind as u16)
    }

    /// Returns whether a type is in the set.
    pub fn has(self, kind: SectionType) -> bool {
        self.0 & (1 << kind as u16) != 0
    }
}

impl FromIterator<SectionType> for SectionTypes {
    fn from_iter<I: IntoIterator<Item = SectionType>>(types: I) -> Self {
        types.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_types() {
        let set: SectionTypes = [SectionType::Join, SectionType::User].into_iter().collect();
        assert!(set.has(SectionType::Join) && set.has(SectionType::User));
        assert!(!set.has(SectionType::Mutex));
        assert!(!SectionTypes::USUAL.has(SectionType::Thread));
        assert!(SectionTypes::USUAL.has(SectionType::User));
    }
}
