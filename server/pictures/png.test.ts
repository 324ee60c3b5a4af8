import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { isPictureRefusal, refusalMessage } from './picture.ts'
import { checkPng } from './png.ts'
import { parsePngHeader, pixelBytes } from './png-header.ts'
import {
  END,
  exifWith,
  fixture,
  png,
  pngChunks,
  pngHeader,
  pngPixels,
  tinyPng,
  type PngChunk,
} from './testing/fixtures.ts'

const typesIn = async (file: Buffer): Promise<string> => {
  const checked = await checkPng(file)
  return isPictureRefusal(checked)
    ? assert.fail(refusalMessage(checked))
    : pngChunks(checked.bytes)
        .map(({ type }) => type)
        .join(' ')
}

const whyRefused = async (file: Buffer): Promise<string> => {
  const checked = await checkPng(file)
  if (!isPictureRefusal(checked)) return assert.fail('it was accepted')
  return checked.why === 'damaged' ? `damaged: ${checked.part}` : checked.why
}

const chunk = (type: string, data: string | Buffer = ''): PngChunk => ({ type, data: Buffer.from(data) })
const numbers = (...values: number[]): Buffer => {
  const data = Buffer.alloc(4 * values.length)
  for (const [place, value] of values.entries()) data.writeUInt32BE(value, 4 * place)
  return data
}

describe('the chunks of a PNG', () => {
  test('those that make the picture and its colours are kept, all others removed', async () => {
    const kept = [
      chunk('cICP', Buffer.from([1, 13, 0, 1])),
      chunk('sRGB', Buffer.from([0])),
      chunk('gAMA', numbers(45455)),
      chunk('cHRM', numbers(...Array.from({ length: 8 }, () => 31_270))),
      chunk('tRNS', Buffer.alloc(6)),
    ]
    const removed = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'pHYs', 'bKGD', 'sPLT', 'vpAg', 'caBX'].map((type) =>
      chunk(type, '<script>alert(1)</script>'),
    )
    assert.equal(await typesIn(tinyPng(...removed, ...kept)), 'IHDR cICP sRGB gAMA cHRM tRNS IDAT IEND')
    assert.equal(await typesIn(fixture('canvas-p3.png')), 'IHDR iCCP IDAT IEND')
    assert.equal(await typesIn(fixture('palette-interlaced.png')), 'IHDR gAMA cHRM PLTE IDAT IEND')
    const palette = [chunk('PLTE', 'abcdef'), chunk('tRNS', 'ab')]
    assert.equal(await typesIn(png(pngHeader(2, 1, 1, 3), ...palette, pngPixels(2), END)), 'IHDR PLTE tRNS IDAT IEND')
    const upright = chunk('eXIf', exifWith(1))
    assert.equal(await typesIn(Buffer.concat([tinyPng(upright), Buffer.from('PK and a ZIP')])), 'IHDR IDAT IEND')
  })

  test('a palette beside full colours could hold a text that nobody sees, and is removed', async () => {
    assert.equal(await typesIn(tinyPng(chunk('PLTE', '<b>'))), 'IHDR IDAT IEND')
  })

  test('pixels in several chunks become one, and what is packed behind them is cut off', async () => {
    const packed = deflateSync(Buffer.alloc(7))
    const pieces = [packed.subarray(0, 3), packed.subarray(3), Buffer.from('<script>')].map((data) =>
      chunk('IDAT', data),
    )
    const checked = await checkPng(png(pngHeader(2, 1), ...pieces, END))
    assert.ok(!isPictureRefusal(checked) && checked.bytes.equals(tinyPng()))
  })

  test('animation and an orientation are refused', async () => {
    for (const type of ['acTL', 'fcTL', 'fdAT']) assert.equal(await whyRefused(tinyPng(chunk(type))), 'animated')
    assert.equal(await whyRefused(tinyPng(chunk('eXIf', exifWith(6)))), 'rotated')
  })

  test('what stands twice, in the wrong place or with a wrong content is refused', async () => {
    const [header, pixels, gamma] = [pngHeader(2, 1), pngPixels(7), chunk('gAMA', numbers(45455))]
    const all: readonly (readonly [string, readonly PngChunk[]])[] = [
      ['damaged: the header does not come first', [gamma, header, pixels, END]],
      ['damaged: the header stands twice', [header, header, pixels, END]],
      ['damaged: gAMA stands twice', [header, gamma, gamma, pixels, END]],
      ['damaged: gAMA comes after the pixels', [header, pixels, gamma, END]],
      ['damaged: its pixels are in pieces', [header, pixels, chunk('tEXt'), pixels, END]],
      ['damaged: its palette is missing', [pngHeader(2, 1, 8, 3), pngPixels(3), END]],
      ['damaged: PLTE holds what it cannot', [pngHeader(2, 1, 1, 3), chunk('PLTE', 'nine byte'), pngPixels(2), END]],
      ['damaged: gAMA holds what it cannot', [header, chunk('gAMA', '4242'), pixels, END]],
      ['damaged: cHRM holds what it cannot', [header, chunk('cHRM', '4242'.repeat(8)), pixels, END]],
      ['damaged: sRGB holds what it cannot', [header, chunk('sRGB', 'ab'), pixels, END]],
      ['damaged: tRNS holds what it cannot', [header, chunk('tRNS', 'ab'), pixels, END]],
      [
        'damaged: tRNS holds what it cannot',
        [pngHeader(2, 1, 1, 3), chunk('PLTE', 'abcdef'), chunk('tRNS', 'abc'), pngPixels(2), END],
      ],
      ['damaged: its header has a wrong length', [chunk('IHDR', Buffer.alloc(14)), pixels, END]],
      ['rare_coding', [header, chunk('CgBI'), pixels, END]],
      ['wrong_colour_profile', [header, chunk('iCCP', 'a\0\0no zlib'), pixels, END]],
      [
        'wrong_colour_profile',
        [header, chunk('iCCP', `a\0\0${deflateSync('no profile').toString('latin1')}`), pixels, END],
      ],
      ['cut_short', [header, pixels]],
      ['cut_short', [header, END]],
      ['damaged: it holds fewer pixels than its header says', [header, pngPixels(6), END]],
      ['damaged: it holds more pixels than its header says', [header, pngPixels(8), END]],
      ['damaged: its pixels cannot be unpacked', [header, chunk('IDAT', 'no zlib'), END]],
      ['cut_short', [header, chunk('IDAT', deflateSync(Buffer.alloc(7)).subarray(0, -5)), END]],
    ]
    for (const [why, chunks] of all) assert.equal(await whyRefused(png(...chunks)), why)
  })

  test('a wrong checksum, a length beyond the end and a name that is none are refused', async () => {
    const file = tinyPng()
    const changed = (at: number, value: number): Buffer => {
      const copy = Buffer.from(file)
      copy[at] = value
      return copy
    }
    assert.equal(await whyRefused(changed(20, 9)), 'damaged: a checksum is wrong')
    assert.equal(await whyRefused(changed(8, 0x7f)), 'cut_short')
    assert.equal(await whyRefused(png(chunk('IH R'), END)), 'damaged: a chunk has no name')
  })
})

describe('the header of a PNG', () => {
  test('only the colour types and depths of the standard exist', () => {
    const allowed: Readonly<Record<number, readonly number[]>> = {
      0: [1, 2, 4, 8, 16],
      2: [8, 16],
      3: [1, 2, 4, 8],
      4: [8, 16],
      6: [8, 16],
    }
    for (let colourType = 0; colourType <= 7; colourType += 1)
      for (let depth = 0; depth <= 17; depth += 1) {
        const parsed = parsePngHeader(pngHeader(1, 1, depth, colourType).data)
        assert.equal(!isPictureRefusal(parsed), allowed[colourType]?.includes(depth) === true, `${colourType} ${depth}`)
      }
    assert.ok(!isPictureRefusal(parsePngHeader(pngHeader(1, 1, 8, 2, 1).data)))
    assert.ok(isPictureRefusal(parsePngHeader(pngHeader(1, 1, 8, 2, 2).data)))
  })

  test('the length of the pixels is that of the standard, interlaced or not', () => {
    const length = (...header: Parameters<typeof pngHeader>): number => {
      const parsed = parsePngHeader(pngHeader(...header).data)
      return isPictureRefusal(parsed) ? assert.fail() : pixelBytes(parsed)
    }
    assert.equal(length(16, 12, 8, 6), 12 * (1 + 64))
    assert.equal(length(9, 2, 1, 0), 2 * (1 + 2))
    assert.equal(length(4096, 4096, 16, 6), 4096 * (1 + 8 * 4096))
    // Counted by hand: one pixel is in the first pass alone; 8 × 8 have 15 rows in seven passes.
    assert.equal(length(1, 1, 8, 0, 1), 2)
    assert.equal(length(8, 8, 8, 0, 1), 64 + 15)
  })
})
