import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { newCardHoldKey, parseCardHoldKeys, readCardHoldKeys } from './keys-file.ts'

const problemIn = (read: Awaited<ReturnType<typeof readCardHoldKeys>>): string =>
  'problem' in read ? read.problem : 'taken'

test('a file of keys has up to eight, one a line, in their order', () => {
  const keys = Array.from({ length: 9 }, newCardHoldKey)
  for (const many of [1, 8]) {
    const read = parseCardHoldKeys(`${keys.slice(0, many).join('\n')}\n\n`)
    assert.deepEqual(
      'problem' in read ? read : read.map((key) => Buffer.from(key).toString('base64')),
      keys.slice(0, many),
    )
  }
  assert.match(problemIn(parseCardHoldKeys(keys.join('\n'))), /9 keys/)
})

test('a key of 31 or 33 bytes, a key that stands twice and an empty file are refused, and no key is said', () => {
  const key = newCardHoldKey()
  for (const bytes of [31, 33]) {
    const wrong = Buffer.alloc(bytes, 7).toString('base64')
    const problem = problemIn(parseCardHoldKeys(`${key}\n${wrong}`))
    assert.match(problem, /line 2/)
    assert.ok(!problem.includes(wrong))
  }
  assert.match(problemIn(parseCardHoldKeys(`${key}\n${key}`)), /twice/)
  assert.match(problemIn(parseCardHoldKeys('\n')), /no key/)
})

test('a file that others can read is refused, and one of its owner alone is taken', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'card-hold-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'keys')
  assert.match(problemIn(await readCardHoldKeys(path)), /cannot be read/)
  await writeFile(path, newCardHoldKey(), { mode: 0o600 })
  for (const mode of [0o640, 0o604]) {
    await chmod(path, mode)
    assert.match(problemIn(await readCardHoldKeys(path)), /chmod 600/)
  }
  await chmod(path, 0o600)
  assert.equal(problemIn(await readCardHoldKeys(path)), 'taken')
})
