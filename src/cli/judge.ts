import { quote } from '../text/show.ts';
import { type Command, RUN_HELP, UsageError } from './command.ts';
import { calibrateJudge } from './judge-calibrate.ts';

/** `viva judge calibrate`: measures a judge against people's labels. */
export const judge: Command = {
  summary: 'measures a judge against the labels of people',
  usage: `calibrate labels.csv [--run RUN], with labels from "viva label"${RUN_HELP}`,
  run: async (context) => {
    const [word, ...args] = context.args;
    if (word === 'calibrate') return calibrateJudge({ ...context, args });
    throw new UsageError(
      `Expected "calibrate", got ${word === undefined ? 'nothing' : quote(word)}.`,
    );
  },
};
