/** Old browser: takes from Chromium what the oldest supported browsers lack. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

/** What the page itself once used, and some shoppers' browsers do not have. */
export const ONCE_MISSED = ['URL.canParse', 'Array.toSorted', 'AbortSignal.any', 'AbortSignal.timeout'] as const

interface MissingNames {
  readonly globals: readonly string[]
  readonly statics: readonly string[]
  readonly members: readonly string[]
}

/** Everything that at least one of the oldest supported browsers lacks, by its names. */
export const readMissingNames = (): MissingNames => {
  const file = new URL('../../tools/browser/missing-features.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as MissingNames
}

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
  const names = readMissingNames()
  await deleteMethods(page, names.statics)
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
