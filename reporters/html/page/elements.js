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
