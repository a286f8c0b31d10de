import { findAll } from '../../words/find-all.ts';

/**
 * What is sought in a text. The sign is cheap to find, and each match of the pattern has it: where
 * the pattern knows no case, neither does the sign, and with "u" it knows "ſ" as an "s".
 */
export type Sought = Readonly<{ sign: RegExp; pattern: RegExp }>;

/** All matches, as `findAll`. Most texts have not even the sign. */
export function seek(text: string, { sign, pattern }: Sought): Iterable<RegExpExecArray> {
  return sign.test(text) ? findAll(text, pattern) : [];
}
