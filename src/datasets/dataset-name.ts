import { parse, resolve, sep } from 'node:path';
import { quote } from '../text/show.ts';

/**
 * A short name for gates and reports: the last telling part of the path, with the split when there is one
 * ("GAIA/validation", "common_questions").
 */
export function nameDataset(file: string): string {
  const { dir, name: stem } = parse(resolve(file));
  const folders = dir.split(sep).filter((part) => part !== '');
  const name = findName([...folders, stem]) || stem;
  // "sample" is the name of the committed samples: their gates and their openness must not cover another file.
  return name.toLowerCase() === 'sample' ? `${folders.at(-1) ?? 'file'}/sample` : name;
}

const UNTELLING = new Set(['metadata', 'data', 'dataset', 'snapshots']);
const SPLITS = new Set(['validation', 'test', 'train', 'dev']);

function findName(parts: readonly string[]): string {
  const kept: string[] = [];
  for (const part of parts.toReversed()) {
    if (isUntelling(part)) continue;
    kept.unshift(nameHubFolder(part));
    if (!SPLITS.has(part)) break;
  }
  return kept.join('/');
}

function isUntelling(part: string): boolean {
  // GAIA's Parquet files are also by level. A bare year is GAIA's folder, forty hexadecimal digits are a revision in the cache of the Hugging Face Hub.
  return UNTELLING.has(part.toLowerCase()) || /^(?:20\d\d|[0-9a-f]{40}|metadata\.level[123])$/.test(part);
}

/** The Hub keeps a dataset in a folder like "datasets--owner--name". */
function nameHubFolder(part: string): string {
  return part.startsWith('datasets--') ? (part.split('--').at(-1) ?? part) : part;
}

/** Says under which names fields were found: `"question" or "prompt" (question), "right" and "wrong" (options)`. */
export function describeSources<Role extends string>(
  roles: readonly Role[],
  records: readonly Readonly<Record<Role, { readonly name: string | readonly string[] } | null>>[],
): string {
  const parts = roles.flatMap((role) => {
    const found = records.flatMap((fields) => fields[role] ?? []);
    const names = new Set(found.map(({ name }) => [name].flat().map(quote).join(' and ')));
    return names.size === 0 ? [] : [`${[...names].join(' or ')} (${role})`];
  });
  return parts.join(', ');
}
