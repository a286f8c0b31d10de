/*
 * GAIA's questions and answers are on the web, in its own repository and in copies of it. An agent that reads them there
 * is not measured, so the pages are refused and the model is told.
 */

/** Sites with copies of benchmarks, as a provider's own search takes them: whole domains. */
export const BLOCKED_DOMAINS: readonly string[] = ['huggingface.co', 'hf.co', 'hf-mirror.com'];

const HUBS = new RegExp(
  `(^|\\.)(${[...BLOCKED_DOMAINS, 'hf.space'].map((name) => name.replace('.', '\\.')).join('|')})$`,
);

/** Whether an address names a copy of GAIA; false for most copies under a name of their own, which the text tells. */
export function isLeakAddress({ hostname, pathname, search }: URL): boolean {
  const rest = decode(`${pathname}${search}`).toLowerCase();
  if (/gaia[-_ ./]?benchmark/.test(`${hostname}${rest}`)) return true;
  if (HUBS.test(hostname)) return /(^|[^a-z])gaia([^a-z]|$)/.test(`${hostname}${rest}`);
  return (
    /(^|[^a-z])gaia([^a-z]|$)/.test(rest) && /(metadata|validation|test)[^/]*\.(jsonl|parquet|json|csv)/.test(rest)
  );
}

/** Whether a text holds records of GAIA: the names of its fields stand together nowhere else. */
export function isLeakText(text: string): boolean {
  return FIELD_NAMES.some((names) => names.every((name) => name.test(text)));
}

const FIELD_NAMES: readonly (readonly RegExp[])[] = [
  [/annotator[ _]metadata/i, /final[ _]answer/i],
  [/["']task_id["']/i, /["']question["']/i, /["'](?:final|true|model)[ _]answer["']/i, /["']level["']/i],
];

/** Twice, since an address may be encoded once more inside another. */
function decode(text: string): string {
  return tryDecode(tryDecode(text));
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
