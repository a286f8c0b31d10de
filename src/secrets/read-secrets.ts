import { isSecretName } from './secret-name.ts';

/**
 * The keys, tokens and passwords of an environment, longest first: whatever agent runs, none of them may reach a file.
 * Placeholders such as "none" and "not-needed" are no secrets, and may be an answer's own words.
 */
export function readSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(env).filter(([name]) => isSecretName(name) && !name.startsWith('EVAL_'));
  const passwords = Object.values(env).flatMap((value) => readPasswords(value ?? ''));
  const values = [...named.map(([, value]) => value?.trim() ?? '').filter(isSecret), ...passwords];
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

/** Shorter ones would blank out words and numbers of an answer. */
const MIN_LENGTH = 8;

/** Letters alone, or digits alone, may be a word, a date or a number: only longer ones are secrets. */
const MIN_PLAIN_LENGTH = 12;
const PLAIN = /^(?:[\p{L}\s_.-]+|[\d\s_.-]+)$/u;

/** The folder that a path starts with; a key of base64 may start with a slash too. */
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)[\\/]|^\/(?:[a-z]{2,20}|Users|Applications|Library|Volumes)\//;

function isSecret(value: string): boolean {
  return (
    value.length >= (PLAIN.test(value) ? MIN_PLAIN_LENGTH : MIN_LENGTH) && !PATH.test(value) && !isPlaceholder(value)
  );
}

/** What people write where a key is asked for and none is needed. */
const PLACEHOLDER_WORDS = new Set(
  'a an any anything api change changeme default disabled dummy empty enabled example fake false for here is key lm local'
    .concat(
      ' me my needed no none not null ollama open openai optional password placeholder required secret server set',
    )
    .concat(' sk studio test this token true undefined unset unused used value vllm whatever your')
    .split(' '),
);

function isPlaceholder(value: string): boolean {
  return value
    .toLowerCase()
    .split(/[\s_.-]/)
    .every((word) => word === '' || PLACEHOLDER_WORDS.has(word));
}

/** The password of an address, such as that of a proxy or a database, as it stands there and as it is meant. */
function readPasswords(value: string): readonly string[] {
  const written = USER_AND_PASSWORD.exec(value)?.[1] ?? '';
  return [written, decode(written)].filter(isSecret);
}

const USER_AND_PASSWORD = /^\s*[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@]{0,300}:([^\s/?#]{1,300})@/i;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
