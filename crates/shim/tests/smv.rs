//! The text for NuSMV means what the engine explores: a small interpreter of the text reaches the
//! same number of states and the same answers.

mod generate;

use generate::{Shape, program};
use impasse_shim::{elaborate, network::Network, smv, synchronous};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// A condition and the values that it leads to.
type Rule = (Vec<String>, Vec<String>);

/// A model as written: definitions, and for each variable its first values and rules.
struct Model {
    defines: HashMap<String, Vec<String>>,
    variables: Vec<String>,
    first: HashMap<String, Vec<String>>,
    rules: HashMap<String, Vec<Rule>>,
}

type State = BTreeMap<String, String>;

fn words(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len())
        } else if ["!=", "->", ":="].iter().any(|two| rest.starts_with(two)) {
            2
        } else if rest.starts_with("--") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            out.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    out
}

/// `a` or `{a, b}`.
fn set(words: &[String]) -> Vec<String> {
    words
        .iter()
        .filter(|word| !["{", "}", ","].contains(&word.as_str()))
        .cloned()
        .collect()
}

fn read(text: &str) -> Model {
    let all = words(text);
    let mut model = Model {
        defines: HashMap::new(),
        variables: Vec::new(),
        first: HashMap::new(),
        rules: HashMap::new(),
    };
    let until = |from: usize, end: &str| {
        (from..all.len())
            .find(|i| all[*i] == end)
            .expect("a closing word")
    };
    let mut at = 2;
    while at < all.len() {
        match all[at].as_str() {
            "DEFINE" => {
                let end = until(at, ";");
                model
                    .defines
                    .insert(all[at + 1].clone(), all[at + 3..end].to_vec());
                at = end + 1;
            }
            "VAR" => {
                model.variables.push(all[at + 1].clone());
                at = until(at, ";") + 1;
            }
            "ASSIGN" => {
                let name = all[at + 3].clone();
                let end = until(at, ";");
                model.first.insert(name.clone(), set(&all[at + 6..end]));
                let mut rule = until(end, "case") + 1;
                while all[rule] != "esac" {
                    let (colon, end) = (until(rule, ":"), until(rule, ";"));
                    let targets = set(&all[colon + 1..end]);
                    model
                        .rules
                        .entry(name.clone())
                        .or_default()
                        .push((all[rule..colon].to_vec(), targets));
                    rule = end + 1;
                }
                at = rule + 2;
            }
            _ => break,
        }
    }
    model
}

struct Evaluator<'a> {
    model: &'a Model,
    state: &'a State,
    words: &'a [String],
    at: usize,
}

impl Evaluator<'_> {
    fn eat(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|w| w == word);
        self.at += usize::from(found);
        found
    }

    fn any(&mut self) -> bool {
        let mut value = self.all();
        while self.eat("|") {
            value |= self.all();
        }
        value
    }

    fn all(&mut self) -> bool {
        let mut value = self.one();
        while self.eat("&") {
            value &= self.one();
        }
        value
    }

    fn one(&mut self) -> bool {
        if self.eat("(") {
            let value = self.any();
            assert!(self.eat(")"));
            return value;
        }
        let name = &self.words[self.at];
        self.at += 1;
        if let Some(definition) = self.model.defines.get(name) {
            return holds(self.model, self.state, definition);
        }
        if name == "TRUE" {
            return true;
        }
        let value = &self.state[name];
        if self.eat("in") {
            let end = (self.at..self.words.len())
                .find(|i| self.words[*i] == "}")
                .expect("a closing brace");
            let found = self.words[self.at..end].contains(value);
            self.at = end + 1;
            return found;
        }
        let equal = self.eat("=");
        assert!(equal || self.eat("!="));
        self.at += 1;
        (*value == self.words[self.at - 1]) == equal
    }
}

fn holds(model: &Model, state: &State, words: &[String]) -> bool {
    let mut evaluator = Evaluator {
        model,
        state,
        words,
        at: 0,
    };
    let value = evaluator.any();
    assert_eq!(evaluator.at, words.len(), "all of {words:?} is read");
    value
}

fn combinations(options: Vec<(String, Vec<String>)>) -> Vec<State> {
    options
        .into_iter()
        .fold(vec![State::new()], |states, (name, values)| {
            let with = |state: &State, value: &String| {
                let mut state = state.clone();
                state.insert(name.clone(), value.clone());
                state
            };
            states
                .iter()
                .flat_map(|state| values.iter().map(move |value| with(state, value)))
                .collect()
        })
}

fn successors(model: &Model, state: &State) -> Vec<State> {
    let options = model.variables.iter().map(|name| {
        let rule = model.rules[name]
            .iter()
            .find(|(condition, _)| holds(model, state, condition))
            .expect("the last rule");
        let targets = rule
            .1
            .iter()
            .map(|target| state.get(target).unwrap_or(target).clone());
        (name.clone(), targets.collect())
    });
    combinations(options.collect())
}

/// States, and whether no state is a deadlock.
fn explore(model: &Model, limit: usize) -> Option<(usize, bool)> {
    let first = model
        .variables
        .iter()
        .map(|name| (name.clone(), model.first[name].clone()));
    let mut seen: HashSet<State> = combinations(first.collect()).into_iter().collect();
    let mut work: VecDeque<State> = seen.iter().cloned().collect();
    let mut free = true;
    while let Some(state) = work.pop_front() {
        let moved = state
            .iter()
            .any(|(name, value)| name.starts_with("changed_") && value == "TRUE");
        free &= moved || state[&model.variables[0]] == "exit";
        for next in successors(model, &state) {
            if seen.insert(next.clone()) {
                work.push_back(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some((seen.len(), free))
}

fn compare(text: &str) -> bool {
    let (_, tree) = elaborate("test.shim", text).unwrap_or_else(|r| panic!("{}", r.render(false)));
    let model = read(&smv::emit(&tree));
    let Some(read) = explore(&model, 300) else {
        return false;
    };
    let engine = synchronous::explore(&Network::paper(&tree, false), 1_000).expect("small");
    assert_eq!(
        read,
        (engine.states as usize, engine.always_moves),
        "{text}"
    );
    true
}

#[test]
fn the_text_has_the_figures_states() {
    for figure in [1, 2, 3, 7, 8, 9] {
        let path = format!(
            "{}/../../examples/shim/figure{figure}.shim",
            env!("CARGO_MANIFEST_DIR")
        );
        assert!(
            compare(&std::fs::read_to_string(path).expect("the figure is there")),
            "figure {figure}"
        );
    }
}

#[test]
fn the_text_has_the_states_of_random_programs() {
    let shape = |seed| Shape {
        channels: 1 + seed % 3,
        length: 2,
        depth: 1 + seed % 2,
        open: true,
        exceptions: false,
        arrays: false,
    };
    let compared = (0..150)
        .filter(|seed| compare(&program(*seed, shape(*seed as usize))))
        .count();
    assert!(compared > 100, "{compared}");
}

#[test]
fn the_listing_of_figure_6_is_there() {
    let path = format!(
        "{}/../../examples/shim/figure3.shim",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("the figure is there");
    let text = impasse_shim::emit_smv("figure3.shim", &text).expect("the figure compiles");
    for line in [
        "VAR main_1 : {entry, exit, wait_a_6, wait_a_10, wait_b_13};",
        "main_2 = wait_a_0 & ready_a : wait_b_1;",
        "main = par_0 & main_1 = exit & main_2 = exit : exit;",
        "main_1 = exit & main_2 = exit : entry;",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}
