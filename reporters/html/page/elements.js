/**
 * An element with attributes and what is in it. Texts become text nodes, so nothing in them is ever markup.
 * @param {string} name
 * @param {Readonly<Record<string, string>>} [attributes]
 * @param {...(Node | string)} content
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

/**
 * The element of the page with an id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
}

/**
 * Characters that act or hide are escaped, as by `src/text/show.ts`; lines and tabs stay.
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
 * The same on one line, cut for a cell of a table; "-" for nothing.
 * @param {string | undefined} text
 * @param {number} most
 */
export function toLine(text, most) {
  if (text === undefined) return '-';
  const line = toVisible(text.length > most ? `${text.slice(0, most)}\u2026` : text);
  return line.replace(/\s+/g, ' ').trim();
}
