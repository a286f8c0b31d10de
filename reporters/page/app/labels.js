import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { plural } from './format.js';
import { html } from './html.js';
import { nameFile, readLabelFile, toLetters, writeLabelFile } from './label-file.js';
import { LongText, useKeys } from './parts.js';
import { setParams } from './route.js';
import { fetchLabels } from './server.js';

/**
 * @import { LabelFile, LabelRow } from './label-file.js'
 */

/** A file to label, and what is known of it besides. @typedef {Readonly<{ file: LabelFile, name: string, letters: string | null, note: string }>} Opened */

/** Answers of a run, one after another, to label by keyboard. @param {{ run: string, params: Readonly<Record<string, string>> }} props */
export function Labels({ run, params }) {
  const [opened, setOpened] = useState(/** @type {Opened | null} */ (null));
  const [problem, setProblem] = useState('');
  const { sample = '100', seed = '0', criterion = '', suite = '', gated = '' } = params;
  const open = (
    /** @type {string} */ csv,
    /** @type {string} */ name,
    /** @type {boolean} */ isSaved,
    note = '',
  ) => {
    const file = readLabelFile(csv);
    const isEmpty = file === null || file.rows.length === 0;
    setProblem(
      isEmpty ? `${name} has no answer to label: it needs the columns that viva writes.` : '',
    );
    setOpened(isEmpty ? null : { file, name, note, letters: isSaved ? toLetters(file) : null });
    if (isEmpty && note !== '') setProblem(note);
  };
  useEffect(() => {
    let isShown = true;
    setOpened(null);
    fetchLabels(run, { sample, seed, criterion, suite, gated }).then(
      ({ csv, note }) => isShown && open(csv, 'labels.csv', false, note),
      (/** @type {Error} */ { message }) => isShown && setProblem(message),
    );
    return () => {
      isShown = false;
    };
  }, [run, sample, seed, criterion, suite, gated]);
  const resume = async (/** @type {{ target: HTMLInputElement }} */ { target }) => {
    const chosen = target.files?.[0];
    if (chosen !== undefined) open(await chosen.text(), chosen.name, true);
  };
  return html`<h1>Label answers</h1>
    <p class="quiet">
      Labels of people measure a judge: <code>viva judge calibrate labels.csv</code> reads the file that you save here.
      Verdicts and names of agents are not shown.
    </p>
    <form class="fields is-open" onSubmit=${draw}>
      <label class="field"><span>Answers</span><input name="sample" inputmode="numeric" size="5" defaultValue=${sample} /></label>
      <label class="field search"><span>Criterion (empty: those of the run's judges)</span><input name="criterion" defaultValue=${criterion} /></label>
      <label class="check"><input type="checkbox" name="gated" defaultChecked=${gated === '1'} /><span>Private records too</span></label>
      <button type="submit" class="button">Draw</button>
      <label class="field"><span>Go on with a saved file</span><input type="file" accept=".csv" onChange=${resume} /></label>
    </form>
    ${problem !== '' && html`<p class="note" role="alert">${problem}</p>`}
    ${
      problem !== '' &&
      opened === null &&
      gated !== '1' &&
      html`<p class="quiet">
          Records of your own are private unless their suite is <code>public</code>. A file of labels holds their texts.
        </p>
        <p class="onward"><button type="button" class="button is-main" onClick=${() => setParams({ gated: '1' })}>Label private records too</button></p>`
    }
    ${opened !== null && opened.note !== '' && html`<p class="note">${opened.note}</p>`}
    ${opened !== null && gated === '1' && html`<p class="note">The file that you save holds private records: do not publish it.</p>`}
    ${opened !== null && html`<${Labelling} key=${`${nameFile(opened.file)} ${opened.letters}`} opened=${opened} />`}`;
}

/** @param {SubmitEvent} event */
function draw(event) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const read = (/** @type {string} */ name) => String(form.get(name) ?? '');
  setParams({
    sample: read('sample'),
    criterion: read('criterion'),
    gated: form.has('gated') ? '1' : '',
  });
}

/** The letters that a browser has kept; null if it keeps none. @param {string} key */
function readKept(key) {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} letters */
function keep(key, letters) {
  try {
    localStorage.setItem(key, letters);
  } catch {
    // A warning says so.
  }
}

/** The keys of grades; that of 10 is 0. */
const DIGITS = '1234567890';

/** @param {{ opened: Opened }} props */
function Labelling({ opened: { file, name, letters } }) {
  const { rows } = file;
  const key = useMemo(() => nameFile(file), [file]);
  const [kept] = useState(() => readKept(key));
  const [given, setGiven] = useState(
    letters ?? (/^[pfs\d]*$/.test(kept ?? '') ? (kept ?? '').slice(0, rows.length) : ''),
  );
  const [saved, setSaved] = useState('');
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  const change = (/** @type {string} */ now) => {
    setGiven(now);
    keep(key, now);
    setTimeout(() => heading.current?.focus({ preventScroll: true }));
  };
  const row = rows[given.length];
  const digits = DIGITS.slice(0, Number(row?.cells['scale']));
  const add = (/** @type {string} */ letter) => () =>
    row !== undefined && `${digits || 'pf'}s`.includes(letter) && change(given + letter);
  const undo = () => given !== '' && change(given.slice(0, -1));
  const acts = [...`pfs${DIGITS}`].map((letter) => [letter, add(letter)]);
  useKeys({ ...Object.fromEntries(acts), u: undo });
  useEffect(() => {
    const warn = (/** @type {BeforeUnloadEvent} */ event) => {
      if (kept === null && given !== saved) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [given, saved]);
  const save = () => {
    download(name, writeLabelFile(file, given));
    setSaved(given);
  };
  const button = (
    /** @type {string} */ label,
    /** @type {string} */ letter,
    /** @type {() => void} */ act,
    isOff = row === undefined,
    tone = '',
  ) =>
    html`<button type="button" class=${`button ${tone}`} disabled=${isOff} aria-keyshortcuts=${letter} onClick=${act}>${label} <kbd aria-hidden="true">${letter}</kbd></button>`;
  return html`<div class="labelling">
    <progress max=${rows.length} value=${given.length} aria-label="Labelled"></progress>
    <p role="status">${given.length} of ${plural(rows.length, 'answer')} done: ${tellDone(given, rows)}</p>
    ${kept === null && html`<p class="note" role="alert">This browser does not keep labels. Save the file before you close the page.</p>`}
    ${row === undefined ? html`<h2 ref=${heading} tabindex="-1">All answers are done</h2>` : html`<${LabelCard} row=${row} rows=${rows} at=${given.length} heading=${heading} />`}
    <div class="keys" role="group" aria-label="Label">
      ${
        digits !== ''
          ? [...digits].map((digit) => button(digit === '0' ? '10' : digit, digit, add(digit)))
          : html`${button('Pass', 'p', add('p'), row === undefined, 'is-pass')} ${button('Fail', 'f', add('f'), row === undefined, 'is-fail')}`
      }
      ${button('Skip', 's', add('s'))} ${button('Undo', 'u', undo, given === '')}
      <span class="grow"></span>
      <button type="button" class="link" onClick=${() => confirm(`Remove the labels of ${plural(given.length, 'answer')}?`) && change('')}>Start over</button>
      <button type="button" class="button is-main" onClick=${save}>Save ${name}</button>
    </div>
  </div>`;
}

/** How many answers have which label. @param {string} given @param {readonly LabelRow[]} rows */
function tellDone(given, rows) {
  const count = (/** @type {string} */ letters) =>
    [...given].filter((each) => letters.includes(each)).length;
  const graded = rows.filter(({ cells }) => cells['scale']).length;
  const labels = graded === rows.length ? '' : `${count('p')} pass, ${count('f')} fail, `;
  return `${labels}${graded > 0 ? `${count(DIGITS)} graded, ` : ''}${count('s')} skipped`;
}

/** @param {{ row: LabelRow, rows: readonly LabelRow[], at: number, heading: { current: HTMLElement | null } }} props */
function LabelCard({ row: { cells }, rows, at, heading }) {
  const criteria = [...new Set(rows.map((each) => each.cells['criterion'] ?? ''))];
  const { criterion = '', question = '', reference = '', output = '', note = '' } = cells;
  return html`<section class="panel card" aria-labelledby="place">
    <h2 id="place" ref=${heading} tabindex="-1">
      Answer ${at + 1} of ${rows.length}${criteria.length > 1 && html` <span class="quiet">· criterion ${criteria.indexOf(criterion) + 1} of ${criteria.length}</span>`}
    </h2>
    ${note !== '' && html`<p class="note">${note}</p>`}
    <h3>Criterion</h3><${LongText} text=${criterion} />
    <h3>Question</h3><${LongText} text=${question} most=${3000} />
    ${reference !== '' && html`<h3>Reference</h3><${LongText} text=${reference} />`}
    <h3>Answer</h3><div class="box"><${LongText} text=${output === '' ? '(empty)' : output} most=${6000} /></div>
  </section>`;
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
