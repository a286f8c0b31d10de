/** A sentence about what one agent did in one suite, or about a whole suite. */
export type Remark = { readonly suite: string; readonly agent: string | null; readonly text: string };

type Subject = { readonly suite: string; readonly agent: string };

/**
 * Sentences as lines that begin with their subject, suite by suite and agent by agent as in `subjects`. What is the same
 * of several agents is said once.
 */
export function toLines(remarks: readonly Remark[], subjects: readonly Subject[]): readonly string[] {
  const suites = new Set([...subjects, ...remarks].map(({ suite }) => suite));
  return [...suites].flatMap((suite) => {
    const agents = subjects.filter((subject) => subject.suite === suite).map(({ agent }) => agent);
    return toSuiteLines(
      suite,
      remarks.filter((remark) => remark.suite === suite),
      agents,
    );
  });
}

/** What is said of the suite, then of all its agents, then of each. */
function toSuiteLines(suite: string, remarks: readonly Remark[], agents: readonly string[]): readonly string[] {
  const said = [...Map.groupBy(remarks, ({ text }) => text)].map(([text, same]) => {
    const named = [...new Set(same.flatMap(({ agent }) => agent ?? []))];
    const isOfAll = named.length > 1 && named.length === agents.length;
    return { text, named, place: isOfAll ? -1 : agents.indexOf(named[0] ?? ''), isOfAll };
  });
  const rank = ({ named, place }: (typeof said)[number]) => (named.length === 0 ? -2 : place);
  return said
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ text, named, isOfAll }) => {
      const agent = isOfAll ? `each of the ${named.length} agents` : joinNames(named);
      return `${[suite, agent].filter((part) => part !== '').join(', ')}: ${text}`;
    });
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} each`;
}
