//! Accounts: somebody makes one, loses the password, logs in elsewhere and leaves again.

use crate::page::{Look, Page};

pub(crate) const ARENA: &[(&str, &str)] = &[("SUMITO_ARENA", "true")];
/// Whose account the bar names.
const BAR: &str = "document.querySelector('#bar a.account')";
const WRONG: &str = "document.querySelector('.wrong:not([hidden])')";

/// Writes into the fields of the form that is open, and sends it.
fn send(page: &mut Page, fields: &[(&str, &str)]) {
    for (name, text) in fields {
        page.eval(&format!("document.querySelector('main [name={name}]').value = ''"));
        page.click(&format!("main [name={name}]"));
        page.type_text(text);
    }
    page.click("main [type=submit]");
}

/// Makes an account; the codes.
pub(crate) fn sign_up(page: &mut Page, name: &str) -> Vec<String> {
    page.click("[data-act=way-new]");
    send(page, &[("name", name), ("password", "six marbles off")]);
    page.wait("document.querySelector('.codes')");
    let codes =
        page.text("[...document.querySelectorAll('.codes code')].map((code) => code.textContent).join(' ')");
    codes.split(' ').map(str::to_string).collect()
}

#[test]
#[ignore = "needs Chromium"]
fn an_account_is_made_lost_and_found_again_in_another_browser() {
    let mut anna = Page::open_at("/account", Look::default(), ARENA);
    anna.wait("document.activeElement.name === 'name'");
    anna.click("[data-act=way-new]");
    send(&mut anna, &[("name", "Anna"), ("password", "password1")]);
    anna.wait(WRONG);
    assert_eq!(
        anna.text(&format!("{WRONG}.textContent")),
        "This is among the first that anybody would try. Take a short sentence."
    );
    assert_eq!(
        anna.text("document.activeElement.name"),
        "password",
        "where it is wrong one can write at once"
    );
    anna.click("[data-act=way-in]");
    let codes = sign_up(&mut anna, "Anna");
    assert_eq!((codes.len(), codes[0].len()), (8, 10));
    anna.wait(&format!("{BAR}.textContent === 'Anna'"));
    anna.click("[data-act=codes-kept]");
    anna.wait("document.querySelector('[data-act=log-out]')");
    assert_eq!(anna.eval("document.querySelector('[data-act=log-out-others]')"), serde_json::Value::Null);

    let phone = Look { width: 360, height: 740, touch: true, dark: false, language: "fr" };
    let mut other = anna.beside("/account", phone);
    send(&mut other, &[("name", "anna"), ("password", "a wrong guess")]);
    other.wait(WRONG);
    other.click("[data-act=way-lost]");
    send(&mut other, &[("name", "anna"), ("code", &codes[3]), ("password", "another sentence")]);
    other.wait(&format!("{BAR}.textContent === 'Anna'"));
    other.wait("document.querySelector('[data-act=log-out]')?.textContent === 'Se déconnecter'");
    assert_eq!(other.eval("document.documentElement.scrollWidth <= innerWidth"), true);

    // The lost password's sessions are over: the page asks again who it is.
    anna.goto("/account");
    anna.wait("document.querySelector('[data-act=way-new]')");
    send(&mut anna, &[("name", "Anna"), ("password", "another sentence")]);
    anna.wait("document.querySelectorAll('.account ul.list li').length === 2");
    anna.click("[data-act=log-out-others]");
    anna.wait("document.querySelectorAll('.account ul.list li').length === 1");
    anna.click("[data-act=log-out]");
    anna.wait("document.querySelector('[data-act=way-new]')");
    assert_eq!(anna.text(&format!("{BAR}.textContent")), "Log in");
    for mut page in [other, anna] {
        page.forgive("403");
        page.forgive("422");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_server_without_accounts_does_not_speak_of_them() {
    let mut page = Page::open("/", Look::default());
    page.rest();
    assert_eq!(page.eval(&format!("{BAR}.hidden")), true);
    page.goto("/account");
    page.wait("document.querySelector('main p')?.textContent === 'This server has no accounts.'");
    page.no_faults();
}
