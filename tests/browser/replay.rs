//! The page moves marbles by what the server said of a move; the server's next position must agree.

use crate::page::{Look, Page};

const CHECK: &str = r"(async () => {
    const { play, same, fromFen, toFen } = await import(new URL('board/replay.js', document.querySelector('script[type=module]').src));
    const ask = (body) => fetch('/api/v1/positions', {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    }).then((r) => r.json()).then((r) => r.position);
    const fens = FENS;
    let checked = 0;
    for (const fen of fens) {
        const before = await ask({ fen });
        if (toFen(fromFen(before.fen), before.turn).split(' ')[0] !== before.fen.split(' ')[0]) return `text of ${fen}`;
        for (const move of before.moves) {
            const after = await ask({ fen, moves: [move.move] });
            const ours = play(before, move);
            if (!same(ours, after) || ours.score[before.turn] !== after.score[before.turn]) return `${fen} ${move.move}`;
            checked += 1;
        }
    }
    return checked;
})()";

#[test]
#[ignore = "needs Chromium"]
fn marbles_go_where_the_server_says_they_go() {
    let mut page = Page::open("/about", Look::default());
    // Moves of every kind, pushes over the rim among them.
    let fens = serde_json::json!([
        "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1",
        "5/4sS/4SS1/3S4/sSS1sSSs1/3sS3/7/SSs3/sS3 2 2 b 0 1",
        "5/4sS/4SS1/3S4/sSS1sSSs1/3sS3/7/SSs3/sS3 2 2 w 0 1",
    ]);
    let checked = page.eval(&CHECK.replace("FENS", &fens.to_string()));
    assert!(checked.as_u64().is_some_and(|moves| moves > 100), "{checked}");
    page.no_faults();
}
