// npm run build: builds the page into dist/.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async () => (await import('./build/page-build.ts')).runBuild())
