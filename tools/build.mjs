import { command } from './setup/setup.mjs'

await command(import.meta.url, async () => (await import('./build/page-build.ts')).build())
