//! Drawings: the network of channels and the sequence of messages.

use crate::verdict::{CheckResult, TraceStep, Waiting};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// Text for inside an element.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

const MARKERS: &str = "<defs>\
<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 0 8 4 0 8z\" class=\"tip\"/></marker>\
<marker id=\"red\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 0 8 4 0 8z\" class=\"redtip\"/></marker></defs>";

/// A point of a drawing.
type Point = (f64, f64);

/// Half the size of a task's box.
fn half(name: &str) -> Point {
    (12.0 + 3.9 * name.chars().count() as f64, 15.0)
}

/// Where a line from outside meets a box around `to`.
fn border(from: Point, to: Point, half: Point) -> Point {
    let (dx, dy) = (from.0 - to.0, from.1 - to.1);
    let scale = (half.0 / dx.abs().max(1e-9))
        .min(half.1 / dy.abs().max(1e-9))
        .min(1.0);
    (to.0 + dx * scale, to.1 + dy * scale)
}

/// The tasks that communicate, the channels between them, and the circle of those that wait.
pub(super) fn network(result: &CheckResult) -> String {
    let shown_as = representatives(result);
    let mut shown: Vec<usize> = result
        .channels
        .iter()
        .flat_map(|c| c.senders.iter().chain(&c.receivers))
        .map(|task| shown_as[*task])
        .collect();
    shown.extend((0..result.tasks.len()).filter(|t| result.cycle.contains(&result.tasks[*t].name)));
    // The circle in its own order, so that its arrows run around the drawing.
    let place = |task: usize| {
        result
            .cycle
            .iter()
            .position(|name| *name == result.tasks[task].name)
    };
    shown.sort_unstable_by_key(|task| (place(*task).unwrap_or(usize::MAX), *task));
    shown.dedup();
    if shown.is_empty() {
        return "<p>No task communicates.</p>".into();
    }
    let (at, width, height) = layout(result, &shown, &flows(result, &shown_as));
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">{MARKERS}"
    );
    let edges = flows(result, &shown_as);
    for ((from, to), channels) in &edges {
        edge(
            &mut out,
            result,
            &at,
            (*from, *to),
            &channels.join(", "),
            ("edge", "tip"),
            22.0,
        );
    }
    for (index, name) in result.cycle.iter().enumerate() {
        let next = &result.cycle[(index + 1) % result.cycle.len()];
        let position = |name: &String| result.tasks.iter().position(|t| t.name == *name);
        let (Some(from), Some(to)) = (position(name), position(next)) else {
            continue;
        };
        let waiting = result.waiting.iter().find(|w| w.task == *name);
        let label = waiting
            .and_then(|w| w.channel.as_ref())
            .map_or("to end".into(), |c| format!("waits on {c}"));
        edge(
            &mut out,
            result,
            &at,
            (from, to),
            &label,
            ("wait", "red"),
            -44.0,
        );
    }
    for task in &shown {
        let (x, y) = at[task];
        let name = &result.tasks[*task].name;
        let (w, h) = half(name);
        let class = if result.cycle.contains(name) {
            "task stuck"
        } else {
            "task"
        };
        let (left, top, wide, high) = (x - w, y - h, 2.0 * w, 2.0 * h);
        write!(out, "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"7\"/>")
            .expect("text grows");
        write!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y + 5.0,
            escape(name)
        )
        .expect("text grows");
    }
    out + "</svg>"
}

fn edge(
    out: &mut String,
    result: &CheckResult,
    at: &HashMap<usize, Point>,
    (from, to): (usize, usize),
    label: &str,
    (class, tip): (&str, &str),
    bend: f64,
) {
    let (Some(a), Some(b)) = (at.get(&from), at.get(&to)) else {
        return;
    };
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(1.0);
    let middle = (
        (a.0 + b.0) / 2.0 - dy / length * bend * 2.0,
        (a.1 + b.1) / 2.0 + dx / length * bend * 2.0,
    );
    let start = border(middle, *a, half(&result.tasks[from].name));
    let end = border(middle, *b, half(&result.tasks[to].name));
    let text = (
        (a.0 + b.0) / 2.0 - dy / length * bend,
        (a.1 + b.1) / 2.0 + dx / length * bend,
    );
    write!(
        out,
        "<path class=\"{class}\" marker-end=\"url(#{tip})\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\"/>\
         <text class=\"label {class}label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        start.0, start.1, middle.0, middle.1, end.0, end.1, text.0, text.1 + 4.0, escape(label)
    )
    .expect("text grows");
}

/// The task that each is drawn as: itself, or in a large network the task that runs it, such that
/// not too many are drawn. Those of the circle are drawn themselves.
fn representatives(result: &CheckResult) -> Vec<usize> {
    const MANY: usize = 40;
    let depth = |mut task: usize| {
        let mut depth = 0;
        while let Some(parent) = result.tasks[task].parent {
            (task, depth) = (parent, depth + 1);
        }
        depth
    };
    let at_most = |limit: usize| -> Vec<usize> {
        let drawn = |mut task: usize| {
            while let Some(parent) = result.tasks[task].parent
                && depth(task) > limit
                && !result.cycle.contains(&result.tasks[task].name)
            {
                task = parent;
            }
            task
        };
        (0..result.tasks.len()).map(drawn).collect()
    };
    let deepest = (0..result.tasks.len()).map(depth).max().unwrap_or(0);
    let few = |drawn: &Vec<usize>| drawn.iter().collect::<BTreeSet<_>>().len() <= MANY;
    (1..=deepest)
        .rev()
        .map(at_most)
        .find(few)
        .unwrap_or_else(|| at_most(1))
}

/// Who sends to whom, on which channels.
type Flow<'a> = ((usize, usize), Vec<&'a str>);

fn flows<'a>(result: &'a CheckResult, shown_as: &[usize]) -> Vec<Flow<'a>> {
    let mut pairs: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for channel in &result.channels {
        for from in channel.senders.iter().map(|task| shown_as[*task]) {
            for to in channel.receivers.iter().map(|task| shown_as[*task]) {
                let names = pairs.entry((from, to)).or_default();
                if from != to && !names.contains(&channel.name.as_str()) {
                    names.push(&channel.name);
                }
            }
        }
    }
    pairs
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .collect()
}

/// A circle for few tasks; columns along the flow of data for many.
fn layout(
    result: &CheckResult,
    shown: &[usize],
    flows: &[Flow],
) -> (HashMap<usize, Point>, f64, f64) {
    let widest = shown
        .iter()
        .map(|t| half(&result.tasks[*t].name).0)
        .fold(0.0, f64::max);
    if shown.len() <= 10 {
        let radius = 90.0 + 22.0 * shown.len() as f64;
        let (width, height) = (2.0 * (radius * 1.4 + widest) + 40.0, 2.0 * radius + 80.0);
        let angle =
            |i: usize| std::f64::consts::TAU * i as f64 / shown.len() as f64 - std::f64::consts::PI;
        let point = |i: usize| {
            (
                width / 2.0 + radius * 1.4 * angle(i).cos(),
                height / 2.0 + radius * angle(i).sin(),
            )
        };
        return (
            shown
                .iter()
                .enumerate()
                .map(|(i, t)| (*t, point(i)))
                .collect(),
            width.round(),
            height.round(),
        );
    }
    let columns = columns(shown, flows);
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(1);
    let (step_x, step_y) = (2.0 * widest + 90.0, 62.0);
    let (width, height) = (
        step_x * columns.len() as f64 + 20.0,
        step_y * tallest as f64 + 40.0,
    );
    let mut at = HashMap::new();
    for (x, column) in columns.iter().enumerate() {
        let top = (height - step_y * column.len() as f64) / 2.0;
        for (y, task) in column.iter().enumerate() {
            at.insert(
                *task,
                (step_x * (x as f64 + 0.5), top + step_y * (y as f64 + 0.5)),
            );
        }
    }
    (at, width.round(), height.round())
}

fn columns(shown: &[usize], flows: &[Flow]) -> Vec<Vec<usize>> {
    let mut depth: HashMap<usize, usize> = shown.iter().map(|t| (*t, 0)).collect();
    // Rounds are bounded: around a circle depths would grow for ever.
    for _ in 0..shown.len().min(12) {
        for ((from, to), _) in flows {
            let next = (depth[from] + 1).min(12);
            depth.entry(*to).and_modify(|d| *d = next.max(*d));
        }
    }
    let mut columns = vec![Vec::new(); 13];
    shown
        .iter()
        .for_each(|task| columns[depth[task]].push(*task));
    columns.retain(|column| !column.is_empty());
    columns
}

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
    let circle = |waiting: &&Waiting| result.cycle.contains(&waiting.task);
    for (index, waiting) in result.waiting.iter().filter(circle).enumerate() {
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
