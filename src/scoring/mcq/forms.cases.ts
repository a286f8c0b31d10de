import { readCases } from '../../../test/read-cases.ts';
import type { ExtractionState } from './extract-choice.ts';
import type { ChoiceQuestion } from './question.ts';

const METALS = { A: 'copper', B: 'nickel', C: 'silver', D: 'cobalt', E: 'bronze' };
const LOWER_CASE_METALS = { a: 'copper', b: 'nickel', c: 'silver', d: 'cobalt', e: 'bronze' };
const CONTRACT = { A: '合同无效', B: '合同可撤销', C: '合同有效', D: '效力待定' };

/** Questions of the table; all made up. */
export const questions: Readonly<Record<string, ChoiceQuestion>> = {
  rivers: { choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' } },
  'numbers by digit': { choices: { '1': '10 m', '2': '20 m', '3': '30 m', '4': '40 m' } },
  'letters unknown': {},
  'rivers, several right': {
    choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' },
    multiple: true,
  },
  lists: { choices: { A: '[1, 2, 3]', B: '[3, 2, 1]', C: '[1, 3]', D: 'Error' } },
  weather: {
    choices: { A: 'a cold front', B: 'a sea breeze', C: 'a warm front', D: 'a hurricane' },
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
  truth: { choices: { A: 'True', B: 'False' } },
  'Chinese texts': { choices: { A: '长江', B: '黄河', C: '珠江', D: '淮河' } },
  'all and none': {
    choices: {
      A: 'It floats',
      B: 'It conducts',
      C: 'It burns',
      D: 'All of the above',
      E: 'None of the above',
    },
  },
  'two called Rome': { choices: { A: 'Rome', B: 'Rome', C: 'Paris' } },
  'combined options': {
    choices: { A: 'Salt', B: 'Sugar', C: 'Both A and B', D: 'Neither A nor B' },
  },
  'lower case labels': { choices: { a: 'oak', b: 'ash', c: 'elm', d: 'fir' } },
  numbers: { choices: { A: '4', B: '12', C: '1,024', D: '-3' } },
  'six statements': {
    choices: {
      A: '(i) only',
      B: '(ii) only',
      C: '(i) and (ii) only',
      D: '(ii) and (iii) only',
      E: '(i) and (iii) only',
      F: 'none',
    },
  },
  formulas: {
    choices: { A: '$1{,}200 \\mathrm{~N}$', B: '1,300 N', C: '0.0', D: '$\\frac{1}{2}$' },
  },
  speeds: { choices: { A: '0.5 m/s', B: '5 m/s', C: '50 m/s', D: '500 m/s' } },
  'rivers, one right': {
    choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' },
    multiple: false,
  },
  pitch: { choices: { A: '600 Hz', B: '500 Hz', C: '400 Hz', D: '0.0' } },
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
  'yes no': { choices: { A: 'Yes', B: 'No', C: 'Maybe' } },
  'cells, or refused': {
    choices: {
      A: 'It is a prokaryote',
      B: 'It has a nucleus',
      C: 'It lacks DNA',
      D: 'It divides by mitosis',
      E: 'Refused',
    },
  },
  unsure: { choices: { A: 'Rises', B: 'Falls', C: 'Stays the same', D: 'Cannot be determined' } },
  'survey, unsure too': { choices: { A: 'More', B: 'Less', C: "Don't know", D: 'Refused' } },
  survey: { choices: { A: 'A great deal', B: 'Some', C: 'Not at all', D: 'Refused' } },
  'survey with no opinion': { choices: { A: 'Agree', B: 'Disagree', C: 'No opinion' } },
  'survey with no answer only unsure': { choices: { A: 'Agree', B: 'Disagree', C: "Don't know" } },
  metals: { choices: METALS },
  'metals, several right': { choices: METALS, multiple: true },
  'lower-case metals': { choices: LOWER_CASE_METALS },
  'lower-case metals, several right': { choices: LOWER_CASE_METALS, multiple: true },
  contract: { choices: CONTRACT },
  'contract, several right': { choices: CONTRACT, multiple: true },
  'yes or no': { choices: { A: 'yes', B: 'no' } },
  ratios: { choices: { A: '2:7', B: '3:8', C: '4:9' } },
  'ratios in words': { choices: { A: '2 to 7', B: '3 to 8' } },
  fractions: { choices: { A: '1/2', B: '2/3' } },
  policy: { choices: { A: 'Approve', B: 'Disapprove', C: 'Refused' } },
  curve: { choices: { A: 'Ellipse', B: 'Parabola', C: 'Hyperbola', D: 'Refused' } },
  'Cyrillic labels': { choices: { А: 'Дунай', Б: 'Луара', В: 'Рейн', Г: 'Эльба' } },
  'Chinese metals': { choices: { A: '铜', B: '镍', C: '银', D: '钴' } },
  nested: { choices: { A: 'copper', B: 'copper and zinc', C: 'zinc', D: 'copper, zinc and tin' } },
  vitamins: { choices: { A: 'Vitamin C', B: 'Vitamin A', C: 'Vitamin K', D: 'Vitamin B' } },
  powers: { choices: { A: '- 2.01 × 10^8', B: '2.01 × 10^8', C: '2.01 × 10^-8', D: '5' } },
  signs: { choices: { A: '±2', B: '2', C: '-2', D: '45°', E: '3 Ω' } },
  who: { choices: { A: 'The son', B: 'The father', C: 'Not answerable' } },
};

type Row = Readonly<{
  /** The reader that decides. */
  how: string;
  question: string;
  output: string;
  /** The chosen labels, as in "A,C". */
  chosen: string | null;
  state: ExtractionState;
}>;

/**
 * The outputs that each reader reads, in the order in which readers are tried, then those that none
 * reads.
 */
export const rows = readCases<Row>('forms.cases.jsonl', import.meta.url);
