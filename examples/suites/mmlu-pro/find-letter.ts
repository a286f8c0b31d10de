import { withoutThoughts } from 'viva';

/**
 * What the official grader looks for, in its order. It looks for later forms only if there is no
 * earlier one.
 */
const FORMS = [
  { how: 'the answer is (X)', pattern: /answer is \(?([A-J])/g, pick: 0 },
  { how: 'Answer: X', pattern: /^.*[aA]nswer:\s*([A-J])/gm, pick: 0 },
  { how: 'last single letter', pattern: /(?<![\p{L}\p{N}_])([A-J])(?![\p{L}\p{N}_])/gu, pick: -1 },
];

/** The letter that an output names, with the form in which it does; null if it names none. */
export function findLetter(output: string): {
  readonly answer: string | null;
  readonly how: string;
} {
  const plain = withoutThoughts(output).replaceAll('**', '');
  for (const { how, pattern, pick } of FORMS) {
    const letter = [...plain.matchAll(pattern)].at(pick)?.[1];
    if (letter !== undefined) return { answer: letter, how };
  }
  return { answer: null, how: 'no letter' };
}
