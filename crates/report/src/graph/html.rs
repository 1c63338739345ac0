//! A state graph as one page that needs no network: the drawing, which can be moved and enlarged,
//! and whose components can be collapsed.

use super::StateGraph;

const STYLE: &str = include_str!("style.css");
const PAGE_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns a drawing by Graphviz of what [`dot`](super::dot) returned, with colours for light and
/// dark backgrounds.
pub fn styled(svg: &str) -> String {
    let drawing = svg.find("<svg").unwrap_or(0);
    let start = svg[drawing..].find('>').map_or(0, |end| drawing + end + 1);
    format!("{}\n<style>{STYLE}</style>{}", &svg[..start], &svg[start..])
}

/// Returns a page with a graph; `svg` is the drawing of it, `title` names the program, and
/// `verdict` says what a check found.
pub fn page(graph: &StateGraph, svg: &str, title: &str, verdict: &str) -> String {
    let drawing = &svg[svg.find("<svg").unwrap_or(0)..];
    let components: Vec<Option<usize>> = graph.nodes.iter().map(|node| node.component).collect();
    let components = serde_json::to_string(&components).expect("numbers");
    let (title, verdict) = (escape(title), escape(verdict));
    let states = graph.states();
    let cut = match graph.is_cut {
        true => ", and more that are not drawn",
        false => "",
    };
    let buttons: Vec<String> = graph
        .components
        .iter()
        .enumerate()
        .map(|(number, component)| {
            let terminal = match component.is_terminal {
                true => ", never left",
                false => "",
            };
            format!(
                "<button data-component=\"{number}\" aria-pressed=\"false\">{} states{terminal}</button>",
                component.states
            )
        })
        .collect();
    let components_of = match buttons.is_empty() {
        true => "<p>No cycles: each component is one state.</p>".to_owned(),
        false => format!(
            "<p><button id=\"all\">collapse all</button></p>{}",
            buttons.concat()
        ),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}: states</title>\
         <style>{STYLE}{PAGE_STYLE}</style></head><body>\n\
         <aside><h1>{title}</h1><p>{verdict}</p><p>{states} states{cut}, {edges} transitions</p>\
         <p><button id=\"in\" title=\"+\">larger</button> <button id=\"out\" title=\"-\">smaller</button> \
         <button id=\"fit\" title=\"0\">fit</button></p>\
         <h2>Colours</h2><ul class=\"legend\"><li class=\"start\">start</li><li class=\"state\">state</li>\
         <li class=\"end\">end of the program</li><li class=\"terminal\">terminal component</li>\
         <li class=\"hang\">region of the hang</li><li class=\"error\">error</li>\
         <li class=\"cut\">leads to more states</li><li class=\"leftout\">not supported</li></ul>\
         <h2>Components</h2><div id=\"components\">{components_of}</div></aside>\n\
         <main>{drawing}</main>\n<script>const componentOf = {components};\n{SCRIPT}</script></body></html>\n",
        edges = graph.edges.len(),
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
