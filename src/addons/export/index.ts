export { type Publisher, writeEveryEvalEver } from './every-eval-ever.ts';
export { type ExportedRun, readExportedRun } from './exported-run.ts';
export { writeHubResults } from './hub-results.ts';
export { writeInspectLogs } from './inspect-log.ts';
export { type Collector, nameCollector, sendSpans } from './otlp-client.ts';
export { listSpans } from './otlp-spans.ts';
