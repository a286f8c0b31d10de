/**
 * Plays a judge: an answer passes if it has a word of the question, and is graded by its numbers; of two
 * the one that is sorry is better.
 */
export default function judge({ prompt }: { prompt: string }): string {
  const read = (name: string, pattern: RegExp) => {
    const [, text = ''] = prompt.split(new RegExp(`\\[\\[/?${name} \\w+\\]\\]`));
    return new Set(text.toLowerCase().match(pattern));
  };
  if (prompt.includes('"grade"')) {
    const { size } = read('answer', /\d+/g);
    return JSON.stringify({ reason: `It has numbers: ${size}.`, grade: Math.min(5, 1 + 2 * size) });
  }
  const word = /[a-z]{4,}/g;
  const [first, second] = [read('first', word), read('second', word)];
  if (first.has('sorry') !== second.has('sorry'))
    return say(first.has('sorry') ? 'first' : 'second', 'It is sorry, and the other one is not.');
  // As many models do, it prefers the first of two where it sees no difference.
  if (first.size > 0) return say('first', 'It comes to the point.');
  const [shared] = read('question', word).intersection(read('answer', word));
  if (shared === undefined) return say('fail', 'It is about something else.');
  return say('pass', `It is about ${shared}.`);
}

function say(verdict: string, reason: string): string {
  return JSON.stringify({ reason, verdict });
}
