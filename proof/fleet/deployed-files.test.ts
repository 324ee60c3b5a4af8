import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../server/config/config.ts'
import { fleetValues, type FleetPorts } from './addresses.ts'
import { fillTemplate, namesIn, readDeployed, readVariables, TEMPLATES } from './deployed-files.ts'

const COMPOSE = readDeployed('compose.yaml')
const SHARED = readVariables('fleet.env')
const KAIKEI = readVariables('kaikei.env')
/** What compose.yaml sets for one process alone, such as its port. */
const OWN = Object.fromEntries(
  [...COMPOSE.matchAll(/\b([A-Z][A-Z_0-9]+): '([^']*)'/g)].map(([, name = '', value = '']) => [name, value]),
)

const PORTS: FleetPorts = {
  ...{ http: 1, database: 2, etcd: 3, etcdPeer: 4 },
  ...{ servers: [11, 12, 13], postgres: [21, 22, 23], patroni: [31, 32, 33], holds: [41, 42], sentinels: [51, 52, 53] },
}

test('every name in the examples of deploy/ has a value in fleet.env, or for one process in compose.yaml', () => {
  for (const template of TEMPLATES) {
    const names = namesIn(template)
    assert.ok(names.length > 3)
    for (const name of names) assert.ok(name in SHARED || name in OWN, `${template} has \${${name}}`)
  }
})

test('every value in fleet.env is used by an example, and the proof gives each of them a value of its own', () => {
  const used = new Set(TEMPLATES.flatMap(namesIn))
  const values = fleetValues(PORTS, { postgres: 'p', kaikei: 'k', hold: 'h' }, '/test', '/test/bin')
  for (const name of Object.keys(SHARED)) {
    assert.ok(used.has(name), `nothing uses ${name}`)
    assert.doesNotMatch(values[name] ?? 'no', /^no /)
  }
})

test('a name without a value is refused, and names in comments are left alone', () => {
  assert.throws(() => fillTemplate('valkey.conf', {}), /deploy\/valkey\.conf: \$\{HOLD_HOST\} has no value/)
  const filled = fillTemplate('valkey.conf', { ...SHARED, ...OWN })
  assert.match(filled, /^# .*\$\{HOLD_REPLICA_OF\}/m)
  assert.doesNotMatch(filled.replaceAll(/^\s*#.*$/gm, ''), /\$\{/)
})

test('every setting in kaikei.env and compose.yaml is one that Kaikei reads', () => {
  const isOfKaikei = (name: string): boolean => !TEMPLATES.some((template) => namesIn(template).includes(name))
  const given: Record<string, string> = {
    ...KAIKEI,
    SECRET_KEY: '0123456789abcdef'.repeat(2),
    ...Object.fromEntries(Object.entries(OWN).filter(([name]) => isOfKaikei(name))),
  }
  // Of both a process has one: the first server starts the sandbox, the others name it.
  for (const left of ['SANDBOX_PORT', 'SANDBOX_URL']) {
    const read = new Set<string>()
    const { [left]: _other, ...settings } = given
    const reading = readConfig(
      new Proxy(settings, {
        get: (target, name) => {
          read.add(String(name))
          return target[String(name)]
        },
      }),
    )
    assert.deepEqual(reading.ok ? '' : reading.problem, '')
    assert.deepEqual(
      Object.keys(settings).filter((name) => !read.has(name)),
      [],
    )
  }
})

const directivesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')

test('HAProxy repeats a call only where the connection was refused, so that no payment is sent twice', () => {
  const directives = directivesOf(readDeployed('haproxy.cfg'))
  assert.deepEqual(
    directives.filter((line) => /^(retry-on|retries|option redispatch)/.test(line)),
    ['retries 3', 'option redispatch 1', 'retry-on conn-failure'],
  )
  assert.ok(directives.includes('http-request set-header X-Forwarded-For %[src]'))
  for (const name of ['X-Forwarded-Host', 'X-Forwarded-Port', 'X-Real-IP', 'Forwarded'])
    assert.ok(directives.includes(`http-request del-header ${name}`), name)
})

test('a commit is on two machines before it is answered, and no card reaches a disk', () => {
  const patroni = directivesOf(readDeployed('patroni.yml'))
  for (const line of ['synchronous_mode: true', 'synchronous_mode_strict: true'])
    assert.ok(patroni.includes(line), line)
  const valkey = directivesOf(readDeployed('valkey.conf'))
  for (const line of [
    'save ""',
    'appendonly no',
    'repl-diskless-sync yes',
    'repl-diskless-load swapdb',
    'rdb-del-sync-files yes',
  ])
    assert.ok(valkey.includes(line), line)
})
