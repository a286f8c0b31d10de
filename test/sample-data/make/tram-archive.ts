import { zipTexts } from './zip-file.ts';

const LINES = [
  { name: '1', stops: ['Alder Cross', 'Brewery', 'Linden Square', 'Museum', 'Northgate'], minutes: [4, 3, 5, 6] },
  { name: '2', stops: ['Fish Market', 'Linden Square', 'Observatory', 'Zinc Wharf'], minutes: [5, 2, 4] },
  { name: '3', stops: ['Brewery', 'Fish Market', 'Gasworks', 'Observatory'], minutes: [7, 3, 6] },
  { name: '4', stops: ['Museum', 'Power House', 'Zinc Wharf'], minutes: [9, 8] },
  { name: '5', stops: ['Alder Cross', 'Gasworks', 'Timber Yard', 'Zinc Wharf'], minutes: [14, 8, 9] },
];

const NOTICE = `Tram office, notice 14

Changing from one line to another takes 4 minutes at every stop.
Closed until further notice: Linden Square.
`;

/** Two files in folders: the lines, and a notice without which they are of no use. */
export function makeTramArchive(): Buffer {
  return zipTexts({
    'network/lines.json': `${JSON.stringify(LINES, null, 2)}\n`,
    'network/notices/notice-14.txt': NOTICE,
  });
}
