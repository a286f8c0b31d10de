import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { isFile } from '../data/files/read-file.ts';
import { readSecrets } from '../words/read-secrets.ts';
import { tryOrUndefined } from '../words/show.ts';

/** What a module reads beyond the imports that Vite follows. */
export type SourceReads = Readonly<{
  /** Names of environment variables. */
  variables: readonly string[];
  /** Absolute paths of files that it names, and of those that it writes. */
  files: readonly string[];
  written: readonly string[];
  /** Specs of `module:`, such as judges. */
  specs: readonly string[];
}>;

type Place = Readonly<{
  file: string;
  root: string;
  variables: Readonly<Record<string, string | undefined>>;
}>;

/**
 * Reads the code that Vite makes of a module for Node. Its words are compared with the names of the
 * environment, and its texts with the paths of files, so it does not matter how the code reads
 * them. A word or a text too many only asks again where nothing has changed.
 */
export function readSource(code: string, { file, root, variables }: Place): SourceReads {
  const text = code.replace(ADDED_BY_VITE, '').replaceAll(COMMENT, '').replaceAll(IN_QUESTION, '');
  const words = new Set(text.match(/[A-Za-z_]\w+/g));
  const places = [root, dirname(file)];
  const written = [...text.matchAll(WRITE)].flatMap(([, path = '']) => textsOf(path, text));
  const named = [
    ...textsOf(text),
    ...[...text.matchAll(JOIN)].map(([, parts = '']) => joinTexts(parts)),
  ];
  return {
    variables: [...words].filter((name) => isPartOfKey(name, variables[name])),
    files: [...locate(named, places), ...findRequired(text, file)].filter((path) =>
      isRead(path, file),
    ),
    written: locate(written, places),
    specs: named.filter((name) => name.startsWith('module:')),
  };
}

const ADDED_BY_VITE = /^__vite_ssr_import_meta__\.env = \{.*\};$/m;
const COMMENT = /^\s{0,99}(?:\/\/|\*|\/\*).*$/gm;

/** The hash of a question has its record and its prompt. */
const IN_QUESTION = /\b(?:data|prompt|predictions):\s*(["'`])(?:(?!\1)[^\\\n]){1,300}\1/g;

/** A text in quotes. Those of Vite's own imports are paths too, and are followed anyway. */
const TEXT = /(["'`])((?:(?!\1)[^\\\n]){1,300})\1/g;
const JOIN = /\b(?:join|resolve)\)?\(([^()\n]{1,300}(?:\(\)[^()\n]{0,300})?)\)/g;
const WRITE =
  /\b(?:(?:write|append|copy)File(?:Sync)?|createWriteStream|rename(?:Sync)?|rm(?:Sync)?|unlink(?:Sync)?)\)?\(([^\n]{0,300})/g;

/** The texts in some code, whole and by their words; and those of constants that it names. */
function textsOf(part: string, code = ''): readonly string[] {
  const texts = [...part.matchAll(TEXT)].map(([, , text = '']) => text);
  const constants = [...code.matchAll(CONSTANT)].filter(([, name = '']) => part.includes(name));
  const more = constants.flatMap(([, , value = '']) => [...textsOf(value), joinTexts(value)]);
  return [...texts, ...texts.flatMap((text) => text.split(' ')), ...more];
}

const CONSTANT = /\bconst (\w{1,60}) = ([^\n;]{1,300})/g;

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
const WRITTEN_BY_RUNS = /\.(?:db|sqlite3?|log|lock|pid|tmp)$/;
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
