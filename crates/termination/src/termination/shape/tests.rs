//! Random accesses to a small graph, of which every fact must hold.

use super::*;
use impasse_solver::Terms;

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// Objects with up to two links, and variables.
#[derive(Clone)]
struct Graph {
    links: Vec<[Option<usize>; 2]>,
    is_freed: Vec<bool>,
    variables: Vec<(Symbol, Option<usize>)>,
}

impl Graph {
    fn reached(&self, from: Option<usize>) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), Vec::from_iter(from));
        while let Some(one) = open.pop() {
            if found.insert(one) {
                open.extend(self.links[one].iter().flatten());
            }
        }
        found
    }

    fn of(&self, symbol: Symbol) -> Option<usize> {
        let mut named = self.variables.iter().filter(|(one, _)| *one == symbol);
        named.next().expect("the variable exists").1
    }

    fn is_whole(&self, from: Option<usize>) -> bool {
        let reached = self.reached(from);
        reached.iter().all(|&one| {
            let mut next = self.links[one].iter().flatten();
            !self.is_freed[one] && !next.any(|&next| self.reached(Some(next)).contains(&one))
        })
    }

    fn check(&self, shape: &Shape) {
        for fact in &shape.facts {
            let holds = match *fact {
                Fact::There(a) => self.of(a).is_none_or(|object| !self.is_freed[object]),
                Fact::Whole(a) => self.is_whole(self.of(a)),
                Fact::Apart(a, b) => match self.of(b) {
                    Some(object) => !self.reached(self.of(a)).contains(&object),
                    None => true,
                },
                Fact::Disjoint(a, b) => {
                    let other = self.reached(self.of(b));
                    self.reached(self.of(a)).is_disjoint(&other)
                }
                _ => true,
            };
            assert!(holds, "{fact:?} does not hold of {:?}", self.variables);
        }
    }

    /// Does something at random, with these variables; which variable is new.
    fn access(
        &mut self,
        shape: &mut Shape,
        (terms, numbers): (&Terms, &mut Numbers),
        (from, fields): (usize, usize),
    ) {
        let pick = |numbers: &mut Numbers, graph: &Graph| {
            let count = graph.variables.len() - from;
            (count > 0).then(|| graph.variables[from + numbers.below(count)])
        };
        let name = |graph: &mut Graph, object| {
            let symbol = terms.symbol("v", 64);
            graph.variables.push((symbol, object));
            symbol
        };
        let one = pick(numbers, self);
        match (numbers.below(8), one) {
            (0 | 1, _) | (_, None) => {
                self.links.push([None, None]);
                self.is_freed.push(false);
                let symbol = name(self, Some(self.links.len() - 1));
                shape.made(symbol);
            }
            (2, Some((symbol, Some(object)))) if numbers.below(3) == 0 => {
                self.is_freed[object] = true;
                shape.freed(&[symbol]);
            }
            (3 | 4, Some((symbol, Some(object)))) => {
                let to = self.links[object][numbers.below(fields)];
                let read = name(self, to);
                shape.loaded(&[symbol], read);
            }
            (5.., Some((symbol, Some(object)))) => {
                let value = pick(numbers, self).filter(|_| numbers.below(3) > 0);
                let leaves: Vec<Symbol> = value.iter().map(|value| value.0).collect();
                self.links[object][numbers.below(fields)] = value.and_then(|value| value.1);
                shape.stored(&[symbol], &leaves, fields == 1);
            }
            _ => {}
        }
    }
}

#[test]
fn facts_hold_of_graphs() {
    let terms = Terms::new();
    let mut numbers = Numbers(1);
    let (mut facts, mut framed) = (0, 0);
    for round in 0..600 {
        let fields = 1 + round % 2;
        let mut graph = Graph {
            links: Vec::new(),
            is_freed: Vec::new(),
            variables: Vec::new(),
        };
        let mut shape = Shape::default();
        for _ in 0..12 {
            graph.access(&mut shape, (&terms, &mut numbers), (0, fields));
            graph.check(&shape);
        }
        facts += shape.facts.len();
        framed += usize::from(call(&graph, &shape, (&terms, &mut numbers), fields));
    }
    assert!(
        facts > 10_000 && framed > 50,
        "{facts} facts, {framed} framed calls"
    );
}

/// A call with a few arguments, and what is known after it. Whether it is framed.
fn call(
    graph: &Graph,
    before: &Shape,
    (terms, numbers): (&Terms, &mut Numbers),
    fields: usize,
) -> bool {
    let mut graph = graph.clone();
    let known = graph.variables.len();
    let mut inside = before.clone();
    let arguments: Vec<Symbol> = (0..1 + numbers.below(2))
        .map(|_| graph.variables[numbers.below(known)].0)
        .collect();
    inside.begin_call(&arguments);
    // The arguments again, as the variables of the call.
    let passed: Vec<_> = arguments.iter().map(|&one| (one, graph.of(one))).collect();
    graph.variables.extend(passed);
    for _ in 0..8 {
        // Seldom something that is not an argument: a global variable may lead to it.
        let from = if numbers.below(12) == 0 { 0 } else { known };
        graph.access(&mut inside, (terms, numbers), (from, fields));
        graph.check(&inside);
    }
    let result = graph.variables[known + numbers.below(graph.variables.len() - known)].0;
    let summary = Summary {
        is_framed: inside.is_framed(),
        keeps_whole: inside.keeps_whole(),
        returns_own: inside.are_own(&[result]),
        returns_whole: inside.is_whole(&[result]),
    };
    let mut after = before.clone();
    after.called(&arguments, summary);
    let returned = terms.symbol("v", 64);
    graph.variables.push((returned, graph.of(result)));
    after.returned(&arguments, before, returned, summary);
    graph.check(&after);
    summary.is_framed
}
