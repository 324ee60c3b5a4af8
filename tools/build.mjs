import { fileURLToPath } from 'node:url'
import { command } from './setup.mjs'

await command(fileURLToPath(import.meta.url), async () => {
  const { build } = await import('./page-build.ts')
  return build()
})
