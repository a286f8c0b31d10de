import type { Pattern } from './collect.ts';

/**
 * Why a pattern that is not linear does no harm: the most characters that it ever sees. "…" cuts a
 * long source.
 */
export type Bound = {
  readonly where: string;
  readonly source: string;
  readonly most: number;
  readonly why: string;
};

/**
 * Patterns that recheck calls super-linear. Each sees only so much text, for the reason beside it.
 */
export const BOUNDED: readonly Bound[] = [
  {
    where: 'src/tools/web/leak-guard.ts',
    source: '(metadata|validation|test)[^/]*\\.(jsonl|parquet|json|csv)',
    most: 8_000,
    why: 'reads an address, and request-page.ts refuses one of more than 8,000 characters',
  },
  {
    where: 'src/tools/readers/xlsx-styles.ts',
    source: '"[^"]*"|\\\\.|_.|\\*.|\\[(?!h+\\]|m+\\]|s+\\])[^\\]]*\\]',
    most: 255,
    why: 'reads the first 255 characters of a number format',
  },
  {
    where: 'src/tools/mcp/mcp-file.ts',
    source: '\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\\}',
    most: 10_000,
    why: "reads the user's own .mcp.json, which starts programs anyway",
  },
  {
    where: 'src/scoring/gaia/announced-answer.ts',
    source: '\\p{L}+$',
    most: 12,
    why: 'reads the 12 characters before a full stop',
  },
  {
    where: 'src/store/run-folder.ts',
    source: '^[-.]+|(?<![-.])[-.]+$',
    most: 1_000,
    why: 'reads the first 1,000 characters of a name; found by the fuzzer alone, while V8 takes linear time',
  },
  {
    where: 'src/scoring/gaia/tidy-answer.ts',
    source: '(?<=^|[\\s([])`([^`\\n]+)`(?=$|[\\s,.;:!?)\\]])',
    most: 40_000,
    why: 'found by the fuzzer alone: V8 takes linear time for its attack (89,000 pairs of signs in under 50 ms)',
  },
  {
    where: 'src/agents/model-error.ts',
    source: '[.\\s]+$',
    most: 700,
    why: 'reads a message that escapeLine has cut at 600 characters',
  },
];

export function boundOf({ where, source }: Pattern): Bound | undefined {
  return BOUNDED.find(
    (bound) => where.startsWith(`${bound.where}:`) && isSource(bound.source, source),
  );
}

function isSource(bound: string, source: string): boolean {
  return bound.endsWith('…') ? source.startsWith(bound.slice(0, -1)) : bound === source;
}
