//! What many iterations of an inner loop do, as terms.
//!
//! The iterations all take one path, which is given by conditions; each adds to a variable a number
//! that no iteration changes. The *closed form* says for a term `n`, the number of iterations
//! before the last, what the variables are when the last iteration starts: x + n·c, which in a ring
//! of vectors holds for whatever n. What has to be argued is that those iterations take the path,
//! from every state that satisfies the facts that come with the form.
//!
//! *Ends suffice.* The program's own conditions of the first and of the last iteration are
//! conditions of the path (the caller sees to that, as it evaluates both iterations). Of each
//! condition that an iteration changes the operands move in steps: operand e is at the start of
//! iteration k the number e₀ + k·d, if that never leaves the range of its type; as it is monotone
//! in k, it does not if it is in range for k = 0 and k = n, which is a fact ([`ClosedForm::wraps`]
//! holds where it is not so). The difference of two such operands is then monotone in k as well, so
//! that an order between them that holds at both ends holds in between; so does a bound on a sum, a
//! difference, or a multiple, which is what it takes not to overflow. That two operands differ
//! follows if the same strict order holds at both ends; it becomes a fact. A condition of any other
//! form has no closed form, unless no iteration changes it.
//!
//! `n` is taken from a condition that decides: where `a` < `b`, and `a` comes closer by s in each
//! iteration, the last iteration that this lets start comes after (b - a - 1) / s others. Nothing
//! else rests on that choice over bit vectors, where every term is a number of iterations; over
//! integers it is one because the condition holds before the first iteration. Where that condition
//! does not hold at the start there is *no iteration*, and then nothing changes and nothing has to
//! hold.

use impasse_solver::{Binary, Node, Symbol, Term, Terms, Test, Values, WIDEST};
use rustc_hash::{FxHashMap, FxHashSet};

/// One iteration of an inner loop.
pub struct Inner<'t> {
    terms: &'t Terms,
    /// What the iteration adds to each variable that it changes; none where that is no number that
    /// stays.
    steps: FxHashMap<Symbol, Option<Term>>,
    /// Variables after one iteration.
    next: FxHashMap<Symbol, Term>,
}

/// All iterations at once, and those before the last.
#[derive(Debug)]
pub struct ClosedForm {
    /// Whether there is an iteration at all, by the condition that decides; of width one.
    pub any: Term,
    /// How many there are before the last, if there is one.
    pub iterations: Term,
    /// The variables that the iterations add to, with their values before the last one.
    pub before_last: FxHashMap<Symbol, Term>,
    /// The same variables with their values after the last iteration.
    pub after: FxHashMap<Symbol, Term>,
    /// What has to hold besides the conditions of the first and of the last iteration, if there is
    /// one.
    pub holds: Vec<Term>,
    /// What must not hold: that an operand leaves the range of its type.
    pub wraps: Vec<Term>,
}

/// An operand that moves.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Moving {
    operand: Term,
    step: Term,
    signed: bool,
}

/// An order that holds in every iteration: the first is less than the second, or at most that.
#[derive(Clone, Copy)]
struct Order {
    holds: Term,
    less: Term,
    more: Term,
    strict: bool,
    /// What the first comes closer in each iteration.
    closer: Term,
}

/// What has been gathered of the conditions.
#[derive(Default)]
struct Gathered {
    moving: Vec<Moving>,
    orders: Vec<Order>,
    /// Orders that hold at both ends, and that no condition says.
    ends: Vec<Term>,
    /// Variables that may not overflow with sign, and so are such numbers.
    signed: FxHashSet<Symbol>,
}

/// The execution that the form is taken from.
pub struct Example<'v> {
    /// The state before the first iteration.
    pub values: &'v Values,
    /// How many iterations there are before the last.
    pub iterations: u64,
}

impl<'t> Inner<'t> {
    /// An iteration that changes variables to these terms; `None` is a value without a term.
    pub fn new(terms: &'t Terms, updates: &[(Symbol, Option<Term>)]) -> Inner<'t> {
        let changed: FxHashSet<Symbol> = updates.iter().map(|&(symbol, _)| symbol).collect();
        let mut inner = Inner {
            terms,
            steps: FxHashMap::default(),
            next: FxHashMap::default(),
        };
        for &(symbol, update) in updates {
            let variable = terms.variable(symbol);
            let step = update.map(|update| terms.expanded(terms.subtract(update, variable)));
            let stays = |step: &Term| {
                let symbols = terms.symbols_in(&[*step]);
                !symbols.iter().any(|symbol| changed.contains(symbol))
            };
            let step = step.filter(stays);
            if let Some(step) = step {
                inner.next.insert(symbol, terms.add(variable, step));
            }
            inner.steps.insert(symbol, step);
        }
        inner
    }

    /// Whether the iteration adds to a variable a number that no iteration changes.
    pub fn adds_to(&self, symbol: Symbol) -> bool {
        self.next.contains_key(&symbol)
    }

    /// The closed form for iterations with these conditions, each with whether it holds. `None` if
    /// a condition has no closed form, no condition says how many iterations there are, or the form
    /// does not agree with the example.
    pub fn closed_form(
        &self,
        conditions: &[(Term, bool)],
        example: &Example<'_>,
    ) -> Option<ClosedForm> {
        let mut gathered = Gathered {
            signed: self.signed(conditions),
            ..Gathered::default()
        };
        for &(condition, holds) in conditions {
            self.condition(condition, holds, example, &mut gathered)?;
        }
        let terms = self.terms;
        let count = |order: &Order| (order.holds, self.iterations_within(order));
        let is_it = |(any, iterations): &(Term, Term)| {
            terms.holds(*any, example.values)
                && terms.value(*iterations, example.values) == u128::from(example.iterations)
        };
        let (any, iterations) = gathered.orders.iter().map(count).find(is_it)?;
        let before_last = self.after(iterations, 0);
        let mut after = self.after(iterations, 1);
        for (&symbol, value) in &mut after {
            *value = terms.choose(any, *value, terms.variable(symbol));
        }
        let mut holds = gathered.ends.clone();
        holds.extend(terms.substitute(&gathered.ends, &before_last));
        let mut wraps = Vec::new();
        for moving in &gathered.moving {
            let wrap = self.wraps(moving, iterations, &before_last)?;
            if !wraps.contains(&wrap) {
                wraps.push(wrap);
            }
        }
        let fits = holds.iter().all(|&fact| terms.holds(fact, example.values))
            && !wraps.iter().any(|&wrap| terms.holds(wrap, example.values));
        fits.then_some(ClosedForm {
            any,
            iterations,
            before_last,
            after,
            holds,
            wraps,
        })
    }

    /// The variables after so many iterations, and some more.
    fn after(&self, iterations: Term, more: u128) -> FxHashMap<Symbol, Term> {
        let terms = self.terms;
        let mut after = FxHashMap::default();
        for (&symbol, step) in &self.steps {
            if let Some(step) = *step {
                let width = terms.width(step);
                let times = terms.resize_unsigned(iterations, width);
                let times = terms.add(times, terms.constant(more, width));
                let sum = terms.add(terms.variable(symbol), terms.multiply(step, times));
                after.insert(symbol, terms.expanded(sum));
            }
        }
        after
    }

    /// The greatest number of iterations before which an order holds, if it gets closer.
    fn iterations_within(&self, order: &Order) -> Term {
        let terms = self.terms;
        let mut apart = terms.subtract(order.more, order.less);
        if order.strict {
            apart = terms.subtract(apart, terms.constant(1, terms.width(apart)));
        }
        let apart = terms.expanded(apart);
        terms.binary(Binary::UnsignedDivide, apart, order.closer)
    }

    /// When an operand leaves the range of its type on the path.
    fn wraps(
        &self,
        moving: &Moving,
        iterations: Term,
        after: &FxHashMap<Symbol, Term>,
    ) -> Option<Term> {
        let terms = self.terms;
        let first = moving.operand;
        let last = terms.expanded(terms.substitute(&[first], after)[0]);
        let (width, of_iterations) = (terms.width(first), terms.width(iterations));
        let less = |a, b| match moving.signed {
            true => terms.test(Test::SignedLess, a, b),
            false => terms.test(Test::UnsignedLess, a, b),
        };
        let step = terms.as_constant(moving.step);
        let minus_one = terms.as_constant(terms.constant(u128::MAX, width));
        // By less than the whole range: it comes out on the other side if, and only if, it leaves.
        if of_iterations <= width && step == Some(1) {
            return Some(less(last, first));
        }
        if of_iterations <= width && step == minus_one {
            return Some(less(first, last));
        }
        let bits = match step {
            Some(_) => {
                let sign = terms.sign_extend(moving.step, WIDEST);
                let value = terms.as_constant(sign)? as i128;
                129 - value.unsigned_abs().leading_zeros()
            }
            None => u32::from(width),
        };
        let wide = u32::from(width).max(bits + u32::from(of_iterations)) + 2;
        let wide = u8::try_from(wide).ok().filter(|&wide| wide <= WIDEST)?;
        let extend = |term| match moving.signed {
            true => terms.sign_extend(term, wide),
            false => terms.zero_extend(term, wide),
        };
        let distance = terms.multiply(
            terms.sign_extend(moving.step, wide),
            terms.zero_extend(iterations, wide),
        );
        Some(terms.differ(extend(last), terms.add(extend(first), distance)))
    }

    fn condition(
        &self,
        term: Term,
        holds: bool,
        example: &Example<'_>,
        gathered: &mut Gathered,
    ) -> Option<()> {
        if self.stays(term) {
            return Some(());
        }
        let terms = self.terms;
        match (terms.node(term), holds) {
            (Node::Not(inner), _) => self.condition(inner, !holds, example, gathered),
            (Node::Binary(Binary::And, a, b), true) | (Node::Binary(Binary::Or, a, b), false) => {
                self.condition(a, holds, example, gathered)?;
                self.condition(b, holds, example, gathered)
            }
            (Node::Test(Test::Equal, a, b), false) => self.differ(a, b, example, gathered),
            (Node::Test(test, a, b), _) => self.question(test, (a, b), holds, gathered),
            _ => None,
        }
    }

    fn question(
        &self,
        test: Test,
        (a, b): (Term, Term),
        holds: bool,
        gathered: &mut Gathered,
    ) -> Option<()> {
        use Test as T;
        let terms = self.terms;
        let signed = match test {
            T::SignedLess | T::SignedLessEqual => true,
            T::UnsignedLess | T::UnsignedLessEqual => false,
            T::SignedAddOverflow | T::SignedSubtractOverflow if !holds => true,
            T::UnsignedAddOverflow if !holds => false,
            T::SignedMultiplyOverflow | T::UnsignedMultiplyOverflow
                if !holds && (self.stays(a) || self.stays(b)) =>
            {
                test == T::SignedMultiplyOverflow
            }
            _ => return None,
        };
        let of_a = self.operand(a, signed, gathered)?;
        let of_b = self.operand(b, signed, gathered)?;
        let strict = match test {
            T::SignedLess | T::UnsignedLess => true,
            T::SignedLessEqual | T::UnsignedLessEqual => false,
            _ => return Some(()),
        };
        let question = terms.test(test, a, b);
        gathered.orders.push(match holds {
            true => self.order(question, (a, of_a), (b, of_b), strict),
            false => self.order(terms.not(question), (b, of_b), (a, of_a), !strict),
        });
        Some(())
    }

    /// That two operands differ follows from an order that holds at both ends.
    fn differ(
        &self,
        a: Term,
        b: Term,
        example: &Example<'_>,
        gathered: &mut Gathered,
    ) -> Option<()> {
        let terms = self.terms;
        let symbols = terms.symbols_in(&[a, b]);
        let first = symbols.iter().any(|it| gathered.signed.contains(it));
        let iterations = terms.constant(u128::from(example.iterations), 64);
        let at_end = self.after(iterations, 0);
        let holds = |order: Term| {
            let later = terms.substitute(&[order], &at_end)[0];
            terms.holds(order, example.values) && terms.holds(later, example.values)
        };
        for signed in [first, !first] {
            let test = match signed {
                true => Test::SignedLess,
                false => Test::UnsignedLess,
            };
            for (less, more) in [(a, b), (b, a)] {
                let order = terms.test(test, less, more);
                if holds(order) {
                    let of_less = self.operand(less, signed, gathered)?;
                    let of_more = self.operand(more, signed, gathered)?;
                    let found = self.order(order, (less, of_less), (more, of_more), true);
                    gathered.orders.push(found);
                    gathered.ends.push(order);
                    return Some(());
                }
            }
        }
        None
    }

    /// The variables in what must not overflow with sign.
    fn signed(&self, conditions: &[(Term, bool)]) -> FxHashSet<Symbol> {
        let terms = self.terms;
        let questions = conditions.iter().filter(|(condition, _)| {
            let test = match terms.node(*condition) {
                Node::Test(test, ..) => Some(test),
                _ => None,
            };
            matches!(
                test,
                Some(Test::SignedAddOverflow | Test::SignedSubtractOverflow)
            )
        });
        let questions: Vec<Term> = questions.map(|&(condition, _)| condition).collect();
        terms.symbols_in(&questions).into_iter().collect()
    }

    fn order(
        &self,
        holds: Term,
        (less, up): (Term, Term),
        (more, off): (Term, Term),
        strict: bool,
    ) -> Order {
        let closer = self.terms.subtract(up, off);
        Order {
            holds,
            less,
            more,
            strict,
            closer: self.terms.expanded(closer),
        }
    }

    /// What an iteration adds to an operand that is read with or without sign; it must be a number
    /// that stays.
    fn operand(&self, operand: Term, signed: bool, gathered: &mut Gathered) -> Option<Term> {
        let terms = self.terms;
        let width = terms.width(operand);
        if self.stays(operand) {
            return Some(terms.constant(0, width));
        }
        // What is extended is the same number as before.
        let inner = match terms.node(operand) {
            Node::SignExtend(inner) if signed => Some((inner, true)),
            Node::ZeroExtend(inner) => Some((inner, false)),
            _ => None,
        };
        if let Some((inner, signed)) = inner {
            let step = self.operand(inner, signed, gathered)?;
            return Some(terms.sign_extend(step, width));
        }
        let symbols = terms.symbols_in(&[operand]);
        if symbols
            .iter()
            .any(|symbol| self.steps.get(symbol) == Some(&None))
        {
            return None;
        }
        let next = terms.substitute(&[operand], &self.next)[0];
        let step = terms.expanded(terms.subtract(next, operand));
        if !self.stays(step) {
            return None;
        }
        let moving = Moving {
            operand,
            step,
            signed,
        };
        if !gathered.moving.contains(&moving) {
            gathered.moving.push(moving);
        }
        Some(step)
    }

    /// Whether no iteration changes a term.
    fn stays(&self, term: Term) -> bool {
        let symbols = self.terms.symbols_in(&[term]);
        !symbols.iter().any(|symbol| self.steps.contains_key(symbol))
    }
}
