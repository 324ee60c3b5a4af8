import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { POLL_INTERVAL_MS, startPolling } from './polling.ts'

interface Poll {
  readonly signal: AbortSignal
  answer(event: string): Promise<void>
  fail(): Promise<void>
}

const flushPromises = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

/** A monitor whose answers and clock the test controls. */
const startMonitor = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const polls: Poll[] = []
  let doneCalls = 0
  const polling = startPolling(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        polls.push({
          signal,
          answer: (event) => {
            resolve(event)
            return flushPromises()
          },
          fail: () => {
            reject(new Error('network'))
            return flushPromises()
          },
        })
      }),
    (event) => event === 'AuthResultReady',
    () => {
      doneCalls += 1
    },
  )
  const last = (): Poll => {
    const poll = polls.at(-1)
    assert.ok(poll !== undefined, 'no poll was sent')
    return poll
  }
  return { polling, polls, last, doneCalls: () => doneCalls, advance: (ms: number) => t.mock.timers.tick(ms) }
}

test('the monitor is polled every 1000 ms until the result is ready, and not again', async (t) => {
  assert.equal(POLL_INTERVAL_MS, 1000)
  const { polls, last, doneCalls, advance } = startMonitor(t)
  advance(999)
  assert.equal(polls.length, 0)
  advance(1)
  assert.equal(polls.length, 1)
  await last().answer('AuthResultNotReady')
  advance(1000)
  assert.equal(polls.length, 2)
  assert.equal(doneCalls(), 0)
  await last().answer('AuthResultReady')
  assert.equal(doneCalls(), 1)
  advance(60_000)
  assert.equal(polls.length, 2)
})

test('a slow poll delays the next: there are never two in flight', async (t) => {
  const { polls, last, advance } = startMonitor(t)
  advance(9000)
  assert.equal(polls.length, 1)
  await last().answer('AuthResultNotReady')
  advance(1000)
  assert.equal(polls.length, 2)
})

test('a failed poll does not end the polling: the next one may have the result', async (t) => {
  const { polls, last, doneCalls, advance } = startMonitor(t)
  for (let tries = 1; tries <= 50; tries += 1) {
    advance(1000)
    assert.equal(polls.length, tries)
    await last().fail()
  }
  advance(1000)
  await last().answer('AuthResultReady')
  assert.equal(doneCalls(), 1)
})

test('when the shopper returns to the tab, a poll that was suspended with it is aborted and replaced', async (t) => {
  const { polling, polls, doneCalls, advance } = startMonitor(t)
  polling.pollNow()
  assert.equal(polls.length, 1)
  polling.pollNow()
  assert.equal(polls.length, 2)
  const [suspended, replacement] = polls
  assert.equal(suspended?.signal.aborted, true)
  assert.equal(replacement?.signal.aborted, false)
  await suspended?.fail()
  advance(1000)
  assert.equal(polls.length, 2, 'the aborted poll let a second one be sent')
  await replacement?.answer('AuthResultReady')
  assert.equal(doneCalls(), 1)
})

test('an answer to an aborted poll is ignored', async (t) => {
  const { polling, polls, doneCalls } = startMonitor(t)
  polling.pollNow()
  polling.pollNow()
  await polls[0]?.answer('AuthResultReady')
  assert.equal(doneCalls(), 0)
})

test('after leaving the challenge nothing is polled, and a late answer changes nothing', async (t) => {
  const { polling, polls, last, doneCalls, advance } = startMonitor(t)
  advance(1000)
  polling.stop()
  assert.equal(last().signal.aborted, true)
  await last().answer('AuthResultReady')
  advance(60_000)
  polling.pollNow()
  assert.equal(polls.length, 1)
  assert.equal(doneCalls(), 0)
})
