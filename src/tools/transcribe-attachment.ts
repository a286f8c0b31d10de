import { quote } from '../records/show-value.ts';
import { AgentError, type ErrorKind } from '../types.ts';
import { openAttachment } from './attachment-file.ts';
import { detectKind, type FileKind } from './readers/file-kind.ts';
import { remember } from './remember.ts';

const AUDIO: readonly FileKind[] = ['mp3', 'wav', 'm4a', 'flac', 'ogg'];

/** What the transcription services take. */
const MAX_BYTES = 25_000_000;

/** Failures that another time would not have: an answer without the recording would tell nothing of the agent. */
const PASSING: readonly ErrorKind[] = ['rate_limit', 'server', 'network'];

export function isAudio(kind: FileKind): boolean {
  return AUDIO.includes(kind);
}

/** What is said in a recording, a sentence a line. Throws a sentence for the model when that cannot be known. */
export const transcribeAttachment = remember(async (name, context) => {
  const { transcribe, signal, giveUp } = context;
  const { bytes } = await openAttachment(name, context);
  const kind = detectKind(bytes);
  const what = `${quote(name)} is a recording (${kind})`;
  if (transcribe === undefined) throw new Error(`${what}, which this agent can neither hear nor have transcribed.`);
  if (bytes.length > MAX_BYTES) {
    throw new Error(`${what} of ${bytes.length} bytes; at most ${MAX_BYTES} are transcribed.`);
  }
  try {
    const said = await transcribe(`recording.${kind}`, bytes);
    return said.replace(/([.!?]) /g, '$1\n');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AgentError && PASSING.includes(error.kind)) giveUp?.(error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}; transcribing it failed: ${reason}`, { cause: error });
  }
});
