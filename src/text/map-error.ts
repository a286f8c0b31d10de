/** A copy of an error with each of its texts changed: its name, message and stack, and those of its causes. */
export function mapError({ name, message, stack = '', cause }: Error, change: (text: string) => string): Error {
  const error = new Error(change(message), cause instanceof Error ? { cause: mapError(cause, change) } : undefined);
  error.name = change(name);
  error.stack = change(stack);
  return error;
}
