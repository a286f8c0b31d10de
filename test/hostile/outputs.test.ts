import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toShownJson } from '../../reporters/page/shown-json.ts';
import { renderMarkdown, renderText } from '../../reporters/render.ts';
import { toLines } from '../../reporters/terminal.ts';
import { toResult } from '../../src/figures/result.fixture.ts';
import { summarize } from '../../src/figures/summarize.ts';
import { toMatchGaiaAnswer, toMatchMcqAnswer } from '../../src/matchers/to-match-answer.ts';
import { renderSubmission } from '../../src/run/exports.ts';
import { streamSteps } from '../../src/run/trace.ts';
import { readSampleLog } from '../../src/store/sample-log.ts';
import { toResultMeta } from '../../src/store/trial-meta.ts';
import { toCsv } from '../../src/words/csv.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { cut, escapeControls, escapeLine } from '../../src/words/show.ts';
import { makeReport, type Said } from '../html/make-report.ts';
import { makeFolder } from '../make-folder.ts';
import { writeRows } from '../make-run.ts';
import { readReport } from '../read-report.ts';
import { ACTING, COMMANDING, hostileText } from './hostile-text.ts';

const PLAIN = toResult('incorrect');
if (PLAIN.state !== 'incorrect') throw new Error('A made-up result has another state.');

/** A row of samples.jsonl with hostile text wherever a dataset, an agent or a model may write. */
const t = hostileText;
const row: fc.Arbitrary<SampleResult> = fc
  .record({
    dataset: t,
    agent: t,
    model: t,
    id: t,
    group: t,
    target: t,
    output: t,
    answer: t,
    how: t,
    explanation: t,
  })
  .map((texts) => ({ ...PLAIN, ...texts, confidence: texts.how }));

const rows = fc.array(row, { minLength: 1, maxLength: 4 });

test('samples.jsonl and submission.jsonl have a line for each result, with its values and no control characters', () => {
  const folder = makeFolder();
  let written: readonly SampleResult[] = [];
  fc.assert(
    fc.property(rows, (results) => {
      for (const result of results) writeRows(folder, result);
      written = [...written, ...results];
      const submission = [
        ...renderSubmission(['unanswered', ...results.map(({ id }) => id)], results),
      ].join('');
      expect(submission).not.toMatch(ACTING);
      // Python's splitlines, which readers of JSON lines use, ends a line at more than "\n".
      const lines = submission.split(/[\n\r\v\f\u0085\u2028\u2029]/).slice(0, -1);
      const byId = new Map(results.map((result) => [result.id, result]));
      const expected = results.map(({ id: task_id }) => {
        const { answer: model_answer, output: reasoning_trace } = byId.get(task_id) ?? {};
        return { task_id, model_answer, reasoning_trace };
      });
      const unanswered = { task_id: 'unanswered', model_answer: '', reasoning_trace: '' };
      expect(lines.map((line) => JSON.parse(line))).toEqual([unanswered, ...expected]);
    }),
    { numRuns: 100 },
  );
  expect(readFileSync(join(folder, 'samples.jsonl'), 'utf8')).not.toMatch(ACTING);
  expect(readSampleLog(folder)).toEqual({ results: written, unreadable: 0 });
});

test('answers.csv parses back, and no cell of it is a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(hostileText, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
      (cells) => {
        const text = toCsv(cells);
        expect(text.replaceAll('\r\n', '\n')).not.toMatch(ACTING);
        const read: string[][] = parseCsv(text, {
          record_delimiter: '\r\n',
          relax_column_count: true,
        });
        expect(read.length).toBe(cells.length);
        for (const [index, cell] of read.flat().entries()) {
          // Line breaks stay as they are; a return on its own is written out.
          const written = cells.flat()[index] ?? '';
          const plain = written.replace(
            /\r(?!\n)|[^\P{Cc}\n\t\r]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
            escapeControls,
          );
          expect(withoutMarks(cell)).toBe(withoutMarks(plain));
          if (!/^[+-]?\d+(\.\d+)?$/.test(cell)) expect(cell).not.toMatch(/^\s*[=@]|^[+\-\t\r\n]/);
        }
      },
    ),
    { numRuns: 300 },
  );
});

/**
 * Without the apostrophes that keep a cell from being a formula, also where a sheet with another
 * separator begins one.
 */
function withoutMarks(text: string): string {
  return text.replace(/(^|[;|\t\r\n])'+/g, '$1');
}

/** Cells of a Markdown table's row, each with its escapes undone. */
function readCells(line: string): readonly string[] {
  const cells = line.split(/(?<=(?<!\\)(?:\\\\)*)\|/).slice(1, -1);
  return cells.map((cell) => undoMarkdown(cell.trim()));
}

function undoMarkdown(text: string): string {
  return text
    .replaceAll('&#8203;', '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** A text on one line, as a table or list shows it. */
function onOneLine(text: string, most = 200): string {
  return escapeControls(cut(text, most)).trim();
}

test('summary.md keeps its lines and cells, and shows texts letter by letter', () => {
  fc.assert(
    fc.property(rows, hostileText, (results, remark) => {
      const summary = summarize(results);
      const text = renderMarkdown(summary, toLines('note', [remark]));
      expect(text).not.toMatch(ACTING);
      expect(text).not.toMatch(COMMANDING);
      expect(text).not.toMatch(/(?<!\\)(?:\\\\)*</);
      // No scheme and no "www." that GitHub would make a link of.
      expect(text).not.toMatch(/https?:\/\/|www\./i);
      // No user who would be notified, and no issue that would get a note.
      expect(text).not.toMatch(/(?<![a-z0-9])@\w|(?<!&)#\w|\bGH-\w/i);
      // Several suites begin with their overview.
      const lines = text.replace(/^## Overview$.*?^(?=## )/ms, '').split('\n');
      const titles = lines
        .filter((line) => line.startsWith('## '))
        .map((line) => undoMarkdown(line.slice(3)));
      const { dataset = '', agent = '' } = summary.suites[0] ?? {};
      const title = escapeControls(cut(`gaia · ${dataset} · ${agent}`, 200));
      expect(titles[0]).toBe(title);
      const [first] = lines.filter((line) => line.startsWith('| ')).slice(2);
      expect(readCells(first ?? '')[0]).toBe(onOneLine(summary.suites[0]?.groups[0]?.group ?? ''));
      const last = lines.flatMap((line) => /^(?: {2})?- (.*)/.exec(line)?.[1] ?? []).at(-1) ?? '';
      expect(undoMarkdown(last).trim()).toBe(onOneLine(remark, 1000));
      expect(last).not.toMatch(/^(?:[-+*=#>|~]|\s|\d+[.)](?:\s|$))/);
    }),
    { numRuns: 200 },
  );
});

test('the terminal shows a line for each row and no control characters', () => {
  fc.assert(
    fc.property(rows, hostileText, (results, remark) => {
      const summary = summarize(results);
      const text = renderText(summary, [toLines('note', [remark])]);
      expect(text).not.toMatch(ACTING);
      expect(text).not.toMatch(COMMANDING);
      expect(text).not.toContain('\t');
      expect(text.split('\n').at(-2)).toBe(`  ${escapeLine(remark, 1000)}`);
      expect(text.match(/^ {2}group +n /gm)).toHaveLength(summary.suites.length);
    }),
    { numRuns: 200 },
  );
});

/** Tags and the names of their attributes, in order. */
function tagsOf(markup: string): readonly string[] {
  const shown = markup
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    // How many blocks of data there are depends on the data.
    .replace(/<script type[^>]*>[^<]*<\/script>\n/g, '');
  return [...shown.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
}

test('report.html has the same tags for any texts, and its data contain them', () => {
  const names = { target: 'truth', question: 'q', group: 'g', agent: 'b', dataset: 'c' };
  const plain: Said = { id: 'a', output: said('x'), ...names };
  const tags = tagsOf(readFileSync(makeReport([plain], {}, ['r']), 'utf8'));
  const texts = fc.tuple(
    hostileText,
    hostileText,
    hostileText,
    hostileText,
    hostileText,
    hostileText,
  );
  fc.assert(
    fc.property(texts, ([id, output, question, group, agent, dataset]) => {
      const file = makeReport(
        [{ ...plain, id, output: said(output), question, group, agent, dataset }],
        {},
        [output],
      );
      const page = readFileSync(file, 'utf8');
      expect(page).not.toMatch(ACTING);
      expect(tagsOf(page)).toEqual(tags);
      const kept = readReport(file);
      // A control character stands as its escape, and JSON escapes the backslash.
      for (const text of [id, question.trim(), said(output)])
        expect(kept).toContain(toShownJson(text).slice(1, -1));
    }),
    { numRuns: 60 },
  );
});

/** An output that is wrong, with any text before its answer. */
function said(before: string): string {
  return `${before}\nFINAL ANSWER: 18`;
}

test("the data of a case in Vitest's JSON have no control characters and no CI commands", () => {
  fc.assert(
    fc.property(row, hostileText, (result, question) => {
      const { suite, dataset, agent, id, trial, group, prompt_hash, question_hash } = result;
      const names = {
        suite,
        dataset,
        agent,
        id,
        trial,
        group,
        prompt_hash,
        question_hash,
        run: 'r',
      };
      const meta = toResultMeta(names, result, question);
      const { question: shown = '' } = meta;
      expect(shown).not.toMatch(ACTING);
      expect(shown).not.toMatch(COMMANDING);
      expect(JSON.parse(JSON.stringify(meta))).toEqual(meta);
    }),
    { numRuns: 200 },
  );
});

/** A runner that shows a value as it is, which no line of a matcher's message may need. */
const RUNNER = {
  isNot: false,
  utils: { matcherHint: (name: string) => name, printExpected: String, printReceived: String },
};

test('what a matcher or a stream of steps prints of a text is not a command to CI', () => {
  const lines: string[] = [];
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (output, target, name) => {
      const gaia = toMatchGaiaAnswer.call(RUNNER, `${output}\nFINAL ANSWER: ${output}`, target);
      const mcq = toMatchMcqAnswer.call(RUNNER, 'The answer is B.', 'A', {
        choices: { A: target, B: output },
      });
      const stream = streamSteps({ name, isHidden: false, secrets: [] }, (line) =>
        lines.push(line),
      );
      stream.onProgress({
        trace: [{ text: output, reasoning: target, tool_calls: [], stop: null, usage: null }],
      });
      const messages = [gaia, mcq].map((result) => 'message' in result && result.message());
      for (const text of [...messages, ...lines.splice(0)]) {
        expect(text).not.toMatch(ACTING);
        expect(text).not.toMatch(COMMANDING);
      }
    }),
    { numRuns: 200 },
  );
});
