//! Every program of `tests/shim` and `examples/shim` does what its first lines say.
//!
//! `// expect: WORD` is the verdict, or `rejected`; `// error: TEXT` a message of the compiler, all
//! of them in order; `// method: WORD` is in what is said of how it was decided; `// unless: TEXT`
//! is in the headline; `// warn: KIND` a warning that must be there; `// warning: line N: TEXT` a
//! warning in full, and then all of them in order; `// input: NAME = VALUES` an input of the
//! deadlock found; `// unsettled: TEXT` a condition that is left open; `// assume: TEXT` something
//! taken for granted, all of it in order; `// print: TEXT` the next line that running it prints;
//! `// run: TEXT` how the run ends.

use impasse_shim::analysis::Budget;
use impasse_shim::runner::RunInputs;
use std::path::Path;

/// The texts of a directive. One continues in the next line if that is indented by four spaces.
fn expectations(text: &str, word: &str) -> Vec<String> {
    let comments = text.lines().take_while(|line| line.starts_with("//"));
    let mut directives: Vec<String> = Vec::new();
    for line in comments {
        match (line.strip_prefix("//     "), directives.last_mut()) {
            (Some(more), Some(last)) => *last = format!("{last} {more}"),
            _ => directives.push(line.to_owned()),
        }
    }
    let prefix = format!("// {word}: ");
    let texts = directives.iter().map(|line| line.strip_prefix(&prefix));
    texts.flatten().map(str::to_owned).collect()
}

fn examine(name: &str, text: &str) -> Result<(), String> {
    let expected = expectations(text, "expect");
    let [verdict] = &expected[..] else {
        return Err("no verdict is expected".into());
    };
    let result = match impasse_shim::check(name, text, &Budget::default()) {
        Ok(result) => result,
        Err(rejected) => {
            let messages: Vec<&str> = rejected
                .diagnostics
                .iter()
                .map(|d| d.message.as_str())
                .collect();
            let bare = |d: &&impasse_shim::diagnostic::Diagnostic| {
                d.help.is_none() && !d.message.starts_with("expected ")
            };
            if let Some(bare) = rejected.diagnostics.iter().find(bare) {
                return Err(format!("no help: {}", bare.message));
            }
            let wanted = expectations(text, "error");
            return if verdict == "rejected" && messages == wanted {
                Ok(())
            } else {
                Err(format!(
                    "rejected with {messages:#?}, expected {wanted:#?}\n{}",
                    rejected.render(false)
                ))
            };
        }
    };
    if result.verdict.word() != verdict {
        return Err(format!("{} ({})", result.verdict.word(), result.method));
    }
    if result.verdict.exit_code() == 1 && (result.cycle.is_empty() || result.error.is_none()) {
        return Err("a deadlock without a circle".into());
    }
    for method in expectations(text, "method") {
        if !result.method.contains(&method) {
            return Err(format!("decided {}, not by {method}", result.method));
        }
    }
    for kind in expectations(text, "warn") {
        if result.warnings.iter().all(|warning| warning.kind != kind) {
            return Err(format!("no warning {kind} in {:?}", result.warnings));
        }
    }
    let warnings = result.warnings.iter();
    let warnings: Vec<String> = warnings
        .map(|w| format!("line {}: {}", w.line, w.message))
        .collect();
    let wanted = expectations(text, "warning");
    if !wanted.is_empty() && warnings != wanted {
        return Err(format!("warns {warnings:#?}, expected {wanted:#?}"));
    }
    for unless in expectations(text, "unless") {
        if !result.unless.as_ref().is_some_and(|u| u.contains(&unless)) {
            return Err(format!("unless {:?}, expected {unless}", result.unless));
        }
    }
    for input in expectations(text, "input") {
        if result
            .inputs
            .iter()
            .all(|found| format!("{} = {}", found.name, found.value) != input)
        {
            return Err(format!("no input {input} in {:?}", result.inputs));
        }
    }
    for condition in expectations(text, "unsettled") {
        if result
            .unsettled
            .iter()
            .all(|branch| branch.condition != condition)
        {
            return Err(format!("{condition} is not in {:?}", result.unsettled));
        }
    }
    let taken = result.assumptions.iter();
    let taken: Vec<String> = taken
        .map(|a| format!("line {}: {}", a.line, a.message))
        .collect();
    let assumed = expectations(text, "assume");
    if !assumed.is_empty() && taken != assumed {
        return Err(format!("takes for granted {taken:?}, expected {assumed:?}"));
    }
    let (printed, ends) = (expectations(text, "print"), expectations(text, "run"));
    if printed.is_empty() && ends.is_empty() {
        return Ok(());
    }
    let mut lines = Vec::new();
    let ran = impasse_shim::run(name, text, &RunInputs::default(), 50_000_000, &mut |line| {
        lines.push(line.to_string())
    });
    let (_, words) = ran.map_err(|r| r.render(false))??;
    if !printed.is_empty() && lines != printed {
        return Err(format!("printed {lines:?}, expected {printed:?}"));
    }
    match &ends[..] {
        [end] if words != *end => Err(format!("ended with {words:?}, expected {end:?}")),
        _ => Ok(()),
    }
}

#[test]
fn programs_do_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut failures = Vec::new();
    let mut count = 0;
    for folder in ["tests/shim", "examples/shim"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder is there");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("a readable entry").path())
            .collect();
        paths.sort();
        for path in paths
            .iter()
            .filter(|path| path.extension().is_some_and(|e| e == "shim"))
        {
            let text = std::fs::read_to_string(path).expect("a readable program");
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            count += 1;
            if let Err(why) = examine(&name, &text) {
                failures.push(format!("{name}: {why}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count >= 75, "only {count} programs");
}
