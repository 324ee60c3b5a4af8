import { command } from './setup/setup.mjs'

await command(import.meta.url, async (args) => (await import('./prove/prove.ts')).runProof(args))
