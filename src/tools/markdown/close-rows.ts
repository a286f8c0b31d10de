/** Ends table rows and cells where HTML may leave that out and the parser would lose them. Linear in what it is given. */
export function closeRows(html: string): string {
  const parts: string[] = [];
  /** For each open table: whether a row of it is open. */
  const tables: boolean[] = [];
  let start = 0;
  const insert = (at: number, text: string) => {
    parts.push(html.slice(start, at), text);
    start = at;
  };
  for (const { index, 1: slash, 2: word = '' } of html.matchAll(TAG)) {
    const opens = slash === '';
    const inRow = tables.at(-1) === true;
    if (word.toLowerCase() === 'table' && opens) tables.push(false);
    else if (tables.length > 0) {
      // Only the end of a row needs none before it; tables and their parts end it too.
      const ends = word.toLowerCase() === 'tr' && !opens;
      if (inRow && !ends) insert(index, '</tr>');
      if (word.toLowerCase() === 'table') tables.pop();
      else tables[tables.length - 1] = word.toLowerCase() === 'tr' && opens;
    }
  }
  return [...parts, html.slice(start)].join('');
}

const TAG = /<(\/?)(table|thead|tbody|tfoot|tr)\b/gi;
