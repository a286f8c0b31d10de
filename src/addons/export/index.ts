export { type ExportedRun, readExportedRun } from './exported-run.ts';
export { writeInspectLogs } from './inspect-log.ts';
export { type Collector, describe, sendSpans } from './otlp-client.ts';
export { listSpans } from './otlp-spans.ts';
