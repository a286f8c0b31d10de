import { readFileSync, statSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openFile } from './browser.ts';
import { makeReport, type Said } from './make-report.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const STEP = {
  text: 'I count the boxes.',
  reasoning: 'Slowly.',
  tool_calls: [{ name: 'calculate', arguments: '{"expression":"9+9"}', result: '18', failed: false }],
  stop: 'end',
  usage: null,
};

const SAID: readonly Said[] = [
  { id: 'right', output: 'FINAL ANSWER: $17', latencyMs: 2000, group: 'level 2' },
  { id: 'near', output: 'FINAL ANSWER: 17 boxes', latencyMs: 9000, trace: [STEP] },
  { id: 'far', output: 'FINAL ANSWER: copper', question: 'Which metal is it?', target: 'iron', latencyMs: 5000 },
  { id: 'mute', output: '', group: 'level 2' },
];

/** The ids of the rows that are shown, in their order. */
function ids(page: Page): Promise<string[]> {
  return page.locator('.open').allTextContents();
}

describe('the table of cases', () => {
  test('is filtered by text, state, group and rules, and says how many are left', async () => {
    const { page, misdeeds } = await openFile(browser, makeReport(SAID));
    expect(await ids(page)).toEqual(['right', 'near', 'far', 'mute']);
    const search = page.getByLabel('Search');
    await search.fill('METAL which');
    expect(await ids(page)).toEqual(['far']);
    expect(await page.getByRole('status').textContent()).toBe('1 of 4 cases, 1 of them failed');
    await search.fill('');
    await page.getByLabel('State').selectOption('failed');
    expect(await ids(page)).toEqual(['near', 'far', 'mute']);
    await page.getByLabel('Group').selectOption('level 2');
    expect(await ids(page)).toEqual(['mute']);
    await page.getByLabel('Group').selectOption('');
    await page.getByLabel('Rules').selectOption('accepted on answer');
    expect(await ids(page)).toEqual(['near']);
    await page.getByLabel('State').selectOption('');
    await page.getByLabel('Rules').selectOption('rejected');
    expect(await ids(page)).toEqual(['right']);
    expect(misdeeds).toEqual([]);
  });

  test('is sorted by a column, back and forth and not at all, and the focus stays', async () => {
    const { page } = await openFile(browser, makeReport(SAID));
    const press = () => page.getByRole('button', { name: 'Latency' }).click();
    await press();
    expect(await ids(page)).toEqual(['right', 'mute', 'far', 'near']);
    expect(await page.getByRole('columnheader', { name: 'Latency' }).getAttribute('aria-sort')).toBe('ascending');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Latency');
    await press();
    expect(await ids(page)).toEqual(['near', 'far', 'mute', 'right']);
    await press();
    expect(await ids(page)).toEqual(['right', 'near', 'far', 'mute']);
  });

  test('opens a case by the keyboard, with all that is known of it', async () => {
    const { page, misdeeds } = await openFile(browser, makeReport(SAID));
    const opener = page.getByRole('button', { name: 'near' });
    await opener.focus();
    await page.keyboard.press('Enter');
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    const details = await page.locator('.details').textContent();
    for (const part of [
      'What is on the shelf?',
      '17 boxes',
      'compared as number: "17 boxes" cannot be read as a number',
      'FINAL ANSWER: 17 boxes',
      'final answer marker',
      '900 in, 90 out',
      '9.0 s',
      'I count the boxes.',
      '{"expression":"9+9"}',
    ]) {
      expect(details).toContain(part);
    }
    expect(await page.getByRole('row', { name: 'contains right right' }).count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await page.locator('.details').count()).toBe(0);
    expect(misdeeds).toEqual([]);
  });
});

describe('the page', () => {
  test('has landmarks, headings, captions and names for every drawing', async () => {
    const agents = ['a', 'b'].flatMap((agent, index) =>
      SAID.map((each) => ({ ...each, agent, cost: 0.01 * (index + 1) })),
    );
    const { page } = await openFile(browser, makeReport(agents));
    for (const role of ['banner', 'navigation', 'main', 'search'] as const) {
      expect(await page.getByRole(role).count()).toBe(1);
    }
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Evaluation report');
    expect(await page.locator('table:not(:has(caption))').count()).toBe(0);
    expect(await page.locator('th:not([scope])').count()).toBe(0);
    expect(await page.locator('svg:not([role="img"][aria-label])').count()).toBe(0);
    const drawings = await page.locator('svg').evaluateAll((all) => all.map((svg) => svg.getAttribute('aria-label')));
    expect(drawings.join('\n')).toContain('Cost of a question against accuracy, gaia · sample');
    expect(drawings.join('\n')).toContain('level 2. a: 50.0 % 1 of 2; b: 50.0 % 1 of 2');
    const links = await page.locator('nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links).toContain('#rules');
    for (const link of links) expect(await page.locator(link).count()).toBe(1);
  });

  test('is dark where the system is', async () => {
    const file = makeReport(SAID);
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await openFile(browser, file, { colorScheme });
      return page.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).toBe('rgb(247, 248, 249)');
    expect(await background('dark')).toBe('rgb(20, 23, 26)');
  });

  test('shows tables and charts without JavaScript, and says where the cases are', async () => {
    const { page } = await openFile(browser, makeReport(SAID), { javaScriptEnabled: false });
    expect(await page.locator('table').count()).toBeGreaterThan(1);
    expect(await page.locator('svg').count()).toBeGreaterThan(2);
    expect(await page.locator('noscript').textContent()).toContain('samples.jsonl');
    expect(await page.locator('#filters').isVisible()).toBe(false);
  });

  test('fits a narrow screen', async () => {
    const { page } = await openFile(browser, makeReport(SAID), { viewport: { width: 380, height: 700 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(380);
  });
});

describe('10,000 cases', () => {
  test('take less than 10 MB and open in less than a second', async () => {
    const words = 'The grey box is the last one in the order of the colours. '.repeat(15);
    const said = Array.from({ length: 10_000 }, (_, index) => ({
      id: `${index}-0123-4567-89ab-cdef01234567`,
      question: `${index} ${words}`,
      output: `${words}\nFINAL ANSWER: ${index % 3 === 0 ? 17 : index}`,
      group: `level ${(index % 3) + 1}`,
      latencyMs: 1000 + index,
    }));
    const file = makeReport(said);
    expect(statSync(file).size).toBeLessThan(10_000_000);
    // What is cut is cut for want of room.
    expect(statSync(file).size).toBeGreaterThan(8_000_000);
    // The best of three: the first pays for starting the browser, and others use the machine.
    const again = [await openFile(browser, file), await openFile(browser, file)];
    const { page, misdeeds, openedMs } = await openFile(browser, file);
    expect(Math.min(openedMs, ...again.map((opened) => opened.openedMs))).toBeLessThan(1000);
    await page.getByLabel('Search').fill('FINAL ANSWER: 9998');
    expect(await ids(page)).toEqual(['9998-0123-4567-89ab-cdef01234567']);
    await page.getByLabel('Search').fill('');
    await page.getByRole('button', { name: 'Show 100 more of 9900' }).click();
    expect(await page.locator('.open').count()).toBe(200);
    expect(misdeeds).toEqual([]);
  });

  test('of hostile texts take less than 10 MB', () => {
    const letters = ['<', '\u0000', '\u{1f4a5}', '\ud800'].map((letter) => letter.repeat(400));
    const said = Array.from({ length: 10_000 }, (_, index) => {
      const text = letters[index % letters.length] ?? '';
      return { id: `${index}${text}`, question: text, output: text, target: text };
    });
    expect(statSync(makeReport(said)).size).toBeLessThan(10_000_000);
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

  const said = [
    {
      id: HOSTILE,
      question: HOSTILE,
      output: `${HOSTILE}\nFINAL ANSWER: ${HOSTILE.replaceAll('\n', ' ')}`,
      target: HOSTILE,
      group: HOSTILE,
      agent: HOSTILE,
      choices: { [HOSTILE]: HOSTILE, B: HOSTILE },
      trace: [
        { ...STEP, text: HOSTILE, tool_calls: [{ name: HOSTILE, arguments: HOSTILE, result: HOSTILE, failed: true }] },
      ],
    },
    { id: '__proto__', output: 'FINAL ANSWER: 17', group: '__proto__', agent: 'constructor' },
  ];

  test('shows as it is and does nothing', async () => {
    const { page, misdeeds } = await openFile(browser, makeReport(said, {}, [HOSTILE]));
    expect(await page.locator('.open').count()).toBe(2);
    await page.locator('.open').first().click();
    await page.mouse.move(300, 300);
    const details = await page.locator('.details').textContent();
    expect(details).toContain('<img src=x onerror=alert(1)>');
    expect(details).toContain('\\u001b[2J');
    expect(details).toContain('\\u202egnp.exe');
    expect(await page.locator('img, iframe, object, embed, svg[onload]').count()).toBe(0);
    expect(await page.locator('a:not([href^="#"]):not([href^="traces/"])').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    expect(misdeeds).toEqual([]);
  });

  test('stands in the file without a character that a terminal or an editor obeys', () => {
    const file = readFileSync(makeReport(said, {}, [HOSTILE]), 'utf8');
    expect(file.replaceAll('\n', '').match(/[\p{Cc}\p{Cf}\p{Zl}]/gu)).toBeNull();
  });

  test('of a megabyte is cut, and what is left out is said', async () => {
    const output = `START ${'x'.repeat(1_000_000)} FINAL ANSWER: ${'y'.repeat(1_000_000)}`;
    const file = makeReport([{ id: 'long', output, question: output, target: output }]);
    expect(statSync(file).size).toBeLessThan(500_000);
    const { page } = await openFile(browser, file);
    await page.locator('.open').click();
    expect(await page.locator('.details').textContent()).toMatch(
      /START x+\n\[\.\.\. \d{7} characters left out \.\.\.\]\ny+/,
    );
  });
});

describe('the policy of the page', () => {
  test('lets no script run but its own, not even one that got into it', async () => {
    const { page, misdeeds } = await openFile(browser, makeReport(SAID));
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
    }`);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const refused = page.waitForEvent('requestfailed');
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x.png">')`);
    expect((await refused).failure()?.errorText).toBe('csp');
    expect(misdeeds.filter((each) => /^console: .*Content Security Policy/s.test(each))).toHaveLength(2);
  });
});

describe('a gated dataset', () => {
  const secret = {
    id: 'q1',
    question: 'The hidden question?',
    output: 'The hidden output. FINAL ANSWER: hidden',
    target: 'the hidden truth',
    dataset: 'GAIA/validation',
    trace: [STEP],
  };

  test('shows its ids alone in CI', async () => {
    const file = makeReport([secret], { ci: true, showGated: null });
    expect(readFileSync(file, 'utf8')).not.toMatch(/hidden (question|output|truth)|I count the boxes/);
    const { page } = await openFile(browser, file);
    expect(await page.locator('.banner').textContent()).toContain('Texts are hidden.');
    await page.locator('.open').click();
    expect(await page.locator('.details').textContent()).toContain('Question, truth and answer are hidden.');
  });

  test.each([{ ci: false }, { ci: true, showGated: true }])('says what may not be done with it: %j', async (config) => {
    const { page } = await openFile(browser, makeReport([secret], config));
    expect(await page.locator('.banner').textContent()).toContain('Keep this file private.');
    await page.locator('.open').click();
    expect(await page.locator('.details').textContent()).toContain('The hidden question?');
  });

  test('is not what the sample is', async () => {
    const { page } = await openFile(browser, makeReport(SAID, { ci: true }));
    expect(await page.locator('.banner').count()).toBe(0);
  });
});

test('links the traces of right answers, and what there is no room for', async () => {
  const long = { ...STEP, text: 'z'.repeat(70_000) };
  const file = makeReport([
    { id: 'right', output: 'FINAL ANSWER: 17', trace: [STEP] },
    { id: 'wrong', output: 'FINAL ANSWER: 18', trace: [long] },
  ]);
  const { page, misdeeds } = await openFile(browser, file);
  for (const id of ['right', 'wrong']) {
    await page.getByRole('button', { name: id }).click();
    const link = page.getByRole('link', { name: `Trace: traces/gaia/made-up/${id}-` });
    expect(await link.getAttribute('href')).toMatch(/^traces\/gaia\/made-up\/\w+-[0-9a-f]{8}\.1\.json$/);
  }
  expect(misdeeds).toEqual([]);
  await page.getByRole('link', { name: 'Trace: traces/gaia/made-up/right-' }).click();
  expect(await page.locator('body').textContent()).toContain('I count the boxes.');
});
