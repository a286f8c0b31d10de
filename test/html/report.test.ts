import { readFileSync, statSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { needBrowser, openFile } from './browser.ts';
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

/** The ids of the rows that are shown, in their order. */
function ids(page: Page): Promise<string[]> {
  return page.locator('.open').allTextContents();
}

/** Closing moves the focus, after which a field can be filled. */
async function closeCase(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('.open:focus').waitFor();
}

describe('the table of cases', () => {
  test('is filtered by text, state and group, and says how many are left', async () => {
    const { page, misdeeds } = await openFile(makeReport(SAID));
    expect(await ids(page)).toEqual(['right', 'near', 'far', 'mute']);
    const marked = await page
      .locator('tr:is(.correct, .fails)')
      .evaluateAll((rows) => rows.map((row) => Reflect.get(row, 'className')));
    expect(marked).toEqual(['correct', 'fails', 'fails', 'fails']);
    const search = page.getByLabel('Search');
    await search.fill('METAL which');
    expect(await ids(page)).toEqual(['far']);
    expect(await page.getByRole('status').textContent()).toBe('1 of 4 cases, 1 of them failed');
    await search.fill('');
    for (const [label, choice, left] of [
      ['State', 'failed', ['near', 'far', 'mute']],
      ['State', 'no answer', ['mute']],
      ['State', '', ['right', 'near', 'far', 'mute']],
      ['Group', 'level 2', ['right', 'mute']],
      ['Group', '', ['right', 'near', 'far', 'mute']],
    ] as const) {
      await page.getByLabel(label).selectOption(choice);
      expect(await ids(page)).toEqual(left);
    }
    expect(misdeeds).toEqual([]);
  });

  test('is sorted by a column, back and forth and not at all, and the focus stays', async () => {
    const { page } = await openFile(makeReport(SAID));
    const press = () => page.getByRole('button', { name: 'Latency' }).click();
    await press();
    expect(await ids(page)).toEqual(['right', 'mute', 'far', 'near']);
    expect(
      await page.getByRole('columnheader', { name: 'Latency' }).getAttribute('aria-sort'),
    ).toBe('ascending');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Latency');
    await press();
    expect(await ids(page)).toEqual(['near', 'far', 'mute', 'right']);
    await press();
    expect(await ids(page)).toEqual(['right', 'near', 'far', 'mute']);
  });

  test('has a column for each score, by which it is sorted and filtered', async () => {
    const scored = SAID.slice(0, 3).map((said, index) => ({
      ...said,
      scores: { polite: index > 0, length: [0.9, 0.25, null][index] ?? null },
      groups: { topic: 'boxes' },
    }));
    const { page, misdeeds } = await openFile(makeReport([...scored, ...SAID.slice(3)]));
    const cells = await page
      .locator('.cases tbody tr')
      .first()
      .locator('.number')
      .allTextContents();
    expect(cells.slice(0, 2)).toEqual(['false', '0.9']);
    for (const sorted of [
      ['near', 'right', 'far', 'mute'],
      ['right', 'near', 'far', 'mute'],
    ]) {
      await page.getByRole('button', { name: 'length' }).click();
      expect(await ids(page)).toEqual(sorted);
    }
    await page.getByRole('button', { name: 'length' }).click();
    for (const [choice, left] of [
      ['polite: true', ['near', 'far']],
      ['length: below 0.5', ['near']],
      ['length: no value', ['far', 'mute']],
    ] as const) {
      await page.getByLabel('Score').selectOption(choice);
      expect(await ids(page)).toEqual(left);
    }
    expect(page.url()).toContain('score=length');
    await page.getByRole('button', { name: 'far' }).click();
    const details = await page.locator('.details').textContent();
    expect(details).toMatch(/topicboxes.*Scorespolitetruelength-/);
    await page.keyboard.press('Escape');
    await page.getByLabel('Score').selectOption('');
    const options = page.getByLabel('Group').locator('option');
    expect(await options.allTextContents()).toEqual(['all', 'level 1', 'level 2', 'topic boxes']);
    await page.getByLabel('Group').selectOption('topic boxes');
    expect(await ids(page)).toEqual(['right', 'near', 'far']);
    expect(misdeeds).toEqual([]);
  });

  test('opens a case by the keyboard, with all that is known of it', async () => {
    const { page, misdeeds } = await openFile(makeReport(SAID));
    const opener = page.getByRole('button', { name: 'near' });
    await opener.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.details').textContent()).toMatch(
      /What is on the shelf\?.*17 boxes.*cannot be read as a number.*FINAL ANSWER: 17 boxes.*final answer marker.*contains, bidirectional.*9\.0 s.*900 in, 90 out.*I count the boxes\..*\{"expression":"9\+9"\}/s,
    );
    const turns = await page.locator('.conversation li').allInnerTexts();
    expect(turns.map((turn) => turn.replace('\n\n', '\n'))).toEqual([
      'user\nCount with care.\nTools: calculate',
      'model thinks at 1.4 s, 1200 tokens in, 30 out, $0.012\nSlowly.',
      'model\nI count the boxes.',
      'model calls calculate\n{"expression":"9+9"}',
      'calculate\n18',
      'model\nFINAL ANSWER: 17 boxes',
    ]);
    expect(misdeeds).toEqual([]);
  });

  test('has the words of each judge', async () => {
    const judge = {
      models: ['openai:a', 'openai:b'],
      verdicts: ['fail', 'cannot_tell'],
      criterion: 'Counts the boxes.',
      score: 'counting',
      ...{ prompt_hash: 'p', reference: null, cost_usd: 0.5 },
      reasons: ['It counts <b>jars</b>.', 'Who knows?'],
    } as const;
    const { page, misdeeds } = await openFile(
      makeReport([{ id: 'x', output: '1', cost: 1, judge }]),
    );
    await page.getByRole('button', { name: 'x', exact: true }).click();
    const text = await page.locator('.details').textContent();
    expect(text).toMatch(
      /Criterion of countingCounts the boxes\..*openai:a: fail It counts <b>jars<\/b>\..*openai:b: cannot tell Who knows\?/s,
    );
    expect(text).toContain('$1.50');
    expect(misdeeds).toEqual([]);
  });

  test('goes to the next and the previous case of the list by arrows and buttons, and Escape closes', async () => {
    const { page } = await openFile(makeReport(SAID));
    await page.getByLabel('State').selectOption('failed');
    const dialog = page.getByRole('dialog');
    const press = (key: string) => page.keyboard.press(key);
    await page.getByRole('button', { name: 'near' }).click();
    for (const [act, id, place] of [
      [() => press('ArrowRight'), 'far', '2 of 3: incorrect'],
      [() => press('Shift+ArrowRight'), 'far', '2 of 3: incorrect'],
      [
        () => dialog.getByRole('button', { name: 'Next' }).click(),
        'mute',
        '3 of 3: no answer: empty',
      ],
      [() => press('ArrowRight'), 'near', '1 of 3: incorrect'],
      [() => press('ArrowLeft'), 'mute', '3 of 3: no answer: empty'],
      [() => dialog.getByRole('button', { name: 'Previous' }).click(), 'far', '2 of 3: incorrect'],
    ] as const) {
      await act();
      expect(await dialog.getByRole('heading', { level: 3 }).textContent()).toBe(id);
      expect(await dialog.getByRole('status').textContent()).toBe(place);
    }
    await press('Escape');
    expect(await dialog.count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('far');
    await press('ArrowRight');
    expect(await dialog.count()).toBe(0);
  });
});

describe('the address', () => {
  const several = ['a', 'b|c'].flatMap((agent) => SAID.map((each) => ({ ...each, agent })));

  test('names filter and case, also after a reload, and the back button undoes both', async () => {
    const { page, misdeeds } = await openFile(makeReport(several));
    const heading = page.getByRole('dialog').getByRole('heading', { level: 3 });
    const at = async (hash: string, found: readonly string[], opened: string | null) => {
      await expect.poll(() => page.evaluate('location.hash')).toBe(hash);
      await expect.poll(() => heading.allTextContents()).toEqual(opened === null ? [] : [opened]);
      expect(await ids(page)).toEqual(found);
      expect(await page.locator('[name=group]').inputValue()).toBe(
        hash.includes('group') ? 'level 2' : '',
      );
    };
    const [failed, mute] = [
      ['near', 'far', 'mute', 'near', 'far', 'mute'],
      ['mute', 'mute'],
    ];
    await page.getByLabel('State').selectOption('failed');
    await page.getByLabel('Group').selectOption('level 2');
    await page.locator('.open').last().click();
    const opened = '#group=level+2&state=failed&case=mute+%7C+b%7Cc';
    await at(opened, mute, 'mute | b|c');
    await page.reload();
    await at(opened, mute, 'mute | b|c');
    await page.goBack();
    await at('#group=level+2&state=failed', mute, null);
    await page.goBack();
    await at('#state=failed', failed, null);
    await page.goForward();
    await page.goForward();
    await at(opened, mute, 'mute | b|c');
    await page.keyboard.press('Escape');
    await at('#group=level+2&state=failed', mute, null);
    expect(misdeeds).toEqual([]);
  });

  test('may name a case by its id alone, and what is not there is named', async () => {
    const prompted = several.map((each, index) => ({
      ...each,
      prompt: index < 3 ? 'a.md@1a2b3c4d' : 'b.md@5e6f7a8b',
    }));
    const { page } = await openFile(makeReport(prompted));
    const heading = page.getByRole('dialog').getByRole('heading', { level: 3 });
    await page.evaluate(`location.hash = '#case=far'`);
    await expect.poll(() => heading.allTextContents()).toEqual(['far | a | a.md@1a2b3c4d']);
    await page.evaluate(`location.hash = '#prompt=a.md@1a2b3c4d'`);
    await expect.poll(() => ids(page)).toEqual(['right', 'near', 'far']);
    await page.evaluate(`location.hash = '#case=elsewhere&group=level+9'`);
    await expect
      .poll(() => page.locator('#count').textContent())
      .toBe('0 of 8 cases, 0 of them failed. No case is named "elsewhere"');
    expect(await heading.count()).toBe(0);
  });
});

describe('the page', () => {
  test('has landmarks, headings, captions and names for every drawing', async () => {
    const agents = ['a', 'b'].flatMap((agent, index) =>
      SAID.map((each) => ({ ...each, agent, cost: 0.01 * (index + 1) })),
    );
    const { page } = await openFile(makeReport(agents));
    for (const role of ['banner', 'navigation', 'main', 'search'] as const) {
      expect(await page.getByRole(role).count()).toBe(1);
    }
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Evaluation report');
    const unnamed =
      'table:not(:has(caption)), th:not([scope]), svg:not([role="img"][aria-label], [aria-hidden])';
    expect(await page.locator(unnamed).count()).toBe(0);
    expect(await page.locator('svg title').allTextContents()).toContain(
      'level 2, b: 50.0 % (1 of 2)',
    );
    const links = await page
      .locator('nav a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links).toContain('#accuracy');
    for (const link of links) expect(await page.locator(link).count()).toBe(1);
  });

  test('is dark where the system is, and fits screens from 360 to 1400 px', async () => {
    const agent =
      'openai:a-model-with-a-long-name?reasoning_effort=high&max_tokens=32000&temperature=0';
    const output = `${'wide'.repeat(100)}\nFINAL ANSWER: ${'x'.repeat(200)}`;
    const wide: Said = {
      id: 'w'.repeat(80),
      output,
      agent,
      cost: 0.1,
      choices: { A: 'y'.repeat(200) },
      trace: [STEP],
    };
    const file = makeReport([...SAID.map((each) => ({ ...each, cost: 0.2 })), wide]);
    const { page } = await openFile(file);
    for (const [colorScheme, background, width] of [
      ['light', 'rgb(247, 248, 249)', 360],
      ['dark', 'rgb(20, 23, 26)', 360],
      ['dark', 'rgb(20, 23, 26)', 1400],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        background,
      );
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
      const outside = `[...document.querySelectorAll('svg text, figure')].filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        return left < 0 || right > innerWidth;
      }).map(({ textContent }) => textContent)`;
      expect(await page.evaluate(outside)).toEqual([]);
      await page.locator('.open').last().click();
      const clipped = `[...document.querySelectorAll('dialog, dialog *')]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth).map(String)`;
      expect(await page.evaluate(clipped)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  test('shows tables and charts without JavaScript, and says where the cases are', async () => {
    const { page } = await openFile(makeReport(SAID), { javaScriptEnabled: false });
    expect(await page.locator('table').count()).toBeGreaterThan(1);
    expect(await page.locator('svg').count()).toBe(1);
    expect(await page.locator('noscript').textContent()).toContain('samples.jsonl');
    expect(await page.locator('#filters').isVisible()).toBe(false);
  });
});

describe('10,000 cases', () => {
  test('take less than 10 MB and open at once, with the texts of failures first', async () => {
    const words = 'The grey box is the last one in the order of the colours. '.repeat(15);
    const said = Array.from({ length: 10_000 }, (_, index) => ({
      id: `${index}-0123-4567-89ab-cdef01234567`,
      question: `${index} ${words}`,
      output: `${words}\nFINAL ANSWER: ${index % 3 === 0 ? 17 : index}`,
      group: `level ${(index % 3) + 1}`,
      latencyMs: 1000 + index,
      // More than there is room for.
      ...(index % 40 === 1 ? { trace: [{ ...STEP, text: words.repeat(12) }], sent: SENT } : {}),
    }));
    const file = makeReport(said);
    expect(statSync(file).size).toBeLessThan(10_000_000);
    // What is left out is left out for want of room.
    expect(statSync(file).size).toBeGreaterThan(8_000_000);
    const { page, misdeeds, cpuSeconds } = await openFile(file);
    // 1.4 to 1.6 on a quiet machine. What other processes use does not count.
    expect(cpuSeconds).toBeLessThan(6);
    const search = page.getByLabel('Search');
    await search.fill('FINAL ANSWER: 9998');
    expect(await ids(page)).toEqual(['9998-0123-4567-89ab-cdef01234567']);
    const count = page.locator('#count');
    expect(await count.textContent()).toMatch(
      /^1 of 10000 cases, 1 of them failed\. Not in this file and not searched, only in samples\.jsonl: texts of \d{3,4}, left out for want of room; the middle of long texts of \d{4}$/,
    );
    await search.fill('9999-0123');
    await page.locator('.open').click();
    expect(await page.locator('.details').textContent()).toContain(
      'The texts are too long for this file',
    );
    await closeCase(page);
    await search.fill('');
    await page.getByRole('button', { name: 'Show 100 more of 9900' }).click();
    expect(await page.locator('.open').count()).toBe(200);
    expect(misdeeds).toEqual([]);
  });

  test('of hostile texts take less than 10 MB, and one of megabytes takes a part of one', () => {
    const letters = ['<', '\u0000', '\u{1f4a5}', '\ud800'].map((letter) => letter.repeat(400));
    const toSaid = (id: string, text: string) => ({
      id,
      question: text,
      output: text,
      target: text,
    });
    const said = Array.from({ length: 10_000 }, (_, index) =>
      toSaid(`${index}<<<`, letters[index % 4] ?? ''),
    );
    expect(statSync(makeReport(said)).size).toBeLessThan(10_000_000);
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
    },
    { id: '__proto__', output: 'FINAL ANSWER: 17', group: '__proto__', agent: 'constructor' },
  ];

  test('shows as it is and does nothing, in the page and in the file', async () => {
    const file = makeReport(said, {}, [HOSTILE]);
    // No character that a terminal or an editor obeys.
    expect(readFileSync(file, 'utf8').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    const { page, misdeeds } = await openFile(file);
    expect(await page.locator('.open').count()).toBe(2);
    await page.locator('.open').first().click();
    await page.mouse.move(300, 300);
    const details = await page.locator('.details').textContent();
    for (const part of ['<img src=x onerror=alert(1)>', '\\u001b[2J', '\\u202egnp.exe'])
      expect(details).toContain(part);
    expect(await page.locator('img, iframe, object, embed, svg[onload]').count()).toBe(0);
    expect(await page.locator('a:not([href^="#"]):not([href^="traces/"])').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    expect(misdeeds).toEqual([]);
  });

  test('that got into the page as a script runs no more than an image of it is loaded', async () => {
    const { page, misdeeds } = await openFile(makeReport(SAID));
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
    }`);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const refused = page.waitForEvent('requestfailed');
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x.png">')`,
    );
    expect((await refused).failure()?.errorText).toBe('csp');
    expect(
      misdeeds.filter((each) => /^console: .*Content Security Policy/s.test(each)),
    ).toHaveLength(2);
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
  const secret: Said = { ...record, output, trace: [STEP] };

  test.each([
    [
      { ci: true, showGated: null },
      'Texts are hidden.',
      'Question, expected answer and answer are hidden.',
    ],
    [{ ci: false }, 'Keep this file private.', record.question],
    [{ ci: true, showGated: true }, 'Keep this file private.', record.question],
  ])('%j: %s', async (config, banner, shown) => {
    const file = makeReport([secret], config);
    const isHidden = shown !== record.question;
    const texts = /hidden (question|output|truth)|I count the boxes/;
    expect(texts.test(readFileSync(file, 'utf8'))).toBe(!isHidden);
    const { page } = await openFile(file);
    expect(await page.locator('.banner').textContent()).toContain(banner);
    const column = page.getByRole('cell', { name: record.question });
    expect(await column.count()).toBe(isHidden ? 0 : 1);
    await page.locator('.open').click();
    expect(await page.locator('.details').textContent()).toContain(shown);
    await closeCase(page);
    await page.getByLabel('Search').fill('nowhere');
    expect(await page.locator('#count').textContent()).toMatch(
      isHidden ? /^0 of 1 cases, .+: texts of 1, hidden$/ : /^0 of 1 cases, 0 of them failed$/,
    );
  });
});

test('a case shows what other agents said to its question, line by line, and leads to them', async () => {
  const said = ['a', 'b'].map((agent) => ({
    id: 'q',
    agent,
    output: `The same line.\n${agent} <b>counts</b>.\nFINAL ANSWER: 17`,
    scores: { polite: agent === 'b' },
  }));
  const { page, misdeeds } = await openFile(makeReport([...said, ...SAID]));
  await page.locator('.open').first().click();
  const details = page.locator('.details');
  expect(await details.textContent()).toContain(
    'q | b: correct, polite true  The same line.\n+ b <b>counts</b>.\n  FINAL ANSWER: 17\n',
  );
  await details.getByRole('link', { name: 'q | b' }).click();
  await expect.poll(() => page.locator('#case-title').textContent()).toBe('q | b');
  expect(await details.textContent()).toContain('q | a: correct, polite false');
  expect(misdeeds).toEqual([]);
});

test('shows the conversation of a right answer too, and links a long trace', async () => {
  const file = makeReport([
    { id: 'right', output: 'FINAL ANSWER: 17', trace: [STEP] },
    {
      id: 'wrong',
      output: 'FINAL ANSWER: 18',
      trace: [STEP, { ...STEP, text: 'z'.repeat(70_000) }],
    },
  ]);
  const { page, misdeeds } = await openFile(file);
  await page.getByRole('button', { name: 'right' }).click();
  expect(await page.locator('.conversation li').count()).toBe(5);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'wrong' }).click();
  const link = page.getByRole('link', { name: 'Trace: traces/gaia/made-up/wrong-' });
  expect(await link.getAttribute('href')).toMatch(
    /^traces\/gaia\/made-up\/\w+-[0-9a-f]{8}\.1\.json$/,
  );
  expect(misdeeds).toEqual([]);
  await link.click();
  expect(await page.locator('body').textContent()).toContain('I count the boxes.');
});
