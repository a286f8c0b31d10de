import { withoutThoughts } from 'viva';

/**
 * What may stand before the letter. The official grader looks for the first, and only without it
 * for the next.
 */
const FORMS = [
  { how: 'answer is (X)', pattern: /answer is:?\s{1,2}\(?(.)\)?(?![\p{L}\p{N}])/u },
  { how: 'Answer: (X)', pattern: /Answer:\s{0,2}\(?(.)\)?(?![\p{L}\p{N}])/u },
  { how: 'answer: (X)', pattern: /answer:\s{0,2}\(?(.)\)?(?![\p{L}\p{N}])/u },
  { how: 'answer (X)', pattern: /answer \((.)\)/u },
  { how: '(X)', pattern: /\((.)\)/u },
];

/** The letter that an output names, with the form in which it does; null if it names none. */
export function findLetter(output: string): {
  readonly answer: string | null;
  readonly how: string;
} {
  // A box counts like "Answer:".
  const plain = withoutThoughts(output)
    .replaceAll('\\boxed', 'Answer: ')
    .replace(/\*\*|[${}]|\\(?:text|math)[a-z]{0,4}/g, '');
  for (const { how, pattern } of FORMS) {
    // As in the official grader, only the first place of a form counts: "(x)" hides a later "(A)".
    const [, letter = ''] = pattern.exec(plain) ?? [];
    if (/[A-D]/.test(letter)) return { answer: letter, how };
  }
  return { answer: null, how: 'no letter' };
}
