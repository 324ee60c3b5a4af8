// Test runner process: node tools/test/node-tests.ts file… runs test files, prints what failed and sends the counts to its
// parent.
import { availableParallelism } from 'node:os'
import { run } from 'node:test'
import { reportTests } from './test-report.ts'

/** For a test that hangs. The longest takes a minute on two free cores; a machine that is busy with other work is no failure. */
const FILE_TIMEOUT_MS = 420_000

/** One more than there are cores: many tests wait for processes, leases and deadlines. */
const CONCURRENCY = availableParallelism() + 1

const events = run({ files: process.argv.slice(2), concurrency: CONCURRENCY, timeout: FILE_TIMEOUT_MS })
const counts = await reportTests(events, (text) => process.stdout.write(text))
process.send?.(counts)
process.exitCode = counts.failed > 0 ? 1 : 0
process.disconnect?.()
