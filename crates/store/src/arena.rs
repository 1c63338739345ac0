//! The arena: byte strings laid end to end in chunks that never move, numbered from 0.
//!
//! A byte string is stored as its length (seven bits a byte, low bits first, the top bit set in all
//! but the last) and its bytes. Its offset, kept in a column, is the chunk's number and the place
//! in the chunk.
//!
//! One writer at a time appends, under a lock; readers take none. What makes that sound is the
//! offset: it is zero until the writer stores it (release), after the entry is complete; a reader
//! loads it (acquire) before it touches the entry, and what has an offset is never written again.

use crate::column::Column;
use crate::disk::{Backing, Memory};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;
/// The first chunk is so long, and each after it four times as long as the one before, up to
/// [`CHUNK`]: making a store that stays small must not take long.
const FIRST_CHUNK: usize = 1 << 10;
/// What is longer than this has a chunk of its own, of exactly its length.
const LARGE: usize = CHUNK / 8;
/// Chunks in files that are not small lie side by side in mappings of so many bytes, each of twice
/// as many as the one before, up to [`MOST_TOGETHER`]: the system allows only some ten thousand
/// mappings.
const FEWEST_TOGETHER: usize = 1 << 20;
const MOST_TOGETHER: usize = 1 << 28;

/// Where arenas take their chunks from.
pub(crate) struct Chunks {
    backing: Backing,
    open: Mutex<Together>,
}

/// Chunks of one mapping, of which a part is still free.
#[derive(Default)]
struct Together {
    memory: Option<Arc<Memory<u8>>>,
    used: usize,
    length: usize,
}

impl Chunks {
    pub(crate) fn new(backing: Backing) -> Self {
        let open = Mutex::default();
        Chunks { backing, open }
    }

    fn allocate(&self, length: usize) -> Allocation {
        match self.backing.disk() {
            Some(_) if length > LARGE => self.beside_others(length),
            _ => {
                let memory = Arc::new(self.backing.zeroed(length));
                Allocation {
                    start: memory.start(),
                    _memory: memory,
                }
            }
        }
    }

    fn beside_others(&self, length: usize) -> Allocation {
        let mut open = self
            .open
            .lock()
            .expect("no thread panics while it holds the lock");
        if open.length - open.used < length {
            let usual = (open.length * 2).clamp(FEWEST_TOGETHER, MOST_TOGETHER);
            let whole = usual.max(length);
            *open = Together {
                memory: Some(Arc::new(self.backing.zeroed(whole))),
                used: 0,
                length: whole,
            };
        }
        let memory = open.memory.clone().expect("it has been made");
        // SAFETY: less is used than there is.
        let start = unsafe { memory.start().add(open.used) };
        open.used += length;
        Allocation {
            start,
            _memory: memory,
        }
    }
}

pub(crate) struct Arena {
    /// How many entries have an offset.
    length: AtomicU32,
    /// The offset of each entry, plus one.
    offsets: Column<AtomicU32>,
    chunks: Column<AtomicPtr<u8>>,
    tail: Mutex<Tail>,
    bytes: AtomicU64,
    source: Arc<Chunks>,
}

/// Where an entry is in an arena: the chunk's number and the place in the chunk.
#[derive(Clone, Copy)]
pub(crate) struct Offset(pub(crate) u32);

/// Where the next entry goes; its holder is the writer.
#[derive(Default)]
struct Tail {
    allocations: Vec<Allocation>,
    /// The chunk that is being filled.
    open: Option<Open>,
}

/// A chunk that is being filled.
#[derive(Clone, Copy)]
struct Open {
    number: u32,
    used: usize,
    length: usize,
}

/// A chunk and what keeps it. Its bytes are reached through the pointer only.
struct Allocation {
    start: NonNull<u8>,
    _memory: Arc<Memory<u8>>,
}

// SAFETY: the pointer leads into memory that lives as long as the `Allocation`, on any thread.
unsafe impl Send for Allocation {}

impl Arena {
    /// An arena without entries, which takes its chunks from `source`.
    pub(crate) fn new(source: Arc<Chunks>) -> Self {
        Arena {
            length: AtomicU32::new(0),
            offsets: Column::on(&source.backing),
            chunks: Column::new(),
            tail: Mutex::default(),
            bytes: AtomicU64::new(0),
            source,
        }
    }

    /// How many entries can be read.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.length.load(Ordering::Acquire)
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The entry with the given number, if there is one.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&[u8]> {
        let offset = self.offsets.get(number)?.load(Ordering::Acquire);
        // SAFETY: the entry has an offset, so (acquire above, release in `push`) the pointer to its
        // chunk and its bytes were written before, and no one writes them again. The
        // offset leads to an encoded length and as many bytes, inside one chunk, which
        // lives and stays as long as `self`.
        Some(unsafe { read_entry(self.start(offset.checked_sub(1)?)?) })
    }

    /// Where an entry is.
    pub(crate) fn offset(&self, number: u32) -> Option<Offset> {
        let offset = self.offsets.get(number)?.load(Ordering::Acquire);
        offset.checked_sub(1).map(Offset)
    }

    /// The entry at an offset.
    ///
    /// # Safety
    /// This arena gave the offset, before (in the order of acquire and release) it is used here.
    #[inline]
    pub(crate) unsafe fn at(&self, offset: Offset) -> &[u8] {
        let start = self.start(offset.0).expect("entries lie in chunks");
        // SAFETY: as in `get`.
        unsafe { read_entry(start) }
    }

    /// Where that entry lies in memory.
    pub(crate) fn address(&self, offset: Offset) -> usize {
        self.start(offset.0).map_or(0, |start| start.addr())
    }

    #[inline]
    fn start(&self, offset: u32) -> Option<*const u8> {
        let chunk = self.chunks.get(offset >> CHUNK_BITS)?;
        let place = (offset as usize) & (CHUNK - 1);
        Some(chunk.load(Ordering::Relaxed).wrapping_add(place))
    }

    /// Becomes the writer, waiting for the present one to finish.
    pub(crate) fn writer(&self) -> Writer<'_> {
        let tail = self.tail.lock().expect("a writer of the arena panicked");
        Writer { arena: self, tail }
    }
}

/// # Safety
/// `place` points to an encoded length followed by as many initialised bytes, all in one
/// allocation that lives and is not written for `'a`.
#[inline]
unsafe fn read_entry<'a>(place: *const u8) -> &'a [u8] {
    // SAFETY: the first byte of the length is there; if it is the last one, the bytes follow.
    unsafe {
        match *place {
            length @ 0..0x80 => std::slice::from_raw_parts(place.add(1), usize::from(length)),
            _ => read_long_entry(place),
        }
    }
}

/// # Safety
/// As for [`read_entry`].
#[cold]
unsafe fn read_long_entry<'a>(mut place: *const u8) -> &'a [u8] {
    let mut length = 0;
    // SAFETY: the reads stay within the encoded length, then the slice within the bytes after it.
    unsafe {
        for shift in (0..).step_by(7) {
            let byte = *place;
            place = place.add(1);
            length |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        std::slice::from_raw_parts(place, length)
    }
}

/// Calls `put` with each byte of the encoding of `length`.
pub(crate) fn encode_length(mut length: usize, mut put: impl FnMut(u8)) {
    while length >= 0x80 {
        put((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    put(length as u8);
}

/// How many bytes the encoding of `length` takes.
pub(crate) fn encoded_length(length: usize) -> usize {
    let mut bytes = 0;
    encode_length(length, |_| bytes += 1);
    bytes
}

/// The right to append.
pub(crate) struct Writer<'a> {
    arena: &'a Arena,
    tail: MutexGuard<'a, Tail>,
}

impl Writer<'_> {
    /// Appends an entry, publishes it, and returns its number.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> u32 {
        let prefix = encoded_length(bytes.len());
        let (chunk, place) = self.room(prefix + bytes.len());
        let start = self.arena.chunks.cell(chunk).load(Ordering::Relaxed);
        // SAFETY: `room` found that many bytes at `place` in the chunk at `start`, not given out
        // before; no offset leads to them yet, so no thread reads them, and this is the only
        // writer.
        unsafe {
            let mut target = start.add(place);
            encode_length(bytes.len(), |byte| {
                target.write(byte);
                target = target.add(1);
            });
            target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        let number = self.arena.length.load(Ordering::Relaxed);
        let offset = chunk << CHUNK_BITS | place as u32;
        self.arena
            .offsets
            .cell(number)
            .store(offset + 1, Ordering::Release);
        self.arena.length.store(number + 1, Ordering::Release);
        let used = prefix + bytes.len() + size_of::<u32>();
        self.arena.bytes.fetch_add(used as u64, Ordering::Relaxed);
        number
    }

    /// Reserves `length` bytes, which are the caller's alone: the chunk's number and the place in
    /// it.
    fn room(&mut self, length: usize) -> (u32, usize) {
        if length > LARGE {
            return (self.add_chunk(length), 0);
        }
        let open = self
            .tail
            .open
            .filter(|open| open.used + length <= open.length);
        let open = open.unwrap_or_else(|| self.open_chunk(length));
        self.tail.open = Some(Open {
            used: open.used + length,
            ..open
        });
        (open.number, open.used)
    }

    /// Adds a chunk to be filled, of at least `length` bytes.
    fn open_chunk(&mut self, length: usize) -> Open {
        let before = self.tail.open.map(|open| open.length * 4);
        let wanted = before.unwrap_or(FIRST_CHUNK).max(length);
        let length = wanted.next_power_of_two().min(CHUNK);
        Open {
            number: self.add_chunk(length),
            used: 0,
            length,
        }
    }

    fn add_chunk(&mut self, length: usize) -> u32 {
        let number = self.tail.allocations.len();
        // One less than fits, so that an offset plus one does not overflow.
        let full = number == (1 << (32 - CHUNK_BITS)) - 1;
        assert!(!full, "the store is full: it holds all it can address");
        let allocation = self.arena.source.allocate(length);
        self.arena
            .chunks
            .cell(number as u32)
            .store(allocation.start.as_ptr(), Ordering::Relaxed);
        self.tail.allocations.push(allocation);
        number as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Disk;

    #[test]
    fn entries_of_all_sizes_are_read_back() {
        let arena = Arena::new(Arc::new(Chunks::new(Backing::default())));
        let entries: Vec<Vec<u8>> = [
            0,
            1,
            127,
            128,
            300,
            LARGE - 1,
            LARGE,
            LARGE + 1,
            CHUNK,
            3 * CHUNK,
            2,
            16384,
        ]
        .iter()
        .map(|&length| (0..length).map(|i| (i * 7 + length) as u8).collect())
        .collect();
        for round in 0..50 {
            for (number, entry) in entries.iter().enumerate() {
                let expected = (round * entries.len() + number) as u32;
                assert_eq!(arena.writer().push(entry), expected);
            }
        }
        for number in 0..arena.len() {
            assert_eq!(
                arena.get(number).unwrap(),
                entries[number as usize % entries.len()]
            );
        }
        assert!(arena.get(arena.len()).is_none());
    }

    #[test]
    fn large_entries_lie_in_files_too() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Arc::new(Disk::new(folder.path(), 4).unwrap());
        let backing = Backing::from(Arc::clone(&disk));
        let arena = Arena::new(Arc::new(Chunks::new(backing)));
        let entry = |number: u32| vec![number as u8; LARGE + 1 + number as usize];
        for number in 0..1000 {
            assert_eq!(arena.writer().push(&entry(number)), number);
        }
        assert!((0..1000).all(|number| arena.get(number) == Some(&*entry(number))));
        assert!(disk.bytes() >= 1000 * LARGE as u64);
    }
}
