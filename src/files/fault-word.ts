/** Why something could not be done with a file, in a word: a system's message would repeat whole paths. */
export function toFaultWord(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
