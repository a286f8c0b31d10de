import { listPictures, OfficePackage } from '../office-package.ts';
import { ReadError } from '../read-error.ts';
import type { Reading } from '../registry.ts';
import { allWithin, childAt, childrenOf, textOf } from '../xml.ts';
import { toRichText } from './rich-text.ts';
import { describeSheet } from './sheet.ts';
import { type CellStyles, readRuleLooks, readStyles } from './styles.ts';

/** What cells refer to. */
export type Workbook = {
  readonly texts: readonly string[];
  readonly styles: CellStyles;
  /** How rules make cells look. */
  readonly ruleLooks: readonly string[];
  /** True when days are counted from 1904, as old Macs did. */
  readonly from1904: boolean;
};

/** The sheets of a workbook, a line for each row: values, formulas, fill and font colours; then what is said of cells. */
export function readXlsx(bytes: Uint8Array, name: string): Reading {
  const document = new OfficePackage(bytes);
  const main = [...document.readRelations('').values()].find(({ type }) => type === 'officeDocument')?.target;
  const part = main ?? 'xl/workbook.xml';
  if (part.endsWith('.bin')) throw new ReadError('is a binary workbook (.xlsb), which is not read');
  const workbook = document.requireXml(part);
  const relations = [...document.readRelations(part)];
  const locate = (type: string) => relations.find(([, relation]) => relation.type === type)?.[1].target;
  const find = (type: string) => document.readXml(locate(type) ?? '');
  const texts = locate('sharedStrings');
  const shared: Workbook = {
    texts: texts === undefined ? [] : Array.from(document.requireLong(texts, 'si').elements, toRichText),
    styles: readStyles(find('styles'), find('theme')),
    ruleLooks: readRuleLooks(find('styles'), find('theme')),
    from1904: ['1', 'true'].includes(childAt(workbook, 'workbookPr')?.attributes.get('date1904') ?? ''),
  };
  const sheets = childrenOf(childAt(workbook, 'sheets'), 'sheet');
  const described = sheets.map((sheet, index) => {
    const [, id = ''] = [...sheet.attributes].find(([key]) => key.endsWith(':id')) ?? [];
    const target = new Map(relations).get(id)?.target ?? '';
    const title = `# Sheet ${JSON.stringify(sheet.attributes.get('name') ?? '')} (${index + 1} of ${sheets.length})`;
    const hidden = (sheet.attributes.get('state') ?? 'visible') === 'visible' ? '' : ', hidden';
    const described = describeSheet(document.requireLong(target, 'row'), shared, findComments(document, target));
    return `${title}${hidden}\n${described}`;
  });
  return { text: [...described, ...describeParts(document, name)].join('\n\n') };
}

/** Comments by the cell that they belong to. */
function findComments(document: OfficePackage, sheet: string): ReadonlyMap<string, string> {
  const part = [...document.readRelations(sheet).values()].find(({ type }) => type === 'comments')?.target;
  const comments = part === undefined ? [] : allWithin(document.readXml(part), 'comment');
  return new Map(
    comments.map((comment) => {
      const text = allWithin(childAt(comment, 'text'), 't').map(textOf).join('');
      return [comment.attributes.get('ref') ?? '', text];
    }),
  );
}

function describeParts(document: OfficePackage, name: string): readonly string[] {
  const charts = document.names.filter((part) => /^xl\/charts\/chart\d*\.xml$/.test(part)).length;
  return [
    ...listPictures(document, name),
    ...(charts === 0 ? [] : [`Charts, whose figures are in the cells: ${charts}`]),
  ];
}
