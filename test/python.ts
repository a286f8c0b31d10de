import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** For a test that starts `python3`. */
export function needPython({ skip }: Pick<TestContext, 'skip'>): void {
  skip(spawnSync('python3', ['--version']).status !== 0, 'Python 3');
}
