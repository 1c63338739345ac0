//! `impasse graph`: what is drawn, that nothing overlaps, and that pages work in a browser.

mod common;

use common::{impasse, programs, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Draws a program into a file of its own. Returns the drawing, what was printed, and the exit
/// code.
fn draw(file: &str, form: &str, options: &[&str]) -> (String, String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, printed, code) = draw_in(&folder, file, form, options);
    let drawing = fs::read_to_string(path).expect(&printed);
    (drawing, printed, code)
}

fn draw_in(
    folder: &TempDir,
    file: &str,
    form: &str,
    options: &[&str],
) -> (PathBuf, String, Option<i32>) {
    let path = folder.path().join("drawing").with_extension(form);
    let (target, file) = (path.display().to_string(), root().join(file));
    let file = file.display().to_string();
    let words = ["graph", &file, "-o", &target].into_iter();
    let output = impasse(words.chain(options.iter().copied()));
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).expect("text");
    (path, printed, output.status.code())
}

#[test]
fn the_graph_of_a_deadlock() {
    let (drawing, printed, code) = draw("examples/lock-order.c", "dot", &[]);
    assert_eq!(code, Some(0), "{printed}");
    let relative = drawing.replace(&format!("{}/", root().display()), "");
    insta::assert_snapshot!(relative);
}

#[test]
fn the_graph_of_a_thread_that_spins() {
    let (drawing, printed, _) = draw("examples/spin-wait.cpp", "dot", &[]);
    assert!(printed.starts_with("error: hang at "), "{printed}");
    let relative = drawing.replace(&format!("{}/", root().display()), "");
    insta::assert_snapshot!(relative);
}

/// Centre and radii of each state.
fn ellipses(svg: &str) -> Vec<[f64; 4]> {
    let inside = svg.split("<ellipse ").skip(1);
    let one = |text: &str| {
        ["cx", "cy", "rx", "ry"].map(|name| {
            let start = text.find(&format!(" {name}=\"")).expect(name) + name.len() + 3;
            let number = text[start..].split('"').next().expect("a value");
            number.parse().expect("a number")
        })
    };
    inside.map(one).collect()
}

#[test]
fn every_example_is_drawn_without_overlaps() {
    let entries = fs::read_dir(root().join("examples")).expect("a folder");
    let mut drawn = 0;
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if !path.is_file() {
            continue;
        }
        let name = path.display().to_string();
        if name.ends_with("elements.c") {
            // It has more states than are drawn.
            let (_, printed, code) = draw(&name, "dot", &[]);
            assert!(printed.contains("2,000 states"), "{printed}");
            assert_eq!(code, Some(3), "{printed}");
            continue;
        }
        let (svg, printed, code) = draw(&name, "svg", &[]);
        assert_eq!(code, Some(0), "{name}: {printed}");
        let states = ellipses(&svg);
        assert!(states.len() > 1, "{name}: {printed}");
        for (n, a) in states.iter().enumerate() {
            for b in &states[n + 1..] {
                let apart = (a[0] - b[0]).abs() >= a[2] + b[2];
                // The rings of the end have one centre.
                let rings = a[..2] == b[..2];
                assert!(
                    apart || (a[1] - b[1]).abs() >= a[3] + b[3] || rings,
                    "{name}: {a:?} {b:?}"
                );
            }
        }
        drawn += 1;
    }
    assert!(drawn > 10, "{drawn} examples");
}

/// A drawing shows an error or a hang if and only if the verdict is one.
#[test]
fn drawings_agree_with_verdicts() {
    let mut counts = [0; 3];
    for program in programs(&root().join("tests/programs/hangs")) {
        let file = program.files[0].display().to_string();
        if program.files.len() > 1 || !file.ends_with(".c") {
            continue;
        }
        let (drawing, printed, code) = draw(&file, "dot", &[]);
        if code != Some(0) || printed.starts_with("inconclusive") {
            continue;
        }
        let classes = drawing.split("class=\"").skip(1);
        let classes: Vec<&str> = classes.filter_map(|rest| rest.split('"').next()).collect();
        let has = |class: &str| classes.iter().any(|it| it.split(' ').any(|it| it == class));
        let (kind, is_right) = match printed.split([' ', ':']).next() {
            Some("verified") => (0, !has("error") && !has("hang")),
            _ if printed.starts_with("error: hang") => (1, has("hang")),
            _ => (2, has("error")),
        };
        assert!(is_right, "{file}: {printed}");
        counts[kind] += 1;
    }
    assert!(counts[0] > 20 && counts[1] > 5, "{counts:?}");
}

#[test]
fn a_stuck_state_is_no_end() {
    let (drawing, ..) = draw("examples/lock-order.c", "dot", &["--hangs", "off"]);
    assert_eq!(drawing.matches("class=\"terminal\"").count(), 1);
    assert_eq!(drawing.matches("class=\"end\"").count(), 1);
}

#[test]
fn a_graph_that_is_cut_says_so() {
    let (drawing, printed, code) = draw("examples/counter.c", "dot", &["--max-states", "9"]);
    assert_eq!(code, Some(3));
    let cut = "9 states, 10 transitions; there are more states (--max-states)";
    assert!(printed.contains(cut), "{printed}");
    assert!(drawing.contains("class=\"cut\""), "{drawing}");
}

#[test]
fn the_options_of_check_count() {
    let states = |options: &[&str]| {
        draw("examples/counter.c", "dot", options)
            .0
            .matches("tooltip=")
            .count()
    };
    assert!(states(&["--memory-model", "c11"]) >= states(&["--memory-model", "sc"]));
    let (_, printed, _) = draw("examples/counter-race.cpp", "dot", &["--races", "off"]);
    assert!(!printed.contains("data-race"), "{printed}");
}

#[test]
fn other_files_are_bad_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, printed, code) = draw_in(&folder, "examples/counter.c", "png", &[]);
    assert_eq!(code, Some(2));
    assert!(
        printed.contains("a name that ends in .dot, .svg or .html"),
        "{printed}"
    );
}

/// A page as Chromium shows it, without a network.
fn in_browser(page: &Path, hash: &str) -> String {
    let mut chromium = Command::new("chromium");
    let profile = page.with_extension("profile");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    chromium.arg(format!("--user-data-dir={}", profile.display()));
    chromium.arg(format!("file://{}{hash}", page.display()));
    let output = chromium
        .output()
        .expect("the package chromium is installed");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn components_collapse_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let (page, printed, _) = draw_in(&folder, "benches/programs/peterson2.cpp", "html", &[]);
    assert!(printed.contains("57 states"), "{printed}");
    let text = fs::read_to_string(&page).expect("a page");
    assert!(!text.contains("src=") && !text.contains("<link"));
    let hidden = |dom: &str| {
        let nodes = dom.split("<g id=\"node-").skip(1);
        let tags = nodes.filter_map(|node| node.split('>').next());
        tags.filter(|tag| tag.contains("hidden")).count()
    };
    let (expanded, collapsed) = (in_browser(&page, ""), in_browser(&page, "#collapsed"));
    assert_eq!((hidden(&expanded), hidden(&collapsed)), (0, 54));
    assert!(expanded.contains(">collapse all<"));
    assert!(collapsed.contains(">expand all<"));
    assert_eq!(collapsed.matches("class=\"collapsed\"").count(), 1);
    assert_eq!(collapsed.matches("class=\"collapsed terminal\"").count(), 1);
    assert_eq!(collapsed.matches("class=\"joined\"").count(), 4);
}
