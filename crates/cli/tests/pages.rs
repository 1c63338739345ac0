//! What users read first: what is printed, and the text of each page as it opens in a browser, as
//! snapshots. Times and memory are left out.

mod common;

use common::root;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A folder with copies of examples, under their own names.
fn folder(examples: &[&str]) -> TempDir {
    common::set_up();
    let folder = tempfile::tempdir().expect("a folder");
    for example in examples {
        let from = root().join("examples").join(example);
        let name = from.file_name().expect("a name");
        fs::copy(&from, folder.path().join(name)).expect("a copy");
    }
    folder
}

/// What a command prints in a folder.
fn printed(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command.args(words).env("IMPASSE_HOME", root());
    let output = command.current_dir(folder).output().expect("it runs");
    steady(&String::from_utf8(output.stdout).expect("text"))
}

/// The text that Chromium shows of a page that was just opened, without empty lines, and how many
/// shapes each picture has.
fn shown(folder: &Path, page: &str) -> String {
    const READ: &str = "<pre id=\"answer\"></pre><script>addEventListener('load', () => {
        const pictures = [...document.querySelectorAll('svg')].map((it) =>
            `[picture: ${it.querySelectorAll('path, line, polyline, rect, circle, text').length} shapes]`);
        const lines = document.body.innerText.split('\\n').map((it) => it.trim()).filter(Boolean);
        document.getElementById('answer').textContent = [...lines, ...pictures].join('\\n');
        });</script></body>";
    let path = folder.join(page);
    let text = fs::read_to_string(&path).expect("a page");
    let driven = folder.join("driven.html");
    fs::write(&driven, text.replace("</body>", READ)).expect("the page is written");
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    chromium.arg("--window-size=1400,800");
    let profile = folder.join("profile");
    chromium.arg(format!("--user-data-dir={}", profile.display()));
    chromium.arg(format!("file://{}", driven.display()));
    let output = chromium
        .output()
        .expect("the package chromium is installed");
    let dom = String::from_utf8(output.stdout).expect("text");
    let answer = dom.split("<pre id=\"answer\">").nth(1).expect("an answer");
    let answer = answer.split("</pre>").next().expect("its end");
    let answer = answer.replace("&gt;", ">").replace("&lt;", "<");
    steady(&answer.replace("&nbsp;", " ").replace("&amp;", "&"))
}

/// A text without times and amounts of memory.
fn steady(text: &str) -> String {
    let is_number = |word: &str| {
        let digits = word
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.' || c == ',');
        digits && word.starts_with(|c: char| c.is_ascii_digit())
    };
    let line = |line: &str| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for n in 1..words.len() {
            let unit = words[n].trim_end_matches([',', '.', ')', ';']);
            if ["s", "ms", "MiB", "MB"].contains(&unit) && is_number(&words[n - 1]) {
                words[n - 1] = "…".into();
            }
        }
        words.join(" ")
    };
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}

#[test]
fn the_explorer_as_it_opens() {
    let folder = folder(&["counter-race.cpp"]);
    printed(
        folder.path(),
        &["check", "counter-race.cpp", "--html", "page.html"],
    );
    insta::assert_snapshot!(shown(folder.path(), "page.html"));
}

#[test]
fn several_checks() {
    let folder = folder(&["counter.c", "lock-order.c"]);
    let project =
        "[check.counter]\nfiles = \"counter.c\"\n\n[check.locks]\nfiles = \"lock-order.c\"\n";
    fs::write(folder.path().join("impasse.toml"), project).expect("a file");
    insta::assert_snapshot!(printed(folder.path(), &["check", "--html", "page.html"]));
    insta::assert_snapshot!("page_of_several_checks", shown(folder.path(), "page.html"));
}

#[test]
fn a_loop() {
    let folder = folder(&["loops/binary-search.c"]);
    let words = ["loops", "--main", "bsearch", "binary-search.c"];
    let words = [&words[..], &["--html", "page.html"]].concat();
    insta::assert_snapshot!(printed(folder.path(), &words));
    insta::assert_snapshot!("page_of_a_loop", shown(folder.path(), "page.html"));
}

#[test]
fn a_network_of_shim() {
    let folder = folder(&["shim/figure2.shim"]);
    let words = ["shim", "figure2.shim", "--html", "page.html"];
    insta::assert_snapshot!(printed(folder.path(), &words));
    insta::assert_snapshot!(
        "page_of_a_network_of_shim",
        shown(folder.path(), "page.html")
    );
}
