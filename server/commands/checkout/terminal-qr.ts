/** QR code in a terminal: two rows of modules in one line of text, by half blocks. */
import { generate } from 'lean-qr'

/** As wide as the standard asks for. */
const MARGIN = 4

/**
 * Both colours are our own: the letter is drawn in the colour of the upper module on a ground of the lower one's. With the
 * terminal's own colours the code is inverted on a light ground, and not every camera reads that. Black is 16 and white 231
 * of the 256 colours, which no theme changes, as themes do with the first 16.
 */
const COLOURS = { dark: 16, light: 231 } as const
const UPPER_HALF = '▀'
const RESET = '\u001b[0m'

type Shade = keyof typeof COLOURS

const colours = (upper: Shade, lower: Shade): string => `\u001b[38;5;${COLOURS[upper]};48;5;${COLOURS[lower]}m`

export const qrLines = (text: string): string[] => {
  const code = generate(text)
  const shade = (x: number, y: number): Shade => (code.get(x, y) ? 'dark' : 'light')
  const lines: string[] = []
  for (let y = -MARGIN; y < code.size + MARGIN; y += 2) {
    let line = ''
    let current = ''
    for (let x = -MARGIN; x < code.size + MARGIN; x += 1) {
      const wanted = colours(shade(x, y), shade(x, y + 1))
      line += wanted === current ? UPPER_HALF : wanted + UPPER_HALF
      current = wanted
    }
    lines.push(line + RESET)
  }
  return lines
}
