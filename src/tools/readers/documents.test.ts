import { describe, expect, test } from 'vitest';
import { makeOffice, toRelations } from '../../../test/make-zip.ts';
import { readDocx, readPptx } from './documents.ts';

describe('a Word document', () => {
  async function read(body: string): Promise<string> {
    const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const main = `<w:document xmlns:w="${space}"><w:body>${body}</w:body></w:document>`;
    return (await readDocx(makeOffice('word/document.xml', main), 'a.docx')).text;
  }

  const run = (text: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
  const paragraph = (...runs: readonly string[]) => `<w:p>${runs.join('')}</w:p>`;
  const cell = (content: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
  const table = (...rows: readonly string[][]) =>
    `<w:tbl>${rows.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('')}</w:tbl>`;
  const text = (content: string) => paragraph(run(content));
  const formula = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>';

  test.each([
    [
      'keeps paragraphs and lines of a cell apart',
      table([
        cell(text('one') + text('two')),
        cell(paragraph(run('1990'), '<w:r><w:br/></w:r>', run('Paris'))),
      ]),
      '| one / two | 1990 / Paris |\n| --- | --- |',
    ],
    [
      'repeats merged cells in each row and column',
      table(
        [cell(text('north'), '<w:vMerge w:val="restart"/>'), cell(text('May')), cell(text('4'))],
        [cell(paragraph(), '<w:vMerge/>'), cell(text('both'), '<w:gridSpan w:val="2"/>')],
      ),
      '| north | May | 4 |\n| --- | --- | --- |\n| north | both | both |',
    ],
    [
      'marks what is raised or lowered',
      paragraph(
        run('10'),
        run('23', '<w:vertAlign w:val="superscript"/>'),
        run(' of CO'),
        run('2', '<w:vertAlign w:val="subscript"/>'),
      ),
      '10^23 of CO_2',
    ],
    [
      'counts formulas, which are not read',
      paragraph(run('See'), formula, formula),
      'See\n\nFormulas of the equation editor, which are missing in this text: 2',
    ],
  ])('%s', async (_, body, expected) => {
    expect(await read(body)).toBe(expected);
  });
});

describe('a presentation', () => {
  /** The lines of a slide with these shapes. */
  function read(shapes: string): readonly string[] {
    const show = '<p:show><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:show>';
    const bytes = makeOffice('ppt/show.xml', show, {
      'ppt/_rels/show.xml.rels': toRelations(['slide', 'slide.xml']),
      'ppt/slide.xml': `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    });
    return readPptx(bytes, 'a.pptx').text.split('\n').slice(1);
  }

  const run = (text: string, baseline = '0') =>
    `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`;
  const paragraph = (...runs: readonly string[]) => `<a:p>${runs.join('')}</a:p>`;

  test('marks what is raised or lowered', () => {
    const body = paragraph(run('10'), run('23', '30000'), run(' of CO'), run('2', '-25000'));
    expect(read(`<p:sp><p:txBody>${body}</p:txBody></p:sp>`)).toEqual(['10^23 of CO_2']);
  });

  test('keeps paragraphs and lines of a cell apart in one line', () => {
    const body = paragraph(run('a'), '<a:br/>', run('b')) + paragraph(run('c'));
    const row = `<a:tr><a:tc><a:txBody>${body}</a:txBody></a:tc><a:tc/></a:tr>`;
    const frame = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${row}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    expect(read(frame)).toEqual(['| a / b / c |  |']);
  });
});
