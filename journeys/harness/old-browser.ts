/** Old browser: takes from Chromium what the oldest supported browsers lack. */
import type { Page } from '@playwright/test'
import { MISSING_IN_SCRIPTS } from './missing-features.ts'

/** What the page itself once used, and some shoppers' browsers do not have. */
export const ONCE_MISSED = ['URL.canParse', 'Array.toSorted', 'AbortSignal.any', 'AbortSignal.timeout'] as const

/** Deletes one static or prototype method of each name (`Object.method`) before any script of any frame runs. */
export const deleteMethods = (page: Page, names: readonly string[]): Promise<unknown> =>
  page.addInitScript((methods) => {
    for (const method of methods) {
      const [owner = '', name = ''] = method.split('.')
      const object: unknown = Reflect.get(window, owner)
      if (typeof object !== 'function') continue
      Reflect.deleteProperty(object, name)
      if (typeof object.prototype === 'object' && object.prototype !== null)
        Reflect.deleteProperty(object.prototype, name)
    }
  }, names)

/** All of them together: whole interfaces, static methods, and members wherever they stand. */
export const deleteEverythingMissing = async (page: Page): Promise<void> => {
  await deleteMethods(page, [...MISSING_IN_SCRIPTS.statics])
  // Lists: a set does not reach the browser.
  const names = { globals: [...MISSING_IN_SCRIPTS.globals], members: [...MISSING_IN_SCRIPTS.members] }
  await page.addInitScript(({ globals, members }) => {
    const owners = Object.getOwnPropertyNames(window).flatMap((name) => {
      const value: unknown = /^[A-Z]/.test(name) ? Reflect.get(window, name) : undefined
      return typeof value === 'function' && typeof value.prototype === 'object' ? [value.prototype as object] : []
    })
    // Of JavaScript's own objects the methods are listed one by one; these names are those of the browser.
    const ofBrowser = owners.filter((owner) => {
      const kind = Object.prototype.toString.call(owner)
      return kind !== '[object Function]' && kind !== '[object Object]'
    })
    const missing = new Set(members)
    for (const owner of [...ofBrowser, window])
      for (const name of Object.getOwnPropertyNames(owner)) if (missing.has(name)) Reflect.deleteProperty(owner, name)
    for (const name of globals) Reflect.deleteProperty(window, name)
  }, names)
}
