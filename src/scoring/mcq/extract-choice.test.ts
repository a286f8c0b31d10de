import { describe, expect, it } from 'vitest';
import { allOrNone } from './cases/all-or-none.cases.ts';
import type { Case } from './cases/case.ts';
import { chat } from './cases/chat.cases.ts';
import { claims } from './cases/claims.cases.ts';
import { contrasts } from './cases/contrasts.cases.ts';
import { corrections } from './cases/corrections.cases.ts';
import { denials } from './cases/denials.cases.ts';
import { everyday } from './cases/everyday.cases.ts';
import { forms } from './cases/forms.cases.ts';
import { fragments } from './cases/fragments.cases.ts';
import { further } from './cases/further.cases.ts';
import { guards } from './cases/guards.cases.ts';
import { labels } from './cases/labels.cases.ts';
import { languages } from './cases/languages.cases.ts';
import { lists } from './cases/lists.cases.ts';
import { models } from './cases/models.cases.ts';
import { moreModels } from './cases/more-models.cases.ts';
import { nuances } from './cases/nuances.cases.ts';
import { places } from './cases/places.cases.ts';
import { questions } from './cases/questions.ts';
import { reasoning } from './cases/reasoning.cases.ts';
import { rejections } from './cases/rejections.cases.ts';
import { rocks } from './cases/rocks.cases.ts';
import { secondThoughts } from './cases/second-thoughts.cases.ts';
import { several } from './cases/several.cases.ts';
import { statements } from './cases/statements.cases.ts';
import { structured } from './cases/structured.cases.ts';
import { texts } from './cases/texts.cases.ts';
import { told } from './cases/told.cases.ts';
import { translations } from './cases/translations.cases.ts';
import { variety } from './cases/variety.cases.ts';
import { verdicts } from './cases/verdicts.cases.ts';
import { wordings } from './cases/wordings.cases.ts';
import { extractChoice } from './extract-choice.ts';

const tables: Readonly<Record<string, readonly Case[]>> = {
  chat,
  claims,
  further,
  nuances,
  variety,
  statements,
  guards,
  several,
  forms,
  labels,
  languages,
  structured,
  everyday,
  reasoning,
  corrections,
  rejections,
  verdicts,
  lists,
  allOrNone,
  translations,
  fragments,
  models,
  moreModels,
  rocks,
  secondThoughts,
  texts,
  told,
  denials,
  places,
  wordings,
  contrasts,
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
