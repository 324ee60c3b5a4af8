// npm run openapi: writes docs/openapi.json, the OpenAPI document of the merchant API.
import { runCommand } from './setup/setup.mjs'

await runCommand(import.meta.url, async () => (await import('./build/openapi-file.ts')).writeOpenApiFile())
