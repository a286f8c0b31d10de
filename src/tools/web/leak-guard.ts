/*
 * GAIA's questions and answers are on the web, in its own repository and in copies of it. An agent that reads them there
 * is not measured, so the pages are refused and the model is told.
 */

/** Sites with copies of benchmarks, as a provider's own search takes them: whole domains. */
export const BLOCKED_DOMAINS: readonly string[] = ['huggingface.co', 'hf.co', 'hf-mirror.com'];

/** Where anybody may lay data sets and agents; of their pages those are refused that name GAIA. */
const HUBS = [...BLOCKED_DOMAINS, 'hf.space', 'modelscope.cn', 'modelscope.ai', 'kaggle.com', 'kaggleusercontent.com'];

/** Where code lies, often with the data that it was tried on. */
const CODE = ['github.com', 'githubusercontent.com', 'github.io', 'jsdelivr.net', 'gitlab.com', 'gitee.com'];

/** GAIA as a word of its own: not "gaiam". */
const GAIA = /(^|[^a-z])gaia([^a-z]|$)/;

/** Names of the data: its splits as files, and what copies of it are called. */
const DATA = /(metadata|validation|test)[^/]*\.(jsonl|parquet|json|csv)/;
const DATA_SETS = /gaia[-_ .]?(benchmark|bench|dataset|validation|level[-_ ]?\d|2023|questions|answers)([^a-z]|$)/;

/**
 * Whether an address names a copy of GAIA; false for most copies under a name of their own, which the text tells. An
 * archive or a reader that has the address of a copy in its own is told by that. The space mission of the same name is
 * not meant.
 */
export function isLeakAddress({ hostname, pathname, search }: URL): boolean {
  const host = hostname.replace(/(?<!\.)\.+$/, '');
  const rest = decode(`${pathname}${search}`).toLowerCase();
  const whole = `${host}${rest}`;
  if (/gaia[-_ ./]?benchmark/.test(whole) || /agents[-_]course[-_]unit4[-_]scoring/.test(whole)) return true;
  if (isWithin(host, HUBS) || names(rest, HUBS)) return GAIA.test(whole);
  if (isWithin(host, CODE) || names(rest, CODE)) return DATA_SETS.test(whole) || (GAIA.test(whole) && DATA.test(rest));
  return GAIA.test(rest) && DATA.test(rest);
}

function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => `.${host}`.endsWith(`.${domain}`));
}

/** Whether an address inside this text is one of such a domain. */
function names(text: string, domains: readonly string[]): boolean {
  const hosts = text.match(/[a-z0-9.-]{4,}/g) ?? [];
  return hosts.some((host) => isWithin(host.replace(/(?<!\.)\.+$/, ''), domains));
}

/** Whether a text holds records of GAIA: the names of its fields stand together nowhere else. */
export function isLeakText(text: string): boolean {
  // JSON inside a string of JSON has its quotes escaped, once for each level.
  const plain = text.replace(/(?<!\\)\\+(?=["'])/g, '');
  return FIELD_NAMES.some((names) => names.every((name) => name.test(plain))) || hasTableHead(plain);
}

const FIELD_NAMES: readonly (readonly RegExp[])[] = [
  [/annotator[ _]metadata/i, /final[ _]answer/i],
  [/["']task_id["']/i, /["']question["']/i, /["'](?:final|true|model)[ _]answer["']/i, /["']level["']/i],
];

const COLUMNS = [/^task[ _]?id$/i, /^question$/i, /^level$/i, /^(?:final|true|ground[ _]truth)[ _]?answer$/i];

/** A line of names, as tables have it in CSV and in Markdown, among them those of the records' fields. */
function hasTableHead(text: string): boolean {
  return text.split('\n').some((line) => {
    if (line.length > 2_000 || !/task[ _]?id/i.test(line)) return false;
    const cells = line.split(/[|,;\t]/).map((cell) => cell.replace(/["'*`]/g, '').trim());
    return COLUMNS.every((column) => cells.some((cell) => column.test(cell)));
  });
}

/** Several times, since an address may be encoded once more inside another. */
function decode(text: string): string {
  return tryDecode(tryDecode(tryDecode(text)));
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
