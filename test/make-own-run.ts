import { evaluatePastRun } from '../reporters/past-run.ts';
import { writeRunFiles } from '../reporters/publish-run.ts';
import { readVersion } from '../src/package.ts';
import { hashQuestion, shortHash } from '../src/run/prompt.ts';
import type { SuiteManifest } from '../src/store/manifest.ts';
import { RunWriter } from '../src/store/run-writer.ts';
import type { SampleResult } from '../src/words/row.ts';
import { toSample } from '../src/words/types.fixture.ts';
import { makeFolder } from './make-folder.ts';
import { makeRun } from './make-run.ts';

/** The facts of a row of the suite that `makeOwnRun` makes. */
export const OWN_FACTS = {
  suite: 'own',
  group: 'all',
  dataset: 'owner/set',
  agent: 'a',
  prompt_hash: shortHash('Say {{question}}'),
};

/** A run of a suite with a score of its own, complete with its questions and summary.json. */
export function makeOwnRun(
  rows: readonly SampleResult[],
  suite: Partial<SuiteManifest> = {},
  config: object = {},
  dir = makeFolder(),
  viva = readVersion(),
): string {
  const own = { matcher: null, exports: [], group_sizes: [['all', 20]] as const, ...suite };
  const samples = [...new Set(rows.map(({ id }) => id))].map((id) => toSample({ id }));
  const asked = rows.map((row) => ({
    ...row,
    question_hash: hashQuestion(toSample({ id: row.id })),
  }));
  const folder = makeRun(asked, { suite: own, config: { ...config }, viva, dir, end: {} });
  new RunWriter(folder).questions('own', samples);
  new RunWriter(folder).prompt('own', 'Say {{question}}', OWN_FACTS.prompt_hash);
  writeRunFiles(evaluatePastRun(folder, {}));
  return folder;
}
