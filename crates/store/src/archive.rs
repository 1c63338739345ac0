//! Writing an interner out and reading it back, ids included.
//!
//! The format: a line that names it, then the 64 shards, each its number of entries and the entries
//! in order (length and bytes), and last a check sum. Counts and lengths are eight bytes, low ones
//! first. As hashes are the same everywhere, an entry stored again in the same order has the same
//! id.

use crate::interner::{Id, Interned, Interner, SHARDS, hash_of};
use std::io::{self, Read, Write};

const MAGIC: &[u8] = b"impasse store 1\n";

impl Interner {
    /// Writes all that is stored. What other threads store meanwhile may be left out. Fails if
    /// `target` cannot be written.
    pub fn write_to(&self, target: &mut impl Write) -> io::Result<()> {
        target.write_all(MAGIC)?;
        let mut sum = 0;
        for shard in 0..SHARDS {
            let entries = self.shard(shard);
            write_number(target, entries.len() as u64)?;
            for entry in entries {
                write_number(target, entry.len() as u64)?;
                target.write_all(entry)?;
                sum = add_to_sum(sum, entry);
            }
        }
        write_number(target, sum)
    }

    /// Reads what [`write_to`](Self::write_to) wrote: the same byte strings under the same ids.
    /// Fails if `source` cannot be read, or holds anything else or damaged data.
    pub fn read_from(source: &mut impl Read) -> io::Result<Self> {
        let mut magic = [0; MAGIC.len()];
        source.read_exact(&mut magic)?;
        if magic != MAGIC {
            return Err(invalid(
                "this is not a stored set of states, or one of another version",
            ));
        }
        let interner = Interner::new();
        let mut sum = 0;
        let mut entry = Vec::new();
        for shard in 0..SHARDS {
            for number in 0..read_number(source)? {
                read_entry(source, &mut entry)?;
                sum = add_to_sum(sum, &entry);
                let Interned { id, new } = interner.intern(&entry);
                if !new
                    || u64::from(id.0) != u64::from(Id::new(shard, 0).0) + number * SHARDS as u64
                {
                    return Err(invalid(
                        "an entry stands in the wrong place: the file is damaged",
                    ));
                }
            }
        }
        if read_number(source)? != sum {
            return Err(invalid("the check sum is wrong: the file is damaged"));
        }
        Ok(interner)
    }
}

fn add_to_sum(sum: u64, entry: &[u8]) -> u64 {
    sum.rotate_left(1) ^ hash_of(entry)
}

fn read_entry(source: &mut impl Read, entry: &mut Vec<u8>) -> io::Result<()> {
    let length = read_number(source)?;
    entry.clear();
    // Not `read_exact` into a buffer of that size: a damaged length must not allocate.
    source.take(length).read_to_end(entry)?;
    if entry.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

fn write_number(target: &mut impl Write, number: u64) -> io::Result<()> {
    target.write_all(&number.to_le_bytes())
}

fn read_number(source: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    source.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
