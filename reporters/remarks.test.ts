import { expect, test } from 'vitest';
import { compareRuns, readComparedRun } from '../src/figures/compare-runs.ts';
import { type EvaluationInput, evaluate, type RunOutcome } from '../src/figures/evaluate-run.ts';
import { calibrate } from '../src/figures/judge-calibration.ts';
import type { Gate } from '../src/figures/measures.ts';
import { JUDGE, PAIR, toResult, toTrials } from '../src/figures/result.fixture.ts';
import type { AgentNote, AgentPlan, SuiteManifest } from '../src/store/manifest.ts';
import type { StoredEnd } from '../src/store/run-end.ts';
import { readRun } from '../src/store/run-reader.ts';
import { toIdentity } from '../src/store/trial-meta.ts';
import type { ErrorKind } from '../src/words/answer.ts';
import type { JudgeVerdicts, PairVerdicts, SampleResult } from '../src/words/row.ts';
import { NOTE_KINDS, type NoteKind } from '../src/words/sample.ts';
import { makeRun } from '../test/make-run.ts';
import { renderFiles } from './files.ts';
import { REMARKS, toDetails, toEndLines, toRemarks, toSuiteLines } from './remarks.ts';
import { describeKnownJudges } from './run-remarks.ts';

type Facts = Readonly<{
  suite?: Partial<SuiteManifest>;
  end?: Partial<StoredEnd>;
  config?: Readonly<Record<string, unknown>>;
  calibrationOf?: EvaluationInput['calibrationOf'];
  /** Whether its records may be shown in CI. */
  isPublic?: boolean;
}>;

/** The outcome of a run that left these rows. */
function toOutcome(
  rows: readonly object[],
  { suite, calibrationOf = () => null, isPublic = true, ...facts }: Facts = {},
): RunOutcome {
  const entry = { ...suite, ...(isPublic && { public: true as const }) };
  const folder = makeRun(rows as SampleResult[], { ...facts, suite: entry });
  return evaluate(readRun(folder), { calibrationOf });
}

const right = toResult('correct', { id: 'a' });
const wrong = toResult('incorrect', { id: 'b' });
const lost = toResult('not_run', { id: 'b' });

const toFailed = (kind: ErrorKind, message: string, fields: object = {}) => {
  const error = { kind, message, status: null };
  return { ...toResult('errored', fields), reason: kind, error };
};

/** An answer with a verdict of each judge. */
function toJudged(
  verdicts: JudgeVerdicts['verdicts'],
  fields: object = {},
  models: readonly string[] = ['openai:j', 'anthropic:k'],
) {
  const reasons = verdicts.map((verdict) => (verdict === 'error' ? 'no {"reason"}' : ''));
  const judge = { ...JUDGE, models: models.slice(0, verdicts.length), verdicts, reasons };
  const isPassed = verdicts.filter((verdict) => verdict === 'pass').length > verdicts.length / 2;
  const row = toResult(isPassed ? 'correct' : 'not_run', { ...fields, judge });
  return isPassed ? row : { ...row, reason: 'judge' };
}

/** A row whose score "kind" has no verdict, decided by another score or not at all. */
function toOpen(id: string, isDecided: boolean) {
  const scores = { kind: null, ...(isDecided && { other: false }) };
  const judge = { ...JUDGE, verdicts: ['cannot_tell'], score: 'kind' } as const;
  const row = toResult(isDecided ? 'incorrect' : 'not_run', { id, scores, judge });
  return isDecided ? row : { ...row, reason: 'judge' };
}

/** A run of two agents whose answers were judged in pairs; null is a pair without the first answer. */
function preferred(pairs: readonly (Partial<PairVerdicts> | null)[]): RunOutcome {
  const rows = pairs.flatMap((pair, at) => {
    const facts = { id: `q${at}`, agent: 'b' };
    const a = toResult(pair === null ? 'no_answer' : 'correct', { ...facts, agent: 'a' });
    const b = toResult(
      'correct',
      pair === null ? facts : { ...facts, pairs: [{ ...PAIR, ...pair }] },
    );
    return [a, b];
  });
  const prefer = { judges: [J], criterion_hash: '', pairs: pairs.length };
  return toOutcome(rows, { suite: { prefer } });
}

/** A run whose loader, or whose agent, left a note. */
const noted = (kind: NoteKind) => () =>
  toOutcome([right], { suite: { notes: [{ kind, text: 'It is so.' }] } });
const notedOfAgent = (kind: NoteKind) => () =>
  toOutcome([right], { suite: { agent_notes: [{ agent: 'replay', kind, text: 'It is so.' }] } });
const NOTED = 'gaia: It is so.';
const NOTED_OF_AGENT = 'gaia, replay: It is so.';

/** Results of 100 to 600 ms, of which the last four are in this state. */
const sixTimed = (state: 'correct' | 'timed_out') =>
  [1, 2, 3, 4, 5, 6].map((at) =>
    toResult(at < 3 ? 'correct' : state, { id: `t${at}`, latency_ms: 100 * at }),
  );

/** A dry run with this plan. */
function planned(plan: Partial<AgentPlan>, suite: Partial<SuiteManifest> = {}): RunOutcome {
  const unknown = { oldest: null, newest: null, expected_cost_usd: null, missed_because: null };
  const counts = { kept: true, trials: 3, cached: 0, to_ask: 3 };
  const plans = [{ agent: 'replay', ...counts, ...unknown, ...plan }];
  return toOutcome([right], { config: { dryRun: true }, suite: { plans, ...suite } });
}

const price = { input: 2.5, output: 10, cacheRead: 1, cacheWrite: 2.5, source: 'prices 1.0.0' };
const ASKED = 'gaia, replay: 3 questions, 0 cached,';
const J = { judge: 'j', fingerprint: '', prompt_hash: '' };

/** A run whose gate was judged on these rows, of a dataset of 28 questions. */
function gated(rows: readonly object[], fields: Partial<Gate> = {}): RunOutcome {
  const group_sizes = Object.entries({ 'level 1': 2, 'level 2': 26 });
  const gate = { suite: 'gaia', dataset: 'made-up', group: 'all', min_accuracy: 0.5, ...fields };
  return toOutcome(rows, { suite: { group_sizes }, end: { gates: [gate] } });
}

const two = [right, { ...right, id: 'b' }];
const MEETS = 'gaia (made-up): accuracy 100.0 % meets the gate 50.0 % for group';
const ENTRY = '{"suite":"gaia","dataset":"made-up","group":"all","min_accuracy":0.5}';

/** The second of two watch runs: it answers what the first got wrong, with another prompt. */
function flipped(): RunOutcome {
  const [a, b] = [wrong, { ...right, id: 'b' }].map((row) => readComparedRun(makeRun([row])));
  const flips = a && b ? compareRuns(a, b).suites : [];
  const edited = flips.map((flip) => ({ ...flip, prompt_diff: ['-old', '+new'] }));
  return { ...toOutcome([right]), flips: edited };
}

const playedBy = (faults: readonly string[]) => {
  return { ...right, conversation: { turns: 2, ended: 'turns', user: { name: 'u', faults } } };
};

/** Two trials of a question that agree, and two of one that do not. */
const repeated = () => toOutcome([...toTrials('q1', '++'), ...toTrials('q2', '+-')]);

type Case = readonly [outcome: () => RunOutcome, line: string | RegExp];

/** For each kind of remark the runs that make it, and its line. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  units: [
    [repeated, '95 % interval over 2 questions'],
    [
      () =>
        toOutcome(
          ['1', '2', '3'].map((id) => ({ ...right, id, cluster: id === '3' ? 'b' : 'a' })),
          { suite: { clustered_by: 'passage' } },
        ),
      '95 % interval over 2 clusters (passage)',
    ],
    [
      () => toOutcome(['1', '2'].map((id) => ({ ...right, id, cluster: 'a' }))),
      '95 % interval over 1 cluster: one cluster tells nothing of others',
    ],
    [
      () =>
        toOutcome(
          [1, 2, 3, 4, 5, 6].map((id) => ({
            ...right,
            id: String(id),
            group: id < 5 ? 'easy' : 'hard',
            cluster: `c${Math.ceil(id / 2)}`,
            scores: { kind: id < 3 ? true : null, total: id < 5 ? 0.5 : null, cited: id / 10 },
          })),
          { suite: { clustered_by: 'repo' } },
        ),
      '95 % interval over 3 clusters (repo); groups over 1 to 2 (hard over one); ' +
        'scores over 1 to 3 (kind over one): one cluster tells nothing of others',
    ],
    [
      () =>
        toOutcome(
          [...toTrials('q1', '++'), ...toTrials('q2', '+-')].map((row) => ({
            ...row,
            scores: { kind: row.id === 'q1' ? null : true, total: 1 },
          })),
        ),
      '95 % interval over 2 questions; scores over 1 to 2 (kind over one): one question tells nothing of others',
    ],
  ],
  'mean of groups': [
    [
      () => toOutcome(['1', '2', '3'].map((id) => ({ ...right, id, group: `level ${id}` }))),
      'mean of the groups: 100.0 % (43.9 - 100.0 %)',
    ],
  ],
  times: [
    [
      () => toOutcome(sixTimed('correct')),
      'latency with 95 % intervals: median 350 ms (100 ms - 600 ms)',
    ],
    [
      () => toOutcome(sixTimed('timed_out')),
      'latency with 95 % intervals: median > 350 ms (> 100 ms)',
    ],
  ],
  'errors in scores': [
    [
      () =>
        toOutcome([
          { ...right, scores: { total: 1 } },
          { ...wrong, scores: { total: null } },
          toResult('errored', { id: 'c' }),
        ]),
      'total is the mean of 2 of 3 results; 1 error or timeout counts as 0',
    ],
  ],
  chance: [[() => toOutcome([{ ...right, options: 4 }]), 'chance level: 25.0 %']],
  'stated confidence': [
    [
      () =>
        toOutcome([
          { ...right, confidence: 'high' },
          { ...wrong, confidence: 'low' },
        ]),
      'accuracy by stated confidence: low 0.0 % of 1, high 100.0 % of 1',
    ],
  ],
  'stated probability': [
    [
      () =>
        toOutcome([
          { ...right, confidence: 0.9 },
          { ...wrong, confidence: 0.4 },
        ]),
      /^stated probabilities: Brier score 0\.085 \(.+\), AUROC 1\.00 \(.+\), of 2 answers$/,
    ],
  ],
  readings: [
    [
      () =>
        toOutcome([
          { ...right, certain: false },
          toResult('no_answer', { id: 'b', certain: false }),
          toResult('correct', { id: 'c', certain: true }),
        ]),
      /^1 answer read with doubt, 1 output in which no single answer was found; see "How an answer/,
    ],
  ],
  judges: [
    [
      () => toOutcome([toJudged(['pass'])]),
      'judge openai:j (prompt 01234567): uncalibrated, its errors are not known; measure them with viva label',
    ],
    [
      () => {
        const passed = { as_pass: 57, as_fail: 3 };
        const calibration = calibrate({ passed, failed: { as_pass: 4, as_fail: 36 } });
        return toOutcome([toJudged(['pass'])], { calibrationOf: () => calibration });
      },
      'judge openai:j (prompt 01234567): TPR 95.0 % (86.3 - 98.3 %), TNR 90.0 % (76.9 - 96.0 %), by 100 labels of people',
    ],
  ],

  'asked judges': [
    [
      () => planned({}, { judges: [J, { ...J, price }] }),
      'gaia: judged by j, cost not known; j, cost not known before the first answer: at most 3 verdicts by each criterion',
    ],
  ],
  'asked pairs': [
    [
      () => planned({}, { prefer: { judges: [J, { ...J, price }], criterion_hash: '', pairs: 3 } }),
      'gaia: 3 pairs judged by j, cost not known; j, cost not known before the first answer: at most 12 verdicts, two by each',
    ],
    [
      () => planned({}, { prefer: { judges: [J], criterion_hash: '', pairs: 3, known: 4 } }),
      'gaia: 3 pairs judged by j, cost not known: at most 6 verdicts, two by each, 4 of them known',
    ],
    [
      () => planned({}, { prefer: { judges: [], criterion_hash: '', pairs: 0 } }),
      'gaia: "prefer" compares nothing: one agent, one prompt and no EVAL_BASELINE',
    ],
  ],
  'asked user': [
    [
      () => planned({}, { user: { name: 'guest', fingerprint: '' } }),
      'gaia: users played by guest, cost not known',
    ],
  ],
  plan: [
    [() => planned({}), `${ASKED} 3 to ask, cost not known`],
    [
      () => planned({ own: true }),
      `${ASKED} 3 to ask, cost not known (free: true in the suite if it costs nothing)`,
    ],
    [() => planned({ price }), `${ASKED} 3 to ask, cost not known before the first answer`],
    [
      () => planned({ price, expected_cost_usd: 0.2 }),
      `${ASKED} 3 to ask, cost about $0.20 (estimated)`,
    ],
    [
      () => planned({ missed_because: '2: prompt changed; 1: not asked before' }),
      `${ASKED} 3 to ask (2: prompt changed; 1: not asked before), cost not known`,
    ],
    [
      () => planned({ to_ask: 0, missed_because: 'all: prompt changed' }),
      `${ASKED} EVAL_CACHE=only leaves out 3 (all: prompt changed)`,
    ],
  ],
  'unseen edits': [
    [() => planned({ seen_edits: 'it cannot follow x.' }), 'gaia, replay: it cannot follow x.'],
  ],

  layout: [[noted('layout'), NOTED]],
  source: [[noted('source'), NOTED]],
  order: [[noted('order'), NOTED]],
  'index base': [[noted('index base'), NOTED]],
  'accepts any': [[noted('accepts any'), NOTED]],
  placeholder: [[noted('placeholder'), NOTED]],
  'no id': [[noted('no id'), NOTED]],
  'no target': [[noted('no target'), NOTED]],
  'hidden target': [
    [
      () => {
        // The file has more than were asked, which two agents were.
        const rows = ['a', 'b'].flatMap((agent) => [
          { ...right, agent },
          toResult('ungraded', { id: 'b', target: null, agent }),
          toResult('errored', { id: 'c', target: null, agent }),
        ]);
        return toOutcome([...rows, { ...lost, id: 'd' }]);
      },
      'gaia: 2 of 3 questions have no known answer and are not graded.',
    ],
    [() => planned({}, { notes: [{ kind: 'hidden target', text: 'It is so.' }] }), NOTED],
  ],
  'misspelt target': [[noted('misspelt target'), NOTED]],
  own: [[noted('own'), NOTED]],
  submission: [[noted('submission'), NOTED]],
  tools: [[notedOfAgent('tools'), NOTED_OF_AGENT]],
  'recorded tools': [[notedOfAgent('recorded tools'), NOTED_OF_AGENT]],
  'leak guard': [[notedOfAgent('leak guard'), NOTED_OF_AGENT]],

  'pass@k': [
    [
      repeated,
      'gaia, replay: pass@k (one of k trials is right) / pass^k (all are): k=1 75.0 % (10.4 - 98.7 %), k=2 100.0 % (0.0 - 100.0 %) / 50.0 % (0.0 - 100.0 %)',
    ],
  ],
  consistency: [
    [
      repeated,
      'gaia, replay: outcome consistency: 50.0 % (pairs of trials of a question that are both right or both wrong)',
    ],
    [
      () => toOutcome([1, 2].map((trial) => ({ ...right, trial, cost_usd: 0.1 }))),
      'gaia, replay: cost consistency: 100.0 % (exp(-v), v: standard deviation / mean of the costs of a question)',
    ],
  ],
  unstable: [
    [repeated, 'gaia, replay: 1 question right in some trials only: q2'],
    [
      () => toOutcome([...toTrials('q2', '+-'), { ...lost, id: 'q3' }]),
      'gaia, replay: at least 1 question right in some trials only: q2',
    ],
  ],
  waits: [
    [
      () =>
        toOutcome([
          { ...right, waited_ms: 1500 },
          { ...wrong, waited_ms: 500 },
          { ...right, id: 'c', waited_ms: 900, cached: true },
        ]),
      'gaia, replay: 2 calls waited 2.0 s in total to retry after rate limits, server errors or lost connections; latency excludes this',
    ],
  ],
  'judges disagree': [
    [
      () => toOutcome([toJudged(['pass', 'fail']), toJudged(['pass', 'pass'], { id: 'b' })]),
      'gaia, replay: the judges disagree on 1 of 2 answers; report.html has their reasons',
    ],
  ],
  'own judge': (
    [
      ['openai:m', null, 'openai:m?temperature=0'],
      ['replay:run', 'm', 'anthropic:m'],
    ] as const
  ).map(([agent, model, judge]) => [
    () => toOutcome([toJudged(['pass'], { agent, model }, [judge])]),
    `gaia, ${agent}: ${judge} judges answers of its own model, which it may prefer`,
  ]),
  'faults of users': [
    [
      () => toOutcome([playedBy(['answers itself']), { ...playedBy([]), id: 'b' }]),
      'gaia, replay: the simulated user spoke for the agent in 1 of 2 conversations. Read them, and change persona, goal or model.',
    ],
  ],
  'unknown fields': [[notedOfAgent('unknown fields'), NOTED_OF_AGENT]],
  'rare labels': [
    [
      () =>
        toOutcome(
          ['spam', 'ham', 'spam', 'ham', 'maybe'].map((target, at) => ({
            ...right,
            id: `q${at}`,
            target,
          })),
        ),
      'gaia, replay: no macro F1 and no table of labels, because 1 of 3 expected answers is of one question alone ("maybe")',
    ],
  ],
  rules: [
    [
      () => {
        const accepted = [['contains'], ['contains', 'fuzzy'], ['bidirectional']];
        const wrong = accepted.map((names, index) => {
          const rules = Object.fromEntries([
            ['official', false],
            ...names.map((name) => [name, true]),
          ]);
          return Object.assign(toResult('incorrect', { id: `q${index}` }), { answer: '17', rules });
        });
        // An answer that the official rule accepts is no near miss, and prose is no answer.
        const rules = { official: true, contains: true };
        const silent = toResult('no_answer', { id: 'q9' });
        const others = [{ ...right, rules }, Object.assign(silent, { answer: null, rules })];
        return toOutcome([...others, ...wrong]);
      },
      'gaia, replay: the rule contains accepts 2 wrong answers (q0, q1); the rule fuzzy accepts 1 wrong answer (q1)',
    ],
  ],
  'cost at least': [
    [
      () => toOutcome([{ ...right, cost_usd: 0.5 }, toResult('timed_out', { id: 'b' })]),
      'gaia, replay: cost: at least $0.50; the cost of 1 answer is not known',
    ],
    [
      () =>
        toOutcome([
          { ...right, cost_usd: 0 },
          { ...lost, reason: 'interrupted' },
        ]),
      'gaia, replay: cost: free so far; what was asked without a result is not counted',
    ],
  ],
  'watch run': [
    [
      flipped,
      /^gaia, replay: compared with run, on 1 question: .+; 1 fixed, 0 broken; with 1 question p cannot be below 0.05$/,
    ],
  ],
  'edits of prompts': [[flipped, /^gaia, prompt .+ \(-\) and .+ \(\+\):$/]],

  'left out': [[noted('left out'), NOTED]],
  'bad records': [
    [
      () =>
        toOutcome([right], { suite: { left_out: [...'1234567'].map((at) => `q.jsonl:${at}`) } }),
      'gaia: 7 bad records are not asked (EVAL_SKIP_BAD): q.jsonl:1, q.jsonl:2, q.jsonl:3, q.jsonl:4, q.jsonl:5 and 2 more',
    ],
  ],
  'left out ids': [
    [
      () => toOutcome([right], { suite: { excluded: { ids: ['b', 'c'], of: 3 } } }),
      'gaia: 1 of 3 questions, 2 left out (EVAL_IDS): b, c',
    ],
    [
      () => toOutcome([right], { suite: { excluded: { ids: ['b', 'c'], of: 6 } } }),
      'gaia: 1 of 6 questions, 2 left out (EVAL_IDS), 3 more by EVAL_LIMIT: b, c',
    ],
  ],
  unread: [[noted('unread'), NOTED]],
  clusters: [[noted('clusters'), NOTED]],
  'matched by all': [[noted('matched by all'), NOTED]],
  'unknown ids': [[notedOfAgent('unknown ids'), NOTED_OF_AGENT]],
  'no leak guard': [[notedOfAgent('no leak guard'), NOTED_OF_AGENT]],
  'replaced tools': [
    [
      () =>
        toOutcome([
          { ...right, tool_calls: { live: 1, replayed: 2, mocked: 0 } },
          { ...wrong, tool_calls: { live: 0, replayed: 1, mocked: 1 } },
          { ...right, id: 'c', tool_calls: { live: 1, replayed: 0, mocked: 0 } },
        ]),
      'gaia, replay: tools were replayed in 2 and mocked in 1 of 3 answers, so say this with the accuracy; latency leaves the time of the tools out',
    ],
  ],
  copies: [
    [
      () =>
        toOutcome([
          { ...right, seen_copy: 'text' },
          { ...wrong, seen_copy: 'none' },
          { ...right, id: 'c' },
        ]),
      'gaia, replay: 1 of 3 questions was seen with a copy of their text; without them 50.0 % (a)',
    ],
    [
      () =>
        toOutcome([
          { ...right, seen_copy: 'text' },
          { ...wrong, seen_copy: 'page' },
        ]),
      'gaia, replay: 2 of 2 questions were seen with a copy of their text (1) or records of the benchmark (1) (a, b)',
    ],
  ],
  'own delay': [
    [
      () => toOutcome([{ ...right, latency_ms: 300, own_delay_ms: 16, cached: true }]),
      "gaia, replay: the latency includes about 16 ms (median) in which answers waited for viva's busy process. Lower EVAL_CONCURRENCY to measure the agent.",
    ],
    [
      () => toOutcome([{ ...right, latency_ms: 300, own_delay_ms: 0, machine_load: 0.72 }]),
      'gaia, replay: the latency measures this machine: commands used 72 % of its processors. Lower EVAL_CONCURRENCY to measure the agent.',
    ],
  ],
  retries: [
    [
      () => toOutcome([{ ...right, attempts: 2 }, wrong, { ...right, id: 'c', attempts: 3 }]),
      'gaia, replay: 2 of 3 answers are retries (EVAL_CACHE=retry): do not compare this accuracy with one of first attempts',
    ],
  ],
  'cut short': [
    [
      () =>
        toOutcome([
          { ...wrong, reason: 'max_tokens' },
          { ...wrong, id: 'c', reason: 'incomplete' },
        ]),
      'gaia, replay: 2 outputs were cut short (max_tokens 1, incomplete 1) and graded as they are. Raise the token limit of the model (max_tokens, max_output_tokens).',
    ],
    [
      () => toOutcome([{ ...wrong, reason: 'context_window' }]),
      'gaia, replay: 1 output was cut short (context_window 1) and graded as it is. Name a model with a longer context.',
    ],
  ],
  'failed users': [
    [
      () =>
        toOutcome([
          right,
          { ...lost, reason: 'user', explanation: 'The simulated user failed: no key.' },
        ]),
      'gaia, replay: 1 of 2 conversations was not played, since the simulated user failed; first: no key.',
    ],
  ],
  'no verdict': [
    [
      () =>
        toOutcome([
          toJudged(['pass', 'fail']),
          toJudged(['cannot_tell', 'cannot_tell'], { id: 'b' }),
          toJudged(['pass', 'pass'], { id: 'c' }),
        ]),
      'gaia, replay: 2 of 3 judged answers have no verdict (no majority 1, cannot tell 1): neither right nor wrong',
    ],
    [
      () => toOutcome([toJudged(['pass', 'error'])]),
      'gaia, replay: a judge failed on 1 answer (the next run asks again); first: no {"reason"}',
    ],
    [
      () =>
        toOutcome([toJudged(['pass', 'error']), toJudged(['pass', 'pass', 'error'], { id: 'b' })]),
      'gaia, replay: a judge failed on 2 answers (the next run asks again, which may change 1 verdict of the others); first: no {"reason"}',
    ],
    [
      () => toOutcome([toOpen('a', true), toOpen('b', true), toOpen('c', false)]),
      /\(cannot tell 3\): 1 neither right nor wrong, 2 wrong by another score$/,
    ],
    [
      // A grade that is missing leaves the answer right.
      () =>
        toOutcome([
          toResult('correct', {
            scores: { kind: null, other: true },
            judge: { ...JUDGE, verdicts: ['cannot_tell'], scale: 5, score: 'kind' },
          }),
        ]),
      /\(cannot tell 1\): decided by another score$/,
    ],
  ],
  'open scores': [
    [
      () => toOutcome([toOpen('a', true), toOpen('b', false)]),
      'gaia, replay: 2 answers have no verdict for the score "kind": its mean is not known',
    ],
  ],
  'pairs not judged': [
    [
      () =>
        preferred([
          { outcome: null, verdicts: [['error', 'tie']], reasons: [['It is\n down.', '']] },
          null,
          {},
        ]),
      'gaia: b against a: 2 of 3 pairs are not judged: 1 without an answer of a, 1 without a verdict (first: It is down.)',
    ],
    [
      () => preferred([{ outcome: null, verdicts: [['not_asked', 'not_asked']] }]),
      'gaia: b against a: 1 of 1 pair is not judged: 1 whose judges were not asked (first: It is kinder.)',
    ],
  ],
  errors: [
    [
      () =>
        toOutcome([
          toFailed('agent_crash', 'TypeError: x is\n not a function'),
          toFailed('agent_crash', 'other', { id: 'b' }),
        ]),
      'gaia, replay: 2 crashes; first: TypeError: x is not a function',
    ],
    [
      () =>
        toOutcome([
          toFailed('network', 'down', { slots: 1 }),
          toFailed('network', 'down', { id: 'b', slots: 1 }),
        ]),
      'gaia, replay: 2 network errors (the next run asks again); first: down',
    ],
    [
      () =>
        toOutcome([
          toFailed('network', 'down', { slots: 1 }),
          toFailed('network', 'down', { id: 'b', slots: 1, target: null }),
        ]),
      'gaia, replay: 2 network errors (1 ungraded; the next run asks again); first: down',
    ],
    [
      () => toOutcome([toFailed('network', 'down', { target: null })]),
      'gaia, replay: 1 network error; first: down',
    ],
    [
      () =>
        toOutcome([
          toFailed('agent_crash', 'e'.repeat(500), { cached: true }),
          toFailed('agent_crash', 'other', { id: 'b' }),
        ]),
      `gaia, replay: 2 crashes (1 cached: EVAL_CACHE=retry asks again); first: ${'e'.repeat(160)}…`,
    ],
  ],
  PARTIAL: [
    [
      () => {
        const absent = [{ ...toIdentity(wrong), reason: null }];
        return toOutcome([right], {
          suite: { questions: ['a', 'b'].map((id) => ({ id, group: 'level 1', hash: '' })) },
          end: { absent },
        });
      },
      'PARTIAL: 1 of 2 tests was not selected. No figure counts them.',
    ],
  ],
  'NOT COMPLETE': [
    [
      () => toOutcome([right, lost]),
      'NOT COMPLETE: 1 of 2 tests was not run (budget 1). The table shows bounds of the accuracy, and times of what ran.',
    ],
    [() => toOutcome([right, { ...lost, target: null }]), /^NOT COMPLETE: [^;]+ \(budget 1\)\.$/],
    [
      () => ({ ...toOutcome([right, right]), unreadable: 2 }),
      'NOT COMPLETE: 1 test has more than one result: gaia a (replay, trial 1).',
    ],
    [
      () => ({ ...toOutcome([right, lost]), unreadable: 2 }),
      /^NOT COMPLETE: .+ \(budget 1\); 2 lines of samples\.jsonl cannot be read\. /,
    ],
  ],
  STOPPED: [
    [
      () => toOutcome([{ ...lost, reason: 'auth', explanation: 'The key was refused.' }]),
      'STOPPED: The key was refused.',
    ],
  ],
  'RUN ERROR': (
    [
      ['bail', ', because --bail ended the run'],
      ['interrupted', ', because the run was interrupted'],
      [null, ''],
    ] as const
  ).map(([stop, cause]) => [
    () => toOutcome([right], { end: { not_started: ['mcq.eval.ts'], stop } }),
    `RUN ERROR: mcq.eval.ts: none of its samples ran${cause}`,
  ]),

  'gate to write': [
    [
      () => toOutcome([right, wrong]),
      `To accept this accuracy, write evals/gates.json: {"version":1,"gates":[${ENTRY}]}`,
    ],
    [
      () => {
        const gates = [{ suite: 'other', dataset: 'd', group: 'all', min_accuracy: 1 }];
        return toOutcome([right, { ...right, id: 'c' }, wrong], { end: { gates } });
      },
      `To accept this accuracy, add to "gates" of evals/gates.json: ${ENTRY.replace('0.5', '0.65')}`,
    ],
  ],
  'open gates': [
    [
      () => gated([...two, { ...lost, id: 'c', target: null }]),
      'gate not judged: gaia (made-up): min_accuracy of group all: the run is incomplete (on 3 of 28 questions)',
    ],
    [
      () => gated([wrong], { advisory: true }),
      'gate missed (advisory): gaia (made-up): accuracy 0.0 % is below the gate 50.0 % for group all (on 1 of 28 questions)',
    ],
  ],
  'gates that hold': [
    [() => gated([right]), `gate holds: ${MEETS} all (on 1 of 28 questions)`],
    [
      () => gated(toTrials('a', '+++')),
      `gate holds: ${MEETS} all (on 1 of 28 questions, 3 trials)`,
    ],
    [
      () => gated([right], { group: 'level 1' }),
      `gate holds: ${MEETS} level 1 (on 1 of 2 questions)`,
    ],
    [() => gated(two, { group: 'level 1' }), `gate holds: ${MEETS} level 1`],
  ],
  'missed gates': [
    [
      () => gated([wrong, { ...right, agent: 'b', id: 'b' }]),
      /^GATE MISSED: gaia \(made-up\) by replay: accuracy 0\.0 % .+ \(on 1 of 28 questions\)$/,
    ],
  ],
};

/** The lines below the tables of suites and below all tables. */
function linesOf(outcome: RunOutcome) {
  const { suites } = outcome.summary;
  const below = (shown: 'printed' | 'all') => suites.flatMap((suite) => toSuiteLines(suite, shown));
  const printed = [...below('printed'), ...toRemarks(outcome)];
  return { printed, all: [...below('all'), ...toDetails(outcome), ...toRemarks(outcome)] };
}

/** summary.md as a reader of Markdown sees it. */
function summaryOf(outcome: RunOutcome): string {
  const file = [...renderFiles(outcome)].find(({ name }) => name === 'summary.md');
  return [...(file?.lines ?? [])]
    .join('')
    .replaceAll(/\\(?=\W|_)/g, '')
    .replaceAll('&gt;', '>');
}

test('each kind of remark has a case and a name of its own, and each kind of note is shown', () => {
  const names = REMARKS.map(({ name }) => name);
  expect(Object.keys(CASES)).toEqual(names);
  expect(NOTE_KINDS.filter((kind) => !names.includes(kind))).toEqual([]);
});

const EACH = REMARKS.flatMap((kind) =>
  (CASES[kind.name] ?? []).map(([outcomeOf, line]) => ({ ...kind, outcomeOf, line })),
);

test.each(EACH)('$name is $shown: $line', ({ shown, level, isFigure, outcomeOf, line }) => {
  const outcome = outcomeOf();
  const { printed, all } = linesOf(outcome);
  const isLine = ({ text }: { text: string }) =>
    typeof line === 'string' ? text === line : line.test(text);
  const found = all.filter(isLine);
  expect(found.length > 0 ? found : all).toEqual([{ text: found[0]?.text, level, isFigure }]);
  expect(printed.some(isLine)).toBe(shown === 'printed');
  expect(summaryOf(outcome)).toContain(found[0]?.text.trim());
});

test('a dry run prints all, since it has no figures', () => {
  const notes = [{ kind: 'source', text: 'It is so.' }] as const;
  const outcome = planned({}, { notes });
  expect(toRemarks(outcome).map(({ text }) => text)).toContain(NOTED);
  expect(toDetails(outcome)).toEqual([]);
});

test('judges of several scores of which the same is known share a line', () => {
  const known = { ...JUDGE, judged: 1, calibration: null };
  const of = (score: string, fields: object = {}) => ({ ...known, score, ...fields });
  const judges = [of('polite'), of('asks'), of('brief', { models: ['openai:other'] })];
  const [suite] = toOutcome([toResult('correct')]).summary.suites;
  const lines = suite === undefined ? [] : describeKnownJudges({ ...suite, judges });
  expect(lines.map((line) => line.replace(/ \(prompt.*/, ''))).toEqual([
    'judge of polite and asks, openai:m',
    'judge of brief, openai:other',
  ]);
});

test('nothing is said of a run without a fault', () => {
  expect(linesOf(gated(two, { group: 'level 1' })).all.map(({ text }) => text)).toEqual([
    `gate holds: ${MEETS} level 1`,
  ]);
  expect(linesOf(toOutcome([right])).all).toEqual([]);
  expect(linesOf(planned({ kept: false, seen_edits: 'it sees none' })).all).toEqual([]);
});

test('a stopped run whose suite says that it is free has no line on its cost', () => {
  const free = { ...price, input: 0, output: 0, source: 'free' };
  const plans = planned({ price: free }).manifest.suites[0]?.plans ?? [];
  const rows = [
    { ...right, cost_usd: 0 },
    { ...lost, reason: 'interrupted' },
  ];
  const linesOf = (suite: Partial<SuiteManifest>) =>
    toRemarks(toOutcome(rows, { suite })).map(({ text }) => text);
  expect(linesOf({}).join('\n')).toContain('cost: free so far');
  expect(linesOf({ plans }).join('\n')).not.toContain('cost:');
});

test('what says nothing has no line below a table: of a stopped run, or where no value is missing', () => {
  const scored = (fields: object) => ({ ...right, scores: { total: 1 }, ...fields });
  const failed = toFailed('agent_crash', 'x', { id: 'c' });
  const outcomes = [
    toOutcome([...sixTimed('correct'), lost]),
    toOutcome([scored({}), scored({ id: 'd', scores: { total: null } }), failed, lost]),
    toOutcome([scored({}), failed]),
  ];
  const suites = outcomes.flatMap(({ summary }) => summary.suites);
  expect(suites.flatMap((suite) => toSuiteLines(suite, 'all'))).toEqual([]);
});

test('no gate is proposed where none would check anything, or where one is for another dataset', () => {
  const gates = [{ suite: 'gaia', dataset: 'maed-up', group: 'all', min_accuracy: 1 }];
  const outcomes = [toOutcome([wrong]), toOutcome([right, wrong], { end: { gates } })];
  expect(outcomes.flatMap((outcome) => linesOf(outcome).all)).toEqual([]);
});

test('what errors and judges say is hidden where records are, and in summary.md, which may be published', () => {
  const rows = [
    toFailed('agent_crash', 'SECRET'),
    {
      ...toJudged(['error'], { id: 'b' }),
      judge: { ...toJudged(['error']).judge, reasons: ['SECRET'] },
    },
  ];
  const hidden = toOutcome(rows, { isPublic: false, config: { ci: true } });
  const texts = linesOf(hidden).all.map(({ text }) => text);
  expect(texts).toContain('gaia, replay: 1 crash');
  expect(texts.join()).not.toContain('SECRET');
  const local = toOutcome(rows, { isPublic: false });
  expect(JSON.stringify(linesOf(local).all).match(/first: SECRET/g)).toHaveLength(2);
  expect(summaryOf(local)).not.toContain('SECRET');
});

const ROWS = ['a', 'b', 'c'].flatMap((agent) => [
  toResult('correct', { agent }),
  toResult('correct', { agent, suite: 'mcq' }),
]);

const ofAgent = (agent: string, text: string): AgentNote => ({ agent, kind: 'unknown ids', text });

/** What is printed of runs whose agents have these notes. */
function printedOf(agent_notes: readonly AgentNote[], rows: readonly SampleResult[] = ROWS) {
  return toRemarks(toOutcome(rows, { suite: { agent_notes } })).map(({ text }) => text);
}

test.each<[string, readonly AgentNote[], readonly string[]]>([
  [
    'in the order of suites, and of agents in each',
    [ofAgent('b', '1'), ofAgent('a', '2'), ofAgent('a', '3')],
    ['gaia, a: 2', 'gaia, a: 3', 'gaia, b: 1', 'mcq, a: 2', 'mcq, a: 3', 'mcq, b: 1'],
  ],
  [
    'once where they are the same of all agents, before those of one',
    [ofAgent('a', 'x'), ...['a', 'b', 'c'].map((agent) => ofAgent(agent, 'same'))],
    [
      'gaia, each of the 3 agents: same',
      'gaia, a: x',
      'mcq, each of the 3 agents: same',
      'mcq, a: x',
    ],
  ],
  [
    'once where they are the same of some agents, with their names',
    [ofAgent('b', 'same'), ofAgent('c', 'same')],
    ['gaia, b and c each: same', 'mcq, b and c each: same'],
  ],
])('remarks come %s', (_, agent_notes, lines) => {
  expect(printedOf(agent_notes)).toEqual(lines);
});

test('the only agent of a suite is named if its name says something', () => {
  const lines = ['gaia agent', 'openai:m'].flatMap((agent) =>
    printedOf([ofAgent(agent, 'x')], [toResult('correct', { agent })]),
  );
  expect(lines).toEqual(['gaia: x', 'gaia, openai:m: x']);
});

test('remarks of several prompts name them', () => {
  const rows = ['1', '2'].map((prompt_hash) =>
    toResult('correct', { prompt: `x.md@${prompt_hash}`, prompt_hash, attempts: 2 }),
  );
  const [line] = printedOf([], rows);
  expect(line).toMatch(/^gaia, each of the 2 prompts: 1 of 1 answer is a retry /);
});

test('notes come before warnings, these before gates, and the run folder, the report and the exit code last', () => {
  const gates = [0.5, 1].map((min_accuracy) => {
    return { suite: 'gaia', dataset: 'made-up', group: 'all', min_accuracy };
  });
  const rows = [toResult('correct'), toResult('incorrect', { id: 'b', attempts: 2 })];
  const folder = makeRun(rows, {
    name: 'a run',
    end: { gates, errors: ['a hook failed'] },
    suite: {
      notes: [
        { kind: 'layout', text: 'a layout' },
        { kind: 'source', text: 'a source' },
      ],
    },
  });
  const outcome = evaluate(readRun(folder), { calibrationOf: () => null });
  const lines = [...toRemarks(outcome), ...toEndLines(outcome)].map(({ text }) => text);
  expect(lines.map((line) => line.split(':', 2).join(':').slice(0, 30))).toEqual([
    'gaia: a layout',
    'gaia, replay: 1 of 2 answers i',
    'RUN ERROR: a hook failed',
    'gate holds: gaia (made-up)',
    'GATE MISSED: gaia (made-up)',
    `Run folder: ${folder}`.slice(0, 30),
    'Report: file',
    'exit 1: run error',
  ]);
  expect(lines.at(-2)).toMatch(/^Report: file:\/\/\/.+\/a%20run\/report\.html$/);
  expect(toDetails(outcome)).toEqual([{ text: 'gaia: a source', level: 'note' }]);
});
