import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkJpeg } from './jpeg.ts'
import { jpegSegment, MARKERS, readSegments } from './jpeg-segments.ts'
import { isPictureRefusal, refusalMessage } from './picture.ts'
import { exifWith, fixture } from './testing/fixtures.ts'

const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])

const clean = async (file: Buffer): Promise<Buffer> => {
  const checked = await checkJpeg(file)
  return isPictureRefusal(checked) ? assert.fail(refusalMessage(checked)) : checked.bytes
}

const whyRefused = async (file: Buffer): Promise<string> => {
  const checked = await checkJpeg(file)
  if (!isPictureRefusal(checked)) return assert.fail('it was accepted')
  if (checked.why === 'damaged') return `damaged: ${checked.part}`
  return checked.why === 'rare_coding' ? `rare: ${checked.coding}` : checked.why
}

/** Every marker from the start to the end, in hex; the pixels of a scan are passed over. */
const markersIn = async (file: Buffer): Promise<string> => {
  const segments = await readSegments(file)
  if (isPictureRefusal(segments)) return assert.fail(refusalMessage(segments))
  return segments.map(({ marker }) => marker.toString(16)).join(' ')
}

const behindStart = (file: Buffer, ...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([START, ...segments, file.subarray(2)])

/** A JPEG of these segments, with the pixels of none. */
const jpeg = (...segments: readonly Buffer[]): Buffer => Buffer.concat([START, ...segments, END])

const FRAME = [8, 0, 12, 0, 16, 1, 1, 0x11, 0]
const frame = (marker = 0xc0, data: readonly number[] = FRAME): Buffer => jpegSegment(marker, Buffer.from(data))
const scan = (...data: readonly number[]): Buffer =>
  jpegSegment(MARKERS.scan, Buffer.from(data.length === 0 ? [1, 1, 0, 0, 63, 0] : data))
const table = (number: number, value: string | number = 1): Buffer =>
  jpegSegment(MARKERS.quantization, Buffer.concat([Buffer.from([number]), Buffer.alloc(64, value)]))

describe('the segments of a JPEG', () => {
  const file = fixture('canvas.jpg')

  test('frame, tables, scans and what tells the colours are kept, all others removed', async () => {
    const removed = [0xe1, 0xe3, 0xe7, 0xed, 0xef, 0xf0, 0xfe].map((marker) =>
      jpegSegment(marker, Buffer.from('http://ns.adobe.com/<script>')),
    )
    const multiPicture = jpegSegment(MARKERS.profile, Buffer.from('MPF\0<script>'))
    const trailing = Buffer.concat([file, Buffer.from('<script>')])
    const plain = await clean(file)
    assert.ok(!plain.includes('script'))
    assert.ok((await clean(behindStart(trailing, ...removed, multiPicture, Buffer.from([0xff, 0xff])))).equals(plain))
    assert.equal(await markersIn(plain), 'e0 e2 db db c0 c4 c4 c4 c4 da')
    assert.equal(await markersIn(await clean(fixture('rgb.jpg'))), 'ee db c0 c4 c4 da')
    assert.equal((await markersIn(await clean(fixture('restart.jpg')))).includes('dd'), true)
    assert.equal((await markersIn(await clean(fixture('progressive.jpg')))).match(/da/g)?.length, 10)
  })

  test('the small picture and the resolution in JFIF, and the numbers of Adobe, are replaced', async () => {
    const jfif = jpegSegment(MARKERS.jfif, Buffer.from('JFIF\0\u0001\u0002\u0001\0H\0H\u0001\u0001<i>', 'latin1'))
    const adobe = jpegSegment(MARKERS.adobe, Buffer.from('Adobe4242424242', 'latin1'))
    const plain = await clean(behindStart(fixture('gray.jpg'), jfif, adobe))
    assert.equal(plain.toString('latin1', 6, 20), 'JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0')
    assert.ok(plain.includes(Buffer.from('41646f626500640000000034', 'hex')))
    assert.ok(!plain.includes('<i>') && !plain.includes('4242'))
  })

  test('a table that no scan uses, or that is replaced before one does, could hold a text and is removed', async () => {
    const [unused, replaced] = [table(3, '<script>'), table(0, '<script>')]
    assert.ok((await clean(behindStart(file, unused, replaced))).equals(await clean(file)))
  })

  test('an orientation is refused wherever it stands; upright and unreadable ones are removed', async () => {
    const exif = (data: Buffer): Buffer => jpegSegment(MARKERS.exif, Buffer.concat([Buffer.from('Exif\0\0'), data]))
    for (let orientation = 2; orientation <= 8; orientation += 1)
      for (const order of ['II', 'MM'] as const)
        assert.equal(
          await whyRefused(behindStart(file, exif(exifWith(1)), exif(exifWith(orientation, order)))),
          'rotated',
        )
    for (const orientation of [0, 1, 9])
      assert.ok((await clean(behindStart(file, exif(exifWith(orientation))))).equals(await clean(file)))
    assert.ok((await clean(behindStart(file, exif(exifWith(6).subarray(0, 18))))).equals(await clean(file)))
  })

  test('what is broken, rare or out of order is refused', async () => {
    const all: readonly (readonly [string, Buffer])[] = [
      ['cut_short', file.subarray(0, -2)],
      ['cut_short', file.subarray(0, 30)],
      ['cut_short', START],
      ['damaged: it has no pixels', jpeg()],
      ['damaged: it has no pixels', jpeg(frame())],
      ['damaged: it has no pixels', jpeg(scan())],
      ['damaged: its header stands twice', jpeg(frame(), frame(), scan())],
      ['damaged: its pixels come before its header', jpeg(scan(), frame())],
      ['damaged: a second picture begins inside it', jpeg(file)],
      ['damaged: a part does not begin where the one before ends', jpeg(Buffer.from('<script>'), frame(), scan())],
      ['damaged: it has a part that does not exist', jpeg(jpegSegment(0x4f, Buffer.alloc(0)))],
      ['damaged: it has a part that does not exist', jpeg(Buffer.from([0xff, 0xd0]))],
      ['damaged: a part has a wrong length', jpeg(Buffer.from([0xff, 0xfe, 0, 1]))],
      ['damaged: its header has a wrong length', jpeg(frame(0xc0, [...FRAME, 0]), scan())],
      ['damaged: its header holds values that do not exist', jpeg(frame(0xc0, FRAME.with(7, 0x15)), scan())],
      ['damaged: a scan has a wrong length', jpeg(frame(), scan(1, 1, 0, 0, 63, 0, 0))],
      ['damaged: a scan holds values that do not exist', jpeg(frame(), scan(1, 2, 0, 0, 63, 0))],
      ['damaged: a scan holds values that do not exist', jpeg(frame(), scan(1, 1, 0x40, 0, 63, 0))],
      ['damaged: a scan holds values that do not exist', jpeg(frame(), scan(1, 1, 0, 0, 64, 0))],
      ['damaged: a quantization table is wrong', jpeg(table(4), frame(), scan())],
      ['damaged: a Huffman table is wrong', jpeg(jpegSegment(MARKERS.huffman, Buffer.alloc(17, 3)), frame(), scan())],
      [
        'damaged: a restart interval is wrong',
        jpeg(jpegSegment(MARKERS.restartInterval, Buffer.alloc(3)), frame(), scan()),
      ],
      ['rare: more than 8 bits a colour', jpeg(frame(0xc1, FRAME.with(0, 12)), scan())],
      ['rare: lossless or layered JPEG', jpeg(frame(0xc3), scan())],
      ['rare: arithmetic coding', jpeg(frame(0xc9), scan())],
      ['rare: a height that stands behind the pixels', jpeg(frame(), scan(), jpegSegment(0xdc, Buffer.alloc(2)))],
      ['no_pixels', jpeg(frame(0xc0, FRAME.with(2, 0)), scan())],
      ['too_many_pixels', jpeg(frame(0xc0, FRAME.with(1, 0xff)), scan())],
    ]
    for (const [why, bytes] of all) assert.equal(await whyRefused(bytes), why)
  })

  test('fifty passes over the pixels are accepted, and one more is refused', async () => {
    const passes = (count: number): Buffer => jpeg(frame(0xc2), ...Array.from({ length: count }, () => scan()))
    assert.equal((await markersIn(await clean(passes(50)))).match(/da/g)?.length, 50)
    assert.equal(await whyRefused(passes(51)), 'rare: more than 50 passes over its pixels')
  })
})

const segments = await readSegments(fixture('adobe-rgb.jpg'))

describe('the colour profile of a JPEG', () => {
  const part = (place: number, count: number, data: Buffer): Buffer =>
    jpegSegment(MARKERS.profile, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([place, count]), data]))
  const profile = isPictureRefusal(segments)
    ? assert.fail()
    : (segments.find(({ marker }) => marker === MARKERS.profile)?.data.subarray(14) ?? assert.fail())
  const gray = fixture('gray.jpg')
  const halves = [profile.subarray(0, 300), profile.subarray(300)] as const

  test('is put together from its parts in whatever order they stand', async () => {
    const whole = await clean(behindStart(gray, part(1, 1, profile)))
    assert.ok(whole.includes('ICC_PROFILE'))
    assert.ok((await clean(behindStart(gray, part(2, 2, halves[1]), part(1, 2, halves[0])))).equals(whole))
  })

  test('is refused when a part is missing, stands twice or counts wrongly', async () => {
    for (const parts of [
      [part(1, 2, halves[0])],
      [part(1, 2, halves[0]), part(1, 2, halves[1])],
      [part(1, 2, halves[0]), part(2, 3, halves[1])],
      [part(0, 1, profile)],
    ])
      assert.equal(await whyRefused(behindStart(gray, ...parts)), 'wrong_colour_profile')
  })
})
