/** A name without case, spaces and punctuation. */
export function plainName(name: string): string {
  const cached = plainNames.get(name);
  if (cached !== undefined) return cached;
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  if (plainNames.size < MOST_NAMES) plainNames.set(name, plain);
  return plain;
}

/**
 * The records of a file mostly have the same names, so the names are cached. The cache is limited:
 * a file may have endless names.
 */
const plainNames = new Map<string, string>();

const MOST_NAMES = 1000;
