/**
 * @import { Answers, AnswerTexts, Head, LabelPage, PageAnswer, PageFile, PageRunComparison, RunEntry, Talks, Texts } from '../data.ts'
 * @import { Turn } from '../../../src/words/conversation.ts'
 */

/**
 * Where the data of one run come from.
 * @typedef {Readonly<{
 *   head: () => Promise<Head>,
 *   answers: () => Promise<Answers & { texts?: readonly AnswerTexts[], seen?: number }>,
 *   texts: () => Promise<readonly Texts[]>,
 *   talk: (answer: PageAnswer & { place: number }) => Promise<readonly Turn[]>,
 *   pictureOf: (question: number, index: number, file: PageFile) => string | null,
 *   linkOf: (question: number, index: number, file: PageFile, head: Head) => string | null,
 * }>} Source
 */

/** Whether the data are in the page. */
export const isReport = document.getElementById('head') !== null;

/**
 * JSON as it is in the page: gzip in base64.
 * @param {string} id
 */
async function unpack(id) {
  const text = document.getElementById(id)?.textContent ?? '';
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

/** Resolves when the whole file is read: what cases show stands behind the script. */
function whole() {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
}

/** @type {Map<number, Promise<Talks>>} */
const talks = new Map();

/** @type {Source} */
export const REPORT = {
  head: () => unpack('head'),
  answers: async () => {
    await whole();
    return unpack('answers');
  },
  texts: async () => {
    await whole();
    const blocks = document.querySelectorAll('script[id^="texts-"]');
    return Promise.all([...blocks].map(({ id }) => unpack(id)));
  },
  talk: async ({ place, talk: block = -1 }) => {
    await whole();
    /** @type {Promise<Talks>} */
    const known = talks.get(block) ?? unpack(`talks-${block}`);
    talks.set(block, known);
    return (await known).find(([at]) => at === place)?.[1] ?? [];
  },
  pictureOf: (_question, _index, { picture }) => {
    const block = document.querySelector(`script[id^="image-"][id$="-${picture}"]`);
    const type = block?.id.replace(/-\d+$/, '').replace('-', '/');
    return type === undefined ? null : `data:${type};base64,${block?.textContent ?? ''}`;
  },
  linkOf: (_question, _index, { path }, { base }) =>
    path === undefined ? null : encodeURI(base === undefined ? path : `${base}/${path}`),
};

/**
 * JSON of the server. Throws its message.
 * @param {string} path
 */
async function get(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/**
 * @param {string} name of the run
 * @returns {Source}
 */
export function sourceOf(name) {
  const base = `/api/runs/${encodeURIComponent(name)}`;
  const fileOf = (/** @type {number} */ question, /** @type {number} */ index) =>
    `${base}/file?question=${question}&index=${index}`;
  return {
    head: () => get(base),
    answers: () => get(`${base}/answers`),
    texts: async () => {
      /** @type {Texts[]} */
      const parts = [];
      for (let from = 0; from !== null; ) {
        const part = await get(`${base}/texts?from=${from}`);
        parts.push(part);
        from = part.next;
      }
      return parts;
    },
    // While a run goes on, its answers have other places here.
    talk: ({ q, v, trial }) => get(`${base}/talk?question=${q}&variant=${v}&trial=${trial}`),
    pictureOf: (question, index, { picture }) =>
      picture === true ? fileOf(question, index) : null,
    linkOf: (question, index, { path }) => (path === undefined ? null : fileOf(question, index)),
  };
}

/**
 * The list of runs, the newest first, in parts of which the first comes soon.
 * @param {(runs: readonly RunEntry[], isAll: boolean) => void} show
 */
export async function fetchRuns(show) {
  /** @type {RunEntry[]} */
  const found = [];
  let before = '';
  for (;;) {
    /** @type {{ runs: readonly RunEntry[], more: boolean }} */
    const { runs, more } = await get(`/api/runs?before=${encodeURIComponent(before)}`);
    found.push(...runs);
    show([...found], !more);
    before = runs.at(-1)?.name ?? '';
    if (!more || before === '') return;
  }
}

/**
 * @param {string} a
 * @param {string} b
 * @returns {Promise<PageRunComparison>}
 */
export function fetchComparison(a, b) {
  return get(`/api/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`);
}

/**
 * @param {string} name of the run
 * @param {Readonly<Record<string, string>>} wanted
 * @returns {Promise<LabelPage>}
 */
export function fetchLabels(name, wanted) {
  return get(`/api/runs/${encodeURIComponent(name)}/labels?${new URLSearchParams(wanted)}`);
}

/**
 * Hears of changes on the server until the function that it returns is called.
 * @param {string} path
 * @param {Readonly<Record<string, (data: any) => void>>} heard by the name of the event
 */
export function follow(path, heard) {
  const events = new EventSource(path);
  for (const [name, hear] of Object.entries(heard))
    events.addEventListener(name, ({ data }) => hear(JSON.parse(data)));
  return () => events.close();
}
