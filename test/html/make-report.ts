import { join } from 'node:path';
import { writeReport } from '../../reporters/html/render-page.ts';
import { auditRules, listAuditRules, NOTHING_ASKED, readAccepted } from '../../src/compare/audit.ts';
import { summarize } from '../../src/metrics/summarize.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import type { Manifest } from '../../src/store/manifest.ts';
import { writeQuestions } from '../../src/store/question-log.ts';
import { writeTrace } from '../../src/store/run-folder.ts';
import type { Sample, SampleResult, TraceStep } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';

/** What one agent said to one question, for a report that a test makes. */
export type Said = {
  readonly id: string;
  readonly output: string;
  readonly question?: string;
  readonly target?: string;
  readonly group?: string;
  readonly agent?: string;
  readonly dataset?: string;
  readonly choices?: Readonly<Record<string, string>>;
  readonly latencyMs?: number;
  readonly cost?: number;
  readonly trace?: readonly TraceStep[];
};

/** The report of a run in which agents said this; the settings are those of its manifest. Returns the file. */
export function makeReport(
  said: readonly Said[],
  config: Manifest['config'] = {},
  remarks: readonly string[] = [],
): string {
  const folder = makeFolder();
  const results = said.map(toResult);
  writeQuestions(folder, 'gaia', said.map(toSample));
  for (const [index, { trace }] of said.entries()) {
    const result = results[index];
    if (trace !== undefined && result !== undefined) writeTrace(folder, result, trace);
  }
  writeReport(
    {
      folder,
      manifest: { version: 1, created_at: '', versions: { viva: '0.1.0' }, git_commit: null, config, suites: [] },
      summary: summarize(results),
      settled: { results, kept: 0, leftOut: 0, missing: [], duplicates: [], outside: [] },
      comparison: null,
      audit: auditRules(results, listAuditRules([], readAccepted(folder), NOTHING_ASKED)),
      exit: { code: 0, reason: 'exit 0: made up' },
    },
    remarks,
  );
  return join(folder, 'report.html');
}

function toSample({ id, question = 'What is on the shelf?', target = '17', group = 'level 1', choices }: Said): Sample {
  const options = choices === undefined ? {} : { choices };
  return { id, suite: 'gaia', input: question, target, group, attachments: [], metadata: {}, ...options };
}

function toResult(said: Said): SampleResult {
  const { id, output, target = '17', group = 'level 1', agent = 'made-up', dataset = 'sample' } = said;
  const { state, reason, answer, how, rules, explanation } = gradeGaia(output, target);
  const head = {
    version: 1,
    suite: 'gaia',
    dataset,
    agent,
    model: null,
    id,
    trial: 1,
    group,
    target,
    waited_ms: 0,
    usage: { input_tokens: 900, output_tokens: 90, cached_tokens: 0, reasoning_tokens: 0 },
    cost_usd: said.cost ?? null,
    cached: false,
    attempts: 1,
    steps: 2,
    confidence: null,
    started_at: null,
    answered_at: null,
    prompt_hash: '',
    question_hash: '',
  } as const;
  const body = { output, how, rules, explanation, latency_ms: said.latencyMs ?? 4000, error: null };
  if (state === 'no_answer') return { ...head, ...body, state, reason: reason ?? 'empty', answer: null };
  return { ...head, ...body, state, reason: null, answer };
}
