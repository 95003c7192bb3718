//! Cost grows with the input and no faster. Measured as ratios, so that a slow or busy
//! machine does not matter.

use harness_core::json::{Complete, Limits, Progress, parse};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The best of several runs.
fn best(mut run: impl FnMut()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..7).map(one).min().unwrap_or_default().max(Duration::from_micros(1))
}

fn object(members: usize, distinct: bool) -> Vec<u8> {
    let key = |n| if distinct { n } else { n % 2 };
    let members: Vec<String> = (0..members).map(|n| format!("\"k{}\":{n}", key(n))).collect();
    format!("{{{}}}", members.join(",")).into_bytes()
}

/// How much more ten times as much costs; linear is about ten, quadratic a hundred.
fn growth(small: &[u8], large: &[u8]) -> f64 {
    let cost = |doc: &[u8]| {
        best(|| {
            black_box(parse(black_box(doc), Limits::default()).is_ok());
        })
    };
    cost(large).as_secs_f64() / cost(small).as_secs_f64()
}

#[test]
fn objects_of_a_hundred_thousand_members_are_read_in_linear_time() {
    for distinct in [true, false] {
        let ratio = growth(&object(10_000, distinct), &object(100_000, distinct));
        assert!(ratio < 40.0, "{ratio}");
    }
}

#[test]
fn escapes_cost_linear_time() {
    let text = |n: usize| format!("\"{}\"", "a\\n\\u00e9\\ud83d\\ude00".repeat(n)).into_bytes();
    let ratio = growth(&text(2_000), &text(20_000));
    assert!(ratio < 40.0, "{ratio}");
}

#[test]
fn a_document_that_trickles_in_is_scanned_once() {
    let document = format!("{{\"a\":\"{}\"}}", "x".repeat(200_000)).into_bytes();
    let trickle = |step: usize| {
        best(|| {
            let mut scanner = Complete::new();
            let mut last = Progress::Partial;
            for end in (step..document.len()).step_by(step).chain([document.len()]) {
                last = scanner.look(&document[..end]);
            }
            assert_eq!(last, Progress::Whole(document.len()));
        })
    };
    // 2,000 looks against 20: with a scan from the start each time it would be a hundred
    // times as much.
    let ratio = trickle(100).as_secs_f64() / trickle(10_000).as_secs_f64();
    assert!(ratio < 30.0, "{ratio}");
}
