import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OPENAPI_FILE, openApiText } from './openapi-file.ts'

/** The committed description of the merchant API. After a change of a call: npm run openapi */
test('docs/openapi.json is what the server answers; npm run openapi writes it', async () => {
  assert.equal(readFileSync(OPENAPI_FILE, 'utf8'), await openApiText())
})
