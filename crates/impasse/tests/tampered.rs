//! Certificates that are not true of their program are refused, whatever was changed in them.

mod common;

use common::{impasse, set_up};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// An odd counter that steps by two never meets zero; it takes too long for a state to repeat while somebody looks on.
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
        set_up();
        let folder = tempfile::tempdir().expect("a folder");
        let program = write(folder.path(), "odd.c", ODD);
        let arguments = ["loops".into(), "--format".into(), "json".into(), program];
        let output = impasse(&arguments);
        let result: Value = serde_json::from_slice(&output.stdout).expect("a result");
        assert_eq!(result["verdict"], "nonterminating");
        let claim = &result["certificate"]["proof"]["claim"]["kind"];
        assert_eq!(claim, "closed_set");
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
    // A turn that changes nothing is closed in whatever set.
    case.refused(
        |it| {
            let lasso = &mut it["proof"]["lasso"];
            let same = lasso["variables"][0]["term"].clone();
            lasso["turns"][0]["updates"][0] = same;
        },
        other,
    );
    // A turn without a condition, and one that overlooks what is undefined.
    case.refused(
        |it| it["proof"]["lasso"]["turns"][0]["guard"] = json!([]),
        other,
    );
    // A stem that asks less of the inputs.
    case.refused(
        |it| it["proof"]["lasso"]["stem"]["entry"][0] = json!(0),
        other,
    );
    // A larger set than the one that is closed.
    case.refused(
        |it| it["proof"]["claim"]["set"] = json!([]),
        "it does not follow",
    );
    // Inputs that lead elsewhere, said of the program and of the lasso alike.
    case.refused(
        |it| {
            it["inputs"] = json!(["2"]);
            it["proof"]["inputs"] = json!(["2"]);
        },
        "",
    );
    // Other inputs for the proof than for the program.
    case.refused(
        |it| it["proof"]["inputs"] = json!(["7"]),
        "its inputs are not those of the execution",
    );
    // Two visits that are not of one loop.
    case.refused(|it| it["visits"] = json!([0, 1]), "");
}
