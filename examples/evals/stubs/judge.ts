/** Plays a judge: an answer passes if it has a word of the question; of two the one that is sorry is better. */
export default function judge({ prompt }: { prompt: string }): string {
  const read = (name: string) => {
    const [, text = ''] = prompt.split(new RegExp(`\\[\\[/?${name} \\w+\\]\\]`));
    return new Set(text.toLowerCase().match(/[a-z]{4,}/g));
  };
  const [first, second] = [read('first').has('sorry'), read('second').has('sorry')];
  if (first !== second)
    return reply('It is sorry, and the other one is not.', first ? 'first' : 'second');
  // As many models do, it prefers the first of two where it sees no difference.
  if (read('first').size > 0) return reply('It comes to the point.', 'first');
  const shared = [...read('question').intersection(read('answer'))];
  if (shared.length === 0) return reply('It is about something else.', 'fail');
  return reply(`It is about ${shared[0]}.`, 'pass');
}

function reply(reason: string, verdict: string): string {
  return JSON.stringify({ reason, verdict });
}
