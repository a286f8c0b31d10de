/**
 * The keys, tokens and passwords of an environment, longest first: whatever agent runs, none of them may reach a file.
 * Placeholders such as "none" and "not-needed" are no secrets, and may be an answer's own words.
 */
export function readSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(env).filter(([name]) => SECRET_NAME.test(name) && !name.startsWith('EVAL_'));
  const values = named.map(([, value]) => value?.trim() ?? '').filter(isSecret);
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)$/i;

function isSecret(value: string): boolean {
  return value.length >= 20 || (value.length >= 12 && /\d/.test(value));
}
