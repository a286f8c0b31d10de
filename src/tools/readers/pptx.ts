import { lower, raise } from '../markdown/math.ts';
import { allWithin, childAt, childrenOf, OfficePackage, relationIdOf, textOf, type XmlElement } from './office.ts';
import type { Reading } from './reader.ts';

/** The text of a presentation, slide by slide, with tables, pictures and speaker's notes. */
export function readPptx(bytes: Uint8Array, name: string): Reading {
  const document = new OfficePackage(bytes);
  const main = document.findRelated('', 'officeDocument') ?? 'ppt/presentation.xml';
  const relations = document.readRelations(main);
  const list = childrenOf(childAt(document.requireXml(main), 'sldIdLst'), 'sldId');
  const slides = list.flatMap((slide) => relations.get(relationIdOf(slide))?.target ?? []);
  const texts = slides.map((slide, index) => describeSlide(document, slide, name, `${index + 1} of ${slides.length}`));
  return { text: texts.join('\n\n') };
}

function describeSlide(document: OfficePackage, part: string, file: string, number: string): string {
  const slide = document.requireXml(part);
  const relations = document.readRelations(part);
  const hidden = slide.attributes.get('show') === '0' ? ' (hidden)' : '';
  const toPicture = (id: string) => `${file}/${relations.get(id)?.target ?? ''}`;
  const lines = describeShapes(childAt(slide, 'cSld', 'spTree'), toPicture);
  const notes = document.findRelated(part, 'notesSlide');
  const spoken = notes === undefined ? [] : describeNotes(document.readXml(notes));
  return [`--- slide ${number}${hidden} ---`, ...lines, ...spoken].join('\n');
}

function describeShapes(tree: XmlElement | null, toPicture: (id: string) => string): readonly string[] {
  return childrenOf(tree).flatMap((shape) => {
    if (shape.name === 'grpSp') return describeShapes(shape, toPicture);
    if (shape.name === 'sp') return toParagraphs(childAt(shape, 'txBody'));
    if (shape.name === 'graphicFrame') return describeFrame(shape);
    return shape.name === 'pic' ? [describePicture(shape, toPicture)] : [];
  });
}

function toParagraphs(body: XmlElement | null): readonly string[] {
  return childrenOf(body, 'p')
    .map(toLine)
    .filter((line) => line.trim() !== '');
}

function toLine(paragraph: XmlElement): string {
  const level = Number(childAt(paragraph, 'pPr')?.attributes.get('lvl') ?? 0);
  const runs = childrenOf(paragraph).map((run) => (run.name === 'br' ? '\n' : toRunText(run)));
  return '  '.repeat(Math.min(level || 0, 8)) + runs.join('');
}

/** The baseline is positive for superscripts and negative for subscripts. */
function toRunText(run: XmlElement): string {
  const text = textOf(childAt(run, 't'));
  const baseline = Number(childAt(run, 'rPr')?.attributes.get('baseline') ?? 0);
  if (baseline > 0) return raise(text);
  return baseline < 0 ? lower(text) : text;
}

function describeFrame(frame: XmlElement): readonly string[] {
  const data = childAt(frame, 'graphic', 'graphicData');
  const rows = childrenOf(childAt(data, 'tbl'), 'tr').map((row) => {
    const cells = childrenOf(row, 'tc').map((cell) => toCell(childAt(cell, 'txBody')));
    return `| ${cells.join(' | ')} |`;
  });
  if (rows.length > 0) return rows;
  return childAt(data, 'chart') === null ? [] : ['[a chart, whose figures are not read]'];
}

function toCell(body: XmlElement | null): string {
  const lines = toParagraphs(body).flatMap((paragraph) => paragraph.split('\n'));
  return lines.map((line) => line.trim()).join(' / ');
}

function describePicture(picture: XmlElement, toPicture: (id: string) => string): string {
  const described = childAt(picture, 'nvPicPr', 'cNvPr')?.attributes.get('descr') ?? '';
  const [blip] = allWithin(picture, 'blip');
  const path = blip === undefined ? '' : JSON.stringify(toPicture(relationIdOf(blip, 'embed')));
  return `[picture ${[path, described].filter((text) => text !== '').join(': ')}]`;
}

/** Only the body holds the notes; other shapes repeat the slide's number and picture. */
function describeNotes(notes: XmlElement | null): readonly string[] {
  const shapes = childrenOf(childAt(notes, 'cSld', 'spTree'), 'sp');
  const isBody = (shape: XmlElement) => childAt(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes.get('type') === 'body';
  const lines = shapes.filter(isBody).flatMap((shape) => toParagraphs(childAt(shape, 'txBody')));
  return lines.length === 0 ? [] : ['Notes:', ...lines];
}
