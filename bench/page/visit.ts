/** Visit: one page opened in a new browser context, on a slow phone and a slow network, and what was measured of it. */
import type { Browser, CDPSession, Page } from '@playwright/test'
import { CommandError } from '../../tools/command-error.mjs'
import { blockingTime, longestTask, type Task } from './blocking-time.ts'
import type { Measures } from './calmest.ts'

/** 1.6 Mbit/s down, 0.75 Mbit/s up, 150 ms: the slow 4G that page tools use. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
/**
 * Source positions at once: the debugger that measures has V8 look for them in every Error, and React makes some when it is
 * loaded. Each would have the whole script parsed again, which no shopper's browser does.
 */
export const BROWSER_ARGS = ['--no-sandbox', '--disable-gpu', '--js-flags=--no-enable-lazy-source-positions']
export const PHONE = { viewport: { width: 390, height: 844 } }
const VISIT_TIMEOUT_MS = 30_000

/** Which moments this page must reach. A page without them is measured without them. */
export interface Moments {
  readonly hasField: boolean
  readonly isHydrated: boolean
}

/** Runs in the browser before the document: marks when digits come out grouped and when the page says it is live. */
const markMoments = (): void => {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  const write = (input: HTMLInputElement, value: string): void => {
    // React hears only what is written past its own setter.
    setValue?.call(input, value)
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  let isUsable = false
  const tryField = (): void => {
    const input = document.querySelector('input[autocomplete="cc-number"]')
    if (isUsable || !(input instanceof HTMLInputElement)) return
    const markIfGrouped = (): void => {
      if (!isUsable && input.value === '4242 4242 4242 4242') {
        isUsable = true
        performance.mark('field usable')
        clearInterval(timer)
        observer.disconnect()
      }
    }
    write(input, '4242424242424242')
    markIfGrouped()
    // React writes a value back at the end of the task at the latest.
    queueMicrotask(() => {
      markIfGrouped()
      write(input, '')
    })
  }
  // A timer may wait while a page loads: what the parser adds is looked at at once.
  const observer = new MutationObserver(tryField)
  observer.observe(document, { childList: true, subtree: true })
  const timer = setInterval(tryField, 10)
  document.addEventListener('kaikei-live', () => performance.mark('live'))
}

interface Timeline {
  readonly marks: Readonly<Record<string, number>>
  readonly largestPaintMs: number
  readonly layoutShift: number
  readonly tasks: readonly Task[]
  readonly resources: readonly { readonly startTime: number; readonly responseEnd: number }[]
}

/** Runs in the browser when all is over. */
const readTimeline = async (): Promise<Timeline> => {
  const observed = (type: string): Promise<PerformanceEntry[]> =>
    new Promise((resolve) => {
      const found: PerformanceEntry[] = []
      new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type, buffered: true })
      setTimeout(() => resolve(found), 200)
    })
  const [paints, shifts, tasks] = await Promise.all([
    observed('largest-contentful-paint'),
    observed('layout-shift'),
    observed('longtask'),
  ])
  const marks = [...performance.getEntriesByType('mark'), ...performance.getEntriesByType('paint')]
  const shiftOf = (entry: PerformanceEntry): number => ('value' in entry ? Number(entry.value) : 0)
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  return {
    marks: Object.fromEntries(marks.map(({ name, startTime }) => [name, startTime])),
    largestPaintMs: paints.at(-1)?.startTime ?? 0,
    layoutShift: shifts.map(shiftOf).reduce((sum, each) => sum + each, 0),
    tasks: tasks.map(({ startTime, duration }) => ({ startTime, duration })),
    resources: loaded.flatMap((entry) =>
      entry instanceof PerformanceResourceTiming
        ? [{ startTime: entry.startTime, responseEnd: entry.responseEnd }]
        : [],
    ),
  }
}

/** Runs in the browser: waits for marks without asking for frames, which would take time of the page. */
const waitForMarks = async (names: readonly string[]): Promise<boolean> => {
  for (let tries = 0; tries < 400; tries += 1) {
    if (names.every((name) => performance.getEntriesByName(name).length > 0)) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

interface Traffic {
  requests: number
  bytes: number
}

const countTraffic = (session: CDPSession): Traffic => {
  const traffic = { requests: 0, bytes: 0 }
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) traffic.requests += 1
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength
  })
  return traffic
}

const measuresOf = ({ marks, ...timeline }: Timeline, { requests, bytes }: Traffic, moments: Moments): Measures => {
  const firstPaintMs = marks['first-contentful-paint']
  const liveMs = moments.isHydrated ? marks['live'] : undefined
  if (firstPaintMs === undefined) throw new CommandError('nothing was painted')
  const groupedMs = moments.hasField ? marks['field usable'] : undefined
  // Nobody types into a field that is not painted yet, though a script may.
  const fieldUsableMs = groupedMs === undefined ? undefined : Math.max(groupedMs, firstPaintMs)
  const receivedBefore = (moment: number): number =>
    timeline.resources.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= moment).length
  return {
    bytes,
    requests,
    firstPaintMs,
    largestPaintMs: timeline.largestPaintMs,
    ...(fieldUsableMs === undefined ? {} : { fieldUsableMs, requestsBeforeFieldUsable: receivedBefore(fieldUsableMs) }),
    ...(liveMs === undefined ? {} : { liveMs }),
    blockingMs: blockingTime(timeline.tasks, firstPaintMs, liveMs ?? Number.POSITIVE_INFINITY),
    longestTaskMs: longestTask(timeline.tasks),
    layoutShift: timeline.layoutShift,
  }
}

/**
 * A link is followed from a shop's page of another site. From an empty tab a page without the isolation of ours would be
 * shown by the process that is already there, and only ours would pay for a new one.
 */
const openSlowly = async (page: Page, shop: string, address: string, slowdown: number): Promise<Traffic> => {
  await page.goto(shop)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const traffic = countTraffic(session)
  await page.addInitScript(markMoments)
  await page.goto(address, { waitUntil: 'load', timeout: VISIT_TIMEOUT_MS })
  return traffic
}

/** Opens the address with an empty cache and a processor that is this many times slower. */
export const visit = async (
  browser: Browser,
  shop: string,
  address: string,
  moments: Moments,
  slowdown: number,
): Promise<Measures> => {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const traffic = await openSlowly(page, shop, address, slowdown)
    const names = [...(moments.hasField ? ['field usable'] : []), ...(moments.isHydrated ? ['live'] : [])]
    if (!(await page.evaluate(waitForMarks, names)))
      throw new CommandError(`${address} did not come to: ${names.join(', ')}`)
    await page.waitForLoadState('networkidle')
    return measuresOf(await page.evaluate(readTimeline), traffic, moments)
  } finally {
    await context.close()
  }
}
