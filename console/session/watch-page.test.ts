import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { UNTOUCHED_MS, watchPage } from './watch-page.ts'

class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  show(visibilityState: DocumentVisibilityState): void {
    this.visibilityState = visibilityState
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

const withPage = (run: (page: Page, reports: readonly boolean[]) => void): void => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const [page, reports]: [Page, boolean[]] = [new Page(), []]
  const stop = watchPage(page, (isWatched) => reports.push(isWatched))
  try {
    run(page, reports)
  } finally {
    stop()
    mock.timers.reset()
  }
}

test('a page that nobody has touched for ten minutes is not watched, so its session can end; the next key goes on', () => {
  withPage((page, reports) => {
    mock.timers.tick(UNTOUCHED_MS - 1)
    assert.deepEqual(reports, [])
    mock.timers.tick(1)
    assert.deepEqual(reports, [false])
    page.dispatchEvent(new Event('keydown'))
    page.dispatchEvent(new Event('keydown'))
    assert.deepEqual(reports, [false, true])
    mock.timers.tick(UNTOUCHED_MS)
    assert.deepEqual(reports, [false, true, false])
  })
})

test('somebody who moves the pointer now and then is there', () => {
  withPage((page, reports) => {
    for (let at = 0; at < 5; at += 1) {
      mock.timers.tick(UNTOUCHED_MS - 1)
      page.dispatchEvent(new Event('pointermove'))
    }
    assert.deepEqual(reports, [])
  })
})

test('a tab that is looked at again is watched at once, and reads again each time', () => {
  withPage((page, reports) => {
    page.show('hidden')
    mock.timers.tick(UNTOUCHED_MS)
    page.show('visible')
    page.show('visible')
    assert.deepEqual(reports, [false, false, true, true])
  })
})

test('after its end it reports nothing', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const [page, reports]: [Page, boolean[]] = [new Page(), []]
  watchPage(page, (isWatched) => reports.push(isWatched))()
  mock.timers.tick(UNTOUCHED_MS)
  page.dispatchEvent(new Event('keydown'))
  page.show('visible')
  assert.deepEqual(reports, [])
  mock.timers.reset()
})
