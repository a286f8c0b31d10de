import { readHubSettings } from '../../src/data/hub/hub-source.ts';
import { loadGaia } from '../../src/data/load.ts';

// Run as a process of its own by kill-download.test.ts: downloads all of a split and ends with 0.
const hub = { ...readHubSettings(process.env), retries: { times: 0, pauseMs: 0 } };
const dataset = await loadGaia({ path: process.argv[2] ?? '', hub });
await dataset.fetch?.(dataset.samples);
