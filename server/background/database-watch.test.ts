import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../proof/harness/silent-log.ts'
import { createDatabaseCheck } from './database-watch.ts'

test('a database that takes no writes is an alarm at once and every five minutes, until it takes them again', async () => {
  let isFull = false
  const said: string[] = []
  let now = 0
  const log = {
    ...silentLog,
    alarm: (event: string) => void said.push(`alarm: ${event}`),
    info: (event: string) => void said.push(`info: ${event}`),
  }
  const writeProbe = { takesWrites: async () => !isFull, refuseWhileFull: () => undefined }
  const check = createDatabaseCheck({ writeProbe, log, elapsed: () => now })
  const checkAt = async (ms: number): Promise<void> => {
    now = ms
    await check()
  }
  await checkAt(0)
  assert.deepEqual(said, [])
  isFull = true
  await checkAt(10_000)
  await checkAt(20_000)
  assert.deepEqual(said, ['alarm: the database takes no writes'])
  await checkAt(309_999)
  assert.equal(said.length, 1)
  await checkAt(310_000)
  assert.equal(said.length, 2)
  isFull = false
  await checkAt(320_000)
  await checkAt(330_000)
  assert.deepEqual(said.slice(2), ['info: the database takes writes again'])
  isFull = true
  await checkAt(340_000)
  assert.equal(said.at(-1), 'alarm: the database takes no writes')
})
