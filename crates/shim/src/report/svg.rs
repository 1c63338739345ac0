//! What drawings have in common.

/// Text for inside an element.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The tips of arrows.
pub(super) const MARKERS: &str = "<defs>\
<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 0 8 4 0 8z\" class=\"tip\"/></marker>\
<marker id=\"red\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 0 8 4 0 8z\" class=\"redtip\"/></marker></defs>";

/// A point of a drawing.
pub(super) type Point = (f64, f64);

/// Half the size of a task's box.
pub(super) fn half(name: &str) -> Point {
    (12.0 + 3.9 * name.chars().count() as f64, 15.0)
}

/// Where a line from outside meets a box around `to`.
pub(super) fn border(from: Point, to: Point, half: Point) -> Point {
    let (dx, dy) = (from.0 - to.0, from.1 - to.1);
    let scale = (half.0 / dx.abs().max(1e-9))
        .min(half.1 / dy.abs().max(1e-9))
        .min(1.0);
    (to.0 + dx * scale, to.1 + dy * scale)
}
