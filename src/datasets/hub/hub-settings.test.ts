import { describe, expect, test } from 'vitest';
import { readHubSettings } from './hub-settings.ts';

describe('readHubSettings', () => {
  test.each<[string, Record<string, string>, string]>([
    ['HF_HUB_CACHE', { HF_HUB_CACHE: '/c', HF_HOME: '/h', HOME: '/u' }, '/c'],
    ['HUGGINGFACE_HUB_CACHE', { HUGGINGFACE_HUB_CACHE: '/c', HF_HOME: '/h', HOME: '/u' }, '/c'],
    ['HF_HOME', { HF_HOME: '/h', XDG_CACHE_HOME: '/x', HOME: '/u' }, '/h/hub'],
    ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/x', HOME: '/u' }, '/x/huggingface/hub'],
    ['HOME', { HOME: '/u' }, '/u/.cache/huggingface/hub'],
    ['a leading ~', { HF_HOME: '~/h', HOME: '/u' }, '/u/h/hub'],
    ['no empty value', { HF_HUB_CACHE: ' ', HF_HOME: '/h' }, '/h/hub'],
  ])('finds the cache by %s', (_, env, cacheDir) => {
    expect(readHubSettings(env).cacheDir).toBe(cacheDir);
  });

  test.each<[Record<string, string>, string | null]>([
    [{}, null],
    [{ HF_TOKEN: '' }, null],
    [{ HF_TOKEN: ' hf_a\n', HF_API_TOKEN: 'hf_b' }, 'hf_a'],
    [{ HUGGING_FACE_HUB_TOKEN: 'hf_a' }, 'hf_a'],
    [{ HUGGINGFACEHUB_API_TOKEN: 'hf_a' }, 'hf_a'],
    [{ HF_API_TOKEN: 'hf_a' }, 'hf_a'],
  ])('finds in %j the token %j', (env, token) => {
    expect(readHubSettings(env).token).toBe(token);
  });

  test.each([
    [undefined, false],
    ['0', false],
    ['1', true],
    ['true', true],
    ['ON', true],
  ])('takes HF_HUB_OFFLINE=%s as %j', (value, offline) => {
    expect(readHubSettings({ HF_HUB_OFFLINE: value }).offline).toBe(offline);
  });

  test('takes another address of the Hub', () => {
    expect(readHubSettings({}).url).toBe('https://huggingface.co');
    expect(readHubSettings({ HF_ENDPOINT: 'http://127.0.0.1:9/' }).url).toBe('http://127.0.0.1:9');
  });
});
