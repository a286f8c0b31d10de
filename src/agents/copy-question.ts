import type { Attachment, Question } from '../types.ts';

/**
 * A copy of a question that its reader may change. The fields are named one by one, so that nothing else of a record
 * comes along; attachments are looked at only when they are read, since that makes the work folder.
 */
export function copyQuestion(question: Question): Question {
  const { id, suite, prompt, input, group, choices, multiple } = question;
  let copies: readonly Attachment[] | null = null;
  return {
    id,
    suite,
    prompt,
    input,
    group,
    ...(choices === undefined ? {} : { choices: { ...choices } }),
    ...(multiple === undefined ? {} : { multiple }),
    get attachments() {
      copies ??= question.attachments.map(({ name, path }) => ({ name, path }));
      return copies;
    },
    set attachments(changed) {
      copies = changed;
    },
  };
}
