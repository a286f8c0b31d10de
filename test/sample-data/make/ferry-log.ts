import { makePdf } from './pdf.ts';

const LOG = `date time vessel direction passengers cars
2031-06-02 07:10 Marigold outbound 162 41
2031-06-02 08:25 Kestrel inbound 148 37
2031-06-02 11:40 Otterby outbound 171 52
2031-06-02 14:05 Kestrel outbound 150 44
2031-06-02 17:30 Marigold inbound 133 29
2031-06-03 07:10 Kestrel outbound 158 39
2031-06-03 08:25 Otterby inbound 169 48
2031-06-03 11:40 Kestrel inbound 121 33
2031-06-03 14:05 Marigold outbound 177 50
2031-06-03 17:30 Kestrel outbound 149 36
2031-06-04 07:10 Otterby outbound 151 40
2031-06-04 08:25 Kestrel inbound 166 43
2031-06-04 11:40 Marigold inbound 139 31
2031-06-04 14:05 Kestrel outbound 144 38
2031-06-04 17:30 Otterby inbound 180 54
2031-06-05 07:10 Kestrel outbound 157 42
2031-06-05 08:25 Marigold inbound 164 45
2031-06-05 11:40 Otterby outbound 150 46
2031-06-05 14:05 Kestrel inbound 152 40
2031-06-05 17:30 Otterby inbound 155 47`;

const COLUMNS = [72, 150, 200, 280, 360, 440];
const ROWS_OF_A_PAGE = 10;

/** A table over two pages, its head on both. */
export function makeFerryLog(): Buffer {
  const [head = '', ...rows] = LOG.split('\n');
  const pages = [rows.slice(0, ROWS_OF_A_PAGE), rows.slice(ROWS_OF_A_PAGE)].map((part, page) => [
    { x: 72, y: 780, text: `Harbour ferry, log of crossings, page ${page + 1}` },
    ...[head, ...part].flatMap((row, index) =>
      row.split(' ').map((text, column) => ({ x: COLUMNS[column] ?? 72, y: 740 - 20 * index, text })),
    ),
  ]);
  return makePdf(pages);
}
