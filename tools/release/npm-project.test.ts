import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { hostEnvironment, refusedPackage } from './npm-project.ts'

test('a package whose bytes are not those of the lockfile is named: npm tells of its hash alone', (t) => {
  const packages = { '': {}, 'node_modules/fastify': { version: '5.0.0', integrity: 'sha512-a' } }
  const folder = temporaryFolder(t, { 'package-lock.json': JSON.stringify({ packages }) })
  const said = 'npm error Integrity checksum failed when using sha512: wanted sha512-a but got sha512-b.'
  assert.match(refusedPackage(said, folder), /^node_modules\/fastify is not the package of package-lock\.json/)
  assert.equal(refusedPackage(said.replace('wanted sha512-a', 'wanted sha512-c'), folder), '')
  assert.equal(refusedPackage('npm error code ENOSPC', folder), '')
})

test('npm runs on the host’s Node', () => {
  const env = hostEnvironment({ PATH: '/shop/node_modules/.bin:/usr/bin:/node_modules/.bin:/bin', PORT: '3000' })
  assert.deepEqual(env, { PATH: '/usr/bin:/bin', PORT: '3000' })
})
