import type { Question } from 'viva';

/** The first option of each question. */
export default function answer({ choices = {} }: Question): string {
  return JSON.stringify({ answer: Object.keys(choices)[0] });
}
