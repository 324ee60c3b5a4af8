// npm start, npm run dev: builds the page, then starts the sandbox and the server.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async (args) => (await import('./run/start.ts')).startServerAndSandbox(args))
