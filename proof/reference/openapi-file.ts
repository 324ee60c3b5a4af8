/** OpenAPI file: docs/openapi.json, the description of the merchant API, for tools that read a file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { openTestServer } from '../harness/test-server.ts'
import { PAGE_FACTS } from '../harness/test-merchants.ts'
import { createApp } from '../../server/http/app.ts'
import { isRecord } from '../../tools/is-record.mjs'
import { ROOT } from '../../tools/root.ts'
import { runCommand } from '../../tools/run-command.ts'

export const OPENAPI_FILE = join(ROOT, 'docs', 'openapi.json')

const release = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return `v${isRecord(manifest) ? String(manifest['version']) : ''}`
}

/** What a server at its default address answers. */
export const openApiText = async (): Promise<string> => {
  const { deps } = await openTestServer({ gateway: fakeGateway() })
  const app = await createApp({
    ...PAGE_FACTS,
    deps,
    build: null,
    trustedProxies: [],
    hsts: 'host',
    release: release(),
  })
  const answer = await app.inject({ url: '/merchant/v1/openapi.json', headers: { host: deps.publicBase.host } })
  const document: unknown = answer.json()
  await app.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

export const writeOpenApiFile = async (): Promise<number> => {
  writeFileSync(OPENAPI_FILE, await openApiText())
  return 0
}

if (import.meta.main) await runCommand(writeOpenApiFile)
