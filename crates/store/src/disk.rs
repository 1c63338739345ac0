//! Zeroed memory that is either the process's own or a file's.
//!
//! What lies in a file is mapped, and read and written like any other memory. Linux writes it to
//! the file and takes its pages away when they are not used; a page that is touched again comes
//! back. [`Disk::release`] gives up all pages at once, so that only those in use count as the
//! process's. What is read at many places together is not mapped for that, but read from the file,
//! in the order in which it lies there ([`Disk::read`]). The file has no name, so no one else can
//! change it, and it vanishes with the process.
//!
//! *A full disk is noticed in time.* Room on the disk is reserved when memory is mapped; a store to
//! a mapped page can then not fail for want of room. Where the disk has no room left, memory is the
//! process's own, and [`Disk::failure`] says why: whoever searches must stop soon.

use bytemuck::Zeroable;
use rustix::fs::{Advice as Advise, FallocateFlags, fadvise, fallocate};
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};
use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZeroU64;
use std::ops::Deref;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::ptr::{NonNull, null_mut, slice_from_raw_parts_mut};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::{fmt, io};

/// What is smaller is not worth a file.
const WORTH_A_FILE: usize = 1 << 14;
const PAGE: usize = 1 << 12;
/// Bytes that are read as well where something that is wanted lies before and after them.
const GAP: usize = 1 << 15;
/// Bytes that are read together, at most.
const TOGETHER: usize = 1 << 18;
/// Parts of the file that are read at the same time.
const AT_ONCE: usize = 1 << 7;

/// What gives up memory if it is short.
pub type Pace = Box<dyn Fn() + Send + Sync>;

/// A file in a folder for what memory has no room for.
pub struct Disk {
    file: File,
    /// Where the next part of the file begins.
    end: AtomicU64,
    /// How many byte strings an interner finds through memory, about.
    recent: u64,
    /// What is mapped, by address.
    mapped: Mutex<BTreeMap<usize, Part>>,
    pace: OnceLock<Pace>,
    failure: OnceLock<io::Error>,
}

/// A part of the file that is mapped.
#[derive(Clone, Copy)]
struct Part {
    offset: u64,
    length: usize,
}

impl Disk {
    /// Returns the use of `folder`, with which an interner finds about so many `recent` byte
    /// strings without reading the file. Fails if no file can be made there.
    pub fn new(folder: &Path, recent: u64) -> io::Result<Disk> {
        let disk = Disk {
            file: tempfile::tempfile_in(folder)?,
            end: AtomicU64::new(0),
            recent,
            mapped: Mutex::default(),
            pace: OnceLock::new(),
            failure: OnceLock::new(),
        };
        let start = disk.try_map(WORTH_A_FILE)?;
        disk.unmap(start, WORTH_A_FILE);
        Ok(disk)
    }

    pub(crate) fn recent(&self) -> u64 {
        self.recent
    }

    /// Returns why the file could not be used, if that has happened. What should have gone there
    /// takes memory of the process since.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.get()
    }

    /// Returns how many bytes of the file are in use.
    pub fn bytes(&self) -> u64 {
        self.mapped().values().map(|part| part.length as u64).sum()
    }

    /// Makes [`pace`](Self::pace) call this from now on.
    pub fn pace_by(&self, pace: Pace) {
        let _ = self.pace.set(pace);
    }

    /// Gives up memory if it is short. Whoever touches much of the file must call it now and then:
    /// pages come faster than another thread may notice.
    pub fn pace(&self) {
        if let Some(pace) = self.pace.get() {
            pace();
        }
    }

    /// Gives up all pages of the file, which come back when they are touched. Other threads may use
    /// them meanwhile.
    pub fn release(&self) {
        for (&start, part) in self.mapped().iter() {
            // SAFETY: this is a mapping of `map`, which lives as long as it is listed. It is shared
            // with its file, so its pages come back with what they held.
            let released = unsafe { madvise(start as *mut _, part.length, Advice::LinuxDontNeed) };
            released.expect("it is mapped");
        }
    }

    fn mapped(&self) -> MutexGuard<'_, BTreeMap<usize, Part>> {
        let mapped = self.mapped.lock();
        mapped.expect("no thread panics while it holds the lock")
    }

    /// Zeroed memory in the file; `None` where that is impossible.
    fn map(&self, bytes: usize) -> Option<NonNull<u8>> {
        if self.failure.get().is_some() {
            return None;
        }
        let fail = |error| drop(self.failure.set(error));
        self.try_map(bytes).map_err(fail).ok()
    }

    fn try_map(&self, bytes: usize) -> io::Result<NonNull<u8>> {
        let length = bytes.next_multiple_of(PAGE);
        let offset = self.end.fetch_add(length as u64, Relaxed);
        fallocate(&self.file, FallocateFlags::empty(), offset, length as u64)?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: the kernel chooses the address, so nothing else is there.
        let start = unsafe {
            mmap(
                null_mut(),
                length,
                access,
                MapFlags::SHARED,
                &self.file,
                offset,
            )
        }?;
        let start = NonNull::new(start.cast::<u8>()).expect("no mapping is at address zero");
        self.mapped()
            .insert(start.addr().get(), Part { offset, length });
        Ok(start)
    }

    /// Ends a mapping, which nobody may use any more, and gives its room in the file back.
    fn unmap(&self, start: NonNull<u8>, bytes: usize) {
        let length = bytes.next_multiple_of(PAGE);
        let mut mapped = self.mapped();
        let part = mapped.remove(&start.addr().get()).expect("it is mapped");
        // SAFETY: this is a mapping of `try_map`, and callers do not use it any more.
        let unmapped = unsafe { munmap(start.as_ptr().cast(), length) };
        unmapped.expect("it is mapped");
        // Where this is impossible, the room comes back when the process ends.
        let punch = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        let _ = fallocate(&self.file, punch, part.offset, length as u64);
    }

    /// Calls `each` with every item and the bytes at its address, in the order of addresses. The
    /// bytes are read from the file, near ones together; fewer than asked for where the file's part
    /// ends before. Items that are not in the file are left out. Mappings must stay meanwhile.
    pub(crate) fn read<T>(&self, mut items: Vec<Wanted<T>>, mut each: impl FnMut(T, &[u8])) {
        items.sort_unstable_by_key(|item| item.address);
        let groups = self.groups(&items);
        let mut ahead = groups.iter();
        let fetch = |group: &Group| {
            let length = NonZeroU64::new(group.length as u64);
            let _ = fadvise(&self.file, group.offset, length, Advise::WillNeed);
        };
        ahead.by_ref().take(AT_ONCE).for_each(fetch);
        let mut items = items.into_iter();
        let mut buffer = Vec::new();
        for group in &groups {
            ahead.next().into_iter().for_each(fetch);
            buffer.resize(group.length, 0);
            let read = self.file.read_exact_at(&mut buffer, group.offset);
            let is_read = read.map_err(|error| self.failure.set(error)).is_ok();
            for item in items
                .by_ref()
                .skip(group.skipped)
                .take(group.items)
                .filter(|_| is_read)
            {
                let start = item.address - group.start;
                let end = buffer.len().min(start + item.length);
                each(item.item, &buffer[start..end]);
            }
        }
    }

    /// Which items are read together.
    fn groups<T>(&self, items: &[Wanted<T>]) -> Vec<Group> {
        let mapped = self.mapped();
        let mut groups: Vec<Group> = Vec::new();
        let mut skipped = 0;
        // The end of the last group's part of the file, in addresses.
        let mut end = 0;
        for item in items {
            let last = groups
                .last_mut()
                .filter(|_| item.address < end && skipped == 0);
            let length = |group: &Group| item.address + item.length - group.start;
            match last {
                Some(group)
                    if item.address < group.start + group.length + GAP
                        && length(group) <= TOGETHER =>
                {
                    group.length = group.length.max(length(group)).min(end - group.start);
                    group.items += 1;
                }
                _ => {
                    let part = mapped.range(..=item.address).next_back();
                    let part = part.filter(|&(start, part)| item.address < start + part.length);
                    let Some((start, part)) = part else {
                        skipped += 1;
                        continue;
                    };
                    end = start + part.length;
                    groups.push(Group {
                        start: item.address,
                        offset: part.offset + (item.address - start) as u64,
                        length: item.length.min(end - item.address),
                        skipped: std::mem::take(&mut skipped),
                        items: 1,
                    });
                }
            }
        }
        groups
    }
}

/// Something that is to be read.
pub(crate) struct Wanted<T> {
    pub(crate) address: usize,
    pub(crate) length: usize,
    pub(crate) item: T,
}

/// Items that are read together.
struct Group {
    /// The address where the first begins, and where that is in the file.
    start: usize,
    offset: u64,
    length: usize,
    /// Items before them that are not in the file.
    skipped: usize,
    items: usize,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Disk").field(&self.file).finish()
    }
}

/// Where a store takes its memory from: the process's own by default.
#[derive(Clone, Default, Debug)]
pub struct Backing(Option<Arc<Disk>>);

impl From<Arc<Disk>> for Backing {
    fn from(disk: Arc<Disk>) -> Self {
        Backing(Some(disk))
    }
}

impl Backing {
    /// Returns the folder, if there is one.
    pub fn disk(&self) -> Option<&Disk> {
        self.0.as_deref()
    }

    /// Gives up memory if it is short and something can be given up.
    pub fn pace(&self) {
        if let Some(disk) = self.disk() {
            disk.pace();
        }
    }

    /// Returns so many zeroed values.
    pub fn zeroed<T: Zeroable>(&self, length: usize) -> Memory<T> {
        let bytes = length * size_of::<T>();
        let disk = self.0.as_ref().filter(|_| bytes >= WORTH_A_FILE);
        let mapped = disk.and_then(|disk| Some((disk.map(bytes)?, Arc::clone(disk))));
        match mapped {
            Some((start, disk)) => Memory {
                start: start.cast::<T>(),
                length,
                disk: Some(disk),
            },
            None => bytemuck::zeroed_slice_box(length).into(),
        }
    }
}

impl<T> From<Box<[T]>> for Memory<T> {
    fn from(values: Box<[T]>) -> Self {
        let length = values.len();
        let start = NonNull::new(Box::into_raw(values).cast::<T>());
        Memory {
            start: start.expect("a box is not null"),
            length,
            disk: None,
        }
    }
}

/// Values, owned. They never move.
pub struct Memory<T> {
    start: NonNull<T>,
    length: usize,
    /// Whose mapping it is; otherwise it is a box.
    disk: Option<Arc<Disk>>,
}

// SAFETY: it is owned memory, like a `Box<[T]>`; the pointer is not tied to a thread.
unsafe impl<T: Send> Send for Memory<T> {}
// SAFETY: as above; shared references give shared references to the values only.
unsafe impl<T: Sync> Sync for Memory<T> {}

impl<T> Memory<T> {
    /// Begins to read all that is not in memory.
    pub(crate) fn fetch(&self) {
        self.advise(Advice::WillNeed);
    }

    /// Says that what is read next lies anywhere, so that reading ahead is no use.
    pub(crate) fn advise_random(&self) {
        self.advise(Advice::Random);
    }

    fn advise(&self, advice: Advice) {
        if self.disk.is_some() {
            let bytes = self.length * size_of::<T>();
            // SAFETY: it is mapped, and this advice changes no content.
            let _ = unsafe { madvise(self.start.as_ptr().cast(), bytes, advice) };
        }
    }

    /// Where the first value is. The pointer may be used to write, where no reference to the
    /// values is in use.
    pub(crate) fn start(&self) -> NonNull<T> {
        self.start
    }
}

impl<T> Deref for Memory<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: there are so many initialised values, which live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T> std::ops::DerefMut for Memory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        match &self.disk {
            Some(disk) => {
                debug_assert!(!std::mem::needs_drop::<T>());
                disk.unmap(self.start.cast(), self.length * size_of::<T>());
            }
            // SAFETY: `from` took start and length from a box, which nothing else frees.
            None => drop(unsafe {
                Box::from_raw(slice_from_raw_parts_mut(self.start.as_ptr(), self.length))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(folder: &Path) -> Arc<Disk> {
        Arc::new(Disk::new(folder, 4).expect("files can be made"))
    }

    #[test]
    fn what_was_released_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let disk = disk(folder.path());
        let mut memory = Backing::from(Arc::clone(&disk)).zeroed::<u64>(1 << 18);
        assert!(memory.iter().all(|&value| value == 0));
        let numbered = (7..).zip(memory.iter_mut());
        numbered.for_each(|(number, value)| *value = number);
        disk.release();
        assert!(
            (7..)
                .zip(memory.iter())
                .all(|(number, &value)| value == number)
        );
        assert_eq!(disk.bytes(), 8 << 18);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        drop(memory);
        assert_eq!(disk.bytes(), 0);
    }

    #[test]
    fn what_fails_is_memory_of_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let disk = disk(folder.path());
        assert!(disk.failure().is_none());
        // Files end before this.
        disk.end.store(u64::MAX >> 1 & !(PAGE as u64 - 1), Relaxed);
        let memory = Backing::from(Arc::clone(&disk)).zeroed::<u64>(1 << 18);
        assert!(memory.iter().all(|&value| value == 0));
        assert!(disk.failure().is_some());
        assert_eq!(disk.bytes(), 0);
    }

    #[test]
    fn single_values_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let backing = Backing::from(disk(folder.path()));
        let small = Backing::default().zeroed::<u64>(10);
        let parts = [1 << 12, 1 << 18].map(|length| {
            let mut memory = backing.zeroed::<u64>(length);
            (7..)
                .zip(memory.iter_mut())
                .for_each(|(number, value)| *value = number);
            memory
        });
        let values = [1, 4, 3, 2, 4096, 50_000].into_iter();
        let places = |length: usize| values.clone().map(move |step| step * 7 % length);
        let all = parts
            .iter()
            .flat_map(|part| places(part.len()).map(|at| &part[at]));
        let wanted = small.iter().chain(all).map(|value| Wanted {
            address: std::ptr::from_ref(value).addr(),
            length: 8,
            item: value,
        });
        let mut count = 0;
        backing
            .disk()
            .unwrap()
            .read(wanted.collect(), |value, bytes| {
                assert_eq!(bytes, value.to_ne_bytes());
                count += 1;
            });
        assert_eq!(count, 12);
    }

    #[test]
    fn a_folder_must_exist() {
        assert!(Disk::new(Path::new("/no/such/folder"), 4).is_err());
    }
}
