/** Replaces known secrets in a text. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[key]'), text);
}

/** The same in every text of a value that is plain JSON; the value itself when it holds none. */
export function hideSecretsIn<T>(value: T, secrets: readonly string[]): T {
  const text = JSON.stringify(value) ?? '';
  const escaped = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  return escaped.some((secret) => text.includes(secret)) ? JSON.parse(hideSecrets(text, escaped)) : value;
}
