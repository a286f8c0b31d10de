/** @import { LabelData } from './data.ts' */
import { block, byId, element, makeButton, toLine, toVisible } from './elements.js';

/** @type {LabelData} */
const data = JSON.parse(byId('data').textContent ?? '');
const { items, key: storageKey } = data;

/** The label of each key, as the CSV has it. */
/** @type {Readonly<Record<string, string>>} */
const LABELS = { p: 'pass', f: 'fail', s: '' };

/** Whether the browser keeps labels. Some do not for a file from the disk. */
let isKept = true;

/** The letter of each answer that has one: p, f or s. */
let given = readKept();

/** What was downloaded of them. */
let downloaded = '';

const progress = element('progress', { max: String(items.length), 'aria-label': 'Labelled' });
const count = element('p', { id: 'count', role: 'status' });
const warning = element(
  'p',
  { class: 'warning', role: 'alert' },
  'This browser does not keep labels of a file. Download them before you close the page.',
);
const heading = element('h2', { id: 'place', tabindex: '-1' });
const content = element('div', { class: 'details' });
const undo = makeKey('Undo', 'u');
const labelling = [makeKey('Pass', 'p'), makeKey('Fail', 'f'), makeKey('Skip', 's')];
const save = makeButton(`Download ${data.file}`, download);
const chosen = element('input', { type: 'file', accept: '.csv' });

byId('label').append(
  progress,
  count,
  warning,
  element('section', { 'aria-labelledby': 'place' }, heading, content),
  element('div', { class: 'bar keys', role: 'group', 'aria-label': 'Label' }, ...labelling, undo),
  element(
    'div',
    { class: 'more' },
    save,
    element('label', {}, 'Continue with a downloaded file: ', chosen),
    makeButton('Start over', startOver),
  ),
);
chosen.addEventListener('change', () => void resume());
document.addEventListener('keydown', (event) => {
  const { key, repeat, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  // A key that is held down must not label many answers.
  if (repeat || altKey || ctrlKey || metaKey || shiftKey || target === chosen) return;
  press(key.toLowerCase());
});
window.addEventListener('beforeunload', (event) => {
  if (!isKept && given !== downloaded) event.preventDefault();
});
draw();

/** @param {string} letter */
function press(letter) {
  if (letter === 'u') keep(given.slice(0, -1));
  else if (Object.hasOwn(LABELS, letter) && given.length < items.length) keep(given + letter);
}

function readKept() {
  try {
    const kept = localStorage.getItem(storageKey) ?? '';
    return /^[pfs]*$/.test(kept) ? kept.slice(0, items.length) : '';
  } catch {
    isKept = false;
    return '';
  }
}

/** @param {string} letters */
function keep(letters) {
  given = letters;
  try {
    localStorage.setItem(storageKey, letters);
  } catch {
    isKept = false;
  }
  draw();
  progress.scrollIntoView();
}

/** Shows the first answer without a letter; a screen reader reads from its heading on. */
function draw() {
  const item = items[given.length];
  const number = (/** @type {string} */ letter) => given.split(letter).length - 1;
  progress.value = given.length;
  count.textContent = `${given.length} of ${items.length} answers done: ${number('p')} pass, ${number('f')} fail, ${number('s')} skipped`;
  warning.hidden = isKept;
  for (const button of labelling) button.disabled = item === undefined;
  undo.disabled = given === '';
  if (item === undefined) {
    heading.textContent = 'All answers are done';
    content.replaceChildren(`Download ${data.file}, and measure the judge: `, COMMAND);
    save.focus();
    return;
  }
  heading.textContent = `Answer ${given.length + 1} of ${items.length}`;
  content.replaceChildren(...renderItem(item));
  heading.focus({ preventScroll: true });
}

const COMMAND = element('code', {}, `viva judge calibrate ${data.file}`);

/** @param {LabelData['items'][number]} item */
function renderItem({ criterion, question, reference, output, note }) {
  return [
    element('p', { class: 'criterion', dir: 'auto' }, toVisible(criterion)),
    ...(note === undefined ? [] : [element('p', { class: 'note' }, toLine(note, 300))]),
    ...block('Question', question),
    ...block('Reference', reference),
    ...block('Answer', output === '' ? '(empty)' : output),
  ];
}

/**
 * @param {string} name
 * @param {string} letter
 */
function makeKey(name, letter) {
  const button = makeButton(`${name} `, () => press(letter));
  button.setAttribute('aria-keyshortcuts', letter);
  button.append(element('kbd', {}, letter));
  return button;
}

function download() {
  const lines = items.map(({ line: [before, after] }, place) => {
    return `${before}${LABELS[given[place] ?? 's']}${after}\r\n`;
  });
  const blob = new Blob([data.head, ...lines], { type: 'text/csv' });
  element('a', { href: URL.createObjectURL(blob), download: data.file }).click();
  downloaded = given;
}

/** Takes the labels of a file that was downloaded before. */
async function resume() {
  const text = (await chosen.files?.[0]?.text()) ?? '';
  const letters = items.map(({ line: [, after] }) => {
    return text.includes(`pass${after}`) ? 'p' : text.includes(`fail${after}`) ? 'f' : 's';
  });
  // What is empty at the end was not reached.
  const found = letters.join('').replace(/s+$/, '');
  if (found !== '') keep(found);
  else count.textContent = 'That file has no label of this page.';
}

function startOver() {
  if (confirm(`Remove the labels of ${given.length} answers?`)) keep('');
}
