import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderReport } from '../../reporters/page/report.ts';
import { groupByVariant } from '../../src/figures/groups.ts';
import { toResult } from '../../src/figures/result.fixture.ts';
import { summarize } from '../../src/figures/summarize.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import { writeLines } from '../../src/store/line-file.ts';
import type { Manifest } from '../../src/store/manifest.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import type { Sent, TraceStep } from '../../src/words/answer.ts';
import { hiddenFrom } from '../../src/words/audience.ts';
import { omitNullish, pick } from '../../src/words/fields.ts';
import type { JudgeVerdicts, NamedScores, SampleResult } from '../../src/words/row.ts';
import { toSample } from '../../src/words/types.fixture.ts';
import { makeFolder } from '../make-folder.ts';
import { MANIFEST } from '../make-run.ts';

/** What one agent said to one question, for a report that a test makes. */
export type Said = Readonly<{
  id: string;
  output: string;
  question?: string;
  target?: string;
  group?: string;
  suite?: string;
  agent?: string;
  prompt?: string;
  dataset?: string;
  choices?: Readonly<Record<string, string>>;
  trial?: number;
  presented?: NonNullable<SampleResult['presented']>;
  latencyMs?: number;
  cost?: number;
  sent?: Sent;
  trace?: readonly TraceStep[];
  judge?: JudgeVerdicts;
  scores?: NamedScores;
  groups?: Readonly<Record<string, string>>;
  /** The content of its files; undefined for one that is lost. */
  files?: Readonly<Record<string, string | Uint8Array | undefined>>;
}>;

/**
 * The report of a run in which agents said this; the settings are those of its manifest. Returns
 * the file.
 */
export function makeReport(
  said: readonly Said[],
  config: Manifest['config'] = {},
  remarks: readonly string[] = [],
  suites: Manifest['suites'] = [],
  budget?: number,
): string {
  const folder = makeFolder();
  const results = said.map(toRow);
  const asked = said.map(
    ({ id, question: input = 'What is on the shelf?', choices, files = {} }) => {
      const attachments = Object.entries(files).map(([name, content]) => {
        const path = join(folder, name);
        if (content !== undefined) writeFileSync(path, content);
        return { name, path };
      });
      return toSample({ id, input, attachments, ...omitNullish({ choices }) });
    },
  );
  new RunWriter(folder).questions('gaia', asked);
  for (const [index, { trace, sent }] of said.entries()) {
    const result = results[index];
    if (trace !== undefined && result !== undefined)
      new RunWriter(folder).trace(result, { sent, steps: trace });
  }
  const page = renderReport(
    {
      folder,
      manifest: { ...MANIFEST, versions: { viva: '0.1.0' }, config, suites },
      summary: summarize(results),
      variants: groupByVariant(results),
      results,
      isHidden: hiddenFrom(config, [
        { suite: 'gaia', dataset: results[0]?.dataset ?? '' },
        ...suites,
      ]),
      comparison: null,
      flips: [],
      trials: [],
      pairs: [],
      gates: [],
      exit: { code: 0, reason: 'exit 0: made up', problems: [] },
    },
    remarks.map((text) => ({ text, level: 'note' })),
    { budget },
  );
  const file = join(folder, 'report.html');
  writeLines(file, page);
  return file;
}

function toRow({ id, output, latencyMs = 4000, ...said }: Said): SampleResult {
  const { target = '17', group = 'level 1', agent = 'made-up', dataset = 'sample' } = said;
  const { state, reason, answer, how, rules, explanation, certain } = gradeGaia(output, target);
  const usage = { input_tokens: 900, output_tokens: 90, cached_tokens: 0, reasoning_tokens: 0 };
  const row = toResult(state, {
    id,
    target,
    group,
    agent,
    dataset,
    usage,
    latency_ms: latencyMs,
    cost_usd: said.cost ?? null,
    ...omitNullish(pick(said, 'suite', 'prompt', 'trial', 'presented')),
    ...omitNullish({ judge: said.judge, scores: said.scores, groups: said.groups }),
  });
  return Object.assign(row, { output, answer, how, rules, explanation, reason, certain });
}
