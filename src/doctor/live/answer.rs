//! One message of the model, as the Messages API writes it: whole, or as a stream of events.

use super::script::{Say, call_id};
use serde_json::{Value, json};
use std::fmt::Write;

/// The message of a turn.
pub(super) fn message(say: &Say, turn: usize, model: &str) -> Value {
    let (content, stop) = match say {
        Say::Text(text) => (vec![json!({ "type": "text", "text": text })], "end_turn"),
        Say::Calls(calls) => {
            let block = |(n, call): (usize, &super::script::Call)| {
                json!({
                    "type": "tool_use",
                    "id": call_id(turn, n),
                    "name": call.tool,
                    "input": call.input,
                })
            };
            (calls.iter().enumerate().map(block).collect(), "tool_use")
        }
    };
    json!({
        "id": format!("msg_live_{turn:03}"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": usage(),
    })
}

/// The same message as server-sent events.
pub(super) fn stream(message: &Value) -> String {
    let mut out = String::new();
    let mut opening = message.clone();
    if let Some(fields) = opening.as_object_mut() {
        fields.insert("content".into(), json!([]));
        fields.insert("stop_reason".into(), Value::Null);
    }
    event(&mut out, "message_start", json!({ "message": opening }));
    for (index, block) in message["content"].as_array().into_iter().flatten().enumerate() {
        let (start, delta) = parts(block);
        event(&mut out, "content_block_start", json!({ "index": index, "content_block": start }));
        event(&mut out, "content_block_delta", json!({ "index": index, "delta": delta }));
        event(&mut out, "content_block_stop", json!({ "index": index }));
    }
    let delta = json!({ "stop_reason": message["stop_reason"], "stop_sequence": null });
    event(&mut out, "message_delta", json!({ "delta": delta, "usage": usage() }));
    event(&mut out, "message_stop", json!({}));
    out
}

/// A block as it opens, and all of its content as one delta.
fn parts(block: &Value) -> (Value, Value) {
    let mut start = block.clone();
    let (field, empty, delta) = if block["type"] == "text" {
        ("text", json!(""), json!({ "type": "text_delta", "text": block["text"] }))
    } else {
        let whole = block["input"].to_string();
        ("input", json!({}), json!({ "type": "input_json_delta", "partial_json": whole }))
    };
    if let Some(fields) = start.as_object_mut() {
        fields.insert(field.into(), empty);
    }
    (start, delta)
}

fn event(out: &mut String, name: &str, mut data: Value) {
    if let Some(fields) = data.as_object_mut() {
        fields.insert("type".into(), json!(name));
    }
    // Writing to a string can't fail.
    let _ = write!(out, "event: {name}\ndata: {data}\n\n");
}

fn usage() -> Value {
    json!({
        "input_tokens": 10,
        "output_tokens": 10,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    })
}

#[cfg(test)]
mod tests {
    use super::super::script::{Call, Say};
    use super::{message, stream};
    use serde_json::Value;

    #[test]
    fn several_calls_get_ids_of_their_own() {
        let say = Say::Calls(vec![Call::bash("a"), Call::bash("b")]);
        let got = message(&say, 4, "m");
        assert_eq!(got["stop_reason"], "tool_use");
        assert_eq!(got["content"][0]["id"], "toolu_live_004_000");
        assert_eq!(got["content"][1]["id"], "toolu_live_004_001");
    }

    #[test]
    fn a_stream_carries_the_input_of_a_call_in_its_delta() {
        let out = stream(&message(&Say::Calls(vec![Call::bash("echo \"é\"\n")]), 0, "m"));
        let delta = out.lines().filter_map(|l| l.strip_prefix("data: "));
        let delta = delta.map(|l| serde_json::from_str::<Value>(l).unwrap());
        let delta = delta.filter(|d| d["type"] == "content_block_delta").collect::<Vec<_>>();
        let input = delta[0]["delta"]["partial_json"].as_str().unwrap();
        let input: Value = serde_json::from_str(input).unwrap();
        assert_eq!(input["command"], "echo \"é\"\n");
        assert!(out.starts_with("event: message_start\n") && out.ends_with("\n\n"));
    }
}
