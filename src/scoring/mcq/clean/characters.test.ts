import { describe, expect, it } from 'vitest';
import { foldCharacters } from './characters.ts';
import { track } from './tracked-text.ts';

describe('foldCharacters', () => {
  it.each([
    ['Ａｎｓｗｅｒ： Ｂ', 'Answer: B'],
    ['Ⓑ ⓑ ⒝ 🅑 🅱 🇧 🄱', 'B b (b) B B B B'],
    ['🅐🅩 🇦🇿', 'AZ AZ'],
    ['🅪', 'MC'],
    ['😀 и ß 答え 한', '😀 и ß 答え 한'],
    ['a‐b‑c‒d–e−f﹣g－h', 'a-b-c-d-e-f-g-h'],
    ['B—because―so', 'B - because - so'],
    ['‘B’ ‚B‛ 5′ ＇B＇', "'B' 'B' 5' 'B'"],
    ['“B” „B‟ 5″ «B» 「B」 『B』 ＂B＂', '"B" "B" 5" "B" "B" "B" "B"'],
    ['【B】 〔B〕 ［B］ 〖B〗', '[B] [B] [B] [B]'],
    ['✅✔☑🗸', '✓✓✓✓'],
    ['❌✗✘✖❎☒☐', '✗✗✗✗✗✗✗'],
    ['⇒B ➡B ➔B ⟹B →B', '->B ->B ->B ->B ->B'],
    ['Vie\u0323\u0302t', 'Vi\u1ec7t'],
    ['B\u200b\u00ad\ufe0f\u20e3\u0007\ue000\ue001.', 'B.'],
    ['a\tb\nc\rd', 'a\tb\nc\rd'],
    ['1,024 and 12,345,678', '1024 and 12345678'],
    ['1,0245 and 1,02 and A,100', '1,0245 and 1,02 and A,100'],
    ['H₂O ½ ⅒ ﷺ', 'H2O 1⁄2 1⁄10 ﷺ'],
  ])('%j becomes %j', (text, folded) => {
    expect(foldCharacters(track(text)).text).toBe(folded);
  });
});
