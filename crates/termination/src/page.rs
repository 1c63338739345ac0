//! The outcome as one page for a browser, which needs no network: the source with the path to the
//! loop and the loop itself, and why it runs forever, or ends.

use crate::human::{explain, place, render};
use crate::outcome::{Outcome, Valued, VerdictName};
use crate::problem::Line;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// Returns the page for the outcome of a program with a name and these files. Reads the files, as
/// far as they can be read.
pub fn page(outcome: &Outcome, program: &str, files: &[String]) -> String {
    let words = render(outcome, program);
    let headline = escape(words.lines().next().unwrap_or(program));
    let verdict = match outcome.verdict {
        VerdictName::Nonterminating => "nonterminating",
        VerdictName::Terminating => "terminating",
        VerdictName::Unknown => "unknown",
    };
    let sources: String = marked(outcome, files).iter().map(source).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{}: {verdict}</title>\
         <style>{STYLE}</style></head><body>\n\
         <header><span class=\"verdict {verdict}\">{verdict}</span> <h1>{headline}</h1></header>\n\
         <main><section aria-label=\"Source\">{sources}</section>\n<aside>{}</aside></main>\
         </body></html>\n",
        escape(program),
        reasons(outcome)
    )
}

/// A file with what is marked in it.
struct Marked {
    name: String,
    text: String,
    /// By the number of the line.
    lines: BTreeMap<u32, Mark>,
}

#[derive(Default)]
struct Mark {
    class: &'static str,
    note: String,
}

/// The files with the lines that the outcome names. Those of libraries are left out.
fn marked(outcome: &Outcome, files: &[String]) -> Vec<Marked> {
    let own = |name: &String| {
        let text = std::fs::read(name).ok()?;
        Some(Marked {
            name: name.clone(),
            text: String::from_utf8_lossy(&text).into_owned(),
            lines: BTreeMap::new(),
        })
    };
    let cycle = outcome.cycle.as_ref();
    let of_loop = cycle.map_or(&[][..], |cycle| &cycle.lines);
    let named: BTreeSet<String> = of_loop.iter().map(|line| line.file.clone()).collect();
    let named: BTreeSet<String> = files.iter().cloned().chain(named).collect();
    let mut found: Vec<Marked> = named.iter().filter_map(own).collect();
    let mut mark = |line: &Line, class, note: String| {
        if let Some(file) = found.iter_mut().find(|file| file.name == line.file) {
            file.lines.insert(line.line, Mark { class, note });
        }
    };
    for line in &outcome.stem {
        mark(line, "stem", String::new());
    }
    if let Some(cycle) = cycle {
        for line in &cycle.lines {
            mark(line, "cycle", explain(cycle, line));
        }
        mark(&cycle.header, "cycle header", explain(cycle, &cycle.header));
    }
    for header in outcome.ranked.iter().flatten() {
        mark(header, "ranked", "it ends".into());
    }
    found
}

fn source(file: &Marked) -> String {
    let mut rows = String::new();
    for (number, text) in (1..).zip(file.text.lines()) {
        let none = Mark::default();
        let mark = file.lines.get(&number).unwrap_or(&none);
        let _ = writeln!(
            rows,
            "<tr class=\"{}\"><td class=\"no\">{number}</td><td class=\"text\">{}</td>\
             <td class=\"note\">{}</td></tr>",
            mark.class,
            escape(text),
            escape(&mark.note)
        );
    }
    let name = escape(&file.name);
    format!("<h2>{name}</h2><div class=\"code\" tabindex=\"0\"><table>{rows}</table></div>")
}

/// What makes the verdict true, part by part.
fn reasons(outcome: &Outcome) -> String {
    let (each, before): (Vec<&Valued>, Vec<&Valued>) = outcome
        .inputs
        .iter()
        .partition(|input| input.each_iteration);
    let mut parts = vec![
        part("Inputs", before.iter().map(|it| valued(it)).collect()),
        part(
            "Inputs of each iteration",
            each.iter().map(|it| valued(it)).collect(),
        ),
    ];
    if let Some(state) = &outcome.repeated_state {
        let own = state.variables.iter().filter(|it| !it.library);
        let mut lines: Vec<String> = own.map(valued).collect();
        lines.push(match state.iterations {
            1 => "after 1 iteration".into(),
            iterations => format!("after {iterations} iterations"),
        });
        parts.push(part("State that repeats", lines));
    }
    if outcome.is_never_left {
        parts.push(part("Why", vec!["no instruction leaves the loop".into()]));
    }
    let recurrence = match outcome.recurrence.is_empty() {
        true => outcome.recurrent_set.clone().unwrap_or_default(),
        false => outcome.recurrence.clone(),
    };
    let headers = outcome.ranked.iter().flatten();
    let counts = &outcome.statistics;
    parts.extend([
        part("Recurrence set: each iteration preserves", recurrence),
        part("Loops with ranking functions", headers.map(place).collect()),
        part("Why there is no verdict", outcome.reasons.clone()),
        part("Undefined behaviour", outcome.undefined.clone()),
        part(
            "Work",
            vec![
                format!("executions: {}", counts.executions),
                format!("lassos: {}", counts.lassos),
            ],
        ),
    ]);
    parts.concat() + LEGEND
}

const LEGEND: &str = "<h2>Colours</h2><ul class=\"legend\"><li class=\"stem\">path to the loop</li>\
                      <li class=\"cycle\">loop</li><li class=\"ranked\">loop that ends</li></ul>";

fn valued(it: &Valued) -> String {
    format!("{} = {}", it.name, it.value)
}

/// A part with its lines; nothing if there are none.
fn part(title: &str, lines: Vec<String>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines
        .iter()
        .map(|line| format!("<li>{}</li>", escape(line)))
        .collect();
    format!("<h2>{title}</h2><ul>{items}</ul>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::outcome::{Cycle, Outcome, Valued, VerdictName};
    use crate::problem::Line;

    #[test]
    fn the_loop_is_marked_and_nothing_ends_an_element() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.c").display().to_string();
        std::fs::write(&file, "int main(void)\n{\n\twhile (1 < 2);\n}\n").expect("it is written");
        let line = |line| Line {
            file: file.clone(),
            line,
        };
        let outcome = Outcome {
            verdict: VerdictName::Nonterminating,
            inputs: vec![Valued {
                name: "</script>".into(),
                value: "1".into(),
                line: None,
                each_iteration: false,
                library: false,
            }],
            stem: vec![line(1)],
            cycle: Some(Cycle {
                kind: "loop".into(),
                function: "main".into(),
                header: line(3),
                lines: vec![line(3)],
                assigned: Vec::new(),
            }),
            ..Outcome::stopped("")
        };
        let page = page(&outcome, "a.c", std::slice::from_ref(&file));
        assert!(page.contains("<li>&lt;/script&gt; = 1</li>"), "{page}");
        assert!(page.contains("<tr class=\"stem\"><td class=\"no\">1</td>"));
        assert!(page.contains("<tr class=\"cycle header\"><td class=\"no\">3</td>"));
        assert!(page.contains("while (1 &lt; 2);"));
        assert!(page.contains("loops forever"));
    }
}
