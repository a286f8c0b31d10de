import { tryOrUndefined } from '../../words/show.ts';

/*
 * GAIA's questions and answers are on the web, in its own repository and in copies. The result of
 * an agent that reads them there means nothing, so these pages are refused and the model gets a
 * message.
 */

/** The message to the model for a refused page. */
export const LEAK_REFUSED =
  'it belongs to a copy of the benchmark that this question may come from (leak guard), so it is not shown. ' +
  'Answer from other sources.';

/**
 * Sites with copies of benchmarks. They are whole domains, the form that a provider's own search
 * accepts.
 */
export const BLOCKED_DOMAINS: readonly string[] = ['huggingface.co', 'hf.co', 'hf-mirror.com'];

/**
 * Sites where anybody may publish datasets and agents. Those of their pages that name GAIA are
 * refused.
 */
const HUBS = [
  ...BLOCKED_DOMAINS,
  'hf.space',
  'modelscope.cn',
  'modelscope.ai',
  'kaggle.com',
  'kaggleusercontent.com',
];

/** Sites of source code, which often includes the data that it was tested on. */
const CODE = [
  'github.com',
  'githubusercontent.com',
  'github.io',
  'jsdelivr.net',
  'gitlab.com',
  'gitee.com',
];

/** GAIA as a whole word: not "gaiam". */
const GAIA = /(^|[^a-z])gaia([^a-z]|$)/;

/** Names of the data: the files of its splits and the usual names of copies. */
const DATA = /(metadata|validation|test)[^/]*\.(jsonl|parquet|json|csv)/;
const DATA_SETS =
  /gaia[-_ .]?(benchmark|bench|dataset|validation|level[-_ ]?\d|2023|questions|answers)([^a-z]|$)/;

/**
 * Whether an address names a copy of GAIA, also inside the address of an archive or a proxy. A copy
 * under another name is found by its text. Pages on the space mission of the same name are allowed.
 */
export function isLeakAddress({ hostname, pathname, search }: URL): boolean {
  const host = hostname.replace(/(?<!\.)\.+$/, '');
  const rest = decodeAddress(`${pathname}${search}`).toLowerCase();
  const whole = `${host}${rest}`;
  if (/gaia[-_ ./]?benchmark/.test(whole) || /agents[-_]course[-_]unit4[-_]scoring/.test(whole))
    return true;
  if (isWithin(host, HUBS) || namesSite(rest, HUBS)) return GAIA.test(whole);
  if (isWithin(host, CODE) || namesSite(rest, CODE))
    return DATA_SETS.test(whole) || (GAIA.test(whole) && DATA.test(rest));
  return GAIA.test(rest) && DATA.test(rest);
}

function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => `.${host}`.endsWith(`.${domain}`));
}

/** Whether this text contains an address of such a domain. */
function namesSite(text: string, domains: readonly string[]): boolean {
  const hosts = text.match(/[a-z0-9.-]{4,}/g) ?? [];
  return hosts.some((host) => isWithin(host.replace(/(?<!\.)\.+$/, ''), domains));
}

/**
 * Whether a text contains records of GAIA. The names of GAIA's fields occur together nowhere else.
 */
export function isLeakText(text: string): boolean {
  // In JSON inside a JSON string the quotes are escaped, once for each level.
  const plain = text.replace(/(?<!\\)\\+(?=["'])/g, '');
  return (
    FIELD_NAMES.some((names) => names.every((name) => name.test(plain))) || hasTableHead(plain)
  );
}

const FIELD_NAMES: readonly (readonly RegExp[])[] = [
  [/annotator[ _]metadata/i, /final[ _]answer/i],
  [
    /["']task_id["']/i,
    /["']question["']/i,
    /["'](?:final|true|model)[ _]answer["']/i,
    /["']level["']/i,
  ],
];

const COLUMNS = [
  /^task[ _]?id$/i,
  /^question$/i,
  /^level$/i,
  /^(?:final|true|ground[ _]truth)[ _]?answer$/i,
];

/**
 * A line of column names, as in CSV and Markdown tables, that includes the names of GAIA's fields.
 */
function hasTableHead(text: string): boolean {
  return text.split('\n').some((line) => {
    if (line.length > 2_000 || !/task[ _]?id/i.test(line)) return false;
    const cells = line.split(/[|,;\t]/).map((cell) => cell.replace(/["'*`]/g, '').trim());
    return COLUMNS.every((column) => cells.some((cell) => column.test(cell)));
  });
}

/** Decodes several times, since an address may be encoded again inside another. */
function decodeAddress(text: string): string {
  return [1, 2, 3].reduce(
    (decoded) => tryOrUndefined(() => decodeURIComponent(decoded)) ?? decoded,
    text,
  );
}
