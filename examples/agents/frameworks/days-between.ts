import { z } from 'zod';

/** The tool of the agents. Each framework calls its parts by other names. */
export const daysBetween = {
  name: 'days_between',
  description: 'The number of days from one date to another, both as YYYY-MM-DD.',
  inputSchema: z.object({ from: z.string(), to: z.string() }),
  execute: async ({ from, to }: { from: string; to: string }) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    if (Number.isNaN(days)) throw new Error('Write both dates as YYYY-MM-DD.');
    return days;
  },
};
