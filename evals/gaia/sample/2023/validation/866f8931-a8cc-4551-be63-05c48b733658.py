"""Label printer of the Tidewater seed bank."""

WORDS = ["kelp", "sorrel", "teasel", "vetch", "yarrow"]


def advance(state):
    return (state * 37 + 11) % 211


def label(state):
    major, rest = divmod(state, 40)
    minor, patch = divmod(rest, 6)
    return f"{major}.{minor}.{patch}-{WORDS[state % len(WORDS)]}"


state = 58
seen = []
while state not in seen:
    seen.append(state)
    state = advance(state)

for index, value in enumerate(seen):
    if index % 7 == 3:
        print(label(value))
