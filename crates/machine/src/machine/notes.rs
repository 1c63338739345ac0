//! What the machine notes of an execution, for the trace.

use crate::machine::Machine;
use crate::machine::record::{Action, Event};
use crate::value::Value;
use impasse_program::address::{Address, ObjectId, ObjectKind};
use impasse_program::instruction::Scalar;
use impasse_semantics::numbers::{Narrow, Wide};

impl Machine<'_> {
    /// Notes an event for the trace.
    #[cold]
    pub fn note(&mut self, action: Action) {
        self.note_about(action, None, String::new());
    }

    /// Notes an event for the trace, with what it is a detail of, and what is read or written.
    pub fn note_about(&mut self, action: Action, library: Option<String>, identity: String) {
        let event = Event {
            thread: self.memory.reported_thread(self.running),
            transition: 0,
            frames: self.frames_of(self.running),
            action,
            library,
            identity,
        };
        self.observer.push(event);
    }

    /// Notes an event that concerns an earlier action of another thread; its place is filled in
    /// later.
    #[cold]
    pub fn note_for(&mut self, thread: usize, action: Action, identity: String) {
        let event = Event {
            thread: self.memory.reported_thread(thread),
            transition: 0,
            frames: Vec::new(),
            action,
            library: None,
            identity,
        };
        self.observer.push(event);
    }

    /// Notes a load, or with the value before, a store.
    #[cold]
    pub(crate) fn note_access(
        &mut self,
        address: Address,
        scalar: Scalar,
        old: Option<Value>,
        value: Value,
    ) {
        if !self.is_noteworthy(address.object, old.is_some()) {
            return;
        }
        let new = self.show(scalar, value);
        let old = old.map(|old| self.show(scalar, old));
        self.note_variable(address, scalar, old, new);
    }

    /// Notes that memory is read by a copy or, with what it becomes, that it is written by a copy
    /// or filled.
    #[cold]
    pub(crate) fn note_range(&mut self, address: Address, bytes: u64, value: Option<String>) {
        if !self.is_noteworthy(address.object, value.is_some()) {
            return;
        }
        let (variable, library) = self.variable(address, bytes);
        let action = match value {
            None => Action::Read {
                variable,
                value: String::new(),
            },
            Some(value) => Action::Write {
                variable,
                old: String::new(),
                value,
            },
        };
        let identity = self.identity_of(address, bytes);
        self.note_about(action, library, identity);
    }

    /// Whether an access to an object, a write or a read, belongs to the trace.
    fn is_noteworthy(&self, object: ObjectId, writes: bool) -> bool {
        let own = self.system.own[self.at.id.0 as usize];
        match object.kind() {
            ObjectKind::Global(n) => {
                (n as usize) < self.memory.globals.len()
                    && (self.is_in_own_code() || self.observer.detail().library)
            }
            ObjectKind::Dynamic(_) if self.memory.is_visible(object) => true,
            ObjectKind::Dynamic(_) if !own => self.observer.detail().library,
            ObjectKind::Dynamic(_) => match self.memory.get(object).map(|o| o.class()) {
                Some(class) if class.is_allocated() => true,
                Some(_) => self.observer.detail().locals && writes,
                None => false,
            },
            _ => false,
        }
    }

    /// Whether the program's own code acts, or the runtime in its place, a piece at a time.
    pub(crate) fn is_in_own_code(&self) -> bool {
        self.at.users || self.system.pieces.contains(self.at.id)
    }

    /// Notes that a variable was read, or written, for the trace.
    #[cold]
    pub fn note_variable(
        &mut self,
        address: Address,
        scalar: Scalar,
        old: Option<String>,
        value: String,
    ) {
        let bytes = scalar.bytes() as u64;
        let (variable, library) = self.variable(address, bytes);
        let identity = self.identity_of(address, bytes);
        let action = match old {
            None => Action::Read { variable, value },
            Some(old) => Action::Write {
                variable,
                old,
                value,
            },
        };
        self.note_about(action, library, identity);
    }

    /// Returns a value in words.
    pub fn show(&self, scalar: Scalar, value: Value) -> String {
        let value = Value {
            low: self.symbolic.shown(value.low),
            high: self.symbolic.shown(value.high),
        };
        if value.is_term() {
            return "a value that depends on inputs".into();
        }
        if !value.is_defined() {
            return "undefined".into();
        }
        if value.low.pointer {
            return match value.low.bits {
                0 => "null".into(),
                bits => {
                    let address = Address::from_bits(bits);
                    self.show_address(address)
                }
            };
        }
        match scalar {
            Scalar::Float => f32::from_bits(value.low.bits as u32).to_string(),
            Scalar::Double => f64::from_bits(value.low.bits).to_string(),
            _ if scalar.is_pointer() && value.low.bits == 0 => "null".into(),
            Scalar::Pointer | Scalar::Pointer32 => format!("{:#x}", value.low.bits),
            Scalar::Extended => "a long double".into(),
            Scalar::Integer(width) => Narrow::signed(value.low.bits, width as u32).to_string(),
            Scalar::Wide(width) => Wide::signed(value.bits(), width as u32).to_string(),
        }
    }
}
