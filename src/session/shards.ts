import type { TestProject, TestSequencer, TestSequencerConstructor, TestSpecification, Vitest } from 'vitest/node';

/**
 * Makes `--shard=i/n` split records instead of files: every eval file runs in every shard and takes its share of the
 * samples. Other tests are split by file as ever.
 */
export function shardByRecord(vitest: Vitest, project: TestProject): void {
  const { shard, sequence } = vitest.config;
  if (shard === undefined) return;
  // Vitest refuses more shards than files, unless no test at all would pass too.
  vitest.config.passWithNoTests = true;
  sequence.sequencer = keepEvalFiles(sequence.sequencer, project.name);
  // The same tests in two shards have the same ids, of which --merge-reports would keep the last, without a label.
  const label = vitest.config.mergeReportsLabel ?? `shard-${shard.index}-of-${shard.count}`;
  vitest.config.mergeReportsLabel = label;
  project.config.mergeReportsLabel = label;
}

function keepEvalFiles(Sequencer: TestSequencerConstructor, name: string): TestSequencerConstructor {
  return class implements TestSequencer {
    readonly #base: TestSequencer;

    constructor(vitest: Vitest) {
      this.#base = new Sequencer(vitest);
    }

    sort(specifications: TestSpecification[]) {
      return this.#base.sort(specifications);
    }

    async shard(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const evals = specifications.filter(({ project }) => project.name === name);
      const others = specifications.filter(({ project }) => project.name !== name);
      return [...evals, ...(others.length === 0 ? [] : await this.#base.shard(others))];
    }
  };
}
