import type { Sample } from '../types.ts';

/**
 * Ids of samples that ask the same: the same words and the same option texts in whatever order. Case and spacing do not
 * count; questions such as "Which is true?" repeat their words, and differ in their options.
 */
export function findRepeats(samples: readonly Sample[]): readonly (readonly string[])[] {
  const byContent = Map.groupBy(samples, ({ input, choices = {} }) =>
    JSON.stringify([squash(input), ...Object.values(choices).map(squash).sort()]),
  );
  return [...byContent.values()].filter((same) => same.length > 1).map((same) => same.map(({ id }) => id));
}

function squash(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
