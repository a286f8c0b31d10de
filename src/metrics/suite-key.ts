import type { SampleResult } from '../types.ts';
import { toTupleKey } from './tuple-key.ts';

type Source = Pick<SampleResult, 'suite' | 'dataset' | 'agent'>;

/**
 * Makes a function that gives the key of a result's suite, dataset and agent. Results of a suite come in long stretches,
 * so the key of the one before mostly serves: building it is dear.
 */
export function createSuiteKey(): (source: Source) => string {
  let last: Source | null = null;
  let key = '';
  return (source) => {
    const { suite, dataset, agent } = source;
    if (suite !== last?.suite || dataset !== last.dataset || agent !== last.agent) {
      key = toTupleKey(suite, dataset, agent);
    }
    last = source;
    return key;
  };
}
