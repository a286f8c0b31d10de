import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { isFile } from '../data/files/read-file.ts';
import { readSecrets } from '../words/read-secrets.ts';
import { tryOrUndefined } from '../words/show.ts';
import { type ComputedReads, findComputedReads, type Place } from './computed-reads.ts';

/** What a module reads beyond the imports that Vite follows. */
export type SourceReads = Pick<ComputedReads, 'notFollowed' | 'written'> &
  Readonly<{
    /** Names of environment variables. */
    variables: readonly string[];
    /** Absolute paths of the files that it names, and of those in folders that it reads. */
    files: readonly string[];
    /** Specs of `module:` and `command:`, such as judges. */
    specs: readonly string[];
  }>;

/**
 * Reads the code that Vite makes of a module for Node. Its words are compared with the names of the
 * environment, and its texts with the paths of files, so it does not matter how the code reads
 * them. A word or a text too many only asks again where nothing has changed. `small` is the code
 * without comments, where it is known.
 */
export function readSource(code: string, small: string, place: Place): SourceReads {
  const { file, root, variables } = place;
  const text = small.replaceAll(COMMENT, '').replaceAll(IN_QUESTION, '');
  const words = new Set(text.match(/[A-Za-z_]\w+/g));
  const named = [
    ...textsOf(text),
    ...[...text.matchAll(JOIN)].map(([, parts = '']) => joinTexts(parts)),
  ];
  const patterns = /glob/i.test(text) ? named.filter((each) => PATTERN.test(each)) : [];
  const computed = findComputedReads(code, place, patterns);
  const isNamed = (name: string) =>
    words.has(name) ||
    computed.variables.some(([start, end]) => name.startsWith(start) && name.endsWith(end));
  const files = [...locate(named, [root, dirname(file)]), ...findRequired(text, file)];
  const databases = WRITES_ROWS.test(text) ? files.filter((path) => DATABASE.test(path)) : [];
  return {
    ...computed,
    variables: Object.keys(variables).filter(
      (name) => isNamed(name) && isPartOfKey(name, variables[name]),
    ),
    files: [...files, ...computed.files].filter(
      (path) => isRead(path, file) && !databases.includes(path),
    ),
    specs: named.filter((name) => /^(?:module|command):/.test(name)),
    notFollowed: [...computed.notFollowed, ...databases.map((path) => locateIn(code, path))],
  };
}

/** "prompts/*.md" */
const PATTERN = /^[\w@.-][\w@./-]*\/[\w@./-]*\*[\w@./*-]*$/;

/** A database that the code writes, and the place of its name. */
function locateIn(code: string, path: string) {
  const name = basename(path);
  return { at: Math.max(0, code.indexOf(name)), what: `${name}, which it writes` };
}

export const DATABASE = /\.(?:db|sqlite3?)$/;
const WRITES_ROWS =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|update\s+[\w"]+\s+set|delete\s+from|replace\s+into|(?:create|drop|alter)\s+(?:virtual\s+)?table)\b|\.(?:insert|upsert)\(/i;

export const ADDED_BY_VITE = /^__vite_ssr_import_meta__\.env = \{.*\};$/m;
/** What a script of another language reads, whose files are found by its text. */
export function readScript(
  source: string,
  variables: Place['variables'],
): Pick<SourceReads, 'variables' | 'notFollowed'> {
  const text = source.replaceAll(SCRIPT_COMMENT, (comment) => ' '.repeat(comment.length));
  const words = new Set(text.match(/[A-Za-z_]\w+/g));
  return {
    variables: [...words].filter((name) => isPartOfKey(name, variables[name])),
    notFollowed: [...text.matchAll(UNKNOWN_IN_PYTHON)].map(({ 0: what, index: at }) => ({
      at,
      what,
    })),
  };
}

const SCRIPT_COMMENT = /^[ \t]*#.*$/gm;

/** `open(path)`, `importlib.import_module(name)` */
const UNKNOWN_IN_PYTHON =
  /\b(?:open|import_module|__import__|run_path)\(\s*[a-z_][\w.[\]]{0,60}(?=\s*[,)])\)?/g;

const COMMENT = /^\s{0,99}(?:\/\/|\*|\/\*).*$/gm;

/** The hash of a question has its record and its prompt. */
const IN_QUESTION = /\b(?:data|prompt|predictions):\s*(["'`])(?:(?!\1)[^\\\n]){1,300}\1/g;

/** A text in quotes. Those of Vite's own imports are paths too, and are followed anyway. */
const TEXT = /(["'`])((?:(?!\1)[^\\\n]){1,300})\1/g;
const JOIN = /\b(?:join|resolve)\)?\(([^()\n]{1,300}(?:\(\)[^()\n]{0,300})?)\)/g;

/** The texts in some code, whole and by their words. */
function textsOf(code: string): readonly string[] {
  const texts = [...code.matchAll(TEXT)].map(([, , text = '']) => text);
  return [...texts, ...texts.flatMap((text) => text.split(' '))];
}

function joinTexts(code: string): string {
  return [...code.matchAll(TEXT)].map(([, , text = '']) => text).join('/');
}

function locate(texts: readonly string[], places: readonly string[]): readonly string[] {
  const paths = texts.flatMap((text) =>
    /[./]/.test(text) ? places.map((place) => resolve(place, text)) : [],
  );
  return [...new Set(paths)].filter(isFile);
}

/** What a run writes itself would ask everything again. */
const WRITTEN_BY_RUNS = /\.(?:log|lock|pid|tmp)$/;
/** Files of records, which a suite may load by a function. */
const RECORDS = /\.(?:jsonl|ndjson|csv|tsv|parquet)$/;

function isRead(path: string, file: string): boolean {
  const isRecord = /\.eval\.[cm]?[jt]s$/.test(file) && RECORDS.test(path);
  return path !== file && !isRecord && !WRITTEN_BY_RUNS.test(path);
}

/** The modules of `require('./a')`, which Vite does not follow. */
function findRequired(code: string, file: string): readonly string[] {
  if (!/\brequire\b|createRequire/.test(code)) return [];
  const { resolve: find } = createRequire(file);
  return textsOf(code)
    .flatMap((text) => (/^[\w@./#-]+$/.test(text) ? (tryOrUndefined(() => find(text)) ?? []) : []))
    .filter((path) => path.startsWith('/') || /^[A-Z]:/i.test(path));
}

/** Another machine, user or job asks nothing again, and neither does a new key. */
const OF_MACHINE =
  /^(?:EVAL_|CI_|GITHUB_|GITLAB_|RUNNER_|BUILDKITE_|CIRCLE_|npm_|PNPM_|VITEST)|^(?:PATH|HOME|PWD|OLDPWD|HOSTNAME|USER|LOGNAME|SHELL|SHLVL|TERM|TMPDIR|TEMP|TMP|CI|TEST|MODE|DEV|PROD|SSR|BASE_URL|NODE_ENV|NODE_OPTIONS)$/;

function isPartOfKey(name: string, value: string | undefined): boolean {
  return (
    value !== undefined && !OF_MACHINE.test(name) && readSecrets({ [name]: value }).length === 0
  );
}
