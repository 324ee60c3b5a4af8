import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserProgram, openSystemBrowser, withoutSecrets } from './browser.ts'

test('without a display no browser is opened; macOS always has one', () => {
  assert.equal(browserProgram('linux', {}), null)
  assert.equal(browserProgram('linux', { DISPLAY: '' }), null)
  assert.equal(browserProgram('linux', { DISPLAY: ':0' }), 'xdg-open')
  assert.equal(browserProgram('linux', { WAYLAND_DISPLAY: 'wayland-0' }), 'xdg-open')
  assert.equal(browserProgram('darwin', {}), 'open')
})

test('a browser inherits no key and no password', () => {
  const kept = { PATH: '/bin', HOME: '/root', DISPLAY: ':0' }
  const secrets = { KAIKEI_KEY: 'k', SECRET_KEY: 's', DATABASE_URL: 'd', THREE_DS_CLIENT_PASSPHRASE: 'p', A_TOKEN: 't' }
  assert.deepEqual(withoutSecrets({ ...kept, ...secrets }), kept)
})

test('a program that is missing is told and throws nothing', async () => {
  const env = { DISPLAY: ':0', PATH: '/nowhere' }
  const opening = await openSystemBrowser('http://localhost/', env)
  assert.ok(opening === 'no browser' || process.platform === 'darwin')
})
