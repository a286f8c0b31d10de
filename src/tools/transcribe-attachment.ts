import { quote } from '../records/show-value.ts';
import { AgentError, type ErrorKind } from '../types.ts';
import type { AttachedFile } from './attachment-file.ts';
import type { FileKind } from './readers/file-kind.ts';
import type { ToolContext } from './tool.ts';

const EXTENSIONS: Readonly<Partial<Record<FileKind, string>>> = { mp3: 'mp3', wav: 'wav', m4a: 'm4a', audio: 'ogg' };

/** What the transcription services take. */
const MAX_BYTES = 25_000_000;

/** Failures that another time would not have: an answer without the recording would tell nothing of the agent. */
const PASSING: readonly ErrorKind[] = ['rate_limit', 'server', 'network'];

export function isAudio(kind: FileKind): boolean {
  return EXTENSIONS[kind] !== undefined;
}

/** What is said in a recording. Throws a sentence for the model when that cannot be known. */
export async function transcribeAttachment(
  { name, bytes }: AttachedFile,
  kind: FileKind,
  { transcribe, signal, giveUp }: ToolContext,
): Promise<string> {
  const what = `${quote(name)} is a recording (${kind})`;
  if (transcribe === undefined) throw new Error(`${what}, which this agent can neither hear nor have transcribed.`);
  if (bytes.length > MAX_BYTES)
    throw new Error(`${what} of ${bytes.length} bytes; at most ${MAX_BYTES} are transcribed.`);
  try {
    return await transcribe(`recording.${EXTENSIONS[kind]}`, bytes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AgentError && PASSING.includes(error.kind)) giveUp?.(error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}; transcribing it failed: ${reason}`, { cause: error });
  }
}
