import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createFetchPage } from '../../src/tools/web/fetch-page.ts';
import type { WebAccess } from '../../src/tools/web/request-page.ts';
import { html, redirect, startSite } from '../page-site.ts';

const SIGNAL = new AbortController().signal;

async function fetchPage(url: string, access: Partial<WebAccess> = {}): Promise<string> {
  return String(
    await createFetchPage(access).run(new Map([['url', url]]), { signal: SIGNAL, attachments: [] }),
  );
}

/** A resolver that must not be asked. */
const unasked: Partial<WebAccess> = {
  resolve: (hostname) => {
    throw new Error(`${hostname} was looked up`);
  },
};

describe('fetch_page refuses without a look-up', () => {
  test.each([
    ['http://①②⑦.0.0.1/', 'digits in circles'],
    ['http://0x7f.0x0.0x0.0x1/', 'hexadecimal parts'],
    ['http://017700000001/', 'one octal number'],
    ['http://0000000177.0.0.1/', 'leading zeros, which mean octal'],
    ['http://10.0.0.1:80/', 'a port'],
    ['http:\\\\127.0.0.1\\', 'backslashes'],
    ['ht\ntp://127.0.0.1/', 'a line break inside'],
    ['http://127.0.0.1%2f@/', 'an escaped slash'],
    ['http://[::ffff:10.0.0.1]/', 'IPv4 inside IPv6'],
    ['http://[fe80::1%25eth0]/', 'a zone'],
    ['http://user@127.0.0.1/', 'a user'],
    ['http://example.org:pass@127.0.0.1/', 'a user who looks like a host'],
    ['data:text/html,hello', 'an address with its own content'],
    ['javascript:alert(1)', 'a script'],
    ['//127.0.0.1/', 'no scheme'],
    ['unix:/var/run/docker.sock', 'a socket'],
    [`http://example.org/${'test'.repeat(2_000)}`, 'an address without end'],
  ])('%j (%s)', async (url) => {
    const message =
      /not on the public internet|is not an http|user or password|an address of \d+ characters/;
    await expect(fetchPage(url, unasked)).rejects.toThrow(message);
  });
});

describe('fetch_page connects to no address but an allowed one', () => {
  test.each([
    ['a private address', ['10.1.2.3']],
    ['IPv4 inside IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1']],
    ['what is not an address', ['localhost', '', '127.1', '0x7f000001']],
    ['no address', []],
  ])('where DNS answers with %s', async (_, addresses) => {
    const inner = await startSite({ '/': html('secret') });
    const answers = addresses.map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    const access: Partial<WebAccess> = {
      resolve: (_name, _options, callback) => callback(null, answers),
    };
    const fetched = fetchPage(`http://public.test:${inner.port}/`, access);
    await expect(fetched).rejects.toThrow('not on the public internet');
    expect(inner.seen).toEqual([]);
  });

  test('where each redirect is to a name that DNS moves inside', async () => {
    const inner = await startSite({ '/secret': html('secret') });
    const outer = await startSite({
      '/scheme-relative': redirect(`//moved.test:${inner.port}/secret`),
      '/user': redirect(`http://x@moved.test:${inner.port}/secret`),
      '/data': redirect('data:text/plain,secret'),
      '/broken': redirect('http://[::1/secret'),
    });
    const access: Partial<WebAccess> = {
      isAllowed: (address) => address === '127.0.0.1',
      resolve: (name, _, callback) =>
        callback(null, [{ address: name === 'moved.test' ? '127.0.0.2' : '127.0.0.1', family: 4 }]),
    };
    for (const path of ['scheme-relative', 'user', 'data', 'broken']) {
      const fetched = fetchPage(`http://outer.test:${outer.port}/${path}`, access);
      await expect(fetched).rejects.toThrow(
        /not on the public internet|user or password|is not an http/,
      );
    }
    expect(inner.seen).toEqual([]);
  });

  test('where the environment names a proxy', async () => {
    const proxy = await startSite({ '/': html('through the proxy') });
    const script = `import { createFetchPage } from './src/tools/web/fetch-page.ts';
const signal = new AbortController().signal;
const resolve = (_, __, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]);
const run = createFetchPage({ resolve }).run(new Map([['url', 'http://public.test/']]), { signal, attachments: [] });
console.log(await run.catch((error) => error.message));`;
    const proxies = {
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      HTTPS_PROXY: proxy.url,
      ALL_PROXY: proxy.url,
    };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...proxies, NODE_USE_ENV_PROXY: '1', NO_PROXY: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([readAll(child.stdout), once(child, 'close')]);
    expect(output).toContain('"public.test" is not on the public internet');
    expect(proxy.seen).toEqual([]);
  });
});
