import { command } from './setup/setup.mjs'

await command(import.meta.url, async (args) => (await import('./screens/screens.ts')).photographScreens(args))
