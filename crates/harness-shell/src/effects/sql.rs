//! SQL in the arguments and the input of database clients.

use alloc::vec::Vec;

use crate::cut::cut;
use crate::script::{Command, Effect, EffectKind, RedirectKind, Word};

/// Clients whose arguments and here-documents are SQL.
const CLIENTS: [&str; 14] = [
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "sqlite",
    "sqlcmd",
    "cockroach",
    "duckdb",
    "clickhouse-client",
    "cqlsh",
    "snowsql",
    "bq",
    "mongo",
    "mongosh",
];

/// Statements that destroy, by their first words.
const STATEMENTS: [&[&str]; 13] = [
    &["drop", "table"],
    &["drop", "database"],
    &["drop", "schema"],
    &["drop", "view"],
    &["drop", "index"],
    &["drop", "user"],
    &["drop", "role"],
    &["drop", "owned"],
    &["drop", "keyspace"],
    &["truncate"],
    &["delete", "from"],
    &["db.dropdatabase"],
    &["alter", "table"],
];

/// Adds what the SQL given to a client does.
pub(super) fn add(name: &str, command: &Command, effects: &mut Vec<Effect>) {
    if !CLIENTS.contains(&name) {
        return;
    }
    let texts =
        command.redirects.iter().filter(|r| r.kind == RedirectKind::Text).map(|r| &r.target);
    for word in command.args.iter().chain(texts) {
        for statement in word.text.split([';', '=', '\n']) {
            if destroys(statement) {
                effects.push(Effect {
                    kind: EffectKind::RemoteState,
                    target: Some(Word { text: cut(statement.trim()).into(), ..word.clone() }),
                    recursive: false,
                    forced: false,
                });
            }
        }
    }
}

fn destroys(statement: &str) -> bool {
    let words: Vec<&str> = statement
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '\''))
        .filter(|word| !word.is_empty())
        .take(8)
        .collect();
    let mongo = |word: &&str| {
        let word = word.to_ascii_lowercase();
        word.contains("dropdatabase") || (word.starts_with("db.") && word.ends_with(".drop"))
    };
    let all = statement.to_ascii_lowercase().contains("deletemany({}")
        || statement.to_ascii_lowercase().contains(".remove({})");
    if all || words.iter().any(mongo) {
        return true;
    }
    let has = |wanted: &str| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
    STATEMENTS.iter().any(|wanted| {
        let starts = words.get(..wanted.len()).is_some_and(|start| {
            start.iter().zip(*wanted).all(|(word, wanted)| word.eq_ignore_ascii_case(wanted))
        });
        let bounded = has("where") && !statement.contains("1=1") && !statement.contains("1 = 1");
        starts
            && (wanted.first() != Some(&"alter") || has("drop"))
            && (wanted.first() != Some(&"delete") || !bounded)
    })
}

#[cfg(test)]
mod tests {
    use super::destroys;

    #[test]
    fn tells_destroying_statements() {
        for text in [
            "DROP TABLE users",
            " truncate users",
            "Delete From x where 1=1",
            "delete from x",
            "db.users.drop()",
            "db.users.deleteMany({})",
            "alter table x drop y",
        ] {
            assert!(destroys(text), "{text}");
        }
        for text in [
            "select 'drop table x'",
            "delete from x where id = 4",
            "alter table x add y int",
            "insert into deleted values(1)",
        ] {
            assert!(!destroys(text), "{text}");
        }
    }
}
