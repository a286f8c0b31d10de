import { readBaseline } from '../../compare/baseline.ts';
import { withConfig } from './with-config.ts';

/** Whether the run that EVAL_BASELINE names can be compared with; nothing where it is not set. */
export const baseline = withConfig('baseline', async (config) => {
  const run = readBaseline(config);
  if (run === null) return [];
  const sides = run.sides.map(({ suite, dataset, agent, results }) => {
    return `${suite} (${dataset}) by ${agent}, ${results.length} results`;
  });
  return [{ status: 'ok', what: `${run.name}: ${sides.join('; ')}` }];
});
