const TAG = /<(\/?)(final[_ -]?answer|answer|solution)\s{0,4}>/gi;

type Span = { readonly start: number; readonly end: number };

/** Contents of the answer tags of a text, the last one first. */
export function* taggedAnswers(text: string): Generator<string> {
  for (const { start, end } of readTags(text).closed.reverse()) yield text.slice(start, end);
}

/**
 * The content of an answer tag that the text opens and never closes, as when generation stops at the closing tag.
 * One line only: a longer rest is prose that mentions the tag.
 */
export function* unclosedTagAnswers(text: string): Generator<string> {
  const { open } = readTags(text);
  if (open === null) return;
  const rest = text.slice(open).trim();
  if (!rest.includes('\n')) yield rest;
}

function readTags(text: string): { closed: Span[]; open: number | null } {
  const closed: Span[] = [];
  let open: { name: string; start: number } | null = null;
  for (const tag of text.matchAll(TAG)) {
    const name = (tag[2] ?? '').toLowerCase();
    if (tag[1] === '') open = { name, start: tag.index + tag[0].length };
    else if (open?.name === name) {
      closed.push({ start: open.start, end: tag.index });
      open = null;
    }
  }
  return { closed, open: open?.start ?? null };
}
