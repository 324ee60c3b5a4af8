import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { themeOf } from '../theme.ts'

type Colour = readonly [red: number, green: number, blue: number]

const cssOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const tokens = cssOf('../../ui/tokens.css')
const watermark = cssOf('./watermark.module.css')

const colourOf = (code: string): Colour => {
  assert.match(code, /^#[0-9a-f]{6}$/)
  const number = Number.parseInt(code.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

const token = (name: string): Colour => {
  const [, hex = ''] = new RegExp(`--${name}: #([0-9a-f]{3,6});`).exec(tokens) ?? []
  return colourOf(`#${hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex}`)
}

interface Layer {
  readonly colour: Colour
  readonly share: number
}

const layer = (property: 'fill' | 'stroke'): Layer => {
  const [, red, green, blue, percent] =
    new RegExp(`\\b${property}: rgb\\((\\d+) (\\d+) (\\d+) / (\\d+)%\\);`).exec(watermark) ?? []
  assert.ok(percent !== undefined, property)
  return { colour: [Number(red), Number(green), Number(blue)], share: Number(percent) / 100 }
}

const under = (below: Colour, { colour, share }: Layer): Colour => {
  const mixed = (part: 0 | 1 | 2): number => below[part] + (colour[part] - below[part]) * share
  return [mixed(0), mixed(1), mixed(2)]
}

/** WCAG 2.2, relative luminance and contrast ratio. */
const luminance = (colour: Colour): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (a: Colour, b: Colour): number =>
  (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05)

/** What of the watermark can lie over a point: a letter, its edge, or the inner half of the edge below the letter. */
const LETTER = layer('fill')
const EDGE = layer('stroke')
const covers: Readonly<Record<string, (below: Colour) => Colour>> = {
  letter: (below) => under(below, LETTER),
  edge: (below) => under(below, EDGE),
  'letter and edge': (below) => under(under(below, EDGE), LETTER),
}

test('texts keep a contrast of 4.5 below the watermark and beside it', () => {
  const tints = ['#000000', '#ffffff', '#ffff00', '#39ff14', '#0000ff'].map((brand) => themeOf(brand)['--tint'])
  const grounds = [token('surface'), token('page'), ...tints.map(colourOf)]
  for (const ink of ['ink', 'ink-soft']) {
    for (const background of grounds) {
      const text = token(ink)
      for (const [name, cover] of Object.entries(covers)) {
        const where = `${ink} on ${background.join()}, ${name}`
        const below = contrast(cover(text), cover(background))
        assert.ok(below >= 4.5, `${where}: ${below}`)
        const beside = contrast(text, cover(background))
        assert.ok(beside >= 4.5, `${where}, background alone: ${beside}`)
      }
    }
  }
})

test('the watermark can be seen on white, on black and on every grey between them', () => {
  for (let grey = 0; grey <= 255; grey += 1) {
    const background: Colour = [grey, grey, grey]
    const seen = Object.values(covers).map((cover) => contrast(cover(background), background))
    assert.ok(Math.max(...seen) >= 1.09, `grey ${grey}: ${Math.max(...seen)}`)
  }
})
