//! The drawing of the network of channels.

use super::labels::{Label, write_labels};
use super::svg::{MARKERS, Point, border, escape, half};
use crate::verdict::CheckResult;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// The tasks that communicate, the channels between them, and the cycle of those that wait.
pub(super) fn network(result: &CheckResult) -> String {
    let shown_as = representatives(result);
    let mut shown: Vec<usize> = result
        .channels
        .iter()
        .flat_map(|c| c.senders.iter().chain(&c.receivers))
        .map(|task| shown_as[*task])
        .collect();
    shown.extend((0..result.tasks.len()).filter(|t| result.cycle.contains(&result.tasks[*t].name)));
    // The cycle in its own order, so that its arrows run around the drawing.
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
    let edges = flows(result, &shown_as);
    let (at, width, height) = layout(result, &shown, &edges);
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">{MARKERS}"
    );
    let mut labels = Vec::new();
    for ((from, to), channels) in &edges {
        let curve = curve(result, &at, (*from, *to), 22.0);
        arrow(&mut out, curve, ("edge", "tip"));
        labels.push(Label::new(channels.join(", "), "edgelabel", curve));
    }
    for (from, to, label) in cycle(result) {
        let curve = curve(result, &at, (from, to), -44.0);
        arrow(&mut out, curve, ("wait", "red"));
        labels.push(Label::new(label, "waitlabel", curve));
    }
    let boxes = shown
        .iter()
        .map(|task| (at[task], half(&result.tasks[*task].name)));
    write_labels(&mut out, &labels, boxes.collect(), (width, height));
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

/// Who waits for whom around the cycle, and on which channel.
fn cycle(result: &CheckResult) -> Vec<(usize, usize, String)> {
    let position = |name: &String| result.tasks.iter().position(|t| t.name == *name);
    let arrow = |(index, name): (usize, &String)| {
        let next = &result.cycle[(index + 1) % result.cycle.len()];
        let waiting = result.waiting.iter().find(|w| w.task == *name);
        let channel = waiting.and_then(|w| w.channel.as_ref());
        let label = channel.map_or("to end".into(), |c| format!("waits on {c}"));
        Some((position(name)?, position(next)?, label))
    };
    result.cycle.iter().enumerate().filter_map(arrow).collect()
}

/// The start, the control point and the end of the curve from one task to another.
fn curve(
    result: &CheckResult,
    at: &HashMap<usize, Point>,
    (from, to): (usize, usize),
    bend: f64,
) -> [Point; 3] {
    let (a, b) = (at[&from], at[&to]);
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(1.0);
    let middle = (
        (a.0 + b.0) / 2.0 - dy / length * bend * 2.0,
        (a.1 + b.1) / 2.0 + dx / length * bend * 2.0,
    );
    let start = border(middle, a, half(&result.tasks[from].name));
    let end = border(middle, b, half(&result.tasks[to].name));
    [start, middle, end]
}

fn arrow(out: &mut String, [start, middle, end]: [Point; 3], (class, tip): (&str, &str)) {
    write!(
        out,
        "<path class=\"{class}\" marker-end=\"url(#{tip})\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\"/>",
        start.0, start.1, middle.0, middle.1, end.0, end.1
    )
    .expect("text grows");
}

/// The task that each is drawn as: itself, or in a large network the task that runs it, such that
/// not too many are drawn. Those of the cycle are drawn themselves.
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
    // Rounds are bounded: around a cycle depths would grow forever.
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
