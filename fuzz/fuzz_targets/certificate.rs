//! The checker of certificates: whatever it reads, it accepts or rejects.
#![no_main]

use impasse_termination::certificate::Certificate;
use impasse_termination::certify::certify;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(certificate) = serde_json::from_slice::<Certificate>(bytes) {
        let _ = certify(&certificate);
    }
});
