/** Text that remembers, for every code unit, where it came from, so that a span in cleaned text can be shown in the raw one. */
export type TrackedText = {
  readonly text: string;
  /** Positions in the raw text; null while nothing has been changed. */
  readonly origins: Int32Array | null;
};

/** A replacement of [start, end); edits are sorted and do not overlap. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

export function track(text: string): TrackedText {
  return { text, origins: null };
}

export function applyEdits(source: TrackedText, edits: readonly Edit[]): TrackedText {
  if (edits.length === 0) return source;
  const length = edits.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), source.text.length);
  const origins = new Int32Array(length);
  const pieces: string[] = [];
  let read = 0;
  let written = 0;
  const copy = (text: string, from: number, step: 0 | 1): void => {
    pieces.push(text);
    for (let i = 0; i < text.length; i += 1) origins[written + i] = originOf(source, from + i * step);
    written += text.length;
  };
  for (const edit of edits) {
    copy(source.text.slice(read, edit.start), read, 1);
    const kept = source.text.slice(edit.start, edit.end).indexOf(edit.text);
    copy(edit.text, edit.start + Math.max(kept, 0), kept < 0 ? 0 : 1);
    read = edit.end;
  }
  copy(source.text.slice(read), read, 1);
  return { text: pieces.join(''), origins };
}

/** Replaces every match of a global pattern. */
export function replaceTracked(
  source: TrackedText,
  pattern: RegExp,
  by: (match: RegExpExecArray) => string,
): TrackedText {
  const edits: Edit[] = [];
  for (const match of source.text.matchAll(pattern)) {
    const text = by(match);
    if (text !== match[0]) edits.push({ start: match.index, end: match.index + match[0].length, text });
  }
  return applyEdits(source, edits);
}

/** The span [start, end) of the cleaned text as positions in the raw one. */
export function originalSpan(source: TrackedText, start: number, end: number): readonly [number, number] {
  return [originOf(source, start), originOf(source, end - 1) + 1];
}

function originOf(source: TrackedText, at: number): number {
  return source.origins === null ? at : (source.origins[at] ?? 0);
}
