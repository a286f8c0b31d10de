/** Plays a judge: an answer passes if it has a word of the question, and is graded by its numbers. */
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
  const shared = [...read('question', word).intersection(read('answer', word))];
  const reason = shared.length > 0 ? `It is about ${shared[0]}.` : 'It is about something else.';
  return JSON.stringify({ reason, verdict: shared.length > 0 ? 'pass' : 'fail' });
}
