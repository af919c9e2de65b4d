#!/usr/bin/env python3
"""Compares what `oracle.rs` wrote to a folder, which is the argument, with networkx (pip install networkx)."""
import pathlib
import sys
import networkx as nx

CHECKS = pathlib.Path(sys.argv[1])


def weight_of(graph, matching):
    return sum(graph[a][b]["weight"] for a, b in matching)


def graphs():
    """100 random graphs: the greatest weight, and the greatest weight among the matchings with most pairs."""
    count = 0
    for line in open(CHECKS / "graphs.txt"):
        weight, pairs, most, *edges = line.split()
        graph = nx.Graph()
        graph.add_weighted_edges_from(tuple(map(int, edge.split(","))) for edge in edges)
        free = nx.max_weight_matching(graph)
        full = nx.max_weight_matching(graph, maxcardinality=True)
        assert weight_of(graph, free) == int(weight), f"graph {count}"
        assert (len(full), weight_of(graph, full)) == (int(pairs), int(most)), f"graph {count}"
        count += 1
    return f"{count} graphs of 50 vertices: the same weights"


def rounds():
    """Every round: ours has a rematch if and only if there is no complete matching without one."""
    count = rematches = 0
    for line in open(CHECKS / "rounds.txt"):
        head, _, tail = line.partition(" met")
        players, *pairs = head.split()
        players, vertices = int(players), (int(players) + 1) // 2 * 2
        pairs = {tuple(sorted(map(int, pair.split(",")))) for pair in pairs}
        met = {tuple(map(int, pair.split(","))) for pair in tail.split()}
        graph = nx.Graph()
        graph.add_nodes_from(range(vertices))
        graph.add_edges_from(
            (a, b, {"weight": 1}) for a in range(vertices) for b in range(a + 1, vertices)
            if b >= players or (a, b) not in met
        )
        possible = 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == vertices
        assert bool(pairs & met) != possible, f"round {count}"
        count, rematches = count + 1, rematches + (not possible)
    return f"{count} rounds: no rematch in {count - rematches}, and no round without one in the other {rematches}"


def worths():
    """A sample of the rounds: all criteria together are the best that networkx finds."""
    count = 0
    for line in open(CHECKS / "worths.txt"):
        graph, ours = nx.Graph(), 0
        for edge in line.split():
            a, b, is_ours, *parts = map(int, edge.split(","))
            weight = 0
            for part in parts:
                weight = weight * 10**7 + part
            graph.add_edge(a, b, weight=weight)
            ours += weight * is_ours
        best = nx.max_weight_matching(graph, maxcardinality=True)
        assert 2 * len(best) == graph.number_of_nodes()
        assert weight_of(graph, best) == ours, f"round {count}"
        count += 1
    return f"{count} rounds with all criteria: the same sums"


for check in (graphs, worths, rounds):
    print(check(), flush=True)
