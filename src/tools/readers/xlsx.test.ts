import { describe, expect, test } from 'vitest';
import { makeOffice, toRelations } from '../../../test/make-zip.ts';
import { readXlsx } from './xlsx.ts';

/** A workbook of one sheet with these rows. */
function read(
  rows: string,
  { rest = '', styles = '', texts = '', properties = '' } = {},
): readonly string[] {
  const book = `<workbook>${properties}<sheets><sheet name="s" r:id="r1"/></sheets></workbook>`;
  const names = ['worksheet', 'styles', 'sharedStrings'];
  const bytes = makeOffice('xl/book.xml', book, {
    'xl/_rels/book.xml.rels': toRelations(...names.map((name) => [name, `${name}.xml`] as const)),
    'xl/worksheet.xml': `<worksheet>${rest}<sheetData>${rows}</sheetData></worksheet>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
  });
  return readXlsx(bytes, 'a.xlsx').text.split('\n').slice(1);
}

describe('a sheet', () => {
  test('may leave out where its rows and cells are', () => {
    const rows =
      '<row><c><v>1</v></c><c><v>2</v></c></row><row r="5"/><row><c r="C6"><v>3</v></c><c><v>4</v></c></row>';
    expect(read(rows)).toEqual(['row\tA\tB\tC\tD', '1\t1\t2', '6\t\t\t3\t4']);
  });

  test('names the cell whose formula others share', () => {
    const rows = [
      '<row r="1"><c r="B1"><f t="shared" si="0" ref="B1:B3">A1*$D$1</f><v>2</v></c></row>',
      '<row r="2"><c r="B2"><f t="shared" si="0"/><v>4</v></c></row>',
      '<row r="3"><c r="B3"><f t="shared" si="9"/><v>6</v></c><c r="C3"><f t="array" ref="C3">SUM(A1:A3)</f></c></row>',
    ];
    expect(read(rows.join(''))).toEqual([
      'row\tA\tB\tC',
      '1\t\t2 {=A1*$D$1}',
      '2\t\t4 {formula of B1, filled in}',
      '3\t\t6\t{=SUM(A1:A3)}',
    ]);
  });

  test('has values of every type', () => {
    const cells = [
      '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>7</v></c>',
      '<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#DIV/0!</v></c>',
      '<c><v>1E-7</v></c><c><v>0.30000000000000004</v></c><c><v>many</v></c>',
      '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c><c t="d"><v>2031-05-17</v></c>',
    ];
    const texts =
      '<si><t>one_x000D_</t></si><si><r><t>t</t></r><r><t>wo</t></r><rPh><t>z</t></rPh></si>';
    expect(read(`<row>${cells.join('')}</row>`, { texts })[1]).toBe(
      '1\tone\\n\ttwo\t\tTRUE\tFALSE\t#DIV/0!\t1e-7\t0.3\tmany\tab\t2031-05-17',
    );
  });

  test('shows dates from 1904 and formats of its own', () => {
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="d mmm"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs>';
    const rows = '<row><c s="1"><v>0</v></c><c s="0"><v>5</v></c><c s="44"><v>6</v></c></row>';
    const properties = '<workbookPr date1904="1"/>';
    expect(read(rows, { styles, properties })[1]).toBe('1\t1904-01-01\t5\t6');
  });

  test('names the ranges whose formats depend on values', () => {
    const format = (range: string) =>
      `<conditionalFormatting sqref="${range}"><cfRule type="cellIs"/></conditionalFormatting>`;
    expect(
      read('<row><c><v>2</v></c></row>', { rest: format('A1:B1 D1') + format('E:E') }).slice(1),
    ).toEqual(['1\t2', 'Formats that depend on values, which are not shown: A1:B1 D1, E:E']);
  });

  test('shows fills, also in empty cells, and hidden columns', () => {
    const fill = (type: string, rgb: string) =>
      `<fill><patternFill patternType="${type}"><fgColor rgb="${rgb}"/></patternFill></fill>`;
    const fills = `<fills><fill/>${fill('lightUp', 'FFFF0000')}${fill('none', 'FF0000FF')}</fills>`;
    const styles = `${fills}<cellXfs><xf/><xf fillId="1"/><xf fillId="2"/></cellXfs>`;
    const rest = '<cols><col min="2" max="3" hidden="1"/><col min="5" max="5" hidden="1"/></cols>';
    const rows = '<row r="1"><c r="A1" s="1"/><c r="B1" s="2"><v>1</v></c></row>';
    expect(read(rows, { styles, rest })).toEqual([
      'row\tA\tB',
      '1\t{fill #FF0000}\t1',
      'Hidden columns: B to C, E',
    ]);
  });
});
