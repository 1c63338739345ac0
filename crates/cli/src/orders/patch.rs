//! Changes of memory orders in the source.
//!
//! The source is not parsed: at the place of an operation there must be a call with its name, and
//! the orders among its last arguments by the names that C and C++ give them. Whatever is written
//! in another way is left to the user.

use impasse_program::atomics::{AtomicKind, AtomicOperation};
use impasse_program::instruction::Ordering;
use impasse_program::orders::Orders;
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Text in place of other text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Edit {
    range: Range<usize>,
    text: String,
}

/// Returns a unified diff that gives operations other orders, and the operations of which the
/// source must be changed by hand.
pub fn patch<'o>(changes: &[(&'o AtomicOperation, Orders)]) -> (String, Vec<&'o AtomicOperation>) {
    let mut by_file: BTreeMap<&str, Vec<&(&AtomicOperation, Orders)>> = BTreeMap::new();
    for change in changes {
        by_file
            .entry(&change.0.place.file)
            .or_default()
            .push(change);
    }
    let (mut diff, mut by_hand) = (String::new(), Vec::new());
    for (file, changes) in by_file {
        let text = fs::read_to_string(file).unwrap_or_default();
        let mut edits = Vec::new();
        for (operation, orders) in changes {
            match edits_of(&text, operation, *orders) {
                Some(more) => edits.extend(more),
                None => by_hand.push(*operation),
            }
        }
        diff += &difference(file, &text, &applied(&text, edits));
    }
    (diff, by_hand)
}

/// Returns the source of an operation on one line: a call, or what begins there.
pub fn source_of(operation: &AtomicOperation) -> Option<String> {
    let place = &operation.place;
    let text = fs::read_to_string(&place.file).ok()?;
    let at = offset(&text, place.line, place.column)?;
    let call = call_of(&text, operation);
    let start = call.as_ref().map_or(at, |call| call.start);
    // The object of a member function is in front of its name.
    let is_object = |c: char| c.is_alphanumeric() || "_.->[]:".contains(c);
    let object = text[..start].trim_end_matches(is_object).len();
    let end = match &call {
        Some(call) => call.end,
        None => start + expression(&text[start..]),
    };
    let words: Vec<&str> = text[object..end].split_whitespace().collect();
    Some(words.join(" "))
}

/// How long an expression is at the start of a text, more or less.
fn expression(text: &str) -> usize {
    let line = text.lines().next().unwrap_or_default();
    let line = line.split("//").next().unwrap_or_default();
    let mut depth = 0;
    let ends = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0 || c == ';' || c == ',' && depth == 0
    };
    line.find(ends).unwrap_or(line.len())
}

/// The call that an operation is, if its source has just one that it can be.
fn call_of(text: &str, operation: &AtomicOperation) -> Option<Call> {
    let place = &operation.place;
    let start = offset(text, place.line, place.column)?;
    let is_it = |call: &Call| {
        let known = others(text, call);
        known.is_some_and(|(kinds, _)| kinds.contains(&operation.kind))
    };
    let outer = Call::at(text, start).filter(|_| operation.is_single)?;
    if is_it(&outer) {
        return Some(outer);
    }
    // A macro has the place of all that its arguments do.
    let ends_name = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
    let starts = text[outer.name.end..outer.end].char_indices();
    let starts = starts.filter(|(_, c)| ends_name(*c));
    let starts = starts.map(|(at, c)| outer.name.end + at + c.len_utf8());
    let mut inner = starts
        .filter_map(|start| Call::at(text, start))
        .filter(is_it);
    inner.next().filter(|_| inner.next().is_none())
}

fn difference(file: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let here = std::env::current_dir().unwrap_or_default();
    let below = Path::new(file).strip_prefix(here);
    let name = below.map_or(file.to_owned(), |path| path.display().to_string());
    let name = name.trim_start_matches('/').trim_start_matches("./");
    let diff = TextDiff::from_lines(before, after);
    let mut diff = diff.unified_diff();
    let diff = diff.header(&format!("a/{name}"), &format!("b/{name}"));
    diff.to_string()
}

fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    edits.dedup();
    let mut changed = text.to_owned();
    for edit in edits.into_iter().rev() {
        changed.replace_range(edit.range, &edit.text);
    }
    changed
}

fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)? as usize)
        .map(str::len)
        .sum();
    let offset = before + column.checked_sub(1)? as usize;
    text.is_char_boundary(offset).then_some(offset)
}

/// A call in the source.
struct Call {
    start: usize,
    /// Its name, with what qualifies it.
    name: Range<usize>,
    /// What is between commas.
    arguments: Vec<Range<usize>>,
    /// Behind the closing parenthesis.
    end: usize,
}

impl Call {
    /// The call whose name, with or without what qualifies it, begins here.
    fn at(text: &str, start: usize) -> Option<Call> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let rest = text.get(start..)?;
        let name = start..start + rest.find(|c| !is_name(c))?;
        let open = name.end + text[name.end..].find(|c: char| !c.is_whitespace())?;
        if name.is_empty() || !text[open..].starts_with('(') {
            return None;
        }
        let (arguments, end) = arguments(text, open)?;
        Some(Call {
            start,
            name,
            arguments,
            end,
        })
    }
}

/// The arguments in parentheses of which the first one is here, and where the list ends. Fails if
/// the parentheses do not match.
fn arguments(text: &str, open: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut start) = (0, open, open + 1);
    let mut found = Vec::new();
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 1 => {
                found.push(start..at);
                start = at + 1;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while *bytes.get(at)? != quote {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => at += text[at..].find('\n')?,
            b'/' if bytes.get(at + 1) == Some(&b'*') => at += text[at..].find("*/")? + 1,
            _ => {}
        }
        if depth == 0 {
            if !text[start..at].trim().is_empty() {
                found.push(start..at);
            }
            return Some((found, at + 1));
        }
        at += 1;
    }
    None
}

/// How a source writes a memory order: what is in front of its name, and whether in capitals.
const STYLES: [(&str, bool); 5] = [
    ("std::memory_order::", false),
    ("std::memory_order_", false),
    ("memory_order::", false),
    ("memory_order_", false),
    ("__ATOMIC_", true),
];

/// The place of a memory order's name in an argument that is nothing else, and how it is written.
fn order_in(text: &str, argument: &Range<usize>) -> Option<(Range<usize>, (&'static str, bool))> {
    let inside = &text[argument.clone()];
    let trimmed = inside.trim();
    let start = argument.start + inside.find(trimmed)?;
    let style = STYLES
        .into_iter()
        .find(|(front, _)| trimmed.starts_with(front))?;
    let names = [
        "relaxed", "acquire", "consume", "release", "acq_rel", "seq_cst",
    ];
    let name = trimmed[style.0.len()..].to_ascii_lowercase();
    let known = names.contains(&name.as_str());
    known.then_some((start + style.0.len()..start + trimmed.len(), style))
}

/// What changes a call to these orders, or `None` if that is for the user to do.
fn edits_of(text: &str, operation: &AtomicOperation, orders: Orders) -> Option<Vec<Edit>> {
    let call = call_of(text, operation)?;
    let (_, others) = others(text, &call)?;
    let from_end = call.arguments.iter().rev();
    let mut given: Vec<_> = from_end.map_while(|a| order_in(text, a)).collect();
    given.reverse();
    let name = &text[call.name.clone()];
    let plain = name.trim_start_matches("std::");
    // C's functions with and without orders have different names, and the former take all of them.
    let is_function = plain.starts_with("atomic_") && plain != "atomic_thread_fence";
    let renamed = is_function && !plain.ends_with("_explicit");
    let wanted = match orders.failure {
        Some(failure) if renamed || given.len() == 2 || failure != orders.order.of_failure() => {
            vec![orders.order, failure]
        }
        _ => vec![orders.order],
    };
    let is_known = match others {
        Others::Are(count) => call.arguments.len() == count + given.len(),
        Others::Any => given.len() == wanted.len(),
    };
    if !is_known || given.len() > wanted.len() || renamed && !given.is_empty() {
        return None;
    }
    let usual = match plain == name && plain.starts_with("atomic_") {
        true => ("memory_order_", false),
        false => ("std::memory_order_", false),
    };
    let style = given.last().map_or(usual, |(_, style)| *style);
    let changed = given.iter().zip(&wanted);
    let mut edits: Vec<Edit> = changed
        .map(|((range, (_, capitals)), order)| Edit {
            range: range.clone(),
            text: written(*order, ("", *capitals)),
        })
        .collect();
    let missing = wanted[given.len()..].iter();
    let missing: Vec<String> = missing.map(|order| written(*order, style)).collect();
    if !missing.is_empty() {
        let comma = if call.arguments.is_empty() { "" } else { ", " };
        let end = call.end - 1;
        edits.push(Edit {
            range: end..end,
            text: format!("{comma}{}", missing.join(", ")),
        });
    }
    if renamed {
        edits.push(Edit {
            range: call.name.end..call.name.end,
            text: "_explicit".into(),
        });
    }
    Some(edits)
}

fn written(order: Ordering, (front, capitals): (&str, bool)) -> String {
    let name = order.name();
    match capitals {
        true => format!("{front}{}", name.to_ascii_uppercase()),
        false => format!("{front}{name}"),
    }
}

/// What a call has besides memory orders.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// So many arguments; orders may be missing.
    Are(usize),
    /// Whatever a function of the compiler takes; no order is missing.
    Any,
}

/// The member functions that take memory orders last, what they do, and how many arguments they
/// have in front.
const MEMBERS: [(&str, AtomicKind, usize); 16] = [
    ("load", AtomicKind::Load, 0),
    ("store", AtomicKind::Store, 1),
    ("exchange", AtomicKind::ReadModifyWrite, 1),
    ("compare_exchange_weak", AtomicKind::CompareExchange, 2),
    ("compare_exchange_strong", AtomicKind::CompareExchange, 2),
    ("fetch_add", AtomicKind::ReadModifyWrite, 1),
    ("fetch_sub", AtomicKind::ReadModifyWrite, 1),
    ("fetch_and", AtomicKind::ReadModifyWrite, 1),
    ("fetch_or", AtomicKind::ReadModifyWrite, 1),
    ("fetch_xor", AtomicKind::ReadModifyWrite, 1),
    ("fetch_max", AtomicKind::ReadModifyWrite, 1),
    ("fetch_min", AtomicKind::ReadModifyWrite, 1),
    ("test_and_set", AtomicKind::ReadModifyWrite, 0),
    ("clear", AtomicKind::Store, 0),
    ("test", AtomicKind::Load, 0),
    ("wait", AtomicKind::Load, 1),
];
const ALL_KINDS: &[AtomicKind] = &[
    AtomicKind::Load,
    AtomicKind::Store,
    AtomicKind::ReadModifyWrite,
    AtomicKind::CompareExchange,
    AtomicKind::Fence,
];

/// What a call can do, and what it has besides orders, if it is of an operation that takes them.
fn others(text: &str, call: &Call) -> Option<(&'static [AtomicKind], Others)> {
    let of = |name: &str, objects| {
        let found = MEMBERS.iter().find(|(member, ..)| *member == name);
        found.map(|(_, kind, count)| (std::slice::from_ref(kind), Others::Are(count + objects)))
    };
    let name = &text[call.name.clone()];
    let before = text[..call.start].trim_end();
    if before.ends_with('.') || before.ends_with("->") {
        return of(name, 0);
    }
    if name.starts_with("__atomic_") || name.starts_with("__c11_atomic_") {
        return Some((ALL_KINDS, Others::Any));
    }
    let name = name.trim_start_matches("std::").strip_prefix("atomic_")?;
    if name == "thread_fence" {
        return Some((&[AtomicKind::Fence], Others::Are(0)));
    }
    let name = name.strip_prefix("flag_").unwrap_or(name);
    of(name.strip_suffix("_explicit").unwrap_or(name), 1)
}

#[cfg(test)]
mod tests;
