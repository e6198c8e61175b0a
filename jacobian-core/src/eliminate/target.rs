//! Targets of elimination, as the literature writes them and as an order names them: by vertices, so that they mean the
//! same in every state.
//!
//! | target | is written |
//! |---|---|
//! | a vertex | `3` |
//! | an edge, front- or back-eliminated | `(2,3)f`, `(2,3)b` |
//! | a face | `(2,3,7)`; the second, by age, of several with these vertices: `(2,3,7)@2` |
//! | a pair of labels | `{c[2,3],t1}`: the label of the edge from 2 to 3, and the first label formed |

use std::fmt;

use crate::graph::label::{Ends, VertexId};

/// A target of any mode.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// A vertex: all paths through it.
    Vertex(VertexId),
    /// An edge, front-eliminated: it is multiplied with the edges from its target.
    Front(Ends),
    /// An edge, back-eliminated: it is multiplied with the edges to its source.
    Back(Ends),
    /// A face: a path of two edges, or of two labels between such vertices.
    Face {
        /// The first vertex.
        source: VertexId,
        /// The vertex in the middle.
        centre: VertexId,
        /// The last vertex.
        target: VertexId,
        /// How many faces with these three vertices have been there longer.
        older: u32,
    },
    /// Two labels, wherever they lie on a common path.
    Pair(Factor, Factor),
}

/// A label on paths.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Factor {
    /// That of an edge.
    Edge(Ends),
    /// A product or a sum: the first that was formed is 1.
    Formed(u32),
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Vertex(vertex) => write!(formatter, "{}", vertex.0),
            Target::Front(Ends { source, target }) => write!(formatter, "({},{})f", source.0, target.0),
            Target::Back(Ends { source, target }) => write!(formatter, "({},{})b", source.0, target.0),
            Target::Face { source, centre, target, older } => {
                write!(formatter, "({},{},{})", source.0, centre.0, target.0)?;
                if *older > 0 { write!(formatter, "@{}", older + 1) } else { Ok(()) }
            }
            Target::Pair(first, second) => write!(formatter, "{{{first},{second}}}"),
        }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Factor::Edge(Ends { source, target }) => write!(formatter, "c[{},{}]", source.0, target.0),
            Factor::Formed(number) => write!(formatter, "t{number}"),
        }
    }
}

/// Reads targets, with commas between them.
///
/// # Errors
/// Where no target is at such a place: what is there.
pub fn read(text: &str) -> Result<Vec<Target>, &str> {
    let (mut reader, mut targets) = (Reader { rest: text.trim() }, Vec::new());
    while !reader.rest.is_empty() {
        let start = reader.rest;
        let target = reader.target().filter(|_| reader.rest.is_empty() || reader.is_before(','));
        targets.push(target.ok_or(start)?);
        if reader.take(',').is_some() && reader.rest.is_empty() {
            return Err(",");
        }
    }
    Ok(targets)
}

struct Reader<'a> {
    /// What is still to be read, without blanks at its ends.
    rest: &'a str,
}

impl Reader<'_> {
    fn is_before(&self, mark: char) -> bool {
        self.rest.starts_with(mark)
    }

    fn take(&mut self, mark: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(mark)?.trim_start();
        Some(())
    }

    fn number(&mut self) -> Option<u32> {
        let end = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        digits.parse().ok()
    }

    fn vertex(&mut self) -> Option<VertexId> {
        self.number().map(VertexId)
    }

    fn target(&mut self) -> Option<Target> {
        if self.take('{').is_some() {
            let first = self.factor()?;
            self.take(',')?;
            let second = self.factor()?;
            self.take('}')?;
            return Some(Target::Pair(first, second));
        }
        if self.take('(').is_none() {
            return self.vertex().map(Target::Vertex);
        }
        let first = self.vertex()?;
        self.take(',')?;
        let second = self.vertex()?;
        if self.take(',').is_some() {
            let target = self.vertex()?;
            self.take(')')?;
            let place = if self.take('@').is_some() { self.number()? } else { 1 };
            return Some(Target::Face { source: first, centre: second, target, older: place.checked_sub(1)? });
        }
        self.take(')')?;
        let ends = Ends { source: first, target: second };
        if self.take('f').is_some() {
            return Some(Target::Front(ends));
        }
        self.take('b').map(|()| Target::Back(ends))
    }

    fn factor(&mut self) -> Option<Factor> {
        if self.take('t').is_some() {
            return self.number().filter(|&number| number > 0).map(Factor::Formed);
        }
        self.take('c')?;
        self.take('[')?;
        let source = self.vertex()?;
        self.take(',')?;
        let target = self.vertex()?;
        self.take(']')?;
        Some(Factor::Edge(Ends { source, target }))
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn targets_read_back_as_they_are_written() {
        let written = "3, (2,3)f, (2,3)b, (2,3,7), (2,3,7)@2, {c[2,3],t1}, {t12,c[0,4]}";
        let targets = read(written).expect("targets");
        assert_eq!(targets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "), written);
        assert_eq!(read(" 3 , ( 2 , 3 ) f "), read("3,(2,3)f"));
        assert_eq!(read("  "), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_target_is_an_error_where_it_stands() {
        for (text, at) in [
            ("1, x", "x"),
            ("1, -2", "-2"),
            ("1 2, 3", "1 2, 3"),
            ("1,", ","),
            (", 1", ", 1"),
            ("1,, 2", ", 2"),
            ("99999999999", "99999999999"),
            ("1, (2,3), 4", "(2,3), 4"),
            ("(2,3)fb", "(2,3)fb"),
            ("(2,3,4)@0", "(2,3,4)@0"),
            ("{c[0,1],t0}", "{c[0,1],t0}"),
            ("{c[0,1]}", "{c[0,1]}"),
            ("{c[0,1],d[1,2]}", "{c[0,1],d[1,2]}"),
        ] {
            assert_eq!(read(text), Err(at), "{text}");
        }
    }
}
