import { fileURLToPath } from 'node:url'
import { command } from './setup.mjs'

await command(fileURLToPath(import.meta.url), async () => {
  const { up } = await import('./up.ts')
  return up(process.argv.slice(2))
})
