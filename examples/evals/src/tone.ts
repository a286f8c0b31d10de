/** Replies to a customer in a tone. Call your model here, with a prompt for each. */
export function replyTo(mail: string, tone: 'formal' | 'kind'): string {
  if (mail.startsWith('Thank')) return 'We are glad to hear that.';
  if (mail.endsWith('?')) return tone === 'kind' ? 'From 8 to 6.' : 'Our hours are 8 to 6.';
  const next = 'We will write to you by tomorrow.';
  return tone === 'kind' ? `We are sorry for that. ${next}` : `Your mail was received. ${next}`;
}
