//! The tree of the paths that were taken.

use impasse_solver::Term;

/// What a step of a path says about its inputs.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// The term holds; where it does not, the path is undefined.
    Holds(Term),
    /// The term is the outcome of a decision, which may have others.
    Decides(Term),
    /// The path is undefined from here on, because the term holds.
    Ends(Term),
}

impl Event {
    /// The term, of width one, which is true on the path.
    pub fn term(self) -> Term {
        match self {
            Event::Holds(term) | Event::Decides(term) | Event::Ends(term) => term,
        }
    }
}

/// A decision of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(u32);

struct Node {
    parent: Option<NodeId>,
    /// The decision that leads here; none at the root.
    decided: Option<Term>,
    /// What holds between that decision and this one, on paths that are defined so far.
    holds: Option<Vec<Term>>,
    /// The decisions taken here, with what comes after them.
    taken: Vec<(Term, NodeId)>,
    /// Inputs that come by here.
    example: Vec<u64>,
    depth: usize,
}

/// The paths taken so far; those that begin alike share nodes.
pub struct Tree {
    nodes: Vec<Node>,
    /// Nodes where another decision may be possible, the next to be tried last.
    open: Vec<NodeId>,
    most: usize,
}

impl Tree {
    /// An empty tree that keeps the first `most` decisions of each path.
    pub fn new(most: usize) -> Tree {
        Tree {
            nodes: vec![Node {
                parent: None,
                decided: None,
                holds: None,
                taken: Vec::new(),
                example: Vec::new(),
                depth: 0,
            }],
            open: Vec::new(),
            most,
        }
    }

    /// How many nodes there are, with the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a path with inputs that take it. Returns whether it has more decisions than the tree
    /// keeps.
    pub fn insert(&mut self, events: &[Event], example: &[u64]) -> bool {
        let mut node = NodeId(0);
        if self.nodes[0].example.is_empty() {
            self.nodes[0].example = example.to_vec();
        }
        let mut holds = Vec::new();
        for event in events {
            let (term, ends) = match *event {
                Event::Holds(term) => {
                    holds.push(term);
                    continue;
                }
                Event::Decides(term) => (term, false),
                Event::Ends(term) => (term, true),
            };
            if self.nodes[node.0 as usize].depth >= self.most {
                return true;
            }
            let before = std::mem::take(&mut holds);
            node = self.follow(node, (term, ends), before, example);
        }
        false
    }

    /// The node behind a decision, made if need be.
    fn follow(
        &mut self,
        from: NodeId,
        (term, ends): (Term, bool),
        before: Vec<Term>,
        example: &[u64],
    ) -> NodeId {
        let node = &self.nodes[from.0 as usize];
        if let Some(&(_, next)) = node.taken.iter().find(|(taken, _)| *taken == term) {
            return next;
        }
        let next = NodeId(self.nodes.len() as u32);
        let depth = node.depth + 1;
        if node.taken.is_empty() {
            self.open.push(from);
        }
        let node = &mut self.nodes[from.0 as usize];
        node.taken.push((term, next));
        if !ends {
            node.holds.get_or_insert(before);
        }
        self.nodes.push(Node {
            parent: Some(from),
            decided: Some(term),
            holds: None,
            taken: Vec::new(),
            example: example.to_vec(),
            depth,
        });
        next
    }

    /// Takes the newest node whose decision may have another outcome; `None` if there is none left.
    pub fn next_open(&mut self) -> Option<NodeId> {
        self.open.pop()
    }

    /// Puts a node back, whose decision may have further outcomes.
    pub fn reopen(&mut self, node: NodeId) {
        self.open.push(node);
    }

    /// Removes a node from those that are left to try.
    pub fn give_up(&mut self, node: NodeId) {
        self.open.retain(|&open| open != node);
    }

    /// The conditions of reaching a node and its decision, and the outcomes taken there. Inputs
    /// that satisfy all of the former and none of the latter take a new path.
    pub fn question(&self, node: NodeId) -> (Vec<Term>, Vec<Term>) {
        let taken = self.nodes[node.0 as usize].taken.iter();
        let mut holds = Vec::new();
        let mut next = Some(node);
        while let Some(at) = next {
            let node = &self.nodes[at.0 as usize];
            holds.extend(node.holds.iter().flatten().chain(&node.decided));
            next = node.parent;
        }
        (holds, taken.map(|(term, _)| *term).collect())
    }

    /// Inputs whose path reaches the node.
    pub fn example(&self, node: NodeId) -> &[u64] {
        &self.nodes[node.0 as usize].example
    }
}
