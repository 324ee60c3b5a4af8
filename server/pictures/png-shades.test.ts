import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isPictureRefusal } from './picture.ts'
import { isLostOnDark, isLostOnLight, luminanceOf, type Shades } from '#contract/logo-shades.ts'
import { passesOf, parsePngHeader, pixelBits, type PngHeader } from './png-header.ts'
import { createShadeCount, unfilterRow } from './png-shades.ts'
import { pngHeader } from './testing/fixtures.ts'

const headerOf = (...facts: Parameters<typeof pngHeader>): PngHeader => {
  const header = parsePngHeader(pngHeader(...facts).data)
  return isPictureRefusal(header) ? assert.fail('no header') : header
}

/** The filters of the standard, the other way round: what an encoder writes for a row. */
const filterRow = (filter: number, row: Uint8Array, above: Uint8Array, step: number): Uint8Array =>
  Uint8Array.from(row, (value, at) => {
    const [before, up, corner] = [row[at - step] ?? 0, above[at] ?? 0, at < step ? 0 : (above[at - step] ?? 0)]
    const guess = before + up - corner
    const [toBefore, toUp, toCorner] = [before, up, corner].map((near) => Math.abs(guess - near))
    const paeth =
      Number(toBefore) <= Number(toUp) && Number(toBefore) <= Number(toCorner)
        ? before
        : Number(toUp) <= Number(toCorner)
          ? up
          : corner
    return value - ([0, before, up, Math.floor((before + up) / 2), paeth][filter] ?? 0)
  })

test('every filter of a row is undone, whatever its pixels are', () => {
  const bytes = fc.uint8Array({ minLength: 24, maxLength: 24 })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4 }),
      fc.constantFrom(1, 2, 3, 4, 6, 8),
      bytes,
      bytes,
      (filter, step, row, above) => {
        const line = Uint8Array.from([filter, ...filterRow(filter, row, above, step)])
        unfilterRow(line, Uint8Array.from([0, ...above]), step)
        assert.deepEqual(line.subarray(1), row)
      },
    ),
  )
})

type Pixel = readonly [red: number, green: number, blue: number, alpha: number]

const countOf = (pixels: readonly Pixel[]): Shades => {
  const weigh = (isCounted: (luminance: number) => boolean): number =>
    pixels.reduce((sum, [red, green, blue, alpha]) => sum + (isCounted(luminanceOf(red, green, blue)) ? alpha : 0), 0) /
    255
  return {
    all: pixels.length,
    visible: weigh(() => true),
    lostOnLight: weigh(isLostOnLight),
    lostOnDark: weigh(isLostOnDark),
  }
}

/** Counts rows that were written without a filter, handed over in pieces of a few bytes. */
const countRows = (
  header: PngHeader,
  rows: readonly (readonly number[])[],
  palette?: Buffer,
  transparency?: Buffer,
) => {
  const count = createShadeCount(header, palette, transparency)
  const bytes = Buffer.from(rows.flatMap((row) => [0, ...row]))
  for (let at = 0; at < bytes.length; at += 7) count.read(bytes.subarray(at, at + 7))
  return count.shades()
}

const assertSame = (found: Shades, expected: Shades): void => {
  for (const key of ['all', 'visible', 'lostOnLight', 'lostOnDark'] as const)
    assert.ok(Math.abs(found[key] - expected[key]) < 0.001, `${key}: ${found[key]} instead of ${expected[key]}`)
}

const WHITE: Pixel = [255, 255, 255, 255]
const BLACK: Pixel = [0, 0, 0, 255]
const NONE: Pixel = [255, 255, 255, 0]

test('the pixels of every kind of PNG are read as a browser reads them', () => {
  const shades = countOf([WHITE, BLACK, NONE])
  assertSame(countRows(headerOf(3, 1, 8, 6), [[255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 0]]), shades)
  assertSame(countRows(headerOf(3, 1, 8, 4), [[255, 255, 0, 255, 255, 0]]), shades)
  const wide = [255, 255, 255, 255, 0, 0, 255, 255, 255, 255, 0, 0]
  assertSame(countRows(headerOf(3, 1, 16, 4), [wide]), shades)
  // One colour stands for nothing.
  const grey = Buffer.from([0, 1])
  assertSame(countRows(headerOf(3, 1, 2, 0), [[0b11_00_01_00]], undefined, grey), shades)
  const colour = Buffer.from([0, 9, 0, 9, 0, 9])
  assertSame(countRows(headerOf(3, 1, 8, 2), [[255, 255, 255, 0, 0, 0, 9, 9, 9]], undefined, colour), shades)
  const palette = Buffer.from([255, 255, 255, 0, 0, 0, 1, 2, 3])
  const transparency = Buffer.from([255, 255, 0])
  for (const [depth, row] of [
    [2, [0b00_01_10_00]],
    [4, [0x01, 0x20]],
    [8, [0, 1, 2]],
  ] as const)
    assertSame(countRows(headerOf(3, 1, depth, 3), [row], palette, transparency), shades)
  assertSame(
    countRows(headerOf(3, 1, 1, 3), [[0b010_00000]], palette, Buffer.from([255])),
    countOf([WHITE, BLACK, WHITE]),
  )
})

test('a pixel that is half transparent counts half', () => {
  assertSame(countRows(headerOf(1, 1, 8, 4), [[255, 51]]), { all: 1, visible: 0.2, lostOnLight: 0.2, lostOnDark: 0 })
})

test('all passes of an interlaced picture are counted', () => {
  const header = headerOf(5, 5, 8, 4, 1)
  const rows = passesOf(header).flatMap(({ rows: count, rowBytes }) =>
    Array.from({ length: count }, () => Array.from({ length: rowBytes }, () => 255)),
  )
  assertSame(countRows(header, rows), { all: 25, visible: 25, lostOnLight: 25, lostOnDark: 0 })
})

test('of a large picture at most 128 pixels of a row and 128 rows are looked at, each for those beside it', () => {
  const header = headerOf(2048, 2, 8, 4)
  assert.equal(pixelBits(header), 16)
  const row = Array.from({ length: 4096 }, (_, at) => (at % 2 === 0 ? 0 : 255))
  assertSame(countRows(header, [row, row]), { all: 4096, visible: 4096, lostOnLight: 0, lostOnDark: 4096 })
})

test('bytes behind the last row are not read', () => {
  const count = createShadeCount(headerOf(1, 1, 8, 4))
  count.read(Buffer.from([0, 255, 255, 0, 0, 255]))
  assertSame(count.shades(), { all: 1, visible: 1, lostOnLight: 1, lostOnDark: 0 })
})
