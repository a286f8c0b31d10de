import { closeSync, readSync } from 'node:fs';
import { isFile, openRegular } from '../data/files/read-file.ts';
import type { Agent } from '../words/answer.ts';
import type { ModelSetting } from './model-agent.ts';
import { readTable } from './predictions.ts';
import { createReplays, type ReplayedSuite } from './replay.ts';
import type { AgentSpec } from './spec.ts';

/** The agents of `replay` in all its forms, also of a table and of `replay:traces.jsonl`. */
export async function createReplay(
  spec: AgentSpec,
  setting: ReplayedSuite & Pick<ModelSetting, 'prices'>,
): Promise<readonly Agent[]> {
  const file = spec.target || setting.predictions;
  if (isFile(file) && /\.[ct]sv$/i.test(file))
    return createReplays(spec, setting, await readTable(file));
  if (!isFile(spec.target) || !holdsTraces(spec.target)) return createReplays(spec, setting);
  return (await import('./replay-traces.ts')).replayTraces(spec, setting);
}

/** Whether a file has traces as JSON of OTLP. */
function holdsTraces(file: string): boolean {
  const descriptor = openRegular(file);
  try {
    const head = Buffer.alloc(100);
    readSync(descriptor, head);
    return /^\s*\{\s*"resourceSpans"/.test(head.toString('utf8'));
  } finally {
    closeSync(descriptor);
  }
}
