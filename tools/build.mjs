import { command } from './setup.mjs'

await command(import.meta.url, async () => (await import('./page-build.ts')).build())
