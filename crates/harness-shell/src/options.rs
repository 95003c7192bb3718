//! Options of a program, whatever way they are spelled.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::script::Word;

/// What has to be known of a program to tell its options from its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    /// Letters whose option takes the next word, or the rest of its own.
    pub(crate) values: &'static str,
    /// Letters whose option takes the rest of its own word, if there is one.
    pub(crate) optional: &'static str,
    /// Long options that take the next word unless they hold a `=`.
    pub(crate) long_values: &'static [&'static str],
    /// Whether options end at the first operand.
    pub(crate) ordered: bool,
    /// Whether long options may start with one `-` (`terraform destroy -auto-approve`).
    pub(crate) single_dash: bool,
}

impl Spec {
    pub(crate) const PLAIN: Self =
        Self { values: "", optional: "", long_values: &[], ordered: false, single_dash: false };

    pub(crate) const fn values(values: &'static str, long: &'static [&'static str]) -> Self {
        Self { values, long_values: long, ..Self::PLAIN }
    }

    pub(crate) const fn ordered(values: &'static str, long: &'static [&'static str]) -> Self {
        Self { values, long_values: long, ordered: true, ..Self::PLAIN }
    }

    pub(crate) const fn single_dash(values: &'static str, long: &'static [&'static str]) -> Self {
        Self { values, long_values: long, single_dash: true, ..Self::PLAIN }
    }

    fn takes_value(&self, long: &str) -> bool {
        // Values may be told of any abbreviation that is long enough to be one.
        self.long_values
            .iter()
            .any(|name| *name == long || (long.len() > 2 && name.starts_with(long)))
    }
}

/// The name of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name<'a> {
    Short(char),
    Long(&'a str),
}

/// One option.
#[derive(Clone, Debug)]
pub(crate) struct Opt<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) value: Option<Word>,
}

/// Arguments told apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options<'a> {
    pub(crate) options: Vec<Opt<'a>>,
    pub(crate) operands: Vec<&'a Word>,
    /// Where the first operand stands among the arguments.
    pub(crate) first: usize,
    /// How many operands stand before a `--`, if there is one.
    pub(crate) before_dashes: Option<usize>,
}

impl<'a> Options<'a> {
    pub(crate) fn new(args: &'a [Word], spec: &Spec) -> Self {
        let mut found = Self { first: args.len(), ..Self::default() };
        let mut index = 0;
        while let Some(word) = args.get(index) {
            let text = word.text.as_str();
            index += 1;
            if text == "--" {
                found.before_dashes = Some(found.operands.len());
                let rest = args.get(index..).unwrap_or_default();
                if found.operands.is_empty() {
                    found.first = index;
                }
                found.operands.extend(rest);
                return found;
            }
            if text.len() < 2 || !text.starts_with('-') {
                if found.operands.is_empty() {
                    found.first = index - 1;
                }
                found.operands.push(word);
                if spec.ordered {
                    found.operands.extend(args.get(index..).unwrap_or_default());
                    return found;
                }
                continue;
            }
            if found.option(word, args.get(index), spec) {
                index += 1;
            }
        }
        found
    }

    /// Takes in one word of options; whether it used up the next word.
    fn option(&mut self, word: &'a Word, next: Option<&'a Word>, spec: &Spec) -> bool {
        let text = word.text.as_str();
        let long = text
            .strip_prefix("--")
            .or_else(|| text.strip_prefix('-').filter(|name| spec.single_dash && name.len() > 1));
        match long {
            Some(long) => self.long(word, long, next, spec),
            None => self.cluster(word, text.get(1..).unwrap_or_default(), next, spec),
        }
    }

    fn long(&mut self, word: &'a Word, long: &'a str, next: Option<&'a Word>, spec: &Spec) -> bool {
        if let Some((name, value)) = long.split_once('=') {
            let value = Some(part(word, value));
            self.options.push(Opt { name: Name::Long(name), value });
            return false;
        }
        let takes = spec.takes_value(long);
        let value = next.filter(|_| takes).cloned();
        let used = value.is_some();
        self.options.push(Opt { name: Name::Long(long), value });
        used
    }

    fn cluster(
        &mut self,
        word: &'a Word,
        letters: &'a str,
        next: Option<&'a Word>,
        spec: &Spec,
    ) -> bool {
        // Past so many letters it is no cluster of options.
        for (at, letter) in letters.char_indices().take(64) {
            let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            let name = Name::Short(letter);
            if spec.optional.contains(letter) {
                let value = (!rest.is_empty()).then(|| part(word, rest));
                self.options.push(Opt { name, value });
                return false;
            }
            if spec.values.contains(letter) {
                let used = rest.is_empty() && next.is_some();
                let value = if rest.is_empty() { next.cloned() } else { Some(part(word, rest)) };
                self.options.push(Opt { name, value });
                return used;
            }
            self.options.push(Opt { name, value: None });
        }
        false
    }

    /// Whether an option was given: `-r` by its letter, `--recursive` by any
    /// abbreviation of it.
    pub(crate) fn has(&self, option: &str) -> bool {
        self.options.iter().any(|given| is(given.name, option))
    }

    pub(crate) fn has_any(&self, options: &[&str]) -> bool {
        options.iter().any(|option| self.has(option))
    }

    /// The value of the last of these options that was given.
    pub(crate) fn value(&self, options: &[&str]) -> Option<&Word> {
        self.options
            .iter()
            .rev()
            .find(|given| options.iter().any(|option| is(given.name, option)))
            .and_then(|given| given.value.as_ref())
    }

    /// The values of all of these options, in order.
    pub(crate) fn all_values<'b>(
        &'b self,
        options: &'b [&'b str],
    ) -> impl Iterator<Item = &'b Word> {
        self.options
            .iter()
            .filter(|given| options.iter().any(|option| is(given.name, option)))
            .filter_map(|given| given.value.as_ref())
    }
}

fn is(given: Name<'_>, option: &str) -> bool {
    match (given, option.strip_prefix("--")) {
        (Name::Long(given), Some(long)) => !given.is_empty() && long.starts_with(given),
        (Name::Short(given), None) => option.strip_prefix('-').is_some_and(|letter| {
            let mut letters = letter.chars();
            letters.next() == Some(given) && letters.next().is_none()
        }),
        (Name::Long(given), None) => option.strip_prefix('-') == Some(given),
        (Name::Short(_), Some(_)) => false,
    }
}

fn part(word: &Word, text: &str) -> Word {
    Word { text: text.to_owned(), literal: word.literal, glob: word.glob }
}

#[cfg(test)]
mod tests {
    use super::{Options, Spec};
    use crate::script::Word;
    use alloc::vec::Vec;

    fn words(line: &str) -> Vec<Word> {
        line.split_whitespace().map(Word::literal).collect()
    }

    #[test]
    fn spelling_does_not_matter() {
        for line in ["-rf x", "-fr x", "-r -f x", "--recursive --force x", "--rec --f x", "x -rf"] {
            let args = words(line);
            let options = Options::new(&args, &Spec::PLAIN);
            assert!(options.has_any(&["-r", "--recursive"]), "{line}");
            assert!(options.has_any(&["-f", "--force"]), "{line}");
            assert_eq!(options.operands.len(), 1, "{line}");
        }
    }

    #[test]
    fn values_are_no_operands() {
        let args = words("-o out --size 3 --mode=x -- -r");
        let options = Options::new(&args, &Spec::values("o", &["size"]));
        assert_eq!(options.value(&["-o"]).map(|word| word.text.as_str()), Some("out"));
        assert_eq!(options.value(&["--mode"]).map(|word| word.text.as_str()), Some("x"));
        assert!(!options.has("-r"));
        assert_eq!(options.operands.len(), 1);
    }
}
