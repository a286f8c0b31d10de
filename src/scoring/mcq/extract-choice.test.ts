import { describe, expect, it } from 'vitest';
import type { Case } from './cases/case.ts';
import { chat } from './cases/chat.cases.ts';
import { forms } from './cases/forms.cases.ts';
import { further } from './cases/further.cases.ts';
import { guards } from './cases/guards.cases.ts';
import { languages } from './cases/languages.cases.ts';
import { nuances } from './cases/nuances.cases.ts';
import { questions } from './cases/questions.ts';
import { several } from './cases/several.cases.ts';
import { statements } from './cases/statements.cases.ts';
import { variety } from './cases/variety.cases.ts';
import { extractChoice } from './extract-choice.ts';

const tables: Readonly<Record<string, readonly Case[]>> = {
  chat,
  further,
  nuances,
  variety,
  statements,
  guards,
  several,
  forms,
  languages,
};

describe.each(Object.entries(tables))('extractChoice: %s', (_, cases) => {
  const rows = cases.map(([question, output, chosen, state]) => ({ question, output, chosen, state }));
  it.each(rows)('$question: $output -> $chosen', ({ question, output, chosen, state }) => {
    const found = extractChoice(output, questions[question] ?? {});
    expect(found.choices?.join(',') ?? null).toBe(chosen);
    if (state !== undefined) expect(found.state).toBe(state);
    expect(found.state === 'answered').toBe(chosen !== null);
  });
});
