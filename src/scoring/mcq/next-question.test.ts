import { expect, test } from 'vitest';
import { extractChoice } from './extract-choice.ts';

const choices = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };

test.each([
  'Antwort: B\n\nWelcher See ist am tiefsten?\nA. Garda\nB. Como\nC. Aral\nAntwort: A',
  'Réponse : B\n\nQuel lac est le plus profond ?\nA. Garde\nB. Côme\nC. Aral\nRéponse : A',
  'Respuesta: B\n\n¿Qué lago es el más hondo?\nA) Garda\nB) Como\nC) Aral\nRespuesta: A',
  'Resposta: B\n\nQual lago é o mais fundo?\nA. Garda\nB. Como\nC. Aral\nResposta: A',
  'Risposta: B\n\nQual è il lago più profondo?\nA. Garda\nB. Como\nC. Aral\nRisposta: A',
  'Ответ: B\n\nКакое озеро глубже?\nA. Гарда\nB. Комо\nC. Арал\nОтвет: A',
  '答え: B\n\n一番深い湖はどれですか。\nA. ガルダ\nB. コモ\nC. アラル\n答え: A',
  '정답: B\n\n가장 깊은 호수는?\nA. 가르다\nB. 코모\nC. 아랄\n정답: A',
  'Đáp án: B\n\nHồ nào sâu nhất?\nA. Garda\nB. Como\nC. Aral\nĐáp án: A',
  'Jawaban: B\n\nDanau mana yang terdalam?\nA. Garda\nB. Como\nC. Aral\nJawaban: A',
  'Javob: B\n\nQaysi koʻl chuqur?\nA. Garda\nB. Como\nC. Aral\nJavob: A',
  'Answer: B\n\nWhich lake is the deepest?\n\n(A) Garda\n(B) Como\n\nThe correct answer is (A).',
  'Answer: B\n\nWhich lake is the deepest? A. Garda B. Como C. Aral\nAnswer: A',
  'Answer: B\n\nWhich lake is the deepest? A) Garda B) Como C) Aral Answer: A',
  'B. Rhine\n\nQuel lac est près de Paris ?\nA. Garde\nB. Enghien\nRéponse : A',
  'B。3、最深的湖是（ ）A、加尔达 B、科莫 答案：A',
])('a list of options with its own answer ends the answer in any language: %j', (output) => {
  expect(extractChoice(output, { choices })).toMatchObject({ choices: ['B'], certain: false });
});

test.each([
  ['Đáp án: B', 'Câu 2: Hồ nào?', 'Đáp án: A'],
  ['คำตอบ: B', 'ข้อ 2: ทะเลสาบใด', 'คำตอบ: A'],
  ['תשובה: B', 'שאלה 2: איזה אגם?', 'תשובה: A'],
  ['Απάντηση: B', 'Ερώτηση 2: Ποια λίμνη;', 'Απάντηση: A'],
  ['Svar: B', 'Fråga 2: Vilken sjö?', 'Svar: A'],
  ['Jawaban: B', 'Soal 2\nDanau mana?', 'Jawaban: A'],
  ['Odpowiedź: B', 'Pytanie: Które jezioro?', 'Odpowiedź: A'],
  ['Antwort: B', 'Aufgabe 2\nWelcher See?', 'Antwort: A'],
])('a heading of another question ends the answer %j', (own, question, other) => {
  const output = `${own}\n\n${question}\n${other}`;
  expect(extractChoice(output, { choices })).toMatchObject({ choices: ['B'], certain: false });
});

test.each([
  ['Which passes Hamburg?\nA. Danube\nB. Rhine\nC. Elbe\nAnswer: C', 'C'],
  ['B comes to mind.\nA. The Danube is too long.\nB. It is wrong.\nC. It fits.\nAnswer: C', 'C'],
])('options of the question itself end no answer: %j', (output, chosen) => {
  expect(extractChoice(output, { choices }).choices).toEqual([chosen]);
});

test.each(['Zum Beispiel', 'Bijvoorbeeld', 'Na przykład', 'Til eksempel', 'Contohnya', 'たとえば'])(
  'an example is no answer after %j',
  (word) => {
    const output = `I think of castles. ${word}: "Answer: A".`;
    expect(extractChoice(output, { choices }).choices).toBe(null);
  },
);
