//! Parts of vectors and vectors put together, simplified: bytes of a value that are stored and
//! loaded again are the value.

use crate::term::{Binary, Node, Term, Terms, WIDEST, signed};

impl Terms {
    /// Returns `width` bits of a vector, from bit `low` on. Panics if the vector has not so many,
    /// or if `width` is zero.
    pub fn extract(&self, of: Term, low: u8, width: u8) -> Term {
        let whole = self.width(of);
        assert!(
            width >= 1 && low + width <= whole,
            "bits {low} to {} of {whole}",
            low + width
        );
        if width == whole {
            return of;
        }
        self.extracted((of, low, width), || self.simplify_extract(of, low, width))
    }

    fn simplify_extract(&self, of: Term, low: u8, width: u8) -> Term {
        match self.node(of) {
            Node::Constant(value) => self.constant(value >> low, width),
            Node::Extract {
                of: inner,
                low: below,
            } => self.extract(inner, low + below, width),
            Node::Concatenate(x, y) => {
                let split = self.width(y);
                if low >= split {
                    self.extract(x, low - split, width)
                } else if low + width <= split {
                    self.extract(y, low, width)
                } else {
                    let high = self.extract(x, 0, low + width - split);
                    self.concatenate(high, self.extract(y, low, split - low))
                }
            }
            Node::ZeroExtend(x) => {
                let inner = self.width(x);
                if low >= inner {
                    self.constant(0, width)
                } else if low + width <= inner {
                    self.extract(x, low, width)
                } else {
                    self.zero_extend(self.extract(x, low, inner - low), width)
                }
            }
            Node::SignExtend(x)
                if let Node::Concatenate(high, rest) = self.node(x)
                    && low >= self.width(rest) =>
            {
                let below = self.width(rest);
                let high = self.sign_extend(high, self.width(of) - below);
                self.extract(high, low - below, width)
            }
            Node::SignExtend(x) => {
                let inner = self.width(x);
                if low + width <= inner {
                    self.extract(x, low, width)
                } else if low < inner {
                    self.sign_extend(self.extract(x, low, inner - low), width)
                } else {
                    self.intern(Node::Extract { of, low }, width)
                }
            }
            Node::Not(x) => self.not(self.extract(x, low, width)),
            Node::Binary(operation, x, y)
                if operation.is_bitwise()
                    || (low == 0
                        && matches!(
                            operation,
                            Binary::Add | Binary::Subtract | Binary::Multiply
                        )) =>
            {
                self.binary(
                    operation,
                    self.extract(x, low, width),
                    self.extract(y, low, width),
                )
            }
            Node::Choose(condition, x, y) => self.choose(
                condition,
                self.extract(x, low, width),
                self.extract(y, low, width),
            ),
            _ => self.intern(Node::Extract { of, low }, width),
        }
    }

    /// Returns the bits of `high` above those of `low`. Panics if they are more than [`WIDEST`].
    pub fn concatenate(&self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        assert!(
            width <= WIDEST,
            "a vector has at most {WIDEST} bits, not {width}"
        );
        match self.node(high) {
            Node::ZeroExtend(x) => return self.zero_extend(self.concatenate(x, low), width),
            Node::SignExtend(x) => return self.sign_extend(self.concatenate(x, low), width),
            _ => {}
        }
        if let Some(whole) = self.join(high, low) {
            return whole;
        }
        if let Node::Concatenate(first, second) = self.node(low)
            && let Some(joined) = self.join(high, first)
        {
            return self.concatenate(joined, second);
        }
        if let Node::Concatenate(first, second) = self.node(high)
            && let Some(joined) = self.join(second, low)
        {
            return self.concatenate(first, joined);
        }
        self.intern(Node::Concatenate(high, low), width)
    }

    /// Two neighbours as one simpler vector, if they are parts of one.
    fn join(&self, high: Term, low: Term) -> Option<Term> {
        let width = self.width(high) + self.width(low);
        if let Some(above) = self.as_constant(high) {
            if above == 0 {
                return Some(self.zero_extend(low, width));
            }
            return Some(self.constant((above << self.width(low)) | self.as_constant(low)?, width));
        }
        let (Node::Extract { of, low: from }, below) = (self.node(high), self.node(low)) else {
            return None;
        };
        let start = match below {
            Node::Extract {
                of: other,
                low: start,
            } if other == of => start,
            _ => self.position_under_sign(of, low)?,
        };
        (start + self.width(low) == from).then(|| self.extract(of, start, width))
    }

    /// Where `part` lies in `whole`, the sign extension of a vector that `part` is all or the top
    /// of.
    fn position_under_sign(&self, whole: Term, part: Term) -> Option<u8> {
        let Node::SignExtend(inner) = self.node(whole) else {
            return None;
        };
        let part = match self.node(part) {
            Node::SignExtend(x) => x,
            _ => part,
        };
        match self.node(part) {
            _ if part == inner => Some(0),
            Node::Extract { of, low }
                if of == inner && low + self.width(part) == self.width(inner) =>
            {
                Some(low)
            }
            _ => None,
        }
    }

    /// Returns the vector extended by zeros to `width` bits. Panics if it has more, or if `width`
    /// exceeds [`WIDEST`].
    pub fn zero_extend(&self, a: Term, width: u8) -> Term {
        let from = self.width(a);
        assert!(
            (from..=WIDEST).contains(&width),
            "{from} bits extended to {width}"
        );
        if from == width {
            return a;
        }
        match self.node(a) {
            Node::Constant(value) => self.constant(value, width),
            Node::ZeroExtend(x) => self.zero_extend(x, width),
            _ => self.intern(Node::ZeroExtend(a), width),
        }
    }

    /// Returns the vector extended by copies of its sign to `width` bits. Panics as
    /// [`Terms::zero_extend`] does.
    pub fn sign_extend(&self, a: Term, width: u8) -> Term {
        let from = self.width(a);
        assert!(
            (from..=WIDEST).contains(&width),
            "{from} bits extended to {width}"
        );
        if from == width {
            return a;
        }
        match self.node(a) {
            Node::Constant(value) => self.constant(signed(value, from) as u128, width),
            Node::SignExtend(x) => self.sign_extend(x, width),
            Node::ZeroExtend(x) => self.zero_extend(x, width),
            _ => self.intern(Node::SignExtend(a), width),
        }
    }

    /// Returns the lowest `width` bits, or the vector extended by zeros. Panics if `width` is zero
    /// or exceeds [`WIDEST`].
    pub fn resize_unsigned(&self, a: Term, width: u8) -> Term {
        if width <= self.width(a) {
            self.extract(a, 0, width)
        } else {
            self.zero_extend(a, width)
        }
    }

    /// Returns the lowest `width` bits, or the vector extended by copies of its sign. Panics as
    /// [`Terms::resize_unsigned`] does.
    pub fn resize_signed(&self, a: Term, width: u8) -> Term {
        if width <= self.width(a) {
            self.extract(a, 0, width)
        } else {
            self.sign_extend(a, width)
        }
    }
}
