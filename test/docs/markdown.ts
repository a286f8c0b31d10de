/**
 * A fenced block. What follows the language on its first line says what a test does with it;
 * readers do not see it.
 */
export type Block = {
  readonly language: string;
  /** `file=NAME`: written there. `run` (with `exit=N`): run by bash. `install`: the page is for
   * a repository of its own, and this is how viva gets there. `shown`: what the last run printed.
   * `clone`: only for a clone of viva. */
  readonly marks: ReadonlyMap<string, string>;
  readonly text: string;
};

const FENCE = /^ *```(\w+)?([^\n`]*)\n([\s\S]*?)^ *```$/gm;

export function findBlocks(page: string): readonly Block[] {
  return [...page.matchAll(FENCE)].map(([, language = '', marks = '', text = '']) => ({
    language,
    marks: new Map(marks.split(' ').flatMap((mark) => (mark === '' ? [] : [splitMark(mark)]))),
    text,
  }));
}

function splitMark(mark: string): [string, string] {
  const [name = '', ...value] = mark.split('=');
  return [name, value.join('=')];
}

/** The page without its fenced blocks. */
function prose(page: string): string {
  return page.replaceAll(FENCE, '');
}

/** Code between single backticks outside the blocks. */
export function findCode(page: string): readonly string[] {
  return [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) =>
    code.replaceAll('\\|', '|'),
  );
}

/** The targets of links and pictures. */
export function findLinks(page: string): readonly string[] {
  return [...prose(page).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
}

/** The anchors of a page's headings, as GitHub makes them. */
export function findAnchors(page: string): readonly string[] {
  return [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => {
    const kept = title.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
    return kept.replaceAll(' ', '-');
  });
}
