/** Carrying out: a hostile script in the card page tries every way out, with the policies and without. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { CARDS, fieldOf } from '../../journeys/harness/card-form.ts'
import { unchanged, type Change } from '../programs/relay.ts'
import { openPage, withoutHeaders, type Program } from './program.ts'
import { startReceiver } from './receiver.ts'

/** Every header by which the server limits what a page of it may do. */
const POLICY_HEADERS = [
  'content-security-policy',
  'integrity-policy',
  'connection-allowlist',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
]

const AT_ONCE = 4
/** A whole Chromium draws and types slowly on a busy machine: how long it takes proves nothing. */
const STEP_TIMEOUT_MS = 180_000
/** No way is waited for longer, on however busy a machine. */
const LONGEST_MS = 20_000
/** How many times as long as the slowest way without policies each way with them gets: one that is late must not look closed. */
const ROOM = 10

/** Waits until a way has delivered, or must have. */
type Wait = (arrivals: readonly string[]) => Promise<void>

const tryWay = async (browser: Browser, link: string, way: string, wait: Wait): Promise<readonly string[]> => {
  const receiver = await startReceiver()
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    context.setDefaultTimeout(STEP_TIMEOUT_MS)
    const page = await context.newPage()
    const address = new URL(link)
    address.searchParams.set('way', way)
    address.searchParams.set('port', String(receiver.port))
    await openPage(page, address.href)
    await page.waitForFunction(() => document.documentElement.dataset['hostile'] !== undefined)
    // Real keys: the last of them is the shopper's gesture that a browser wants for a new window.
    await fieldOf(page, 'cardNumber').pressSequentially(CARDS.good)
    await wait(receiver.arrivals)
    return [...receiver.arrivals]
  } finally {
    await context.close()
    receiver.stop()
  }
}

/** Runs a job for each item, some at once. */
const forEachAtOnce = async <T>(items: readonly T[], job: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items]
  const work = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await job(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const tryAll = async (
  browser: Browser,
  program: Program,
  link: string,
  ways: readonly string[],
  change: Change,
  wait: Wait,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  program.relay.change = change
  const arrivals = new Map<string, readonly string[]>()
  await forEachAtOnce(ways, async (way) => {
    arrivals.set(way, await tryWay(browser, link, way, wait))
  })
  program.relay.change = unchanged
  return arrivals
}

export const carryOut = async (browser: Browser, program: Program, link: string, ways: readonly string[]) => {
  const run = (change: Change, wait: Wait) => tryAll(browser, program, link, ways, change, wait)
  let slowestMs = 0
  const control = await run(withoutHeaders(...POLICY_HEADERS), async (arrivals) => {
    const started = performance.now()
    while (arrivals.length === 0 && performance.now() - started < LONGEST_MS) await sleep(20)
    slowestMs = Math.max(slowestMs, performance.now() - started)
  })
  const settle: Wait = () => sleep(Math.min(slowestMs * ROOM, LONGEST_MS))
  const older = await run(withoutHeaders('connection-allowlist'), settle)
  const full = await run(unchanged, settle)
  const openIn = (arrivals: ReadonlyMap<string, readonly string[]>): string[] =>
    ways.filter((way) => (arrivals.get(way) ?? []).length > 0)
  return {
    ways: ways.length,
    /** Ways by which nothing arrived even without any policy: they prove nothing. */
    neverOpen: ways.filter((way) => !openIn(control).includes(way)),
    /** Open in a browser that knows our policies but not the connection allowlist. */
    openWithoutAllowlist: openIn(older).map((way) => `${way} (${older.get(way)?.join(', ')})`),
    /** Open with everything that the server sends. */
    open: openIn(full),
  }
}
