import { answerTag } from './answer-tag.ts';
import { jsonAnswer } from './json-answer.ts';
import { plainSteps } from './plain-steps.ts';
import type { Step } from './step.ts';

/** Every step, in the order in which they are tried. To add one, write its file and name it here or in plain-steps.ts. */
export const steps: readonly Step[] = [jsonAnswer, answerTag, ...plainSteps];
