/**
 * Control, format and line-break characters written out, as `src/text/show.ts` does; lines and tabs stay.
 * @param {string} text
 */
export function toVisible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${unit}`).join('');
  });
}

/**
 * The same on one line, cut for a cell of a table.
 * @param {string} text
 * @param {number} most
 */
export function toLine(text, most) {
  const line = toVisible(text.length > most ? `${text.slice(0, most)}\u2026` : text);
  return line.replace(/\s+/g, ' ').trim();
}

/** @param {number} ms */
export function formatLatency(ms) {
  return ms < 1000 ? `${ms} ms` : `${ms < 100_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
}

/** @param {number} usd */
export function formatCost(usd) {
  return `$${usd === 0 || usd >= 1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}
