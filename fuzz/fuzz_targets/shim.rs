//! The SHIM parser and checker of names, types and recursion.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // Rejected programs are rendered as well: their spans must lie within the text.
    if let Err(rejected) = impasse_shim::compile("fuzz.shim", text) {
        let _ = format!("{rejected:?}");
    }
});
