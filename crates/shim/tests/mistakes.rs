//! Broken programs are rejected with messages, whatever is wrong with them; nothing panics.

use impasse_shim::elaborate;

fn examples() -> Vec<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = std::fs::read_dir(format!("{root}/tests/shim")).expect("the folder is there");
    let mut paths: Vec<_> = folder
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    paths.sort();
    let programs = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "shim"));
    programs
        .map(|path| std::fs::read_to_string(path).expect("a readable program"))
        .collect()
}

/// Words and signs, so that most changes stay near the grammar.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

#[test]
fn changed_programs_are_read_or_rejected() {
    let examples = examples();
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut read, mut rejected) = (0, 0);
    for round in 0..6_000 {
        let text = &examples[round % examples.len()];
        let mut pieces = pieces(text);
        for _ in 0..rng.usize(1..4) {
            let (a, b) = (rng.usize(0..pieces.len()), rng.usize(0..pieces.len()));
            match rng.u8(0..4) {
                0 => drop(pieces.remove(a)),
                1 => pieces.insert(a, pieces[b]),
                2 => pieces.swap(a, b),
                _ => {
                    pieces[a] = [
                        "{", "}", "(", ";", "next", "par", "&", "9", "\"", "try", "é",
                    ][rng.usize(0..11)]
                }
            }
        }
        let changed = pieces.concat();
        match elaborate("changed.shim", &changed) {
            Ok(_) => read += 1,
            Err(found) => {
                assert!(!found.diagnostics.is_empty());
                assert!(found.render(false).contains("changed.shim"), "{changed}");
                rejected += 1;
            }
        }
    }
    assert!(read > 500 && rejected > 500, "{read} {rejected}");
}

#[test]
fn deep_nesting_is_rejected() {
    let deep = |open: &str, middle: &str, close: &str, depth: usize| {
        format!(
            "void main() {{ int x; {}{middle}{} }}",
            open.repeat(depth),
            close.repeat(depth)
        )
    };
    for text in [
        deep("{", "x = 1;", "}", 100_000),
        deep("x = (", "1", ");", 100_000),
        format!(
            "void main() {{ int x; x = {}1{}; }}",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!("void main() {{ int x; x = {}1; }}", "-".repeat(100_000)),
        format!(
            "void main() {{ int x; {} x = 1; }}",
            "if (x) ".repeat(100_000)
        ),
    ] {
        let found = elaborate("deep.shim", &text).expect_err("too deep");
        assert!(
            found
                .diagnostics
                .iter()
                .any(|d| d.message.contains("nested deeper"))
        );
    }
}

#[test]
fn long_and_large_files_are_rejected_with_few_words() {
    let body = |statement: String| format!("void main() {{ int x; {statement} }}");
    let many = 100_000;
    for text in [
        body(format!("x = {};", vec!["1"; many].join("+"))),
        body(format!("x = {};", vec!["x"; many].join("&&"))),
        body(format!("x = {};", vec!["1"; many].join(","))),
        body(format!("x = x{};", "[0]".repeat(many))),
        body(format!("x = x{};", ".a".repeat(many))),
        body(format!("x{};", "++".repeat(many))),
        body(format!("if (x) ; {}", "else if (x) ; ".repeat(many))),
        body(format!(
            "{} ; {}",
            "try ".repeat(many),
            "catch (E) ;".repeat(many)
        )),
        body("int x; ".repeat(many)),
        "a".repeat(many),
        "/*".repeat(many),
        "void main() ".repeat(many),
        "\0\u{ff}\n".repeat(many),
    ] {
        let found = elaborate("large.shim", &text).expect_err("no program");
        assert!(found.render(false).len() < 100_000);
    }
}

#[test]
fn chains_up_to_the_limit_are_read() {
    let text = format!(
        "void main() {{ int x; x = {}; }}",
        vec!["x"; 1_000].join("+")
    );
    assert!(elaborate("chain.shim", &text).is_ok());
}

#[test]
fn many_calls_of_one_function_are_numbered_quickly() {
    let text = format!(
        "void f(chan int c) {{ next c; }} void main() {{ chan int c; {} }}",
        "f(c);".repeat(19_000)
    );
    let (_, tree) = elaborate("calls.shim", &text).expect("a program");
    assert_eq!(tree.tasks[19_000].name, "f_19000");
}
