type Said = { readonly role: string; readonly content: string };

/** The help desk's side of a conversation. Call your model here. */
export async function desk(messages: readonly Said[]): Promise<string> {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const [id] = /P\d+/.exec(said.join(' ')) ?? [];
  return id === undefined
    ? 'I am sorry to hear that. What is the number of your parcel?'
    : `Thank you. I have sent a new parcel for ${id}, free of charge.`;
}
