//! Paths of searches with symmetry reduction, as paths of the program itself: there a join waits
//! for its thread alone (`docs/internals/symmetry.md`).

use impasse_machine::base::fault::Fault;
use impasse_machine::system::System;
use impasse_transition_system::{Emission, Emissions, Path, StepEnd, TransitionSystem};

/// A step of a path: from where, and where to.
struct Taken {
    source: Option<Vec<u8>>,
    to: To,
}

enum To {
    State(Vec<u8>, u32),
    Fault(Fault),
}

/// Returns the path as one of the program. From then on no thread is taken for another one. Returns
/// it as it is, and changes nothing, if none is, or if the program has no such path.
pub fn without_symmetry(system: &System, path: &Path) -> Path {
    if !system.symmetry.is_on() {
        return path.clone();
    }
    let mut steps = Vec::new();
    let replayed = path.replay(&system, |step| {
        steps.push(Taken {
            source: step.source.map(<[u8]>::to_vec),
            to: match step.end {
                StepEnd::State { target, label } => To::State(target.to_vec(), label),
                StepEnd::Fault(fault) => To::Fault(fault),
            },
        });
    });
    if replayed.is_err() {
        return path.clone();
    }
    system.symmetry.end_search();
    find(&system, &steps).unwrap_or_else(|| {
        system.symmetry.resume_search();
        path.clone()
    })
}

fn find(system: &&System, steps: &[Taken]) -> Option<Path> {
    let mut worker = system.worker();
    let ordinal = |step: &Taken| {
        let mut emissions = Emissions::new();
        match &step.source {
            None => system.initial(&mut worker, &mut emissions),
            Some(state) => {
                system.successors(&mut worker, state, &mut emissions);
                system.drain(&mut worker, state, &mut emissions);
            }
        }
        let numbered = emissions.0.iter();
        let mut numbered = numbered.filter(|it| !matches!(it, Emission::Omission(_)));
        let is_it = |emission: &Emission<&System>| match (emission, &step.to) {
            (Emission::Edge(edge), To::State(target, label)) => {
                edge.target == *target && edge.label == *label
            }
            (Emission::Fault(fault), To::Fault(wanted)) => fault == wanted,
            _ => false,
        };
        numbered.position(is_it).map(|ordinal| ordinal as u32)
    };
    let ordinals: Option<Vec<u32>> = steps.iter().map(ordinal).collect();
    ordinals.map(Path::new)
}
