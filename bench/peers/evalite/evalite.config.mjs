import { defineConfig } from 'evalite/config';
import { createInMemoryStorage } from 'evalite/in-memory-storage';

// Its default is SQLite, which takes longer.
export default defineConfig({
  storage: () => createInMemoryStorage(),
  maxConcurrency: 20,
  hideTable: true,
});
