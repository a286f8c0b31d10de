/**
 * The keys, tokens and passwords of an environment, longest first: whatever agent runs, none of them may reach a file.
 * Placeholders such as "none" and "not-needed" are no secrets, and may be an answer's own words.
 */
export function readSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(env).filter(([name]) => SECRET_NAME.test(name) && !name.startsWith('EVAL_'));
  const passwords = Object.values(env).flatMap((value) => readPasswords(value ?? ''));
  const values = [...named.map(([, value]) => value?.trim() ?? '').filter(isSecret), ...passwords];
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)$/i;

function isSecret(value: string): boolean {
  return value.length >= 20 || (value.length >= 12 && /\d/.test(value));
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
