import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { POLL_INTERVAL_MS, startPolling } from './polling.ts'

interface Poll {
  readonly signal: AbortSignal
  answer(event: string): Promise<void>
  fail(): Promise<void>
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

/** A monitor that answers when the test says so, and a clock that the test moves. */
const monitored = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const polls: Poll[] = []
  let overs = 0
  const polling = startPolling(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        polls.push({
          signal,
          answer: (event) => {
            resolve(event)
            return settled()
          },
          fail: () => {
            reject(new Error('network'))
            return settled()
          },
        })
      }),
    (event) => event === 'AuthResultReady',
    () => {
      overs += 1
    },
  )
  const last = (): Poll => {
    const poll = polls.at(-1)
    assert.ok(poll !== undefined, 'nothing was asked')
    return poll
  }
  return { polling, polls, last, overs: () => overs, pass: (ms: number) => t.mock.timers.tick(ms) }
}

test('the monitor is asked every 1000 ms until it says that the result is ready, and not again', async (t) => {
  assert.equal(POLL_INTERVAL_MS, 1000)
  const { polls, last, overs, pass } = monitored(t)
  pass(999)
  assert.equal(polls.length, 0)
  pass(1)
  assert.equal(polls.length, 1)
  await last().answer('AuthResultNotReady')
  pass(1000)
  assert.equal(polls.length, 2)
  assert.equal(overs(), 0)
  await last().answer('AuthResultReady')
  assert.equal(overs(), 1)
  pass(60_000)
  assert.equal(polls.length, 2)
})

test('a slow poll keeps the others waiting: never are two out', async (t) => {
  const { polls, last, pass } = monitored(t)
  pass(9000)
  assert.equal(polls.length, 1)
  await last().answer('AuthResultNotReady')
  pass(1000)
  assert.equal(polls.length, 2)
})

test('a failed poll ends nothing: the next one may say that the result is ready', async (t) => {
  const { polls, last, overs, pass } = monitored(t)
  for (let tries = 1; tries <= 50; tries += 1) {
    pass(1000)
    assert.equal(polls.length, tries)
    await last().fail()
  }
  pass(1000)
  await last().answer('AuthResultReady')
  assert.equal(overs(), 1)
})

test('a shopper who comes back to the tab is not kept waiting for a poll that went to sleep with it', async (t) => {
  const { polling, polls, overs, pass } = monitored(t)
  polling.wake()
  assert.equal(polls.length, 1)
  polling.wake()
  assert.equal(polls.length, 2)
  const [asleep, awake] = polls
  assert.equal(asleep?.signal.aborted, true)
  assert.equal(awake?.signal.aborted, false)
  await asleep?.fail()
  pass(1000)
  assert.equal(polls.length, 2, 'the poll that was given up made room for a second one beside the living')
  await awake?.answer('AuthResultReady')
  assert.equal(overs(), 1)
})

test('an answer to a poll that was given up is dropped', async (t) => {
  const { polling, polls, overs } = monitored(t)
  polling.wake()
  polling.wake()
  await polls[0]?.answer('AuthResultReady')
  assert.equal(overs(), 0)
})

test('after leaving the challenge nothing is asked, and a late answer moves nothing', async (t) => {
  const { polling, polls, last, overs, pass } = monitored(t)
  pass(1000)
  polling.stop()
  assert.equal(last().signal.aborted, true)
  await last().answer('AuthResultReady')
  pass(60_000)
  polling.wake()
  assert.equal(polls.length, 1)
  assert.equal(overs(), 0)
})
