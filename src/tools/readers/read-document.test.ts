import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDocument } from './index.ts';

function readFixture(name: string) {
  return readDocument(readFileSync(`test/fixtures/attachments/${name}`), name);
}

describe('readDocument reads what other programs write', () => {
  test('a PDF, page after page, with the empty cell of a table', async () => {
    expect(await readFixture('tides.pdf')).toEqual({
      pages: 2,
      text: [
        '--- page 1 of 2 ---',
        'High water at Kettle Point',
        'Day   First    Second',
        'Mon   03:12  15:40',
        'Tue          16:31',
        'Wed  04:55  17:20',
        '',
        '--- page 2 of 2 ---',
        'Times are local; add one hour in summer.',
      ].join('\n'),
    });
  });

  test('a PDF that is a picture alone', async () => {
    const text = '--- page 1 of 1 ---\n(no text on this page; it may be a picture)';
    expect(await readFixture('scan.pdf')).toEqual({ pages: 1, text });
  });

  test('a Word document with its heading, table, list and picture', async () => {
    expect(await readFixture('minutes.docx')).toEqual({
      text: [
        '# Minutes',
        '',
        'Held in the boat house; 7 < 9 & more.',
        '',
        '| Item | Owner |',
        '| --- | --- |',
        '| Paint the jetty | Ilse |',
        '',
        '* oars',
        '* sails',
        '',
        'An **important** word.',
        '',
        '[image]',
        '',
        'Pictures: "minutes.docx/word/media/image1.png"',
      ].join('\n'),
    });
  });

  test('a workbook with values, formulas, colours and other facts about cells', async () => {
    expect(await readFixture('beds.xlsx')).toEqual({
      text: [
        '# Sheet "Beds & pots" (1 of 3)',
        'row\tA\tB\tC\tD\tE\tF',
        '1\tBed\tPlanted\tWeight\tShare\tTotal',
        '2\tnorth {fill #00B050}\t2031-05-17\t0.3\t0.25\t{=C2*D2}\tTRUE',
        '3\tsouth\\nwall {fill #B9CDE5}\t2031-05-18 09:30\t12 {font #FF0000; struck through}\t0.75\t{=C3*D3}\t{=1/0}',
        '5\t\t{fill #FF0000}',
        '6\tall figures in kg',
        '7\tXFD7: far',
        'Merged cells: A6:C6',
        'Hidden rows: 3',
        'Hidden columns: D',
        'Formats that depend on values, which are not shown: C2:C3',
        'Comments: A1 "beds only"',
        '',
        '# Sheet "Old" (2 of 3), hidden',
        'row\tA\tB',
        '2\t\t06:45',
        '',
        '# Sheet "Empty" (3 of 3)',
        '(no cells)',
      ].join('\n'),
    });
  });

  test('a presentation with its notes, table, picture and hidden slide', async () => {
    expect(await readFixture('walks.pptx')).toEqual({
      text: [
        '--- slide 1 of 3 ---',
        'Spring programme',
        'First walk',
        '  to the weir',
        'Notes:',
        'Say that the weir is closed on Mondays.',
        '',
        '--- slide 2 of 3 ---',
        '| Month | Walks |',
        '| May | 4 |',
        '| June | 6 |',
        '[picture "walks.pptx/ppt/media/image-2-1.png": a red flag]',
        '',
        '--- slide 3 of 3 (hidden) ---',
        'Held back',
        '[a chart, whose figures are not read]',
      ].join('\n'),
    });
  });

  test('but no PDF with a password', async () => {
    await expect(readFixture('locked.pdf')).rejects.toThrow(
      '"locked.pdf" is encrypted with an unknown password.',
    );
  });
});
