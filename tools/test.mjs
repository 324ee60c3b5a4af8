import { fileURLToPath } from 'node:url'
import { command } from './setup.mjs'

await command(fileURLToPath(import.meta.url), async () => {
  const { runStages } = await import('./run-stages.ts')
  return runStages(process.argv.slice(2))
})
