//! The translation of bitcode. LLVM's reader may crash on malformed bitcode, which is why Impasse
//! runs it in a process of its own: run this target with `-fork=1 -ignore_crashes=1`, and look only
//! at crashes whose backtrace ends outside LLVM.
#![no_main]

use impasse_program::translate::translate_file;
use libfuzzer_sys::fuzz_target;
use std::fs;

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::write(file.path(), bytes).expect("it can be written");
    let _ = translate_file(file.path());
});
