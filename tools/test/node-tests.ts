// Test runner process: node tools/test/node-tests.ts file… runs test files one after the other in this process, sends its
// parent which test runs and what failed, and then the counts. What the tests print themselves goes to stdout.
import asyncHooks from 'node:async_hooks'
import { reportTests } from './test-report.ts'

/** For a test that hangs. The longest takes a minute on two free cores; a machine that is busy with other work is no failure. */
const TEST_TIMEOUT_MS = 240_000

// The parent ends this process when it has heard nothing for long. Node's runner waits for all that a test has left open.
process.once('SIGTERM', () => {
  process.stdout.write(`open: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
})

/**
 * Node's test runner, with its asynchronous hook on everything but promises: on promises too, the hook takes a quarter of the CPU
 * time of the server's tests. The runner uses it to tell which test is running, so groups and late errors are still found.
 */
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
const { run } = await import('node:test')
asyncHooks.createHook = createHook

const events = run({ files: process.argv.slice(2), isolation: 'none', timeout: TEST_TIMEOUT_MS })
const counts = await reportTests(events, {
  line: (line) => process.send?.({ line }),
  running: (running) => process.send?.({ running }),
})
process.send?.(counts)
process.exitCode = counts.failed > 0 ? 1 : 0
process.disconnect?.()
