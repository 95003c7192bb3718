//! Takes the program out of a release's archive: a gzipped tar of few files.

use flate2::read::GzDecoder;
use std::io::Read;

/// No program is larger, whatever an archive says.
pub const MOST: u64 = 256 << 20;

/// The bytes of the file `name` in the archive.
///
/// # Errors
/// In words: it is no such archive, or has no such file.
pub fn file(archive: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let mut tar = GzDecoder::new(archive).take(MOST);
    loop {
        let mut header = [0_u8; 512];
        tar.read_exact(&mut header).map_err(|e| format!("the archive ends too early ({e})"))?;
        if header.iter().all(|b| *b == 0) {
            return Err(format!("the archive holds no `{name}`"));
        }
        let size = octal(header.get(124..136).unwrap_or_default())
            .filter(|size| *size <= MOST)
            .ok_or("the archive can't be read: a length in it is wrong")?;
        let is_file = matches!(header.get(156), Some(0 | b'0'));
        if is_file && text(header.get(..100).unwrap_or_default()) == name.as_bytes() {
            let mut bytes = Vec::new();
            tar.by_ref().take(size).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
            let whole = u64::try_from(bytes.len()) == Ok(size);
            return if whole { Ok(bytes) } else { Err("the archive ends too early".to_owned()) };
        }
        let padded = size.div_ceil(512) * 512;
        let skipped = std::io::copy(&mut tar.by_ref().take(padded), &mut std::io::sink());
        if skipped.map_err(|e| format!("the archive can't be read: {e}"))? != padded {
            return Err("the archive ends too early".to_owned());
        }
    }
}

fn text(field: &[u8]) -> &[u8] {
    field.split(|b| *b == 0).next().unwrap_or_default()
}

fn octal(field: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(text(field)).ok()?.trim();
    u64::from_str_radix(digits, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::file;
    use std::io::Write;

    fn entry(name: &str, kind: u8, body: &[u8]) -> Vec<u8> {
        let mut header = vec![0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..136].copy_from_slice(format!("{:011o}\0", body.len()).as_bytes());
        header[156] = kind;
        header.extend_from_slice(body);
        header.resize(512 + body.len().div_ceil(512) * 512, 0);
        header
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(bytes).expect("memory");
        out.finish().expect("memory")
    }

    #[test]
    fn the_file_of_that_name_is_taken_and_nothing_else() {
        let mut tar = entry("LICENSE", b'0', &[7; 600]);
        tar.extend(entry("harness", b'2', b""));
        tar.extend(entry("harness", b'0', b"program"));
        let whole = [tar.as_slice(), &[0; 1024]].concat();
        assert_eq!(file(&gz(&whole), "harness").as_deref(), Ok(&b"program"[..]));
        assert!(file(&gz(&whole), "other").is_err_and(|e| e.contains("holds no `other`")));
        let packed = gz(&whole);
        for at in 0..packed.len() - 8 {
            let cut = file(packed.get(..at).unwrap_or_default(), "harness");
            assert!(cut.is_err() || cut.as_deref() == Ok(b"program"), "{at}");
        }
        assert!(file(b"no gzip", "harness").is_err());
        let mut lies = entry("harness", b'0', b"x");
        lies[124..136].copy_from_slice(b"77777777777\0");
        assert!(file(&gz(&lies), "harness").is_err());
    }
}
