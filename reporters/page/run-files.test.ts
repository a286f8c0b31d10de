import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findFiles, readPicture } from './run-files.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

test('files are those that the run has logged and that are still there', () => {
  const folder = makeFolder({ 'run/x': '', 'a/b.png': PNG });
  expect(findFiles(`${folder}/run`, ['../a/b.png', '../a/c.png'], ['b.png', 'c.png', 'd'])).toEqual(
    [{ name: 'b.png', path: '../a/b.png' }, { name: 'c.png' }, { name: 'd' }],
  );
  expect(findFiles(folder, [], undefined)).toEqual([]);
});

test.each([
  ['a.png', PNG, 'image/png'],
  ['a.JPG', Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
  ['a.gif', 'GIF89a', 'image/gif'],
  ['a.webp', 'RIFF0000WEBPVP8 ', 'image/webp'],
  // A picture that a record contains has a name without an ending.
  ['0123abcd', PNG, 'image/png'],
  ['a.png', '<svg onload=alert(1)>', undefined],
  ['a.svg', '<svg/>', undefined],
  ['a.txt', PNG, undefined],
  ['a.png', '', undefined],
  ['a.png', Buffer.concat([PNG, Buffer.alloc(5_000_000)]), undefined],
])('%s is a picture by its name, size and first bytes', (name, content, type) => {
  const folder = makeFolder({ [name]: content });
  expect(readPicture(folder, { name, path: name })?.type).toBe(type);
});
