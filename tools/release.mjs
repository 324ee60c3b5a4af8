// npm run release: writes dist/kaikei-<version>-<platform>.tar.gz, which starts on a machine without npm.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async () => (await import('./release/build-release.ts')).runRelease())
