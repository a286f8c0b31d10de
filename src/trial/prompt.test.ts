import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { messageOf } from '../../test/message-of.ts';
import { checkPrompt } from './prompt.ts';

/** What is said of a prompt that lies beside its suite. */
function problemOf(prompt: string): string {
  const folder = makeFolder({ 'own.eval.ts': '', 'notes.md': 'notes', 'my-prompt.md': prompt });
  const message = messageOf(() => checkPrompt(prompt, join(folder, 'own.eval.ts')));
  const file = relative(process.cwd(), join(folder, 'my-prompt.md'));
  return message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
}

describe('checkPrompt', () => {
  test('accepts the known placeholders', () => {
    expect(() => checkPrompt('{{ question }} {{choices}} {{attachments}} {{group}}', '')).not.toThrow();
  });

  test.each(['{{target}}', '{{ toString }}', '{{__proto__}}', '{{Question}}'])('refuses %s', (placeholder) => {
    const problem = `the prompt has an unknown placeholder, "${placeholder}". Use {{question}}, {{choices}}, `;
    expect(problemOf(`{{question}} ${placeholder}`)).toContain(problem);
  });

  test.each([
    ['{question}', 'Answer {"a": "B"} {x}\n{question}'],
    ['%question%', 'Answer %question%'],
    ['{{ question.text }}', '{{ question.text }}'],
    ['<question>', 'Answer <question>'],
    ['{input}', 'Answer [YOUR ANSWER] {input}'],
  ])('refuses %s for {{question}}', (found, prompt) => {
    expect(problemOf(prompt)).toBe(
      `the prompt has no {{question}}, so every sample would be asked without its question. It has "${found}". Write {{question}} where the question belongs.`,
    );
  });

  test('refuses a prompt without anything like it, and names its suite where it lies in no file beside it', () => {
    const folder = makeFolder({ 'own.eval.ts': '' });
    const file = join(folder, 'own.eval.ts');
    expect(messageOf(() => checkPrompt('Answer {{choices}}.', file))).toBe(
      `${relative(process.cwd(), file)}: the prompt has no {{question}}, so every sample would be asked without its question. Write {{question}} where the question belongs.`,
    );
  });
});
