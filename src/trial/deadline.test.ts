import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../types.ts';
import { Interrupted, withDeadline } from './deadline.ts';

const never = new AbortController().signal;

describe('withDeadline', () => {
  test('gives what the work gives', async () => {
    await expect(withDeadline(1000, never, async () => 'done')).resolves.toBe('done');
  });

  test('passes on what the work throws, also when it throws at once', async () => {
    const thrown = withDeadline(1000, never, () => {
      throw new Error('broken');
    });
    await expect(thrown).rejects.toThrow('broken');
  });

  test('aborts the signal at the deadline', async () => {
    let seen: unknown;
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          seen = signal.reason;
          reject(signal.reason);
        });
      });
    await expect(withDeadline(20, never, work)).rejects.toMatchObject({ kind: 'timed_out' });
    expect(seen).toBeInstanceOf(AgentError);
  });

  test('settles although the work ignores its signal and never settles', async () => {
    await expect(withDeadline(20, never, () => new Promise<never>(() => {}))).rejects.toThrow(
      'No answer within 0.02 s',
    );
  });

  test('drops what the work settles to late, an error included', async () => {
    const late = withDeadline(10, never, async () => {
      await sleep(30);
      throw new Error('too late');
    });
    await expect(late).rejects.toMatchObject({ kind: 'timed_out' });
    // An unhandled rejection of the late work would fail this file.
    await sleep(40);
  });

  test('ends at once when the run is cancelled', async () => {
    const cancel = new AbortController();
    const pending = withDeadline(10_000, cancel.signal, () => new Promise<never>(() => {}));
    cancel.abort();
    await expect(pending).rejects.toBeInstanceOf(Interrupted);
  });

  test('does not wait in a run that was cancelled before', async () => {
    const pending = withDeadline(10_000, AbortSignal.abort(), () => new Promise<never>(() => {}));
    await expect(pending).rejects.toBeInstanceOf(Interrupted);
  });
});
