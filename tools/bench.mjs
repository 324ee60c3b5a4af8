// npm run bench: measures one part of the program beside its limit and writes the figures to docs/bench.json.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async (args) => (await import('../bench/bench.ts')).runBench(args))
