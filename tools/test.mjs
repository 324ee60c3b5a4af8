import { command } from './setup.mjs'

await command(import.meta.url, async (args) => (await import('./run-stages.ts')).runStages(args))
