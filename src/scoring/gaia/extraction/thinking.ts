const TAG = /<(\/?)(?:think|thinking|thought|reasoning)\s{0,4}>/gi;

/** What an output says outside its thinking blocks; `truncated` when the last block is never closed. */
export type Spoken = { readonly text: string; readonly truncated: boolean };

/**
 * Drops thinking blocks. A closing tag without an opening one ends a block that began before the output, so all text
 * before it goes; an opening one without an end takes the rest, unless it is the last word of a line (an answer may
 * be the name of the tag).
 */
export function dropThinking(output: string): Spoken {
  let kept = '';
  let from = 0;
  let open: number | null = null;
  for (const tag of output.matchAll(TAG)) {
    const end = tag.index + tag[0].length;
    if (tag[1] === '') {
      open ??= tag.index;
      continue;
    }
    kept = open === null ? '' : `${kept}${output.slice(from, open)}\n`;
    open = null;
    from = end;
  }
  if (open === null || isLastWord(output, open)) return { text: kept + output.slice(from), truncated: false };
  return { text: kept + output.slice(from, open), truncated: true };
}

function isLastWord(output: string, open: number): boolean {
  const lineStart = output.lastIndexOf('\n', open) + 1;
  const rest = output.slice(output.indexOf('>', open) + 1);
  return output.slice(lineStart, open).trim() !== '' && rest.trim().length <= 3 && !/\w/.test(rest);
}
