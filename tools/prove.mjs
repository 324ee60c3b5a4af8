// npm run prove: runs one long proof and writes its figures to docs/proof.json.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async (args) => (await import('./prove/prove.ts')).runProof(args))
