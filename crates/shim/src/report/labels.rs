//! Where the labels of a drawing go: beside their lines, and not on top of each other.

use super::svg::{Point, escape};
use std::fmt::Write;

/// A text that belongs to a curve.
pub(super) struct Label {
    text: String,
    class: &'static str,
    curve: [Point; 3],
}

/// A rectangle: its middle, and half its size.
type Area = (Point, Point);

impl Label {
    /// A label for a curve, given by its start, its control point and its end.
    pub(super) fn new(text: String, class: &'static str, curve: [Point; 3]) -> Label {
        Label { text, class, curve }
    }

    /// The area of the text around a point, in letters of 12 pixels.
    fn area(&self, middle: Point) -> Area {
        (middle, (3.7 * self.text.chars().count() as f64 + 3.0, 8.0))
    }

    /// Where the text might stand, the best place first: near the middle of the curve, on it or a
    /// little beside it.
    fn places(&self) -> impl Iterator<Item = Point> {
        let along = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
        let beside = [0.0, 16.0, -16.0, 32.0, -32.0];
        beside.into_iter().flat_map(move |offset| {
            along.into_iter().map(move |share| {
                let (x, y) = on_curve(self.curve, share);
                (x, y + offset)
            })
        })
    }
}

fn on_curve([a, b, c]: [Point; 3], share: f64) -> Point {
    let mix = |a: f64, b: f64, c: f64| {
        let rest = 1.0 - share;
        rest * rest * a + 2.0 * rest * share * b + share * share * c
    };
    (mix(a.0, b.0, c.0), mix(a.1, b.1, c.1))
}

/// How much of two areas is common to them.
fn overlap((a, half_a): Area, (b, half_b): Area) -> f64 {
    let common = |a: f64, half_a: f64, b: f64, half_b: f64| {
        ((a + half_a).min(b + half_b) - (a - half_a).max(b - half_b)).max(0.0)
    };
    common(a.0, half_a.0, b.0, half_b.0) * common(a.1, half_a.1, b.1, half_b.1)
}

/// Writes each label where it covers least of what is there already: the areas taken, and labels
/// before it.
pub(super) fn write_labels(
    out: &mut String,
    labels: &[Label],
    mut taken: Vec<Area>,
    (width, height): Point,
) {
    for label in labels {
        let covered = |middle: &Point| {
            let area = label.area(*middle);
            let page = ((width / 2.0, height / 2.0), (width / 2.0, height / 2.0));
            let outside = 4.0 * area.1.0 * area.1.1 - overlap(area, page);
            let covered = taken.iter().map(|other| overlap(area, *other)).sum::<f64>();
            (covered + outside).round() as u64
        };
        // Of equals, the first is the least.
        let Some((x, y)) = label.places().min_by_key(covered) else {
            continue;
        };
        taken.push(label.area((x, y)));
        write!(
            out,
            "<text class=\"label {}\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            label.class,
            y + 4.0,
            escape(&label.text)
        )
        .expect("text grows");
    }
}
