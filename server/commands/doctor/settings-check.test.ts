import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, type Config } from '../../config/config.ts'
import { judgeSettings, unreadableSettings } from './settings-check.ts'

const configOf = (env: Record<string, string>): Config => {
  const reading = readConfig(env)
  return reading.ok ? reading.config : assert.fail(reading.problem)
}
const PUBLIC = { PUBLIC_BASE: 'https://pay.example.com', TRUSTED_PROXIES: '127.0.0.1' }

test('settings of a developer and of a public server are in order', () => {
  const developer = judgeSettings(configOf({ DATA_DIR: '/data' }), false)
  assert.deepEqual(developer, { state: 'ok', says: 'http://localhost:3000, port 3000, embedded database in /data' })
  assert.equal(judgeSettings(configOf({ ...PUBLIC, DATABASE_URL: 'postgresql://me:pw@db/x' }), true).state, 'ok')
})

test('a database’s password is not told', () => {
  assert.doesNotMatch(judgeSettings(configOf({ ...PUBLIC, DATABASE_URL: 'postgresql://me:pw@db/x' }), true).says, /pw/)
})

test('what will not do for a public server is named with its mend', () => {
  const judged = (env: Record<string, string>, isProduction: boolean) => {
    const finding = judgeSettings(configOf(env), isProduction)
    return [finding.state, 'mend' in finding ? (finding.mend.match(/[A-Z_]{8,}/) ?? [''])[0] : '']
  }
  assert.deepEqual(judged({ PUBLIC_BASE: 'http://pay.example.com' }, true), ['fail', 'PUBLIC_BASE'])
  assert.deepEqual(judged({ PUBLIC_BASE: 'https://pay.example.com' }, true), ['warn', 'TRUSTED_PROXIES'])
  assert.deepEqual(judged(PUBLIC, false), ['warn', 'NODE_ENV'])
  assert.deepEqual(judged({}, true), ['warn', 'PUBLIC_BASE'])
})

test('an environment that cannot be read has failed, with the line that names the variable', () => {
  const finding = unreadableSettings('PORT is "x": set it to a number.')
  assert.equal(finding.state, 'fail')
  assert.match('mend' in finding ? finding.mend : '', /^PORT is "x": set it to a number\./)
})
