import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDollars, formatScoreValue } from '../../../src/words/amounts.js';
import { Conversation } from './conversation.js';
import { diffValues, diffWords } from './diff.js';
import { int, oneLine, plural, time, words } from './format.js';
import { html } from './html.js';
import { ChangeTag, Copy, LongText, State, useKeys, useMedia } from './parts.js';
import { setParams } from './route.js';
import { nameAnswer, tellReceived, tellResult } from './run.js';

/**
 * @import { AnswerTexts, Head, PageClaim, PageJudge } from '../data.ts'
 * @import { Answer, Question } from './run.js'
 * @import { Source } from './source.js'
 */

/** @typedef {Readonly<{ head: Head, source: Source }>} Shown */

/** @typedef {Readonly<{ place: string, onStep: (by: number) => void, canStep: (by: number) => boolean, onClose: () => void }>} Steps */

/**
 * The steps through a list of cases, also by keys: j opens the next one, or that at `from` if none is
 * open, k the previous one, Escape closes it. `at` is -1 for a case that is not in the list.
 * @param {Readonly<{ at: number, count: number, from: number, isOpen: boolean, show: (index: number, isStep?: boolean) => void, close: () => void }>} list
 * @returns {Steps}
 */
export function useSteps({ at, count, from, isOpen, show, close }) {
  const canStep = (/** @type {number} */ by) => at >= 0 && at + by >= 0 && at + by < count;
  const step = (/** @type {number} */ by) => () => {
    if (!isOpen) show(Math.min(from, count - 1), true);
    else if (at < 0 || canStep(by)) show(at < 0 ? 0 : at + by);
  };
  useKeys({ j: step(1), k: step(-1), ...(isOpen ? { Escape: close } : {}) });
  return {
    place: at < 0 ? 'not in this list' : `${int(at + 1)} of ${int(count)}`,
    onStep: (by) => show(at + by),
    canStep,
    onClose: close,
  };
}

/** One question with all its answers, of which one is read. @param {Shown & { question: Question, chosen: string | undefined, steps: Steps }} props */
export function CasePanel({ head, source, question, chosen, steps }) {
  const { answers, changes } = question;
  const answer = answers.find((each) => nameAnswer(each) === chosen) ?? answers[0];
  return html`<${Pane} question=${question} steps=${steps}>
    <${Asked} head=${head} source=${source} question=${question} answer=${answer} />
    ${changes.map(
      ({ change, of, since, before }, at) => html`<p key=${at} class="note">
        <${ChangeTag} change=${change} /> ${of}, against ${since}${before !== undefined && html`, which answered: <b dir="auto">${before}</b>`}
      </p>`,
    )}
    ${answers.length > 1 && html`<${AnswerList} head=${head} question=${question} opened=${answer} />`}
    ${answer !== undefined && html`<${Read} key=${answer.place} head=${head} source=${source} answer=${answer} />`}
  <//>`;
}

/**
 * What is read beside a list, or over it where there is no room; `steps` go to its neighbours there.
 * @param {{ question: Question, steps: Steps, class?: string, children?: unknown }} props
 */
export function Pane({ question, steps, class: name = '', children }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const isModal = useMedia('(max-width: 1000px)');
  const { place, onStep, canStep, onClose } = steps;
  const { suite, group, id } = question.facts;
  useEffect(() => {
    box.current?.scrollTo({ top: 0 });
    box.current?.querySelector('h2')?.focus({ preventScroll: true });
  }, [question.key, place]);
  useEffect(() => {
    document.body.classList.toggle('is-behind', isModal);
    return () => document.body.classList.remove('is-behind');
  }, [isModal]);
  const button = (
    /** @type {string} */ label,
    /** @type {string} */ sign,
    /** @type {() => void} */ act,
    isOff = false,
  ) =>
    html`<button type="button" class="icon" disabled=${isOff} onClick=${act} aria-label=${label} title=${label}>${sign}</button>`;
  return html`<div class=${`case ${name}`} ref=${box} role="dialog" aria-label=${`Case ${id}`} aria-modal=${isModal}>
    <div class="case-bar no-print">
      ${button('Previous case (k)', '↑', () => onStep(-1), !canStep(-1))}${button('Next case (j)', '↓', () => onStep(1), !canStep(1))}
      <span class="quiet" role="status">${place}</span>
      <span class="grow"></span>
      <${Copy} text=${location.href} label="Copy the link of this case">Copy link<//>
      ${button('Close (Escape)', '✕', onClose)}
    </div>
    <div class="case-body">
      <h2 tabindex="-1">
        <span class="quiet">${suite} · ${group}</span>
        <${Copy} text=${id} label="Copy the id">${id}<//>
      </h2>
      ${children}
    </div>
  </div>`;
}

/** What was asked, with options and files. @param {Shown & { question: Question, answer: Answer | undefined }} props */
export function Asked({ head, source, question, answer }) {
  if (question.facts.is_hidden)
    return html`<p class="note">Question, expected answer and answer are hidden.</p>`;
  const { texts } = question;
  if (texts === undefined)
    return html`<p class="note">
      ${head.left_out === undefined ? 'The texts are not here yet.' : 'The texts are too long for this file: samples.jsonl and "viva view" have them.'}
    </p>`;
  const { input = '', choices = [], files = [], goal } = texts;
  const [right, said] = [toLabels(texts.target), toLabels(answer?.texts?.answer)];
  const textOf = new Map(choices);
  const order = answer?.texts?.order ?? [...textOf.keys()];
  return html`<section class="asked">
    <${LongText} text=${input} />
    ${goal !== undefined && html`<p class="quiet">The simulated user wants: ${goal}</p>`}
    ${
      choices.length > 0 &&
      html`<ol class="options">
        ${order.map((label, place) => {
          const shownAs = choices[place]?.[0];
          const [isRight, isSaid] = [right.has(label), said.has(label)];
          return html`<li key=${label} class=${isRight ? 'is-expected' : isSaid ? 'is-received' : ''}>
            <b>${label}</b><span dir="auto">${textOf.get(label)}</span>
            ${shownAs !== label && html`<small>shown as ${shownAs}</small>`}
            ${isRight && html`<small>✓ expected</small>`}${isSaid && html`<small>${isRight ? '' : '✕ '}received</small>`}
          </li>`;
        })}
      </ol>`
    }
    ${files.length > 0 && html`<${Files} head=${head} source=${source} question=${question} files=${files} />`}
  </section>`;
}

/** Labels such as "A, C". @param {string | undefined} text */
function toLabels(text = '') {
  return new Set(text.split(',').map((label) => label.trim()));
}

/** @param {Shown & { question: Question, files: NonNullable<Question['texts']>['files'] }} props */
function Files({ head, source, question, files = [] }) {
  return html`<ul class="files">
    ${files.map((file, at) => {
      const picture = source.pictureOf(question.place, at, file);
      const link = source.linkOf(question.place, at, file, head);
      return html`<li key=${at}>
        ${picture !== null && html`<img src=${picture} alt=${`Attachment ${file.name}`} />`}
        ${link === null ? html`<span class="mono">File: ${file.name}</span>` : html`<a class="mono" href=${link} target="_blank" rel="noreferrer">File: ${file.name}</a>`}
      </li>`;
    })}
  </ul>`;
}

/** @param {{ head: Head, question: Question, opened: Answer | undefined }} props */
function AnswerList({ head, question, opened }) {
  const { answers, counts } = question;
  const hasTrials = answers.some(({ trial }) => trial > 1);
  return html`<section>
    <h3>${plural(answers.length, 'answer')}, ${int(counts.right)} correct</h3>
    <ul class="answer-list">
      ${answers.map(
        (answer) => html`<li key=${answer.place}>
        <button type="button" aria-pressed=${answer === opened} onClick=${() => setParams({ answer: nameAnswer(answer) })}>
          <${State} state=${answer.state} states=${head.states} />
          <span class="who"><span>${answer.variant.name}</span>${hasTrials && html` <small>trial ${answer.trial}</small>`}</span>
          <span class="said">${question.facts.is_hidden ? '' : oneLine(tellResult(answer, head), 120)}</span>
          <span class="quiet number">${time(answer.latency)}</span>
        </button>
      </li>`,
      )}
    </ul>
  </section>`;
}

/** One answer: what was expected and received, why, by whom it was judged, and what was said. @param {Shown & { answer: Answer }} props */
export function Read({ head, source, answer }) {
  const { question, variant, reason, texts = {} } = answer;
  const isAlone = question.answers.length === 1;
  return html`<section class="read">
      <h3>
        ${!isAlone && html`<span>${variant.name}${question.answers.some(({ trial }) => trial > 1) && `, trial ${answer.trial}`}</span> `}
        <${State} state=${answer.state} states=${head.states} />
        ${reason !== undefined && html` <span class="quiet">${words(reason)}</span>`}
        ${answer.is_uncertain && html` <span class="tag">read with doubt</span>`}
        ${answer.is_doubted && html` <span class="tag">judges in doubt</span>`}
        ${answer.seen_copy && html` <span class="tag">${answer.seen_copy === 'text' ? 'a tool showed a copy of the question' : 'a tool showed records of the benchmark'}</span>`}
      </h3>
      ${!question.facts.is_hidden && answer.texts !== undefined && html`<${Texts} head=${head} answer=${answer} texts=${texts} />`}
      <${ScoreList} head=${head} answer=${answer} />
      ${texts.judges?.map((judge, at) => html`<${Judge} key=${at} judge=${judge} />`)}
      <${Facts} head=${head} answer=${answer} texts=${texts} />
    </section>
    <${Talk} key=${answer.place} source=${source} head=${head} answer=${answer} />`;
}

/** @param {{ head: Head, answer: Answer, texts: AnswerTexts }} props */
function Texts({ head, answer, texts }) {
  const { target, accepts = [] } = answer.question.texts ?? {};
  const { why, rules = {}, output, claims = [], error } = texts;
  const accepted = Object.entries(rules);
  return html`<div class="beside">
      <div>
        <h4>Expected${accepts.length > 1 && ', any one of'}</h4>
        <div class="box" dir="auto">
          ${accepts.length > 1 ? accepts.map((each) => html`<div key=${each}>${each}</div>`) : (target ?? html`<span class="quiet">none: scores judge it</span>`)}
        </div>
      </div>
      <div>
        <h4>Received</h4>
        <div class=${`box ${answer.fails ? 'is-wrong' : answer.isRight ? 'is-right' : ''}`}>
          ${texts.answer === undefined ? html`<em>${tellReceived(answer, head.states)}</em>` : html`<${LongText} text=${texts.answer} />`}
        </div>
      </div>
    </div>
    ${!answer.isRight && accepts.length < 2 && html`<${Difference} expected=${target} received=${texts.answer} />`}
    ${why !== undefined && html`<h4>Why</h4><p class="why" dir="auto">${why}</p>`}
    ${error !== undefined && error.message !== why && html`<h4>Error</h4><div class="box is-wrong"><${LongText} text=${`${words(error.kind)}${error.status === null ? '' : ` (${error.status})`}: ${error.message}`} /></div>`}
    ${
      accepted.length > 0 &&
      html`<p class="rules">
        ${accepted.map(([name, holds]) => html`<span key=${name} class=${holds ? 'good' : 'bad'}>${holds ? '✓' : '✕'} ${name}</span>`)}
      </p>`
    }
    <${Claims} claims=${claims} />
    ${output !== undefined && html`<h4>Whole output</h4><div class="box"><${LongText} text=${output} /></div>`}`;
}

/** Where two short texts differ nobody needs help. */
const SHORT = 12;

/** @param {{ expected: string | undefined, received: string | undefined }} props */
function Difference({ expected, received }) {
  if (expected === undefined || received === undefined || expected === received) return null;
  if (expected.length <= SHORT && received.length <= SHORT) return null;
  const parts = diffValues(expected, received);
  if (parts !== null && parts.length > 0)
    return html`<h4>Parts that differ</h4>
      <dl class="diff parts">
        ${parts.map(
          ({ path, before, after }) => html`<div key=${path}>
          <dt>${path || '(all)'}</dt>
          <dd>${before !== undefined && html`<del>${before}</del>`} ${after !== undefined && html`<ins>${after}</ins>`}</dd>
        </div>`,
        )}
      </dl>`;
  return html`<h4>Difference</h4>
    <p class="diff" dir="auto">
      ${diffWords(expected, received).map(([text, kind]) => (kind === 'same' ? text : kind === 'gone' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`))}
    </p>`;
}

/** How viva's readers read an output. @param {{ claims: readonly PageClaim[] }} props */
function Claims({ claims }) {
  if (claims.length === 0) return null;
  return html`<h4>How the answer was read</h4>
    <ul class="claims">
      ${claims.map(
        ({ text, form, says, won, why }, at) => html`<li key=${at} class=${won ? 'has-won' : ''}>
        <b>${won ? '✓' : '·'} ${says ?? 'no answer'}</b> <q dir="auto">${oneLine(text, 160)}</q>
        <small>${form}: ${why}</small>
      </li>`,
      )}
    </ul>`;
}

/** @param {{ head: Head, answer: Answer }} props */
function ScoreList({ head, answer: { scores = [] } }) {
  const named = head.scores.flatMap((name, at) => {
    const value = scores[at] ?? null;
    return value === null ? [] : [{ name, value }];
  });
  if (named.length === 0) return null;
  return html`<h4>Scores</h4>
    <ul class="scores">
      ${named.map(
        ({ name, value }) => html`<li key=${name}>
        <span>${name}</span>
        ${
          typeof value === 'number'
            ? html`<span class="meter" role="img" aria-label=${`${name}: ${formatScoreValue(value)}`}><i style=${{ width: `${Math.max(0, Math.min(1, value)) * 100}%` }}></i></span><b>${formatScoreValue(value)}</b>`
            : html`<b class=${value ? 'good' : 'bad'}>${value ? '✓ true' : '✕ false'}</b>`
        }
      </li>`,
      )}
    </ul>`;
}

/** @param {{ judge: PageJudge }} props */
function Judge({ judge: { score, criterion, verdicts } }) {
  return html`<div class="judge">
    <h4>Judge${verdicts.length > 1 && 's'}${score !== undefined && ` of ${score}`}</h4>
    <p class="quiet" dir="auto">${criterion}</p>
    ${verdicts.map(
      ([name, verdict, reason], at) => html`<p key=${at} dir="auto">
      <b class=${VERDICTS[verdict]}>${/^\d/.test(verdict) ? '' : `${{ good: '✓', bad: '✕' }[VERDICTS[verdict] ?? ''] ?? '?'} `}${words(verdict)}</b> ${reason} <small>${name}</small>
    </p>`,
    )}
  </div>`;
}

/** @type {Readonly<Record<string, string>>} */
const VERDICTS = { pass: 'good', 'this answer': 'good', fail: 'bad', 'other answer': 'bad' };

/** @param {{ head: Head, answer: Answer, texts: AnswerTexts }} props */
function Facts({ answer, texts }) {
  const { variant, question, tokens, cost, latency, first_token, own_delay, steps } = answer;
  const groups = Object.entries(question.facts.groups ?? {});
  /** @type {readonly (readonly [string, string | number | undefined])[]} */
  const all = [
    ['Agent', variant.agent],
    ['Prompt', variant.prompt],
    ['Model', answer.model],
    ['Trial', question.answers.some(({ trial }) => trial > 1) ? answer.trial : undefined],
    ['Latency', latency === undefined ? undefined : time(latency)],
    ["Of it viva's own", own_delay === undefined ? undefined : time(own_delay)],
    ['First token', first_token === undefined ? undefined : time(first_token)],
    ['Tokens', tokens && `${int(tokens[0])} in, ${int(tokens[1])} out`],
    ['Cost', cost === undefined ? undefined : formatDollars(cost)],
    ['Steps', steps],
    ['Confidence', texts.confidence],
    ['Answer found by', texts.how],
    ['From the cache', answer.is_cached ? 'yes' : undefined],
    ...groups.map(([by, group]) => /** @type {const} */ ([by, group])),
  ];
  return html`<dl class="facts">
    ${all.flatMap(([name, value]) => (value === undefined ? [] : [html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`]))}
  </dl>`;
}

/** What was said, once it has come. @param {{ source: Source, head: Head, answer: Answer }} props */
function Talk({ source, head, answer }) {
  const [turns, setTurns] = useState(
    /** @type {Parameters<typeof Conversation>[0]['turns']} */ ([]),
  );
  const { talk, place } = answer;
  useEffect(() => {
    let isShown = true;
    if (talk !== undefined)
      source.talk(answer).then(
        (found) => isShown && setTurns(found),
        () => undefined,
      );
    return () => {
      isShown = false;
    };
  }, [place, talk]);
  if (turns.length > 0)
    return html`<section>
      <h3>Conversation</h3>
      <${Conversation} turns=${turns} />
    </section>`;
  const isMissing = talk === undefined && (head.left_out?.conversations ?? 0) > 0;
  return (
    isMissing &&
    html`<p class="note">Its conversation is not in this file; "viva view" shows it if the run has kept it.</p>`
  );
}
