//! Sinks: for closures, for all that a system emits, for one emission.

use crate::system::{Branch, Edge, Ends, Key, Sink, TransitionSystem};

/// What a system has emitted.
pub enum Emission<S: TransitionSystem + ?Sized> {
    /// A transition to a state.
    Edge(OwnedEdge),
    /// A transition that ends in an error.
    Fault(S::Fault),
    /// A transition that was left out. It has no ordinal.
    Omission(S::Omission),
}

/// An [`Edge`] that owns its data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnedEdge {
    /// The target state.
    pub target: Vec<u8>,
    /// The system's label.
    pub label: u32,
    /// Who selects this transition.
    pub branch: Branch,
    /// The section instances that it ends; `None` if it ends the program.
    pub ended: Option<Vec<Key>>,
    /// Whether it changes nothing that another thread could observe.
    pub silent: bool,
}

impl OwnedEdge {
    /// Returns the edge with borrowed data.
    pub fn borrow(&self) -> Edge<'_> {
        Edge {
            target: &self.target,
            label: self.label,
            branch: self.branch,
            ends: match &self.ended {
                Some(keys) => Ends::Sections(keys),
                None => Ends::Program,
            },
            silent: self.silent,
        }
    }
}

impl From<Edge<'_>> for OwnedEdge {
    fn from(edge: Edge<'_>) -> Self {
        OwnedEdge {
            target: edge.target.to_vec(),
            label: edge.label,
            branch: edge.branch,
            ended: match edge.ends {
                Ends::Sections(keys) => Some(keys.to_vec()),
                Ends::Program => None,
            },
            silent: edge.silent,
        }
    }
}

/// One emission, as a sink receives it.
pub enum Received<'a, S: TransitionSystem + ?Sized> {
    /// A transition to a state, and its ordinal.
    Edge(u32, Edge<'a>),
    /// A transition that ends in an error, and its ordinal.
    Fault(u32, S::Fault),
    /// The reason why a transition was left out. It has no ordinal.
    Omission(S::Omission),
}

/// A sink that numbers edges and faults, and passes each emission to a closure.
pub struct Numbered<F> {
    receive: F,
    /// How many edges and faults were emitted.
    pub emitted: u32,
}

impl<F> Numbered<F> {
    /// Returns a sink that passes each emission to `receive`. Ordinals begin at 0.
    pub fn new<S>(receive: F) -> Self
    where
        S: TransitionSystem + ?Sized,
        F: FnMut(Received<'_, S>),
    {
        Numbered {
            receive,
            emitted: 0,
        }
    }

    fn next_ordinal(&mut self) -> u32 {
        self.emitted += 1;
        self.emitted - 1
    }
}

impl<S, F> Sink<S> for Numbered<F>
where
    S: TransitionSystem + ?Sized,
    F: FnMut(Received<'_, S>),
{
    fn edge(&mut self, edge: Edge<'_>) {
        let ordinal = self.next_ordinal();
        (self.receive)(Received::Edge(ordinal, edge));
    }

    fn fault(&mut self, fault: S::Fault) {
        let ordinal = self.next_ordinal();
        (self.receive)(Received::Fault(ordinal, fault));
    }

    fn omission(&mut self, reason: S::Omission) {
        (self.receive)(Received::Omission(reason));
    }
}

/// A sink that keeps every emission, in order.
pub struct Emissions<S: TransitionSystem + ?Sized>(pub Vec<Emission<S>>);

impl<S: TransitionSystem + ?Sized> Emissions<S> {
    /// Returns a sink that holds no emission yet.
    pub fn new() -> Self {
        Emissions(Vec::new())
    }

    /// Returns how many edges and faults there are.
    pub fn ordinals(&self) -> u32 {
        let numbered = |emission: &&Emission<S>| !matches!(emission, Emission::Omission(_));
        self.0.iter().filter(numbered).count() as u32
    }

    /// Emits everything again.
    pub fn pass_on(self, sink: &mut (impl Sink<S> + ?Sized)) {
        self.emit_to(sink);
    }

    /// Emits everything again, now and later.
    pub fn emit_to(&self, sink: &mut (impl Sink<S> + ?Sized)) {
        for emission in &self.0 {
            match emission {
                Emission::Edge(edge) => sink.edge(edge.borrow()),
                Emission::Fault(fault) => sink.fault(fault.clone()),
                Emission::Omission(reason) => sink.omission(reason.clone()),
            }
        }
    }
}

impl<S: TransitionSystem + ?Sized> Default for Emissions<S> {
    fn default() -> Self {
        Emissions::new()
    }
}

impl<S: TransitionSystem + ?Sized> Sink<S> for Emissions<S> {
    fn edge(&mut self, edge: Edge<'_>) {
        self.0.push(Emission::Edge(edge.into()));
    }

    fn fault(&mut self, fault: S::Fault) {
        self.0.push(Emission::Fault(fault));
    }

    fn omission(&mut self, reason: S::Omission) {
        self.0.push(Emission::Omission(reason));
    }
}

/// A sink that keeps the edge or fault with one ordinal.
pub struct Nth<S: TransitionSystem + ?Sized> {
    ordinal: u32,
    /// How many edges and faults were emitted.
    pub emitted: u32,
    /// The edge or fault with the ordinal, once it was emitted.
    pub found: Option<Emission<S>>,
}

impl<S: TransitionSystem + ?Sized> Nth<S> {
    /// Returns a sink that keeps the edge or fault with this ordinal, from 0.
    pub fn new(ordinal: u32) -> Self {
        Nth {
            ordinal,
            emitted: 0,
            found: None,
        }
    }

    fn offer(&mut self, emission: impl FnOnce() -> Emission<S>) {
        if self.emitted == self.ordinal {
            self.found = Some(emission());
        }
        self.emitted += 1;
    }
}

impl<S: TransitionSystem + ?Sized> Sink<S> for Nth<S> {
    fn edge(&mut self, edge: Edge<'_>) {
        self.offer(|| Emission::Edge(edge.into()));
    }

    fn fault(&mut self, fault: S::Fault) {
        self.offer(|| Emission::Fault(fault));
    }

    fn omission(&mut self, _reason: S::Omission) {}
}
