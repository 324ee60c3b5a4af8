import assert from 'node:assert/strict'
import { test } from 'node:test'
import { librariesIn } from './empty-root.ts'
import { figuresOf, type ReleaseReport } from './prove.ts'

const REPORT: ReleaseReport = {
  bytes: 1,
  unpackedBytes: 2,
  files: 3,
  packages: 4,
  packagesInPage: 5,
  hashes: ['a', 'a'],
  msToFirstPayment: 6,
  emptyRoot: { libraries: 7, msToFirstPayment: 8 },
  commands: 9,
  changesRefused: 4,
  pageChangesReported: 6,
}

test('two builds of one commit are the same bytes, or there are no figures', () => {
  assert.equal(figuresOf(REPORT)['identicalBuilds'], 2)
  assert.throws(() => figuresOf({ ...REPORT, hashes: ['a', 'b'] }), /builds of one commit differ: a, b/)
  assert.throws(() => figuresOf({ ...REPORT, hashes: ['a'] }), /differ/)
})

test('an empty root that could not be made is reported as not tried', () => {
  assert.equal(figuresOf({ ...REPORT, emptyRoot: null })['emptyRoot'], 'not tried: only root can make one')
})

test('libraries are read from what ldd prints: found ones and the loader, but not the kernel’s own', () => {
  const words = `	linux-vdso.so.1 (0x0000ffff92089000)
	libc.so.6 => /lib/aarch64-linux-gnu/libc.so.6 (0x0000ffff91e60000)
	/lib/ld-linux-aarch64.so.1 (0x0000ffff92040000)
`
  assert.deepEqual(librariesIn(words), ['/lib/aarch64-linux-gnu/libc.so.6', '/lib/ld-linux-aarch64.so.1'])
})
