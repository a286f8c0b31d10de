import { expect, test } from 'vitest';
import { makeZip } from '../../../test/make-zip.ts';
import { readPptx } from './pptx.ts';

/** The lines of a slide with these shapes. */
function read(shapes: string): readonly string[] {
  const relation = (type: string, target: string) =>
    `<a><Relationship Id="r1" Type="x/${type}" Target="${target}"/></a>`;
  const bytes = makeZip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relation('officeDocument', '/ppt/show.xml'),
    'ppt/show.xml': '<p:show><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:show>',
    'ppt/_rels/show.xml.rels': relation('slide', 'slide.xml'),
    'ppt/slide.xml': `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
  });
  return readPptx(bytes, 'a.pptx').text.split('\n').slice(1);
}

const run = (text: string, baseline = '0') => `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`;
const paragraph = (...runs: readonly string[]) => `<a:p>${runs.join('')}</a:p>`;

test('what is raised or lowered is marked', () => {
  const body = paragraph(run('10'), run('23', '30000'), run(' of CO'), run('2', '-25000'));
  expect(read(`<p:sp><p:txBody>${body}</p:txBody></p:sp>`)).toEqual(['10^23 of CO_2']);
});

test('paragraphs and lines of a cell stay apart in one line', () => {
  const body = paragraph(run('a'), '<a:br/>', run('b')) + paragraph(run('c'));
  const row = `<a:tr><a:tc><a:txBody>${body}</a:txBody></a:tc><a:tc/></a:tr>`;
  const frame = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${row}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  expect(read(frame)).toEqual(['| a / b / c |  |']);
});
