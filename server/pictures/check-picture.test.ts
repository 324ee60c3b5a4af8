import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { turnsOf } from '../../proof/harness/event-loop-turns.ts'
import { PICTURE_BYTES_MAX } from '#contract/merchant/pictures.ts'
import { checkPicture } from './check-picture.ts'
import { jpegSegment, MARKERS, readSegments } from './jpeg-segments.ts'
import {
  isPictureRefusal,
  PARTS_MAX,
  refusalMessage,
  TOO_MANY_PARTS,
  type Picture,
  type PictureRefusal,
} from './picture.ts'
import {
  CARD_IN_METADATA,
  fixture,
  GOOD_PICTURES,
  greyAlphaPng,
  png,
  pngHeader,
  pngPixels,
  tinyPng,
  webpChunks,
  END,
} from './testing/fixtures.ts'
import { webpFile } from './webp.ts'

const accepted = async (file: Buffer): Promise<Picture> => {
  const checked = await checkPicture(file)
  return isPictureRefusal(checked) ? assert.fail(refusalMessage(checked)) : checked
}

const refused = async (file: Buffer): Promise<PictureRefusal> => {
  const checked = await checkPicture(file)
  return isPictureRefusal(checked) ? checked : assert.fail('it was accepted')
}

/** With empty comments, so that it has this many segments with its end. */
const withComments = async (file: Buffer, count: number): Promise<Buffer> => {
  const segments = await readSegments(file)
  const own = isPictureRefusal(segments) ? assert.fail() : segments.length + 1
  const comments = Buffer.alloc(4 * (count - own), Buffer.from([0xff, 0xfe, 0, 2]))
  return Buffer.concat([file.subarray(0, 2), comments, file.subarray(2)])
}

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }

describe('the plate that a picture is seen on as a logo', () => {
  const plateOf = async (file: Buffer): Promise<string> => (await accepted(file)).plate

  test('of a transparent PNG it is chosen from the pixels that are seen', async () => {
    const [white, black, none] = [
      [255, 255],
      [0, 255],
      [255, 0],
    ] as const
    assert.equal(await plateOf(greyAlphaPng(white, none)), 'dark')
    assert.equal(await plateOf(greyAlphaPng(black, none)), 'light')
    assert.equal(await plateOf(greyAlphaPng(white, black, none)), 'neutral')
    // White pixels that nobody sees do not count.
    assert.equal(await plateOf(greyAlphaPng(black, none, none, none, none)), 'light')
    const palette = { type: 'PLTE', data: Buffer.from([255, 255, 255, 0, 0, 0]) }
    const transparency = { type: 'tRNS', data: Buffer.from([255, 0]) }
    const pixels = { type: 'IDAT', data: deflateSync(Buffer.from([0, 0b01_000000])) }
    assert.equal(await plateOf(png(pngHeader(2, 1, 1, 3), palette, transparency, pixels, END)), 'dark')
    assert.equal(await plateOf(png(pngHeader(2, 1, 1, 3), palette, pixels, END)), 'light')
  })

  test('of a PNG without transparency, and of every JPEG, it is light: they bring their own ground', async () => {
    assert.equal(await plateOf(tinyPng()), 'light')
    assert.equal(await plateOf(greyAlphaPng([255, 255], [255, 255])), 'light')
    for (const name of ['canvas.jpg', 'cmyk.jpg', 'progressive.jpg'])
      assert.equal(await plateOf(fixture(name)), 'light')
  })

  test('of a transparent PNG with more pixels than are counted it is neutral', async () => {
    const square = (side: number): Buffer => png(pngHeader(side, side, 8, 6), pngPixels(side * (1 + 4 * side)), END)
    assert.equal(await plateOf(square(2000)), 'light')
    assert.equal(await plateOf(square(2300)), 'neutral')
  })

  test('of a WebP it is neutral where that is transparent, and light where it is not', async () => {
    assert.equal(await plateOf(fixture('canvas-lossy-alpha.webp')), 'neutral')
    assert.equal(await plateOf(fixture('canvas-lossy.webp')), 'light')
    const lossless = (hasAlpha: boolean): Buffer => {
      const data = Buffer.from('2f00000000071011110000', 'hex')
      data.writeUInt32LE(hasAlpha ? 1 << 28 : 0, 1)
      return webpFile([{ type: 'VP8L', data }])
    }
    assert.deepEqual([await plateOf(lossless(true)), await plateOf(lossless(false))], ['neutral', 'light'])
  })

  test('its pixels are read in parts, with a turn of the event loop after each', async () => {
    const file = png(pngHeader(2000, 2000, 8, 6), pngPixels(2000 * 8001), END)
    const turns = await turnsOf(() => checkPicture(file))
    assert.ok(turns >= 61, `${turns} turns for 61 parts of 256 KiB`)
  })
})

describe('pictures of real programs', () => {
  for (const name of GOOD_PICTURES)
    test(`${name} is accepted, and is the same picture when it is checked again`, async () => {
      const picture = await accepted(fixture(name))
      assert.deepEqual([picture.type, picture.width, picture.height], [TYPES[name.split('.')[1] ?? ''], 16, 12])
      assert.ok((await accepted(picture.bytes)).bytes.equals(picture.bytes))
    })

  for (const name of ['metadata.png', 'metadata.webp', 'progressive.jpg'])
    test(`the texts in ${name}, among them a card number, are removed`, async () => {
      const file = fixture(name)
      assert.ok(file.includes(CARD_IN_METADATA))
      const { bytes } = await accepted(file)
      for (const text of [CARD_IN_METADATA, 'xmp', 'Exif', 'kept by nobody']) assert.ok(!bytes.includes(text), text)
    })

  test('an animated and a turned one are refused', async () => {
    assert.deepEqual(await refused(fixture('animated.webp')), { why: 'animated' })
    assert.deepEqual(await refused(fixture('rotated.jpg')), { why: 'rotated' })
  })
})

describe('what a picture may be', () => {
  test('sides of 1 and of 4096 pixels are accepted, of 0 and of 4097 refused', async () => {
    for (const [width, height] of [
      [1, 1],
      [4096, 1],
      [1, 4096],
    ] as const) {
      const picture = await accepted(png(pngHeader(width, height), pngPixels(height * (1 + 3 * width)), END))
      assert.deepEqual([picture.width, picture.height], [width, height])
    }
    const sized = (width: number, height: number) => refused(png(pngHeader(width, height), pngPixels(1), END))
    assert.deepEqual(await sized(0, 1), { why: 'no_pixels' })
    assert.deepEqual(await sized(1, 0), { why: 'no_pixels' })
    assert.deepEqual(await sized(4097, 1), { why: 'too_many_pixels', width: 4097, height: 1 })
    assert.deepEqual(await sized(1, 4097), { why: 'too_many_pixels', width: 1, height: 4097 })
  })

  test('a file of 2 MiB is accepted, one of a byte more refused, and an empty one too', async () => {
    const withLength = (length: number): Buffer => {
      const text = (size: number) => tinyPng({ type: 'tEXt', data: Buffer.alloc(size) })
      return text(length - text(0).length)
    }
    assert.equal(withLength(PICTURE_BYTES_MAX).length, PICTURE_BYTES_MAX)
    await accepted(withLength(PICTURE_BYTES_MAX))
    assert.deepEqual(await refused(withLength(PICTURE_BYTES_MAX + 1)), { why: 'too_large' })
    assert.deepEqual(await refused(Buffer.alloc(0)), { why: 'empty' })
  })

  test('4096 parts are read, one more is refused', async () => {
    const many = async (count: number): Promise<Readonly<Record<string, Buffer>>> => ({
      png: tinyPng(...Array.from({ length: count - 3 }, () => ({ type: 'tEXt', data: Buffer.alloc(0) }))),
      jpg: await withComments(fixture('gray.jpg'), count),
      webp: webpFile([
        ...webpChunks(fixture('lossy-tool.webp')),
        ...Array.from({ length: count - 1 }, () => ({ type: 'ABCD', data: Buffer.alloc(0) })),
      ]),
    })
    for (const file of Object.values(await many(PARTS_MAX))) await accepted(file)
    for (const [name, file] of Object.entries(await many(PARTS_MAX + 1)))
      assert.deepEqual(await refused(file), TOO_MANY_PARTS, name)
  })

  test('4096 tables of a JPEG are read, one more is refused', async () => {
    const gray = fixture('gray.jpg')
    /** Huffman tables without a code, of 17 bytes each. */
    const withTables = (count: number): Buffer => {
      const segments = Array.from({ length: Math.ceil(count / 1000) }, (_, place) =>
        jpegSegment(MARKERS.huffman, Buffer.alloc(17 * Math.min(1000, count - 1000 * place))),
      )
      return Buffer.concat([gray.subarray(0, 2), ...segments, gray.subarray(2)])
    }
    const own = 3
    await accepted(withTables(PARTS_MAX - own))
    assert.deepEqual(await refused(withTables(PARTS_MAX - own + 1)), TOO_MANY_PARTS)
  })

  test('payments have a turn of the event loop at every 64 KiB of a JPEG, whatever it is filled with', async () => {
    const gray = fixture('gray.jpg')
    const room = PICTURE_BYTES_MAX - gray.length
    const filled = (at: number, ...bytes: number[]): Buffer =>
      Buffer.concat([gray.subarray(0, at), Buffer.alloc(room, Buffer.from(bytes)), gray.subarray(at)])
    const files = {
      'fill bytes before a part': filled(2, 0xff),
      'fill bytes in its pixels': filled(gray.length - 2, 0xff),
      'stuffed bytes': filled(gray.length - 2, 0xff, 0),
      comments: Buffer.concat([
        gray.subarray(0, 2),
        ...Array.from({ length: 31 }, () => jpegSegment(0xfe, Buffer.alloc(0xfffd))),
        gray.subarray(2),
      ]),
    }
    for (const [name, file] of Object.entries(files)) {
      await accepted(file)
      const turns = await turnsOf(() => checkPicture(file))
      assert.ok(turns >= 15, `${name}: ${turns} turns`)
    }
  })

  test('what is no PNG, JPEG or WebP is called by its name where that is known', async () => {
    const others: Readonly<Record<string, string | null>> = {
      GIF89a: 'a GIF',
      '<svg xmlns="http://www.w3.org/2000/svg"/>': 'an SVG drawing',
      '\u00ef\u00bb\u00bf<?xml version="1.0"?><svg/>': 'an SVG drawing',
      '\0\0\0\u0018ftypheic': 'an HEIC picture of a phone',
      '\0\0\0\u0018ftypavif': 'an AVIF picture',
      '<!doctype html><script>alert(1)</script>': 'an HTML page',
      '--x\r\nContent-Disposition: form-data; name="file"': 'a form (multipart/form-data)',
      'RIFF\0\0\0\0WAVE': null,
      hello: null,
    }
    for (const [text, looksLike] of Object.entries(others))
      assert.deepEqual(await refused(Buffer.from(text, 'latin1')), { why: 'wrong_format', looksLike }, text)
  })

  test('every reason has a sentence that says how to mend it', () => {
    const reasons: Record<PictureRefusal['why'], PictureRefusal> = {
      empty: { why: 'empty' },
      too_large: { why: 'too_large' },
      wrong_format: { why: 'wrong_format', looksLike: null },
      too_many_pixels: { why: 'too_many_pixels', width: 5000, height: 1 },
      no_pixels: { why: 'no_pixels' },
      animated: { why: 'animated' },
      rotated: { why: 'rotated' },
      cut_short: { why: 'cut_short' },
      damaged: { why: 'damaged', part: 'a checksum is wrong' },
      rare_coding: { why: 'rare_coding', coding: 'arithmetic coding' },
      wrong_colour_profile: { why: 'wrong_colour_profile' },
    }
    const sentences = Object.values(reasons).map(refusalMessage)
    for (const sentence of sentences) assert.match(sentence, /^(The|This|There) .*\b(Save|Send|make|Convert)\b.*\.$/)
    assert.equal(new Set(sentences).size, sentences.length)
    assert.match(refusalMessage({ why: 'wrong_format', looksLike: 'a GIF' }), /^This looks like a GIF\. Save/)
  })
})
