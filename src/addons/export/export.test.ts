import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type InspectLog, readInspectLog } from '../../../test/inspect-fields.ts';
import { makeFolder } from '../../../test/make-folder.ts';
import { makeRun } from '../../../test/make-run.ts';
import { type ReceivedSpan, startCollector } from '../../../test/otlp-collector.ts';
import { runViva } from '../../../test/run-viva.ts';
import { createReplay } from '../../agents/create-replay.ts';
import { groupByTrace, readSpans } from '../../data/files/genai-attributes.ts';
import { readGenAiTrace } from '../../data/files/genai-trace.ts';
import { readRequests } from '../../data/files/recorded-requests.ts';
import { toResult, toRun, toTrials } from '../../figures/result.fixture.ts';
import { RunWriter } from '../../store/run-writer.ts';
import type { SampleResult } from '../../words/row.ts';
import { toSample } from '../../words/types.fixture.ts';
import { FACTS, JUDGE, makeExported, STEPS } from './export.fixture.ts';
import { readExportedRun } from './exported-run.ts';
import { listSpans } from './otlp-spans.ts';

const exportOf = (...args: readonly string[]) => runViva(['export', ...args]);

async function exportLogs(folder: string, ...args: readonly string[]) {
  const out = makeFolder();
  const { code, output } = await exportOf('--inspect', '--out', out, ...args, folder);
  expect({ code, output }).toMatchObject({ code: 0 });
  const files = readdirSync(out).map((file) => join(out, file));
  const logs = files.map(readInspectLog);
  expect(logs.flatMap(({ problems }) => problems)).toEqual([]);
  const [log, other] = logs.toSorted((a, b) =>
    a.header.eval.model < b.header.eval.model ? -1 : 1,
  );
  if (log === undefined) throw new Error('No log was written.');
  return { files, log, other, output };
}

describe('viva export --inspect', () => {
  test('writes a log with figures, scores, errors, usage and messages', async () => {
    const { files, log } = await exportLogs(makeExported(), '--show-gated');
    expect(files).toEqual([
      expect.stringMatching(/\/2026-01-01T00-00-00\+00-00_own_[0-9a-f]{22}\.eval$/),
    ]);
    const { names, samples, summaries } = log;
    const { status, eval: task, results, stats } = log.header;
    expect([status, task.task, task.model, task.config.epochs]).toEqual([
      'success',
      'own',
      'openai/gpt-x',
      2,
    ]);
    // Inspect counts samples without an error. A deadline is a limit to it.
    expect(results).toMatchObject({ total_samples: 6, completed_samples: 5 });
    // The questions' rates are 1/2, 0 and 1/2: the mean is 1/3, the deviation is 0.2887, and its
    // third root is 1/6.
    expect(results.scores[0].metrics).toMatchObject({
      accuracy: { value: expect.closeTo(1 / 3, 12) },
      stderr: { value: expect.closeTo(1 / 6, 12) },
    });
    expect(stats.model_usage).toEqual({
      [FACTS.model]: {
        input_tokens: 360,
        output_tokens: 60,
        total_tokens: 660,
        input_tokens_cache_read: 240,
        reasoning_tokens: 24,
      },
    });
    expect(names).toEqual([
      '_journal/start.json',
      ...['q1', 'q2', 'q3'].flatMap((id) =>
        [1, 2].map((epoch) => `samples/${id}_epoch_${epoch}.json`),
      ),
      '_journal/summaries/1.json',
      'summaries.json',
      'header.json',
    ]);
    const [first, second, none, errored, late] = samples;
    expect(samples.map(({ scores }) => scores.score?.value ?? '-').join('')).toBe('CIN-IC');
    expect(first).toMatchObject({
      input: 'SECRET-QUESTION',
      choices: ['SECRET-OPTION', 'no'],
      metadata: { order_of_options: ['B', 'A'] },
      target: 'SECRET-TARGET',
    });
    expect(first.scores.score).toEqual({
      value: 'C',
      answer: 'SECRET-OUTPUT',
      explanation: 'SECRET-WHY',
      metadata: { state: 'correct' },
    });
    expect(first.scores).toMatchObject({
      recall: { value: 0.5 },
      kind: { value: true },
      'score (named)': { value: false },
    });
    expect(first.scores).not.toHaveProperty('none');
    expect(results.scores.map(({ name }: { name: string }) => name)).toEqual([
      'score',
      'recall',
      'kind',
      'score (named)',
    ]);
    expect(results.scores[1].metrics.mean.value).toBeCloseTo(0.5 / 6);
    expect(samples.at(-1).metadata.judge).toEqual(JUDGE);
    expect([second.epoch, none.messages, errored.error.message, late.limit]).toEqual([
      ...[2, [], 'network: SECRET-ERROR', { type: 'time', limit: 3 }],
    ]);
    expect(summaries[0]).toMatchObject({
      model_usage: { [FACTS.model]: { total_tokens: 110 } },
      scores: first.scores,
    });
  });

  test('has the messages of a trace, and an event for each reply, tool call and score', async () => {
    const { log } = await exportLogs(makeExported(), '--show-gated');
    const [first, , , errored] = log.samples;
    expect(first.messages.map(({ role, content }: typeof first) => [role, content])).toEqual([
      ['system', 'SECRET-SYSTEM'],
      [
        'assistant',
        [
          { type: 'reasoning', reasoning: 'SECRET-THOUGHT' },
          { type: 'text', text: 'I look it up. SECRET-SAID' },
        ],
      ],
      ['tool', 'SECRET-FOUND'],
      ['tool', 'SECRET-FAILED'],
      ['assistant', ''],
      ['assistant', 'SECRET-OUTPUT'],
    ]);
    const [, { tool_calls }, found, failed] = first.messages;
    expect(tool_calls.map(({ arguments: args }: typeof first) => args)).toEqual([
      { q: 'SECRET-ARGS' },
      { arguments: 'no JSON' },
    ]);
    const ids = tool_calls.map(({ id }: typeof first) => id);
    expect([found.tool_call_id, failed.tool_call_id]).toEqual(ids);
    expect(failed.error).toEqual({ type: 'unknown', message: 'SECRET-FAILED' });
    // Each model event was sent what came before it. The reply without a time takes none.
    const shown = first.events.map((event: typeof first) => [
      event.event,
      event.working_start,
      event.working_time,
      event.input_refs ?? event.result ?? event.score?.value,
    ]);
    expect(shown).toEqual([
      ['model', 0, 1, [[0, 1]]],
      ['tool', 1, 0.5, 'SECRET-FOUND'],
      ['tool', 1, 0, 'SECRET-FAILED'],
      ['model', 1.5, 0, [[0, 4]]],
      ['model', 1.5, 1.5, [[0, 5]]],
      ['score', 3, undefined, 'C'],
    ]);
    const [reply, search, broken] = first.events;
    expect(reply.output.usage.total_tokens).toBe(110);
    expect(reply.output.choices[0]).toEqual({
      message: first.messages[1],
      stop_reason: 'tool_calls',
    });
    expect(reply.timestamp).toBe(FACTS.started_at);
    expect([search.id, search.message_id]).toEqual([ids[0], found.id]);
    expect(broken).toMatchObject({ failed: true, arguments: { arguments: 'no JSON' } });
    expect(first.events_data).toEqual({ messages: first.messages, calls: [] });
    expect(errored.events).toMatchObject([{ event: 'error', error: errored.error }]);
  });

  test('leaves out questions, answers and messages without --show-gated', async () => {
    const { log, output } = await exportLogs(makeExported());
    expect(log.text).not.toContain('SECRET');
    expect(output).toContain('messages of own stayed here. --show-gated');
    const [first] = log.samples;
    const score = { value: 'C', metadata: { state: 'correct' } };
    expect([first.id, first.scores.score]).toEqual(['q1', score]);
    expect(first.events).toMatchObject([{ event: 'score', score }]);
    const shown = await exportLogs(makeExported('sample'));
    expect(shown.log.text).toContain('SECRET-QUESTION');
    expect(shown.output).not.toContain('stayed here');
  });

  test('writes archives that unzip takes, with ids that leave no folder', async ({ skip }) => {
    skip(spawnSync('unzip', ['-v']).status !== 0, 'unzip');
    const { files, log } = await exportLogs(
      makeRun(toTrials('../../up/é', '+', FACTS)),
      '--show-gated',
    );
    expect(log.names).toContain('samples/__/__/up/é_epoch_1.json');
    const { status, stdout } = spawnSync('unzip', ['-t', ...files], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('No errors detected')]);
  });

  test('has bounds for a run that did not end, and a log for each agent and prompt', async () => {
    const rows = [
      ...toTrials('q1', '+', { suite: 'own', agent: 'a' }),
      ...toTrials('q2', '.', { suite: 'own', agent: 'a' }),
      ...['q1', 'q2'].flatMap((id) => toTrials(id, 'u', { suite: 'own', agent: 'b' })),
    ];
    const { log, other } = await exportLogs(makeRun(rows));
    const valuesOf = (one?: InspectLog) =>
      Object.values<{ name: string; value: number }>(one?.header.results.scores[0].metrics).map(
        ({ name, value }) => [name, value],
      );
    expect([log.header.status, valuesOf(log), log.samples.length]).toEqual([
      'cancelled',
      [
        ['accuracy_at_least', 0.5],
        ['accuracy_at_most', 1],
      ],
      1,
    ]);
    expect([valuesOf(other), other?.samples[0].scores]).toEqual([[], {}]);
  });
});

describe('viva export --otlp', () => {
  test('writes spans that fromSpans reads', async () => {
    const spans = [...listSpans(readExportedRun(makeExported(), true))];
    const [trace = []] = groupByTrace(readSpans(spans));
    const [said, mute] = STEPS;
    const [search, broken] = said?.tool_calls ?? [];
    expect(readGenAiTrace(trace)).toMatchObject({
      messages: [{ role: 'system', text: 'SECRET-SYSTEM' }],
      output: 'SECRET-OUTPUT',
      trace: [
        {
          ...said,
          tool_calls: [search, { ...broken, arguments: '{"arguments":"no JSON"}', at_ms: 1000 }],
        },
        { ...mute, at_ms: 1500 },
      ],
      usage: null,
    });
  });

  test('writes spans that are replayed: questions, answers, failures and times', async () => {
    const facts = { suite: 'own', dataset: 'd', latency_ms: 3000, cost_usd: 0.25, model: 'm' };
    const states = ['correct', 'incorrect', 'no_answer', 'errored', 'timed_out'] as const;
    const rows = states.map((state) => toResult(state, { ...facts, id: state }));
    const long = { ...toResult('correct', { ...facts, id: 'long' }), reason: 'max_tokens' };
    const all = [...rows, long as SampleResult];
    const run = makeRun(all);
    new RunWriter(run).questions(
      'own',
      all.map(({ id }) => toSample({ id, input: `Is it ${id}?` })),
    );
    const spans = [...listSpans(readExportedRun(run, true))];
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const target = join(makeFolder({ 'traces.jsonl': text }), 'traces.jsonl');
    const { requests } = readRequests(target);
    expect(requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual(
      all.map(({ id }) => [`Is it ${id}?`]),
    );
    const ids = requests.map(({ id }) => id);
    const spec = { kind: 'replay', target, text: 'replay:traces.jsonl' };
    const [agent] = await createReplay(spec, { suite: 'own', ids, predictions: '' });
    const said = { output: 'text', latencyMs: 3000, costUsd: 0.25, model: 'm' };
    expect(ids.map((id) => agent?.replayAnswer?.(id, 1))).toMatchObject([
      said,
      said,
      { output: null, reason: 'empty', latencyMs: 3000 },
      { kind: 'network', message: 'down', latencyMs: 3000 },
      { kind: 'timed_out', latencyMs: 3000 },
      { ...said, cutShort: 'max_tokens' },
    ]);
  });

  test('sends a trace for each trial, with replies, tools, times, usage and verdict', async () => {
    const { url, received } = await startCollector();
    const words = ['--otlp', `${url}/otel/`, '--show-gated', makeExported()];
    expect(await exportOf(...words)).toMatchObject({
      code: 0,
      output: `sent 14 spans to ${url}/otel/v1/traces`,
    });
    expect(received.paths).toEqual(['POST /otel/v1/traces']);
    const { spans } = received;
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(6);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(14);
    const [root, chat, found, failed, mute] = spans;
    const at = BigInt(Date.parse(FACTS.started_at)) * 1_000_000n;
    const ms = (span?: ReceivedSpan) =>
      [span?.start, span?.end].map((time) => Number(((time ?? 0n) - at) / 1_000_000n));
    expect(
      [root, chat, found, failed, mute].map((span) => [span?.name, span?.kind, ...ms(span)]),
    ).toEqual([
      [`invoke_agent ${FACTS.agent}`, 1, 0, 3000],
      ['chat gpt-x-2026-01-01', 3, 0, 1000],
      ['execute_tool search', 1, 1000, 1500],
      ['execute_tool broken', 1, 1000, 1000],
      ['chat gpt-x-2026-01-01', 3, 1500, 1500],
    ]);
    expect([chat, found, failed, mute].map((span) => span?.parentSpanId)).toEqual(
      Array(4).fill(root?.spanId),
    );
    expect(root?.attributes).toMatchObject({
      'gen_ai.agent.name': FACTS.agent,
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.response.model': FACTS.model,
      'viva.target': 'SECRET-TARGET',
      'viva.run': '20260102T000000Z-a',
      'viva.sample.id': 'q1',
      'viva.trial': 1n,
      'viva.cost_usd': 0.25,
    });
    // Viewers add up the tokens of a trace.
    expect(root?.attributes).not.toHaveProperty('gen_ai.usage.input_tokens');
    expect(chat?.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 100n,
      'gen_ai.usage.output_tokens': 10n,
      'gen_ai.usage.cache_read.input_tokens': 40n,
      'gen_ai.usage.reasoning.output_tokens': 4n,
      'gen_ai.response.finish_reasons': ['tool_calls'],
    });
    expect(failed?.status).toEqual({ code: 2, message: '' });
    expect(root?.events).toEqual([
      {
        name: 'gen_ai.evaluation.result',
        attributes: {
          'gen_ai.evaluation.name': 'score',
          'gen_ai.evaluation.score.value': 1,
          'gen_ai.evaluation.score.label': 'correct',
          'gen_ai.evaluation.explanation': 'SECRET-WHY',
        },
      },
      ...Object.entries({ recall: 0.5, kind: 1, score: 0 }).map(([name, value]) => ({
        name: 'gen_ai.evaluation.result',
        attributes: {
          'gen_ai.evaluation.name': `score: ${name}`,
          'gen_ai.evaluation.score.value': value,
        },
      })),
    ]);
    const errored = spans.filter(
      ({ attributes }) => attributes['error.type'] !== undefined && !attributes['gen_ai.tool.name'],
    );
    expect(errored.map(({ attributes, status }) => [attributes['error.type'], status])).toEqual([
      ['network', { code: 2, message: 'SECRET-ERROR' }],
      ['timed_out', { code: 2, message: '' }],
    ]);
  });

  test('leaves out questions, answers and messages without --show-gated', async () => {
    const { url, received } = await startCollector();
    const { output } = await exportOf('--otlp', url, makeExported());
    expect(output).toContain('stayed here');
    const sent = JSON.stringify(received.spans, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(sent).not.toMatch(/SECRET|search/);
    expect(received.spans).toHaveLength(6);
    expect(received.spans[0]?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 100n });
    expect(received.spans[0]?.events[0]?.attributes).toMatchObject({
      'gen_ai.evaluation.score.label': 'correct',
    });
  });

  test('sends about 1 MB at once, and no text longer than traces have', async () => {
    const { url, received } = await startCollector();
    const text = 'x'.repeat(25_000);
    const texts = { output: text, answer: text, target: text, explanation: text };
    const rows = toRun('+'.repeat(20), FACTS).map((row) => ({ ...row, ...texts }) as SampleResult);
    await exportOf('--otlp', url, '--show-gated', makeRun(rows));
    expect(received.bodies.every(({ length }) => length < 1_100_000)).toBe(true);
    expect([received.bodies.length, received.spans.length]).toEqual([2, 20]);
  });

  test('asks a busy collector again after the time that it says', async () => {
    const soon = { 'retry-after': '0' };
    const { url, received } = await startCollector([
      { status: 429, headers: soon },
      { status: 503, headers: soon },
    ]);
    expect(await exportOf('--otlp', url, makeExported())).toMatchObject({ code: 0 });
    expect([received.paths.length, received.spans.length]).toEqual([3, 6]);
  });

  test.each([
    [{ status: 401, body: '{"message":"no key-of-mine here"}' }, 'HTTP 401 no [key] here'],
    [{ status: 429, headers: { 'retry-after': '3600' } }, 'HTTP 429'],
    [{ status: 307, headers: { location: 'http://127.0.0.1:9/' } }, 'HTTP 307'],
  ])('says why a collector took nothing: %j', async (reply, message) => {
    const { url, received } = await startCollector([reply]);
    const { code, output } = await runViva(['export', '--otlp', url, makeExported()], {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=key-of-mine',
    });
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
    expect(received.paths.length).toBe(1);
  });

  test('reports what the collector rejects, and exits with 1', async () => {
    const partialSuccess = { rejectedSpans: '3', errorMessage: 'too old \u001b[31m' };
    const { url } = await startCollector([{ body: JSON.stringify({ partialSuccess }) }]);
    expect(await exportOf('--otlp', url, makeExported())).toMatchObject({
      code: 1,
      output: expect.stringContaining('rejected 3 spans.\nThe collector says: too old \\u001b[31m'),
    });
  });

  test('takes headers from the environment, and shows none', async () => {
    const { url, received } = await startCollector();
    const send = (headers: string) =>
      runViva(['export', '--otlp', url, makeExported()], { OTEL_EXPORTER_OTLP_HEADERS: headers });
    const sent = await send('authorization=Basic%20a2V5LW9mLW1pbmU=, X-Project=one');
    expect(received.headers[0]).toMatchObject({
      authorization: 'Basic a2V5LW9mLW1pbmU=',
      'x-project': 'one',
    });
    expect(sent.output).not.toContain('a2V5');
    for (const wrong of ['x=hidden-word\u0007', 'x=hidden-word%']) {
      const refused = await send(wrong);
      expect(refused).toMatchObject({
        code: 1,
        output: expect.stringContaining('must be NAME=VALUE pairs'),
      });
      expect(refused.output).not.toContain('hidden-word');
    }
    expect(received.paths.length).toBe(1);
  });
});
