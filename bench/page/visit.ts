/** Visit: one page opened in a new browser context, on a slow phone and a slow network, and what was measured of it. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { CommandError } from '../../tools/command-error.mjs'
import { blockingTime, longestTask } from './blocking-time.ts'
import type { Measures } from './calmest.ts'
import type { DevtoolsBrowser, DevtoolsPage } from './devtools.ts'
import type { LinkSpeed } from './slow-link.ts'

/** 1.6 Mbit/s and 150 ms: the slow 4G that page tools use. */
export const PHONE_LINK: LinkSpeed = { latencyMs: 150, bytesPerSecond: 1_600_000 / 8 }
export const PHONE = { viewport: { width: 390, height: 844 } }

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

const Moment = Type.Object({ startTime: Type.Number(), duration: Type.Number() })
const Timeline = Type.Object({
  marks: Type.Record(Type.String(), Type.Number()),
  largestPaintMs: Type.Number(),
  layoutShift: Type.Number(),
  tasks: Type.Array(Moment),
  resources: Type.Array(Type.Object({ startTime: Type.Number(), responseEnd: Type.Number() })),
})
type Timeline = Type.Static<typeof Timeline>

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

/** Runs in the browser: waits until nothing more has been fetched for a while. */
const waitUntilFetched = async (): Promise<void> => {
  const fetched = (): number => performance.getEntriesByType('resource').length
  let before = -1
  while (before !== fetched()) {
    before = fetched()
    await new Promise((resolve) => setTimeout(resolve, 700))
  }
}

/** A function and what it is called with, as the text of an expression for the browser. */
const callText = (work: (...args: never) => unknown, ...args: readonly unknown[]): string =>
  `(${work.toString()})(${args.map((each) => JSON.stringify(each)).join()})`

const measuresOf = ({ marks, ...timeline }: Timeline, moments: Moments): Measures => {
  const firstPaintMs = marks['first-contentful-paint']
  const liveMs = moments.isHydrated ? marks['live'] : undefined
  if (firstPaintMs === undefined) throw new CommandError('nothing was painted')
  const groupedMs = moments.hasField ? marks['field usable'] : undefined
  // Nobody types into a field that is not painted yet, though a script may.
  const fieldUsableMs = groupedMs === undefined ? undefined : Math.max(groupedMs, firstPaintMs)
  const receivedBefore = (moment: number): number =>
    timeline.resources.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= moment).length
  return {
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
 * The link is followed from a shop's page on another site. From an empty tab the browser would show a page without our
 * isolation headers in the process that is already there, and only our page would wait for a new process.
 */
const openFromShop = async (page: DevtoolsPage, shop: string, address: string, slowdown: number): Promise<void> => {
  await page.open(shop)
  await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: callText(markMoments) })
  await page.open(address)
}

/** Opens the address with an empty cache and a processor that is this many times slower. */
export const visit = async (
  browser: DevtoolsBrowser,
  shop: string,
  address: string,
  moments: Moments,
  slowdown: number,
): Promise<Measures> => {
  const page = await browser.newPage(PHONE.viewport)
  try {
    await openFromShop(page, shop, address, slowdown)
    const names = [...(moments.hasField ? ['field usable'] : []), ...(moments.isHydrated ? ['live'] : [])]
    if ((await page.evaluate(callText(waitForMarks, names))) !== true)
      throw new CommandError(`${address} did not come to: ${names.join(', ')}`)
    await page.evaluate(callText(waitUntilFetched))
    const timeline = await page.evaluate(callText(readTimeline))
    if (!Check(Timeline, timeline)) throw new CommandError(`what ${address} measured cannot be read`)
    return measuresOf(timeline, moments)
  } finally {
    await page.close()
  }
}

/** What goes over the wire in a visit, with headers. Counted in a visit of its own, which is not timed: counting costs time. */
export const countTraffic = async (browser: DevtoolsBrowser, shop: string, address: string): Promise<Measures> => {
  const page = await browser.newPage(PHONE.viewport)
  const traffic = { requests: 0, bytes: 0 }
  try {
    await page.open(shop)
    await page.send('Network.enable')
    page.on('Network.requestWillBeSent', ({ request }) => {
      if (!JSON.stringify(request).includes('"url":"data:')) traffic.requests += 1
    })
    page.on('Network.loadingFinished', ({ encodedDataLength }) => {
      traffic.bytes += Number(encodedDataLength)
    })
    await page.open(address)
    await page.evaluate(callText(waitUntilFetched))
    return traffic
  } finally {
    await page.close()
  }
}
