import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, type Config } from './config.ts'

const configOf = (env: Record<string, string>): Config => {
  const reading = readConfig(env)
  return reading.ok ? reading.config : assert.fail(reading.problem)
}
const problemOf = (env: Record<string, string>): string => {
  const reading = readConfig(env)
  return reading.ok ? assert.fail(`${JSON.stringify(env)} was accepted`) : reading.problem
}

const SHARED = { DATABASE_URL: 'postgresql://u@h/d' }

test('a server works off what is due unless WORKER says that workers do it, or that it is one', () => {
  assert.equal(configOf({}).worker, 'on')
  for (const worker of ['on', 'off', 'only']) assert.equal(configOf({ ...SHARED, WORKER: worker }).worker, worker)
  assert.equal(problemOf({ ...SHARED, WORKER: '1' }), 'WORKER is "1": set it to one of on, off, only.')
})

test('WORKER_ONLY=1 means WORKER=only, and both are refused where they say different things', () => {
  assert.equal(configOf({ ...SHARED, WORKER_ONLY: '1' }).worker, 'only')
  assert.equal(configOf({ ...SHARED, WORKER_ONLY: '1', WORKER: 'only' }).worker, 'only')
  assert.equal(configOf({ WORKER_ONLY: '0' }).worker, 'on')
  assert.equal(configOf({ ...SHARED, WORKER_ONLY: '0', WORKER: 'off' }).worker, 'off')
  for (const worker of ['on', 'off'])
    assert.equal(
      problemOf({ ...SHARED, WORKER_ONLY: '1', WORKER: worker }),
      `WORKER is ${worker}, and WORKER_ONLY is 1, which means WORKER=only: unset WORKER_ONLY, or set WORKER to only.`,
    )
  assert.match(problemOf({ ...SHARED, WORKER_ONLY: '0', WORKER: 'only' }), /^WORKER is only, and WORKER_ONLY is 0: /)
  assert.match(problemOf({ WORKER_ONLY: 'yes' }), /^WORKER_ONLY is "yes"/)
})

test('a worker alone, and a server that leaves the work to workers, need a database that they share', () => {
  assert.match(problemOf({ WORKER: 'only' }), /^WORKER is only, but DATABASE_URL is not set: a worker shares/)
  assert.match(problemOf({ WORKER_ONLY: '1' }), /^WORKER_ONLY is 1, but DATABASE_URL is not set: a worker shares/)
  assert.match(problemOf({ WORKER: 'off' }), /^WORKER is off, but DATABASE_URL is not set: an embedded database has no/)
})

test('metrics are read on another address of this machine only where METRICS_HOST names it beside their port', () => {
  assert.deepEqual(
    [configOf({ METRICS_PORT: '9464' })].map(({ metricsHost }) => metricsHost),
    ['127.0.0.1'],
  )
  assert.equal(configOf({ METRICS_PORT: '9464', METRICS_HOST: '10.0.0.5' }).metricsHost, '10.0.0.5')
  assert.match(problemOf({ METRICS_HOST: '10.0.0.5' }), /^METRICS_HOST is "10\.0\.0\.5", but METRICS_PORT is not set/)
})
