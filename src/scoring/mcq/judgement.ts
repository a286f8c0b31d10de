const GOOD_WORD =
  '(?:correct(?:ly)?|true|yes|right|fits|matches|satisfies|richtig|vrai|verdadero|正确|对|正しい|正解|適切|適当|옳)';
const BAD_WORD =
  "(?:incorrect|false|no|not|wrong|falsch|faux|falso|不|错|誤|間違|ない|틀|n't|eliminated?|ruled out)";
/** "A错误": no space sets the word apart. */
const WORD_START = '(?<![a-z](?=[a-z]))';
export const GOOD = new RegExp(`✓|${WORD_START}${GOOD_WORD}(?![a-z])`, 'u');
export const BAD = new RegExp(`✗|${WORD_START}${BAD_WORD}(?![a-z])`, 'u');
/** "B) wrong", "B -> true", "B is right". */
export const JUDGED = `(?:选?项)?(?:的?(?:说法|表述|内容|叙述))?[.):\\]]{0,2} ?[-–—→=]{0,2}>? ?(?:is )?(?:also )?(?:${GOOD_WORD}|${BAD_WORD}|[✓✗])(?![a-z])`;
export const JUDGED_AT = new RegExp(`^${JUDGED}`, 'u');

/** 不 is in many words, such as 不动产, so a word of judgement counts before it. */
const JUDGEMENT = /不(?:正确|对|符合|当?选|应选)|错误|有误|正确|符合题意|当选|应选/gu;
const DENIED_GOOD =
  /incorrect|not (?:correct|true|right)|不(?:正确|对|適切|適当|正解)|(?:正しく|適切では|適当では)ない/gu;

export function judgementIn(line: string): Readonly<{ isGood: boolean; isBad: boolean }> {
  if (line.includes('✓')) return { isGood: true, isBad: false };
  const words = line.match(JUDGEMENT);
  if (words !== null) {
    const isGood = /^[正符当应]/u.test(words.at(-1) ?? '');
    return { isGood, isBad: !isGood };
  }
  return { isGood: GOOD.test(line.replace(DENIED_GOOD, 'wrong')), isBad: BAD.test(line) };
}

/** What lines say of the option above them: "✓ This is correct." */
export function verdictIn(lines: string): string {
  return (
    lines
      .match(
        /[✓✗]|(?:this|it|which|option)(?: [a-z]+)? is (?:not |in)?(?:the )?(?:correct|wrong|true|false|right)(?![a-z])/gu,
      )
      ?.at(-1) ?? ''
  );
}
