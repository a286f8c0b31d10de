import { readTime } from '../own-clock.ts';
import type { CacheParts } from '../runs/kept-answer.ts';
import { AgentError } from '../types.ts';
import type { Asked } from './ask.ts';
import { hideInAsked } from './hide-asked.ts';
import type { Station } from './obtain.ts';

/**
 * What is known without asking anyone: the answer in the cache, or what the agent of a recording said. Null when the
 * question is to be asked. It needs no slot, no deadline and no prompt.
 */
export function recall(station: Station, id: string, trial: number, parts: CacheParts | null): Asked | null {
  const kept = parts === null ? null : (station.answers?.find(parts) ?? null);
  if (kept !== null) return kept;
  const said = station.agent.recall?.(id, trial);
  if (said === undefined) return null;
  const now = readTime();
  const times = { startedAt: now, answeredAt: now, latencyMs: said.latencyMs ?? null, attempts: 1, cached: false };
  const asked: Asked =
    said instanceof AgentError
      ? { ...times, outcome: 'failed', error: said }
      : { ...times, outcome: 'answered', answer: said };
  return hideInAsked(asked, station.secrets ?? []);
}
