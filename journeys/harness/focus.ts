/** Focus ring: the outline that shows a keyboard user where they are. */
import type { Frame, Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

interface FocusRing {
  readonly element: string
  readonly style: string
  /** Whether a person can reach it; headings and notices get the focus from a script alone. */
  readonly isReachable: boolean
  /** The best contrast of a line of the ring with the background it is drawn on. */
  readonly contrast: number
}

/** The ring of the focused element; evaluated in the page, because only there colours are computed. */
const readFocusRing = (page: Page | Frame): Promise<FocusRing> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body)
      return { element: 'nothing', style: '', isReachable: false, contrast: 0 }
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const contrast = (a: string, b: string): number => {
      const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
      return (lighter + 0.05) / (darker + 0.05)
    }
    const backgroundOf = (inner: Element | null): string => {
      if (inner === null) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(inner)
      return backgroundColor.startsWith('rgb(') ? backgroundColor : backgroundOf(inner.parentElement)
    }
    const style = getComputedStyle(focused)
    const lines = [
      ...(style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2 ? [] : [style.outlineColor]),
      ...(/^rgb\([^)]*\)/.exec(style.boxShadow) ?? []),
    ]
    const background = backgroundOf(focused.parentElement)
    Reflect.set(window, 'lastFocused', focused)
    return {
      element: `${focused.tagName.toLowerCase()} ${focused.getAttribute('aria-label') ?? focused.textContent} ${focused.id}`,
      style: `${style.outline} ${style.boxShadow}`,
      isReachable: focused.getAttribute('tabindex') !== '-1',
      contrast: Math.max(0, ...lines.map((line) => contrast(line, background))),
    }
  })

/** The ring of the element that had the focus last, as it is now. */
const styleOfLastFocused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element: unknown = Reflect.get(window, 'lastFocused')
    if (!(element instanceof Element)) return ''
    const { outline, boxShadow } = getComputedStyle(element)
    return `${outline} ${boxShadow}`
  })

/** Something has the focus, and its ring has a contrast of 3:1 with its background (WCAG 2.2, 1.4.11 and 2.4.7). */
export const expectVisibleFocus = async (page: Page | Frame): Promise<FocusRing> => {
  const ring = await readFocusRing(page)
  expect(ring.element).not.toBe('nothing')
  expect(ring.contrast, `the ring of ${ring.element}`).toBeGreaterThanOrEqual(3)
  return ring
}

/** Presses Tab: the element that is left loses its ring, if a person could reach it and it had one; the next one has one. */
export const pressTab = async (page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  const left = await readFocusRing(page)
  await page.keyboard.press(key)
  if (left.isReachable) expect(await styleOfLastFocused(page), left.element).not.toBe(left.style)
  else expect(left.contrast, `${left.element} cannot be pressed and has a ring`).toBe(0)
  await expectVisibleFocus(page)
}

/** Presses Tab until this has the focus, as somebody without a mouse does, and sees that it has it. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expectVisibleFocus(page)
      return
    }
  }
  throw new Error(`sixty times Tab does not lead to ${target.toString()}`)
}
