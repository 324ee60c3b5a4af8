/** Hostile pictures: other formats, bombs, broken, animated and turned ones, and files changed at random by a seed. */
import { deflateSync } from 'node:zlib'
import {
  END,
  exifWith,
  fixture,
  GOOD_PICTURES,
  png,
  pngChunks,
  pngHeader,
  pngPixels,
  tinyPng,
  webpChunks,
} from '../../../server/pictures/testing/fixtures.ts'
import { jpegSegment } from '../../../server/pictures/jpeg-segments.ts'
import { pngChunk } from '../../../server/pictures/png.ts'
import { webpFile } from '../../../server/pictures/webp.ts'
import { seededRandom, type SeededRandom } from '../../harness/seeded-random.ts'

export interface HostilePicture {
  readonly name: string
  readonly file: Buffer
}

const named = (files: Readonly<Record<string, Buffer | string>>): HostilePicture[] =>
  Object.entries(files).map(([name, file]) => ({
    name,
    file: typeof file === 'string' ? Buffer.from(file, 'latin1') : file,
  }))

/** None of them is a PNG, JPEG or WebP, whatever it is said to be. */
export const OTHER_FORMATS = named({
  'an SVG with a script': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'an SVG with a handler behind a declaration': '<?xml version="1.0"?>\n<svg onload="alert(1)"/>',
  'an SVG behind a byte order mark':
    '\u00ef\u00bb\u00bf<svg><foreignObject><iframe src="javascript:alert(1)"/></foreignObject></svg>',
  'an SVG with an entity bomb': '<!DOCTYPE svg [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>',
  'an HTML page': '<!DOCTYPE html><script>alert(1)</script>',
  'a script': 'alert(1)',
  'a GIF': 'GIF89a\u0001\0\u0001\0\u0080\0\0\0\0\0\0\0\0,\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002D\u0001\0;',
  'a GIF that is a script': 'GIF89a/*\0\0\0\0\0*/=1;alert(1)//;',
  'a BMP': `BM${'\0'.repeat(60)}`,
  'a TIFF': `II*\0\u0008\0\0\0${'\0'.repeat(60)}`,
  'an icon': `\0\0\u0001\0\u0001\0${'\0'.repeat(60)}`,
  'an AVIF picture': `\0\0\0\u0020ftypavif\0\0\0\0avifmif1${'\0'.repeat(60)}`,
  'an HEIC picture': `\0\0\0\u0020ftypheic\0\0\0\0mif1heic${'\0'.repeat(60)}`,
  'a JPEG XL picture': `\0\0\0\u000cJXL \r\n\u0087\n${'\0'.repeat(60)}`,
  'a JPEG 2000 picture': `\0\0\0\u000cjP  \r\n\u0087\n${'\0'.repeat(60)}`,
  'a film': `\0\0\0\u0020ftypisom${'\0'.repeat(60)}`,
  'a sound in RIFF': 'RIFF\u0024\0\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0',
  'a PDF': '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj',
  'a ZIP': `PK\u0003\u0004${'\0'.repeat(40)}`,
  'a program of Windows': `MZ${'\0'.repeat(60)}`,
  'a program of Linux': `\u007fELF${'\0'.repeat(60)}`,
  'a Flash film': 'FWS\u0005\0\0\0\0',
  'a gzip of an SVG': `\u001f\u008b\u0008\0${'\0'.repeat(40)}`,
  JSON: '{"amount":1980}',
  'a form': '--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n',
  'an address of a picture': 'data:image/png;base64,iVBORw0KGgo=',
  'an address of an internal host': 'http://169.254.169.254/latest/meta-data',
  'PostScript with a command': '%!PS\n(%pipe%id) (w) file',
  'an MVG of ImageMagick': 'push graphic-context\nimage over 0,0 0,0 "https://evil.example/"',
  'a PNG whose line ends were changed': '\u0089PNG\n\u001a\n\0\0\0\rIHDR',
  'the beginning of a JPEG and nothing else': '\u00ff\u00d8\u00ff',
  'the beginning of a PNG and nothing else': '\u0089PNG\r\n\u001a\n',
  'the beginning of a WebP and nothing else': 'RIFF\u0004\0\0\0WEBP',
  nothing: '',
  'one zero': '\0',
  blanks: ' '.repeat(1000),
})

const withFrame = (width: number, height: number): Buffer => {
  const file = Buffer.from(fixture('gray.jpg'))
  const at = file.indexOf(Buffer.from([0xff, 0xc0]))
  file.writeUInt16BE(height, at + 5)
  file.writeUInt16BE(width, at + 7)
  return file
}
const withLossySize = (width: number, height: number): Buffer => {
  const file = Buffer.from(fixture('lossy-tool.webp'))
  file.writeUInt16LE(width, 26)
  file.writeUInt16LE(height, 28)
  return file
}
const sides: readonly (readonly [number, number])[] = [
  [4097, 1],
  [1, 4097],
  [16_383, 16_383],
  [0, 12],
  [16, 0],
]

const MANY_ZEROS = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50_000_000))])

/** Few bytes that are many pixels, or many bytes when they are unpacked. */
export const BOMBS: HostilePicture[] = [
  ...[...sides, [65_535, 65_535] as const, [2 ** 31 - 1, 2 ** 31 - 1] as const].map(([width, height]) => ({
    name: `a PNG of ${width} × ${height}`,
    file: png(pngHeader(width, height), pngPixels(100), END),
  })),
  ...[...sides, [65_535, 65_535] as const].map(([width, height]) => ({
    name: `a JPEG of ${width} × ${height}`,
    file: withFrame(width, height),
  })),
  ...sides.map(([width, height]) => ({ name: `a WebP of ${width} × ${height}`, file: withLossySize(width, height) })),
  ...named({
    'a PNG of two pixels that unpacks to 200 MB': png(pngHeader(2, 1), pngPixels(200_000_000), END),
    'a PNG of 4096 × 4096 with one row': png(pngHeader(4096, 4096), pngPixels(4096 * 3 + 1), END),
    'a PNG whose colour profile unpacks to 50 MB': tinyPng({ type: 'iCCP', data: MANY_ZEROS }),
    'a PNG whose text unpacks to 50 MB': tinyPng({ type: 'zTXt', data: MANY_ZEROS }),
    'a PNG of 150,000 empty chunks': Buffer.concat([
      tinyPng().subarray(0, 33),
      ...Array.from({ length: 150_000 }, () => pngChunk({ type: 'tEXt', data: Buffer.alloc(0) })),
    ]),
    'a JPEG of 1,000 passes': Buffer.concat([
      fixture('progressive.jpg').subarray(0, -2),
      ...Array.from({ length: 1000 }, () => jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))),
      Buffer.from([0xff, 0xd9]),
    ]),
    'a JPEG of 500,000 comments': Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      ...Array.from({ length: 500_000 }, () => Buffer.from([0xff, 0xfe, 0, 2])),
    ]),
    'a WebP of 200,000 empty chunks': webpFile([
      ...webpChunks(fixture('lossy-tool.webp')),
      ...Array.from({ length: 200_000 }, () => ({ type: 'ABCD', data: Buffer.alloc(0) })),
    ]),
    'a PNG of 2 MiB and a byte': Buffer.concat([fixture('canvas.png'), Buffer.alloc(2 * 1024 * 1024)]),
    '9 MB of zeros': Buffer.alloc(9_000_000),
  }),
]

const orientations = [2, 3, 4, 5, 6, 7, 8].flatMap((orientation) => {
  const exif = exifWith(orientation, orientation % 2 === 0 ? 'II' : 'MM')
  const jpeg = fixture('canvas.jpg')
  const inJpeg = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]))
  return named({
    [`a JPEG with orientation ${orientation}`]: Buffer.concat([jpeg.subarray(0, 2), inJpeg, jpeg.subarray(2)]),
    [`a PNG with orientation ${orientation}`]: tinyPng({ type: 'eXIf', data: exif }),
    [`a WebP with orientation ${orientation}`]: webpFile([
      ...webpChunks(fixture('canvas-lossy-alpha.webp')),
      { type: 'EXIF', data: exif },
    ]),
  })
})

/** Every chunk of a picture, once more. */
export const DOUBLED: HostilePicture[] = [
  ...pngChunks(fixture('canvas-p3.png')).map((chunk, place, all) => ({
    name: `a PNG with ${chunk.type} twice`,
    file: png(...all.slice(0, place), chunk, ...all.slice(place)),
  })),
  ...webpChunks(fixture('canvas-p3.webp')).map((chunk, place, all) => ({
    name: `a WebP with ${chunk.type} twice`,
    file: webpFile([...all.slice(0, place), chunk, ...all.slice(place)]),
  })),
  { name: 'a JPEG in a JPEG', file: Buffer.concat([Buffer.from([0xff, 0xd8]), fixture('canvas.jpg')]) },
  { name: 'two JPEGs', file: Buffer.concat([fixture('canvas.jpg').subarray(0, -2), fixture('canvas.jpg')]) },
]

export const MOVED: HostilePicture[] = [
  { name: 'an animated WebP of a program', file: fixture('animated.webp') },
  { name: 'a turned JPEG of a program', file: fixture('rotated.jpg') },
  ...['acTL', 'fcTL', 'fdAT'].map((type) => ({
    name: `a PNG with ${type}`,
    file: tinyPng({ type, data: Buffer.alloc(8) }),
  })),
  ...orientations,
]

/** Each good picture, cut at twelve places. */
export const CUT: HostilePicture[] = GOOD_PICTURES.flatMap((name) =>
  Array.from({ length: 12 }, (_, place) => {
    const file = fixture(name)
    const length = Math.floor((file.length * (place + 1)) / 13)
    return { name: `${name} cut after ${length} bytes`, file: file.subarray(0, length) }
  }),
)

const mutate = (file: Buffer, random: SeededRandom): Buffer => {
  const at = random.between(0, file.length - 1)
  const length = random.between(1, 20)
  const change = random.oneOf([
    () => {
      const copy = Buffer.from(file)
      for (let times = random.between(1, 8); times > 0; times -= 1)
        copy[random.between(0, file.length - 1)] = random.between(0, 255)
      return copy
    },
    () => Buffer.concat([file.subarray(0, at), file.subarray(at + length)]),
    () => Buffer.concat([file.subarray(0, at + length), file.subarray(at)]),
    () => Buffer.concat([file.subarray(0, at), Buffer.alloc(length, random.between(0, 255)), file.subarray(at)]),
  ])
  return change()
}

/** Each good picture, changed in this many ways. */
const MUTATIONS = 15

export const mutated = (seed: number): HostilePicture[] => {
  const random = seededRandom(seed)
  return GOOD_PICTURES.flatMap((name) =>
    Array.from({ length: MUTATIONS }, (_, place) => ({
      name: `${name}, changed for the ${place}. time by seed ${seed}`,
      file: mutate(fixture(name), random),
    })),
  )
}
