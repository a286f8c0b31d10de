import type { Language } from './language.ts';
import { noWords } from './no-words.ts';

export const korean: Language = {
  ...noWords,
  spaced: false,
  answer: ['정답', '답'],
  option: ['보기', '선택지'],
  right: ['정답'],
  wrong: ['틀렸', '틀린', '오답', '아닙니다'],
  is: ['은', '는'],
  or: ['또는', '혹은'],
  none: [
    '(?:정답|답|맞는 것)(?:이|은|는) ?(?:없습니다|없다|없음|보기에 없)',
    '(?:보기|선택지)(?: 중)?에(?:는)? ?(?:정답이|답이)? ?없',
    '(?:모두|전부|다) (?:틀렸|틀립|아닙|해당하지 않)',
    '해당 ?없음',
  ],
  unsure: ['모르겠', '알 수 ?없', '확실하지 않', '판단할 수 없', '정보가 (?:부족|없)'],
  declined: ['죄송'],
  refused: ['(?:답변|도움|도와|답)(?:을|를)?(?: ?드릴| ?할| ?해 드릴)? 수 없'],
  guess: ['아마'],
  seem: ['가', '이', '도', '모두'],
  plausible: ['가능', '그럴듯'],
};
