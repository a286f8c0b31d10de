import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { toResult } from '../../src/figures/result.fixture.ts';
import { Workdir } from '../../src/run/workdir.ts';
import { toTracePath } from '../../src/store/run-folder.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { readAttachment } from '../../src/tools/read-attachment.ts';
import { hostileText, TRAPS } from '../hostile/hostile-text.ts';
import { makeFolder } from '../make-folder.ts';
import { makeZip } from '../make-zip.ts';

const SIGNAL = new AbortController().signal;

describe('a file name in a call of a tool', () => {
  const folder = makeAttachments();
  const attachments = [
    { name: 'attachment-1.csv', path: join(folder, 'in/a.csv') },
    { name: 'attachment-2.zip', path: join(folder, 'in/b.zip') },
  ];
  const context = { signal: SIGNAL, attachments };

  const names = [
    '../secret.txt',
    '/etc/passwd',
    join(folder, 'secret.txt'),
    join(folder, 'in/a.csv'),
    'a.csv',
    './attachment-1.csv',
    'ATTACHMENT-1.CSV',
    'attachment-1.csv/../../secret.txt',
    'attachment-1.csv\0',
    'attachment-2.zip/../../secret.txt',
    'attachment-2.zip/../attachment-1.csv',
    'attachment-2.zip//etc/passwd',
    'attachment-2.zip/up/../../../secret.txt',
    'attachment-2.zip/folder',
    'file:///etc/passwd',
    '__proto__',
    '-',
    ...TRAPS.filter((text) => text !== ''),
  ];

  test('reads nothing but what is attached', async () => {
    for (const name of names) {
      const read = readAttachment.run(new Map([['name', name]]), context);
      await expect(read, name).rejects.toThrow(
        /there is no attachment|has no file|not a complete ZIP/,
      );
    }
  });

  test('reads a link in an archive as the text that it is', async () => {
    const read = await readAttachment.run(new Map([['name', 'attachment-2.zip/link']]), context);
    expect(read).toContain('/etc/passwd');
    expect(read).not.toContain('root:');
  });
});

/** A folder with a secret beside the attachments; made once for several tests. */
function makeAttachments(): string {
  const folder = mkdtempSync(join(tmpdir(), 'viva-'));
  mkdirSync(join(folder, 'in'), { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'in/a.csv'), 'a,b\n');
  writeFileSync(join(folder, 'in/b.zip'), makeLinkedZip());
  return folder;
}

/**
 * An archive with a name that leads out, and a member that Unix takes for a link to /etc/passwd.
 */
function makeLinkedZip(): Buffer {
  const zip = makeZip({ '../../escaped.txt': 'x', link: '/etc/passwd', 'up/..': 'x' });
  const entry = zip.lastIndexOf('link') - 46;
  zip.writeUInt8(3, entry + 5);
  zip.writeUInt32LE(0o120777 * 0x10000, entry + 38);
  return zip;
}

describe('a work folder', () => {
  test('has attachments of any name under plain names', async () => {
    const source = makeFolder({ file: 'content' });
    await fc.assert(
      fc.asyncProperty(fc.array(hostileText, { minLength: 1, maxLength: 3 }), async (names) => {
        const workdir = new Workdir(names.map((name) => ({ name, path: join(source, 'file') })));
        for (const { name, path } of workdir.attachments) {
          expect(name).toMatch(/^attachment(-\d)?(\.[A-Za-z0-9]{1,10})?$/);
          expect(dirname(path)).toBe(workdir.path);
          expect(readFileSync(path, 'utf8')).toBe('content');
        }
        await workdir.remove();
      }),
      { numRuns: 50 },
    );
  });
});

describe('the file of a trace', () => {
  test('is in the run folder, whatever suite, agent and id are called', () => {
    const runFolder = makeFolder();
    const names = fc.record({
      suite: hostileText,
      agent: hostileText,
      id: hostileText,
      trial: fc.integer({ min: 1 }),
    });
    fc.assert(
      fc.property(names, (result) => {
        const path = resolve(runFolder, toTracePath(result));
        expect(dirname(dirname(dirname(path)))).toBe(join(runFolder, 'traces'));
        expect(basename(path)).toMatch(/^[A-Za-z0-9.-]{1,60}-[0-9a-f]{8}\.\d+\.json$/);
        expect(toTracePath(result).split('/')).not.toContain('..');
      }),
    );
  });

  test('differs for ids that differ only in case or in how a letter is composed', () => {
    const ids = [
      'a',
      'A',
      'é',
      'e\u0301',
      'É',
      'ﬁ',
      'fi',
      'ß',
      'ss',
      'a/b',
      'a\\b',
      'a b',
      'a\0b',
      'a.',
      'a',
      '',
    ];
    const paths = new Set(
      ids.map((id) => toTracePath({ suite: 'gaia', agent: 'x', id, trial: 1 }).toLowerCase()),
    );
    expect(paths.size).toBe(new Set(ids).size);
    const runFolder = makeFolder();
    for (const id of ['x'.repeat(100_000), '.'.repeat(100_000)]) {
      const file = new RunWriter(runFolder).trace(toResult('correct', { id }), { steps: [] });
      expect(JSON.parse(readFileSync(file, 'utf8')).id).toBe(id);
    }
  });
});
