//! The interner: a concurrent hash-consing table of byte strings.

/// The number of a stored byte string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u32);

/// What [`Interner::intern`] answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interned {
    /// The number of the byte string.
    pub id: Id,
    /// Whether it was stored by this very call.
    pub new: bool,
}

/// The hash of a byte string: the same in every run, on every machine.
pub fn hash_of(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}

/// A set of byte strings, each stored once and named by an [`Id`].
pub struct Interner {}

impl Interner {
    /// An empty set.
    pub fn new() -> Self {
        Interner {}
    }
    /// Finds or stores `bytes`.
    pub fn intern(&self, bytes: &[u8]) -> Interned {
        self.intern_hashed(bytes, hash_of(bytes))
    }
    /// The same, when the caller knows `hash_of(bytes)` already.
    pub fn intern_hashed(&self, _bytes: &[u8], _hash: u64) -> Interned {
        todo!()
    }
    /// The byte string named `id`; it stays where it is as long as the interner lives.
    pub fn get(&self, _id: Id) -> &[u8] {
        todo!()
    }
    /// How many byte strings are stored.
    pub fn len(&self) -> usize {
        todo!()
    }
    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The hash of the content named `id`: independent of the order of insertion.
    pub fn content_hash(&self, id: Id) -> u64 {
        hash_of(self.get(id))
    }
    /// Memory in use.
    pub fn bytes(&self) -> u64 {
        todo!()
    }
}
impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}
