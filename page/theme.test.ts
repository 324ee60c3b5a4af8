import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DEFAULT_COLOUR, themeCss, themeOf } from './theme.ts'

type Dependencies = readonly [red: number, green: number, blue: number]

const WHITE: Dependencies = [255, 255, 255]
const PAGE_BACKGROUND: Dependencies = [0xf6, 0xf7, 0xf9]
/** `--ink` and `--ink-soft` in `ui/tokens.css`. */
const INKS: readonly Dependencies[] = [
  [0x14, 0x18, 0x1f],
  [0x56, 0x60, 0x70],
]
/** In `button.module.css`. */
const DISABLED_TEXT: Dependencies = [0x3f, 0x47, 0x54]

/** The colour as a browser reads it from the style element. */
const partsOf = (hex: string): Dependencies => {
  assert.match(hex, /^#[0-9a-f]{6}$/)
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

/** WCAG 2.2, relative luminance and contrast ratio, written out once more. */
const luminance = (parts: Dependencies): number => {
  const [red, green, blue] = parts.map((part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
const contrast = (a: Dependencies, b: Dependencies): number =>
  (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05)

/** The background that a translucent scrim gives the shop's name. */
const blend = (scrim: string, background: Dependencies): Dependencies => {
  if (scrim === 'transparent') return background
  const [, grey, percent] = /^rgb\((0|255) \1 \1 \/ (\d+)%\)$/.exec(scrim) ?? []
  assert.ok(grey !== undefined && percent !== undefined, scrim)
  const mixed = (part: number): number => part + (Number(grey) - part) * (Number(percent) / 100)
  return [mixed(background[0]), mixed(background[1]), mixed(background[2])]
}

const hexOf = (number: number): string => `#${number.toString(16).padStart(6, '0')}`

const checkReadable = (code: string): void => {
  const theme = themeOf(code)
  const onButton = partsOf(theme['--on-brand'])
  for (const background of ['--brand', '--brand-hover', '--brand-pressed'] as const) {
    const ratio = contrast(onButton, partsOf(theme[background]))
    assert.ok(ratio >= 4.5, `${code}: the pay button's text on ${background} have ${ratio}`)
  }
  const tint = partsOf(theme['--tint'])
  for (const text of INKS) {
    const ratio = contrast(text, tint)
    assert.ok(ratio >= 4.5, `${code}: text on the tint of the bill has ${ratio}`)
  }
  assert.ok(contrast(tint, WHITE) >= 1.05, `${code}: the bill cannot be told from the form`)
  for (const background of [WHITE, PAGE_BACKGROUND, tint]) {
    const ink = contrast(partsOf(theme['--brand-ink']), background)
    assert.ok(ink >= 4.5, `${code}: text in the merchant's colour have ${ink}`)
    const focus = contrast(partsOf(theme['--focus']), background)
    assert.ok(focus >= 3, `${code}: the focus ring has ${focus}`)
  }
  const disabled = contrast(DISABLED_TEXT, partsOf(theme['--brand-disabled']))
  assert.ok(disabled >= 4.5, `${code}: a disabled button's text has ${disabled}`)
  const brand = partsOf(theme['--brand'])
  const name = partsOf(theme['--on-cover'])
  const plain = contrast(name, brand)
  assert.equal(
    theme['--cover-scrim'] === 'transparent',
    plain >= 4.5,
    `${code}: the shop's name has ${plain} on the cover`,
  )
  const ratio = contrast(name, blend(theme['--cover-scrim'], brand))
  assert.ok(ratio >= 4.5, `${code}: the shop's name has ${ratio} on its scrim`)
}

const colours = fc.integer({ min: 0, max: 0xffffff }).map(hexOf)

test('every text on and in the merchant’s colour is readable, whatever the colour', () => {
  fc.assert(fc.property(colours, checkReadable), { numRuns: 20_000 })
  for (const code of ['#000000', '#ffffff', '#777777', '#767676', '#ff0000', '#00ff00', '#0000ff', '#0986c1']) {
    checkReadable(code)
  }
})

test('the merchant’s colour itself is kept, in lower case', () => {
  fc.assert(
    fc.property(colours, (code) => {
      assert.equal(themeOf(code)['--brand'], code)
      assert.equal(themeOf(code.toUpperCase())['--brand'], code)
    }),
  )
})

test('a colour that is dark enough is used for texts and for the focus as it is', () => {
  assert.equal(themeOf('#0a3d91')['--brand-ink'], '#0a3d91')
  assert.equal(themeOf('#0a3d91')['--focus'], '#0a3d91')
})

const nameOn = (code: string): string => themeOf(code)['--on-cover']

test('the shop’s name is white up to brightness 200 and dark above it', () => {
  assert.equal(nameOn('#c8c8c8'), '#ffffff')
  assert.equal(nameOn('#c8c8c9'), '#14181f')
  assert.equal(nameOn('#c8c8c7'), '#ffffff')
  fc.assert(
    fc.property(colours, (code) => {
      const [red, green, blue] = partsOf(code)
      assert.equal(nameOn(code), 299 * red + 587 * green + 114 * blue > 200_000 ? '#14181f' : '#ffffff')
    }),
    { numRuns: 2000 },
  )
})

test('only a pale colour gets a line around its button', () => {
  assert.equal(themeOf('#ffffff')['--brand-line'], '#98a2b3')
  assert.equal(themeOf('#29abe9')['--brand-line'], 'transparent')
})

test('an invalid colour code falls back to the default colour', () => {
  assert.equal(DEFAULT_COLOUR, '#29abe9')
  const none = [
    '',
    'red',
    '#fff',
    '#12345',
    '#1234567',
    '29abe9',
    '#29abeg',
    ' #ff0000',
    '#ff0000\n',
    '#ff0000;}*{}',
    '＃ff0000',
  ]
  for (const code of none) assert.deepEqual(themeOf(code), themeOf('#29abe9'), code)
})

test('the style holds nothing but our names and derived colours, whatever the merchant’s text says', () => {
  const value = String.raw`(#[0-9a-f]{6}|rgb\(\d{1,3} \d{1,3} \d{1,3} / \d{1,2}%\)|transparent)`
  const whole = new RegExp(`^:root\\{--[a-z-]+:${value}(;--[a-z-]+:${value})*\\}$`)
  fc.assert(
    fc.property(
      fc.oneof(
        colours,
        fc.string({ unit: 'binary' }),
        colours.map((code) => `${code}</style>`),
      ),
      (code) => {
        assert.match(themeCss(code), whole)
      },
    ),
    { numRuns: 1000 },
  )
  for (const [name, colour] of Object.entries(themeOf('#29abe9')))
    assert.ok(themeCss('#29abe9').includes(`${name}:${colour}`))
})
