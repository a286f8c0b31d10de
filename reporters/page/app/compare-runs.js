import { useEffect, useState } from 'preact/hooks';
import { useTexts } from './cases.js';
import { Compare } from './compare.js';
import { date } from './format.js';
import { html } from './html.js';
import { Banner, Waiting } from './parts.js';
import { toLink } from './route.js';
import { fetchComparison } from './server.js';

/**
 * @import { Head, PageRunComparison } from '../data.ts'
 * @import { Cases } from './run.js'
 * @import { Source } from './source.js'
 */

/** @typedef {Readonly<{ name: string, source: Source, head: Head | null, cases: Cases | null, problem: string }>} Loaded */

/** Two runs, which the server has viva compare. @param {{ a: Loaded, b: Loaded, params: Readonly<Record<string, string>> }} props */
export function CompareRuns({ a, b, params }) {
  const [result, setResult] = useState(/** @type {PageRunComparison | null} */ (null));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setResult(null);
    fetchComparison(a.name, b.name).then(setResult, (error) => setProblem(error.message));
  }, [a.name, b.name]);
  const [isReadA, isReadB] = [useTexts(a.cases, a.source, true), useTexts(b.cases, b.source, true)];
  if (problem !== '') return html`<p class="note" role="alert">${problem}</p>`;
  if (
    result === null ||
    a.head === null ||
    b.head === null ||
    a.cases === null ||
    b.cases === null ||
    !isReadA ||
    !isReadB
  )
    return html`<${Waiting} />`;
  const [dateA, dateB] = [date(a.head.run.started_at), date(b.head.run.started_at)];
  const [nameA, nameB] = dateA === dateB ? [a.name, b.name] : [dateA, dateB];
  const banner = [a.head.banner, b.head.banner].find((each) => each !== null) ?? null;
  return html`<${Banner} banner=${banner} />
    <${Compare}
      a=${{ name: nameA, head: a.head, cases: a.cases, source: a.source }}
      b=${{ name: nameB, head: b.head, cases: b.cases, source: b.source }}
      pairs=${result.suites}
      notes=${result.not_compared}
      params=${params}
    >
      <span class="quiet">A <a href=${toLink([a.name])} title=${a.name}>${nameA}</a> with B <a href=${toLink([b.name])} title=${b.name}>${nameB}</a></span>
      <a class="button" href=${toLink(['compare'], { a: b.name, b: a.name })}>Swap</a>
    <//>`;
}
