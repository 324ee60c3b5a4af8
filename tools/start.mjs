import { command } from './setup.mjs'

await command(import.meta.url, async (args) => (await import('./up.ts')).up(args))
