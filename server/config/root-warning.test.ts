import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rootWarning } from './root-warning.ts'

test('a server in production that runs as root says so and names the mend, and no other does', () => {
  const production = { NODE_ENV: 'production' }
  assert.match(rootWarning(production, 0), /^This server runs as root: .* Run it as a user of its own: deploy\/.*\n$/)
  for (const userId of [1, 65534, undefined]) assert.equal(rootWarning(production, userId), '')
  for (const env of [{}, { NODE_ENV: 'development' }, { NODE_ENV: 'test' }]) assert.equal(rootWarning(env, 0), '')
})
