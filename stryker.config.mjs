import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default {
  plugins: ['./scripts/mutation/runner.ts'],
  testRunner: 'rules',
  coverageAnalysis: 'perTest',
  mutate: [
    'src/catalog/{merchants,offers}/**/*.ts',
    '!src/catalog/{merchants,offers}/**/*.test.ts',
    '!src/catalog/{merchants,offers}/{index,types}.ts',
    'src/catalog/allowances/{holds,hold-index,periods,slots}.ts',
    'src/purchases/transactions/replay/replay.ts',
    'src/purchases/transactions/fold/*.ts',
    '!src/purchases/transactions/fold/*.test.ts',
  ],
  // Copies only the code, its tests and the files they read. Leaves out tsconfig.json, because TypeScript 7 has no
  // library that could read it.
  ignorePatterns: ['/web', '/reports', '/.laurel', '/tsconfig.json'],
  tempDirName: join(tmpdir(), 'laurel-mutation'),
  cleanTempDir: 'always',
  concurrency: 1,
  // An infinite loop is detected by its iteration count long before this. The long timeout is for slow and loaded
  // machines.
  timeoutMS: 60_000,
  disableTypeChecks: false,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
}
