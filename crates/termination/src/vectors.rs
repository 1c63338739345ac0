//! What of the computation on terms ([`OnTerms`]) the provers follow.

use crate::problem::HazardKind;
use impasse_program::instruction::Intrinsic;
use impasse_semantics::arithmetic::Hazard;
use impasse_solver::Term;

pub(crate) use impasse_solver::OnTerms;

impl From<Hazard> for HazardKind {
    fn from(hazard: Hazard) -> HazardKind {
        match hazard {
            Hazard::Overflow => HazardKind::Overflow,
            Hazard::DivisionByZero => HazardKind::DivisionByZero,
            Hazard::DivisionOverflow => HazardKind::DivisionOverflow,
            Hazard::Shift => HazardKind::Shift,
        }
    }
}

/// Returns the results of an intrinsic, where the provers follow it and the machine has found them
/// defined.
pub(crate) fn compute(
    vectors: OnTerms<'_>,
    intrinsic: Intrinsic,
    arguments: &[Term],
    width: u8,
) -> Option<Vec<Term>> {
    if !is_followed(intrinsic) {
        return None;
    }
    let computed = vectors.compute(intrinsic, arguments, width)?;
    let results = [Some(computed.value), computed.overflow];
    Some(results.into_iter().flatten().collect())
}

/// The intrinsics of which the provers over unbounded integers know when they leave their types,
/// and that are never poison. Any other result is opaque.
fn is_followed(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::SignedMinimum
            | I::SignedMaximum
            | I::UnsignedMinimum
            | I::UnsignedMaximum
            | I::SignedAddOverflow
            | I::UnsignedAddOverflow
            | I::SignedSubtractOverflow
            | I::UnsignedSubtractOverflow
            | I::SignedMultiplyOverflow
            | I::UnsignedMultiplyOverflow
            | I::SwapBytes
    )
}
