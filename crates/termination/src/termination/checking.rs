//! The check of what a record says of a loop or a recursion.

use super::cycle::{Around, Subject};
use super::execute::Flow;
use super::header::Header;
use super::record::{Bound, Kind};
use super::relation::Relation;
use super::state::State;
use super::{Executor, Result, Stop};
use crate::nontermination::rank::Case;
use crate::problem::Line;
use impasse_solver::{Binary, Node, Symbol, Term};

impl<'a, 's> Executor<'a, 's> {
    /// Checks a record: that it says all that the iterations change, that its invariants hold, and
    /// that its ranking functions decrease.
    pub(super) fn check(
        &mut self,
        entry: &mut State,
        subject: &Subject,
        iteration: &mut Around<'_, 'a, 's>,
    ) -> Result<Flow> {
        let line = self.own_line(subject.place);
        let wrong = |what: &str| Stop::Rejected(line.clone(), what.into());
        let record = self
            .next_record()
            .ok_or_else(|| wrong("there is no record for it"))?;
        if record.kind != subject.kind || record.line != line {
            return Err(wrong("its record is that of another place"));
        }
        if record.is_unreachable {
            let context: Vec<Term> = self.context.concat();
            return match self.are_impossible(&context)? {
                true => Ok(Flow::default()),
                false => Err(wrong("it does not follow that it is never reached")),
            };
        }
        let objects = self.objects.len() as u32;
        if !record
            .changes
            .fit(entry.slots.len(), &|object| self.exists(object, objects))
        {
            return Err(wrong("its record names what does not exist"));
        }
        let header = self.header(entry, &record.changes, subject.kind == Kind::Loop);
        if !self.covers(&record.changes, entry) {
            return Err(wrong("what is said of the state does not hold on entry"));
        }
        self.announce(subject, &record.changes);
        if !self.may_promise(subject, &record.returned) {
            return Err(wrong("its record bounds a result that it does not have"));
        }
        self.promise(subject, &record.returned);
        let (invariants, cases) = self
            .imported(&record)
            .ok_or_else(|| wrong("its record is malformed"))?;
        let mut flow = iteration(self, &header, &invariants)?;
        let mut changes = record.changes.clone();
        self.changed((entry, &header), subject, &mut flow, &mut changes);
        if changes != record.changes || self.grown {
            return Err(wrong("its iterations change more than is said"));
        }
        let relation = self.relation(entry, &header, &flow.backs);
        self.holds(&relation, &invariants, &line)?;
        self.returns_within(&header, &flow.returns, &record.returned, &line)?;
        self.decreases(&header, &relation, &cases, &line)?;
        Ok(flow)
    }

    /// Whether a record may say this of results.
    fn may_promise(&self, subject: &Subject, bounds: &[Bound]) -> bool {
        match (subject.kind, self.recursions.last()) {
            (Kind::Recursion, Some(own)) => self.bounds_fit(own.function, bounds),
            _ => bounds.is_empty(),
        }
    }

    /// Checks that what a recursive function returns is within bounds.
    fn returns_within(
        &mut self,
        header: &Header,
        returns: &[State],
        bounds: &[Bound],
        line: &Line,
    ) -> Result<()> {
        let Some(id) = self.recursions.last().map(|own| own.function) else {
            return Ok(());
        };
        for state in returns.iter().filter(|_| !bounds.is_empty()) {
            let mut known: Vec<Term> = self.context.concat();
            known.extend(&state.path);
            let width = 64;
            let result = match state.slots.first().copied().flatten() {
                Some(result) => result,
                None => self.anything(width),
            };
            for condition in self.within(id, result, &header.state.slots, bounds) {
                if !self.follows(&known, condition)? {
                    let what = "what it returns is not within its bounds";
                    return Err(Stop::Rejected(line.clone(), what.into()));
                }
            }
        }
        Ok(())
    }

    fn decreases(
        &mut self,
        header: &Header,
        relation: &Relation,
        cases: &[Case],
        line: &Line,
    ) -> Result<()> {
        if relation.iterations.is_empty() {
            return Ok(());
        }
        let wrong = |what: &str| Stop::Rejected(line.clone(), what.into());
        let own: Vec<Symbol> = header
            .variables
            .iter()
            .map(|variable| variable.symbol)
            .collect();
        let changing = |term: &Term| {
            let symbols = self.terms.symbols_in(&[*term]);
            symbols.iter().any(|symbol| own.contains(symbol))
        };
        if cases.iter().any(|case| case.when.iter().any(changing)) {
            return Err(wrong("its cases are not those of one execution"));
        }
        let covered: Vec<Term> = cases
            .iter()
            .map(|case| self.terms.all(&case.when))
            .collect();
        let covered = self.terms.any(&covered);
        let context: Vec<Term> = self.context.concat();
        if !self.follows(&context, covered)? {
            return Err(wrong("its cases are not all that there are"));
        }
        for case in cases {
            for iteration in &relation.iterations {
                let map = relation.at(&iteration.next);
                let after = self.terms.substitute(&case.components, &map);
                let pairs = after.into_iter().zip(&case.components);
                let after: Vec<Term> = pairs.map(|(a, &c)| self.in_its_terms(a, c)).collect();
                let smaller = self.lexicographically_smaller(&after, &case.components);
                let mut known = context.clone();
                known.extend(iteration.taken.iter().chain(&case.when));
                if !self.follows(&known, smaller)? {
                    return Err(wrong("its ranking function does not decrease"));
                }
            }
        }
        Ok(())
    }

    /// The image of a component, where a product with a number stays one with the same factor: to
    /// find that out bit by bit takes long.
    fn in_its_terms(&self, image: Term, component: Term) -> Term {
        let terms = self.terms;
        match terms.node(component) {
            Node::Binary(Binary::Multiply, a, b)
                if terms.as_constant(a).or(terms.as_constant(b)).is_some() =>
            {
                let change = terms.expanded(terms.subtract(image, component));
                match terms.as_constant(change) {
                    Some(_) => terms.add(component, change),
                    None => image,
                }
            }
            _ => image,
        }
    }

    /// Whether the first component that differs is smaller, without sign.
    fn lexicographically_smaller(&self, after: &[Term], before: &[Term]) -> Term {
        let terms = self.terms;
        let pairs = after.iter().zip(before).rev();
        pairs.fold(terms.boolean(false), |rest, (&after, &before)| {
            let smaller = terms.test(impasse_solver::Test::UnsignedLess, after, before);
            let same = terms.equal(after, before);
            terms.or(smaller, terms.and(same, rest))
        })
    }

    /// Checks that invariants hold on entry and after each iteration.
    fn holds(&mut self, relation: &Relation, invariants: &[Term], line: &Line) -> Result<()> {
        let context: Vec<Term> = self.context.concat();
        let entry = relation.at(&relation.first);
        for image in self.terms.substitute(invariants, &entry) {
            if !self.follows(&context, image)? {
                let what = "an invariant does not hold on entry";
                return Err(Stop::Rejected(line.clone(), what.into()));
            }
        }
        for iteration in &relation.iterations {
            let mut known = context.clone();
            known.extend(&iteration.taken);
            let map = relation.at(&iteration.next);
            for image in self.terms.substitute(invariants, &map) {
                if !self.follows(&known, image)? {
                    let what = "an invariant is not preserved";
                    return Err(Stop::Rejected(line.clone(), what.into()));
                }
            }
        }
        Ok(())
    }
}
