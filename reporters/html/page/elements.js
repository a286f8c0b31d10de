/**
 * An element with attributes and content. Texts become text nodes, so they are never read as
 * markup.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, string>>} [attributes]
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[Name]}
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
 * Escapes control characters and invisible ones, as `src/words/show.ts` does. Line breaks and tabs
 * stay.
 * @param {string} text
 */
export function toVisible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    const units = character
      .split('')
      .map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${unit}`).join('');
  });
}

/**
 * The same text on one line, cut to the width of a table cell; "-" without a text.
 * @param {string | undefined} text
 * @param {number} most
 */
export function toLine(text, most) {
  if (text === undefined) return '-';
  const line = toVisible(text.length > most ? `${text.slice(0, most)}\u2026` : text);
  return line.replace(/\s+/g, ' ').trim();
}

/**
 * A titled text; nothing without a text.
 * @param {string} title
 * @param {unknown} text
 */
export function block(title, text) {
  if (typeof text !== 'string' || text === '') return [];
  return [titled(title, element('pre', { dir: 'auto' }, toVisible(text)))];
}

/**
 * Content below its title.
 * @param {string} title
 * @param {HTMLElement} content
 */
export function titled(title, content) {
  return element('div', {}, element('h4', {}, title), content);
}

/**
 * The dialog that shows one case. `onStep` gets 1 for the next case and -1 for the previous one.
 * `onClose` is called whenever it closes.
 * @param {{ onStep: (by: 1 | -1) => void, onClose: () => void }} handlers
 */
export function makeDialog({ onStep, onClose }) {
  const place = element('p', { role: 'status' });
  const title = element('h3', { id: 'case-title', dir: 'auto' });
  const content = element('div');
  const dialog = document.createElement('dialog');
  const bar = element(
    'div',
    { class: 'bar' },
    makeButton('\u2190 Previous', () => onStep(-1)),
    makeButton('Next \u2192', () => onStep(1)),
    makeButton('Close', () => dialog.close()),
    place,
  );
  dialog.setAttribute('aria-labelledby', 'case-title');
  dialog.setAttribute('tabindex', '-1');
  dialog.append(bar, title, content);
  dialog.addEventListener('close', onClose);
  document.body.append(dialog);
  document.addEventListener('keydown', (event) => {
    const { key, repeat, altKey, ctrlKey, metaKey, shiftKey } = event;
    // Alt and an arrow are the browser's own way back.
    if (!dialog.open || repeat || altKey || ctrlKey || metaKey || shiftKey) return;
    if (key === 'ArrowRight') onStep(1);
    if (key === 'ArrowLeft') onStep(-1);
  });
  return {
    /**
     * Shows a case by its name, its place in the list with its state, and its details.
     * @param {string} name
     * @param {string} where
     * @param {HTMLElement} details
     */
    show(name, where, details) {
      title.textContent = toLine(name, 300);
      place.textContent = where;
      content.replaceChildren(details);
      if (!dialog.open) dialog.showModal();
      // So that the arrow keys scroll it.
      dialog.focus();
      dialog.scrollTop = 0;
    },
    hide() {
      dialog.close();
    },
  };
}

/**
 * A button that does not send a form.
 * @param {string} name
 * @param {() => void} onClick
 */
export function makeButton(name, onClick) {
  const button = element('button', { type: 'button' }, name);
  button.addEventListener('click', onClick);
  return button;
}
