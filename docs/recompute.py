"""The figures of a run from its samples.jsonl, by the formulas of scoring.md and comparing.md.

    python3 docs/recompute.py RUN            figures of each suite, agent and prompt, and their pairs, as JSON
    python3 docs/recompute.py RUN OTHER      RUN (B) compared with OTHER (A)
    python3 docs/recompute.py --kappa TABLE SHARE [quadratic]

RUN is the folder of a run in which nothing is missing. The order of its agents and prompts is read from its
manifest.json, how judges were calibrated from its end.json. TABLE is a list of rows: how often two people gave each pair
of labels; SHARE is what each pair is worth, 1 where each is of another question; quadratic weights are for grades. Python 3.9 or later, no packages.
"""

import hashlib, json, math, os, re, sys
from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
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


@lru_cache(None)
def t_quantile(df, tails=0.05):
    low, high = 0.0, 1e9
    for _ in range(100):
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
    sums = defaultdict(lambda: [0, 0])
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


def number(stated):
    """(number, is in per cent) of a stated confidence; None for words."""
    if isinstance(stated, (int, float)):
        return stated, False
    text = (stated or "").strip()
    percent = re.fullmatch(r"(\d{1,3}(?:\.\d{1,9})?)\s?%", text)
    if percent:
        return float(percent[1]), True
    return (float(text), False) if re.fullmatch(r"(?=\.?\d)\d{0,3}(?:\.\d{1,20})?", text) else None


def probabilities(rows):
    """Brier score and AUROC of stated probabilities; None without any, or if they are on several scales."""
    answered = [row for row in rows if has_target(row) and row["error"] is None]
    stated = [number(row["confidence"]) for row in answered]
    plain = [n for n, is_percent in filter(None, stated) if not is_percent and 0 <= n <= 100]
    has_percent = any(is_percent for _, is_percent in filter(None, stated))
    scale = 1 if max(plain, default=0) <= 1 else 10 if max(plain) <= 10 else 100
    if not plain:
        scale = 100
    elif (scale > 1 and any(0 < n < 1 for n in plain)) or (scale < 100 and has_percent):
        return None
    found = []
    for row, one in zip(answered, stated):
        share = None if one is None else one[0] / (100 if one[1] else scale)
        if share is not None and 0 <= share <= 1:
            found.append((row["id"], row.get("cluster"), share, row["state"] == "correct"))
    return {"n": len(found), "brier": brier(found), "auroc": auroc(found)} if found else None


def by_question(found):
    questions = defaultdict(list)
    for one in found:
        questions[one[0]].append(one)
    return list(questions.values())


def brier(found):
    mean = lambda values: sum(values) / len(values)
    squares = [(mean([(p - ok) ** 2 for _, _, p, ok in of]), of[0][1]) for of in by_question(found)]
    n, value = len(squares), mean([square for square, _ in squares])
    if len(clusters([(1, 0, c) for _, c in squares])) < n:
        return {"value": value, "n": n, "ci95": mean_of_numbers([(1, square, c) for square, c in squares])[1]}
    moment = lambda k: mean([p * (1 - p) ** k + (1 - p) * p**k for _, _, p, _ in found])
    variance = max(mean([(square - value) ** 2 for square, _ in squares]), moment(4) - moment(2) ** 2)
    return {"value": value, "n": n, "ci95": wilson(value, n * value * (1 - value) / variance if variance else n)}


def auroc(found):
    right = [p for _, _, p, ok in found if ok]
    wrong = [p for _, _, p, ok in found if not ok]
    if not right or not wrong:
        return None
    value = sum((a > b) + (a == b) / 2 for a in right for b in wrong) / (len(right) * len(wrong))
    questions = by_question(found)
    k, _ = kish([w for w, _ in clusters([(1, 0, of[0][1]) for of in questions])])
    m, n = len(right) * k / len(found), len(wrong) * k / len(found)
    others = (m + n) / 2 - 1

    def end(limit):
        inside, outside = value, limit
        for _ in range(50):
            a = (inside + outside) / 2
            error = math.sqrt(max(0, a * (1 - a) * (1 + others * ((1 - a) / (2 - a) + a / (1 + a))) / (m * n)))
            inside, outside = (a, outside) if abs(value - a) <= Z * error else (inside, a)
        return inside

    return {"value": value, "n": len(questions), "ci95": [end(0), end(1)]}


def kappa(table, share=1, quadratic=False):
    """Cohen's kappa of k labels and its interval, of which two agreements and two disagreements are part."""
    k = len(table)
    places = [(i, j) for i in range(k) for j in range(k)]
    w = lambda i, j: 1 - ((i - j) / (k - 1)) ** 2 if quadratic else float(i == j)

    def shares(counts):
        n = sum(map(sum, counts))
        cells = [[count / n for count in row] for row in counts]
        first, second = [sum(row) for row in cells], [sum(row[j] for row in cells) for j in range(k)]
        return n, cells, first, second, sum(first[i] * second[j] * w(i, j) for i, j in places)

    def of(cells, chance):
        return (sum(cells[i][j] * w(i, j) for i, j in places) - chance) / (1 - chance)

    value = None
    if sum(map(sum, table)) > 0:
        _, cells, _, _, chance = shares(table)
        value = None if chance == 1 else of(cells, chance)
    add = lambda i, j: 2 / k if i == j else 2 / (k * (k - 1))
    n, cells, first, second, chance = shares([[table[i][j] * share + add(i, j) for j in range(k)] for i in range(k)])
    centre = of(cells, chance)
    rest = 1 - centre
    u = [sum(second[j] * w(i, j) for j in range(k)) for i in range(k)]
    v = [sum(first[i] * w(i, j) for i in range(k)) for j in range(k)]
    squares = sum(cells[i][j] * (w(i, j) - (u[i] + v[j]) * rest) ** 2 for i, j in places)
    half = Z * math.sqrt(max(0, squares - (centre - chance * rest) ** 2) / n) / (1 - chance)
    seen = centre if value is None else value
    return value, [max(-1, min(centre - half, seen)), min(1, max(centre + half, seen))]


def criteria(row):
    judge = row.get("judge")
    return [] if judge is None else [*judge.get("others", []), judge]


def judge_key(one):
    """Judges, prompt and the hash of the criterion, as end.json has them."""
    criterion = one["criterion"]
    if not re.fullmatch("hidden:[0-9a-f]{16}", criterion):
        criterion = "hidden:" + hashlib.sha256(criterion.encode()).hexdigest()[:16]
    return json.dumps([one["models"], one["prompt_hash"], criterion], separators=(",", ":"), ensure_ascii=False)


def judges(rows, known):
    """How often each was asked, and how it agrees with people: from TPR and TNR with their numbers of labels."""
    asked = defaultdict(int)
    for one in (one for row in rows for one in criteria(row)):
        asked[judge_key(one), one.get("score")] += 1
    out = []
    for (key, _), count in asked.items():
        found = known.get(key)
        if found and "kappa_ci95" in found:
            # Of grades end.json has no counts.
            kept = {name: found[name] for name in ("labels", "agreement", "kappa", "kappa_ci95")}
            found = {**kept, "tpr_ci95": None, "tnr_ci95": None}
        elif found:
            found = calibration(found["tpr"], found["tnr"])
        out.append({"judged": count, "calibration": found})
    return out


def calibration(tpr, tnr):
    passed, failed = [(0, 0) if rate is None else (round(rate["value"] * rate["n"]), rate["n"]) for rate in (tpr, tnr)]
    table = [[passed[0], passed[1] - passed[0]], [failed[1] - failed[0], failed[0]]]
    n = passed[1] + failed[1]
    rates = [rate and wilson(rate["value"], rate.get("worth", rate["n"])) for rate in (tpr, tnr)]
    agreement = (passed[0] + failed[0]) / n
    return {"labels": n, "agreement": agreement, "kappa": kappa(table)[0], "tpr_ci95": rates[0], "tnr_ci95": rates[1]}


def corrected(decisions, n, known):
    """Of (is right, criteria of judges) of each result, which are worth n: Rogan-Gladen and Lang-Reiczigel."""
    judged = [decision for decision in decisions if decision[1]]
    if not judged:
        return None
    unknown = lambda why: {"judged": len(judged), "accuracy": None, "ci95": None, "why": why}
    more_than_half = lambda word, one: one["verdicts"].count(word) > len(one["verdicts"]) / 2
    keys = {(judge_key(one), one.get("score")) for _, of in judged for one in of}
    if len(keys) > 1 or any(len(of) > 1 or not more_than_half("pass" if ok else "fail", of[0]) for ok, of in judged):
        return unknown("several judges")
    rates = known.get(next(iter(keys))[0]) or {}
    tpr, tnr = rates.get("tpr"), rates.get("tnr")
    if tpr is None or tnr is None:
        return unknown("uncalibrated")
    power = tpr["value"] + tnr["value"] - 1
    if power <= 0:
        return unknown("no better than chance")
    passed = sum(ok for ok, _ in judged)
    failed = len(judged) - passed
    right = sum(ok for ok, _ in decisions) - passed
    share = max(0, min(1, (passed / len(judged) + tnr["value"] - 1) / power))
    value = (len(judged) * share + right) / len(decisions)
    each = n / len(decisions)
    ci95 = lang_reiczigel([x * each for x in (passed, failed, right, len(decisions) - len(judged) - right)], tpr, tnr)
    return {"judged": len(judged), "accuracy": value, "ci95": [min(ci95[0], value), max(ci95[1], value)], "why": None}


def lang_reiczigel(counts, tpr, tnr):
    passed, failed, right, wrong = counts[0] + Z**2 / 2, counts[1] + Z**2 / 2, counts[2], counts[3]
    (se, v_se), (sp, v_sp) = [
        (r, r * (1 - r) / (worth + 2))
        for rate in (tpr, tnr)
        for worth in [rate.get("worth", rate["n"])]
        for r in [(rate["value"] * worth + 1) / (worth + 2)]
    ]
    power, n = se + sp - 1, passed + failed + right + wrong
    if power <= 0:
        return [0, 1]
    judged, rate = (passed + failed) / n, (passed / (passed + failed) + sp - 1) / power
    centre = judged * rate + right / n
    squares = (passed * (sp / power) ** 2 + failed * ((1 - sp) / power) ** 2 + right) / n
    of_labels = (rate**2 * v_se + (1 - rate) ** 2 * v_sp) / power**2
    half = Z * math.sqrt((squares - centre**2) / n + judged**2 * of_labels)
    shift = judged * 2 * Z**2 * (rate * v_se - (1 - rate) * v_sp)
    return [max(0, centre + shift - half), min(1, centre + shift + half)]


def label_text(value):
    text = ("true" if value else "false") if isinstance(value, bool) else value
    return text.strip() if isinstance(text, str) else ""


LETTERS = re.compile(r"([\W_]*[a-j](?![^\W_]))+[\W_]*", re.I)


def find_labels(rows):
    """The labels that answers are to be, in lower case with how they are shown; None if targets are no labels."""
    questions = {row["id"]: row for row in rows if has_target(row)}
    found = defaultdict(list)
    for row in questions.values():
        text = label_text(row["target"])
        is_number = any(c.isnumeric() for c in text) and not any(c.isalpha() for c in text)
        if "options" in row or not 0 < len(text) <= 30 or is_number:
            return None
        found[text.lower()].append(text)
    shown = {key: min(texts) for key, texts in found.items()}
    are = (
        2 <= len(found) <= max(12, len(questions) / 10)
        and all(len(texts) > 1 for texts in found.values())
        and not all(map(LETTERS.fullmatch, shown.values()))
    )
    return dict(sorted(shown.items(), key=lambda one: one[1])) if are else None


def read_labels(rows, labels):
    """(label expected, label given or None, row) of each graded result."""
    out = []
    for row in filter(has_target, rows):
        expected, answer = label_text(row["target"]).lower(), row["answer"]
        values = list(answer.values()) if isinstance(answer, dict) else [answer]
        given = [key for key in (label_text(value).lower() for value in values) if key in labels]
        given = given[0] if len(given) == 1 and given[0] != expected else None
        out.append((expected, expected if row["state"] == "correct" else given, row))
    return out


def label_figures(read, label):
    def of(some):
        rows = [{**row, "hit": float(expected == given)} for expected, given, row in read if some(expected, given)]
        return share(tally(rows, lambda row: row["hit"])) if rows else None

    pick = lambda found: found and {"value": found[0], "ci95": found[2]}
    both = of(lambda expected, given: label in (expected, given))
    f1 = lambda j: 2 * j / (1 + j)
    return {
        "precision": pick(of(lambda _, given: given == label)),
        "recall": pick(of(lambda expected, _: expected == label)),
        "f1": both and {"value": f1(both[0]), "ci95": [f1(end) for end in both[2]]},
    }


def macro_f1(rows, labels):
    read = read_labels(rows, labels)
    scores = [label_figures(read, label)["f1"] for label in labels if label in {expected for expected, _, _ in read}]
    if len(scores) < 2:
        return None, None
    mean = lambda values: sum(values) / len(values)
    return mean([f1["value"] for f1 in scores]), [mean([f1["ci95"][end] for f1 in scores]) for end in (0, 1)]


def figures(rows, known, labels):
    """Of one group."""
    graded = [row for row in rows if has_target(row)]
    timed = [row for row in rows if row["state"] != "errored" and row["latency_ms"] is not None]
    bounds = [row["latency_ms"] for row in timed if row["state"] == "timed_out"]
    out = {"n": len(rows), "graded": len(graded), "questions": len({row["id"] for row in rows})}
    if any("cluster" in row for row in graded):
        out["clusters"] = len(clusters(tally(graded, right)))
    costs, used = [cost(row) for row in rows], [row["usage"] for row in rows if row["usage"] is not None]
    out["cost_usd"] = None if None in costs else sum(costs)
    out["tokens"] = [sum(each[name] for each in used) if used else None for name in ("input_tokens", "output_tokens")]
    if graded:
        out["accuracy"], worth, out["ci95"] = share(tally(graded, right))
        has_grades = any("scale" in one for row in graded for one in criteria(row))
        if not has_grades and not any(decided_by_scores(row) for row in graded):
            found = corrected([(row["state"] == "correct", criteria(row)) for row in graded], worth, known)
            if found:
                out["corrected"] = found
    if labels:
        out["macro_f1"], out["macro_f1_ci95"] = macro_f1(rows, labels)
    values = defaultdict(list)
    for row in graded:
        for name, value in row.get("scores", {}).items():
            values[name].append(value)
    for name, given in values.items():
        if all(value is None for value in given):
            continue
        questions = tally(graded, lambda row: score(row, name))
        is_mean = any(value is not None and not isinstance(value, bool) for value in given)
        value, *worth, ci95 = (mean_of_numbers if is_mean else share)(questions)
        counted = [each for each in questions if each[0] > 0]
        entry = {"n": sum(w for w, _, _ in counted), "questions": len(counted), "mean": value, "ci95": ci95}
        if any(cluster is not None for _, _, cluster in counted):
            entry["clusters"] = len(clusters(counted))
        out.setdefault("scores", {})[name] = entry
        of = lambda row: [one for one in criteria(row) if one.get("score") == name]
        if not is_mean and any(map(of, graded)):
            decisions = [(score(row, name) == 1, of(row)) for row in graded if score(row, name) is not None]
            entry["corrected"] = corrected(decisions, worth[0], known)
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


def decided_by_scores(row):
    """Whether a judge gave one of several scores that together make an answer right."""
    judged = {one["score"] for one in criteria(row) if "score" in one}
    return judged and len(judged | {name for name, value in row.get("scores", {}).items() if isinstance(value, bool)}) > 1


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


def positions(rows):
    """By the position of the only right option: results, right ones, and answers that chose an option here."""
    shown = [row for row in rows if has_target(row) and "presented" in row]
    at = lambda place: [row for row in shown if row["presented"]["target"] == [place]]
    return [
        {
            "n": len(at(place)),
            "correct": sum(map(right, at(place))),
            "chosen": sum(place in (row["presented"]["answer"] or []) for row in shown),
        }
        for place in range(1, 1 + max((row["options"] for row in shown), default=0))
    ]


def cost(row):
    """With its judges; None where a part is not known."""
    judged = row["judge"]["cost_usd"] if "judge" in row else 0
    return None if row["cost_usd"] is None or judged is None else row["cost_usd"] + judged


def consistency(rows):
    """How alike the trials of a question are, by outcome and by cost; as means over questions."""
    pairs = lambda n: n * (n - 1) / 2
    alike = [(pairs(y) + pairs(w - y)) / pairs(w) for w, y, _ in tally(rows, right) if w > 1]
    costs, spread = defaultdict(list), []
    for row in rows:
        if cost(row) is not None:
            costs[row["id"]].append(cost(row))
    for some in costs.values():
        mean = sum(some) / len(some)
        if len(some) > 1 and mean > 0:
            spread.append(math.sqrt(sum((c - mean) ** 2 for c in some) / (len(some) - 1)) / mean)
    return (
        sum(alike) / len(alike) if alike else None,
        math.exp(-sum(spread) / len(spread)) if spread else None,
    )


def by_variant(rows):
    variants = defaultdict(list)
    for row in rows:
        variants[row["suite"], row["dataset"], row["agent"], row.get("prompt")].append(row)
    return variants


def name(variant):
    return " ".join(filter(None, variant))


def groupings(rows):
    """The names of the further groupings: all but the one that `group` has."""
    names = dict.fromkeys(by for row in rows for by in row.get("groups", {}))
    return [by for by in names if any(row.get("groups", {}).get(by, "none") != row["group"] for row in rows)]


def suites(rows, known):
    out = {}
    for variant, some in by_variant(rows).items():
        groups = defaultdict(list)
        for row in some:
            groups[row["group"]].append(row)
        named = {group: of for group, of in groups.items() if group != "all"}
        labels = find_labels(some)
        out[name(variant)] = entry = {
            "groups": {group: figures(of, known, labels) for group, of in {**named, "all": some}.items()},
            "chance": chance(some),
            "positions": positions(some),
        }
        for by in groupings(some):
            sliced = defaultdict(list)
            for row in some:
                sliced[row.get("groups", {}).get(by, "none")].append(row)
            entry.setdefault("slices", {})[by] = {group: figures(of, known, labels) for group, of in sliced.items()}
        stated = probabilities(some)
        if stated:
            entry["probability"] = stated
        if any(map(criteria, some)):
            entry["judges"] = judges(some, known)
        if labels:
            read = read_labels(some, labels)
            entry["labels"] = {shown: label_figures(read, label) for label, shown in labels.items()}
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


def paired_interval(differences):
    """Of (difference, cluster) of each question."""
    parts = clusters([(1, d, cluster) for d, cluster in differences])
    n, (k, df) = len(differences), kish([w for w, _ in parts])
    alone = len(parts) == n
    w0 = 1 if alone else math.sqrt(n / k)
    total = n + 2 * w0
    mu = sum(d for _, d in parts) / total
    r = sum((d - mu * w) ** 2 for w, d in parts) + (w0 - mu * w0) ** 2 + (w0 + mu * w0) ** 2
    half = (Z if alone else t_quantile(df + 2) * math.sqrt((k + 2) / (k + 1))) * math.sqrt(r) / total
    return [max(-1, mu - half), min(1, mu + half)]


def agree(ci95, difference, p):
    """The interval says what p says."""
    low, high = ci95
    if p >= 0.05:
        return [min(low, 0), max(high, 0)]
    return [max(low, 0), high] if difference > 0 else [low, min(high, 0)]


def differ(pairs, of):
    """The means of a and b over questions, by what `of` says of their rows, and their difference."""
    found = [(of(a), of(b), cluster_of(a, b)) for a, b in pairs]
    found = [each for each in found if each[0] is not None and each[1] is not None]
    if not found:
        return {"questions": 0, "a": None, "b": None, "difference": None, "ci95": None}
    n = len(found)
    return {
        "questions": n,
        "a": sum(a for a, _, _ in found) / n,
        "b": sum(b for _, b, _ in found) / n,
        "difference": sum(b - a for a, b, _ in found) / n,
        "ci95": paired_interval([(b - a, cluster) for a, b, cluster in found]),
    }


def cluster_of(a, b):
    return b[0].get("cluster", a[0].get("cluster"))


def share_right(rows):
    (w, y, _), = tally(rows, right)
    return y / w


def compare(a, b):
    """The results of b with those of a, on the questions that both have with a known target; none without one."""
    before, after = by_id(a), by_id(b)
    known = lambda rows: rows and tally(rows, right)[0][0] > 0
    pairs = [(before[id], rows) for id, rows in after.items() if known(before.get(id)) and known(rows)]
    if not pairs:
        return None
    names = shared_scores(a, b)

    def figures_of(some):
        scores = {name: differ(some, lambda rows: mean_score(rows, name)) for name in names}
        return {**differ(some, share_right), **({"scores": scores} if names else {})}

    def grouped(key):
        groups = defaultdict(list)
        for pair in pairs:
            groups[key(pair[1][0])].append(pair)
        return {group: figures_of(some) for group, some in groups.items()}

    counts = []
    for pair in pairs:
        (wa, ya, _), (wb, yb, _) = [tally(rows, right)[0] for rows in pair]
        counts.append((wa, int(ya), wb, int(yb)))
    d = [Fraction(yb, wb) - Fraction(ya, wa) for wa, ya, wb, yb in counts]
    parts = clusters([(1, each, cluster_of(*pair)) for each, pair in zip(d, pairs)])
    p = sign_flip([y for _, y in parts])
    if any(wa != wb for wa, _, wb, _ in counts):
        p = max(p, permutation(counts))
    out = figures_of(pairs)
    out["ci95"] = agree(out["ci95"], sum(d), p)
    out["p_value"] = p
    out["drop"] = smallest_drop([float(each) for each in d], parts, counts, out["a"])
    out["latency_ratio"] = latency_ratio(pairs)
    out["cost_ratio"] = cost_ratio(pairs)
    out["groups"] = {group: found for group, found in grouped(lambda row: row["group"]).items() if group != "all"}
    for by in groupings(b):
        out.setdefault("slices", {})[by] = grouped(lambda row: row.get("groups", {}).get(by, "none"))
    return out


def by_id(rows):
    found = defaultdict(list)
    for row in rows:
        found[row["id"]].append(row)
    return found


def shared_scores(a, b):
    """The names of the scores that have a value in both."""

    def of(rows):
        given = [one for row in rows if has_target(row) for one in row.get("scores", {}).items()]
        return {name for name, value in given if value is not None}

    return sorted(of(a) & of(b))


def mean_score(rows, name):
    values = [value for value in (score(row, name) for row in rows) if value is not None]
    return sum(values) / len(values) if values else None


def median(values):
    some = sorted(value for value in values if value is not None)
    return (some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2 if some else None


def latency_ratio(pairs):
    """Median over questions of the ratio of the medians of their trials."""
    of = lambda rows: median(row["latency_ms"] for row in rows if row["state"] != "errored")
    times = [(of(a), of(b)) for a, b in pairs]
    return median(None if a is None or b is None or a <= 0 else b / a for a, b in times)


def cost_ratio(pairs):
    """Of what a trial costs, over the questions whose cost is known in both."""
    totals = [0.0, 0.0]
    for pair in pairs:
        costs = [[cost(row) for row in rows] for rows in pair]
        if all(None not in side for side in costs):
            totals = [total + sum(side) / len(side) for total, side in zip(totals, costs)]
    return totals[1] / totals[0] if totals[0] > 0 else None


def holm(comparisons):
    """Adds p among the comparisons of a suite, where there are several; the interval says what it says."""
    least = 0
    for rank, one in enumerate(sorted(comparisons, key=lambda one: one["p_value"])):
        if len(comparisons) > 1:
            least = one["p_among_pairs"] = max(least, min(1, (len(comparisons) - rank) * one["p_value"]))
            one["ci95"] = agree(one["ci95"], one["difference"], least)


def compare_all(pairs, compare=compare):
    """Of (name, variant, rows of a, rows of b), with p among all of a suite."""
    out, families = {}, defaultdict(list)
    for label, variant, a, b in pairs:
        found = compare(a, b)
        if found:
            out[label] = found
            families[variant[:2]].append(found)
    for family in families.values():
        holm(family)
    return out


def compare_runs(a, b):
    """Each suite, agent and prompt with that of the same name, or the only ones of a suite with each other."""
    before, after = by_variant(a), by_variant(b)
    alone = lambda variants, one: len([1 for other in variants if other[0] == one[0]]) == 1
    pairs = []
    for one, rows in after.items():
        found = before.get(one)
        if found is None and alone(before, one) and alone(after, one):
            found = next(of for other, of in before.items() if other[0] == one[0])
        if found is not None:
            pairs.append((name(one), one, found, rows))
    return compare_all(pairs)


def list_pairs(rows):
    """The agents and prompts of each suite, each with those before it; of more than six, with the first alone."""
    suites = defaultdict(list)
    for variant, some in by_variant(rows).items():
        suites[variant[:2]].append((variant, some))
    pairs = []
    for of in suites.values():
        for at, (a, rows_a) in enumerate(of[:1] if len(of) > 6 else of):
            pairs += [(f"{name(b)} against {name(a)}", b, rows_a, rows_b) for b, rows_b in of[at + 1 :]]
    return pairs


def prefer(pairs):
    """Whose answers judges prefer, of (name, variant, rows of a, rows of b)."""
    out = compare_all(pairs, preference)
    return {"preferences": out} if out else {}


def preference(a, b):
    """Of the answers to a question in one trial: the verdict is in the row of the one that came later."""
    key = lambda row: (row["id"], row["trial"], row["question_hash"])
    before = {key(row): row for row in a}
    points = defaultdict(list)
    for row in b:
        other = before.get(key(row))
        found = other and (outcomes(row, other, 1) or outcomes(other, row, -1))
        if found:
            points[row["id"]].append((found[0], row.get("cluster")))
    if not points:
        return None
    d = [(Fraction(sum(point for point, _ in some), len(some)), some[0][1]) for some in points.values()]
    p = sign_flip([y for _, y in clusters([(1, each, cluster) for each, cluster in d])])
    difference = sum(each for each, _ in d) / len(d)
    all = [point for some in points.values() for point, _ in some]
    return {
        **{"wins": all.count(1), "ties": all.count(0), "losses": all.count(-1), "questions": len(d)},
        **{"difference": float(difference), "p_value": p},
        "ci95": agree(paired_interval([(float(each), cluster) for each, cluster in d]), difference, p),
    }


def outcomes(row, other, sign):
    """The points of `row` beside `other`: 1 for a win, -1 for a loss; none without a verdict."""
    return [
        sign * {"win": 1, "tie": 0, "loss": -1}[pair["outcome"]]
        for pair in row.get("pairs", [])
        if pair["outcome"] and pair["other"] == {k: other[k] for k in ("agent", "prompt") if k in other}
    ]


def smallest_drop(d, parts, pairs, accuracy):
    """The smallest drop that would be detected with 80 % power; None with fewer than six clusters."""
    n, c = len(d), len(parts)
    if c < 6:
        return None
    m = min(min(wa, wb) for wa, _, wb, _ in pairs)
    mean = sum(d) / n
    apart = sum((each - mean) ** 2 for each in d)
    together = sum((float(each) - mean * w) ** 2 for w, each in parts)
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
    """The rows, agents and prompts in the order of manifest.json: rows are written as answers come."""
    with open(folder + "/samples.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    with open(folder + "/manifest.json", encoding="utf-8") as file:
        planned = {(one["suite"], one["dataset"]): one for one in json.load(file)["suites"]}

    def place(row):
        suite = planned[row["suite"], row["dataset"]]
        prompts = [prompt["hash"] for prompt in suite["prompts"]]
        rank = prompts.index(row["prompt_hash"]) if row["prompt_hash"] in prompts else 0
        return suite["agents"].index(row["agent"]), rank

    return sorted(rows, key=place)


def calibrations(folder):
    if not os.path.exists(folder + "/end.json"):
        return {}
    with open(folder + "/end.json", encoding="utf-8") as file:
        return dict(json.load(file).get("calibrations", []))


if __name__ == "__main__":
    first, *others = sys.argv[1:]
    if first == "--kappa":
        found = kappa(json.loads(others[0]), float(others[1]), "quadratic" in others)
    elif others:
        found = compare_runs(read(others[0]), read(first))
    else:
        rows = read(first)
        pairs = list_pairs(rows)
        found = {"suites": suites(rows, calibrations(first)), "pairs": compare_all(pairs), **prefer(pairs)}
    print(json.dumps(found, indent=1))
