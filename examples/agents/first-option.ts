import type { Question } from '../../src/index.ts';

/** The first option of each question. */
export default function answer({ choices = {} }: Question): string {
  return JSON.stringify({ answer: Object.keys(choices)[0] });
}
