import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQR from 'jsqr'
import { qrLines } from './terminal-qr.ts'

const SCALE = 3
const UPPER_LIGHT = '█▀'
const LOWER_LIGHT = '█▄'

/** The code as a camera sees it: light where a letter is drawn. */
const photograph = (lines: readonly string[]) => {
  const rows = lines.flatMap((line) => [
    Array.from(line, (letter) => UPPER_LIGHT.includes(letter)),
    Array.from(line, (letter) => LOWER_LIGHT.includes(letter)),
  ])
  const width = (rows[0]?.length ?? 0) * SCALE
  const height = rows.length * SCALE
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const light = rows[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] === true ? 255 : 0
      pixels.set([light, light, light, 255], (y * width + x) * 4)
    }
  return { pixels, width, height }
}

test('the code in the terminal reads as the link, in a terminal of either colours', () => {
  const link = `http://demo.localhost:3000/${'k3v6'.repeat(8)}`
  const { pixels, width, height } = photograph(qrLines(link))
  assert.equal(jsQR(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data, link)
})

test('all lines are as long as one another and narrower than a terminal', () => {
  const lines = qrLines(`https://${'m'.repeat(63)}.pay.example.com/${'k3v6'.repeat(8)}`)
  assert.equal(new Set(lines.map((line) => line.length)).size, 1)
  assert.ok((lines[0]?.length ?? 0) <= 80)
})
