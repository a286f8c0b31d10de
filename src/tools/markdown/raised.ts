/** What plain text would run together with what stands before: "10" and a raised "23" as "10^23", not as "1023". */
export function raise(text: string): string {
  const inner = text.trim();
  // Marks of notes show that they are none of the text, and "1st" is no power.
  if (inner === '' || /^\[|^(st|nd|rd|th)$|^[®™*†‡°]+$/i.test(inner)) return text;
  return `^${bracket(inner)}`;
}

/** The same below the line: "H_2O". */
export function lower(text: string): string {
  const inner = text.trim();
  return inner === '' ? text : `_${bracket(inner)}`;
}

/** Whatever is no plain number or word is held together. */
function bracket(text: string): string {
  return /^([+\-−–]?\d+([.,]\d+)?[+\-−–]?|[\p{L}]+|[+\-−])$/u.test(text) ? text : `(${text})`;
}
