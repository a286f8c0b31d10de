import type { ChoiceQuestion } from '../extraction.ts';
import { everydayQuestions } from './everyday-questions.ts';
import { modelQuestions } from './model-questions.ts';

/** Questions of the tables; all made up. */
export const questions: Readonly<Record<string, ChoiceQuestion>> = {
  ...everydayQuestions,
  ...modelQuestions,
  rivers: { choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' } },
  'rivers, one right': { choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' }, multiple: false },
  'rivers, several right': { choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' }, multiple: true },
  ten: {
    choices: {
      A: 'an amber glow',
      B: 'blue shift of the line',
      C: 'a cold front',
      D: 'dry ice',
      E: 'even pressure',
      F: 'fog over the bay',
      G: 'ground heat',
      H: 'high clouds',
      I: 'inversion of the layers',
      J: 'a jet stream',
    },
  },
  'ten, several right': {
    choices: {
      A: 'iron',
      B: 'zinc',
      C: 'lead',
      D: 'tin',
      E: 'gold',
      F: 'silver',
      G: 'nickel',
      H: 'cobalt',
      I: 'copper',
      J: 'mercury',
    },
    multiple: true,
  },
  'all and none': {
    choices: { A: 'It floats', B: 'It conducts', C: 'It burns', D: 'All of the above', E: 'None of the above' },
  },
  vitamins: { choices: { A: 'Vitamin C', B: 'Vitamin A', C: 'Vitamin K', D: 'Vitamin B' } },
  hepatitis: { choices: { A: 'Hepatitis C', B: 'Hepatitis D', C: 'Hepatitis A', D: 'Hepatitis B' } },
  'blood types': { choices: { A: 'Type O', B: 'Type AB', C: 'Type A', D: 'Type B' } },
  'bare blood types': { choices: { A: 'AB', B: 'O', C: 'A', D: 'B' } },
  grades: { choices: { A: 'Grade C', B: 'Grade A+', C: 'Grade B', D: 'Grade D' } },
  numbers: { choices: { A: '4', B: '12', C: '1,024', D: '-3' } },
  'numbers by digit': { choices: { '1': '10 m', '2': '20 m', '3': '30 m', '4': '40 m' } },
  roman: { choices: { A: 'I only', B: 'II only', C: 'I and II', D: 'I, II and III' } },
  'roman labels': { choices: { I: 'lava', II: 'ash', III: 'pumice', IV: 'basalt' } },
  truth: { choices: { A: 'True', B: 'False' } },
  'true false pairs': { choices: { A: 'True, True', B: 'False, False', C: 'True, False', D: 'False, True' } },
  'yes no': { choices: { A: 'Yes', B: 'No', C: 'Maybe' } },
  'lower case labels': { choices: { a: 'oak', b: 'ash', c: 'elm', d: 'fir' } },
  'combined options': { choices: { A: 'Salt', B: 'Sugar', C: 'Both A and B', D: 'Neither A nor B' } },
  nested: { choices: { A: 'copper', B: 'copper and zinc', C: 'zinc', D: 'copper, zinc and tin' } },
  unsure: { choices: { A: 'Rises', B: 'Falls', C: 'Stays the same', D: 'Cannot be determined' } },
  'Chinese texts': { choices: { A: '长江', B: '黄河', C: '珠江', D: '淮河' } },
  weather: { choices: { A: 'a cold front', B: 'a sea breeze', C: 'a warm front', D: 'a hurricane' } },
  law: {
    choices: {
      A: 'Yes, because a price was paid',
      B: 'Yes, because both signed',
      C: 'No, because the offer was withdrawn',
      D: 'No, because no price was named',
    },
  },
  chemistry: { choices: { A: 'zero order', B: 'first order', C: 'second order', D: 'third order' } },
  symptoms: {
    choices: { A: 'Nocturnal enuresis', B: 'Adjustment disorder', C: 'Vitamin B12 deficiency', D: 'Diplopia' },
  },
  speeds: { choices: { A: '0.5 m/s', B: '5 m/s', C: '50 m/s', D: '500 m/s' } },
  'cells, or refused': {
    choices: {
      A: 'It is a prokaryote',
      B: 'It has a nucleus',
      C: 'It lacks DNA',
      D: 'It divides by mitosis',
      E: 'Refused',
    },
  },
  parties: {
    choices: {
      A: 'the bank, because the lien survives',
      B: 'the tenant, because the lease was recorded',
      C: 'neither party',
      D: 'both parties',
    },
  },
  'statements I and II': {
    choices: { A: 'Statement I only', B: 'Statement II only', C: 'Both statements', D: 'Neither statement' },
  },
  'small numbers': { choices: { A: '1', B: '2', C: '3', D: '4' } },
  'p and q': { choices: { A: 'p', B: 'q', C: 'p and q', D: 'neither' } },
  equations: { choices: { A: 'x = 2', B: 'x = 3', C: 'x = 4', D: 'None of these' } },
  percentages: {
    choices: { A: '7%', B: '14%', C: '21%', D: '28%', E: '35%', F: '42%', G: '49%', H: '56%', I: '63%', J: '70%' },
  },
  years: { choices: { A: '1920', B: '1930', C: '1940', D: '1950' } },
  'dairy, several right': { choices: { A: 'cheese', B: 'bread', C: 'milk', D: 'eggs', E: 'rice' }, multiple: true },
  microbes: {
    choices: {
      A: 'Staphylococcus aureus',
      B: 'Escherichia coli',
      C: 'Clostridioides difficile',
      D: 'Candida albicans',
    },
  },
  trends: { choices: { A: 'increases', B: 'decreases', C: 'stays the same', D: 'first increases, then decreases' } },
  courts: { choices: { A: 'the court of appeal', B: 'the supreme court', C: 'a district court', D: 'a jury' } },
  'ten stones': {
    choices: {
      A: 'amber',
      B: 'basalt',
      C: 'coal',
      D: 'diamond',
      E: 'emerald',
      F: 'flint',
      G: 'gneiss',
      H: 'halite',
      I: 'iron ore',
      J: 'jade',
    },
  },
  symbols: { choices: { A: 'K', B: 'Na', C: 'C', D: 'B' } },
  'microbes, one right': {
    choices: {
      A: 'Staphylococcus aureus',
      B: 'Escherichia coli',
      C: 'Clostridioides difficile',
      D: 'Candida albicans',
    },
    multiple: false,
  },
  'trends, several right': {
    choices: { A: 'increases', B: 'decreases', C: 'stays the same', D: 'first increases, then decreases' },
    multiple: true,
  },
  organs: {
    choices: {
      A: 'the kidney filters blood',
      B: 'the liver stores glycogen',
      C: 'the spleen makes bile',
      D: 'the heart pumps blood',
    },
  },
  'systems, or refused': { choices: { A: 'socialism', B: 'capitalism', C: 'feudalism', D: 'anarchism', E: 'Refused' } },
  'wrong or not wrong': {
    choices: { A: 'Moral for both', B: 'Not wrong, wrong', C: 'Wrong, Wrong', D: 'Wrong, Not wrong' },
  },
  'numbered statements': { choices: { A: '1 and 2 only', B: '2 and 3 only', C: '1, 2 and 3', D: '3 only' } },
  quarks: { choices: { A: 'Up', B: 'Down', C: 'Strange', D: 'Charm' } },
  'letters unknown': {},
  'letters unknown, several right': { multiple: true },
};
