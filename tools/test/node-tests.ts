// node tools/test/node-tests.ts file… runs test files, prints what failed and sends the counts to whoever started it.
import { availableParallelism } from 'node:os'
import { run } from 'node:test'
import { report } from './report.ts'

const fileLimitMs = 180_000

/** One more than there are cores: many tests wait for processes, leases and deadlines. */
const concurrency = availableParallelism() + 1

const events = run({ files: process.argv.slice(2), concurrency, timeout: fileLimitMs })
const counts = await report(events, (text) => process.stdout.write(text))
process.send?.(counts)
process.exitCode = counts.failed > 0 ? 1 : 0
process.disconnect?.()
