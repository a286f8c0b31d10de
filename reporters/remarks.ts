import { listVariants, type SuiteManifest } from '../src/store/manifest.ts';
import { countVariants, nameVariant, pickVariant } from '../src/text/wording.ts';

/** A sentence about one variant of a suite, or about a whole suite (`agent` is null). */
export type Remark = Readonly<{
  suite: string;
  agent: string | null;
  prompt?: string;
  text: string;
}>;

type Subject = Readonly<{ suite: string; agent: string; prompt?: string }>;

/** A line below the tables. A warning says that the figures are less than they seem. */
export type Line = Readonly<{ text: string; level: 'note' | 'warning' }>;

export function toLines(level: Line['level'], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ text, level }));
}

/**
 * Remarks as texts that begin with their subject, in the order of `subjects`. If several variants have
 * the same remark, it appears once.
 */
export function toSentences(
  remarks: readonly Remark[],
  subjects: readonly Subject[],
): readonly string[] {
  const suites = new Set([...subjects, ...remarks].map(({ suite }) => suite));
  return [...suites].flatMap((suite) => {
    const variants = subjects.filter((subject) => subject.suite === suite);
    const names = variants.map(nameVariant);
    const own = remarks.filter((remark) => remark.suite === suite);
    const lines = [...Map.groupBy(own, ({ text }) => text)].map(([text, same]) => {
      const named = [
        ...new Set(
          same.flatMap(({ agent, ...of }) => (agent === null ? [] : nameVariant({ agent, ...of }))),
        ),
      ];
      const isOfAll = named.length > 1 && named.length === names.length;
      const who = isOfAll ? `each of the ${countVariants(variants)}` : joinNames(named);
      // Remarks about the suite come first, then those about all its variants, then those about one
      // variant.
      const rank = named.length === 0 ? -2 : isOfAll ? -1 : names.indexOf(named[0] ?? '');
      return { rank, line: `${suite}${who === '' ? '' : `, ${who}`}: ${text}` };
    });
    return lines.sort((a, b) => a.rank - b.rank).map(({ line }) => line);
  });
}

/** What remarks on suites may be about, also where nothing was asked. */
export function listSubjects(suites: readonly PlannedSuite[]): readonly Subject[] {
  return suites.flatMap((entry) =>
    listVariants(entry).map((variant) => ({ suite: entry.suite, ...pickVariant(variant) })),
  );
}

type PlannedSuite = Pick<
  SuiteManifest,
  'suite' | 'agents' | 'prompts' | 'prompt_hash' | 'conditions'
>;

function joinNames(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} each`;
}
