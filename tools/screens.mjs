// npm run screens: takes pictures of every screen in every language; npm run screens -- mails: of every mail in every language.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async (args) =>
  args[0] === 'mails'
    ? (await import('./screens/mail-pictures.ts')).takeMailPictures()
    : (await import('./screens/screenshots.ts')).takeScreenshots(args),
)
