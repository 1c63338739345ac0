//! Numbers as short byte strings (LEB128), for the stored forms of threads, frames and states.

/// Appends a number, in as many bytes as it needs.
#[inline]
pub fn put(out: &mut Vec<u8>, number: u64) {
    let low = number as u8 & 0x7f;
    match number {
        0..0x80 => out.push(low),
        0x80..0x4000 => out.extend_from_slice(&[low | 0x80, (number >> 7) as u8]),
        0x4000..0x20_0000 => {
            let middle = (number >> 7) as u8 | 0x80;
            out.extend_from_slice(&[low | 0x80, middle, (number >> 14) as u8]);
        }
        _ => put_long(out, number),
    }
}

/// Appends an encoded list of numbers, with the number at `index` replaced.
pub fn put_replaced(out: &mut Vec<u8>, list: &[u8], index: usize, number: u64) {
    let mut ends = (1..).zip(list).filter(|(_, byte)| **byte < 0x80);
    let start = match index {
        0 => 0,
        _ => ends.nth(index - 1).map_or(list.len(), |(end, _)| end),
    };
    let end = ends.next().map_or(list.len(), |(end, _)| end);
    out.extend_from_slice(&list[..start]);
    put(out, number);
    out.extend_from_slice(&list[end..]);
}

fn put_long(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads what [`put`] wrote.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Returns a reader at the start of an encoding.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes }
    }

    /// Returns the next byte. Panics at the end.
    #[inline]
    pub fn byte(&mut self) -> u8 {
        let (&first, rest) = self.bytes.split_first().expect("a complete encoding");
        self.bytes = rest;
        first
    }

    /// Returns the next number. Panics at the end.
    #[inline]
    pub fn number(&mut self) -> u64 {
        let first = self.byte();
        if first < 0x80 {
            return first as u64;
        }
        let (mut number, mut shift) = ((first & 0x7f) as u64, 7);
        loop {
            let byte = self.byte();
            number |= ((byte & 0x7f) as u64) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    /// Returns the next number, which must fit in 32 bits. Panics at the end.
    #[inline]
    pub fn small(&mut self) -> u32 {
        self.number() as u32
    }

    /// Returns the next `count` bytes, at most eight, as a number. Panics if there are fewer.
    #[inline]
    pub fn little_endian(&mut self, count: usize) -> u64 {
        let (now, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        let mut word = [0; 8];
        word[..count].copy_from_slice(now);
        u64::from_le_bytes(word)
    }

    /// Returns what was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns whether the end is reached.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_back() {
        let mut bytes = Vec::new();
        let edges = (1..9).flat_map(|n| [(1 << (7 * n)) - 1, 1 << (7 * n)]);
        let numbers: Vec<u64> = edges.chain([0, 300, u32::MAX as u64, u64::MAX]).collect();
        for &n in &numbers {
            put(&mut bytes, n);
        }
        let mut reader = Reader::new(&bytes);
        for &n in &numbers {
            assert_eq!(reader.number(), n);
        }
        assert!(reader.is_empty());
        for n in 0..numbers.len() {
            let (mut replaced, mut expected) = (Vec::new(), Vec::new());
            put_replaced(&mut replaced, &bytes, n, 300);
            for (m, &number) in numbers.iter().enumerate() {
                put(&mut expected, if m == n { 300 } else { number });
            }
            assert_eq!(replaced, expected);
        }
    }
}
