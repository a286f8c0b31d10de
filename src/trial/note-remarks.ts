import { addNotes } from '../runs/manifest.ts';
import { hideInMessage } from '../secrets/hide-in-message.ts';
import type { Station } from './obtain.ts';

/**
 * Puts what agents have to say of their answers into the manifest, for the report, after what else there is to say. A
 * full disk costs the notes alone.
 */
export function noteRemarks(
  folder: string,
  suite: string,
  stations: readonly Station[],
  others: readonly string[],
): void {
  const remarks = stations.flatMap(({ agent, secrets = [], gated = false }) =>
    (agent.remarks?.(gated) ?? []).map((remark) => `${agent.name}: ${hideInMessage(remark, secrets)}`),
  );
  const caches = new Set(stations.map(({ answers }) => answers));
  const ofCaches = [...caches].flatMap((answers) => answers?.remarks ?? []);
  const notes = [...others, ...ofCaches, ...remarks];
  try {
    if (notes.length > 0) addNotes(folder, suite, notes);
  } catch {
    // The rows are what counts; that nothing can be written is said where they are.
  }
}
