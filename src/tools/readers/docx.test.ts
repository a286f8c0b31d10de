import { expect, test } from 'vitest';
import { makeZip } from '../../../test/make-zip.ts';
import { readDocx } from './docx.ts';

/** The text of a Word document with this body. */
async function read(body: string): Promise<string> {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const space = 'http://schemas.openxmlformats.org';
  const bytes = makeZip({
    '[Content_Types].xml': `<Types xmlns="${space}/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${space}/package/2006/relationships"><Relationship Id="r" Type="${space}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${space}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
  return (await readDocx(bytes, 'a.docx')).text;
}

const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const paragraph = (...runs: readonly string[]) => `<w:p>${runs.join('')}</w:p>`;
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const table = (...rows: readonly string[][]) =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('')}</w:tbl>`;

test('paragraphs and lines of a cell stay apart', async () => {
  const lines = paragraph(run('1990'), '<w:r><w:br/></w:r>', run('Paris'));
  const body = table([cell(paragraph(run('one')) + paragraph(run('two'))), cell(lines)]);
  expect(await read(body)).toBe('| one / two | 1990 / Paris |\n| --- | --- |');
});

test('merged cells stand in each row and column', async () => {
  const text = (content: string) => paragraph(run(content));
  const body = table(
    [cell(text('north'), '<w:vMerge w:val="restart"/>'), cell(text('May')), cell(text('4'))],
    [cell(paragraph(), '<w:vMerge/>'), cell(text('both'), '<w:gridSpan w:val="2"/>')],
  );
  expect(await read(body)).toBe('| north | May | 4 |\n| --- | --- | --- |\n| north | both | both |');
});

test('what is raised or lowered is marked', async () => {
  const raised = run('23', '<w:vertAlign w:val="superscript"/>');
  const lowered = run('2', '<w:vertAlign w:val="subscript"/>');
  expect(await read(paragraph(run('10'), raised, run(' of CO'), lowered))).toBe('10^23 of CO_2');
});

test('formulas that are not read are counted', async () => {
  const formula = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>';
  const body = paragraph(run('See'), formula, formula);
  expect(await read(body)).toBe('See\n\nFormulas of the equation editor, which are missing in this text: 2');
});
