import { fileURLToPath } from 'node:url'
import { command } from './setup.mjs'

await command(fileURLToPath(import.meta.url), async () => {
  const { runProof } = await import('./prove.ts')
  return runProof(process.argv.slice(2))
})
