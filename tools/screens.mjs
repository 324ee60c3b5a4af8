// npm run screens: takes screenshots of every screen in every language.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async (args) => (await import('./screens/screenshots.ts')).takeScreenshots(args))
