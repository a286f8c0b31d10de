/** The team for a ticket. Call your model here. */
export async function triage(ticket: string): Promise<string> {
  if (/charged|invoice|refund|paid/i.test(ticket)) return 'billing';
  return /parcel|driver|label/i.test(ticket) ? 'delivery' : 'account';
}
