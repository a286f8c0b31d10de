import { describe, expect, test } from 'vitest';
import { explainWrite, WriteError, writing } from './write-error.ts';

const WAY = 'set EVAL_DIR to another folder';

const failed = (code: string, fields: object = {}) =>
  Object.assign(new Error(`${code}: it failed, open`), { code, syscall: 'open', ...fields });

describe('explainWrite', () => {
  test.each([
    ['ENOSPC', 'the disk is full', /^Free space there \("df -h".+\), or set EVAL_DIR/],
    ['EDQUOT', 'your disk quota is used up', /^Remove files of yours there, or set/],
    ['EFBIG', 'the file would be larger than it may be', /^Allow larger files \(ulimit -f\)$/],
    ['EROFS', 'the file system is read-only', /^Mount it so that it can be written, or set/],
    ['EACCES', 'you may not write there', /^Make that folder writable, or set/],
    ['EPERM', 'the system does not allow it', /^Make that folder writable, or set/],
    [
      'EMFILE',
      'the process has too many files open',
      /^Allow more \(ulimit -n\) or lower [A-Z_]+$/,
    ],
    ['ENFILE', 'the machine has too many files open', /^End other programs$/],
    ['ENOENT', 'its folder does not exist', /^Make that folder, or set/],
    ['ENOTDIR', 'a file is where a folder is needed', /^Move that file away, or set/],
    ['EEXIST', 'something else has that name', /^Move it away, or set/],
    ['EISDIR', 'a folder has that name', /^Move it away, or set/],
    ['ENAMETOOLONG', 'the path is too long', /^Use a shorter one, or set/],
    ['ELOOP', 'symbolic links in its path form a loop', /^Correct them, or set/],
    ['EBUSY', 'another program uses it', /^End that program, or set/],
    ['EIO', 'the disk has failed', /^Check it, or set/],
  ])('gives %s its own remedy, also as a cause', (code, why, remedy) => {
    const explained = { why: `${why} (${code})`, remedy: expect.stringMatching(remedy) };
    expect(explainWrite(failed(code), WAY)).toEqual(explained);
    const error = new Error('it cannot go on', { cause: new WriteError('/x/y', failed(code)) });
    expect(explainWrite(error, WAY)).toEqual(explained);
  });

  test.each([
    [failed('EODD'), 'EODD: it failed, open'],
    [failed('toString'), 'toString: it failed, open'],
    ['a text', 'a text'],
  ])('repeats the message of another error: %s', (error, why) => {
    expect(explainWrite(error)).toEqual({ why, remedy: 'Check the disk' });
  });
});

describe('writing', () => {
  test.each([
    ['the file', { path: '/x/y' }],
    ['a file that is open', {}],
  ])('names what cannot be written when a call on %s fails', (_, fields) => {
    const write = () => {
      throw failed('ENOSPC', fields);
    };
    const message = '/x/y cannot be written: the disk is full (ENOSPC). Free space there';
    expect(() => writing('/x/y', write)).toThrow(
      expect.objectContaining({ code: 'ENOSPC', message: expect.stringContaining(message) }),
    );
  });

  test.each([
    failed('ENOENT', { path: '/x/source' }),
    failed('EIO', { syscall: 'read' }),
    new RangeError('Invalid string length'),
  ])('leaves an error of what is written: %s', (error) => {
    const write = () => {
      throw error;
    };
    expect(() => writing('/x/y', write)).toThrow(error);
  });
});
