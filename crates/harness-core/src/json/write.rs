//! JSON to bytes, plain and canonical.

use super::Json;
use super::strings::plain_run;
use crate::text::Text;
use alloc::vec::Vec;

enum Step<'v, 'a> {
    Value(&'v Json<'a>),
    Key(&'v Text<'a>),
    Raw(&'static [u8]),
}

pub(super) fn write_value<'v, 'a>(root: &'v Json<'a>, out: &mut Vec<u8>, canonical: bool) {
    let mut todo: Vec<Step<'v, 'a>> = Vec::from([Step::Value(root)]);
    while let Some(step) = todo.pop() {
        match step {
            Step::Raw(bytes) => out.extend_from_slice(bytes),
            Step::Key(key) => write_string(key, out),
            Step::Value(Json::Null) => out.extend_from_slice(b"null"),
            Step::Value(Json::Bool(true)) => out.extend_from_slice(b"true"),
            Step::Value(Json::Bool(false)) => out.extend_from_slice(b"false"),
            Step::Value(Json::Number(n)) => out.extend_from_slice(n.as_bytes()),
            Step::Value(Json::String(s)) => write_string(s, out),
            Step::Value(Json::Array(items)) => {
                out.push(b'[');
                todo.push(Step::Raw(b"]"));
                for (i, item) in items.iter().enumerate().rev() {
                    todo.push(Step::Value(item));
                    if i > 0 {
                        todo.push(Step::Raw(b","));
                    }
                }
            }
            Step::Value(Json::Object(members)) => {
                out.push(b'{');
                todo.push(Step::Raw(b"}"));
                let mut order: Vec<&(Text<'a>, Json<'a>)> = members.iter().collect();
                if canonical {
                    order.sort_by(|a, b| a.0.cmp(&b.0));
                }
                for (i, (key, value)) in order.into_iter().enumerate().rev() {
                    todo.push(Step::Value(value));
                    todo.push(Step::Raw(b":"));
                    todo.push(Step::Key(key));
                    if i > 0 {
                        todo.push(Step::Raw(b","));
                    }
                }
            }
        }
    }
}

/// Writes a JSON string: control characters escaped, everything else as it is, lone
/// surrogates as the escape they came from.
pub fn write_string(text: &Text<'_>, out: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len().saturating_add(2));
    out.push(b'"');
    loop {
        let (run, behind) = rest.split_at_checked(plain_run(rest)).unwrap_or((rest, &[]));
        write_run(run, out);
        let Some((special, behind)) = behind.split_first() else { break };
        match special {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            control => write_unit(u32::from(*control), out),
        }
        rest = behind;
    }
    out.push(b'"');
}

/// Writes a run without bytes that need an escape. Where it is not UTF-8, surrogates
/// become escapes again. The second half of two that stand together can only have come as
/// raw bytes, since two escapes would have been read as one character; it stays raw.
fn write_run(run: &[u8], out: &mut Vec<u8>) {
    if core::str::from_utf8(run).is_ok() {
        out.extend_from_slice(run);
        return;
    }
    let mut rest = run;
    let mut behind_high = false;
    loop {
        match rest {
            [] => return,
            [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, tail @ ..] => {
                let unit = 0xD000 | (u32::from(second & 0x3F) << 6) | u32::from(third & 0x3F);
                let low = unit >= 0xDC00;
                if low && behind_high {
                    out.extend_from_slice(&[0xED, *second, *third]);
                } else {
                    write_unit(unit, out);
                }
                behind_high = !low;
                rest = tail;
            }
            [byte, tail @ ..] => {
                out.push(*byte);
                behind_high = false;
                rest = tail;
            }
        }
    }
}

/// Writes a UTF-16 unit as an escape.
fn write_unit(unit: u32, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.extend(HEX.get(((unit >> shift) & 15) as usize));
    }
}
