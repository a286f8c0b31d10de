import { evaluateNow, readAnsweredRun } from '../../reporters/past-run.ts';
import { quoteRun, whyUnquotable } from '../../reporters/quote.ts';
import { verifyRun } from '../../reporters/verify-run.ts';
import { findRun } from '../store/find-run.ts';
import { escapeLine, lineIf, showPath } from '../words/show.ts';
import { type Command, parseOne, RUN_HELP, readRunSettings } from './command.ts';

/**
 * `viva verify RUN`: checks a run against its own rows, and says what may be quoted of it; asks
 * nobody.
 */
export const verify: Command = {
  summary: 'grades a run again, checks all its figures and hashes, and says what may be quoted',
  usage: `RUN${RUN_HELP}`,
  run: async ({ args, env, print }) => {
    const { text } = parseOne(args, {});
    const settings = readRunSettings(env);
    const run = readAnsweredRun(findRun(text, settings.dir, 'RUN'));
    const { problems, notes, unchecked } = verifyRun(run);
    const outcome = evaluateNow(run, settings.dir);
    const reasons = whyUnquotable(outcome);
    const say = (line: string) => print(escapeLine(line, 1000));
    for (const note of notes) say(`  ${note}`);
    for (const problem of problems) say(`MISMATCH: ${problem}`);
    const lacking = [...reasons, ...lineIf(problems.length > 0, 'its files do not match its rows')];
    if (lacking.length > 0) {
      say(`Nothing of ${showPath(outcome.folder)} may be quoted: ${lacking.join('; ')}.`);
      return 1;
    }
    const quotes = quoteRun(outcome, unchecked);
    for (const quote of quotes) say(quote.text);
    return quotes.every(({ isQuotable }) => isQuotable) ? 0 : 1;
  },
};
