import type { Case } from './case.ts';

/** How outputs are written: characters, markup, thinking, and what follows an answer. */
export const texts: readonly Case[] = [
  // Characters: an answer in any typographic dress.
  ['rivers', 'The answer is 🅑.', 'B'],
  ['rivers', '答案：【Ｃ】', 'C'],
  ['rivers', '✅ B. Rhine\n❌ A. Danube', 'B'],
  ['rivers', '☑ C. Elbe\n☐ A. Danube\n☐ B. Rhine\n☐ D. Loire', 'C'],
  ['numbers', 'The answer is 1,024.', 'C'],
  // Markup: check boxes, what is struck out, boxes within boxes.
  ['rivers', '- [ ] A. Danube\n- [x] B. Rhine\n- [ ] C. Elbe\n- [ ] D. Loire', 'B'],
  ['rivers', 'Answer: ~~A~~ C', 'C'],
  ['rivers', 'So \\boxed{\\boxed{B}}', 'B'],
  ['rivers', 'Thus \\boxed{\\fbox{\\text{Elbe}}}.', 'C'],
  ['rivers', '<p>The answer is <b>D</b>.</p>', 'D'],
  ['rivers', 'The answer is&nbsp;B.<|im_end|>', 'B'],
  // Thinking is no answer.
  ['rivers', '[think]A looks right.[/think]The answer is B.', 'B'],
  ['rivers', 'A looks right. </think> The answer is B.', 'B'],
  ['rivers', '<|channel|>analysis<|message|>A?<|end|><|start|>assistant<|channel|>final<|message|>B', 'B'],
  ['rivers', 'The answer is B. <think>Or is it A', 'B'],
  // Numbers and words of options stand alone.
  ['numbers', 'It takes 12% of the time.', null],
  ['numbers', 'The result is 12.', 'B'],
  ['rivers', 'The Rhinegau is famous.', null],
  // The agent goes on with a question of its own, or only weighs a problem.
  ['rivers', 'Answer: B\nQuestion: Which river passes Dresden?\nAnswer: C', 'B'],
  ['rivers', 'Answer: B\n\nQuestion 2: Which river passes Dresden?\nAnswer: C', 'B'],
  ['rivers', 'Answer: B\nQ 2 : Which river passes Dresden?\nAnswer: C', 'B'],
  [
    'rivers',
    '\n\nQuestion 1: Which river passes Cologne?\nAnswer: B\nQuestion 2: Which passes Dresden?\nAnswer: C',
    'B',
  ],
  ['rivers', 'It is A.\nProblems: it does not pass Cologne.\nAnswer: B', 'B'],
  ['rivers', 'It is A.\nProblem solved? No, it is not.\nAnswer: B', 'B'],
  ['rivers', 'Let me look at option (B) and its course.\n\nProblem: it is not clear.\nAnswer: C', 'C'],
  ['rivers', 'None of the options is right at first sight.\nProblem: one must be.\nAnswer: C', 'C'],
  ['rivers', 'The answer is A or B.\nProblem: only one may be right.\nAnswer: B', 'B'],
];
