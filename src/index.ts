import './plugin/check-node.ts';

export { loadGaia, loadMcq, loadRecords } from './data/load.ts';
export type { MappedRecord } from './data/prepare-records.ts';
export { defineEval } from './define-eval.ts';
export { compare } from './figures/paired-comparison.ts';
export { summarize } from './figures/summarize.ts';
export type { GradedJudgeOptions, Judge, JudgeOptions } from './judge/judge.ts';
export { judge } from './judge/judge.ts';
export { gradeMath } from './matchers/grade-math.ts';
export { matchers } from './matchers/index.ts';
export type {
  AgentAnswer,
  AgentContext,
  AgentFactory,
  AgentResult,
  Assessment,
  DataContext,
  EvalDefinition,
  NamedScore,
  ScoreInput,
  ScoreResult,
  SuiteAgent,
  Verdict,
} from './run/definition.ts';
export { scorer } from './run/named-scores.ts';
export { mockTools, recordTools, type ToolMocks } from './run/record-tools.ts';
export { simulateUser, type UserSimulation } from './run/simulate-user.ts';
export type { AnswerClaim } from './scoring/claim.ts';
export { extractFinalAnswer } from './scoring/gaia/extract-final-answer.ts';
export { gradeGaia } from './scoring/gaia/grade-gaia.ts';
export { scoreGaia } from './scoring/gaia/rules.ts';
export { gradeNumber } from './scoring/math/grade-number.ts';
export { extractChoice } from './scoring/mcq/extract-choice.ts';
export { gradeMcq } from './scoring/mcq/grade-mcq.ts';
export {
  AgentError,
  type ErrorKind,
} from './words/answer.ts';
export type { SampleResult, Score } from './words/row.ts';
export type { Dataset, Message, Question, Sample } from './words/sample.ts';
export { withoutThoughts } from './words/thoughts/thoughts.ts';
