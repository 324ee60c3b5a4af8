import { command } from './setup.mjs'

await command(import.meta.url, async (args) => (await import('./prove.ts')).runProof(args))
