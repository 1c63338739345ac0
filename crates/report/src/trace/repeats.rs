//! Runs of lines that repeat the lines before them, as the iterations of a loop do.

use super::Line;
use std::collections::HashMap;

/// Longer iterations than this are shown one by one.
const LONGEST_ITERATION: usize = 32;
/// An iteration is shown once if it is repeated at least so often.
const FEWEST: usize = 3;

/// Notes which lines repeat others: those of an iteration that occurs again and again, from its
/// second occurrence on.
pub(super) fn note(lines: &mut [Line<'_>]) {
    let numbers = numbers(lines);
    let mut first = 0;
    while first < lines.len() {
        let Some((length, times)) = iteration(&numbers[first..]) else {
            first += 1;
            continue;
        };
        let end = first + length * times;
        for line in &mut lines[first + length..end] {
            line.repeats = Some(first..first + length);
        }
        first = end;
    }
}

/// A number for each line, equal for lines that say the same.
fn numbers(lines: &[Line<'_>]) -> Vec<usize> {
    let mut known = HashMap::new();
    let numbers = lines.iter().map(|line| {
        let (step, next) = (line.step, known.len());
        let what = (step.thread, &*step.file, step.line, &*line.text, line.times);
        *known.entry(what).or_insert(next)
    });
    numbers.collect()
}

/// The length of the shortest iteration with which `lines` begin, and how often it occurs, if that
/// is often.
fn iteration(lines: &[usize]) -> Option<(usize, usize)> {
    (1..=LONGEST_ITERATION).find_map(|length| {
        let later = lines.get(length..)?;
        let equal = lines.iter().zip(later).take_while(|(a, b)| a == b).count();
        let times = 1 + equal / length;
        (times > FEWEST).then_some((length, times))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_found_where_they_occur_often() {
        assert_eq!(iteration(&[1, 2, 1, 2, 1, 2]), None);
        assert_eq!(iteration(&[1, 2, 1, 2, 1, 2, 1, 2, 1]), Some((2, 4)));
        assert_eq!(iteration(&[3, 1, 2, 1, 2, 1, 2, 1, 2]), None);
        assert_eq!(iteration(&[1, 1, 1, 1, 2]), Some((1, 4)));
        let long: Vec<usize> = (0..4 * 40).map(|n| n % 40).collect();
        assert_eq!(iteration(&long), None);
    }
}
