// Test runner process: node tools/test/node-tests.ts file… runs test files one after the other in this process, sends its
// parent which test runs and what failed, and then the counts. What the tests print themselves goes to stdout.
import asyncHooks from 'node:async_hooks'
import { inspect } from 'node:util'
import { reportTests } from './test-report.ts'
import { wakeThreadPool } from './wake-thread-pool.ts'

wakeThreadPool()

// The parent ends this process when it has heard nothing for long. Node's runner waits for all that a test has left open.
process.once('SIGTERM', () => {
  process.stdout.write(`open: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
})

/**
 * Node's test runner, with its asynchronous hook on everything but promises: on promises too, the hook takes a quarter of the CPU
 * time of the server's tests. The runner uses it to tell which test is running: groups and late errors are still found, but an
 * error that nobody awaits is not told to its test, which may wait for ever for what it has prevented. So it is sent at once.
 */
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
const { run } = await import('node:test')
asyncHooks.createHook = createHook

process.on('unhandledRejection', (error) => process.send?.({ line: `  ✖ nobody awaited: ${inspect(error)}` }))
const events = run({ files: process.argv.slice(2), isolation: 'none' })
const counts = await reportTests(events, {
  line: (line) => process.send?.({ line }),
  running: (running) => process.send?.({ running }),
})
process.send?.(counts)
process.exitCode = counts.failed > 0 ? 1 : 0
process.disconnect?.()
