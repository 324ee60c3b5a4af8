// npm test: runs the test stages in order.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async (args) => (await import('./test/run-stages.ts')).runStages(args))
