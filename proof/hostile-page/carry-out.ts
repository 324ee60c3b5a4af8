/** Carrying out: a hostile script in the card page tries every way out, with the policies and without. */
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
/** An open way delivers the number in much less time. */
const SETTLE_MS = 1500

const tryWay = async (browser: Browser, link: string, way: string): Promise<readonly string[]> => {
  const receiver = await startReceiver()
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    const page = await context.newPage()
    const address = new URL(link)
    address.searchParams.set('way', way)
    address.searchParams.set('port', String(receiver.port))
    await openPage(page, address.href)
    await page.waitForFunction(() => document.documentElement.dataset['hostile'] !== undefined)
    // Real keys: the last of them is the shopper's gesture that a browser wants for a new window.
    await fieldOf(page, 'cardNumber').pressSequentially(CARDS.good)
    await page.waitForTimeout(SETTLE_MS)
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
): Promise<ReadonlyMap<string, readonly string[]>> => {
  program.relay.change = change
  const arrivals = new Map<string, readonly string[]>()
  await forEachAtOnce(ways, async (way) => {
    arrivals.set(way, await tryWay(browser, link, way))
  })
  program.relay.change = unchanged
  return arrivals
}

export const carryOut = async (browser: Browser, program: Program, link: string, ways: readonly string[]) => {
  const run = (change: Change) => tryAll(browser, program, link, ways, change)
  const control = await run(withoutHeaders(...POLICY_HEADERS))
  const older = await run(withoutHeaders('connection-allowlist'))
  const full = await run(unchanged)
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
