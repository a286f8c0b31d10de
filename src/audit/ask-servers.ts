import { resultKey } from '../runs/sample-log.ts';
import type { SampleResult } from '../types.ts';
import { parseSemantic, type SemanticRule } from './audit-names.ts';
import type { KnownVerdicts } from './judge-case.ts';

/** What rules said that have to ask a server, and why some could say nothing. */
export type AskedVerdicts = { readonly known: KnownVerdicts; readonly problems: readonly string[] };

export const NOTHING_ASKED: AskedVerdicts = { known: new Map(), problems: [] };

/**
 * Applies the rules among `names` that ask a server to the rows that have an answer and a truth. A server that fails
 * leaves its rule out: an audit changes no figure, so it must not fail a run.
 */
export async function askServers(
  names: readonly string[],
  secrets: readonly string[],
  read: () => readonly SampleResult[],
): Promise<AskedVerdicts> {
  const rules = names.map(parseSemantic).filter((rule) => rule !== null);
  if (rules.length === 0) return NOTHING_ASKED;
  const rows = read();
  const known = new Map<string, (row: SampleResult) => boolean>();
  const problems: string[] = [];
  for (const rule of rules) {
    try {
      known.set(rule.name, await judge(rule, rows, secrets));
    } catch (error) {
      problems.push(`${rule.name} was not applied: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { known, problems };
}

async function judge({ model, least }: SemanticRule, rows: readonly SampleResult[], secrets: readonly string[]) {
  const { embed, findNearness } = await import('./semantic.ts');
  const pairs = rows.flatMap((row) => {
    const { rules, answer, target } = row;
    return rules === null || answer === null || target === null ? [] : [{ key: resultKey(row), answer, target }];
  });
  const different = pairs.filter(({ answer, target }) => answer.trim() !== target.trim());
  const embeddings = await embed(
    different.flatMap(({ answer, target }) => [answer, target]),
    model,
    secrets,
  );
  const near = pairs.filter(({ answer, target }) => findNearness(embeddings, answer, target) >= least);
  const accepted = new Set(near.map(({ key }) => key));
  return (row: SampleResult) => accepted.has(resultKey(row));
}
