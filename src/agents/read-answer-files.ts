import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readAnyText } from '../records/read-text.ts';
import { type Recording, toRecording } from './recording.ts';

const NAME = 'answer.txt';
/** As much as a command may write. */
const MOST_BYTES = 10_000_000;

/**
 * Reads the work folders that another system left: the text of `<folder>/<task_id>/answer.txt` is the whole output of
 * that sample, and an empty one is an empty output. Throws where there is no such file at all.
 */
export function readAnswerFiles(folder: string): Recording {
  const ids = readdirSync(folder).filter((id) => existsSync(join(folder, id, NAME)));
  if (ids.length > 0) {
    return toRecording(
      ids.sort().map((id) => {
        const text = readAnyText(join(folder, id, NAME), MOST_BYTES);
        return { id, trial: 1, said: { text, latencyMs: null } };
      }),
    );
  }
  throw new Error(
    `${folder} is neither a run folder (no manifest.json) nor holds work folders (no <task_id>/${NAME}). ` +
      'Name one of the two in EVAL_AGENT=replay:FOLDER.',
  );
}
