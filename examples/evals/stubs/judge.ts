/** Plays a judge: an answer passes if it has a word of the question. */
export default function judge({ prompt }: { prompt: string }): string {
  const read = (name: string) => {
    const [, text = ''] = prompt.split(new RegExp(`\\[\\[/?${name} \\w+\\]\\]`));
    return new Set(text.toLowerCase().match(/[a-z]{4,}/g));
  };
  const shared = [...read('question').intersection(read('answer'))];
  const reason = shared.length > 0 ? `It is about ${shared[0]}.` : 'It is about something else.';
  return JSON.stringify({ reason, verdict: shared.length > 0 ? 'pass' : 'fail' });
}
