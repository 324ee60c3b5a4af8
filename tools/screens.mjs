import { command } from './setup.mjs'

await command(import.meta.url, async (args) => (await import('./screens.ts')).photographScreens(args))
