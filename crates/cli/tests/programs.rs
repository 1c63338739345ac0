//! Every program below `tests/programs` and `tests/memory-model/programs`, against the expectation
//! in its first lines.
//!
//! ```text
//! // expect: verified
//! // expect: error kind=data-race line=12|15 message="n"
//! // expect: inconclusive reason="setjmp"
//! // broken: error kind=hang
//! // trace: writes n: 0 becomes 1
//! // flags: --nondet 0..3
//! // clang: -std=c++20
//! // por-off: skip
//! // product: skip
//! // environment: 7 getenv("HOME") returns null; 9 standard input is empty
//! // suppressed: 12 data-race; 15 hang
//! // sequential: verified
//! // flushers: skip
//! // clocks: verified
//! // most-states: 20
//! // persistent-sets: needed
//! ```
//!
//! `broken` is what is expected with `-DBROKEN`; `broken-flags` and the like replace the others
//! there. Alternatives are separated by `|`: two threads that race are both right, and where a
//! standard library gives an error its kind there may be several. Of each `trace:`, a step of the
//! trace must have the text, in the given order. Programs are explored in several ways that must
//! agree: with less reduction and with none, on one thread and on two, with and without remembering
//! steps, breadth-first and depth-first, with hangs found by the fixpoint and by the literature's
//! construction (which looks at sections only). A usual run tries a third of these ways with each
//! program, and another third with its broken twin; with `IMPASSE_PROGRAMS=all` it tries all. A
//! search without reduction, or with plain accesses observable, ends after 20,000 states, without a
//! complaint, unless `IMPASSE_PROGRAMS=all` is set. A program that is checked under x86-TSO has the
//! same verdict by the semantics with flushers, and what `sequential` says under sequential
//! consistency. What `clocks` says is expected with `--clocks symbolic`. `most-states` bounds the
//! states of the first exploration. Where `persistent-sets` are needed, the others without them end
//! without a verdict, and are left out.

mod common;

use common::{Directives, Program, all_programs, check, programs, root, set_up, summary, trials};
use libtest_mimic::{Arguments, Failed};
use serde_json::Value;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        set_up();
    }
    let folders = ["tests/programs", "tests/memory-model/programs"];
    let found = folders
        .into_iter()
        .flat_map(|folder| programs(&root().join(folder)));
    libtest_mimic::run(&arguments, trials(found.collect(), test)).exit_code()
}

fn test(program: &Program, directives: &Directives) -> Result<(), Failed> {
    let expectation = Expectation::parse(directives)?;
    let one = check(program, directives, &["--threads", "1"])?;
    expectation.meets(&one)?;
    expectation.is_shown_by(&one)?;
    let asked = environment(&one);
    match directives.get("environment").unwrap_or_default() == asked {
        true => {}
        false => return Err(format!("of the environment it asks: {asked}").into()),
    }
    let suppressed = suppressed(&one);
    match directives.get("suppressed").unwrap_or_default() == suppressed {
        true => {}
        false => return Err(format!("suppressed is: {suppressed}").into()),
    }
    let most: Option<u64> = directives
        .get("most-states")
        .map(|n| n.parse().expect("a number"));
    if most.is_some_and(|most| one["states"].as_u64() > Some(most)) {
        return Err(format!("too many states: {}", summary(&one)).into());
    }
    let compared = Compared {
        program: program.clone(),
        directives: directives.clone(),
        expectation,
        one,
    };
    let mut ways = (0..).zip(WAYS);
    ways.try_for_each(|(n, way)| match program.is_in_turn(n, WAYS.len()) {
        true => way(&compared),
        false => Ok(()),
    })
}

/// A comparison with other explorations. Fails if they disagree.
type Way = fn(&Compared) -> Result<(), Failed>;

/// What the first exploration of a program is compared with. A usual run compares each program in
/// one of these ways, and its broken twin in another one.
const WAYS: [Way; 3] = [
    Compared::with_other_algorithms,
    Compared::without_persistent_sets,
    Compared::with_more_steps,
];

/// A program, and its first exploration.
struct Compared {
    program: Program,
    directives: Directives,
    expectation: Expectation,
    one: Value,
}

impl Compared {
    fn check(&self, options: &[&str]) -> Result<Value, Failed> {
        check(&self.program, &self.directives, options)
    }

    fn needs_persistent_sets(&self) -> bool {
        self.directives.get("persistent-sets") == Some("needed")
    }

    /// What explorations with other reductions have in common.
    fn fields(&self) -> &'static [&'static str] {
        match self.one["verdict"] == "verified" {
            true => &["/verdict", "/environment", "/suppressed"],
            false => &["/verdict"],
        }
    }

    fn with_other_algorithms(&self) -> Result<(), Failed> {
        let two = self.check(&["--threads", "2"])?;
        same(&self.one, &two, "with two threads", &SAME_SEARCH)?;
        if self.needs_persistent_sets() {
            return Ok(());
        }
        if self.directives.get("product") != Some("skip") {
            agrees(&self.one, &self.check(&["--hang-algorithm", "product"])?)?;
        }
        if let Some(text) = self.directives.get("clocks") {
            let any_time = self.check(&["--clocks", "symbolic"])?;
            Expectation::of(text)?.meets(&any_time)?;
        }
        Ok(())
    }

    fn without_persistent_sets(&self) -> Result<(), Failed> {
        if self.needs_persistent_sets() {
            return Ok(());
        }
        let full = self.check(&["--por", "full"])?;
        same(&self.one, &full, "without persistent sets", self.fields())?;
        self.expectation.meets(&full)?;
        let hangs = self.one["error"]["kind"] == "hang";
        let chosen = |flag: &String| flag.starts_with("--hangs") || flag.starts_with("--sections");
        if !hangs && !self.directives.words("flags").iter().any(chosen) {
            self.depth_first(&full)?;
        }
        match is_tso(&self.directives) {
            true => other_models(&self.program, &self.directives, &self.one),
            false => Ok(()),
        }
    }

    /// Depth-first search finds the same as one without persistent sets.
    fn depth_first(&self, full: &Value) -> Result<(), Failed> {
        let depth = self.check(&["--search", "depth"])?;
        // Depth-first search looks for no hangs, and so needs no settled states of a weaker memory
        // model.
        let fields: &[&str] = match self.one["verdict"] == "error" || is_tso(&self.directives) {
            true => &["/verdict"],
            false => &["/verdict", "/states", "/environment"],
        };
        if full["states"] == depth["states"] {
            return same(full, &depth, "depth-first", fields);
        }
        // It runs on through spin loops.
        same(full, &depth, "depth-first", &["/verdict"])?;
        let depth = self.check(&["--search", "depth", "--por", "full"])?;
        same(full, &depth, "depth-first, with all iterations", fields)
    }

    fn with_more_steps(&self) -> Result<(), Failed> {
        let executed = self.check(&["--threads", "1", "--step-cache", "off"])?;
        same(
            &self.one,
            &executed,
            "with every step executed",
            &SAME_SEARCH,
        )?;
        if self.needs_persistent_sets() {
            return Ok(());
        }
        if self.directives.get("por-off") != Some("skip") {
            self.with_reduction("off")?;
        }
        self.with_reduction("local")
    }

    /// With a lesser reduction, more states say the same, as far as a search of usual length sees
    /// them.
    fn with_reduction(&self, reduction: &str) -> Result<(), Failed> {
        let mut options = vec!["--por", reduction];
        if !all_programs() {
            options.extend(["--max-states", "20000"]);
        }
        let more = self.check(&options)?;
        let reached = more["reason"].as_str();
        if !all_programs() && reached.is_some_and(|reason| reason.contains("--max-states")) {
            return Ok(());
        }
        same(
            &self.one,
            &more,
            &format!("with --por {reduction}"),
            self.fields(),
        )?;
        self.expectation.meets(&more)
    }
}

/// What a report says of suppressed errors, as in the directive.
fn suppressed(report: &Value) -> String {
    let suppressed = report["suppressed"].as_array();
    let one = |it: &Value| {
        let kind = it["kind"].as_str().unwrap_or_default();
        format!("{} {kind}", it["line"])
    };
    let suppressed: Vec<String> = suppressed.into_iter().flatten().map(one).collect();
    suppressed.join("; ")
}

/// What a report says of the environment, as in the directive.
fn environment(report: &Value) -> String {
    let asked = report["environment"].as_array();
    let one = |asked: &Value| {
        let what = asked["what"].as_str().unwrap_or_default();
        format!("{} {what}", asked["line"])
    };
    let asked: Vec<String> = asked.into_iter().flatten().map(one).collect();
    asked.join("; ")
}

fn is_tso(directives: &Directives) -> bool {
    directives.words("flags").iter().any(|flag| flag == "tso")
}

/// Under the other memory models.
fn other_models(program: &Program, directives: &Directives, tso: &Value) -> Result<(), Failed> {
    if directives.get("flushers") != Some("skip") {
        let flushers = directives.with_memory_model("tso-flusher");
        let flushers = check(program, &flushers, &[])?;
        same(tso, &flushers, "with flushers", &["/verdict"])?;
    }
    if let Some(expected) = directives.get("sequential") {
        let sequential = directives.with_memory_model("sc");
        let sequential = check(program, &sequential, &[])?;
        if sequential["verdict"] != expected {
            return Err(format!("under sequential consistency: {}", summary(&sequential)).into());
        }
    }
    Ok(())
}

/// The literature's construction finds hangs exactly where the fixpoint does. It may need too many
/// states to tell, and may meet another error first.
fn agrees(fixpoint: &Value, product: &Value) -> Result<(), Failed> {
    let limited = product["verdict"] == "inconclusive" && fixpoint["verdict"] != "inconclusive";
    match limited && fixpoint["verdict"] == "verified" {
        true => Ok(()),
        false => same(fixpoint, product, "by the product algorithm", &["/verdict"]),
    }
}

/// What does not depend on the number of threads.
const SAME_SEARCH: [&str; 9] = [
    "/verdict",
    "/error",
    "/reason",
    "/states",
    "/transitions",
    "/depth",
    "/trace",
    "/environment",
    "/suppressed",
];

fn same(first: &Value, second: &Value, how: &str, fields: &[&str]) -> Result<(), Failed> {
    let differs = |field: &&&str| first.pointer(field) != second.pointer(field);
    match fields.iter().find(differs) {
        None => Ok(()),
        Some(field) => Err(format!(
            "{how}, {field} differs: {} / {}",
            summary(first),
            summary(second)
        )
        .into()),
    }
}

/// What a program's first lines demand of the report. Of each list, one must fit; an empty list
/// fits always.
#[derive(Default)]
struct Expectation {
    verdict: String,
    kinds: Vec<String>,
    lines: Vec<u64>,
    message: String,
    reason: String,
    /// What steps of the trace say, in order.
    trace: Vec<String>,
}

impl Expectation {
    fn parse(directives: &Directives) -> Result<Expectation, Failed> {
        let text = directives
            .get("expect")
            .ok_or("the first line is no `expect:`")?;
        let trace = directives.get("trace").into_iter().flat_map(str::lines);
        Ok(Expectation {
            trace: trace.map(str::to_owned).collect(),
            ..Expectation::of(text)?
        })
    }

    /// What a directive says, without a trace.
    fn of(text: &str) -> Result<Expectation, Failed> {
        let (verdict, mut rest) = text.split_once(' ').unwrap_or((text, ""));
        let mut expectation = Expectation {
            verdict: verdict.into(),
            ..Expectation::default()
        };
        while let Some((key, after)) = rest.split_once('=') {
            let value;
            (value, rest) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').ok_or("a quotation has no end")?,
                None => after.split_once(' ').unwrap_or((after, "")),
            };
            rest = rest.trim_start();
            let alternatives = value.split('|').map(str::to_owned);
            match key {
                "kind" => expectation.kinds = alternatives.collect(),
                "line" => {
                    expectation.lines =
                        value.split('|').map(str::parse).collect::<Result<_, _>>()?
                }
                "message" => expectation.message = value.into(),
                "reason" => expectation.reason = value.into(),
                _ => return Err(format!("`expect:` knows no {key}").into()),
            }
        }
        let known = ["verified", "error", "inconclusive"].contains(&verdict);
        match known && rest.is_empty() {
            true => Ok(expectation),
            false => Err(format!("not understood: expect: {text}").into()),
        }
    }

    /// Whether the trace has the steps that are demanded.
    fn is_shown_by(&self, report: &Value) -> Result<(), Failed> {
        let steps = report["trace"].as_array();
        let mut texts = steps.into_iter().flatten().map(|step| &step["text"]);
        let missing = self.trace.iter().find(|text| {
            let says = |step: &Value| step.as_str().is_some_and(|step| step.contains(*text));
            !texts.any(says)
        });
        match missing {
            None => Ok(()),
            Some(text) => {
                let trace = serde_json::to_string_pretty(&report["trace"]).unwrap_or_default();
                Err(format!("no step {text:?} where it is expected in {trace}").into())
            }
        }
    }

    fn meets(&self, report: &Value) -> Result<(), Failed> {
        let text = |pointer: &str| report.pointer(pointer).and_then(Value::as_str);
        let kind = text("/error/kind").unwrap_or_default();
        let place = match self.verdict.as_str() {
            "inconclusive" => "/omissions/0/line",
            _ => "/error/line",
        };
        let line = report
            .pointer(place)
            .and_then(Value::as_u64)
            .unwrap_or_default();
        let met = text("/verdict") == Some(&self.verdict)
            && (self.kinds.is_empty() || self.kinds.iter().any(|k| k == kind))
            && (self.lines.is_empty() || self.lines.contains(&line))
            && text("/error/message")
                .unwrap_or_default()
                .contains(&self.message)
            && text("/reason").unwrap_or_default().contains(&self.reason);
        match met {
            true => Ok(()),
            false => Err(format!(
                "expected {} {} at line {:?}, but got {}",
                self.verdict,
                self.kinds.join("|"),
                self.lines,
                summary(report)
            )
            .into()),
        }
    }
}
