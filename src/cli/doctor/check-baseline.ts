import { readBaseline } from '../../compare/baseline.ts';
import { plural } from '../../text/plural.ts';
import { withConfig } from './with-config.ts';

/** Whether the run that EVAL_BASELINE names can be compared with; nothing where it is not set. */
export const baseline = withConfig('baseline', async (config) => {
  const run = readBaseline(config);
  if (run === null) return [];
  const sides = run.sides.map(({ suite, dataset, agent, results }) => {
    return `${suite} (${dataset}) by ${agent}, ${plural(results.length, 'result')}`;
  });
  return [{ status: 'ok', what: `${run.name}: ${sides.join('; ')}` }];
});
