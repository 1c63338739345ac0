//! A unit in use by a program: its bodies and source information are decoded when they are first
//! asked for, and may until then lie in a library's file.

use crate::debug::DebugInfo;
use crate::instruction::Body;
use crate::library::{Head, Library, LibraryError, Span};
use crate::unit::Unit;
use serde::de::DeserializeOwned;
use std::sync::{Arc, OnceLock};

/// A unit and where the parts of it are that it is without.
pub(crate) struct Module {
    /// The unit. Where `stored` says so, its functions have empty bodies and it has no source
    /// information.
    pub unit: Unit,
    stored: Option<Stored>,
}

/// The parts of a unit that are in a library's file.
struct Stored {
    library: Arc<Library>,
    bodies: Vec<Span>,
    debug: Span,
    decoded_debug: OnceLock<DebugInfo>,
}

impl Module {
    /// Returns a unit that is wholly in memory.
    pub fn in_memory(unit: Unit) -> Module {
        Module { unit, stored: None }
    }

    /// Returns a unit of a library, whose bodies and source information stay in its file until they
    /// are asked for. Fails if the library cannot be read.
    pub fn of_library(library: &Arc<Library>, unit: u32) -> Result<Module, LibraryError> {
        let Head {
            unit,
            bodies,
            debug,
        } = library.head(unit)?;
        let stored = Some(Stored {
            library: Arc::clone(library),
            bodies,
            debug,
            decoded_debug: OnceLock::new(),
        });
        Ok(Module { unit, stored })
    }

    /// Returns the body of the function with this index. Panics if it cannot be decoded: the unit
    /// was made by another version, or its file was changed while in use.
    pub fn body(&self, index: u32) -> Body {
        let Some(stored) = &self.stored else {
            return Body::decode(&self.unit.functions[index as usize].body)
                .unwrap_or_else(|error| panic!("{}: {error}", self.unit.name));
        };
        self.decode(stored, stored.bodies[index as usize])
    }

    /// Returns the source information. Panics as [`Module::body`] does.
    pub fn debug(&self) -> &DebugInfo {
        let Some(stored) = &self.stored else {
            return &self.unit.debug;
        };
        let decode = || self.decode(stored, stored.debug);
        stored.decoded_debug.get_or_init(decode)
    }

    fn decode<T: DeserializeOwned>(&self, stored: &Stored, span: Span) -> T {
        let decoded = stored.library.decode(span);
        decoded.unwrap_or_else(|error| panic!("{}: {error}", self.unit.name))
    }
}
