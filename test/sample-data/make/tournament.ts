import { makeOffice, OFFICE_RELATIONS } from './office.ts';
import { escapeXml } from './zip-file.ts';

const MATCHES = `Wrens Foxes 2 1
Otters Herons 1 1
Badgers Stoats 0 3
Wrens Otters 0 2 neutral
Foxes Badgers 4 0
Herons Stoats 1 0
Wrens Herons 3 3
Otters Badgers 1 0 annulled
Foxes Stoats 1 0
Wrens Badgers 2 0
Otters Stoats 0 2 neutral
Foxes Herons 1 1
Wrens Stoats 1 0
Otters Foxes 3 1
Herons Badgers 2 0 neutral
Otters Badgers 0 1`;

/** Which style of the workbook a row has; 0 is plain. */
const STYLES: Readonly<Record<string, number>> = { annulled: 1, neutral: 2 };

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A workbook whose rows are coloured, and a second sheet that says what the colours mean. */
export function makeTournament(): Buffer {
  const head = ['match', 'first', 'second', 'first goals', 'second goals', 'difference'];
  const rows = MATCHES.split('\n').map((line, index) => toRow(line, index + 1));
  const legend = [
    row(1, [text('A1', 'annulled, does not count', 1)]),
    row(2, [text('A2', 'played on neutral ground', 2)]),
    row(3, [text('A3', 'a match that was annulled was played again on the last day', 0)]),
  ];
  const sheets = ['Matches', 'Colours'].map((name, index) => {
    return `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`;
  });
  return makeOffice([
    {
      path: 'xl/workbook.xml',
      type: `${TYPE}.sheet.main+xml`,
      xml: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE_RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`,
      refersTo: [
        { type: 'worksheet', target: 'worksheets/sheet1.xml' },
        { type: 'worksheet', target: 'worksheets/sheet2.xml' },
        { type: 'styles', target: 'styles.xml' },
      ],
    },
    sheet(1, [
      row(
        1,
        head.map((title, column) => text(`${'ABCDEF'[column]}1`, title, 0)),
      ),
      ...rows,
    ]),
    sheet(2, legend),
    { path: 'xl/styles.xml', type: `${TYPE}.styles+xml`, xml: describeStyles(['FFFF5050', 'FFFFFF99']) },
  ]);
}

function toRow(line: string, match: number): string {
  const [first = '', second = '', goals = '', against = '', mark = ''] = line.split(' ');
  const style = STYLES[mark] ?? 0;
  const at = match + 1;
  const number = (column: string, value: number, formula = '') =>
    `<c r="${column}${at}" s="${style}">${formula === '' ? '' : `<f>${formula}</f>`}<v>${value}</v></c>`;
  return row(at, [
    number('A', match),
    text(`B${at}`, first, style),
    text(`C${at}`, second, style),
    number('D', Number(goals)),
    number('E', Number(against)),
    number('F', Number(goals) - Number(against), `D${at}-E${at}`),
  ]);
}

function row(number: number, cells: readonly string[]): string {
  return `<row r="${number}">${cells.join('')}</row>`;
}

function text(cell: string, value: string, style: number): string {
  return `<c r="${cell}" s="${style}" t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`;
}

function sheet(number: number, rows: readonly string[]) {
  return {
    path: `xl/worksheets/sheet${number}.xml`,
    type: `${TYPE}.worksheet+xml`,
    xml: `<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  };
}

/** Style 0 is plain, style n is filled with the n-th colour. */
function describeStyles(colours: readonly string[]): string {
  const solid = colours.map((colour) => {
    return `<fill><patternFill patternType="solid"><fgColor rgb="${colour}"/></patternFill></fill>`;
  });
  const reserved = ['none', 'gray125'].map((type) => `<fill><patternFill patternType="${type}"/></fill>`);
  const fills = [...reserved, ...solid];
  const formats = [0, ...colours.map((_, index) => index + reserved.length)].map((fill) => {
    return `<xf numFmtId="0" fontId="0" fillId="${fill}" borderId="0" xfId="0" applyFill="1"/>`;
  });
  const list = (name: string, items: readonly string[]) =>
    `<${name} count="${items.length}">${items.join('')}</${name}>`;
  return [
    `<styleSheet xmlns="${MAIN}">`,
    list('fonts', ['<font><sz val="11"/><name val="Calibri"/></font>']),
    list('fills', fills),
    list('borders', ['<border/>']),
    list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    list('cellXfs', formats),
    list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    '</styleSheet>',
  ].join('');
}
