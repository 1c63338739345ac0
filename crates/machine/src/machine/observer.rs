//! What is noted of an execution besides its states, for reports.

use crate::machine::record::{Detail, Event};

/// What is noted of an execution. Nothing of it changes what the program does.
#[derive(Default)]
pub(crate) struct Observer {
    /// What happened, if that is noted.
    events: Option<Vec<Event>>,
    /// What of it is noted besides what other threads may observe.
    detail: Detail,
    /// What the program printed, if that is noted: (descriptor, text).
    printed: Option<Vec<(i32, Vec<u8>)>>,
    /// Whether it matters why a thread is blocked.
    explains: bool,
    /// Whether the values that instructions compute are inspected.
    watches: bool,
}

impl Observer {
    /// An observer that notes nothing. `watches` says whether values are inspected all the same.
    pub(crate) fn new(watches: bool) -> Observer {
        Observer {
            watches,
            ..Observer::default()
        }
    }

    /// Returns whether the values that instructions compute are inspected: they depend on an
    /// unknown time, or those of local variables are noted.
    #[inline]
    pub(crate) fn watches(&self) -> bool {
        self.watches
    }

    /// From now on notes events in this detail.
    pub(crate) fn note_events(&mut self, detail: Detail) {
        self.events = Some(Vec::new());
        self.detail = detail;
        self.watches |= detail.locals;
    }

    /// From now on notes what the program prints.
    pub(crate) fn note_output(&mut self) {
        self.printed = Some(Vec::new());
    }

    /// From now on it matters, or not, why a thread is blocked.
    pub(crate) fn explain(&mut self, explains: bool) {
        self.explains = explains;
    }

    /// Returns whether events are noted.
    #[inline]
    pub(crate) fn notes_events(&self) -> bool {
        self.events.is_some()
    }

    /// Returns whether what the program prints is noted, as an event or as text.
    pub(crate) fn notes_output(&self) -> bool {
        self.events.is_some() || self.printed.is_some()
    }

    /// Returns whether it matters why a thread is blocked.
    pub(crate) fn explains(&self) -> bool {
        self.explains
    }

    /// Returns which events are noted besides what other threads may observe.
    pub(crate) fn detail(&self) -> Detail {
        self.detail
    }

    /// Notes an event, if events are noted.
    pub(crate) fn push(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }

    /// Returns the events, if they are noted.
    pub(crate) fn events(&self) -> Option<&Vec<Event>> {
        self.events.as_ref()
    }

    /// Forgets all events but the first `kept`.
    pub(crate) fn truncate(&mut self, kept: usize) {
        if let Some(events) = &mut self.events {
            events.truncate(kept);
        }
    }

    /// Continues from where these events were noted.
    pub(crate) fn restore(&mut self, events: &Option<Vec<Event>>) {
        self.events.clone_from(events);
    }

    /// Notes what the program prints, if that is noted.
    pub(crate) fn print(&mut self, descriptor: i32, bytes: Vec<u8>) {
        if let Some(printed) = &mut self.printed {
            printed.push((descriptor, bytes));
        }
    }

    /// Takes what the program has printed since the last call.
    pub(crate) fn take_printed(&mut self) -> impl Iterator<Item = (i32, Vec<u8>)> {
        self.printed
            .iter_mut()
            .flat_map(|printed| printed.drain(..))
    }
}
