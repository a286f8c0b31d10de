"""An agent for `command:python3 examples/agents/word_problems.py`: word problems by rules, and nothing else.

It reads one question as a line of JSON and writes its answer, as any program may. What no rule fits it leaves open.
"""

import calendar
import json
import re
import statistics
import sys
from datetime import datetime, timedelta

NUMBER = r"-?\d+(?:\.\d+)?"
WORDS = {word: value for value, word in enumerate("zero one two three four five six seven eight nine ten".split())}
STATISTICS = {"mean": statistics.mean, "median": statistics.median, "mode": statistics.mode,
              "range": lambda values: max(values) - min(values)}


def days_between(text):
    date = rf"(\d+ (?:{'|'.join(calendar.month_name[1:])}) \d{{4}})"
    found = re.search(rf"days .*from {date} to {date}", text)
    if found:
        first, last = (datetime.strptime(date, "%d %B %Y") for date in found.groups())
        return (last - first).days


def later_time(text):
    times = re.findall(r"\b\d\d:\d\d\b", text)
    spans = re.findall(r"(\d+) (hour|minute)s?\b", text)
    if len(times) == 1 and spans and re.search(r"what time|local time", text):
        minutes = sum(int(count) * (60 if unit == "hour" else 1) for count, unit in spans)
        ahead = re.search(r"(\w+) hours? ahead", text)
        minutes += 60 * WORDS.get(ahead[1], 0) if ahead else 0
        return (datetime.strptime(times[0], "%H:%M") + timedelta(minutes=minutes)).strftime("%H:%M")


def shifted_letters(text):
    found = re.search(r"(\w+) places? later in the English alphabet.*\"([a-z ]+)\"", text)
    if found and found[1] in WORDS:
        back = WORDS[found[1]]
        return "".join(c if c == " " else chr((ord(c) - 97 - back) % 26 + 97) for c in found[2])


def other_base(text):
    if found := re.search(r"decimal number is the binary number ([01]+)", text):
        return int(found[1], 2)
    if found := re.search(r"hexadecimal number is the decimal number (\d+)", text):
        return f"{int(found[1]):X}"


def average(text):
    asked = [name for name in STATISTICS if re.search(rf"\b{name}\b", text)]
    lists = re.findall(rf"{NUMBER}(?: [a-z]+)?(?:(?:,| and) {NUMBER}(?: kg)?)+", text)
    if len(asked) == 1 and len(lists) == 1:
        values = [float(number) for number in re.findall(NUMBER, lists[0])]
        return f"{round(STATISTICS[asked[0]](values), 9):g}"


def end_of_product(text):
    found = re.search(r"last (\w+) digits of the product of ([\d,]+) and ([\d,]+)", text)
    if found and found[1] in WORDS:
        product = int(found[2].replace(",", "")) * int(found[3].replace(",", ""))
        return str(product)[-WORDS[found[1]]:]


def month_names(text):
    found = re.search(r"[Ww]hich months .* name of exactly (\w+) letters", text)
    if found and found[1] in WORDS:
        return ", ".join(name for name in calendar.month_name if len(name) == WORDS[found[1]])


def option_rule(text):
    """What a right option fulfils, for questions that ask which of the options are of a kind."""
    if re.search(r"leap years in the Gregorian calendar", text):
        return lambda option: option.isdigit() and calendar.isleap(int(option))
    if found := re.search(r"which of these months have (\d+) days", text, re.IGNORECASE):
        names = list(calendar.month_name)
        return lambda option: option in names and calendar.monthrange(2023, names.index(option))[1] == int(found[1])


def matches(option, value):
    """Whether an option begins with the value: its unit may follow."""
    return re.match(rf"{re.escape(str(value))}(?![\d.:,]*\d)", option.replace(",", "")) is not None


def answer(question):
    text, choices = question["input"], question.get("choices")
    rule = option_rule(text)
    if rule and choices:
        return json.dumps({"answer": ",".join(label for label, option in choices.items() if rule(option))})
    solvers = [days_between, later_time, shifted_letters, other_base, average, end_of_product, month_names]
    values = [value for value in (solver(text) for solver in solvers) if value is not None]
    if not values:
        return ""
    if not choices:
        return f"FINAL ANSWER: {values[0]}"
    labels = [label for label, option in choices.items() if matches(option, values[0])]
    return json.dumps({"answer": ",".join(labels)}) if labels else ""


print(answer(json.loads(sys.stdin.readline())))
