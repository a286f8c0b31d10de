/** @import { PageCase } from './data.ts' */

/**
 * What the address names after its "#": the filters and the open case. An empty text filters nothing or opens none.
 * @typedef {{ text: string, suite: string, agent: string, prompt: string, group: string, state: string, rules: string, case: string }} Link
 */

/**
 * The link of the address. One to a section of the page has no filter and no case.
 * @returns {Link}
 */
export function readLink() {
  const values = new URLSearchParams(location.hash.slice(1));
  const read = (/** @type {keyof Link} */ key) => values.get(key) ?? '';
  return {
    text: read('text'),
    suite: read('suite'),
    agent: read('agent'),
    prompt: read('prompt'),
    group: read('group'),
    state: read('state'),
    rules: read('rules'),
    case: read('case'),
  };
}

/**
 * Writes a link into the address: as a new entry of the history, or in place of the current one.
 * @param {Link} link
 * @param {'pushState' | 'replaceState'} write
 */
export function writeLink(link, write) {
  const named = Object.entries(link).filter(([, value]) => value !== '');
  history[write](null, '', `#${new URLSearchParams(named)}`);
}

/**
 * The name of each case in links, as its test is titled: its id and, where there are several, suite, agent, prompt and trial.
 * @param {readonly PageCase[]} cases
 * @returns {ReadonlyMap<PageCase, string>}
 */
export function nameCases(cases) {
  const differs = (/** @type {'suite' | 'agent'} */ key) => cases.some((each) => each[key] !== cases[0]?.[key]);
  const [suites, agents] = [differs('suite'), differs('agent')];
  const names = new Set();
  return new Map(
    cases.map((each) => {
      const { id, suite, agent, prompt, trial } = each;
      const number = trial === undefined ? [] : [`trial ${trial}`];
      const parts = [id, ...(suites ? [suite] : []), ...(agents ? [agent] : []), prompt ?? [], number];
      let name = parts.flat().join(' | ');
      // Cut ids may be the same.
      while (names.has(name)) name += '+';
      names.add(name);
      return [each, name];
    }),
  );
}
