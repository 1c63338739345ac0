//! Why something can never end, for a person: what each thread does.

use crate::model::{HangReport, HungThread, Reading, Spot, ThreadStatus};
use crate::rendering::{grouped, thread_name};

/// The heading, and what each thread does, in words.
pub(crate) fn lines(hang: &HangReport) -> Vec<(u32, String)> {
    let threads = hang.region.threads.iter();
    let mut lines: Vec<(u32, String)> = threads
        .map(|thread| (thread.thread, status(thread)))
        .collect();
    lines.retain(|(_, text)| !text.is_empty());
    lines
}

/// What stands below the threads: the wait cycle, and how much was explored.
pub(crate) fn remarks(hang: &HangReport) -> Vec<String> {
    let mut remarks = Vec::new();
    let cycle = &hang.region.cycle;
    if cycle.len() > 1 {
        let names: Vec<String> = cycle
            .iter()
            .chain(&cycle[..1])
            .map(|&t| thread_name(t))
            .collect();
        remarks.push(format!("wait cycle: {}", names.join(" waits for ")));
    }
    let runs = |thread: &HungThread| thread.state == ThreadStatus::Running;
    if !hang.region.threads.iter().any(runs) {
        remarks.push("no thread can continue".into());
    }
    if !hang.region.complete {
        remarks.push(format!(
            "looked at {} of the states that follow; in all of them it is so",
            grouped(hang.region.states)
        ));
    }
    remarks
}

fn status(thread: &HungThread) -> String {
    let mut text = who(thread);
    match thread.state {
        ThreadStatus::Ended if thread.holds.is_empty() => return String::new(),
        ThreadStatus::Ended => text.push_str("has ended"),
        ThreadStatus::Blocked => {
            let place = thread.places.first().map(spot).unwrap_or_default();
            let waits = thread.waits.as_deref().unwrap_or_default();
            text.push_str(&format!("waits{place} {waits}"));
        }
        ThreadStatus::Running => match &thread.waits {
            Some(waits) => {
                let place = thread.places.first().map(spot).unwrap_or_default();
                text.push_str(&format!("waits{place} {waits}"));
            }
            None => text.push_str(&running(thread)),
        },
    }
    if !thread.holds.is_empty() {
        let verb = match thread.state {
            ThreadStatus::Ended => ", having kept ",
            _ => "; it holds ",
        };
        text.push_str(verb);
        let holds = thread.holds.iter().zip(&thread.holds_since);
        let holds: Vec<String> = holds
            .map(|(name, since)| {
                let since = since
                    .as_ref()
                    .map(|it| spot(it).replacen(" at", "since", 1));
                match (since, name.strip_suffix(')')) {
                    (Some(since), Some(start)) => format!("{start}, {since})"),
                    (Some(since), None) => format!("{name} ({since})"),
                    (None, _) => name.clone(),
                }
            })
            .collect();
        text.push_str(&holds.join(" and "));
    }
    text
}

fn who(thread: &HungThread) -> String {
    let routine = thread.routine.as_deref().filter(|_| thread.thread > 0);
    let started = thread
        .started
        .as_ref()
        .map(|s| format!("started{}", spot(s)));
    match (routine, started) {
        (Some(routine), Some(started)) => format!("({routine}, {started}) "),
        (Some(only), None) => format!("({only}) "),
        (None, Some(only)) => format!("({only}) "),
        (None, None) => String::new(),
    }
}

fn running(thread: &HungThread) -> String {
    let mut text = match thread.places.as_slice() {
        [] => "runs forever, outside of the program's own code".to_owned(),
        [one] => format!("runs forever{}", spot(one)),
        places => format!("runs forever at {}", spots(places)),
    };
    let unchanged = || thread.reads.iter().filter(|r| !r.changes);
    // Pointers read to find what is waited for are not worth a word.
    let leads = |r: &&Reading| !r.values.is_empty() && r.values.iter().all(|v| v.starts_with('&'));
    let all_lead = unchanged().all(|r| leads(&r));
    let in_vain: Vec<String> = unchanged()
        .filter(|r| all_lead || !leads(r))
        .map(reading)
        .collect();
    let others: Vec<&str> = thread
        .reads
        .iter()
        .filter(|r| r.changes)
        .map(|r| r.variable.as_str())
        .collect();
    if !in_vain.is_empty() {
        let it = if in_vain.len() == 1 { "it" } else { "them" };
        text.push_str(&format!(
            ": reads {}; no thread changes {it} any more",
            in_vain.join(" and ")
        ));
    }
    if !others.is_empty() {
        let lead = if in_vain.is_empty() {
            ": reads"
        } else {
            "; reads"
        };
        text.push_str(&format!(
            "{lead} {}, which changes again and again",
            others.join(", ")
        ));
    }
    if !thread.writes.is_empty() {
        text.push_str(&format!("; writes {}", thread.writes.join(", ")));
    }
    if !thread.does.is_empty() {
        text.push_str(&format!("; again and again {}", thread.does.join("; ")));
    }
    text
}

fn reading(reading: &Reading) -> String {
    if reading.values.is_empty() {
        return reading.variable.clone();
    }
    format!(
        "{}, which is {},",
        reading.variable,
        reading.values.join(" or ")
    )
    .trim_end_matches(',')
    .to_owned()
}

fn spot(spot: &Spot) -> String {
    format!(" at {}:{}", spot.file, spot.line)
}

/// Lines of a file, with neighbouring ones as a range.
fn spots(places: &[Spot]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for group in places.chunk_by(|a, b| a.file == b.file && a.line + 1 >= b.line) {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        parts.push(match first.line == last.line {
            true => format!("{}:{}", first.file, first.line),
            false => format!("{}:{}-{}", first.file, first.line, last.line),
        });
    }
    parts.join(", ")
}
