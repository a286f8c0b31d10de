"""The figures of a run from its samples.jsonl alone, by the formulas of scoring.md and comparing.md.

    python3 docs/recompute.py RUN            figures of each suite, agent and prompt, as JSON
    python3 docs/recompute.py RUN OTHER      RUN (B) compared with OTHER (A)

RUN is the folder of a run in which nothing is missing. Python 3.9 or later, no packages.
"""

import json, math, re, sys
from collections import defaultdict
from fractions import Fraction
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


def beta(x, a, b):
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    f = c = 1.0
    d = 0.0
    for i in range(5000):
        m = i // 2
        if i == 0:
            term = 1.0
        elif i % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + term * d or 1e-300)
        c = 1 + term / c or 1e-300
        f *= c * d
        if i > 0 and abs(1 - c * d) < 1e-15:
            break
    return front * (f - 1) / a


def t_quantile(df, tails=0.05):
    low, high = 0.0, 1e9
    for _ in range(200):
        t = (low + high) / 2
        low, high = (t, high) if beta(df / (df + t * t), df / 2, 0.5) > tails else (low, t)
    return low


def wilson(p, n):
    centre, half = p + Z**2 / (2 * n), Z * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    low, high = [(centre + end) / (1 + Z**2 / n) for end in (-half, half)]
    return [max(0, min(low, p)), min(1, max(high, p))]


def kish(sizes):
    squares = sum(w * w for w in sizes)
    return sum(sizes) ** 2 / squares, squares**2 / sum(w**4 for w in sizes) - 1


def clusters(questions):
    """(W, Y) of each cluster, from (w, y, cluster) of each question."""
    sums = defaultdict(lambda: [0, 0.0])
    for index, (w, y, cluster) in enumerate(questions):
        if w > 0:
            pair = sums[index if cluster is None else ("c", cluster)]
            pair[0] += w
            pair[1] += y
    return list(sums.values())


def share(questions):
    """Value, the number of results that it is worth, and the interval of a share."""
    parts = clusters(questions)
    n = sum(w for w, _ in parts)
    p = sum(y for _, y in parts) / n
    if any(w != 1 for w, _ in parts):
        k, d = kish([w for w, _ in parts])
        if p in (0, 1) or len(parts) == 1:
            worth = k
        else:
            seen = len(parts) / (len(parts) - 1) * sum((y - p * w) ** 2 for w, y in parts) / n**2
            m = min(kish([w for w, y in parts if y > 0])[0], kish([w for w, y in parts if y < w])[0])
            worth = min(n, p * (1 - p) * (m + 2) / (m * seen + 2 * p * (1 - p) / k))
        n = worth * (Z / t_quantile(d + 2)) ** 2
    return p, n, wilson(p, n)


def mean_of_numbers(questions):
    parts = clusters(questions)
    n, total = sum(w for w, _ in parts), sum(y for _, y in parts)
    k, _ = kish([w for w, _ in parts])
    w0 = n / k
    mu = (total + w0) / (n + 2 * w0)
    r = sum((y - mu * w) ** 2 for w, y in parts) + (w0 * mu) ** 2 + (w0 * (1 - mu)) ** 2
    half = t_quantile(len(parts) + 1) * math.sqrt((k + 2) / (k + 1) * r) / (n + 2 * w0)
    value = total / n
    return value, [max(0, min(mu - half, value)), min(1, max(mu + half, value))]


def macro(shares):
    g = len(shares)
    m = sum(p for p, _, _ in shares) / g
    v = sum(p * (1 - p) / n for p, n, _ in shares) / g**2
    most = g**2 / sum(1 / n for _, n, _ in shares)
    return m, wilson(m, min(most, m * (1 - m) / v) if v > 0 else most)


def quantile(rows, time, q, bounds):
    """R-7 of the times of some rows, and its ends by rank. From the lowest of `bounds` on, times are lower bounds."""
    if not rows:
        return None, None
    times = sorted(time(row) for row in rows)
    at = (len(times) - 1) * q
    low, high = times[math.floor(at)], times[math.ceil(at)]
    value = low + (high - low) * (at - math.floor(at))
    reached = tally(rows, lambda row: float(time(row) <= value))
    n = max(1, math.floor(share(reached)[1] + 1e-9))
    below = lambda limit: next(k for k in range(n + 1) if k == n or beta(1 - q, n - k, k + 1) >= limit)
    first, last = below(0.025), below(0.975) + 1
    known = len(times) if not bounds else sum(row["state"] != "timed_out" and time(row) <= min(bounds) for row in rows)
    ends = [None, None]
    if first > 0:
        ends[0] = times[len(times) * (first - 1) // n]
    if last <= n and -(-len(times) * last // n) <= known:
        ends[1] = times[-(-len(times) * last // n) - 1]
    return value, None if ends == [None, None] else ends


def has_target(row):
    return row["state"] in ("correct", "incorrect") or (row["state"] != "ungraded" and row["target"] is not None)


def tally(rows, worth):
    """(w, y, cluster) of each question; None is not counted."""
    questions = {}
    for row in rows:
        w, y, cluster = questions.get(row["id"], (0, 0.0, row.get("cluster")))
        value = worth(row)
        questions[row["id"]] = (w + (value is not None), y + (value or 0), cluster)
    return list(questions.values())


def right(row):
    return float(row["state"] == "correct") if has_target(row) else None


def score(row, name):
    if "scores" not in row:
        return 0.0
    value = row["scores"].get(name, False)
    return None if value is None else float(value)


def figures(rows):
    """Of one group."""
    graded = [row for row in rows if has_target(row)]
    timed = [row for row in rows if row["state"] != "errored" and row["latency_ms"] is not None]
    bounds = [row["latency_ms"] for row in timed if row["state"] == "timed_out"]
    out = {"n": len(rows), "graded": len(graded), "questions": len({row["id"] for row in rows})}
    if graded:
        out["accuracy"], _, out["ci95"] = share(tally(graded, right))
    values = defaultdict(list)
    for row in graded:
        for name, value in row.get("scores", {}).items():
            values[name].append(value)
    for name, given in values.items():
        if all(value is None for value in given):
            continue
        questions = tally(graded, lambda row: score(row, name))
        is_mean = any(value is not None and not isinstance(value, bool) for value in given)
        value, *_, ci95 = (mean_of_numbers if is_mean else share)(questions)
        out.setdefault("scores", {})[name] = {"n": sum(w for w, _, _ in questions), "mean": value, "ci95": ci95}
    for name, q, least in (("median", 0.5, 1), ("p95", 0.95, 20)):
        some = timed if len(timed) >= least else []
        value, ci95 = quantile(some, lambda row: row["latency_ms"], q, bounds)
        out[name + "_latency_ms"], out[name + "_latency_ci95"] = value, ci95
    first = [row for row in rows if "first_token_ms" in row]
    for name, q, least in (("median", 0.5, 1), ("p95", 0.95, 20)):
        some = first if len(first) >= least else []
        if first:
            value, ci95 = quantile(some, lambda row: row["first_token_ms"], q, [])
            out[name + "_first_token_ms"], out[name + "_first_token_ci95"] = value, ci95
    return out


def chance(rows):
    """Of guessing: an option, or any set of them where several may be right."""
    found = {}
    for row in filter(has_target, rows):
        options, target = row.get("options", 0), row["target"]
        labels = len(re.split(r",(?=\S)", target)) if isinstance(target, str) else len(target)
        right = labels if row.get("accepts") == "any" else 1
        several = row.get("multiple") if row.get("multiple") is not None else labels > right
        if options:
            found[row["id"]] = right / (2**options - 1 if several else options)
    return sum(found.values()) / len(found) if found else None


def consistency(rows):
    """How alike the trials of a question are, by outcome and by cost; as means over questions."""
    pairs = lambda n: n * (n - 1) / 2
    alike = [(pairs(y) + pairs(w - y)) / pairs(w) for w, y, _ in tally(rows, right) if w > 1]
    costs, spread = defaultdict(list), []
    for row in rows:
        judged = row["judge"]["cost_usd"] if "judge" in row else 0
        if row["cost_usd"] is not None and judged is not None:
            costs[row["id"]].append(row["cost_usd"] + judged)
    for some in costs.values():
        mean = sum(some) / len(some)
        if len(some) > 1 and mean > 0:
            spread.append(math.sqrt(sum((c - mean) ** 2 for c in some) / (len(some) - 1)) / mean)
    return (
        sum(alike) / len(alike) if alike else None,
        math.exp(-sum(spread) / len(spread)) if spread else None,
    )


def suites(rows):
    out = {}
    variants = defaultdict(list)
    for row in rows:
        variants[row["suite"], row["dataset"], row["agent"], row.get("prompt")].append(row)
    for variant, some in variants.items():
        groups = defaultdict(list)
        for row in some:
            groups[row["group"]].append(row)
        named = {name: of for name, of in groups.items() if name != "all"}
        out[" ".join(filter(None, variant))] = entry = {
            "groups": {name: figures(of) for name, of in {**named, "all": some}.items()},
            "chance": chance(some),
        }
        if len(some) > len({row["id"] for row in some}):
            entry["outcome_consistency"], entry["cost_consistency"] = consistency(some)
        if len(named) > 1 and all(any(map(has_target, of)) for of in named.values()):
            entry["macro_accuracy"], entry["macro_ci95"] = macro([share(tally(of, right)) for of in named.values()])
            inside = [c for of in named.values() for c in {row["cluster"] for row in of if "cluster" in row}]
            if len(set(inside)) < len(inside):  # A cluster is in two groups.
                entry["macro_ci95"] = None
        questions = [q for q in tally(some, right) if q[0] > 0]
        for k in range(2, min((w for w, _, _ in questions), default=0) + 1):
            miss = lambda w, y: math.comb(w - int(y), k) / math.comb(w, k)
            entry.setdefault("pass", {})[k] = [
                mean_of_numbers([(1, 1 - miss(w, y), c) for w, y, c in questions]),
                mean_of_numbers([(1, math.comb(int(y), k) / math.comb(w, k), c) for w, y, c in questions]),
            ]
    return out


def sign_flip(sums):
    """Exact: each sum with either sign."""
    chances = {Fraction(0): 1.0}
    for d in sums:
        after = defaultdict(float)
        for at, chance in chances.items():
            after[at + d] += chance / 2
            after[at - d] += chance / 2
        chances = after
    return min(1, sum(chance for at, chance in chances.items() if abs(at) >= abs(sum(sums))))


def permutation(pairs):
    """Exact: the right results of each question dealt anew."""
    chances = {Fraction(0): 1.0}
    seen = sum(Fraction(yb, wb) - Fraction(ya, wa) for wa, ya, wb, yb in pairs)
    for wa, ya, wb, yb in pairs:
        after = defaultdict(float)
        for x in range(max(0, ya + yb - wb), min(wa, ya + yb) + 1):
            chance = math.comb(wa, x) * math.comb(wb, ya + yb - x) / math.comb(wa + wb, ya + yb)
            for at, before in chances.items():
                after[at + Fraction(ya + yb - x, wb) - Fraction(x, wa)] += before * chance
        chances = after
    return min(1, sum(chance for at, chance in chances.items() if abs(at) >= abs(seen)))


def compare(a, b):
    def questions(rows):
        by_id = defaultdict(list)
        for row in rows:
            by_id[row["id"]].append(row)
        return {id: (tally(of, right)[0]) for id, of in by_id.items()}

    one, other = questions(a), questions(b)
    shared = [id for id in other if id in one and one[id][0] > 0 and other[id][0] > 0]
    pairs = [(one[id][0], int(one[id][1]), other[id][0], int(other[id][1])) for id in shared]
    d = [Fraction(yb, wb) - Fraction(ya, wa) for wa, ya, wb, yb in pairs]
    of = defaultdict(lambda: [Fraction(0), 0])
    for index, id in enumerate(shared):
        cluster = other[id][2] if other[id][2] is not None else one[id][2]
        part = of[index if cluster is None else ("c", cluster)]
        part[0] += d[index]
        part[1] += 1
    n, sizes = len(d), [w for _, w in of.values()]
    p = sign_flip([each for each, _ in of.values()])
    if any(wa != wb for wa, _, wb, _ in pairs):
        p = max(p, permutation(pairs))
    k, df = kish(sizes)
    alone = len(of) == n
    w0 = 1 if alone else math.sqrt(n / k)
    total = n + 2 * w0
    mu = float(sum(d)) / total
    r = sum((float(each) - mu * w) ** 2 for each, w in of.values()) + (w0 - mu * w0) ** 2 + (w0 + mu * w0) ** 2
    half = (Z if alone else t_quantile(df + 2) * math.sqrt((k + 2) / (k + 1))) * math.sqrt(r) / total
    low, high = max(-1, mu - half), min(1, mu + half)
    if p >= 0.05:
        low, high = min(low, 0), max(high, 0)
    else:
        low, high = (max(low, 0), high) if sum(d) > 0 else (low, min(high, 0))
    a_right = sum(ya / wa for wa, ya, _, _ in pairs) / n
    drop = smallest_drop([float(each) for each in d], list(of.values()), pairs, a_right)
    return {"questions": n, "difference": float(sum(d)) / n, "ci95": [low, high], "p_value": p, "drop": drop}


def smallest_drop(d, parts, pairs, accuracy):
    """The smallest drop that would be detected with 80 % power; None with fewer than six clusters."""
    n, c = len(d), len(parts)
    if c < 6:
        return None
    m = min(min(wa, wb) for wa, _, wb, _ in pairs)
    mean = sum(d) / n
    apart = sum((each - mean) ** 2 for each in d)
    together = sum((float(each) - mean * w) ** 2 for each, w in parts)
    effect = 1 if apart == 0 else max(1, together / apart)
    seen = (sum(each * each for each in d) + 2 / m) / (n + 2)
    t95, t80 = t_quantile(c - 1), t_quantile(c - 1, 0.4)
    low, high = 0.0, 1.0
    for _ in range(60):
        x = (low + high) / 2
        delta = max(seen, x / m)
        shown = math.sqrt(n / effect) * x >= t95 * math.sqrt(delta) + t80 * math.sqrt(max(0, delta - x * x))
        low, high = (low, x) if shown else (x, high)
    return high if high <= accuracy else None


def read(folder):
    with open(folder + "/samples.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


if __name__ == "__main__":
    runs = [read(folder) for folder in sys.argv[1:]]
    print(json.dumps(suites(runs[0]) if len(runs) == 1 else compare(runs[1], runs[0]), indent=1))
