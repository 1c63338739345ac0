//! Files with a few changes.

use fastrand::Rng;

/// Numbers at which something ends.
const EDGES: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "31",
    "64",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "18446744073709551615",
];

/// Bytes with a few others in their place; now and then the end is cut off.
pub fn bytes(rng: &mut Rng, original: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..changes(rng) {
        let at = rng.usize(0..bytes.len());
        match rng.u8(0..10) {
            0..5 => bytes[at] = rng.u8(..),
            5..8 => bytes[at] ^= 1 << rng.u8(0..8),
            8 => {
                let from = rng.usize(0..bytes.len());
                let length = rng.usize(1..16).min(bytes.len() - at.max(from));
                bytes.copy_within(from..from + length, at);
            }
            _ if rng.u8(0..4) == 0 => bytes.truncate((at / 4 * 4).max(8)),
            _ => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][rng.usize(0..5)],
        }
    }
    bytes
}

/// Text with a few words changed for others, mostly of its own; now and then lines or single bytes.
pub fn text(rng: &mut Rng, original: &str) -> Vec<u8> {
    if rng.u8(0..16) == 0 {
        return bytes(rng, original.as_bytes());
    }
    let mut words = split(original);
    for _ in 0..changes(rng) {
        change(rng, &mut words);
    }
    words.concat().into_bytes()
}

fn changes(rng: &mut Rng) -> u32 {
    [1, 1, 1, 1, 2, 2, 3, 6][rng.usize(0..8)]
}

fn change(rng: &mut Rng, words: &mut Vec<String>) {
    let Some(at) = choose(rng, words) else {
        return;
    };
    let class = class(&words[at]);
    match rng.u8(0..12) {
        0..5 => {
            let start = rng.usize(0..words.len());
            let alike = |n: &usize| self::class(&words[*n]) == class && words[*n] != words[at];
            if let Some(other) = (start..words.len()).chain(0..start).find(alike) {
                words[at] = words[other].clone();
            }
        }
        5..7 if class == Class::Number => words[at] = EDGES[rng.usize(0..EDGES.len())].into(),
        5..7 => {
            let other = rng.usize(0..words.len());
            words.swap(at, other);
        }
        7 => drop(words.remove(at)),
        8 => words.insert(at, words[at].clone()),
        9 => words.insert(at, EDGES[rng.usize(0..EDGES.len())].into()),
        _ => lines(rng, words, at),
    }
    if words.is_empty() {
        words.push(" ".into());
    }
}

/// A word that is not empty: every other time a number, which more readers accept in place of
/// another.
fn choose(rng: &mut Rng, words: &[String]) -> Option<usize> {
    let start = rng.usize(0..words.len());
    let number = |at: &usize| class(&words[*at]) == Class::Number;
    let found = (start..words.len()).chain(0..start).find(number);
    if found.is_some() && rng.bool() {
        return found;
    }
    (start..words.len()).find(|at| !words[*at].trim().is_empty())
}

/// Removes, repeats or moves the line of a word.
fn lines(rng: &mut Rng, words: &mut Vec<String>, at: usize) {
    let is_end = |word: &String| word == "\n";
    let start = words[..at].iter().rposition(is_end).map_or(0, |n| n + 1);
    let end = words[at..]
        .iter()
        .position(is_end)
        .map_or(words.len(), |n| at + n + 1);
    let line: Vec<String> = words[start..end].to_vec();
    if rng.bool() {
        words.drain(start..end);
    }
    if rng.bool() {
        let target = rng.usize(0..=words.len());
        let target = words[..target]
            .iter()
            .rposition(is_end)
            .map_or(0, |n| n + 1);
        words.splice(target..target, line);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Name,
    Number,
    Space,
    Sign,
}

fn class(word: &str) -> Class {
    match word.chars().next() {
        Some(c) if c.is_ascii_digit() => Class::Number,
        Some(c) if is_name(c) => Class::Name,
        Some(c) if c.is_whitespace() => Class::Space,
        _ => Class::Sign,
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "_%@!.$#\"".contains(c)
}

/// Words, numbers, single signs and single spaces.
fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_name = false;
    for c in text.chars() {
        match words.last_mut() {
            Some(last) if in_name && is_name(c) => last.push(c),
            _ => words.push(c.to_string()),
        }
        in_name = is_name(c);
    }
    if words.is_empty() {
        words.push(" ".into());
    }
    words
}
