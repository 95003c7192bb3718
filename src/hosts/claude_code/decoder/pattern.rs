//! A small matcher for the patterns people write as `matcher`: the part of JavaScript's
//! regular expressions that names of tools need. What it doesn't know it says so.

/// Whether `pattern` is found anywhere in `text`.
///
/// `None`: the pattern uses something this reader doesn't know, or costs too much.
/// `Some(false)` is also the answer for a pattern that JavaScript refuses, as it is the
/// client's.
#[must_use]
pub fn found(pattern: &str, text: &str) -> Option<bool> {
    let node = match parsed(pattern) {
        Ok(node) => node,
        Err(Trouble::Invalid) => return Some(false),
        Err(Trouble::Unknown) => return None,
    };
    let text: Vec<char> = text.chars().collect();
    let mut run = Run { text: &text, steps: 0 };
    for start in 0..=text.len() {
        if run.node(&node, start, &mut |_, _| true) {
            return (run.steps < STEPS).then_some(true);
        }
    }
    (run.steps < STEPS).then_some(false)
}

/// Whether JavaScript refuses the pattern, so that it is found nowhere.
#[must_use]
pub fn is_refused(pattern: &str) -> bool {
    matches!(parsed(pattern), Err(Trouble::Invalid))
}

fn parsed(pattern: &str) -> Result<Node, Trouble> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut parser = Parser { chars: &chars, at: 0, depth: 0 };
    let node = parser.alternation()?;
    if parser.at == chars.len() { Ok(node) } else { Err(Trouble::Invalid) }
}

/// Steps after which a pattern counts as too dear.
const STEPS: u32 = 20_000;
/// Groups that may nest.
const DEPTH: u32 = 16;

enum Trouble {
    Invalid,
    Unknown,
}

enum Node {
    Any,
    Start,
    End,
    Literal(char),
    Class { negated: bool, ranges: Vec<(char, char)> },
    Sequence(Vec<Node>),
    Either(Vec<Node>),
    Repeat { node: Box<Node>, min: u32 },
    Optional(Box<Node>),
    Ahead { node: Box<Node>, negated: bool },
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let hit = wanted.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c));
        if hit {
            self.at += wanted.chars().count();
        }
        hit
    }

    fn alternation(&mut self) -> Result<Node, Trouble> {
        let mut branches = vec![self.sequence()?];
        while self.eat("|") {
            branches.push(self.sequence()?);
        }
        Ok(Node::Either(branches))
    }

    fn sequence(&mut self) -> Result<Node, Trouble> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            let atom = self.atom()?;
            nodes.push(self.repeated(atom)?);
        }
        Ok(Node::Sequence(nodes))
    }

    fn repeated(&mut self, node: Node) -> Result<Node, Trouble> {
        let node = Box::new(node);
        let repeated = match self.peek() {
            Some('*') => Node::Repeat { node, min: 0 },
            Some('+') => Node::Repeat { node, min: 1 },
            Some('?') => Node::Optional(node),
            Some('{') => return Err(Trouble::Unknown),
            _ => return Ok(*node),
        };
        self.at += 1;
        // A lazy match finds the same as a greedy one.
        self.eat("?");
        Ok(repeated)
    }

    fn atom(&mut self) -> Result<Node, Trouble> {
        let Some(c) = self.peek() else { return Err(Trouble::Invalid) };
        self.at += 1;
        match c {
            '.' => Ok(Node::Any),
            '^' => Ok(Node::Start),
            '$' => Ok(Node::End),
            '(' => self.group(),
            '[' => self.class(),
            '*' | '+' | '?' => Err(Trouble::Invalid),
            '\\' => self.escape(),
            c => Ok(Node::Literal(c)),
        }
    }

    fn group(&mut self) -> Result<Node, Trouble> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Trouble::Unknown);
        }
        let ahead = if self.eat("?:") {
            None
        } else if self.eat("?=") {
            Some(false)
        } else if self.eat("?!") {
            Some(true)
        } else if self.peek() == Some('?') {
            return Err(Trouble::Unknown);
        } else {
            None
        };
        let inner = self.alternation()?;
        if !self.eat(")") {
            return Err(Trouble::Invalid);
        }
        self.depth -= 1;
        Ok(match ahead {
            None => inner,
            Some(negated) => Node::Ahead { node: Box::new(inner), negated },
        })
    }

    fn class(&mut self) -> Result<Node, Trouble> {
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        loop {
            let Some(first) = self.peek() else { return Err(Trouble::Invalid) };
            self.at += 1;
            match first {
                ']' => return Ok(Node::Class { negated, ranges }),
                '\\' => return Err(Trouble::Unknown),
                _ => {}
            }
            let next = self.chars.get(self.at + 1).copied();
            match (self.peek(), next) {
                (Some('-'), Some(last)) if last != ']' => {
                    self.at += 2;
                    if last < first {
                        return Err(Trouble::Invalid);
                    }
                    ranges.push((first, last));
                }
                _ => ranges.push((first, first)),
            }
        }
    }

    fn escape(&mut self) -> Result<Node, Trouble> {
        let Some(c) = self.peek() else { return Err(Trouble::Invalid) };
        self.at += 1;
        let word = vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        match c {
            'w' => Ok(Node::Class { negated: false, ranges: word }),
            'W' => Ok(Node::Class { negated: true, ranges: word }),
            'd' => Ok(Node::Class { negated: false, ranges: vec![('0', '9')] }),
            c if c.is_ascii_alphanumeric() => Err(Trouble::Unknown),
            c => Ok(Node::Literal(c)),
        }
    }
}

/// What follows a node: called with the place reached.
type Then<'n> = dyn FnMut(&mut Run<'_>, usize) -> bool + 'n;

struct Run<'a> {
    text: &'a [char],
    steps: u32,
}

impl Run<'_> {
    fn node(&mut self, node: &Node, at: usize, then: &mut Then<'_>) -> bool {
        self.steps = self.steps.saturating_add(1);
        if self.steps >= STEPS {
            return false;
        }
        match node {
            Node::Any => self.one(at, |_| true, then),
            Node::Literal(l) => self.one(at, |c| c == *l, then),
            Node::Class { negated, ranges } => {
                let inside = |c| ranges.iter().any(|(a, b)| (*a..=*b).contains(&c));
                self.one(at, |c| inside(c) != *negated, then)
            }
            Node::Start => at == 0 && then(self, at),
            Node::End => at == self.text.len() && then(self, at),
            Node::Sequence(nodes) => self.sequence(nodes, at, then),
            Node::Either(branches) => branches.iter().any(|b| self.node(b, at, then)),
            Node::Optional(inner) => self.node(inner, at, then) || then(self, at),
            Node::Repeat { node, min } => self.repeat(node, *min, at, then),
            Node::Ahead { node, negated } => {
                self.node(node, at, &mut |_, _| true) != *negated && then(self, at)
            }
        }
    }

    fn one(&mut self, at: usize, fits: impl Fn(char) -> bool, then: &mut Then<'_>) -> bool {
        self.text.get(at).copied().is_some_and(fits) && then(self, at + 1)
    }

    fn sequence(&mut self, nodes: &[Node], at: usize, then: &mut Then<'_>) -> bool {
        match nodes.split_first() {
            None => then(self, at),
            Some((first, rest)) => {
                self.node(first, at, &mut |run, at| run.sequence(rest, at, then))
            }
        }
    }

    fn repeat(&mut self, node: &Node, min: u32, at: usize, then: &mut Then<'_>) -> bool {
        // A round that moves nothing can't help the next one.
        let again = self.node(node, at, &mut |run, to| {
            to > at && run.repeat(node, min.saturating_sub(1), to, then)
        });
        again || (min == 0 && then(self, at))
    }
}

#[cfg(test)]
mod tests {
    use super::{found, is_refused};

    #[test]
    fn what_javascript_refuses() {
        for refused in ["Bash(", "Bash)", "*", "+", "(?:a", "a|*"] {
            assert!(is_refused(refused), "{refused}");
            assert_eq!(found(refused, "Bash"), Some(false), "{refused}");
        }
        for taken in ["", "Bash", ".*", "Bash(rm:*)", "a|", "^Bash$", "(?:a)+"] {
            assert!(!is_refused(taken), "{taken}");
        }
    }

    #[test]
    fn patterns_as_javascript_reads_them() {
        let yes = [
            (".*", "Bash"),
            ("Bas.", "Bash"),
            ("Bash.*", "Bash"),
            ("^Bash$", "Bash"),
            ("(?!Write).*", "Bash"),
            ("mcp__rig-srv__.*", "mcp__rig-srv__echo_it"),
            ("mcp__*", "mcp__rig-srv__echo_it"),
            ("^mcp__", "mcp__rig-srv__echo_it"),
            ("^(Edit|Write)$", "Write"),
            ("[A-C]ash", "Bash"),
            (r"\w+", "Bash"),
        ];
        for (pattern, text) in yes {
            assert_eq!(found(pattern, text), Some(true), "{pattern} {text}");
        }
        let no = ["^bash$", "Bash(touch *)", "(", "[", "*", "^(?!Bash).*$", "[^A-Z]ash", "Bashx?y"];
        for pattern in no {
            assert_eq!(found(pattern, "Bash"), Some(false), "{pattern}");
        }
    }

    #[test]
    fn what_is_not_known_or_too_dear_is_said() {
        assert_eq!(found("(?<=B)ash", "Bash"), None);
        assert_eq!(found("Ba{1}sh", "Bash"), None);
        assert_eq!(found("(a*)*(a*)*(a*)*b", &"a".repeat(60)), None);
    }
}
