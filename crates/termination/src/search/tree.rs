//! The tree of the paths that were taken.

use impasse_solver::Term;

/// What a path says about its inputs, in order.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// This holds, and where it does not the path is undefined.
    Holds(Term),
    /// This was decided, and might have been decided otherwise.
    Decides(Term),
    /// The path is undefined from here on, because this holds.
    Ends(Term),
}

impl Event {
    /// What is true.
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

/// Paths that begin alike share their beginning.
pub struct Tree {
    nodes: Vec<Node>,
    /// Nodes where another decision may be possible, the next to be tried last.
    open: Vec<NodeId>,
    most: usize,
}

impl Tree {
    /// An empty tree that will keep so many decisions of a path.
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

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a path. Whether it has more decisions than are kept.
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

    /// A node where another decision may be possible; it is not open any more.
    pub fn next_open(&mut self) -> Option<NodeId> {
        self.open.pop()
    }

    /// Puts a node back: its decision has yet other outcomes.
    pub fn reopen(&mut self, node: NodeId) {
        self.open.push(node);
    }

    /// Gives a node up.
    pub fn give_up(&mut self, node: NodeId) {
        self.open.retain(|&open| open != node);
    }

    /// What holds at a node, and the outcomes of its decision that are known.
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

    /// Inputs that come by a node.
    pub fn example(&self, node: NodeId) -> &[u64] {
        &self.nodes[node.0 as usize].example
    }
}
