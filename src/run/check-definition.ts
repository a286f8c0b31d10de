import { matchers } from '../matchers/index.ts';
import { quote, showPath, showValue } from '../text/show.ts';
import { didYouMean } from '../text/wording.ts';
import type { EvalDefinition } from './suite.ts';

const OPTIONS: Readonly<Record<keyof EvalDefinition, true>> = {
  data: true,
  map: true,
  group: true,
  prompt: true,
  agent: true,
  predictions: true,
  extract: true,
  score: true,
  matcher: true,
  timeoutSeconds: true,
  public: true,
  levels: true,
  exports: true,
};

/** Throws if a definition cannot be used. The message has its file and what to do. */
export function checkDefinition(suite: unknown, definition: unknown, file: string): void {
  const refuse = (problem: string) => new Error(`${showPath(file)}: ${problem}`);
  if (typeof suite !== 'string' || typeof definition !== 'object' || definition === null) {
    throw refuse(
      `defineEval takes a name and a definition, got ${showValue(suite)}. Write defineEval('name', { ... }).`,
    );
  }
  // Folders and files get this name.
  if (!/^\w[\w.-]{0,59}$/.test(suite)) {
    const allowed = 'a letter, a digit or "_", then up to 59 more of these, "." and "-"';
    throw refuse(`the name of a suite must be ${allowed}, got ${quote(suite)}.`);
  }
  const options = Object.keys(OPTIONS);
  const unknown = Object.keys(definition).find((name) => !options.includes(name));
  if (unknown !== undefined) {
    throw refuse(`defineEval has no option ${quote(unknown)}.${didYouMean(unknown, options)}`);
  }
  const { matcher, score } = definition as EvalDefinition;
  if (matcher === undefined) return;
  const known = Object.keys(matchers);
  if (!known.includes(matcher)) throw refuse(`"matcher" must be one of ${known.join(', ')}, got ${quote(matcher)}.`);
  if (score !== undefined) return;
  throw refuse('"matcher" needs "score", which returns the grade for the matcher, such as that of gradeGaia.');
}
