import { quote } from '../text/show.ts';
import { type Command, UsageError } from './command.ts';
import { calibrateJudge } from './judge-calibrate.ts';

/** `viva judge calibrate`: measures a judge against people's labels. */
export const judge: Command = {
  summary: 'measures a judge against the labels of people',
  usage:
    'calibrate labels.csv [--run RUN], where labels.csv is a file of "viva label", and RUN a run folder, its name or "latest"',
  run: async (context) => {
    const [word, ...args] = context.args;
    if (word === 'calibrate') return calibrateJudge({ ...context, args });
    throw new UsageError(
      `"calibrate" is needed, got ${word === undefined ? 'nothing' : quote(word)}.`,
    );
  },
};
