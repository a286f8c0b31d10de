import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Stopwatch } from '../processes/stopwatch.ts';
import { Interrupted } from '../words/answer.ts';
import { withDeadline } from './deadline.ts';

describe('withDeadline', () => {
  test('drops a late result, and a late error', async () => {
    const late = withDeadline(new Stopwatch(), 10, new AbortController().signal, async () => {
      await sleep(30);
      throw new Error('too late');
    });
    await expect(late).rejects.toMatchObject({
      kind: 'timed_out',
      message:
        'No answer within 0.01 s. If the agent may take longer, raise EVAL_TIMEOUT, or "timeoutSeconds" of the suite.',
    });
    // An unhandled rejection of the late work would fail this file.
    await sleep(40);
  });

  test('aborts its signal, and ends at once when the run is cancelled, whatever the work does', async () => {
    const cancel = new AbortController();
    const signals: AbortSignal[] = [];
    const pending = withDeadline(new Stopwatch(), 10_000, cancel.signal, (signal) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    });
    cancel.abort();
    await expect(pending).rejects.toBeInstanceOf(Interrupted);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('calls nothing in a run that was cancelled before', async () => {
    const work = vi.fn(async () => 'asked');
    const ended = withDeadline(new Stopwatch(), 1000, AbortSignal.abort(), work);
    await expect(ended).rejects.toMatchObject({ reason: 'interrupted' });
    expect(work).not.toHaveBeenCalled();
  });

  const compute = () => {
    const end = performance.now() + 60;
    while (performance.now() < end);
  };

  const failLate = () => {
    compute();
    throw new Error('too late');
  };

  test.each([
    ['computes', compute],
    ['fails then', failLate],
  ])(
    'ends what blocks the event loop beyond the deadline as late, where it %s',
    async (_, block) => {
      const late = withDeadline(new Stopwatch(), 30, never, async () => {
        await sleep(5);
        block();
        return '17';
      });
      await expect(late).rejects.toMatchObject({ kind: 'timed_out' });
    },
  );

  test('works where an agent replaces the timers and clocks of its process', async () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers();
    const late = withDeadline(new Stopwatch(), 20, never, () => new Promise<never>(() => {}));
    await expect(late).rejects.toMatchObject({ kind: 'timed_out' });
  });
});

const never = new AbortController().signal;
