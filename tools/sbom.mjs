// npm run sbom: writes dist/sbom.cdx.json (CycloneDX) and docs/licences.md.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async () => (await import('./release/write-sbom.ts')).writeSbom())
