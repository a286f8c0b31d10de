import { accessSync, constants } from 'node:fs';
import type { EvalConfig } from '../../config.ts';
import { hidesRecords } from '../../hides-records.ts';
import { RecordError } from '../../records/record-error.ts';
import { plural } from '../../text/plural.ts';
import type { Dataset, Sample } from '../../types.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';
import { SUITES, type Suite } from './load-datasets.ts';
import { withConfig } from './with-config.ts';

/** Whether the datasets can be read, how many questions each group has, and whether attachments can be had. */
export const datasets = withConfig('dataset', async (config, context) => {
  const findings = await Promise.all(SUITES.map((suite) => examineSuite(suite, config, context)));
  return findings.flat();
});

async function examineSuite(suite: Suite, config: EvalConfig, context: CommandContext): Promise<readonly Finding[]> {
  try {
    const dataset = await suite.load(config, context);
    return [countGroups(suite, dataset), ...(await examineAttachments(suite, dataset))];
  } catch (error) {
    return [{ status: 'miss', what: `${suite.name}: ${describe(error, config)}`, remedy: REMEDY }];
  }
}

const REMEDY = 'Follow the message; EVAL_GAIA, EVAL_SPLIT and EVAL_MCQ say what is read.';

/** In CI no text of a record is shown (DESIGN 5.10). */
function describe(error: unknown, config: EvalConfig): string {
  if (error instanceof RecordError && hidesRecords(config)) return error.idsOnly;
  return error instanceof Error ? error.message : String(error);
}

function countGroups({ name: suite }: Suite, { name, samples, source }: Dataset): Finding {
  const groups = [...Map.groupBy(samples, ({ group }) => group)].map(([group, of]) => `${group} ${of.length}`);
  const sorted = groups.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const commit = typeof source?.revision === 'string' ? `, commit ${source.revision.slice(0, 12)}` : '';
  return {
    status: 'ok',
    what: `${suite}: ${name}, ${plural(samples.length, 'question')} (${sorted.join(', ')})${commit}`,
  };
}

/** Of a dataset that is downloaded on demand one attachment is fetched: that shows that all can be. */
async function examineAttachments({ name }: Suite, dataset: Dataset): Promise<readonly Finding[]> {
  const having = dataset.samples.filter(({ attachments }) => attachments.length > 0);
  const [first] = having;
  if (first === undefined) return [];
  const checked: readonly Sample[] = dataset.fetch === undefined ? having : [first];
  await dataset.fetch?.(checked);
  for (const { path } of checked.flatMap(({ attachments }) => attachments)) accessSync(path, constants.R_OK);
  const how = dataset.fetch === undefined ? 'all readable' : 'one was downloaded, the others are when they are needed';
  return [{ status: 'ok', what: `${name}: ${plural(having.length, 'question')} with a file, ${how}` }];
}
