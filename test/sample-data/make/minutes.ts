import { makeOffice } from './office.ts';
import { escapeXml } from './zip-file.ts';

const ITEMS = `no|task|owner|status
1|Order seed potatoes|Dalia|open
2|Repair the gate|Oskar|open
3|Ask the council about the water|Lin|closed
4|Sharpen the tools|Oskar|open
5|Paint the shed|Oskar|open
6|Print the summer rota|Imre|open
7|Find a speaker for the open day|Dalia|open
8|Collect the key deposits|Lin|open
9|Move the compost bins|Dalia|open`;

const DECISIONS = [
  'Item 2 is closed: the gate works again.',
  'Item 5 passes to Lin, because Oskar is away in April.',
  'Item 7 is closed: the speaker has agreed.',
  "Item 3 is open again: the council's letter answers only half of the question.",
  'New item 10, open: buy a second water butt (Dalia offered, the committee gave it to Imre).',
];

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const NORMAL = '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** A Word document with two headings, a table and a list. */
export function makeMinutes(): Buffer {
  const body = [
    paragraph('Minutes: allotment committee, 14 March 2031', 'Heading1'),
    paragraph('Present: Dalia, Imre, Lin, Oskar, Petra. Chair: Petra. Minutes: Imre.'),
    paragraph('Action items at the start of the meeting', 'Heading2'),
    table(ITEMS.split('\n').map((row) => row.split('|'))),
    paragraph('Decisions', 'Heading2'),
    ...DECISIONS.map((decision) => paragraph(decision, 'ListBullet')),
    paragraph('The next meeting is on 11 April 2031.'),
  ];
  const styles = ['Heading1|heading 1', 'Heading2|heading 2', 'ListBullet|List Bullet'].map((style) => {
    const [id, name] = style.split('|');
    return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  });
  return makeOffice([
    {
      path: 'word/document.xml',
      type: `${TYPE}.document.main+xml`,
      xml: `<w:document xmlns:w="${WORD}"><w:body>${body.join('')}</w:body></w:document>`,
      refersTo: [{ type: 'styles', target: 'styles.xml' }],
    },
    {
      path: 'word/styles.xml',
      type: `${TYPE}.styles+xml`,
      xml: `<w:styles xmlns:w="${WORD}">${NORMAL}${styles.join('')}</w:styles>`,
    },
  ]);
}

function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`;
}

function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => {
    return `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`;
  });
  return `<w:tbl><w:tblPr/><w:tblGrid/>${lines.join('')}</w:tbl>`;
}
