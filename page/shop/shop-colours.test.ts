import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Colours of the shop's face that stand in the style itself: the scrim over a cover picture, and the plates of logos. */
const cssOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

const linear = (part: number): number => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)
/** WCAG 2.2, for greys and other colours. */
const luminance = (...[red, green, blue]: readonly [number, number, number]): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

test('the shop’s white name is readable over a white picture from its first line on', () => {
  const cover = cssOf('./cover.module.css')
  const [, percent] = /--cover-scrim: rgb\(0 0 0 \/ (\d+)%\)/.exec(cover) ?? []
  const grey = 255 * (1 - Number(percent) / 100)
  assert.ok(contrast(1, luminance(grey, grey, grey)) >= 4.5)
  // The whole scrim is reached where the padding ends and the text begins.
  const [, padding] = /\.nameArea \{[^}]*padding: (\d+)px/.exec(cover) ?? []
  const [, end] = /linear-gradient\(transparent, var\(--cover-scrim\) (\d+)px\)/.exec(cover) ?? []
  assert.ok(padding !== undefined)
  assert.equal(end, padding)
})

test('white, black and the name that stands there first are seen on the neutral plate', () => {
  const [, hex = ''] = /\.neutral \{\s*background: #([0-9a-f]{6})/.exec(cssOf('./shop-logo.module.css')) ?? []
  const number = Number.parseInt(hex, 16)
  const plate = luminance(number >> 16, (number >> 8) & 255, number & 255)
  assert.ok(contrast(1, plate) >= 4.5, `white: ${contrast(1, plate)}`)
  assert.ok(contrast(0, plate) >= 4, `black: ${contrast(0, plate)}`)
})
