import { mapError } from '../text/map-error.ts';
import { toPlainError } from '../text/plain-error.ts';
import { disarmCommands } from '../text/workflow-commands.ts';

/**
 * Does what may fail before anything is asked. An error that quotes a record, or what a module threw, is no command to
 * CI where Vitest prints it, nor are its causes; any other stays the same one.
 */
export async function withoutCommands<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const plain = toPlainError(error);
    throw holdsCommand(plain) ? mapError(plain, disarmCommands) : error;
  }
}

function holdsCommand({ name, message, stack = '', cause }: Error): boolean {
  if ([name, message, stack].some((text) => disarmCommands(text) !== text)) return true;
  return cause instanceof Error && holdsCommand(cause);
}
