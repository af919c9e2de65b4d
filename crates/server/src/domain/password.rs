//! Passwords: which are too weak, and what is kept of them. There are no rules but length and a list of those that everybody tries.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

use super::error::{AppError, Cause};

/// Letters of a password. So long a one takes no longer to hash than any other.
const LEAST: usize = 8;
const MOST: usize = 200;
/// Passwords that everybody tries first, in small letters, besides those that [`is_plain`] finds.
const WORST: &str = include_str!("worst-passwords.txt");

/// What is kept of no password: a guess at a name that nobody has is compared with it.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgc2FsdC4$1ZJ7nbbKrcuvR1WUUkt9EcDzDtLvQmGqB2oW7yKqCsk";

/// Refuses a password that is too short, or is among the first that anybody would try for this name.
pub(crate) fn check(password: &str, name: &str) -> Result<(), AppError> {
    let length = password.chars().count();
    if !(LEAST..=MOST).contains(&length) {
        return Err(Cause::PasswordLength { least: LEAST, most: MOST }.at("password"));
    }
    let small = password.to_lowercase();
    // A worst one is no better with a year, a digit or an exclamation mark at its end.
    let stem = small.trim_end_matches(|c: char| c.is_ascii_digit() || c == '!' || c == '.');
    let is_known = WORST.lines().any(|worst| worst == small || worst == stem);
    if is_known || is_plain(&small) || stem == name.to_lowercase() {
        return Err(Cause::PasswordWeak {}.at("password"));
    }
    Ok(())
}

/// Whether it is one letter again and again, or letters in the order of the alphabet or of the digits.
fn is_plain(password: &str) -> bool {
    let letters: Vec<u32> = password.chars().map(u32::from).collect();
    let by = |step: i64| letters.windows(2).all(|two| i64::from(two[1]) - i64::from(two[0]) == step);
    by(0) || by(1) || by(-1)
}

/// What is kept: Argon2id with a salt of its own, as a text that names its parameters. Takes some twenty milliseconds and as
/// many megabytes.
pub(crate) fn hashed(password: &str) -> Result<String, AppError> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash: PasswordHash| hash.to_string()).map_err(|error| {
        tracing::error!(%error, "a password could not be hashed");
        AppError::internal()
    })
}

/// Whether it is the password of which this was kept. It takes as long if nothing was kept, so that nobody learns which
/// names there are.
pub(crate) fn is_right(password: &str, kept: Option<&str>) -> bool {
    // Nobody can log in with a text that is too long.
    let password = if password.len() > 4 * MOST { "" } else { password };
    let Ok(hash) = PasswordHash::new(kept.unwrap_or(NOBODYS)) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok() && kept.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_guesses_are_refused_and_a_sentence_is_not() {
        let code = |password: &str| check(password, "Marbella").err().map(|error| error.fault().cause.code());
        for password in [
            "password",
            "Password1",
            "passw0rd!",
            "12345678",
            "87654321",
            "aaaaaaaaaa",
            "abcdefghij",
            "marbella",
            "Marbella99",
        ] {
            assert_eq!(code(password), Some("password.weak"), "{password}");
        }
        assert_eq!(code("short"), Some("password.length"));
        assert_eq!(code(&"x1".repeat(101)), Some("password.length"));
        for password in ["six marbles off", "kq3v-81zu", "пароль из слов"] {
            assert_eq!(code(password), None, "{password}");
        }
    }

    #[test]
    fn a_password_is_known_by_what_is_kept_of_it_alone() {
        let kept = hashed("six marbles off").expect("a hash");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert_ne!(kept, hashed("six marbles off").expect("a hash"), "each has its own salt");
        assert!(is_right("six marbles off", Some(&kept)));
        assert!(!is_right("six marbles of", Some(&kept)));
        assert!(!is_right("six marbles off", None));
        assert!(!is_right("", Some("no hash")));
    }

    #[test]
    fn a_guess_at_a_name_that_nobody_has_takes_the_same_work() {
        let new = hashed("whatever it is").expect("a hash");
        let [new, nobodys] = [&new, NOBODYS].map(|text| PasswordHash::new(text).expect("a hash"));
        assert_eq!(
            (new.algorithm, new.version, new.params),
            (nobodys.algorithm, nobodys.version, nobodys.params)
        );
        assert!(nobodys.hash.is_some());
    }
}
