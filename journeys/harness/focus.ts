import type { Frame, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

interface Ring {
  readonly what: string
  readonly look: string
  /** The best contrast of a line of the ring with the ground it is drawn on. */
  readonly contrast: number
}

/** The ring of whatever has the focus; in the page, because only there colours are computed. */
const ringOf = (page: Page | Frame): Promise<Ring> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return { what: 'nothing', look: '', contrast: 0 }
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
    const groundOf = (inner: Element | null): string => {
      if (inner === null) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(inner)
      return backgroundColor.startsWith('rgb(') ? backgroundColor : groundOf(inner.parentElement)
    }
    const style = getComputedStyle(element)
    const lines = [
      ...(style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2 ? [] : [style.outlineColor]),
      ...(/^rgb\([^)]*\)/.exec(style.boxShadow) ?? []),
    ]
    const ground = groundOf(element.parentElement)
    Reflect.set(window, 'lastFocused', element)
    return {
      what: `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent} ${element.id}`,
      look: `${style.outline} ${style.boxShadow}`,
      contrast: Math.max(0, ...lines.map((line) => contrast(line, ground))),
    }
  })

/** How the element that last had the focus looks now. */
const lookOfLast = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element: unknown = Reflect.get(window, 'lastFocused')
    if (!(element instanceof Element)) return ''
    const { outline, boxShadow } = getComputedStyle(element)
    return `${outline} ${boxShadow}`
  })

/** The focus is somewhere, and is seen there: a line of it stands out from its ground by 3:1 (WCAG 2.2, 1.4.11 and 2.4.7). */
export const expectVisibleFocus = async (page: Page | Frame): Promise<Ring> => {
  const ring = await ringOf(page)
  expect(ring.what).not.toBe('nothing')
  expect(ring.contrast, `the ring of ${ring.what}`).toBeGreaterThanOrEqual(3)
  return ring
}

/** One step with Tab: what is left loses its ring, what is reached has one. */
export const tab = async (page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  const left = await ringOf(page)
  await page.keyboard.press(key)
  if (left.what !== 'nothing') expect(await lookOfLast(page), left.what).not.toBe(left.look)
  await expectVisibleFocus(page)
}
