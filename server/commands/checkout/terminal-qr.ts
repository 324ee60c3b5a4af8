/** QR code in a terminal: two rows of modules in one line of text, by half blocks. */
import { generate } from 'lean-qr'

/** As wide as the standard asks for. */
const MARGIN = 4

/**
 * Light modules are drawn and dark ones left as they are: in a terminal of light letters on a dark ground the code then has
 * the right colours, and in the other kind it is inverted, which cameras read too.
 */
const HALVES = { 'light light': '█', 'light dark': '▀', 'dark light': '▄', 'dark dark': ' ' } as const

export const qrLines = (text: string): string[] => {
  const code = generate(text)
  const shade = (x: number, y: number) => (code.get(x, y) ? 'dark' : 'light')
  const lines: string[] = []
  for (let y = -MARGIN; y < code.size + MARGIN; y += 2) {
    let line = ''
    for (let x = -MARGIN; x < code.size + MARGIN; x += 1) line += HALVES[`${shade(x, y)} ${shade(x, y + 1)}`]
    lines.push(line)
  }
  return lines
}
