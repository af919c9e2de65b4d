
#[test]
fn the_window_of_verloops_nodes_is_the_narrowest_that_passes_the_same_rule() {
    let windows = ["10", "20", "40", "60", "100", "150", "200", "300"];
    let chosen = narrowest("verloop/windows", &windows).expect("a window that passes");
    assert_eq!(chosen.parse(), Ok(defaults("verloop").int("window")));
}
