import { findAll } from '../../words/find-all.ts';
import type { Range } from '../../words/ranges.ts';

/** A replaced part: where it begins in the new text, its new length, and its place in the old one. */
type Edit = Readonly<{ at: number; length: number; start: number; end: number }>;

/**
 * The replacements that made one text of another, so that places can be followed back. Only an
 * explanation needs it.
 */
export type Trail = (readonly Edit[])[];

/** Replaces each match in a text, and adds the replacements to the trail if there is one. */
export function replaceEach(
  text: string,
  pattern: RegExp,
  by: (match: RegExpExecArray) => string,
  trail?: Trail,
): string {
  const edits: Edit[] = [];
  const parts: string[] = [];
  let [from, at] = [0, 0];
  for (const match of findAll(text, pattern)) {
    const written = by(match);
    const end = match.index + match[0].length;
    parts.push(text.slice(from, match.index), written);
    at += match.index - from;
    edits.push({ at, length: written.length, start: match.index, end });
    at += written.length;
    from = end;
  }
  if (edits.length === 0) return text;
  trail?.push(edits);
  return parts.join('') + text.slice(from);
}

/** The place in the first text of a range in the last one. */
export function followBack(trail: Trail, [start, end]: Range): Range {
  return trail.reduceRight<Range>(
    ([from, to], edits) => [backOne(edits, from, 'start'), backOne(edits, to, 'end')],
    [start, end],
  );
}

function backOne(edits: readonly Edit[], place: number, side: 'start' | 'end'): number {
  // The end of a range is behind its last character, so a replacement that begins there is outside.
  const last = edits.findLast(({ at }) => (side === 'start' ? at <= place : at < place));
  if (last === undefined) return place;
  const behind = place - last.at - last.length;
  return behind >= 0 ? last.end + behind : last[side];
}
