/** An error in three parts: what is wrong with the truth, the value received with its type, what to do. */
export function truthError(wrong: string, received: unknown, remedy: string): Error {
  return new Error(`The truth ${wrong}, got ${showTruth(received)}. ${remedy}.`);
}

/** A value from a dataset in one safe line: JSON escapes control characters, long values are cut. */
function showTruth(value: unknown): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
  const shown = toJson(value);
  return `${shown.length > 120 ? `${shown.slice(0, 119)}…` : shown}${kind === 'null' || kind === 'undefined' ? '' : ` (${kind})`}`;
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
