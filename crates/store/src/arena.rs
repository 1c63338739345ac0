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
use std::ptr::{NonNull, slice_from_raw_parts_mut};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;
/// The first chunk is so long, and each after it four times as long as the one before, up to
/// [`CHUNK`]: making a store that stays small must not take long.
const FIRST_CHUNK: usize = 1 << 10;
/// What is longer than this has a chunk of its own, of exactly its length.
const LARGE: usize = CHUNK / 8;

#[derive(Default)]
pub(crate) struct Arena {
    /// How many entries have an offset.
    length: AtomicU32,
    /// The offset of each entry, plus one.
    offsets: Column<AtomicU32>,
    chunks: Column<AtomicPtr<u8>>,
    tail: Mutex<Tail>,
    bytes: AtomicU64,
}

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

/// A chunk, owned. Its bytes are reached through the pointer only.
struct Allocation {
    start: NonNull<u8>,
    length: usize,
}

// SAFETY: an `Allocation` is owned memory, like a `Box<[u8]>`; the pointer is not tied to a thread.
unsafe impl Send for Allocation {}

impl Allocation {
    fn new(length: usize) -> Self {
        let bytes: *mut [u8] = Box::into_raw(bytemuck::zeroed_slice_box(length));
        let start = NonNull::new(bytes.cast::<u8>()).expect("a box is not null");
        Allocation { start, length }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: `new` took start and length from a box, which nothing else frees.
        drop(unsafe { Box::from_raw(slice_from_raw_parts_mut(self.start.as_ptr(), self.length)) });
    }
}

impl Arena {
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
        let offset = self
            .offsets
            .get(number)?
            .load(Ordering::Acquire)
            .checked_sub(1)?;
        let chunk = self
            .chunks
            .get(offset >> CHUNK_BITS)?
            .load(Ordering::Relaxed);
        let place = (offset as usize) & (CHUNK - 1);
        // SAFETY: the entry has an offset, so (acquire above, release in `push`) the pointer to its
        // chunk and its bytes were written before, and no one writes them again. The
        // offset leads to an encoded length and as many bytes, inside one chunk, which
        // lives and stays as long as `self`.
        Some(unsafe { read_entry(chunk.add(place)) })
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

/// The right to append.
pub(crate) struct Writer<'a> {
    arena: &'a Arena,
    tail: MutexGuard<'a, Tail>,
}

impl Writer<'_> {
    /// Appends an entry, publishes it, and returns its number.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> u32 {
        let mut prefix = 0;
        encode_length(bytes.len(), |_| prefix += 1);
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
        let allocation = Allocation::new(length);
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

    #[test]
    fn entries_of_all_sizes_are_read_back() {
        let arena = Arena::default();
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
}
