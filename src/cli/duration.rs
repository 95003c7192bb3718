//! A length of time as people write it: `90s`, `10m`, `2h`; and as they read it.

use std::time::Duration;

/// Reads one.
///
/// # Errors
/// It is none.
pub fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no length of time: write `90s`, `10m` or `2h`");
    let split = text.len().checked_sub(1).ok_or_else(wrong)?;
    let (number, unit) = text.split_at_checked(split).ok_or_else(wrong)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return Err(wrong()),
    };
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let number: u64 = number.parse().ok().filter(|n| digits && *n > 0).ok_or_else(wrong)?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(wrong)
}

/// A length in words, in the largest unit that it is whole in.
#[must_use]
pub fn words(length: Duration) -> String {
    let seconds = length.as_secs();
    let (count, unit) = match seconds {
        0 => (0, "second"),
        s if s.is_multiple_of(3_600) => (s / 3_600, "hour"),
        s if s.is_multiple_of(60) => (s / 60, "minute"),
        s => (s, "second"),
    };
    let more = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{more}")
}

#[cfg(test)]
mod tests {
    use super::{parse, words};

    #[test]
    fn lengths_are_told_in_their_own_unit() {
        for (typed, told) in [
            ("90s", "90 seconds"),
            ("60s", "1 minute"),
            ("10m", "10 minutes"),
            ("1h", "1 hour"),
            ("90m", "90 minutes"),
            ("1s", "1 second"),
        ] {
            assert_eq!(parse(typed).map(words), Ok(told.to_owned()), "{typed}");
        }
    }

    #[test]
    fn lengths() {
        assert_eq!(parse("10m").map(|d| d.as_secs()), Ok(600));
        assert_eq!(parse("2h").map(|d| d.as_secs()), Ok(7_200));
        for wrong in ["", "m", "0m", "-1m", "+1m", "10", "1d", "1.5h", "é", "99999999999999999999h"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
