import { makeOffice, OFFICE_RELATIONS, type Part } from './office.ts';
import { escapeXml } from './zip-file.ts';

/** Title, points and what the speaker says of each slide. */
const SLIDES = [
  {
    title: 'The Fennick reading circle',
    points: ['One book a month', 'Tea and cake from the second chapter on'],
    notes: 'Our first meeting is in September 2029.',
  },
  {
    title: 'When we meet',
    points: ['On the third Thursday of the month', 'In months with five Thursdays: on the fourth'],
    notes: 'There is no meeting in July and none in August, in any year.',
  },
] as const;

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const SHOW = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const NAMESPACES = `xmlns:a="${DRAWING}" xmlns:p="${SHOW}" xmlns:r="${OFFICE_RELATIONS}"`;
const TYPE = 'application/vnd.openxmlformats-officedocument.presentationml';

/** A presentation of two slides with speaker's notes. */
export function makeReadingCircle(): Buffer {
  const list = SLIDES.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('');
  const main: Part = {
    path: 'ppt/presentation.xml',
    type: `${TYPE}.presentation.main+xml`,
    xml: `<p:presentation ${NAMESPACES}><p:sldIdLst>${list}</p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/></p:presentation>`,
    refersTo: SLIDES.map((_, index) => ({ type: 'slide', target: `slides/slide${index + 1}.xml` })),
  };
  const slides = SLIDES.flatMap(({ title, points, notes }, index): Part[] => [
    {
      path: `ppt/slides/slide${index + 1}.xml`,
      type: `${TYPE}.slide+xml`,
      xml: wrap('sld', [shape(2, 'title', [title]), shape(3, 'body', points)]),
      refersTo: [{ type: 'notesSlide', target: `../notesSlides/notesSlide${index + 1}.xml` }],
    },
    {
      path: `ppt/notesSlides/notesSlide${index + 1}.xml`,
      type: `${TYPE}.notesSlide+xml`,
      xml: wrap('notes', [shape(2, 'body', [notes])]),
      refersTo: [{ type: 'slide', target: `../slides/slide${index + 1}.xml` }],
    },
  ]);
  return makeOffice([main, ...slides]);
}

function wrap(kind: 'sld' | 'notes', shapes: readonly string[]): string {
  const group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>';
  return `<p:${kind} ${NAMESPACES}><p:cSld><p:spTree>${group}${shapes.join('')}</p:spTree></p:cSld></p:${kind}>`;
}

function shape(id: number, place: 'title' | 'body', lines: readonly string[]): string {
  const head = `<p:nvSpPr><p:cNvPr id="${id}" name="${place}"/><p:cNvSpPr/><p:nvPr><p:ph type="${place}"/></p:nvPr></p:nvSpPr>`;
  const paragraphs = lines.map((line) => `<a:p><a:r><a:t>${escapeXml(line)}</a:t></a:r></a:p>`);
  return `<p:sp>${head}<p:spPr/><p:txBody><a:bodyPr/>${paragraphs.join('')}</p:txBody></p:sp>`;
}
