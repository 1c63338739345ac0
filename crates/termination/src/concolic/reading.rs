//! How the types of the source read bits.

use crate::problem::Reading;
use impasse_program::debug::{DebugInfo, Encoding, Type, TypeId};

/// Whether a type is signed or unsigned; `None` if it is neither an integer nor an enumeration.
pub fn reading(debug: &DebugInfo, ty: TypeId) -> Option<Reading> {
    match debug.types.get(ty.0 as usize)? {
        Type::Base { encoding, .. } => match encoding {
            Encoding::Signed | Encoding::Character => Some(Reading::Signed),
            Encoding::Unsigned | Encoding::UnsignedCharacter | Encoding::Boolean => {
                Some(Reading::Unsigned)
            }
            Encoding::Float | Encoding::Other => None,
        },
        Type::Named { of, .. } => reading(debug, (*of)?),
        Type::Enumeration { .. } => Some(Reading::Unsigned),
        _ => None,
    }
}
