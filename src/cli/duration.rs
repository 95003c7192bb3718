//! A length of time as people write it: `90s`, `10m`, `2h`.

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

#[cfg(test)]
mod tests {
    use super::parse;

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
