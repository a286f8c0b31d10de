import { ONCE } from '../once.ts';
import { replaceEach, type Trail } from './edits.ts';

const BLOCK = /<(?:br|hr|\/?(?:p|div|h[1-6]|li|ul|ol|center|section))\b/i;
const TAG = String.raw`<\/?(?:p|div|h[1-6]|li|ul|ol|center|section|strong|b|em|i|u|mark|span|font|big)(?: [^<>\n]{0,80})?>|<[bh]r ?\/?>`;
const ENGLISH_LABEL = `(?:(?:the|my) )?(?:final )?answer`;
/** `<p><strong>Final Answer` */
const TAGS_BEFORE = new RegExp(
  String.raw`(?:(?:${TAG})\s{0,3}){1,6}(?=${ENGLISH_LABEL}(?![\p{L}>]))`,
  'giu',
);
/** `Final Answer:</strong> `, `FINAL ANSWER<br>`; a tag right behind a blank may be the answer. */
const TAGS_BEHIND = new RegExp(
  String.raw`(?<=answer ?[:：]?)(?:<\/(?:p|div|h[1-6]|strong|b|em|i|u|mark|span|font|big)>|<br ?\/?>(?=\n|[^\s<]))(?:\s{0,3}(?:${TAG})){0,5}`,
  'giu',
);
/** `[FINAL ANSWER] 42`, `【答案】42` at the start of a line. */
const BRACKETED_LABEL =
  /(?<=(?:^|[\n\r])[ \t>#*_-]{0,12})(?:\[(final[ _-]?answer|最终答案)\]|【(最终答案|最終答案|最終回答|final answer)】|【(?:答案|答え|回答|正解|answer)】)(?:[*_]{0,3}\s?[:：]|(?=[*_]{0,3}\s{0,3}[^\s*_[【]))/giu;

/**
 * The text with plain labels of answers in place of those with tags of HTML around them, or in
 * brackets. Tags elsewhere stay: they may be part of an answer.
 */
export function withPlainLabels(text: string, trail?: Trail): string {
  const lineFor = ([tags]: RegExpExecArray) => (BLOCK.test(tags) ? '\n' : '');
  const bare = /<[a-z/]/i.test(text)
    ? replaceEach(replaceEach(text, TAGS_BEFORE, lineFor, trail), TAGS_BEHIND, lineFor, trail)
    : text;
  if (!/[[【]/.test(bare) || /\[\/final/i.test(bare)) return bare;
  return replaceEach(
    bare,
    BRACKETED_LABEL,
    ([, ascii, other]) => ((ascii ?? other) === undefined ? 'Answer:' : 'FINAL ANSWER:'),
    trail,
  );
}

/** What other languages write for "Final answer" and "Answer" at the start of a line. */
const FINAL_LABELS = [
  '最终答案|最終答案|最终回答|最終回答|最終的な答え|최종 답변|최종 답|최종 정답',
  'réponse finale|respuesta final|resposta final|risposta finale|endgültige antwort',
  'окончательный ответ|итоговый ответ|الإجابة النهائية|अंतिम उत्तर|চূড়ান্ত উত্তর|jawaban akhir',
  'đáp án cuối cùng|câu trả lời cuối cùng|nihai cevap|son cevap|nihai yanıt|eindantwoord|definitie(?:f|ve) antwoord',
  'ostateczna odpowiedź|odpowiedź końcowa|konečná odpověď|răspuns(?:ul)? final|végső válasz|lopullinen vastaus',
  '(?:slutgiltigt|slutligt|endeligt|endelig) svar|остаточна відповідь|окончателен отговор|konačan odgovor|коначан одговор',
  'τελική απάντηση|คำตอบสุดท้าย|پاسخ نهایی|حتمی جواب|(?:ה)?תשובה (?:ה)?סופית|jawapan akhir|(?:huling|pinal na) sagot',
  'இறுதி பதில்|తుది సమాధానం|jibu la mwisho|respuesta definitiva|réponse définitive|(?:finale|abschließende) antwort',
  'final (?:result|solution|value|output|response|conclusion|verdict)',
].join('|');
const LABELS = [
  '答案|答え|回答|正解|答|정답|답|réponse|respuesta|resposta|risposta|antwort',
  'ответ|الإجابة|उत्तर|উত্তর|jawaban|ans\\.?',
  'đáp án|câu trả lời|trả lời|cevap|yanıt|antwoord|odpowiedź|odpověď|răspuns|válasz|vastaus|svar|відповідь',
  'отговор|odgovor|одговор|απάντηση|คำตอบ|پاسخ|جواب|תשובה|jawapan|sagot|jibu|பதில்|సమాధానం',
].join('|');
const LABEL = new RegExp(
  String.raw`(?<=(?:^|[\n\r])[ \t>#*_\x60-]{0,20})(?:(${FINAL_LABELS})|(?:${LABELS}))(?=[*_\x60]{0,3}\s?[:：])`,
  'giu',
);
/** "La réponse est", "Die endgültige Antwort lautet:", "所以最终答案是": a sentence that says the answer. */
const SPOKEN_LABEL = new RegExp(
  [
    String.raw`(?<!\p{L})(?:la|die|a|le)${ONCE} (?:bonne |richtige |korrekte )?${ONCE}(?:${FINAL_LABELS}|${LABELS})${ONCE}`,
    '(?: finale?| corret[ao]| corrett[ao]| correct[ae])?',
    String.raw` (?:est|es|é|è|ist|lautet)(?: ?[:：]|(?=\s))`,
  ].join(''),
  'giu',
);
const SPOKEN_IN_ASIA =
  /(?:(?:最终|最終)?(?:答案|答え|正解)(?:是|为|為|は)|정답은(?=\s)) ?[:：]?\s{0,2}([^。\n]{1,80}?)(?:です|입니다)?(?:[。.](?!\d)|(?=\n|$))/gu;
/** The labels above that an ASCII text may have. */
const ASCII_LABEL =
  /respuesta|resposta|risposta|antwort|jawaban|\bans\b|cevap|antwoord|vastaus|svar|odgovor|jawapan|sagot|jibu|final (?:result|solution|value|output|response|conclusion|verdict)/i;

/** The text with English labels in place of those of other languages. */
export function withEnglishLabels(text: string, trail?: Trail): string {
  if (!/[^\n -~]/.test(text) && !ASCII_LABEL.test(text)) return text;
  const labelled = replaceEach(
    text,
    LABEL,
    ([, final]) => (final === undefined ? 'Answer' : 'FINAL ANSWER'),
    trail,
  );
  const spoken = replaceEach(labelled, SPOKEN_LABEL, () => 'The answer is ', trail);
  return replaceEach(spoken, SPOKEN_IN_ASIA, ([, said]) => `\nThe answer is ${said}.\n`, trail);
}
