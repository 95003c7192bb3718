//! Bounded excerpts of the line.

/// At most 200 bytes from the start of `text`, cut between characters.
pub(crate) fn cut(text: &str) -> &str {
    cut_to(text, 200)
}

/// At most `most` bytes from the start of `text`, cut between characters.
pub(crate) fn cut_to(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::cut;
    use alloc::string::String;

    #[test]
    fn cuts_between_characters() {
        let long: String = core::iter::repeat_n('é', 150).collect();
        assert_eq!(cut(&long).chars().count(), 100);
        let odd = alloc::format!("x{long}");
        assert_eq!(cut(&odd).len(), 199);
        assert_eq!(cut("short"), "short");
    }
}
