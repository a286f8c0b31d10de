import { defineConfig } from 'vitest/config';
import { viva } from 'viva/vitest';

// Name models of yours here, such as 'openai:gpt-5-mini', or in EVAL_JUDGE and EVAL_USER.
const defaults = { judges: 'module:./stubs/judge.ts', user: 'module:./stubs/customer.ts' };

export default defineConfig({ plugins: [viva({ defaults })] });
