import { answerLine } from './answer-line.ts';
import { closingLine } from './closing-line.ts';
import { concludedText } from './concluded-text.ts';
import { conditionalStatement } from './conditional-statement.ts';
import { confirmedOption } from './confirmed-option.ts';
import { guess } from './guess.ts';
import { labelLine } from './label-line.ts';
import { leadingLabel } from './leading-label.ts';
import { noneStated } from './none-stated.ts';
import { onlyMention } from './only-mention.ts';
import { onlyOptionText } from './only-option-text.ts';
import { openingText } from './opening-text.ts';
import { pointer } from './pointer.ts';
import { refusal } from './refusal.ts';
import { selectedLines } from './selected-lines.ts';
import { statedText } from './stated-text.ts';
import { statement } from './statement.ts';
import type { Step } from './step.ts';
import { verdictsListed } from './verdict-list.ts';
import { verdicts } from './verdicts.ts';
import { weighed } from './weighed.ts';
import { wholeText } from './whole-text.ts';

/** How prose tells an answer, strongest first; the first step that finds anything decides. */
export const plainSteps: readonly Step[] = [
  wholeText,
  answerLine,
  statement,
  closingLine,
  verdictsListed,
  verdicts,
  selectedLines,
  labelLine,
  leadingLabel,
  confirmedOption,
  statedText,
  concludedText,
  pointer,
  conditionalStatement,
  noneStated,
  guess,
  refusal,
  weighed,
  openingText,
  onlyMention,
  onlyOptionText,
];
