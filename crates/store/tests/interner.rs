//! The interner against a hash map, from one thread and from several, and through a file.

use impasse_store::{Backing, Batch, Disk, Id, Interner, hash_of};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Strings that repeat often, and now and then a long one.
fn byte_strings() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let short = vec(0..4u8, 0..5);
    let medium = vec(any::<u8>(), 0..300);
    let long = (any::<u8>(), 1000..200_000usize).prop_map(|(byte, length)| vec![byte; length]);
    vec(prop_oneof![60 => short, 30 => medium, 1 => long], 0..400)
}

/// Distinct strings of the length of a typical state.
fn numbered(number: u64) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8..16].copy_from_slice(&(number / 7).to_le_bytes());
    bytes
}

/// A folder in whose files nearly everything lies: of each of the 64 shards, only so many byte
/// strings are found through memory.
fn disk(recent: u64) -> Arc<Disk> {
    Arc::new(Disk::new(&std::env::temp_dir(), 64 * recent).unwrap())
}

proptest! {
    #[test]
    fn behaves_like_a_map(strings in byte_strings(), recent in 0..3u64) {
        let interner = match recent {
            0 => Interner::new(),
            _ => Interner::on(&disk(recent).into()),
        };
        let mut map: HashMap<&[u8], Id> = HashMap::new();
        for string in &strings {
            let known = map.get(string.as_slice()).copied();
            prop_assert_eq!(interner.find(string), known);
            let interned = interner.intern(string);
            prop_assert_eq!(interned.new, known.is_none());
            prop_assert_eq!(interned.id, known.unwrap_or(interned.id));
            map.insert(string, interned.id);
            prop_assert_eq!(interner.len(), map.len());
        }
        for (string, &id) in &map {
            prop_assert_eq!(interner.get(id), *string);
            prop_assert_eq!(interner.content_hash(id), hash_of(string));
        }
    }

    #[test]
    fn a_batch_is_one_after_the_other(strings in byte_strings(), recent in 0..3u64) {
        let (other, mut batch) = (Interner::new(), Batch::new());
        let one = match recent {
            0 => Interner::new(),
            _ => Interner::on(&disk(recent).into()),
        };
        for part in strings.chunks(100) {
            part.iter().for_each(|string| batch.push(string));
            let mut together = Vec::new();
            one.intern_batch(&mut batch, |interned| together.push(interned));
            let apart: Vec<_> = part.iter().map(|string| other.intern(string)).collect();
            prop_assert_eq!(together, apart);
            prop_assert!(batch.is_empty());
        }
    }

    #[test]
    fn survives_a_file(strings in byte_strings()) {
        let interner = Interner::new();
        let ids: Vec<Id> = strings.iter().map(|string| interner.intern(string).id).collect();
        let mut file = Vec::new();
        interner.write_to(&mut file).unwrap();
        let read = Interner::read_from(&mut file.as_slice()).unwrap();
        prop_assert_eq!(read.len(), interner.len());
        for (string, &id) in strings.iter().zip(&ids) {
            prop_assert_eq!(read.get(id), string.as_slice());
            prop_assert_eq!(read.find(string), Some(id));
        }
    }

    #[test]
    fn a_damaged_file_is_refused(strings in byte_strings(), at in any::<prop::sample::Index>(), flip in 1..=255u8) {
        let interner = Interner::new();
        strings.iter().for_each(|string| { interner.intern(string); });
        let mut file = Vec::new();
        interner.write_to(&mut file).unwrap();
        let at = at.index(file.len());
        prop_assert!(Interner::read_from(&mut &file[..at]).is_err());
        file[at] ^= flip;
        prop_assert!(Interner::read_from(&mut file.as_slice()).is_err());
    }
}

#[test]
fn threads_agree_on_ids() {
    agree_on_ids(&Interner::new());
}

#[test]
fn threads_agree_on_ids_in_files() {
    let disk = disk(100);
    let interner = Interner::on(&Backing::from(Arc::clone(&disk)));
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Relaxed) {
                disk.release();
            }
        });
        agree_on_ids(&interner);
        over.store(true, Relaxed);
    });
    assert!(disk.failure().is_none());
    assert!(disk.bytes() > 200_000 * 24, "{} bytes", disk.bytes());
    in_batches(&interner);
    drop(interner);
    assert_eq!(disk.bytes(), 0);
}

/// Looks up in batches what [`agree_on_ids`] stored, mixed with what it did not.
fn in_batches(interner: &Interner) {
    let mut batch = Batch::new();
    let mut expected = Vec::new();
    let mut expected_new = 0;
    let stored = interner.len();
    for step in 0..150_000u64 {
        // Neither ascending nor in the order of the files.
        let number = step * 7919 % 300_000;
        batch.push(&numbered(number));
        expected_new += usize::from(number >= 200_000);
        expected.push((number >= 200_000, interner.find(&numbered(number))));
    }
    let mut expected = expected.into_iter();
    interner.intern_batch(&mut batch, |interned| {
        let (new, id) = expected.next().unwrap();
        assert_eq!((interned.new, id), (new, (!new).then_some(interned.id)));
    });
    assert_eq!(interner.len(), stored + expected_new);
}

fn agree_on_ids(interner: &Interner) {
    const STRINGS: u64 = 200_000;
    let first_times = AtomicUsize::new(0);
    let ids: Vec<Vec<Id>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|worker| {
                let first_times = &first_times;
                scope.spawn(move || {
                    let mut ids = vec![Id(u32::MAX); STRINGS as usize];
                    for step in 0..STRINGS {
                        // Two walk up and two walk down, so that they meet and follow each other.
                        let number = if worker % 2 == 0 {
                            step
                        } else {
                            STRINGS - 1 - step
                        };
                        let interned = interner.intern(&numbered(number));
                        first_times.fetch_add(usize::from(interned.new), Relaxed);
                        assert_eq!(interner.get(interned.id), numbered(number));
                        ids[number as usize] = interned.id;
                    }
                    ids
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(ids.iter().all(|others| *others == ids[0]));
    assert_eq!(first_times.into_inner(), STRINGS as usize);
    assert_eq!(interner.len(), STRINGS as usize);
}

#[test]
fn ids_are_dense_and_memory_small() {
    const STRINGS: usize = 1 << 20;
    let interner = Interner::new();
    let greatest = (0..STRINGS as u64)
        .map(|number| interner.intern(&numbered(number)).id.0)
        .max()
        .unwrap();
    assert!((greatest as usize) < STRINGS * 105 / 100, "{greatest}");
    let overhead = interner.bytes() as f64 / STRINGS as f64 - 24.0;
    assert!(overhead < 13.0, "{overhead} bytes beyond the content");
}

#[test]
#[should_panic(expected = "names nothing in this interner")]
fn an_unknown_id_panics() {
    Interner::new().get(Id(7));
}
