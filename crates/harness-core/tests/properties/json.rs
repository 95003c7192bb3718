//! JSON: nothing lost, nothing looping, one canonical form.

use harness_core::json::{Complete, JsonErrorKind, Limits, Progress, parse};
use proptest::collection::{btree_map, vec};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::{prop_assert, prop_assert_eq, prop_assume, proptest};
use serde_json::Value;

/// Random values as another library holds them.
pub(crate) fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z\\\\\"\n\t/\u{0}-\u{1f}😀é]{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..8).prop_map(Value::from_iter),
        ]
    })
}

fn written(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    parse(bytes, Limits::default()).ok()?.value.write(&mut out);
    Some(out)
}

fn canonical(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    parse(bytes, Limits::default()).ok()?.value.write_canonical(&mut out);
    Some(out)
}

/// The same value with members in reverse and every character of every string escaped.
fn respell(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => list(out, '[', ']', items.iter(), respell),
        Value::Object(members) => list(out, '{', '}', members.iter().rev(), |(key, value), out| {
            escape(key, out);
            out.push_str(" :\t");
            respell(value, out);
        }),
        Value::String(text) => escape(text, out),
        other => out.push_str(&other.to_string()),
    }
}

fn list<T>(
    out: &mut String,
    open: char,
    close: char,
    items: impl Iterator<Item = T>,
    mut each: impl FnMut(T, &mut String),
) {
    out.push(open);
    for (at, item) in items.enumerate() {
        out.push_str(if at > 0 { " ,\n" } else { " " });
        each(item, out);
    }
    out.push(close);
}

fn escape(text: &str, out: &mut String) {
    out.push('"');
    for unit in text.encode_utf16() {
        out.push_str(&format!("\\u{unit:04X}"));
    }
    out.push('"');
}

/// Bytes that look like JSON more often than random ones.
fn scraps() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u",
            "d83d",
            "\\ud83d\\ude00",
            "\\udc00",
            "true",
            "null",
            "-",
            "0",
            "1e5",
            ".5",
            " ",
            "\n",
            "\"a\":",
            "\u{feff}",
            "é",
        ])
        .prop_map(|s| s.as_bytes().to_vec()),
        vec(any::<u8>(), 0..3),
        Just(vec![0xED, 0xA0, 0xBD]),
        Just(vec![0xED, 0xB8, 0x80]),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_another_library_writes_comes_back(value in values()) {
        let text = value.to_string();
        let parsed = parse(text.as_bytes(), Limits::default());
        prop_assert!(parsed.as_ref().is_ok_and(|p| p.used == text.len()));
        prop_assert!(parsed.is_ok_and(|p| p.duplicate_key.is_none() && !p.invalid_utf8));
        let ours = written(text.as_bytes()).unwrap_or_default();
        let back: Value = serde_json::from_slice(&ours).expect("ours is JSON");
        // Read back from text on both sides, since a float need not survive its own text.
        let expected: Value = serde_json::from_str(&text).expect("theirs is JSON");
        prop_assert_eq!(back, expected);
    }

    #[test]
    fn what_another_library_takes_we_take(bytes in scraps()) {
        if serde_json::from_slice::<Value>(&bytes).is_ok() {
            let parsed = parse(&bytes, Limits::default());
            prop_assert!(parsed.is_ok(), "{:?}", String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn any_bytes_end_and_what_is_written_reads_the_same(bytes in scraps()) {
        if let Ok(parsed) = parse(&bytes, Limits::default()) {
            prop_assert!(parsed.used <= bytes.len());
            prop_assert_eq!(parsed.value.is_lossless(Limits::default()), parsed.duplicate_key.is_none());
            let mut out = Vec::new();
            parsed.value.write(&mut out);
            let again = parse(&out, Limits::default()).map(|p| p.value);
            prop_assert_eq!(again, Ok(parsed.value), "{:?}", String::from_utf8_lossy(&out));
        }
    }

    #[test]
    fn canonical_form_does_not_see_order_or_spelling(value in values()) {
        let mut respelt = String::new();
        respell(&value, &mut respelt);
        let plain = canonical(value.to_string().as_bytes());
        prop_assert!(plain.is_some());
        prop_assert_eq!(&plain, &canonical(respelt.as_bytes()));
        prop_assert_eq!(&canonical(&plain.clone().unwrap_or_default()), &plain);
    }

    #[test]
    fn canonical_form_tells_values_apart(a in values(), b in values()) {
        prop_assume!(a != b);
        let [a, b] = [a, b].map(|v| canonical(v.to_string().as_bytes()));
        prop_assert!(a != b);
    }

    #[test]
    fn a_document_is_whole_where_the_reader_ends(
        value in values(), cuts in vec(any::<proptest::sample::Index>(), 0..6), tail in scraps(),
    ) {
        let text = value.to_string();
        let mut bytes = text.clone().into_bytes();
        bytes.extend_from_slice(b"\n");
        bytes.extend_from_slice(&tail);
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        ends.sort_unstable();
        let mut scanner = Complete::new();
        for end in ends {
            let progress = scanner.look(&bytes[..end]);
            let bare = !matches!(value, Value::String(_) | Value::Array(_) | Value::Object(_));
            match progress {
                Progress::Whole(at) => prop_assert_eq!(at, text.len()),
                Progress::UntilEnd => prop_assert!(bare && end <= text.len()),
                Progress::Partial => prop_assert!(end < text.len()),
            }
        }
        prop_assert_eq!(scanner.look(&bytes), Progress::Whole(text.len()));
    }

    #[test]
    fn the_scanner_agrees_with_itself_however_bytes_arrive(
        bytes in scraps(), cut in any::<proptest::sample::Index>(),
    ) {
        let whole = Complete::new().look(&bytes);
        let mut scanner = Complete::new();
        scanner.look(&bytes[..cut.index(bytes.len() + 1)]);
        prop_assert_eq!(scanner.look(&bytes), whole);
        if let Ok(parsed) = parse(&bytes, Limits::default()) {
            match whole {
                Progress::Whole(at) => prop_assert!(at >= parsed.used),
                Progress::UntilEnd => prop_assert!(parsed.used <= bytes.len()),
                Progress::Partial => prop_assert!(false, "a whole document is partial"),
            }
        }
    }
}

#[test]
fn a_quote_behind_half_a_surrogate_is_not_swallowed() {
    let document = b"\"\xED\xA0\\\"x\"";
    assert_eq!(written(document).as_deref(), Some(&document[..]));
}

#[test]
fn two_halves_of_which_one_is_raw_stay_two() {
    let document = b"\"\\ud83d\xED\xB8\x80\"";
    assert_eq!(written(document).as_deref(), Some(&document[..]));
}

#[test]
fn the_depth_limit_is_exact() {
    let nested = |n: usize| ["[".repeat(n), "1".into(), "]".repeat(n)].concat();
    assert!(parse(nested(128).as_bytes(), Limits::default()).is_ok());
    let deeper = nested(129);
    let deeper = parse(deeper.as_bytes(), Limits::default()).map_err(|e| e.kind);
    assert_eq!(deeper, Err(JsonErrorKind::TooDeep));
}
