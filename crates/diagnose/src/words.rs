//! What sections and waits are called in reports.

use impasse_machine::base::section_type::SectionType;

/// Returns how a wait comes to its end, as in "lock m"; `resource` is what is waited for.
pub fn ending(kind: SectionType, resource: &str) -> String {
    match kind {
        SectionType::Condition => format!("be woken from its wait for {resource}"),
        SectionType::Join => format!("finish joining {resource}"),
        SectionType::Barrier => format!("get past {resource}"),
        SectionType::Semaphore => format!("take {resource}"),
        SectionType::Once => format!("finish the initialisation of {resource}"),
        SectionType::Atomic => format!("finish its wait for {resource} to change"),
        _ => format!("lock {resource}"),
    }
}

/// Returns what a blocked operation waits for, as in "to lock m".
pub fn waiting(kind: SectionType, resource: &str) -> String {
    match kind {
        SectionType::Condition => format!("for {resource}"),
        SectionType::Barrier => format!("for others to arrive at {resource}"),
        SectionType::Semaphore => format!("for a unit of {resource}"),
        SectionType::Once => format!("for the initialisation of {resource}"),
        SectionType::Atomic => format!("for {resource} to change"),
        _ => format!("to lock {resource}"),
    }
}
