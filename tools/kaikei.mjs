// npm run kaikei: an operator’s commands beside a running server.
import { runCommand } from './setup/setup.mjs'

const FAILED_EXIT_CODE = 2

await runCommand(import.meta.url, async (args) => (await import('./run/kaikei.ts')).runKaikei(args), FAILED_EXIT_CODE)
