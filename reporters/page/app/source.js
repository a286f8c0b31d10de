/**
 * @import { Answers, AnswerTexts, Head, PageAnswer, PageFile, Talks, Texts } from '../data.ts'
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
