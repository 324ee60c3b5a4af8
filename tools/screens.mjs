import { fileURLToPath } from 'node:url'
import { command } from './setup.mjs'

await command(fileURLToPath(import.meta.url), async () => {
  const { photographScreens } = await import('./screens.ts')
  return photographScreens(process.argv.slice(2))
})
