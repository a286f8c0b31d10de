import { readdirSync, realpathSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readRegular } from '../../src/data/files/read-file.ts';
import { compareRuns, readComparedRun } from '../../src/figures/compare-runs.ts';
import { pathWithin, tryOrUndefined } from '../../src/words/show.ts';
import { messageOf } from '../../src/words/thrown.ts';
import type { LabelPage, RunEntry, WantedLabels } from './data.ts';
import { renderDocument } from './document.ts';
import { toPageRunComparison } from './head.ts';
import { html } from './markup.ts';
import { readPicture } from './run-files.ts';
import { isRunName, listRunNames, readRunEntry, stampRun } from './run-list.ts';
import { toShownJson } from './shown-json.ts';
import { ViewedRun, type ViewSettings } from './viewed-run.ts';

export type ViewOptions = ViewSettings &
  Readonly<{
    /** The folder of run folders. */
    runs: string;
    /** The port to listen on if it is free; 0 for any. */
    port: number;
    /** The answers of a run to label. Throws an Error whose message is shown. */
    listLabels: (folder: string, wanted: WantedLabels) => LabelPage;
  }>;

export type View = Readonly<{ url: string; close: () => Promise<void> }>;

/**
 * Serves the page and the runs of a folder to this machine alone. It reads files and writes none.
 * Rejects if it cannot listen.
 */
export async function serveView(options: ViewOptions): Promise<View> {
  const server = createServer(answerWith(new Viewer(options)));
  const port = await listen(server, options.port);
  return {
    url: `http://localhost:${port}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        // Pages hold connections on which they hear of changes.
        server.closeAllConnections();
      }),
  };
}

/** Another server may have the port: any free one will do. */
async function listen(server: Server, port: number): Promise<number> {
  const tryPort = (wanted: number) =>
    new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', fail);
        done();
      });
    });
  try {
    await tryPort(port);
  } catch (error) {
    if (port === 0) throw error;
    await tryPort(0);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Requests for a name that somebody else points at this machine are not for it. */
const OWN_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

const SAFE = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

function answerWith(viewer: Viewer) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { host = '', 'sec-fetch-site': site } = request.headers;
    const isOther = site === 'cross-site' && request.headers['sec-fetch-mode'] !== 'navigate';
    if (!OWN_HOST.test(host) || request.method !== 'GET' || isOther) {
      response.writeHead(403, SAFE).end('viva view answers its own page alone.');
      return;
    }
    try {
      viewer.answer(new URL(request.url ?? '/', 'http://localhost'), response);
    } catch (error) {
      const head = { ...SAFE, 'content-type': 'text/plain; charset=utf-8' };
      response.writeHead(404, head).end(messageOf(error));
    }
  };
}

/** Runs whose figures are kept: the one that is read, two that are compared, and one more. */
const MOST_KEPT = 4;

/** How many runs a part of the list has. */
const LISTED = 50;

/** How often changes are looked for, and the entry of a run that goes on is made again. */
const EVERY_MS = 1000;
const ENTRY_MS = 5000;

class Viewer {
  readonly #options: ViewOptions;
  readonly #page: string;
  readonly #kept = new Map<string, Readonly<{ stamp: string; run: ViewedRun }>>();
  readonly #entries = new Map<string, Readonly<{ stamp: string; at: number; entry: RunEntry }>>();

  constructor(options: ViewOptions) {
    this.#options = options;
    const plain = html`<p>This page needs JavaScript. Each run has its tables in summary.md and report.html.</p>`;
    this.#page = renderDocument({ title: 'viva', plain, isServed: true }).join('');
  }

  /** Answers a request, or throws an Error for what is not there. */
  answer({ pathname, searchParams: query }: URL, response: ServerResponse): void {
    if (pathname === '/') {
      response.writeHead(200, { ...SAFE, 'content-type': 'text/html; charset=utf-8' });
      response.end(this.#page);
      return;
    }
    // Browsers ask for it without being told.
    if (pathname === '/favicon.ico') {
      response.writeHead(204, SAFE).end();
      return;
    }
    const [, api, kind, name, part] = pathname.split('/').map(decode);
    if (api !== 'api') throw new Error('Not found.');
    if (kind === 'runs' && name !== undefined) this.#answerOfRun(name, part ?? '', query, response);
    else if (kind === 'runs') send(response, this.#list(query));
    else if (kind === 'compare') send(response, this.#compare(query));
    else if (kind === 'events') this.#tellOfRuns(response);
    else throw new Error('Not found.');
  }

  #answerOfRun(name: string, part: string, query: URLSearchParams, response: ServerResponse): void {
    const read = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
    if (read !== undefined) send(response, read(this.#read(name), query));
    else if (part === 'file') this.#sendFile(this.#read(name), query, response);
    // A saved file has the texts as they are.
    else if (part === 'labels') send(response, this.#listLabels(name, query), JSON.stringify);
    else if (part === 'events') this.#follow(name, toNumber(query, 'after'), response);
    else throw new Error('Not found.');
  }

  #folderOf(name: string | null): string {
    const folder = join(this.#options.runs, name ?? '');
    if (name === null || !isRunName(name) || !listRunNames(this.#options.runs).includes(name))
      throw new Error(`There is no run ${JSON.stringify(name)}.`);
    return folder;
  }

  /** A run as it is now; what was read is kept until one of its files changes. */
  #read(name: string): ViewedRun {
    const folder = this.#folderOf(name);
    const stamp = stampRun(folder);
    const known = this.#kept.get(name);
    const run = known?.stamp === stamp ? known.run : new ViewedRun(folder, this.#options);
    this.#kept.delete(name);
    this.#kept.set(name, { stamp, run });
    for (const old of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(old);
    return run;
  }

  #list(query: URLSearchParams): Readonly<{ runs: readonly RunEntry[]; more: boolean }> {
    const before = query.get('before') ?? '';
    const names = listRunNames(this.#options.runs).filter((name) => before === '' || name < before);
    return {
      runs: names.slice(0, LISTED).map((name) => this.#enter(name)),
      more: names.length > LISTED,
    };
  }

  #enter(name: string): RunEntry {
    const folder = join(this.#options.runs, name);
    const [stamp, now] = [stampRun(folder), Date.now()];
    const known = this.#entries.get(name);
    const isFresh = known !== undefined && now - known.at < ENTRY_MS;
    const isLive = known?.entry.state === 'running';
    if (known !== undefined && (isLive ? isFresh : known.stamp === stamp)) return known.entry;
    const entry = readRunEntry(folder);
    this.#entries.set(name, { stamp, at: now, entry });
    return entry;
  }

  #compare(query: URLSearchParams) {
    const [a, b] = ['a', 'b'].map((side) => this.#folderOf(query.get(side)));
    const [one, other] = [a, b].map((folder) => readComparedRun(folder ?? '', this.#options));
    if (one === undefined || other === undefined) throw new Error('Name two runs, a and b.');
    return toPageRunComparison(compareRuns(one, other));
  }

  #listLabels(name: string, query: URLSearchParams): LabelPage {
    const wanted = ['sample', 'seed', 'suite', 'criterion'] as const;
    const [sample = '', seed = '', suite = '', criterion = ''] = wanted.map(
      (key) => query.get(key) ?? '',
    );
    const isGated = query.get('gated') === '1';
    return this.#options.listLabels(this.#folderOf(name), {
      sample,
      seed,
      suite,
      criterion,
      isGated,
    });
  }

  #sendFile(run: ViewedRun, query: URLSearchParams, response: ServerResponse): void {
    const file = run.findFile(toNumber(query, 'question'), toNumber(query, 'index'));
    if (file?.path === undefined) throw new Error('The file is not there.');
    const picture = readPicture(run.folder, file);
    if (picture !== null) {
      response.writeHead(200, { ...SAFE, 'content-type': picture.type }).end(picture.bytes);
      return;
    }
    const path = resolve(run.folder, file.path);
    if (!this.#mayRead(path))
      throw new Error('The file is outside of this project: open it by its path.');
    // Saved, never shown: a file of a dataset may be a page with a script.
    const name = encodeURIComponent(basename(file.name));
    const head = {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    };
    response.writeHead(200, { ...SAFE, ...head }).end(readRegular(path));
  }

  /** Whether a file is in the working folder or in EVAL_DIR, also where a link leads elsewhere. */
  #mayRead(path: string): boolean {
    const real = tryOrUndefined(() => realpathSync(path));
    const roots = [process.cwd(), dirname(this.#options.runs)].map((root) =>
      tryOrUndefined(() => realpathSync(root)),
    );
    return (
      real !== undefined &&
      roots.some((root) => root !== undefined && pathWithin(root, real) !== null)
    );
  }

  #tellOfRuns(response: ServerResponse): void {
    const { runs } = this.#options;
    const look = () => {
      const names = tryOrUndefined(() => readdirSync(runs).sort().reverse()) ?? [];
      return [names.length, ...names.slice(0, 20).map((name) => stampRun(join(runs, name)))].join();
    };
    let before = look();
    listenFor(response, () => {
      const now = look();
      if (now !== before) tell(response, 'changed', null);
      before = now;
    });
  }

  /** Sends the rows of a run after the first `seen`, until it ends or plans another suite. */
  #follow(name: string, seen: number, response: ServerResponse): void {
    const run = this.#read(name);
    const rows = run.follow(seen);
    const planned = stampRun(run.folder).split(',')[0];
    response.on('close', () => rows.close());
    const stop = listenFor(response, () => {
      const fresh = rows.readMore();
      if (fresh.length > 0) tell(response, 'answers', run.toFresh(fresh));
      const isPlanned = stampRun(run.folder).split(',')[0] === planned;
      if (isPlanned && this.#enter(name).state === 'running') return;
      tell(response, 'changed', null);
      stop();
    });
  }
}

/** What is sent of a run under its address. */
const PARTS: Readonly<Record<string, (run: ViewedRun, query: URLSearchParams) => unknown>> = {
  '': (run) => run.head,
  answers: (run) => run.listAnswers(),
  texts: (run, query) => run.readTexts(toNumber(query, 'from')),
  talk: (run, query) =>
    run.readTalk(toNumber(query, 'question'), toNumber(query, 'variant'), toNumber(query, 'trial')),
};

function decode(text: string): string {
  return tryOrUndefined(() => decodeURIComponent(text)) ?? '';
}

function toNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`"${name}" must be a number, got ${JSON.stringify(text)}.`);
}

function send(
  response: ServerResponse,
  value: unknown,
  write: (value: unknown) => string = toShownJson,
): void {
  const head = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  response.writeHead(200, { ...SAFE, ...head });
  // On one machine time counts more than bytes.
  response.end(gzipSync(write(value), { level: 1 }));
}

/** Looks each second, until the page is closed or the function that it returns is called. */
function listenFor(response: ServerResponse, look: () => void): () => void {
  response.writeHead(200, { ...SAFE, 'content-type': 'text/event-stream' });
  response.write('retry: 2000\n\n');
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // A run that is removed while it is looked at is told by the list of runs.
      tell(response, 'changed', null);
      clearInterval(timer);
    }
  }, EVERY_MS);
  response.on('close', () => clearInterval(timer));
  return () => clearInterval(timer);
}

function tell(response: ServerResponse, event: string, data: unknown): void {
  response.write(`event: ${event}\ndata: ${toShownJson(data)}\n\n`);
}
