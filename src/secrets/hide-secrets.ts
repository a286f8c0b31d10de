const HIDDEN = '[key]';

/** Replaces known secrets in a text, also where a program, a server or a limit on length has cut a long one off. */
export function hideSecrets(text: string, secrets: readonly string[], shown = HIDDEN): string {
  const whole = secrets.reduce((hidden, secret) => hidden.replaceAll(secret, shown), text);
  const long = secrets.filter(hasParts);
  return long.reduce((hidden, secret) => hideTails(hideHeads(hidden, secret, shown), secret, shown), whole);
}

/** The same in every text of a value that is plain JSON; the value itself when it holds none. */
export function hideSecretsIn<T>(value: T, secrets: readonly string[]): T {
  const json = JSON.stringify(value) ?? '';
  const parts = secrets.flatMap((secret) => (hasParts(secret) ? [headOf(secret), tailOf(secret)] : [secret]));
  if (!parts.some((part) => json.includes(escapeAsJson(part)))) return value;
  return JSON.parse(json, (_, part: unknown) => (typeof part === 'string' ? hideSecrets(part, secrets) : part));
}

/**
 * What is looked for of a secret that was cut off: more than the first part that all keys of a provider share, and more
 * than an answer's own words have in common with it. A short one has no such part.
 */
const PART = 16;

const hasParts = (secret: string) => secret.length >= PART + PART / 2;
const headOf = (secret: string) => secret.slice(0, PART);
const tailOf = (secret: string) => secret.slice(-PART);
const escapeAsJson = (piece: string) => JSON.stringify(piece).slice(1, -1);

/** The beginnings of a secret, each as far as the text goes along with it. */
function hideHeads(text: string, secret: string, shown: string): string {
  const head = headOf(secret);
  let hidden = '';
  let done = 0;
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, done)) {
    let end = at + head.length;
    while (end < text.length && text[end] === secret[end - at]) end++;
    hidden += text.slice(done, at) + shown;
    done = end;
  }
  return hidden + text.slice(done);
}

function hideTails(text: string, secret: string, shown: string): string {
  const tail = tailOf(secret);
  let hidden = '';
  let done = 0;
  for (let at = text.indexOf(tail); at !== -1; at = text.indexOf(tail, done)) {
    const end = at + tail.length;
    let start = at;
    while (start > done && text[start - 1] === secret[secret.length - 1 - (end - start)]) start--;
    hidden += text.slice(done, start) + shown;
    done = end;
  }
  return hidden + text.slice(done);
}
