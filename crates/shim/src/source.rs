//! A source file and places in it.

/// A half-open range of bytes in the source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the range of bytes from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// Returns the least range that contains both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns whether `other` lies inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A named text, with the starts of its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name shown to the user.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Returns a source file with a name and a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|(_, b)| *b == b'\n')
                    .map(|(i, _)| i as u32 + 1),
            )
            .collect();
        SourceFile {
            name: name.into(),
            text,
            line_starts,
        }
    }

    /// Returns the line, from 1, on which a range begins.
    pub fn line(&self, span: Span) -> u32 {
        self.line_starts
            .partition_point(|start| *start <= span.start) as u32
    }

    /// Returns the column, from 1 in characters, at which a range begins.
    pub fn column(&self, span: Span) -> u32 {
        let line = self.line(span).max(1);
        let start = self.line_starts[line as usize - 1] as usize;
        let before = self.text.get(start..span.start as usize).unwrap_or("");
        before.chars().count() as u32 + 1
    }

    /// Returns the length, in bytes, of the longer of the lines on which a range begins and ends.
    pub fn line_length(&self, span: Span) -> usize {
        let length = |line: u32| {
            let start = self.line_starts[line.max(1) as usize - 1] as usize;
            let end = self.line_starts.get(line as usize);
            end.map_or(self.text.len(), |end| *end as usize) - start
        };
        let last = Span {
            start: span.end,
            end: span.end,
        };
        length(self.line(span)).max(length(self.line(last)))
    }

    /// Returns the text of a range; empty if it is none of the file.
    pub fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Returns a line, from 1, without the spaces around it; empty if there is none.
    pub fn line_text(&self, line: u32) -> &str {
        self.text
            .lines()
            .nth(line as usize - 1)
            .unwrap_or("")
            .trim()
    }

    /// Returns the number of lines.
    pub fn line_count(&self) -> usize {
        self.text.lines().count()
    }
}
