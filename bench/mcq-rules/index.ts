import { evalScope } from './evalscope.ts';
import { inspectStrict } from './inspect-strict.ts';
import { lmEvalFlexible } from './lm-eval-flexible.ts';
import { mmluProChain } from './mmlu-pro-chain.ts';
import { openCompassFirstOption } from './opencompass-first-option.ts';
import type { PublicRule } from './rule.ts';
import { sourceNote004, sourceNote004First } from './source-note-004.ts';

/** The rules that ours is measured beside. To add one, write its file and name it here. */
export const publicRules: readonly PublicRule[] = [
  sourceNote004,
  sourceNote004First,
  mmluProChain,
  openCompassFirstOption,
  lmEvalFlexible,
  evalScope,
  inspectStrict,
];
