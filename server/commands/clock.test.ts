import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { listenDuring } from '../../proof/harness/end-server.ts'
import { OPEN_SERVER_DATABASE, type OpenServerDatabase } from '../../proof/harness/server-databases.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { freePort } from '../../proof/harness/server-process.ts'
import { systemClock } from '../dependencies.ts'
import { beat, readStoredTimes } from '../store/engine/heartbeat.ts'

const MINUTE_MS = 60_000

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`the clock, from the command line beside a server on ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let place: OpenServerDatabase
    let env: Record<string, string>
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-clock-'))
      place = await openPlace(folder)
      // Nobody listens there: the acquirer cannot be asked.
      env = { ...place.env, SANDBOX_PORT: String(await freePort()) }
    })
    after(async () => {
      await place.close()
      await rm(folder, { recursive: true, force: true })
    })

    const stored = (agoMs: number, wallAgoMs = agoMs): Promise<void> => {
      const now = systemClock.now()
      return beat(place.database, { now: () => now - agoMs, wall: () => now - wallAgoMs }, '')
    }
    const show = async (): Promise<[number, unknown]> => {
      const { code, printed } = await runCommand(['clock', 'show', '--json'], env)
      const { isConfirmed } = JSON.parse(printed[0] ?? '') as { isConfirmed: boolean }
      return [code, isConfirmed]
    }

    test('a database without a time, one of a moment ago and one of nine minutes ago confirm the clock', async () => {
      assert.deepEqual(await show(), [0, true])
      await stored(0)
      assert.deepEqual(await show(), [0, true])
      await stored(9 * MINUTE_MS)
      assert.deepEqual(await show(), [0, true])
    })

    test('a month ago, a day ahead, or a server that is in doubt do not', async () => {
      await stored(30 * DAY_MS)
      assert.deepEqual(await show(), [1, false])
      await stored(-DAY_MS)
      assert.deepEqual(await show(), [1, false])
      await stored(0, 2 * MINUTE_MS)
      assert.deepEqual(await show(), [1, false])
      const { printed } = await runCommand(['clock', 'show'], env)
      assert.match(printed.at(-1) ?? '', /^The clock is not confirmed: .* clock confirm$/)
    })

    test('commands that go by the time are refused with a line that says what to do, until an operator confirms it', async () => {
      await stored(30 * DAY_MS)
      const file = join(folder, 'a.backup')
      const commands = [
        ['backup', file],
        ['key', 'create', '--merchant', 'tea', '--mode', 'test', '--access', 'full'],
        ['key', 'roll', 'x'],
        ['recover'],
        ['secret', 'retire'],
      ]
      for (const command of commands) {
        const { code, errors } = await runCommand(command, env)
        assert.equal(code, 2, command.join(' '))
        assert.match(errors.join(), /^The clock of this machine says .* nothing was done\. .* clock confirm$/)
      }
      // What stops harm is never refused.
      const { errors } = await runCommand(['key', 'revoke', 'x'], env)
      assert.doesNotMatch(errors.join(), /clock/)

      const { code, printed } = await runCommand(['clock', 'confirm'], env)
      assert.equal(code, 0)
      assert.match(printed.join(), /^Confirmed: it is \d{4}-.* JST\./)
      const { confirmedAt } = await readStoredTimes(place.database)
      assert.ok(Math.abs((confirmedAt ?? 0) - systemClock.now()) < MINUTE_MS)
      assert.deepEqual(await show(), [0, true])
      for (const command of commands) {
        const { errors: later } = await runCommand(command, env)
        assert.doesNotMatch(later.join(), /The clock of this machine/, command.join(' '))
      }
    })

    test('after a month the time of the acquirer confirms it', async (t) => {
      await stored(30 * DAY_MS)
      const acquirer = createServer((_request, response) => void response.end())
      await listenDuring(t, acquirer, Number(env['SANDBOX_PORT']))
      const { printed } = await runCommand(['clock', 'show', '--json'], env)
      // That this machine is right says the acquirer; what the server stores is a month old until it has asked, too.
      assert.match(printed.join(), /"isConfirmed":true/)
    })
  })
