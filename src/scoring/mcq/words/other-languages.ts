import type { Language } from './language.ts';

const NOTHING = {
  wrong: [],
  not: [],
  choose: [],
  and: [],
  or: [],
  between: [],
  after: [],
  correction: [],
  therefore: [],
  none: [],
  all: [],
  unsure: [],
  declined: [],
  last: [],
  through: [],
  dangling: [],
  statement: [],
  applies: [],
  yes: [],
  no: [],
  this: [],
  reject: [],
  except: [],
  earlier: [],
  ordinals: [],
  courtesy: [],
  allAlone: [],
  noneAlone: [],
} as const;

/** The answer line of further languages; a language that needs more gets a file of its own. */
export const otherSpaced: Language = {
  ...NOTHING,
  spaced: true,
  answer: [
    'antwoord', // Dutch
    'svar', // Danish, Norwegian, Swedish
    'vastaus', // Finnish
    'odpowied[źz]', // Polish
    'odpov[ěe]ď', // Czech
    'cevap', // Turkish
    'yan[ıi]t', // Turkish
    'đáp án', // Vietnamese
    'jawaban', // Indonesian
    'jibu', // Swahili
    'ответ', // Russian
    'відповідь', // Ukrainian
    'الإجابة(?: الصحيحة)?', // Arabic
    'उत्तर', // Hindi
    'উত্তর', // Bengali
  ],
  option: ['optie', 'opsi', 'вариант', 'seçenek'],
  right: ['juiste', 'poprawna', 'do[ğg]ru', 'benar', 'правильный', 'верный', 'đúng'],
  is: ['is', 'adalah', 'là', 'to', 'هي'],
};

export const otherUnspaced: Language = {
  ...NOTHING,
  spaced: false,
  answer: ['答え', '解答', '正解', '回答', '정답', '답'],
  option: ['選択肢', '보기'],
  right: ['正しい', '정답'],
  is: ['は', 'は、', '은', '는'],
};
