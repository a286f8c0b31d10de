import { defineEval } from 'viva';
import { extractShipment, Shipment } from '../src/extract.ts';

await defineEval('extract', {
  data: [
    { id: 'plain', input: '2.5 kg to Oslo.', target: { kg: 2.5, to: 'Oslo', express: false } },
    { id: 'fast', input: '1 kg to Faro, express.', target: { kg: 1, to: 'Faro', express: true } },
    { id: 'pounds', input: '4 lb to Bergen.', target: { kg: 1.8, to: 'Bergen', express: false } },
  ],
  agent: ({ input }) => extractShipment(input),
  output: 'json',
  schema: { output: Shipment },
});
