//! The software-verification community's functions for choices and errors, by their names. The
//! library defines them for C; programs in C++ also declare them without `extern "C"`.

/// What the names of functions begin with that are executed as one step.
const ATOMIC: &str = "__VERIFIER_atomic_";
/// The function that begins a section executed as one step.
pub const ATOMIC_BEGIN: &str = "__VERIFIER_atomic_begin";
/// The function that ends such a section.
pub const ATOMIC_END: &str = "__VERIFIER_atomic_end";

/// Returns whether a name is one that the community reserves.
pub fn is_harness(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || name == "reach_error"
}

/// Returns the name in C of a function that C++ declares under such a name, whatever parameters it
/// takes; `None` for other symbols. Members of namespaces and classes and templates are other
/// functions.
pub fn harness_name(symbol: &str) -> Option<&str> {
    let encoding = symbol.strip_prefix("_Z")?;
    // What one file keeps to itself has an L before its name.
    let encoding = encoding.strip_prefix('L').unwrap_or(encoding);
    let digits = encoding.find(|c: char| !c.is_ascii_digit())?;
    let (length, rest) = encoding.split_at(digits);
    let (name, parameters) = rest.split_at_checked(length.parse().ok()?)?;
    let plain = !parameters.is_empty() && !parameters.starts_with(['I', 'B']);
    (plain && is_harness(name)).then_some(name)
}

/// Returns whether all of a function that a program defines is one step, as its name says.
pub fn is_atomic(symbol: &str) -> bool {
    let name = harness_name(symbol).unwrap_or(symbol);
    name.starts_with(ATOMIC) && name != ATOMIC_BEGIN && name != ATOMIC_END
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_cxx_have_their_names_in_c() {
        for (symbol, name) in [
            ("_Z21__VERIFIER_nondet_intv", Some("__VERIFIER_nondet_int")),
            ("_ZL21__VERIFIER_nondet_inti", Some("__VERIFIER_nondet_int")),
            ("_Z11reach_errorPKc", Some("reach_error")),
            ("_Z11reach_other", None),
            ("_Z11reach_errorIiEvv", None),
            ("_Z11reach_errorB3tagv", None),
            ("_Z11reach_error", None),
            ("_ZN1n11reach_errorEv", None),
            ("_Z99999999999999999999999reach_errorv", None),
            ("_Z12reach_errorv", None),
            ("_Z6printfv", None),
            ("_Z", None),
            ("reach_error", None),
        ] {
            assert_eq!(harness_name(symbol), name, "{symbol}");
        }
    }

    #[test]
    fn the_marks_of_sections_are_no_atomic_functions() {
        assert!(is_atomic("__VERIFIER_atomic_take"));
        assert!(is_atomic("_Z22__VERIFIER_atomic_takei"));
        assert!(!is_atomic(ATOMIC_BEGIN));
        assert!(!is_atomic("_Z23__VERIFIER_atomic_beginv"));
        assert!(!is_atomic("_ZN1n22__VERIFIER_atomic_takeEi"));
    }
}
