import { availableParallelism, cpus, totalmem } from 'node:os';
import { version as vitestVersion } from 'vitest/node';

/**
 * What figures depend on, in one line: processor, memory, system, Node and Vitest; nothing that
 * names the machine. `vitest` is the version that is measured, if not the one of the clone.
 */
export function describeMachine(vitest = vitestVersion): string {
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  const system = `${process.platform} ${process.arch}`;
  return `${availableParallelism()} cores (${processor}), ${memory}, ${system}, Node ${process.versions.node}, Vitest ${vitest}`;
}
