import { command } from './setup/setup.mjs'

await command(import.meta.url, async (args) => (await import('./test/run-stages.ts')).runStages(args))
