import { describe, expect, it } from 'vitest';
import { lastSentence, sentenceEnd, sentenceStart } from './sentence.ts';

/** What stands between the ends of the sentence around the bar. */
function around(marked: string): string {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  return text.slice(sentenceStart(text, at), sentenceEnd(text, at));
}

describe('sentences', () => {
  it.each([
    ['One. Two |is here. Three.', ' Two is here'],
    ['One! Two |is here! Three', ' Two is here'],
    ['One? Two |is here? Three', ' Two is here'],
    ['One\nTwo |is here\nThree', 'Two is here'],
    ['一。二|三。四', '二三'],
    ['One.\nTwo |is here.\nThree', 'Two is here'],
    ['It is 2.5 |m, i.e., long. Three', 'It is 2.5 m, i.e., long'],
    ['One; two: |three, four', 'One; two: three, four'],
    ['One. See C. |elegans. Three', ' See C. elegans'],
    ['One. (C. |elegans) is. Three', ' (C. elegans) is'],
    ['C. |elegans is. Three', 'C. elegans is'],
    ['It is 5. |So it is', ' So it is'],
    ['It is his. |So it is', ' So it is'],
    ['|One. Two', 'One'],
    ['|\nOne', ''],
    ['\n|One', 'One'],
    ['.|', ''],
    ['One.|', ''],
    ['One|.', 'One'],
    ['', ''],
  ])('end at a full stop, a question mark or a line break: %j', (marked, sentence) => {
    expect(around(marked)).toBe(sentence);
  });

  it('are bounded', () => {
    const long = 'a'.repeat(300);
    expect(sentenceStart(long, 250)).toBe(10);
    expect(sentenceEnd(long, 10)).toBe(250);
    expect(sentenceEnd(long, 10, 20)).toBe(30);
    expect(sentenceEnd(`${long}.`, 280, 20)).toBe(300);
  });

  it.each([
    ['One. Two is here.', ' Two is here.'],
    ['One. Two is here.\n', ' Two is here.'],
    ['One\nTwo is here', 'Two is here'],
    ['One', 'One'],
    ['', ''],
  ])('finds the last one: %j', (text, sentence) => {
    expect(text.slice(...lastSentence(text))).toBe(sentence);
  });
});
