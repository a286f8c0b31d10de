import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { int } from './format.js';
import { html } from './html.js';
import { signOf } from './run.js';
import { isReport } from './source.js';

/**
 * @import { ComponentChildren } from 'preact'
 * @import { Head } from '../data.ts'
 * @import { Answer, Change, State as StateName } from './run.js'
 */

/** @param {{ state: StateName, states: Head['states'], label?: string }} props */
export function State({ state, states, label }) {
  return html`<span class=${`badge is-${state}`}
    ><i aria-hidden="true">${signOf(state)}</i>${label ?? states[state].label}</span
  >`;
}

/** More squares than this do not fit in a row. */
const MOST_SQUARES = 12;

/**
 * A square for each answer, those of one agent together. Each state has its own sign.
 * @param {{ groups: readonly (readonly Answer[])[], states: Head['states'] }} props
 */
export function Squares({ groups, states }) {
  const told = groups.map((own) => {
    const said = own.map(({ state }) => states[state].label).join(', ');
    return `${own[0]?.variant.name}: ${said}`;
  });
  let room = MOST_SQUARES;
  const shown = groups.map((own) => {
    const fitting = own.slice(0, Math.max(0, room));
    room -= fitting.length;
    return fitting;
  });
  return html`<span class="squares" role="img" aria-label=${told.join('; ')}>
    ${shown.map(
      (own, at) => html`<span key=${at} title=${told[at]}>
        ${own.map(({ state }) => html`<i class=${`square is-${state}`}>${signOf(state)}</i>`)}
      </span>`,
    )}
    ${room < 0 && '…'}
  </span>`;
}

export function Waiting() {
  return html`<p class="empty" role="status">Loading…</p>`;
}

/** @param {{ banner: Head['banner'] }} props */
export function Banner({ banner }) {
  if (banner === null) return null;
  return html`<p class="banner" role="note">
    ${
      banner === 'hidden'
        ? html`<strong>Texts are hidden.</strong> In CI, questions, expected answers and answers are left out unless a suite is public. Set EVAL_SHOW_GATED=1 to show them.`
        : html`<strong>Keep this ${isReport ? 'file' : 'page'} private.</strong> It holds questions, expected answers and answers in GAIA's form. GAIA is gated: do not publish them or put them where they can be crawled.`
    }
  </p>`;
}

/** @param {{ change: Change }} props */
export function ChangeTag({ change }) {
  const isGood = change === 'fixed' || change === 'improved';
  return html`<span class=${`tag ${isGood ? 'up' : 'down'}`}>${change}</span>`;
}

/** @param {{ isOn: boolean, sign?: string, count?: number, onClick: () => void, children?: ComponentChildren }} props */
export function Chip({ isOn, sign, count, onClick, children }) {
  return html`<button type="button" class="chip" aria-pressed=${isOn} onClick=${onClick}>
    ${sign && html`<i aria-hidden="true">${sign}</i>`}<span>${children}</span>${count !== undefined && html`<b>${int(count)}</b>`}
  </button>`;
}

/**
 * A choice of several names; nothing if there is no choice. An option is its name, or a name and what
 * is shown.
 * @param {{ label: string, value: string | undefined, options: readonly (string | readonly [string, string])[], all?: string, onChange: (value: string) => void }} props
 */
export function Select({ label, value = '', options, all = 'All', onChange }) {
  if (options.length < (all === 'Any' ? 1 : 2) && value === '') return null;
  const named = options.map((option) => (typeof option === 'string' ? [option, option] : option));
  return html`<label class="field">
    <span>${label}</span>
    <select
      value=${value}
      onChange=${(/** @type {{ target: HTMLSelectElement }} */ { target }) => onChange(target.value)}
    >
      ${all !== '' && html`<option value="">${all}</option>`}
      ${named.map(([name, shown]) => html`<option key=${name} value=${name}>${shown}</option>`)}
    </select>
  </label>`;
}

/**
 * A button that copies a text.
 * @param {{ text: string, label: string, children?: ComponentChildren }} props
 */
export function Copy({ text, label, children }) {
  const [isDone, setDone] = useState(false);
  const copy = async (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
    await navigator.clipboard?.writeText(text).then(
      () => setDone(true),
      () => setDone(false),
    );
  };
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1200);
    return () => clearTimeout(timer);
  }, [isDone]);
  return html`<button type="button" class="copy" title=${label} onClick=${copy}>
    ${isDone ? 'copied' : children}
  </button>`;
}

/**
 * A long text with its beginning first.
 * @param {{ text: string, most?: number }} props
 */
export function LongText({ text, most = 900 }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > most * 1.2;
  return html`<div class="text" dir="auto">
    ${isLong && !isWhole ? `${text.slice(0, most)}…` : text}
    ${
      isLong &&
      html`<button type="button" class="link no-print" onClick=${() => setWhole(!isWhole)}>
        ${isWhole ? 'Show less' : `Show all ${int(text.length)} characters`}
      </button>`
    }
  </div>`;
}

/**
 * A table that scrolls sideways where it has no room, also by keyboard. A head is what stands above a
 * column, and its classes.
 * @param {{ label: string, class?: string, caption?: ComponentChildren, heads: readonly (readonly [ComponentChildren, string?] | false)[], children?: ComponentChildren }} props
 */
export function TableBox({ label, class: name = '', caption, heads, children }) {
  return html`<div class=${`panel scroll ${name}`} tabindex="0" role="region" aria-label=${label}>
    <table>
      ${caption !== undefined && html`<caption>${caption}</caption>`}
      <thead>
        <tr>${heads.map((head, at) => head && html`<th key=${at} scope="col" class=${head[1]}>${head[0]}</th>`)}</tr>
      </thead>
      ${children}
    </table>
  </div>`;
}

/** @param {string} query */
export function useMedia(query) {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setMatches(media.matches);
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [query]);
  return matches;
}

/** Whether the page is being printed. */
export function usePrint() {
  const isMedia = useMedia('print');
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    // Before the browser lays the pages out.
    const begin = () => setAsked(true);
    const end = () => setAsked(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isMedia || isAsked;
}

/**
 * Acts on keys outside of fields; a key that is held down acts once.
 * @param {Readonly<Record<string, () => void>>} acts by key
 */
export function useKeys(acts) {
  const latest = useRef(acts);
  latest.current = acts;
  // Before the page is painted: a key that is pressed at once counts.
  useLayoutEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const { key, repeat, altKey, ctrlKey, metaKey, target } = event;
      const isInField =
        target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
      const act = latest.current[key];
      if (act === undefined || altKey || ctrlKey || metaKey || (isInField && key !== 'Escape'))
        return;
      event.preventDefault();
      if (!repeat || key.startsWith('Arrow') || /^[jk]$/.test(key)) act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Rows above and below those that are seen, so that none is missing while the window scrolls. */
const SPARE = 12;

/**
 * A list of rows of equal height, of which only those in view are in the page. Print has all.
 * A row is drawn again only when something in `of` changes. Each one has a style that says its place, so
 * that none that stays is laid out or painted again.
 * @param {{ count: number, height: number, label: string, row: (index: number, style: Readonly<Record<string, string>>) => unknown, of: readonly unknown[] }} props
 */
export function Rows({ count, height, label, row, of }) {
  const drawn = useRef({ of, rows: new Map() });
  if (of.some((each, at) => each !== drawn.current.of[at])) drawn.current = { of, rows: new Map() };
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [[from, to], setRange] = useState([0, 40]);
  const isPrinted = usePrint();
  useEffect(() => {
    const update = () => {
      const top = box.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / height) - SPARE);
      // In steps, so that not every pixel draws again.
      const start = first - (first % 6);
      const end = start + Math.ceil(innerHeight / height) + 2 * SPARE;
      setRange((old) => (old[0] === start && old[1] === end ? old : [start, end]));
    };
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [count, height]);
  const [start, end] = isPrinted ? [0, count] : [Math.min(from, count), Math.min(to, count)];
  const places = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  const styleOf = (/** @type {number} */ at) => ({
    height: `${height}px`,
    top: `${at * height}px`,
  });
  const rows = new Map(
    places.map((at) => [at, drawn.current.rows.get(at) ?? row(at, styleOf(at))]),
  );
  drawn.current.rows = rows;
  return html`<div
    class="rows"
    ref=${box}
    role="rowgroup"
    aria-label=${label}
    style=${{ height: `${count * height}px` }}
  >
    ${[...rows.values()]}
  </div>`;
}
