import { z } from 'zod';

export const Shipment = z.object({
  kg: z.number().positive(),
  to: z.string().min(2),
  express: z.boolean(),
});

/** Reads a shipment out of a mail, as JSON. Call your model here. */
export async function extractShipment(mail: string): Promise<string> {
  const [, kg = '0'] = /([\d.]+) kg/.exec(mail) ?? [];
  const [, to = ''] = /to ([A-Z]\w+)/.exec(mail) ?? [];
  return JSON.stringify({ kg: Number(kg), to, express: mail.includes('express') });
}
