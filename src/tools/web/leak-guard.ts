import { attempt } from '../../text/thrown.ts';

/*
 * GAIA's questions and answers are on the web, in its own repository and in copies. An agent that reads them there shows
 * nothing, so these pages are refused and the model is told.
 */

/** What the model is told of a page that is refused. */
export const LEAK_REFUSED =
  'it belongs to a copy of the benchmark that this question may come from (leak guard), so it is not shown. ' +
  'Answer from other sources.';

/** Sites with copies of benchmarks: whole domains, the form that a provider's own search takes. */
export const BLOCKED_DOMAINS: readonly string[] = ['huggingface.co', 'hf.co', 'hf-mirror.com'];

/** Sites where anybody may publish datasets and agents. Their pages that name GAIA are refused. */
const HUBS = [...BLOCKED_DOMAINS, 'hf.space', 'modelscope.cn', 'modelscope.ai', 'kaggle.com', 'kaggleusercontent.com'];

/** Sites of source code, which often comes with the data that it was tried on. */
const CODE = ['github.com', 'githubusercontent.com', 'github.io', 'jsdelivr.net', 'gitlab.com', 'gitee.com'];

/** GAIA as a whole word: not "gaiam". */
const GAIA = /(^|[^a-z])gaia([^a-z]|$)/;

/** Names of the data: files of its splits, and what copies are called. */
const DATA = /(metadata|validation|test)[^/]*\.(jsonl|parquet|json|csv)/;
const DATA_SETS = /gaia[-_ .]?(benchmark|bench|dataset|validation|level[-_ ]?\d|2023|questions|answers)([^a-z]|$)/;

/**
 * Whether an address names a copy of GAIA, also inside the address of an archive or a proxy. A copy under another name is
 * found by its text. The space mission of the same name is not meant.
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

/** Whether this text has the address of such a domain inside. */
function names(text: string, domains: readonly string[]): boolean {
  const hosts = text.match(/[a-z0-9.-]{4,}/g) ?? [];
  return hosts.some((host) => isWithin(host.replace(/(?<!\.)\.+$/, ''), domains));
}

/** Whether a text has records of GAIA: the names of its fields are found together nowhere else. */
export function isLeakText(text: string): boolean {
  // JSON inside a JSON string has its quotes escaped, once for each level.
  const plain = text.replace(/(?<!\\)\\+(?=["'])/g, '');
  return FIELD_NAMES.some((names) => names.every((name) => name.test(plain))) || hasTableHead(plain);
}

const FIELD_NAMES: readonly (readonly RegExp[])[] = [
  [/annotator[ _]metadata/i, /final[ _]answer/i],
  [/["']task_id["']/i, /["']question["']/i, /["'](?:final|true|model)[ _]answer["']/i, /["']level["']/i],
];

const COLUMNS = [/^task[ _]?id$/i, /^question$/i, /^level$/i, /^(?:final|true|ground[ _]truth)[ _]?answer$/i];

/** A line of column names, as in CSV and Markdown tables, with those of the records' fields among them. */
function hasTableHead(text: string): boolean {
  return text.split('\n').some((line) => {
    if (line.length > 2_000 || !/task[ _]?id/i.test(line)) return false;
    const cells = line.split(/[|,;\t]/).map((cell) => cell.replace(/["'*`]/g, '').trim());
    return COLUMNS.every((column) => cells.some((cell) => column.test(cell)));
  });
}

/** Several times, since an address may be encoded once more inside another. */
function decode(text: string): string {
  return [1, 2, 3].reduce((decoded) => attempt(() => decodeURIComponent(decoded)) ?? decoded, text);
}
