//! Where allocated objects come from, said where a report mentions them first: of those whose
//! allocation is a line of the trace that is not shown, or no line of it.

use crate::model::Step;
use crate::trace::Line;

/// An allocated object, and its past in words.
struct Introduction<'a> {
    name: &'a str,
    past: String,
}

/// Returns a text about an execution with the places at which the objects that it mentions were
/// allocated, and the numbers of these steps, each where the text first mentions the object.
/// `shown` are the lines of the trace that the text has anyway.
pub(crate) fn introduced(
    mut text: String,
    steps: &[Step],
    lines: &[Line<'_>],
    shown: &[usize],
) -> String {
    for Introduction { name, past } in introductions(steps, lines, shown) {
        let Some(at) = mention(&text, name) else {
            continue;
        };
        let rest = &text[at + name.len()..];
        if rest.starts_with(" (") {
            // The message says it itself.
            continue;
        }
        let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ')' | ';' | ':' | '\u{1b}');
        let end = at + name.len() + rest.find(is_end).unwrap_or(rest.len());
        let insertion = match text[end..].starts_with(')') {
            true => format!(", {past}"),
            false => format!(" ({past})"),
        };
        text.insert_str(end, &insertion);
    }
    text
}

fn introductions<'a>(
    steps: &'a [Step],
    lines: &[Line<'_>],
    shown: &[usize],
) -> Vec<Introduction<'a>> {
    let number = |step: &Step| {
        let line = lines.iter().find(|line| std::ptr::eq(line.step, step));
        line.map(|line| line.number)
    };
    let is_shown = |step: &Step| shown.iter().any(|&n| std::ptr::eq(lines[n].step, step));
    let mut all = Vec::new();
    for step in steps
        .iter()
        .filter(|it| it.action == "allocate" && !is_shown(it))
    {
        let Some(name) = step.object.as_deref() else {
            continue;
        };
        let file = step.file.rsplit('/').next().unwrap_or_default();
        let mut past = format!("{file}:{}", step.line);
        if let Some(number) = number(step) {
            past += &format!(", step {number}");
        }
        let freed = steps
            .iter()
            .find(|it| it.action == "free" && it.object.as_deref() == Some(name));
        if let Some(number) = freed.filter(|it| !is_shown(it)).and_then(number) {
            past += &format!(", freed in step {number}");
        }
        all.push(Introduction { name, past });
    }
    all
}

/// Where a text mentions an object first, and not another one whose name it is a part of.
fn mention(text: &str, name: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let found = text.match_indices(name).find(|(at, _)| {
        let (before, after) = (&text[..*at], &text[at + name.len()..]);
        let continues = after.starts_with(|c: char| c.is_ascii_digit());
        !is_part(before.chars().next_back()) && !continues
    });
    found.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rendering::Rendering;
    use crate::trace;

    fn step(line: u32, action: &str, object: &str, text: &str) -> Step {
        Step {
            thread: 0,
            transition: 0,
            function: "main".into(),
            file: "src/list.c".into(),
            line,
            action: action.into(),
            variable: None,
            value: None,
            old: None,
            object: Some(object.into()),
            library: false,
            call: None,
            part_of: None,
            minor: false,
            text: text.into(),
        }
    }

    fn introduced_in(text: &str, shown: &[usize]) -> String {
        let steps = [
            step(1, "allocate", "Node#1", "allocates Node#1"),
            step(2, "allocate", "Node#12", "allocates Node#12"),
            step(3, "free", "Node#1", "frees Node#1"),
        ];
        let lines = trace::lines(&steps, Rendering::default());
        introduced(text.into(), &steps, &lines, shown)
    }

    #[test]
    fn objects_are_introduced_once_where_they_are_mentioned_first() {
        assert_eq!(
            introduced_in(
                "reads &Node#12.next, then &Node#12; a->b (Node#1) and Node#1",
                &[]
            ),
            "reads &Node#12.next (list.c:2, step 2), then &Node#12; \
             a->b (Node#1, list.c:1, step 1, freed in step 3) and Node#1"
        );
    }

    #[test]
    fn what_the_text_says_itself_is_not_repeated() {
        let says = "frees Node#12 (list.c:2) again";
        assert_eq!(introduced_in(says, &[]), says);
        assert_eq!(introduced_in("Node#12", &[1]), "Node#12");
        assert_eq!(introduced_in("MyNode#12", &[]), "MyNode#12");
    }
}
