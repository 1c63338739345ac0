//! Bit-vector terms, each stored once.
//!
//! A term is an index into the arena of its [`Terms`]; the operands of a term always have smaller
//! indices, so ascending order is an order of evaluation. Operations are total, as in SMT-LIB: a
//! quotient by zero is all ones, a remainder by zero is the dividend, a shift by the width or more
//! leaves zeros or copies of the sign. What LLVM leaves undefined is expressed by separate terms
//! ([`Test`] has the overflows).

use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A term of one [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Returns the index of the term in its arena.
    pub fn index(self) -> u32 {
        self.0
    }

    /// Returns the term at an index that [`Term::index`] has given; it is one of the same arena.
    pub fn of_index(index: u32) -> Term {
        Term(index)
    }
}

/// A free variable of terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// Returns the index of the variable in its arena: they are numbered as they are made.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// Operations on two vectors of equal width, giving one of that width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "LLVM's own names, without abbreviation")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    SignedDivide,
    UnsignedRemainder,
    SignedRemainder,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    And,
    Or,
    Xor,
}

impl Binary {
    /// Returns whether it gives a quotient or a remainder.
    pub fn is_division(self) -> bool {
        use Binary::{SignedDivide, SignedRemainder, UnsignedDivide, UnsignedRemainder};
        matches!(
            self,
            SignedDivide | SignedRemainder | UnsignedDivide | UnsignedRemainder
        )
    }
}

impl Binary {
    /// Every operation.
    pub const ALL: [Binary; 13] = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::UnsignedDivide,
        Binary::SignedDivide,
        Binary::UnsignedRemainder,
        Binary::SignedRemainder,
        Binary::ShiftLeft,
        Binary::LogicalShiftRight,
        Binary::ArithmeticShiftRight,
        Binary::And,
        Binary::Or,
        Binary::Xor,
    ];
}

/// Questions about two vectors of equal width, answered by a vector of width one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Test {
    /// They are equal.
    Equal,
    /// The first is less, both read without sign.
    UnsignedLess,
    /// The first is not greater, both read without sign.
    UnsignedLessEqual,
    /// The first is less, both read with sign.
    SignedLess,
    /// The first is not greater, both read with sign.
    SignedLessEqual,
    /// Their sum does not fit, read without sign.
    UnsignedAddOverflow,
    /// Their sum does not fit, read with sign.
    SignedAddOverflow,
    /// Their difference does not fit, read with sign.
    SignedSubtractOverflow,
    /// Their product does not fit, read without sign.
    UnsignedMultiplyOverflow,
    /// Their product does not fit, read with sign.
    SignedMultiplyOverflow,
}

impl Test {
    /// Every question.
    pub const ALL: [Test; 10] = [
        Test::Equal,
        Test::UnsignedLess,
        Test::UnsignedLessEqual,
        Test::SignedLess,
        Test::SignedLessEqual,
        Test::UnsignedAddOverflow,
        Test::SignedAddOverflow,
        Test::SignedSubtractOverflow,
        Test::UnsignedMultiplyOverflow,
        Test::SignedMultiplyOverflow,
    ];
}

/// Arithmetic on two floating-point numbers of equal width, giving one of that width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "LLVM's own names, without abbreviation")]
pub enum FloatBinary {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl FloatBinary {
    /// Every operation.
    pub const ALL: [FloatBinary; 4] = [
        FloatBinary::Add,
        FloatBinary::Subtract,
        FloatBinary::Multiply,
        FloatBinary::Divide,
    ];
}

/// What a term is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant; the bits above its width are zero.
    Constant(u128),
    /// A free variable.
    Symbol(Symbol),
    /// The complement of every bit.
    Not(Term),
    /// An operation of arithmetic or logic.
    Binary(Binary, Term, Term),
    /// A question; its width is one.
    Test(Test, Term, Term),
    /// The second if the first, of width one, is set, otherwise the third.
    Choose(Term, Term, Term),
    /// As many bits as the term is wide, from bit `low` of `of` on.
    Extract {
        /// The vector they are taken from.
        of: Term,
        /// The lowest bit taken.
        low: u8,
    },
    /// The first above the second.
    Concatenate(Term, Term),
    /// Zeros above it.
    ZeroExtend(Term),
    /// Copies of its highest bit above it.
    SignExtend(Term),
    /// Arithmetic on floating-point numbers.
    Float(FloatBinary, Term, Term),
    /// The square root of a floating-point number.
    SquareRoot(Term),
    /// A floating-point number of 32 bits in the format of 64 bits, or the other way.
    ResizeFloat(Term),
}

#[derive(Default)]
struct Arena {
    nodes: Vec<(Node, u8)>,
    known: FxHashMap<(Node, u8), Term>,
    symbols: Vec<(String, u8)>,
    extracted: FxHashMap<(Term, u8, u8), Term>,
    /// Whether any term is computed of floating-point numbers.
    has_floats: bool,
    /// Whether any is a quotient or remainder of a divisor that is no constant.
    has_divisions: bool,
}

/// An arena of terms.
#[derive(Default)]
pub struct Terms {
    arena: RefCell<Arena>,
}

/// The widest vector.
pub const WIDEST: u8 = 128;

/// All ones in `width` bits.
pub(crate) fn mask(width: u8) -> u128 {
    u128::MAX >> (WIDEST - width)
}

/// The value of `width` bits read with sign.
pub(crate) fn signed(value: u128, width: u8) -> i128 {
    let unused = WIDEST - width;
    ((value << unused) as i128) >> unused
}

/// The least and the greatest number of `width` bits with sign.
pub(crate) fn signed_range(width: u8) -> (i128, i128) {
    (signed(1 << (width - 1), width), (mask(width) >> 1) as i128)
}

impl Terms {
    /// Returns an empty arena.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// Returns a new variable. Names are for people; two variables may share one. Panics unless
    /// `width` is 1 to [`WIDEST`].
    pub fn symbol(&self, name: impl Into<String>, width: u8) -> Symbol {
        assert!(
            (1..=WIDEST).contains(&width),
            "a vector has 1 to {WIDEST} bits, not {width}"
        );
        let mut arena = self.arena.borrow_mut();
        arena.symbols.push((name.into(), width));
        Symbol(u32::try_from(arena.symbols.len() - 1).expect("fewer than 2^32 variables"))
    }

    /// Returns the name of a variable of this arena.
    pub fn name(&self, symbol: Symbol) -> String {
        self.arena.borrow().symbols[symbol.0 as usize].0.clone()
    }

    /// Returns the width of a variable of this arena, in bits.
    pub fn symbol_width(&self, symbol: Symbol) -> u8 {
        self.arena.borrow().symbols[symbol.0 as usize].1
    }

    /// Returns the node of a term of this arena.
    pub fn node(&self, term: Term) -> Node {
        self.arena.borrow().nodes[term.0 as usize].0
    }

    /// Returns the width of a term of this arena, in bits.
    pub fn width(&self, term: Term) -> u8 {
        self.arena.borrow().nodes[term.0 as usize].1
    }

    /// Returns the value of a term that is a constant, or `None` for any other.
    pub fn as_constant(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether the term is the constant true, of one bit.
    pub fn is_true(&self, term: Term) -> bool {
        self.width(term) == 1 && self.as_constant(term) == Some(1)
    }

    /// Returns whether the term is the constant false, of one bit.
    pub fn is_false(&self, term: Term) -> bool {
        self.width(term) == 1 && self.as_constant(term) == Some(0)
    }

    /// Returns whether any term of this arena is computed of floating-point numbers.
    pub fn has_floats(&self) -> bool {
        self.arena.borrow().has_floats
    }

    /// Returns whether any term of this arena is a quotient or a remainder whose divisor is no
    /// constant.
    pub fn has_divisions(&self) -> bool {
        self.arena.borrow().has_divisions
    }

    /// The one term with this node.
    pub(crate) fn intern(&self, node: Node, width: u8) -> Term {
        let mut arena = self.arena.borrow_mut();
        if let Some(&term) = arena.known.get(&(node, width)) {
            return term;
        }
        let term = Term(u32::try_from(arena.nodes.len()).expect("fewer than 2^32 terms"));
        arena.has_floats |= matches!(
            node,
            Node::Float(..) | Node::SquareRoot(_) | Node::ResizeFloat(_)
        );
        if let Node::Binary(operation, _, by) = node
            && operation.is_division()
        {
            let by = arena.nodes[by.0 as usize].0;
            arena.has_divisions |= !matches!(by, Node::Constant(_));
        }
        arena.nodes.push((node, width));
        arena.known.insert((node, width), term);
        term
    }

    /// The part of a term that was made before, or that `make` makes: operands are shared, and
    /// taking parts of each occurrence again would take time exponential in the depth.
    pub(crate) fn extracted(&self, part: (Term, u8, u8), make: impl FnOnce() -> Term) -> Term {
        if let Some(&known) = self.arena.borrow().extracted.get(&part) {
            return known;
        }
        let made = make();
        self.arena.borrow_mut().extracted.insert(part, made);
        made
    }

    /// Returns every term that occurs in `roots`, each once, operands before the terms that use
    /// them.
    pub fn below(&self, roots: &[Term]) -> Vec<Term> {
        self.below_except(roots, |_| false)
    }

    /// The same without the terms that are `done`, nor what occurs only in them.
    pub(crate) fn below_except(&self, roots: &[Term], done: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<Term> = roots.to_vec();
        while let Some(term) = open.pop() {
            if !done(term) && seen.insert(term) {
                open.extend(self.node(term).operands());
            }
        }
        let mut all: Vec<Term> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// Returns the variables that occur in `roots`, each once, in the order in which they were
    /// made.
    pub fn symbols_in(&self, roots: &[Term]) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self
            .below(roots)
            .into_iter()
            .filter_map(|term| match self.node(term) {
                Node::Symbol(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        symbols.sort_unstable();
        symbols
    }

    /// Returns `roots` with variables replaced by the terms that `map` gives them, all at once;
    /// variables not in the map stay. A term must have the width of its variable.
    pub fn substitute(&self, roots: &[Term], map: &FxHashMap<Symbol, Term>) -> Vec<Term> {
        let put = |symbol| map.get(&symbol).copied();
        self.rebuild(self, roots, |term, symbol| {
            Some(put(symbol).unwrap_or(term))
        })
        .expect("every variable stands for something")
    }

    /// Returns copies in this arena of terms of another one, with each variable replaced by the
    /// term that `map` gives it. Returns `None` if a variable has no term.
    pub fn import(
        &self,
        from: &Terms,
        roots: &[Term],
        map: &FxHashMap<Symbol, Term>,
    ) -> Option<Vec<Term>> {
        self.rebuild(from, roots, |_, symbol| map.get(&symbol).copied())
    }

    fn rebuild(
        &self,
        from: &Terms,
        roots: &[Term],
        put: impl Fn(Term, Symbol) -> Option<Term>,
    ) -> Option<Vec<Term>> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in from.below(roots) {
            let width = from.width(term);
            let new = match from.node(term) {
                Node::Constant(value) => self.constant(value, width),
                Node::Symbol(symbol) => put(term, symbol)?,
                Node::Not(a) => self.not(done[&a]),
                Node::Binary(operation, a, b) => self.binary(operation, done[&a], done[&b]),
                Node::Test(test, a, b) => self.test(test, done[&a], done[&b]),
                Node::Choose(c, a, b) => self.choose(done[&c], done[&a], done[&b]),
                Node::Extract { of, low } => self.extract(done[&of], low, width),
                Node::Concatenate(a, b) => self.concatenate(done[&a], done[&b]),
                Node::ZeroExtend(a) => self.zero_extend(done[&a], width),
                Node::SignExtend(a) => self.sign_extend(done[&a], width),
                Node::Float(operation, a, b) => self.float(operation, done[&a], done[&b]),
                Node::SquareRoot(a) => self.square_root(done[&a]),
                Node::ResizeFloat(a) => self.resize_float(done[&a], width),
            };
            done.insert(term, new);
        }
        Some(roots.iter().map(|root| done[root]).collect())
    }
}

impl Node {
    /// Returns the operands of the node, in order.
    pub fn operands(self) -> impl Iterator<Item = Term> {
        let (a, b, c) = match self {
            Node::Constant(_) | Node::Symbol(_) => (None, None, None),
            Node::Not(a)
            | Node::ZeroExtend(a)
            | Node::SignExtend(a)
            | Node::SquareRoot(a)
            | Node::ResizeFloat(a)
            | Node::Extract { of: a, .. } => (Some(a), None, None),
            Node::Binary(_, a, b)
            | Node::Test(_, a, b)
            | Node::Concatenate(a, b)
            | Node::Float(_, a, b) => (Some(a), Some(b), None),
            Node::Choose(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }
}
