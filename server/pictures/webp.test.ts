import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPictureRefusal, refusalMessage } from './picture.ts'
import { exifWith, fixture, PICTURE_IN_ASCII, webpChunks, type PngChunk } from './testing/fixtures.ts'
import { checkWebp, webpFile } from './webp.ts'

const clean = (file: Buffer): Buffer => {
  const checked = checkWebp(file)
  return isPictureRefusal(checked) ? assert.fail(refusalMessage(checked)) : checked.bytes
}
const typesIn = (file: Buffer): string =>
  webpChunks(clean(file))
    .map(({ type }) => type)
    .join(',')

const whyRefused = (file: Buffer): string => {
  const checked = checkWebp(file)
  if (!isPictureRefusal(checked)) return 'accepted'
  return checked.why === 'damaged' ? `damaged: ${checked.part}` : checked.why
}

const chunk = (type: string, data: string | Buffer = '<script>'): PngChunk => ({ type, data: Buffer.from(data) })

const part = (name: string, type: string): PngChunk =>
  webpChunks(fixture(name)).find((each) => each.type === type) ?? assert.fail(type)

const LOSSLESS = part('lossless-tool.webp', 'VP8L')
const LOSSY = part('lossy-tool.webp', 'VP8 ')
const ALPHA = part('canvas-lossy-alpha.webp', 'ALPH')
const PROFILE = part('canvas-p3.webp', 'ICCP')

/** Header of an extended file of 16 × 12 pixels. */
const extended = (flags: number, width = 16, height = 12): PngChunk => {
  const data = Buffer.alloc(10, 0)
  data[0] = flags
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { type: 'VP8X', data }
}

const changed = ({ type, data }: PngChunk, at: number, value: number): PngChunk => {
  const copy = Buffer.from(data)
  copy[at] = value
  return { type, data: copy }
}

describe('the chunks of a WebP', () => {
  test('pixels, alpha channel and colour profile are kept, all others removed', () => {
    assert.equal(typesIn(fixture('lossy-tool.webp')), 'VP8 ')
    assert.equal(typesIn(fixture('lossless-tool.webp')), 'VP8L')
    assert.equal(typesIn(fixture('canvas-lossy-alpha.webp')), 'VP8X,ICCP,ALPH,VP8 ')
    assert.equal(typesIn(fixture('metadata.webp')), 'VP8X,ICCP,ALPH,VP8 ')
    const texts = ['EXIF', 'XMP ', 'ABCD'].map((type) => chunk(type))
    const file = Buffer.concat([
      webpFile([extended(0x3c), chunk('XMP '), PROFILE, ALPHA, LOSSY, ...texts]),
      Buffer.from('PK'),
    ])
    assert.equal(typesIn(file), 'VP8X,ICCP,ALPH,VP8 ')
    assert.ok(!clean(file).includes('<script>'))
  })

  test('the flags say what is left, and nothing is written where nothing is known', () => {
    const flagsOf = (...chunks: readonly PngChunk[]): string =>
      (webpChunks(clean(webpFile(chunks)))[0] ?? assert.fail()).data.toString('hex', 0, 4)
    assert.equal(flagsOf(extended(0xff & ~2), PROFILE, ALPHA, LOSSY), '30000000')
    assert.equal(flagsOf(extended(0x2c), LOSSY), '00000000')
    assert.equal(flagsOf(changed(extended(0x10), 2, 0x41), LOSSLESS), '10000000')
    // Without its flag no browser reads the profile; a lossless picture has its own alpha channel.
    assert.equal(typesIn(webpFile([extended(0), PROFILE, LOSSY])), 'VP8X,VP8 ')
    assert.equal(typesIn(webpFile([extended(0x10), ALPHA, LOSSLESS])), 'VP8X,VP8L')
  })

  test('animation and an orientation are refused', () => {
    assert.equal(whyRefused(webpFile([extended(2), LOSSY])), 'animated')
    for (const type of ['ANIM', 'ANMF'])
      assert.equal(whyRefused(webpFile([extended(0), chunk(type), LOSSY])), 'animated')
    assert.equal(whyRefused(webpFile([extended(8), LOSSY, chunk('EXIF', exifWith(8, 'II'))])), 'rotated')
    const withPrefix = Buffer.concat([Buffer.from('Exif\0\0'), exifWith(3)])
    assert.equal(whyRefused(webpFile([extended(8), LOSSY, chunk('EXIF', withPrefix)])), 'rotated')
  })

  test('what is broken, twice or out of order is refused', () => {
    const whole = fixture('lossy-tool.webp')
    const longer = Buffer.from(whole)
    longer.writeUInt32LE(whole.length, 4)
    const all: readonly (readonly [string, Buffer])[] = [
      ['cut_short', whole.subarray(0, -1)],
      ['cut_short', longer],
      ['cut_short', webpFile([])],
      ['cut_short', webpFile([{ type: 'VP8 ', data: LOSSY.data.subarray(0, 9) }])],
      ['cut_short', webpFile([{ type: 'VP8 ', data: LOSSY.data.subarray(0, 12) }])],
      ['cut_short', webpFile([{ type: 'VP8L', data: LOSSLESS.data.subarray(0, 5) }])],
      ['damaged: its header does not come first', webpFile([chunk('XMP '), LOSSY])],
      ['damaged: it has no pixels', webpFile([extended(0)])],
      ['damaged: its pixels stand twice', webpFile([LOSSY, LOSSLESS])],
      ['damaged: a chunk stands twice', webpFile([extended(0), extended(0), LOSSY])],
      ['damaged: a chunk stands twice', webpFile([extended(0x20), PROFILE, PROFILE, LOSSY])],
      ['damaged: a chunk stands twice', webpFile([extended(0x10), ALPHA, ALPHA, LOSSY])],
      ['damaged: its header has a wrong length', webpFile([chunk('VP8X', Buffer.alloc(11)), LOSSY])],
      ['damaged: its header names another size than its pixels have', webpFile([extended(0, 17), LOSSY])],
      ['damaged: its header names another size than its pixels have', webpFile([extended(0, 16, 2 ** 24), LOSSY])],
      ['damaged: its header holds values that do not exist', webpFile([changed(LOSSY, 3, 0)])],
      ['damaged: its header holds values that do not exist', webpFile([changed(LOSSY, 0, (LOSSY.data[0] ?? 0) | 1)])],
      ['damaged: its header holds values that do not exist', webpFile([changed(LOSSLESS, 0, 0x2e)])],
      ['damaged: its header holds values that do not exist', webpFile([changed(LOSSLESS, 4, 0x20)])],
      ['too_many_pixels', webpFile([changed(LOSSY, 7, 0x3f)])],
      ['too_many_pixels', webpFile([changed(LOSSLESS, 2, 0x3f)])],
      ['no_pixels', webpFile([changed(LOSSY, 6, 0)])],
      ['wrong_colour_profile', webpFile([extended(0x20), chunk('ICCP'), LOSSY])],
    ]
    for (const [why, file] of all) assert.equal(whyRefused(file), why, why)
  })

  test('a picture that is also a text in ASCII is still a picture', () => {
    assert.ok(PICTURE_IN_ASCII.every((byte) => byte < 0x80))
    assert.ok(clean(PICTURE_IN_ASCII).equals(PICTURE_IN_ASCII))
  })
})
