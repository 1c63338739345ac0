//! What the user's rules have suppressed.

use impasse_machine::system::System;
use impasse_report::Suppressed;

/// Returns everything that the searches of a program have suppressed so far, sorted by place.
pub fn suppressed(system: &System) -> Vec<Suppressed> {
    let suppressions = &system.options.suppressions;
    let met = suppressions.met().into_iter();
    met.map(|(suppressed, what)| {
        let rule = &suppressions.rules()[suppressed.rule];
        Suppressed {
            kind: suppressed.kind.name().into(),
            what,
            file: suppressed.file,
            line: suppressed.line,
            rule: rule.origin.clone(),
            reason: rule.reason.clone(),
        }
    })
    .collect()
}
