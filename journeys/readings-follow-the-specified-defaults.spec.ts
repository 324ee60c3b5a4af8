import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test } from './harness/fixtures.ts'

/** What the built script puts on the window: a read with nothing but the defaults of the page's own query client. */
interface QueryHarness {
  readonly attempts: number[]
  observe(): () => void
  succeed(): void
  isCached(): boolean
}

/** In one worker, one after the other: the script is built once. */
test.describe.configure({ mode: 'default' })

let script = ''

test.beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-fetching-'))
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--mode', 'fetching', '--outDir', folder]
  await promisify(execFile)(process.execPath, vite)
  script = await readFile(join(folder, 'fetching.js'), 'utf8')
  await rm(folder, { recursive: true })
})

const START = new Date('2026-11-15T00:00:00Z')

const openHarness = async (page: Page): Promise<void> => {
  await page.route('https://fetching.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.clock.install({ time: START })
  await page.goto('https://fetching.example/')
  await page.addScriptTag({ content: script })
}

const runInPage = <T>(page: Page, work: (harness: QueryHarness) => T): Promise<T> =>
  page.evaluate(`(${work.toString()})(window.harness)`)

const attemptsMs = async (page: Page): Promise<number[]> =>
  (await runInPage(page, (harness) => harness.attempts)).map((at) => at - START.getTime())

test('a failed reading is tried again after 1, 2 and 4 seconds and then no more', async ({ page }) => {
  await openHarness(page)
  await page.clock.pauseAt(START.getTime() + 60_000)
  await runInPage(page, (harness) => void harness.observe())
  await page.clock.runFor(60_000)
  const [first = 0, ...later] = await attemptsMs(page)
  expect(later.map((at) => at - first)).toEqual([1000, 3000, 7000])
})

test('a reading is repeated on focus and when the browser comes back online', async ({ page, context }) => {
  await openHarness(page)
  await runInPage(page, (harness) => {
    harness.succeed()
    harness.observe()
  })
  await expect.poll(async () => (await attemptsMs(page)).length).toBe(1)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(async () => (await attemptsMs(page)).length).toBe(2)
  await context.setOffline(true)
  await context.setOffline(false)
  await expect.poll(async () => (await attemptsMs(page)).length).toBe(3)
})

test('an answer that nothing on the page uses any more is cached for five minutes and then dropped', async ({
  page,
}) => {
  await openHarness(page)
  await page.clock.pauseAt(START.getTime() + 60_000)
  await runInPage(page, (harness) => {
    harness.succeed()
    harness.observe()()
  })
  await page.clock.runFor(299_000)
  expect(await runInPage(page, (harness) => harness.isCached())).toBe(true)
  await page.clock.runFor(2000)
  expect(await runInPage(page, (harness) => harness.isCached())).toBe(false)
})
