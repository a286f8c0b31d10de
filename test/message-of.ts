import { stripVTControlCharacters } from 'node:util';

/** The message with which an assertion fails, without colours; throws when it passes. */
export function messageOf(assert: () => void): string {
  try {
    assert();
  } catch (error) {
    return stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  }
  throw new Error('The assertion passed.');
}
