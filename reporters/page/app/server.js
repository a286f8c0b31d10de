/**
 * What the page asks its server.
 * @import { LabelPage, PageRunComparison, RunEntry, Texts } from '../data.ts'
 * @import { Cases } from './run.js'
 * @import { Source } from './source.js'
 */

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

/**
 * New answers of a run, until it ends or changes its plan.
 * @param {string} name
 * @param {Cases} cases
 * @param {number} seen how many rows are known
 * @param {(version: number) => void} setVersion
 * @param {(change: (turn: number) => number) => void} setTurn
 */
export function followRun(name, cases, seen, setVersion, setTurn) {
  return follow(`/api/runs/${encodeURIComponent(name)}/events?after=${seen}`, {
    answers: ({ answers, texts }) => {
      const first = cases.answers.length;
      cases.add(answers);
      cases.addTexts([
        {
          questions: [],
          answers: texts.map((/** @type {unknown} */ each, /** @type {number} */ at) => [
            first + at,
            each,
          ]),
        },
      ]);
      setVersion(cases.version);
    },
    changed: () => setTurn((turn) => turn + 1),
  });
}
