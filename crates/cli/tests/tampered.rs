//! Certificates that are not true of their program are refused, whatever was changed in them.

mod common;

use common::{impasse, set_up};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// An odd counter that steps by two never meets zero; it takes too long for a state to repeat while
/// a debugger is attached.
const ODD: &str = "unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x != 0)
        x = x - 2;
    while (x != 1)
        x = x + 2;
    return 0;
}
";

/// The same with a step that meets zero in the end.
const EVEN: &str = "unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x != 0)
        x = x - 1;
    while (x != 1)
        x = x + 2;
    return 0;
}
";

struct Case {
    folder: tempfile::TempDir,
    result: Value,
}

impl Case {
    fn new() -> Case {
        let case = Case::of("odd.c", ODD, "nonterminating");
        let claim = &case.result["certificate"]["claimed"]["execution"]["proof"]["claim"]["kind"];
        assert_eq!(claim, "recurrence_set");
        case
    }

    /// A program and what is found, which must be this verdict.
    fn of(name: &str, text: &str, verdict: &str) -> Case {
        Case::over((name, text), "machine", verdict)
    }

    /// The same over integers of a kind.
    fn over((name, text): (&str, &str), integers: &str, verdict: &str) -> Case {
        set_up();
        let folder = tempfile::tempdir().expect("a folder");
        let program = write(folder.path(), name, text);
        let options = ["loops", "--format", "json", "--arithmetic", integers].map(PathBuf::from);
        let output = impasse(options.iter().chain([&program]));
        let result: Value = serde_json::from_slice(&output.stdout).expect("a result");
        assert_eq!(result["verdict"], verdict, "{result}");
        Case { folder, result }
    }

    /// What `impasse certify` says to a certificate.
    fn certify(&self, certificate: &Value) -> (bool, String) {
        let path = write(self.folder.path(), "proof.json", &certificate.to_string());
        let output = impasse([Path::new("certify"), &path]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), said)
    }

    fn refused(&self, change: impl FnOnce(&mut Value), why: &str) {
        let mut certificate = self.result["certificate"].clone();
        change(&mut certificate);
        assert_ne!(certificate, self.result["certificate"]);
        let (holds, said) = self.certify(&certificate);
        assert!(!holds, "it was believed:\n{said}");
        assert!(said.contains(why), "refused for another reason:\n{said}");
    }

    /// Tries the certificate, unchanged and with the part at this path changed, on a program with
    /// another verdict.
    fn refused_for(&self, program: &Path, part: &[&str]) {
        let (holds, said) = self.certify(&self.result["certificate"]);
        assert!(holds, "{said}");
        let mut path: Vec<String> = part.iter().map(|&name| name.to_owned()).collect();
        let value = self.result["certificate"].pointer(&pointer(&path));
        let mut found = Vec::new();
        let value = value.filter(|value| value.is_object());
        changes(value.expect("a part"), &mut path, &mut found);
        let most = std::env::var_os("IMPASSE_LONG").map_or(CHANGES, |_| found.len());
        let step = found.len().div_ceil(most);
        for (path, to) in found.into_iter().step_by(step) {
            self.refused(
                |it| {
                    *it.pointer_mut(&pointer(&path)).expect("a place") = to;
                    it["files"] = json!([program]);
                },
                "",
            );
        }
        self.refused(|it| it["files"] = json!([program]), "");
    }
}

fn pointer(path: &[String]) -> String {
    format!("/{}", path.join("/"))
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn only_what_is_true_of_the_program_is_certified() {
    let case = Case::new();
    let (holds, said) = case.certify(&case.result["certificate"]);
    assert!(holds, "{said}");

    let other = "the loop that it speaks of is not the one that the program takes";
    // Another program, to which the same lasso was attached.
    let program = write(case.folder.path(), "even.c", EVEN);
    case.refused(|it| it["files"] = json!([program]), other);
    // An iteration that changes nothing is closed in whatever set.
    case.refused(
        |it| {
            let lasso = &mut it["claimed"]["execution"]["proof"]["lasso"];
            let same = lasso["variables"][0]["term"].clone();
            lasso["iterations"][0]["updates"][0] = same;
        },
        other,
    );
    // An iteration without a condition, and one that overlooks what is undefined.
    case.refused(
        |it| it["claimed"]["execution"]["proof"]["lasso"]["iterations"][0]["guard"] = json!([]),
        other,
    );
    // A stem that asks less of the inputs.
    case.refused(
        |it| it["claimed"]["execution"]["proof"]["lasso"]["stem"]["entry"][0] = json!(0),
        other,
    );
    // A larger set than the one that is closed.
    case.refused(
        |it| it["claimed"]["execution"]["proof"]["claim"]["set"] = json!([]),
        "it does not follow",
    );
    // Inputs that lead elsewhere, said of the program and of the lasso alike.
    case.refused(
        |it| {
            it["claimed"]["execution"]["inputs"] = json!(["2"]);
            it["claimed"]["execution"]["proof"]["inputs"] = json!(["2"]);
        },
        "",
    );
    // Other inputs for the proof than for the program.
    case.refused(
        |it| it["claimed"]["execution"]["proof"]["inputs"] = json!(["7"]),
        "its inputs are not those of the execution",
    );
    // Two visits that are not of one loop.
    case.refused(
        |it| it["claimed"]["execution"]["visits"] = json!([0, 1]),
        "",
    );
}

/// Loops within loops, an array, and a function that is called: a proof with several parts.
const ENDS: &str = "unsigned __VERIFIER_nondet_uint(void);
static unsigned half(unsigned x)
{
    while (x > 100)
        x = x / 2;
    return x;
}
int main(void) {
    int a[8] = {0};
    unsigned n = half(__VERIFIER_nondet_uint());
    for (unsigned i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            a[j] += i;
    return a[3] & 1;
}
";

/// The loop has no ranking function that Impasse finds, but every path of it can be followed.
const FOLLOWED: &str = "#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
struct node {
    struct node *next;
};
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 0;
    a->next = b;
    b->next = 0;
    if (__VERIFIER_nondet_uint() == 5)
        a->next = 0;
    int n = 0;
    while (a) {
        a = a->next;
        n = !n;
    }
    return n;
}
";

/// What makes the first loop endless.
const OTHER: (&str, &str) = ("x = x / 2", "x = x | 1");

/// All ways to change one number of a certificate's proof by one, or to leave out one element of a
/// list.
fn changes(value: &Value, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, Value)>) {
    let mut change = |path: &[String], to: Value| found.push((path.to_vec(), to));
    match value {
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or(0);
            change(path, json!(number.wrapping_add(1)));
            change(path, json!(number.saturating_sub(1)));
        }
        Value::Bool(held) => change(path, json!(!held)),
        Value::String(text) => match text.parse::<u64>() {
            Ok(number) => change(path, json!((number ^ 1).to_string())),
            Err(_) => change(path, json!("other")),
        },
        Value::Null => change(path, json!(1)),
        Value::Array(list) => {
            for left_out in 0..list.len() {
                let mut shorter = list.clone();
                shorter.remove(left_out);
                change(path, json!(shorter));
            }
            for (at, element) in list.iter().enumerate() {
                path.push(at.to_string());
                changes(element, path, found);
                path.pop();
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                path.push(name.clone());
                changes(field, path, found);
                path.pop();
            }
        }
    }
}

/// A proof that was changed is refused, or it is another proof of what is true; it never shows that
/// another program ends.
#[test]
fn no_change_makes_a_program_end() {
    for (text, kind) in [(ENDS, "ranking"), (FOLLOWED, "paths")] {
        let case = Case::of("ends.c", text, "terminating");
        let endless = text
            .replace(OTHER.0, OTHER.1)
            .replace("b->next = 0", "b->next = a");
        let endless = write(case.folder.path(), "endless.c", &endless);
        case.refused_for(&endless, &["claimed", kind]);
    }
}

/// Over unbounded integers it ends in two phases, since the step is at least five.
const FALLS: &str = "int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), step = 5;
    while (x > 0) {
        x = x + y;
        y = y - step;
    }
    return 0;
}
";

/// What a call returns decides how deep the next one is.
const NINETY_ONE: &str = "int __VERIFIER_nondet_int(void);
static int f(int n)
{
    if (n > 100)
        return n - 10;
    return f(f(n + 11));
}
int main(void)
{
    return f(__VERIFIER_nondet_int());
}
";

/// The same for proofs over unbounded integers.
#[test]
fn no_change_makes_a_program_end_over_integers() {
    let case = Case::over(("ninety-one.c", NINETY_ONE), "integer", "terminating");
    let proof = &case.result["certificate"]["claimed"]["unbounded"];
    assert_ne!(proof["returned"], json!([]), "{proof}");
    for (ends, loops) in [("n - 10", "n - 11"), ("n + 11", "n + 10")] {
        let endless = NINETY_ONE.replace(ends, loops);
        let endless = write(case.folder.path(), "endless.c", &endless);
        case.refused_for(&endless, &["claimed", "unbounded"]);
    }
    let case = Case::over(("falls.c", FALLS), "integer", "terminating");
    let proof = &case.result["certificate"]["claimed"]["unbounded"];
    assert_ne!(proof["invariants"], json!([]), "{proof}");
    for (ends, loops) in [
        ("y - step", "y + step"),
        ("step = 5", "step = -5"),
        ("x > 0", "x > 0 || y < 0"),
    ] {
        let endless = write(case.folder.path(), "endless.c", &FALLS.replace(ends, loops));
        case.refused_for(&endless, &["claimed", "unbounded"]);
    }
}

/// Over unbounded integers 4s = (t + 1)², so that the condition says i <= n, or that 0 <= n.
const ROOT: &str = "int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), s = 1, t = 1, i = 0;
    while (t * t - 4 * s + 2 * t + 1 + i <= n) {
        t = t + 2;
        s = s + t;
        i = i + 1;
    }
    return 0;
}
";

/// The same for equations over unbounded integers.
#[test]
fn no_change_of_equations_shows_what_is_not_true() {
    let case = Case::over(("root.c", ROOT), "integer", "terminating");
    let proof = &case.result["certificate"]["claimed"]["unbounded"];
    assert!(proof["equations"].is_object(), "{proof}");
    for (ends, loops) in [
        ("i = i + 1", "i = i + 0"),
        ("s = s + t;", "s = s + t + 1;"),
        ("2 * t + 1 + i", "2 * t + 1 - i"),
    ] {
        let endless = write(case.folder.path(), "endless.c", &ROOT.replace(ends, loops));
        case.refused_for(&endless, &["claimed", "unbounded"]);
    }
    let endless = ROOT.replace("i = i + 1", "i = i + 0");
    let case = Case::over(("endless.c", &endless), "integer", "nonterminating");
    let proof = &case.result["certificate"]["claimed"]["execution"];
    assert!(proof["unending"].is_object(), "{proof}");
    for (loops, ends) in [
        ("s = s + t;", "s = s + t - 1;"),
        ("s = 1", "s = 0 - n"),
        ("<= n", "<= n && s < 900"),
    ] {
        let ends = write(case.folder.path(), "ends.c", &endless.replace(loops, ends));
        case.refused_for(&ends, &["claimed"]);
    }
}

/// Equations between polynomials imply themselves. The constant is what makes the loop end.
const CUBES: &str = "int main(void)
{
    unsigned n = 0, x = 0, y = 1, z = 6;
    while (x == n * n * n) {
        n = n + 1;
        x = x + y;
        y = y + z;
        z = z + 6;
    }
    return x;
}
";

/// An input is what the state says.
const POLICY: &str = "extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = 5, n = 6;
    while (1) {
        unsigned d = __VERIFIER_nondet_uint();
        if (d != x)
            break;
        x = x * 3 + n;
        n++;
    }
    return 0;
}
";

/// Two paths preserve an equation, in an order without a period.
const TWO_PATHS: &str = "int main(void)
{
    unsigned n = 0, square = 0;
    while (square == n * n) {
        if (n & 0x55) {
            n = n + 1;
            square = square + 2 * n - 1;
        } else {
            square = square + 4 * n + 4;
            n = n + 2;
        }
    }
    return n;
}
";

/// A recurrence set that was changed never shows that a program runs forever that ends.
#[test]
fn no_change_makes_a_program_run_forever() {
    for (text, (loops, ends)) in [
        (CUBES, ("z = z + 6", "z = z + 7")),
        (CUBES, ("x == n * n * n", "x == n * n * n && n < 900")),
        (POLICY, ("while (1)", "while (n < 900)")),
        (TWO_PATHS, ("square + 4 * n + 4", "square + 4 * n + 5")),
        (TWO_PATHS, ("n = n + 2", "n = n > 90 ? n + 3 : n + 2")),
    ] {
        let case = Case::of("endless.c", text, "nonterminating");
        let ends = text.replace(loops, ends);
        let ends = write(case.folder.path(), "ends.c", &ends);
        case.refused_for(&ends, &["claimed"]);
    }
}

/// How many changes of a proof are tried; with IMPASSE_LONG=1, all of them.
const CHANGES: usize = 16;
