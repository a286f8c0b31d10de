import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { renderReport } from '../../reporters/page/report.ts';
import { toDetails, toRemarks } from '../../reporters/remarks.ts';
import { readComparedRun } from '../../src/figures/compare-runs.ts';
import { evaluate } from '../../src/figures/evaluate-run.ts';
import { JUDGE, PAIR, toResult, toTrials } from '../../src/figures/result.fixture.ts';
import { writeLines } from '../../src/store/line-file.ts';
import { readRun } from '../../src/store/run-reader.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import type { Audience } from '../../src/words/audience.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { toSample } from '../../src/words/types.fixture.ts';
import { makeRun, PLANNED } from '../make-run.ts';
import { runViva } from '../run-viva.ts';
import { findFaults, needBrowser, openFile } from './browser.ts';
import { makeReport, type Said } from './make-report.ts';

beforeEach(needBrowser);

const STEP = {
  text: 'I count the boxes.',
  reasoning: 'Slowly.',
  tool_calls: [
    { name: 'calculate', arguments: '{"expression":"9+9"}', result: '18', failed: false },
  ],
  stop: 'end',
  usage: { input_tokens: 1200, output_tokens: 30, cached_tokens: 0, reasoning_tokens: 0 },
  at_ms: 1400,
  cost_usd: 0.0123,
};

const SENT = {
  messages: [{ role: 'user' as const, text: 'Count with care.' }],
  tools: ['calculate'],
};

const SAID: readonly Said[] = [
  { id: 'right', output: 'FINAL ANSWER: $17', latencyMs: 2000, group: 'level 2' },
  { id: 'near', output: 'FINAL ANSWER: 17 boxes', latencyMs: 9000, trace: [STEP], sent: SENT },
  {
    id: 'far',
    output: 'FINAL ANSWER: copper',
    question: 'Which metal is it?',
    target: 'iron',
    latencyMs: 5000,
  },
  { id: 'mute', output: '', group: 'level 2' },
];

const FAR: Said = { id: 'far', output: 'FINAL ANSWER: copper', target: 'iron' };

/** A picture of one point. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A suite that viva's reader of final answers grades. */
const MATCHED = { ...PLANNED, suite: 'gaia', matcher: 'toMatchGaiaAnswer' };

/** Opens the cases of a report; `query` is a part of the address. */
async function openCases(file: string, query = '', options = {}) {
  const opened = await openFile(file, options);
  await opened.page.evaluate(`location.hash = '#/cases${query}'`);
  await opened.page.locator('.rows, .empty:has(a)').first().waitFor();
  return opened;
}

/** The ids of the rows that are shown, in their order. */
function ids(page: Page): Promise<string[]> {
  return page.locator('.rows .c-id').allTextContents();
}

function press(page: Page, ...keys: readonly string[]): Promise<void> {
  return keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
}

/**
 * The report that viva writes of a run: two agents answer three questions, of which the second agent
 * gets one more right.
 */
async function reportRun(): Promise<string> {
  const rows = ['a', 'b'].flatMap((agent, at) =>
    ['near', 'far', 'right'].map((id) => {
      const isRight = id === 'right' || (id === 'far' && at === 1);
      const said = { output: isRight ? 'iron' : 'copper', answer: isRight ? 'iron' : 'copper' };
      const facts = { id, agent, target: 'iron', latency_ms: 900, cost_usd: 0.01 * (at + 1) };
      return Object.assign(toResult(isRight ? 'correct' : 'incorrect', facts), said);
    }),
  );
  const folder = makeRun(rows);
  new RunWriter(folder).questions(
    'gaia',
    rows.map(({ id }) => toSample({ id, input: 'Which metal?' })),
  );
  expect(await runViva(['report', folder])).toMatchObject({ code: 0 });
  return join(folder, 'report.html');
}

const METALS = ['iron', 'copper'] as const;

/** The answers of two agents to four questions in two passages, each twice; `marks` are those of each question. */
function toRows(marks: Readonly<Record<string, readonly string[]>>): readonly SampleResult[] {
  return Object.entries(marks).flatMap(([agent, own]) =>
    own.flatMap((mark, at) =>
      toTrials(`metal-of-box-number-${at}`, mark, {
        agent,
        target: METALS[0],
        cluster: `shelf ${at % 2}`,
        latency_ms: 900,
        own_delay_ms: 120,
        cost_usd: 0.01,
        seen_copy: at === 0 ? 'text' : 'none',
      }).map(
        (row) => ({ ...row, answer: METALS[row.state === 'correct' ? 0 : 1] }) as SampleResult,
      ),
    ),
  );
}

/** The report of a run that is compared with an earlier one. */
function reportEdit(audience: Audience = {}): string {
  const folders = [
    { small: ['++', '++', '--', '+-'], large: ['++', '++', '++', '--'] },
    { small: ['++', '--', '--', '++'], large: ['++', '++', '++', '--'] },
  ].map((marks) => {
    const rows = toRows(marks);
    const folder = makeRun(rows, { end: {}, suite: { clustered_by: 'shelf' } });
    const asked = rows.map(({ id }) => toSample({ id, input: 'Which metal is in the box?' }));
    new RunWriter(folder).questions('gaia', asked);
    return folder;
  });
  const [before = '', after = ''] = folders;
  const outcome = evaluate(readRun(after, audience), {
    calibrationOf: () => null,
    baseline: readComparedRun(before, audience),
  });
  const file = join(after, 'report.html');
  writeLines(file, renderReport(outcome, [...toDetails(outcome), ...toRemarks(outcome)], { file }));
  return file;
}

/** The choice that this label names. */
function field(page: Page, label: string) {
  return page.locator(`.field:has(> span:text-is("${label}")) select`);
}

/** The data of a file as they are written. */
function readData(file: string): string {
  const blocks = readFileSync(file, 'utf8').matchAll(
    /<script type="application\/octet-stream" id="(?!image)[\w-]+">([^<]*)</g,
  );
  return [...blocks]
    .map(([, text = '']) => gunzipSync(Buffer.from(text, 'base64')).toString('utf8'))
    .join('\n');
}

describe('the overview', () => {
  test('has a card for each agent, and its outcomes lead to their cases', async () => {
    const said = ['small', 'large'].flatMap((agent, at) =>
      SAID.slice(at).map((each) => ({ ...each, agent, cost: 0.01 * (at + 1) })),
    );
    const { page, misdeeds } = await openFile(makeReport(said, {}, ['made up']));
    expect(await page.locator('.cards .figure').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('25.0')]),
    );
    expect(await page.locator('.cards h2').allTextContents()).toEqual([
      'gaia · small',
      'gaia · large',
    ]);
    expect(await page.getByText('exit 0: made up').count()).toBe(0);
    expect(await page.locator('.verdict').textContent()).toContain('Exit code 0');
    expect(await page.locator('.remarks').textContent()).toContain('made up');
    await page.locator('.legend a', { hasText: 'no answer' }).first().click();
    await expect.poll(() => ids(page)).toEqual(['mute']);
    expect(misdeeds).toEqual([]);
  });

  test('has clusters, trials, copies and own delay, which lead to their cases', async () => {
    const { page, misdeeds } = await openFile(reportEdit());
    expect(await page.locator('.cards').textContent()).toContain(
      'over 4 questions in 2 clusters (shelf), 8 answers',
    );
    const lines = await page.locator('.lines tbody tr').allTextContents();
    const shown = lines.map((line) => line.replace(/\s+/g, ' '));
    for (const line of [
      /^Right in any of the trials \(pass@k\)50\.0 % in 2 trials.*75\.0 % in 2 trials/,
      /^Outcome consistency of trials100\.0 %100\.0 %$/,
      /^Cost consistency of trials100\.0 %100\.0 %$/,
      /^Accuracy without questions whose copy was seen33\.3 %/,
      /^Of it viva's own delay120 ms120 ms$/,
    ])
      expect(shown).toContainEqual(expect.stringMatching(line));
    await page.locator('.lines a').first().click();
    await expect.poll(() => ids(page)).toEqual(['…0']);
    await press(page, 'j');
    const panel = page.locator('.case');
    expect(await panel.textContent()).toContain('a tool showed a copy of the question');
    expect(misdeeds).toEqual([]);
  });

  test('counts as the tables do, and questions without a target do not fail', async () => {
    const toRow = (id: string, mark: string, target: string | null) =>
      toTrials(id, mark, { target, latency_ms: 900 });
    const rows = [...toRow('known', '+-', 'iron'), ...toRow('open', 'u!', null)];
    const folder = makeRun(rows, { end: { exit_code: 130 } });
    const asked = rows.map(({ id }) => toSample({ id, input: 'Which metal?' }));
    new RunWriter(folder).questions('gaia', asked);
    expect(await runViva(['report', folder])).toMatchObject({ code: 0 });
    const { page } = await openFile(join(folder, 'report.html'));
    expect(await page.locator('.legend li').allTextContents()).toEqual([
      expect.stringContaining('1 correct'),
      expect.stringContaining('1 incorrect'),
      expect.stringContaining('2 ungraded'),
    ]);
    expect(await page.locator('.verdict b').textContent()).toContain('Exit code 130');
    await page.locator('.legend a', { hasText: 'ungraded' }).click();
    await expect.poll(() => ids(page)).toEqual(['open']);
    expect(await page.locator('.rows .c-result small').textContent()).toBe('ungraded');
    await page.locator('.chip', { hasText: 'Errors' }).click();
    await expect.poll(() => ids(page)).toEqual(['open']);
    await field(page, 'State').selectOption('');
    await page.locator('.chip', { hasText: 'Failed' }).click();
    await expect.poll(() => ids(page)).toEqual(['known']);
  });

  test('has no heading of a suite whose card says all, and names a filter that is none', async () => {
    const { page } = await openFile(makeReport([{ ...FAR, group: 'all', dataset: 'gaia' }]));
    await page.locator('.card').waitFor();
    expect(await page.getByRole('heading', { name: 'gaia', exact: true, level: 2 }).count()).toBe(
      0,
    );
    await page.evaluate(`location.hash = '#/cases?chip=none-such'`);
    await page.getByText('No filter is named "none-such".').waitFor();
  });

  test('of a stopped run has bounds, which look like no interval', async () => {
    const rows = ['a', 'b', 'c'].flatMap((id, at) =>
      toTrials(id, ['+-', '++', '.+'][at] ?? '', {
        group: `level ${(at % 2) + 1}`,
        latency_ms: 900,
      }).map((row) =>
        row.state === 'not_run'
          ? row
          : Object.assign(row, { scores: { brief: 0.5, polite: true } }),
      ),
    );
    const folder = makeRun(rows, { end: { exit_code: 130 } });
    expect(await runViva(['report', folder])).toMatchObject({ code: 0 });
    const { page } = await openFile(join(folder, 'report.html'));
    const card = (await page.locator('.card').textContent())?.replace(/\s+/g, ' ');
    expect(card).toContain('bounds 66.7 – 83.3 %');
    expect(card).toContain('times and cost of 5 of 6 answers');
    expect(await page.locator('main').textContent()).not.toContain('Unstable questions');
    const groups = page.locator('.groups tbody');
    expect((await groups.first().textContent())?.replace(/\s+/g, ' ')).toContain(
      'in 50.0 – 75.0 %',
    );
    expect(await page.locator('.groups .is-bounds').count()).toBe(2);
    expect(await page.locator('.groups thead').textContent()).toContain('n (trials)');
    const scores = await page.getByLabel('Named scores').locator('tbody').allTextContents();
    expect(scores.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/brief.*in 0\.\d+ – 0\.\d+/),
      expect.stringMatching(/polite.*in \d.* – \d.* %/),
    ]);
  });

  test('leads to what an edit broke, with the answer before', async () => {
    const { page } = await openFile(reportEdit());
    expect(
      (await page.locator('.pairs tbody').first().textContent())?.replace(/\s+/g, ' '),
    ).toMatch(
      /small.*4 questions in 2 clusters.*within noise.*0 \/ 1.*1 better and 0 worse in some trials/,
    );
    await page
      .getByRole('link', {
        name: 'Questions that changed: 1 broken, 0 fixed, 1 better and 0 worse in some trials',
      })
      .click();
    await expect.poll(() => ids(page)).toEqual(['…1', '…3']);
    expect(await page.locator('.rows .tag').allTextContents()).toEqual(['broken', 'improved']);
    await page.locator('.rows a').first().click();
    expect(await page.locator('.case .note').textContent()).toMatch(
      /broken\s+small, against the baseline, which answered: iron/,
    );
    const hidden = reportEdit({ ci: true });
    expect(readData(hidden)).toContain('"broken":["metal-of-box-number-1"]');
    expect(readData(hidden)).not.toMatch(/iron|copper|"before"/);
  });

  test('without JavaScript has the tables', async () => {
    const { page } = await openFile(makeReport(SAID), { javaScriptEnabled: false });
    expect(await page.getByRole('table').count()).toBeGreaterThan(0);
    expect(await page.locator('body').textContent()).toContain('exit 0: made up');
  });
});

describe('the list of cases', () => {
  test('has failures first, and is left with what search, chips and filters keep', async () => {
    const { page, misdeeds } = await openCases(makeReport(SAID));
    const status = page.locator('.found [role=status]');
    expect(await ids(page)).toEqual(['near', 'far', 'mute']);
    const search = page.getByLabel('Search');
    await search.fill('METAL which');
    await expect.poll(() => ids(page)).toEqual(['far']);
    expect(await status.textContent()).toBe('1 question');
    await search.fill('');
    for (const [chip, left] of [
      ['No answer', ['mute']],
      ['All', ['near', 'far', 'mute', 'right']],
    ] as const) {
      await page.locator('.chip', { hasText: chip }).click();
      await expect.poll(() => ids(page)).toEqual(left);
    }
    for (const [label, choice, left] of [
      ['State', 'no_answer', ['mute']],
      ['State', '', ['near', 'far', 'mute', 'right']],
      ['Group', 'level 2', ['mute', 'right']],
      ['Order', 'dataset', ['right', 'mute']],
    ] as const) {
      await field(page, label).selectOption(choice);
      await expect.poll(() => ids(page)).toEqual(left);
    }
    await search.fill('nowhere');
    await page.getByRole('link', { name: 'Show all cases' }).click();
    await expect.poll(async () => (await ids(page)).length).toBe(4);
    expect(misdeeds).toEqual([]);
  });

  test('is filtered by a score and by further groupings', async () => {
    const scored = SAID.slice(0, 3).map((said, index) => ({
      ...said,
      scores: { polite: index > 0, length: [0.9, 0.25, null][index] ?? null },
      groups: { topic: 'boxes' },
    }));
    const { page } = await openCases(makeReport([...scored, ...SAID.slice(3)]), '?chip=all');
    for (const [score, below, left] of [
      ['polite', '1', ['right']],
      ['length', '0.5', ['near']],
      ['length', 'none', ['near', 'far', 'mute', 'right'].slice(1, 3)],
    ] as const) {
      await field(page, 'Score').selectOption(score);
      await field(page, 'is').selectOption(below);
      await expect.poll(() => ids(page)).toEqual(left);
    }
    await field(page, 'Score').selectOption('');
    await field(page, 'Group').selectOption('topic boxes');
    await expect.poll(() => ids(page)).toEqual(['near', 'far', 'right']);
  });

  test('opens the answer that a chip looks for', async () => {
    const judge = { ...JUDGE, models: ['m', 'n'], verdicts: ['pass', 'fail'] } as const;
    const said: readonly Said[] = [
      { ...FAR, agent: 'a' },
      { ...FAR, agent: 'b', output: 'FINAL ANSWER: tin' },
      { ...FAR, agent: 'c', output: 'FINAL ANSWER: iron', judge: { ...judge, reasons: ['', ''] } },
    ];
    const { page } = await openCases(makeReport(said), '?chip=doubted');
    const received = page.locator('.rows .c-received');
    expect(await received.textContent()).toBe('iron');
    await press(page, 'j');
    expect(await page.locator('.case .read h3').textContent()).toMatch(
      /c.*correct.*judges in doubt/s,
    );
    await page.locator('.chip', { hasText: 'Failed' }).click();
    await expect.poll(() => received.textContent()).toBe('copper');
  });

  test('folds agents and trials into squares with a sign each', async () => {
    const said = ['a', 'b'].flatMap((agent) =>
      SAID.map((each) => ({ ...each, agent, output: agent === 'b' ? '' : each.output })),
    );
    const { page } = await openCases(makeReport(said), '?chip=differ');
    expect(await ids(page)).toEqual(['right']);
    const squares = page.locator('.rows .squares');
    expect(await squares.getAttribute('aria-label')).toBe('a: correct; b: no answer');
    expect((await squares.textContent())?.replace(/\s/g, '')).toBe('✓∅');
    await page.getByLabel('Fold by question').uncheck();
    await expect.poll(() => ids(page)).toEqual(['right', 'right']);
  });
});

describe('a case', () => {
  test('opens by the keyboard, with all that is known of it', async () => {
    const { page, misdeeds } = await openCases(makeReport(SAID));
    await page.locator('.rows a').first().focus();
    await press(page, 'Enter');
    const panel = page.locator('.case');
    await panel.locator('.conversation').waitFor();
    expect((await panel.textContent())?.replace(/\s+/g, ' ')).toMatch(
      /What is on the shelf\?.*Expected.*17.*Received.*17 boxes.*cannot be read as a number.*✕ official.*✓ contains.*FINAL ANSWER: 17 boxes.*9\.0 s.*900 in, 90 out.*final answer marker/,
    );
    const turns = await panel.locator('.conversation > li').allTextContents();
    expect(turns.map((turn) => turn.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringContaining('Count with care. Tools: calculate'),
      expect.stringContaining('at 1.4 s, 1200 tokens in, 30 out, $0.012'),
      expect.stringContaining('I count the boxes.'),
      expect.stringContaining('model calls calculate'),
      expect.stringContaining('18'),
      expect.stringContaining('FINAL ANSWER: 17 boxes'),
    ]);
    expect(misdeeds).toEqual([]);
  });

  test('marks the words that differ, and the parts of objects', async () => {
    const said = [
      { id: 'words', target: 'the quick brown fox', output: 'FINAL ANSWER: the slow brown fox' },
      { id: 'parts', target: '{"a":1,"b":{"c":2}}', output: 'FINAL ANSWER: {"a":1,"b":{"c":3}}' },
    ];
    const { page } = await openCases(makeReport(said), '?case=words');
    await expect.poll(() => page.locator('.diff del').allTextContents()).toEqual(['quick']);
    expect(await page.locator('.diff ins').allTextContents()).toEqual(['slow']);
    await press(page, 'j');
    await expect.poll(() => page.locator('.diff dt').allTextContents()).toEqual(['b.c']);
    expect(await page.locator('.diff dd').textContent()).toMatch(/2\s*3/);
  });

  test('has what judges prefer, with both verdicts beside either answer', async () => {
    const rows = ['near', 'far'].flatMap((id) => [
      toResult('correct', { id, agent: 'a' }),
      toResult('correct', { id, agent: 'b', pairs: [PAIR] }),
    ]);
    const prefer = { judges: [], criterion_hash: '', pairs: 2 };
    const folder = makeRun(rows, { suite: { prefer, public: true } });
    expect(await runViva(['report', folder])).toMatchObject({ code: 0 });
    const file = join(folder, 'report.html');
    const { page: overview } = await openFile(file);
    const table = overview.locator('table', { hasText: 'Wins − losses' });
    expect(await table.textContent()).toMatch(/b\s+against a.*\+100\.0 pp.*2 \/ 0 \/ 0/s);
    const { page } = await openCases(file, '?case=near');
    const judged = page.locator('.judge');
    await judged.waitFor();
    expect(await judged.textContent()).toMatch(
      /beside that of b: loss.*other answer.*the other one is kinder.*with this answer first.*other answer.*it is kinder.*with the other answer first/is,
    );
  });

  test('has the words of each judge, and the chip finds their doubt', async () => {
    const judge = {
      models: ['openai:a', 'openai:b'],
      verdicts: ['fail', 'cannot_tell'],
      criterion: 'Counts the boxes.',
      score: 'counting',
      ...{ prompt_hash: 'p', reference: null, cost_usd: 0.5 },
      reasons: ['It counts <b>jars</b>.', 'Who knows?'],
      others: [
        { ...JUDGE, models: ['openai:c'], verdicts: [4], scale: 5, reasons: ['It is clear.'] },
      ],
    } as const;
    const { page, misdeeds } = await openCases(
      makeReport([...SAID, { id: 'x', output: '1', cost: 1, judge }]),
      '?chip=doubted',
    );
    expect(await ids(page)).toEqual(['x']);
    await press(page, 'j');
    const text = (await page.locator('.case').textContent())?.replace(/\s+/g, ' ');
    expect(text).toMatch(
      /Judges of counting.*Counts the boxes\..*✕ fail It counts <b>jars<\/b>\. openai:a.*\? cannot tell Who knows\? openai:b/,
    );
    expect(text).toContain('4 of 5 It is clear. openai:c');
    expect(text).toContain('$1.50');
    expect(misdeeds).toEqual([]);
  });

  test('says how an output was read, where that is uncertain', async () => {
    const output = 'The answer is 12.\n\nSo the final answer is 14.\n\nNo: it is 17 or 18.';
    const file = makeReport([{ id: 'x', output }], {}, [], [MATCHED]);
    const { page } = await openCases(file, '?case=x');
    const claims = page.locator('.claims li');
    await claims.first().waitFor();
    expect(await claims.count()).toBeGreaterThan(1);
    expect(await page.locator('.claims .has-won').count()).toBeLessThan(2);
  });

  test('has the options in the order that its trial showed', async () => {
    const choices = { A: 'ant', B: 'bee', C: 'cow' };
    const ask = (trial: number, order: readonly string[]): Said => ({
      ...{ id: 'q', output: 'FINAL ANSWER: B', target: 'C', choices, trial },
      presented: { seed: 7, order, target: [], answer: null },
    });
    const { page } = await openFile(makeReport([ask(1, ['A', 'B', 'C']), ask(2, ['C', 'A', 'B'])]));
    await page.evaluate(`location.hash = '#/cases?case=q'`);
    const listOptions = async (trial: number) => {
      await page.locator('.answer-list button', { hasText: `trial ${trial}` }).click();
      return page.locator('.options li').allTextContents();
    };
    const trim = (options: readonly string[]) => options.map((text) => text.replace(/\s+/g, ' '));
    expect(trim(await listOptions(1))).toEqual(['Aant', 'Bbee✕ received', 'Ccow✓ expected']);
    const shown = ['Ccowshown as A✓ expected', 'Aantshown as B', 'Bbeeshown as C✕ received'];
    expect(trim(await listOptions(2))).toEqual(shown);
  });

  test('leads to its neighbours by j, k and buttons; Escape closes and the row has the focus', async () => {
    const { page } = await openCases(makeReport(SAID));
    const place = page.locator('.case [role=status]');
    const id = page.locator('.case h2 .copy');
    await page.locator('.rows a').first().click();
    for (const [act, shown, at] of [
      [() => press(page, 'j'), 'far', '2 of 3'],
      [() => page.getByRole('button', { name: 'Next case' }).click(), 'mute', '3 of 3'],
      [() => press(page, 'j'), 'mute', '3 of 3'],
      [() => press(page, 'k'), 'far', '2 of 3'],
      [() => page.getByRole('button', { name: 'Previous case' }).click(), 'near', '1 of 3'],
    ] as const) {
      await act();
      await expect.poll(() => id.textContent()).toBe(shown);
      expect(await place.textContent()).toBe(at);
    }
    await press(page, 'j', 'Escape');
    await expect.poll(() => page.locator('.case').count()).toBe(0);
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('.row')?.textContent`))
      .toContain('far');
  });

  test('has a link, which a reload keeps and Back undoes', async () => {
    const { page } = await openCases(makeReport(SAID), '?group=level%202');
    await page.locator('.rows a').first().click();
    await page.locator('.case').waitFor();
    const address = page.url();
    expect(address).toContain('case=gaia%2Fmute');
    await page.reload();
    await expect.poll(() => page.locator('.case h2 .copy').textContent()).toBe('mute');
    await page.goBack();
    await expect.poll(() => page.locator('.case').count()).toBe(0);
    expect(await ids(page)).toEqual(['mute']);
    await page.evaluate(`location.hash = '#/cases?case=far'`);
    await expect.poll(() => page.locator('.case h2 .copy').textContent()).toBe('far');
    await page.evaluate(`location.hash = '#/cases?case=elsewhere'`);
    await page.getByText('No case is named "elsewhere"').waitFor();
  });

  test('shows pictures, links other files, and says which it has not', async () => {
    const files = {
      'dot.png': DOT,
      'page.png': '<script>alert(1)</script>',
      'gone.csv': undefined,
    };
    const { page, misdeeds } = await openCases(makeReport([{ ...FAR, files }]), '?case=far');
    const pictures = page.locator('.files img');
    await pictures.first().waitFor();
    const widths = await pictures.evaluateAll((all) =>
      all.map((each) => Reflect.get(each, 'naturalWidth')),
    );
    expect(widths).toEqual([1]);
    const links = page.locator('.files a');
    expect(await links.allTextContents()).toEqual(['File: dot.png', 'File: page.png']);
    expect(await links.first().getAttribute('href')).toBe('dot.png');
    expect(await page.locator('.files span').allTextContents()).toEqual(['File: gone.csv']);
    expect(misdeeds).toEqual([]);
  });
});

describe('agents side by side', () => {
  test('are compared with both answers to what differs', async () => {
    const { page, misdeeds } = await openFile(await reportRun());
    await page.evaluate(`location.hash = '#/compare'`);
    const rows = page.locator('.compare .rows .row');
    await rows.first().waitFor();
    expect(await page.locator('.pairs tbody').textContent()).toMatch(
      /\+33\.3 pp.*within noise.*1 \/ 0/s,
    );
    expect(await rows.count()).toBe(1);
    expect((await rows.textContent())?.replace(/\s+/g, ' ')).toMatch(
      /fixed.*far.*iron.*copper.*iron/,
    );
    await press(page, 'j');
    const panel = page.locator('.case');
    expect((await panel.textContent())?.replace(/\s+/g, ' ')).toMatch(/A · a.*copper.*B · b.*iron/);
    await press(page, 'Escape');
    expect(await panel.count()).toBe(0);
    await page.locator('.chip', { hasText: 'All' }).click();
    await expect.poll(() => rows.count()).toBe(3);
    expect(misdeeds).toEqual([]);
  });

  test('differ where one said what the other did not, however many trials each had', async () => {
    const toRows = (id: string, agent: string, answers: readonly string[]) =>
      toTrials(id, '-'.repeat(answers.length), { agent, cost_usd: 0.01 }).map((row, at) =>
        Object.assign(row, { answer: answers[at] }),
      );
    const folder = makeRun(
      [
        ...toRows('often', 'a', ['tin', 'tin', 'lead']),
        ...toRows('other', 'a', ['tin', 'tin', 'tin']),
        ...toRows('often', 'b', ['lead', 'tin']),
        ...toRows('other', 'b', ['tin', 'gold']),
      ],
      { end: {} },
    );
    expect(await runViva(['report', folder])).toMatchObject({ code: 0 });
    const { page } = await openFile(join(folder, 'report.html'));
    await page.evaluate(`location.hash = '#/compare'`);
    await expect.poll(() => ids(page)).toEqual(['other']);
  });
});

describe('the page', () => {
  const agents = ['a', 'b'].flatMap((agent, index) =>
    SAID.map((each) => ({
      ...each,
      agent,
      cost: 0.01 * (index + 1),
      scores: { brief: 0.5, polite: index > 0 },
    })),
  );

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    'of %i px in %s has no fault that axe finds, and does not scroll sideways',
    async (width, colorScheme) => {
      const options = { viewport: { width, height: 844 }, colorScheme };
      const { page, misdeeds } = await openFile(makeReport(agents, {}, ['A note.']), options);
      for (const [address, shown] of [
        ['#/', '.cards'],
        ['#/cases', '.rows .row'],
        ['#/cases?case=near', '.case .conversation'],
      ] as const) {
        await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
        await page.locator(shown).first().waitFor();
        expect([address, await findFaults(page)]).toEqual([address, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
      }
      const compared = await openFile(await reportRun(), options);
      for (const address of ['#/compare', '#/compare?chip=all&case=0/gaia/near']) {
        await compared.page.evaluate(`location.hash = ${JSON.stringify(address)}`);
        await compared.page
          .locator(address.includes('case') ? '.case' : '.compare .rows')
          .waitFor();
        expect([address, await findFaults(compared.page)]).toEqual([address, []]);
        expect(
          await compared.page.evaluate('document.documentElement.scrollWidth'),
        ).toBeLessThanOrEqual(width);
      }
      expect([...misdeeds, ...compared.misdeeds]).toEqual([]);
    },
  );

  test('does not break by long names and words', async () => {
    const agent =
      'openai:a-model-with-a-long-name?reasoning_effort=high&max_tokens=32000&temperature=0';
    const output = `${'wide'.repeat(100)}\nFINAL ANSWER: ${'x'.repeat(200)}`;
    const wide: Said = {
      ...{ id: 'w'.repeat(80), output, agent, cost: 0.1, trace: [STEP] },
      choices: { A: 'y'.repeat(200) },
    };
    const file = makeReport([...SAID.map((each) => ({ ...each, cost: 0.2 })), wide]);
    for (const width of [360, 1400]) {
      const { page } = await openFile(file, { viewport: { width, height: 700 } });
      for (const address of ['#/', `#/cases?case=${wide.id}`, '#/compare']) {
        await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
        await page.locator('main > *').first().waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
      }
    }
  });

  test('prints all cases, without controls', async () => {
    const said = Array.from({ length: 500 }, (_, at) => ({ id: `q${at}`, output: '' }));
    const { page } = await openCases(makeReport(said));
    expect(await page.locator('.rows .row').count()).toBeLessThan(100);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.rows .row').count()).toBe(500);
    // One below the other, on as many pages as they need.
    const heights = await page
      .locator('.rows, .rows .row')
      .evaluateAll((all) => all.map((each) => Number(Reflect.get(each, 'offsetHeight'))));
    const [list = 0, ...rows] = heights;
    const sum = rows.reduce((all, height) => all + height, 0);
    expect(sum / list).toBeCloseTo(1, 1);
    expect(
      await page
        .locator('.top, .filters')
        .evaluateAll((all) => all.filter((each) => Reflect.get(each, 'offsetHeight') > 0).length),
    ).toBe(0);
  });

  test('does not move what is shown already', async () => {
    const { page } = await openFile(makeReport(agents));
    const moved = await page.evaluate(`new Promise((done) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
      }).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(sum), 300);
    })`);
    expect(moved).toBeLessThan(0.01);
  });

  test('is at most 150 kB without its data', () => {
    const html = readFileSync(makeReport(SAID.slice(0, 1)), 'utf8');
    const bare = html
      .replace(/<script type[^>]*>[^<]*<\/script>/g, '')
      .replace(/<noscript>[\s\S]*<\/noscript>/, '');
    expect(bare.length).toBeLessThan(153_600);
  });
});

describe('many cases', () => {
  const words = 'The grey box is the last one in the order of the colours. '.repeat(15);
  const toMany = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${index}-0123-4567-89ab-cdef01234567`,
      question: `${index} ${words}`,
      output: `${words}\nFINAL ANSWER: ${index % 3 === 0 ? 17 : index}`,
      group: `level ${(index % 3) + 1}`,
      latencyMs: 1000 + index,
      ...(index % 40 === 1 ? { trace: [{ ...STEP, text: words.repeat(12) }], sent: SENT } : {}),
    }));

  test('10,000 take a few megabytes with all their texts, and scroll', async () => {
    const file = makeReport(toMany(10_000));
    expect(statSync(file).size).toBeLessThan(3_000_000);
    const { page, misdeeds, cpuSeconds } = await openCases(file, '?chip=all&order=dataset');
    // 1 to 1.5 on a quiet machine. What other processes use does not count.
    expect(cpuSeconds).toBeLessThan(6);
    expect(await page.locator('.rows .row').count()).toBeLessThan(100);
    await page.getByLabel('Search').fill('FINAL ANSWER: 9998');
    await expect.poll(() => ids(page)).toEqual(['9998-0…34567']);
    await page.getByLabel('Search').fill('');
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await expect.poll(async () => (await ids(page)).at(-1)).toBe('9999-0…34567');
    expect(misdeeds).toEqual([]);
  });

  test('that do not fit leave out texts of right answers first, and the page says so', async () => {
    const random = (seed: number) =>
      Array.from({ length: 400 }, (_, at) =>
        (Math.imul(seed * 7919 + at, 2654435761) >>> 0).toString(36),
      ).join(' ');
    const said = Array.from({ length: 3000 }, (_, at) => ({
      id: `q${at}`,
      output: `${random(at)}\nFINAL ANSWER: ${at % 2 === 0 ? 17 : 18}`,
      trace: [{ ...STEP, text: random(at + 5000) }],
    }));
    const file = makeReport(said, {}, [], [], 5_500_000);
    expect(statSync(file).size).toBeLessThan(8_000_000);
    const { page } = await openCases(file);
    const found = await page.locator('.found [role=status]').textContent();
    expect(found).toMatch(/texts of .+ answers are left out.*\d conversations left out/);
    await press(page, 'j');
    await page.locator('.case .read .box').first().waitFor();
    await page.evaluate(`location.hash = '#/cases?chip=all&case=q2998'`);
    await page.getByText('The texts are too long for this file').waitFor();
  });

  test('of hostile texts take few bytes, and so does one of megabytes', () => {
    const letters = ['<', '\u0000', '\u{1f4a5}', '\ud800'].map((letter) => letter.repeat(400));
    const toSaid = (id: string, text: string) => ({
      id,
      question: text,
      output: text,
      target: text,
    });
    const said = Array.from({ length: 10_000 }, (_, at) =>
      toSaid(`${at}<<<`, letters[at % 4] ?? ''),
    );
    expect(statSync(makeReport(said)).size).toBeLessThan(3_000_000);
    expect(statSync(makeReport([toSaid('long', 'x'.repeat(2_000_000))])).size).toBeLessThan(
      500_000,
    );
  });
});

describe('hostile text', () => {
  const HOSTILE = [
    '</script><script>alert(1)</script>',
    '<!--<script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "' onmouseover=alert(1) x='",
    'javascript:alert(1)',
    '\u001b[2J\u001b[31mred\u0007',
    '\u202egnp.exe\u2066',
    '\u009b31m\u2028',
    '=cmd()',
    '`alert(1)`',
    'https://example.org/beacon.png',
  ].join('\n');
  const call = { name: HOSTILE, arguments: HOSTILE, result: HOSTILE, failed: true };
  const judge = {
    models: [HOSTILE],
    verdicts: ['fail'],
    reasons: [HOSTILE],
    criterion: HOSTILE,
    ...{ prompt_hash: 'p', reference: null, cost_usd: 0 },
  } as const;
  const said: readonly Said[] = [
    {
      id: HOSTILE,
      question: HOSTILE,
      output: `${HOSTILE}\nFINAL ANSWER: ${HOSTILE.replaceAll('\n', ' ')}`,
      target: HOSTILE,
      group: HOSTILE,
      agent: HOSTILE,
      choices: { [HOSTILE]: HOSTILE, B: HOSTILE },
      scores: { [HOSTILE]: true, constructor: 0.5 },
      groups: { [HOSTILE]: HOSTILE },
      trace: [{ ...STEP, text: HOSTILE, tool_calls: [call] }],
      judge,
    },
    { id: '__proto__', output: 'FINAL ANSWER: 17', group: '__proto__', agent: 'constructor' },
  ];

  test('shows as it is and does nothing, in the page and in the file', async () => {
    const file = makeReport(said, {}, [HOSTILE]);
    // No character that a terminal or an editor obeys.
    expect(readFileSync(file, 'utf8').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    const { page, misdeeds } = await openFile(file);
    expect(await page.locator('.remarks').textContent()).toContain('\\u202egnp.exe');
    await page.evaluate(`location.hash = '#/cases?chip=all'`);
    await expect.poll(() => page.locator('.rows .row').count()).toBe(2);
    await page.locator('.rows a').first().click();
    await page.locator('.conversation').waitFor();
    await page.mouse.move(300, 300);
    const details = await page.locator('.case').textContent();
    for (const part of ['<img src=x onerror=alert(1)>', '\\u001b[2J', '\\u202egnp.exe'])
      expect(details).toContain(part);
    expect(await page.locator('img, iframe, object, embed, svg[onload]').count()).toBe(0);
    expect(await page.locator('a:not([href^="#"])').count()).toBe(0);
    expect(await page.locator('script:not([type])').count()).toBe(1);
    expect(misdeeds).toEqual([]);
  });

  test('that got into the page as a script runs no more than an image of it is loaded', async () => {
    const { page, misdeeds } = await openFile(makeReport(SAID));
    const refused = page.waitForEvent('requestfailed');
    await page.evaluate(`{
      const image = document.createElement('img');
      image.src = 'https://example.org/x.png';
      document.body.append(image);
    }`);
    expect((await refused).failure()?.errorText).toBe('csp');
    const write = (code: string) =>
      page.evaluate(code).then(String, (error: Error) => error.message);
    expect(await write(`document.body.innerHTML = '<b>x</b>'`)).toMatch(/TrustedHTML/);
    expect(
      await write(
        `{ const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); }`,
      ),
    ).toMatch(/TrustedScript/);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(misdeeds.some((each) => /Content Security Policy/.test(each))).toBe(true);
  });
});

describe('a gated dataset', () => {
  const output = 'The hidden output. FINAL ANSWER: hidden';
  const record = {
    id: 'q1',
    question: 'The hidden question?',
    target: 'the hidden truth',
    dataset: 'GAIA/validation',
  };
  const secret: Said = { ...record, output, trace: [STEP], files: { 'secret.png': DOT } };

  test.each([
    [{ ci: true, showGated: null }, 'Texts are hidden.', 'are hidden.'],
    [{ ci: false }, 'Keep this file private.', record.question],
    [{ ci: true, showGated: true }, 'Keep this file private.', record.question],
  ])('%j: %s', async (config, banner, shown) => {
    const file = makeReport([secret], config);
    const isHidden = shown !== record.question;
    const texts = /hidden (question|output|truth)|I count the boxes|secret\.png/;
    expect(texts.test(readData(file))).toBe(!isHidden);
    expect(/id="image-/.test(readFileSync(file, 'utf8'))).toBe(!isHidden);
    const { page } = await openFile(file);
    expect(await page.locator('.banner').textContent()).toContain(banner);
    await page.evaluate(`location.hash = '#/cases?case=q1'`);
    await page.locator('.case').waitFor();
    expect(await page.locator('.case').textContent()).toContain(shown);
    expect(await page.locator('.rows .row').textContent()).toContain(
      isHidden ? 'q1' : record.question,
    );
  });
});
