import { ledClaims } from '../claims/answer-leads.ts';
import type { Step } from './step.ts';

/** "If we plug in the values, the answer would be B": an answer where nothing firmer is said. */
export const conditionalStatement: Step = { name: 'conditional statement', claims: ledClaims };
