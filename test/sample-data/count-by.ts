/** How often each name occurs. */
export function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The only name that occurs most often; throws on a tie, because then the question has no single answer. */
export function findMostFrequent(names: readonly string[]): string {
  const [first, second] = [...countBy(names)].sort(([, a], [, b]) => b - a);
  if (first === undefined || first[1] === second?.[1]) throw new Error(`No single most frequent name in ${names}.`);
  return first[0];
}
