//! A state graph in Graphviz's language.

use super::{Node, NodeKind, StateGraph};
use std::fmt::Write;

/// Returns a state graph in Graphviz's language. Nodes and edges have the classes that the style of
/// a page refers to, and colours for programs that know no style.
pub fn dot(graph: &StateGraph) -> String {
    let mut out = String::from(
        "digraph states {\n    \
         graph [bgcolor=transparent, fontname=\"sans-serif\", nodesep=0.3, ranksep=0.4]\n    \
         node [fontname=\"sans-serif\", fontsize=11, shape=circle, width=0.3, margin=0.03, style=filled, fillcolor=\"#f4f5f7\", color=\"#667085\"]\n    \
         edge [fontname=\"sans-serif\", fontsize=9, color=\"#667085\", arrowsize=0.6]\n",
    );
    for (number, component) in graph.components.iter().enumerate() {
        let terminal = if component.is_terminal {
            " terminal"
        } else {
            ""
        };
        let what = if component.is_terminal {
            ", never left"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "    subgraph cluster_{number} {{\n        label=\"{} states{what}\"; labeljust=l; id=\"component-{number}\"; class=\"component{terminal}\"; \
             style=\"rounded,dashed\"; color=\"{}\"; fontsize=10",
            component.states,
            if component.is_terminal {
                "#c2570c"
            } else {
                "#98a2b3"
            },
        );
        for (index, node) in graph.nodes.iter().enumerate() {
            if node.component == Some(number) {
                self::node(&mut out, "        ", index, node);
            }
        }
        out.push_str("    }\n");
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        if node.component.is_none() {
            self::node(&mut out, "    ", index, node);
        }
    }
    let has_one_file = graph.has_one_file();
    for edge in &graph.edges {
        let label = quoted(&graph.label(edge, has_one_file));
        let thread = edge.thread.unwrap_or(0) % 6;
        let (from, to) = (edge.from, edge.to);
        let id = format!("edge-{from}-{to}");
        let _ = writeln!(
            out,
            "    n{from} -> n{to} [label={label}, class=\"thread{thread} {id}\"]"
        );
    }
    out + "}\n"
}

fn node(out: &mut String, indent: &str, index: usize, node: &Node) {
    let (class, colours) = look(node);
    let shape = match node.kind {
        NodeKind::Error | NodeKind::LeftOut => ", shape=box, margin=0.1",
        NodeKind::End => ", shape=doublecircle",
        _ => "",
    };
    let label = match node.kind {
        NodeKind::End => vec!["end".to_owned()],
        _ => wrapped(&node.label),
    };
    let tooltip = match node.threads.as_slice() {
        [] => node.label.clone(),
        threads => threads.join("\n"),
    };
    let _ = writeln!(
        out,
        "{indent}n{index} [label={}, id=\"node-{index}\", class=\"{class}\"{shape}{colours}, tooltip={}]",
        quoted(&label),
        quoted(&[tooltip]),
    );
}

/// The class and the colours of a node.
fn look(node: &Node) -> (&'static str, &'static str) {
    match node.kind {
        NodeKind::Error => ("error", ", fillcolor=\"#fbd5d1\", color=\"#c4281c\""),
        NodeKind::LeftOut => ("leftout", ", fillcolor=\"#fde9c4\", color=\"#a15c00\""),
        NodeKind::Cut => ("cut", ", style=\"filled,dashed\""),
        NodeKind::End => ("end", ", fillcolor=\"#d3f0dd\", color=\"#1a7f43\""),
        _ if node.is_terminal && node.in_hang => (
            "terminal hang",
            ", fillcolor=\"#fdba8c\", color=\"#c4281c\", penwidth=2",
        ),
        _ if node.is_terminal => ("terminal", ", fillcolor=\"#fdba8c\", color=\"#c2570c\""),
        _ if node.in_hang => ("hang", ", fillcolor=\"#fbe3e0\", color=\"#c4281c\""),
        NodeKind::Start => ("start", ", penwidth=2"),
        NodeKind::State => ("state", ""),
    }
}

/// Words in lines of at most about 40 characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("a line");
        match last.is_empty() || last.chars().count() + word.chars().count() < 40 {
            true if last.is_empty() => last.push_str(word),
            true => *last += &format!(" {word}"),
            false => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Lines as a string of the language.
fn quoted(lines: &[String]) -> String {
    let escaped = |line: &String| line.replace('\\', "\\\\").replace('"', "\\\"");
    let lines: Vec<String> = lines.iter().map(escaped).collect();
    format!("\"{}\"", lines.join("\n").replace('\n', "\\n"))
}
