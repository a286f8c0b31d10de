import { tryOrUndefined } from './show.ts';

const FENCED = /^\s*```(?:json)?[^\S\n]*\n(.*)\n[^\S\n]*```\s*$/is;

/**
 * The value of a text that is JSON as a whole, also as a block of Markdown, as models often write
 * it. Undefined for any other text.
 *
 * @example
 * parseWholeJson('```json\n{"total": 1}\n```'); // { total: 1 }
 */
export function parseWholeJson(text: string): unknown {
  const [, block = text] = FENCED.exec(text) ?? [];
  return tryOrUndefined((): unknown => JSON.parse(block));
}
