type Said = { readonly content: string };

/** Plays the customer whom the first message describes. */
export default function customer({ messages }: { messages: readonly Said[] }) {
  const [first, last] = [messages[0]?.content ?? '', messages.at(-1)?.content ?? ''];
  const [parcel] = /P\d+/.exec(first) ?? [];
  const wants = /number/.test(last) ? `It is ${parcel}.` : 'My parcel is gone!';
  return { output: /free of charge/.test(last) ? 'Great, bye. [[done]]' : wants, costUsd: 0 };
}
