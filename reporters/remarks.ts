/** A sentence about one agent in one suite, or about a whole suite (`agent` is null). */
export type Remark = { readonly suite: string; readonly agent: string | null; readonly text: string };

/** A line below the tables. A warning says that the figures are less than they seem. */
export type Line = { readonly text: string; readonly level: 'note' | 'warning' };

export function toLines(level: Line['level'], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ text, level }));
}

/**
 * Remarks as texts that begin with their subject, in the order of `subjects`. If several agents have the same remark, it
 * appears once.
 */
export function toSentences(
  remarks: readonly Remark[],
  subjects: readonly { readonly suite: string; readonly agent: string }[],
): readonly string[] {
  const suites = new Set([...subjects, ...remarks].map(({ suite }) => suite));
  return [...suites].flatMap((suite) => {
    const agents = subjects.filter((subject) => subject.suite === suite).map(({ agent }) => agent);
    const own = remarks.filter((remark) => remark.suite === suite);
    const said = [...Map.groupBy(own, ({ text }) => text)].map(([text, same]) => {
      const named = [...new Set(same.flatMap(({ agent }) => agent ?? []))];
      const isOfAll = named.length > 1 && named.length === agents.length;
      const who = isOfAll ? `each of the ${named.length} agents` : joinNames(named);
      // Remarks about the suite come first, then those about all its agents, then those about one agent.
      const rank = named.length === 0 ? -2 : isOfAll ? -1 : agents.indexOf(named[0] ?? '');
      return { rank, line: `${suite}${who === '' ? '' : `, ${who}`}: ${text}` };
    });
    return said.sort((a, b) => a.rank - b.rank).map(({ line }) => line);
  });
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} each`;
}
