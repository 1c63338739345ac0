//! The drawing of the sequence of messages.

use super::svg::{MARKERS, escape, half};
use crate::verdict::{CheckResult, TraceStep, Waiting};
use std::fmt::Write;

/// Lifelines and, from top to bottom, the last messages.
pub(super) fn sequence(result: &CheckResult) -> String {
    const LAST: usize = 60;
    let skipped = result.trace.len().saturating_sub(LAST);
    let steps: &[TraceStep] = &result.trace[skipped..];
    let mut names: Vec<&str> = Vec::new();
    let involved = steps
        .iter()
        .flat_map(|s| s.participants.iter().map(|p| p.task.as_str()));
    for name in involved.chain(result.cycle.iter().map(String::as_str)) {
        if !names.contains(&name) && names.len() < 24 {
            names.push(name);
        }
    }
    names.sort_by_key(|name| result.tasks.iter().position(|t| t.name == *name));
    let step_x = names
        .iter()
        .map(|name| 2.0 * half(name).0 + 26.0)
        .fold(150.0, f64::max);
    let x = |name: &str| {
        names
            .iter()
            .position(|n| *n == name)
            .map(|i| 40.0 + step_x * (i as f64 + 0.5))
    };
    let (width, height) = (
        step_x * names.len() as f64 + 80.0,
        34.0 * steps.len() as f64 + 130.0,
    );
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">{MARKERS}"
    );
    for name in &names {
        let (center, wide) = (x(name).unwrap_or(0.0), half(name).0);
        let stuck = if result.cycle.iter().any(|c| c == name) {
            "task stuck"
        } else {
            "task"
        };
        write!(
            out,
            "<line class=\"life\" x1=\"{center}\" y1=\"40\" x2=\"{center}\" y2=\"{:.0}\"/>\
             <rect class=\"{stuck}\" x=\"{:.1}\" y=\"8\" width=\"{:.1}\" height=\"30\" rx=\"7\"/>\
             <text x=\"{center}\" y=\"28\" text-anchor=\"middle\">{}</text>",
            height - 50.0,
            center - wide,
            2.0 * wide,
            escape(name)
        )
        .expect("text grows");
    }
    for (index, step) in steps.iter().enumerate() {
        message(&mut out, step, 74.0 + 34.0 * index as f64, &x);
    }
    let in_cycle = |waiting: &&Waiting| result.cycle.contains(&waiting.task);
    for (index, waiting) in result.waiting.iter().filter(in_cycle).enumerate() {
        if let Some(center) = x(&waiting.task) {
            let what = waiting
                .channel
                .as_ref()
                .map_or("waits".into(), |c| format!("waits on {c}"));
            // Every other one lower, so that neighbours do not overlap.
            let y = height - 34.0 + 18.0 * (index % 2) as f64;
            write!(
                out,
                "<text class=\"waitlabel\" x=\"{center}\" y=\"{y:.0}\" text-anchor=\"middle\">{} (line {})</text>",
                escape(&what),
                waiting.line
            )
            .expect("text grows");
        }
    }
    let note = if skipped > 0 {
        format!("<p>The first {skipped} messages are left out.</p>")
    } else {
        String::new()
    };
    note + &out + "</svg>"
}

fn message(out: &mut String, step: &TraceStep, y: f64, x: &impl Fn(&str) -> Option<f64>) {
    let sender = step
        .participants
        .iter()
        .find(|p| p.action == "sends")
        .or(step.participants.first());
    let Some(from) = sender.and_then(|p| x(&p.task)) else {
        return;
    };
    let label = match &step.value {
        Some(value) => format!("{} = {value}", step.channel),
        None => step.channel.clone(),
    };
    write!(
        out,
        "<circle class=\"dot\" cx=\"{from}\" cy=\"{y}\" r=\"4\"/>"
    )
    .expect("text grows");
    let mut at = from + 8.0;
    let mut anchor = "start";
    for receiver in step
        .participants
        .iter()
        .filter(|p| Some(&p.task) != sender.map(|s| &s.task))
    {
        let Some(to) = x(&receiver.task) else {
            continue;
        };
        let end = if to > from { to - 2.0 } else { to + 2.0 };
        write!(out, "<line class=\"edge\" marker-end=\"url(#tip)\" x1=\"{from}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\"/>").expect("text grows");
        (at, anchor) = ((from + to) / 2.0, "middle");
    }
    write!(
        out,
        "<text class=\"label\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        y - 6.0,
        escape(&label)
    )
    .expect("text grows");
}
