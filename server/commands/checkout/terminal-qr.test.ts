import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQR from 'jsqr'
import { qrLines } from './terminal-qr.ts'

const SCALE = 3
const GREYS: Readonly<Record<string, number>> = { '16': 0, '231': 255 }

/** One line as a terminal draws it: the greys of its upper and its lower half, and of what stands behind its end. */
const drawn = (line: string, ground: number) => {
  const halves: { upper: number; lower: number }[] = []
  let colours = { upper: 255 - ground, lower: ground }
  for (const [, escape, letter] of line.replaceAll('\u001b', 'E').matchAll(/E\[([\d;]*)m|(.)/gu)) {
    if (escape === '0') colours = { upper: 255 - ground, lower: ground }
    else if (escape !== undefined) {
      const [, upper = '', lower = ''] = /^38;5;(\d+);48;5;(\d+)$/.exec(escape) ?? []
      colours = { upper: GREYS[upper] ?? Number.NaN, lower: GREYS[lower] ?? Number.NaN }
    }
    if (letter === '▀') halves.push(colours)
  }
  return { halves, after: colours.lower }
}

/** The code as a camera sees it in a terminal of this ground. */
const photograph = (lines: readonly string[], ground: number) => {
  const rows = lines.flatMap((line) => {
    const { halves } = drawn(line, ground)
    return [halves.map(({ upper }) => upper), halves.map(({ lower }) => lower)]
  })
  const width = (rows[0]?.length ?? 0) * SCALE
  const height = rows.length * SCALE
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const grey = rows[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] ?? Number.NaN
      pixels.set([grey, grey, grey, 255], (y * width + x) * 4)
    }
  return { pixels, width, height }
}

for (const [kind, ground] of [
  ['dark', 0],
  ['light', 255],
] as const)
  test(`in a ${kind} terminal the code reads as the link and is not inverted, and its colours end with each line`, () => {
    const link = `http://demo.localhost:3000/${'k3v6'.repeat(8)}`
    const lines = qrLines(link)
    const { pixels, width, height } = photograph(lines, ground)
    assert.equal(jsQR(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data, link)
    for (const line of lines) assert.equal(drawn(line, ground).after, ground)
  })

test('all lines are as long as one another and narrower than a terminal', () => {
  const lines = qrLines(`https://${'m'.repeat(63)}.pay.example.com/${'k3v6'.repeat(8)}`)
  const lengths = new Set(lines.map((line) => drawn(line, 0).halves.length))
  assert.equal(lengths.size, 1)
  assert.ok([...lengths].every((length) => length > 0 && length <= 80))
})
