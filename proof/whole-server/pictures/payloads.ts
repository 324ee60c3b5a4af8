/** Payloads: what somebody would like a shop's host to serve, hidden in or behind a picture. */
import { deflateSync } from 'node:zlib'
import { fixture, pngChunks, webpChunks, type PngChunk } from '../../../server/pictures/testing/fixtures.ts'
import { jpegSegment, MARKERS } from '../../../server/pictures/jpeg-segments.ts'
import { PNG_SIGNATURE, pngChunk } from '../../../server/pictures/png.ts'
import { webpFile } from '../../../server/pictures/webp.ts'

/** Each ends in a word of its own, by which it is looked for in what is served. */
export const PAYLOADS: Readonly<Record<string, string>> = {
  HTML: '<!DOCTYPE html><script>alert(document.domain)</script><!--payload-html',
  JavaScript: '*/=1;alert(document.domain);/*payload-javascript',
  SVG: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>payload-svg',
  PHP: '<?php system($_GET["c"]); ?>payload-php',
  PDF: '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>payload-pdf',
  ZIP: 'PK\u0003\u0004\u0014\0\0\0\0\0payload.htmlPK\u0005\u0006payload-zip',
  'a card number': '4242424242424242 12/99 payload-card',
}

type Hide = (payload: Buffer) => Buffer

/** The same for each of these parts of a file. */
const inEach = <Part extends string | number>(
  parts: readonly Part[],
  name: (part: Part) => string,
  hide: (part: Part, payload: Buffer) => Buffer,
): Record<string, Hide> => Object.fromEntries(parts.map((part) => [name(part), (payload) => hide(part, payload)]))

const pngPlaces = (file: Buffer): Record<string, Hide> => {
  const [header, ...rest] = pngChunks(file)
  const build = (chunks: readonly PngChunk[]): Buffer =>
    Buffer.concat([PNG_SIGNATURE, ...[...(header === undefined ? [] : [header]), ...chunks].map(pngChunk)])
  const behindHeader = (type: string, data: Buffer): Buffer => build([{ type, data }, ...rest])
  return {
    ...inEach(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'prVt', 'caBX'], (type) => `in ${type}`, behindHeader),
    'as a name of the colour profile': (data) =>
      behindHeader('iCCP', Buffer.concat([data.subarray(0, 70), Buffer.from('\0\0'), deflateSync('')])),
    'in a palette': (data) =>
      behindHeader('PLTE', Buffer.concat([data, Buffer.alloc(2)]).subarray(0, 3 * Math.floor(data.length / 3))),
    'in the end itself': (data) => build([...rest.slice(0, -1), { type: 'IEND', data }]),
    'behind the packed pixels': (data) =>
      build(rest.map((own) => (own.type === 'IDAT' ? { ...own, data: Buffer.concat([own.data, data]) } : own))),
  }
}

const jpegPlaces = (file: Buffer): Record<string, Hide> => {
  const behindStart = (part: Buffer): Buffer => Buffer.concat([file.subarray(0, 2), part, file.subarray(2)])
  const inSegment = (marker: number, data: Buffer): Buffer => behindStart(jpegSegment(marker, data))
  const behindWords = (marker: number, words: string): Hide => {
    return (data) => inSegment(marker, Buffer.concat([Buffer.from(words), data]))
  }
  const markers = [0xe0, 0xe1, 0xe2, 0xed, 0xef, 0xfe]
  return {
    ...inEach(markers, (marker) => `in segment ${marker.toString(16)}`, inSegment),
    'in the small picture of JFIF': behindWords(MARKERS.jfif, 'JFIF\0\u0001\u0002\0\0\u0001\0\u0001\u0001\u0001'),
    'behind Adobe': behindWords(MARKERS.adobe, 'Adobe\0d\0\0\0\0\u0001'),
    'in EXIF': behindWords(MARKERS.exif, 'Exif\0\0MM\0*\0\0\0\u0008\0\0'),
    'in a colour profile': behindWords(MARKERS.profile, 'ICC_PROFILE\0\u0001\u0001'),
    'in a table that nothing uses': (data) =>
      inSegment(MARKERS.quantization, Buffer.concat([Buffer.from([3]), data, Buffer.alloc(64)]).subarray(0, 65)),
    'between two parts': behindStart,
  }
}

const webpPlaces = (file: Buffer): Record<string, Hide> => {
  const chunks = webpChunks(file)
  const types = ['EXIF', 'XMP ', 'ICCP', 'TEXT']
  return {
    ...inEach(
      types,
      (type) => `in ${type}`,
      (type, data) => webpFile(chunks.toSpliced(1, 0, { type, data })),
    ),
    ...inEach(
      types,
      (type) => `in ${type} at the end`,
      (type, data) => webpFile([...chunks, { type, data }]),
    ),
  }
}

/** In a file of any kind. */
const aroundTheFile = (file: Buffer): Record<string, Hide> => ({
  'behind the end': (data) => Buffer.concat([file, data]),
  'before the beginning': (data) => Buffer.concat([data, file]),
})

const carriers: readonly (readonly [name: string, places: (file: Buffer) => Record<string, Hide>])[] = [
  ['canvas.png', pngPlaces],
  ['palette-interlaced.png', pngPlaces],
  ['canvas.jpg', jpegPlaces],
  ['progressive.jpg', jpegPlaces],
  ['lossy-tool.webp', webpPlaces],
  ['canvas-lossy-alpha.webp', webpPlaces],
]

/** Every payload in every place of every carrier. */
export const hiddenPayloads = () =>
  carriers.flatMap(([carrier, places]) =>
    Object.entries({ ...places(fixture(carrier)), ...aroundTheFile(fixture(carrier)) }).flatMap(([place, hide]) =>
      Object.entries(PAYLOADS).map(([what, text]) => ({
        name: `${what} ${place} of ${carrier}`,
        file: hide(Buffer.from(text, 'latin1')),
        payload: text,
      })),
    ),
  )
