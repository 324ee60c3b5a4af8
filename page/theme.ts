/** Merchant theme: the colours derived from the merchant's one colour, so that every text on it is readable. */

interface Colour {
  readonly red: number
  readonly green: number
  readonly blue: number
}

const INK: Colour = { red: 0x14, green: 0x18, blue: 0x1f }
const WHITE: Colour = { red: 255, green: 255, blue: 255 }
const BLACK: Colour = { red: 0, green: 0, blue: 0 }
/** The ground of a button that cannot be pressed, before a little of the merchant's colour is mixed in. */
const DISABLED: Colour = { red: 0xe1, green: 0xe5, blue: 0xeb }
const PAGE_BACKGROUND: Colour = { red: 0xf6, green: 0xf7, blue: 0xf9 }
/** `--ink-soft` in `ui/tokens.css`: the faintest text that stands on the tint. */
const INK_SOFT: Colour = { red: 0x56, green: 0x60, blue: 0x70 }

const parseColour = (code: string): Colour => {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(code)
  if (hex === null) return { red: 0x29, green: 0xab, blue: 0xe9 }
  const [, red = '', green = '', blue = ''] = hex
  return { red: Number.parseInt(red, 16), green: Number.parseInt(green, 16), blue: Number.parseInt(blue, 16) }
}

const toHex = ({ red, green, blue }: Colour): string =>
  `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** Perceived brightness, 0 to 255 (W3C's formula of 2000, which the specification's threshold of 200 belongs to). */
const brightness = ({ red, green, blue }: Colour): number => (red * 299 + green * 587 + blue * 114) / 1000

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = ({ red, green, blue }: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** WCAG contrast ratio, 1 to 21. */
const contrast = (a: Colour, b: Colour): number => {
  const [one, other] = [luminance(a), luminance(b)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** Whole numbers, as they will be drawn: a contrast checked before rounding could be too low after it. */
const mix = (colour: Colour, other: Colour, share: number): Colour => ({
  red: Math.round(colour.red + (other.red - colour.red) * share),
  green: Math.round(colour.green + (other.green - colour.green) * share),
  blue: Math.round(colour.blue + (other.blue - colour.blue) * share),
})

/** The colour itself where its contrast is enough, else mixed with black step by step until it is. */
const darkenedTo = (colour: Colour, ratio: number, against: readonly Colour[]): Colour => {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(colour, BLACK, share)
    if (against.every((background) => contrast(candidate, background) >= ratio)) return candidate
  }
  return BLACK
}

/** The most of the merchant's colour in the tint: more of a neon colour would dazzle. */
const TINT_MAX = 0.12
/** Above 4.5, because the watermark of a preview lies between the tint and its texts. */
const TINT_CONTRAST = 5.4

/** As much of the colour in the page's ground as leaves every text on it readable. White gives the page's ground itself. */
const tintOf = (brand: Colour): Colour => {
  for (let share = TINT_MAX; share > 0; share -= 0.01) {
    const candidate = mix(PAGE_BACKGROUND, brand, share)
    if (contrast(INK_SOFT, candidate) >= TINT_CONTRAST) return candidate
  }
  return PAGE_BACKGROUND
}

const readableTextOn = (background: Colour): Colour =>
  contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK

/** CSS custom properties by name. */
export const themeOf = (colourCode: string) => {
  const brand = parseColour(colourCode)
  const onBrand = readableTextOn(brand)
  const shade = onBrand === WHITE ? BLACK : WHITE
  // Specification, section 9: dark text above brightness 200, white text below it.
  const onCover = brightness(brand) > 200 ? INK : WHITE
  const isPale = contrast(brand, WHITE) < 1.5
  const tint = tintOf(brand)
  const grounds = [WHITE, PAGE_BACKGROUND, tint]
  const scrim = onCover === WHITE ? 'rgb(0 0 0 / 55%)' : 'rgb(255 255 255 / 70%)'
  return {
    '--brand': toHex(brand),
    '--brand-hover': toHex(mix(brand, shade, 0.1)),
    '--brand-pressed': toHex(mix(brand, shade, 0.2)),
    // Not `color-mix` in the style: where a browser lacks it, a disabled Pay would keep the brand's colour.
    '--brand-disabled': toHex(mix(DISABLED, brand, 0.2)),
    '--on-brand': toHex(onBrand),
    '--brand-line': isPale ? '#98a2b3' : 'transparent',
    '--brand-ink': toHex(darkenedTo(brand, 4.5, grounds)),
    '--focus': toHex(darkenedTo(brand, 3, grounds)),
    // The ground of the bill beside the form.
    '--tint': toHex(tint),
    '--on-cover': toHex(onCover),
    '--cover-line': isPale ? 'rgb(152 162 179 / 45%)' : 'transparent',
    '--cover-scrim': contrast(onCover, brand) < 4.5 ? scrim : 'transparent',
  }
}

export const DEFAULT_COLOUR = '#29abe9'

/** For the document's nonced style element. Values are derived numbers, never the merchant's own text. */
export const themeCss = (colourCode: string): string =>
  `:root{${Object.entries(themeOf(colourCode))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`
