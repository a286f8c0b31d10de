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
    throw holdsCommand(plain) ? disarm(plain) : error;
  }
}

function holdsCommand({ name, message, stack = '', cause }: Error): boolean {
  if ([name, message, stack].some((text) => disarmCommands(text) !== text)) return true;
  return cause instanceof Error && holdsCommand(cause);
}

function disarm({ name, message, stack = '', cause }: Error): Error {
  const error = new Error(disarmCommands(message), cause instanceof Error ? { cause: disarm(cause) } : undefined);
  error.name = disarmCommands(name);
  error.stack = disarmCommands(stack);
  return error;
}
