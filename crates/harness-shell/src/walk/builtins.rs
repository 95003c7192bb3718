//! Builtins that change what later words mean.

use alloc::string::String;

use super::env::Value;
use crate::reader::Reader;
use crate::script::Word;

impl Reader {
    /// Takes note of what a command does to variables and the folder.
    pub(crate) fn builtin(&mut self, words: &[Word]) {
        let (Some(name), args) = (words.first(), words.get(1..).unwrap_or_default()) else {
            return;
        };
        match name.text.as_str() {
            "cd" | "pushd" => self.go(args),
            "alias" => self.alias(args),
            "popd" => self.env.set_folder(Some(unknown("$OLDPWD"))),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(args),
            "unset" => args.iter().for_each(|word| self.forget(&word.text)),
            "read" | "mapfile" | "readarray" | "getopts" => {
                args.iter().for_each(|word| self.forget(&word.text));
                self.forget("REPLY");
            }
            "printf" => self.printf_into(args),
            "source" | "." => self.env.doubt(),
            "hash" => self.hash(args),
            "enable" => self.enable(args),
            "set" => self.set_positional(args),
            "shift" => self.shift(args),
            "command" | "builtin"
                if args.first().is_some_and(|word| !word.text.starts_with('-')) =>
            {
                self.builtin(args);
            }
            _ => {}
        }
    }

    /// `hash -p /bin/rm name`
    fn hash(&mut self, args: &[Word]) {
        if let [option, path, names @ ..] = args
            && option.text == "-p"
        {
            for name in names {
                self.functions.hash(&name.text, &path.text);
            }
        }
    }

    /// `enable -n name`: a builtin no longer stands before what was hashed.
    fn enable(&mut self, args: &[Word]) {
        if args.first().is_some_and(|word| word.text == "-n") {
            args.iter().skip(1).for_each(|word| self.functions.disable(&word.text));
        }
    }

    fn go(&mut self, args: &[Word]) {
        let mut targets = args.iter().filter(|word| !is_option(&word.text));
        let target = match targets.next() {
            None => unknown("~"),
            Some(word) if word.text == "-" || word.text.starts_with('+') => unknown("$OLDPWD"),
            Some(word) => word.clone(),
        };
        self.env.change_folder(&target);
    }

    fn declare(&mut self, args: &[Word]) {
        let refers = args.first().is_some_and(|word| {
            word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('n')
        });
        for word in args {
            if let Some((_, other)) = word.text.split_once('=').filter(|_| refers) {
                // What is assigned by the one name is then the other's.
                self.forget(other);
            }
            match word.text.split_once('=') {
                // An array's elements are words of their own here.
                Some((name, "")) => self.forget(name),
                Some((name, text)) if word.literal => {
                    let value = Value::Known { text: String::from(text), glob: false };
                    self.env.set(name, value);
                }
                Some((name, text)) => {
                    let value = Word { text: String::from(text), ..word.clone() };
                    self.env.set(name, Value::Many([value].into()));
                }
                None => {}
            }
        }
    }

    /// A variable was set to what can't be known.
    fn forget(&mut self, name: &str) {
        if !name.is_empty() && !name.starts_with('-') {
            self.env.set(name, Value::Unknown);
        }
    }

    fn printf_into(&mut self, args: &[Word]) {
        if let [option, name, ..] = args
            && option.text == "-v"
        {
            self.forget(&name.text);
        }
    }

    fn set_positional(&mut self, args: &[Word]) {
        if let Some(at) = args.iter().position(|word| word.text == "--") {
            self.bind(args.get(at + 1..).unwrap_or_default());
        } else if args.first().is_some_and(|word| !word.text.starts_with(['-', '+'])) {
            self.bind(args);
        }
    }

    fn shift(&mut self, args: &[Word]) {
        let count = args.first().map_or(Some(1), |word| word.text.parse().ok());
        let rest = match (self.env.get("@"), count) {
            (Some(Value::Many(words)), Some(count)) => {
                Some(words.get(count..).unwrap_or_default().to_vec())
            }
            _ => None,
        };
        match rest {
            Some(rest) => self.bind(&rest),
            None => {
                for name in super::functions::POSITIONAL {
                    self.env.set(name, Value::Unknown);
                }
            }
        }
    }
}

fn is_option(text: &str) -> bool {
    matches!(text, "-L" | "-P" | "-e" | "-n" | "-LP" | "-PL" | "--")
}

fn unknown(text: &str) -> Word {
    Word { text: String::from(text), literal: false, glob: false }
}
