import { command } from './setup/setup.mjs'

await command(import.meta.url, async (args) => (await import('./run/up.ts')).up(args))
