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

export interface HiddenPayload {
  readonly name: string
  readonly file: Buffer
  readonly payload: string
}

type Hide = (payload: Buffer) => Buffer

const TYPES_OF_TEXT = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'prVt', 'caBX'] as const

const pngPlaces = (file: Buffer): Record<string, Hide> => {
  const [header, ...rest] = pngChunks(file)
  const build = (...chunks: readonly (PngChunk | undefined)[]): Buffer =>
    Buffer.concat([PNG_SIGNATURE, ...chunks.flatMap((chunk) => (chunk === undefined ? [] : [pngChunk(chunk)]))])
  const inText = TYPES_OF_TEXT.map((type): [string, Hide] => [
    `in ${type}`,
    (data) => build(header, { type, data }, ...rest),
  ])
  return {
    ...Object.fromEntries(inText),
    'behind the end': (data) => Buffer.concat([file, data]),
    'as a name of the colour profile': (data) =>
      build(
        header,
        { type: 'iCCP', data: Buffer.concat([data.subarray(0, 70), Buffer.from('\0\0'), deflateSync('')]) },
        ...rest,
      ),
    'in a palette': (data) =>
      build(
        header,
        { type: 'PLTE', data: Buffer.concat([data, Buffer.alloc(2)]).subarray(0, 3 * Math.floor(data.length / 3)) },
        ...rest,
      ),
    'in the end itself': (data) => build(header, ...rest.slice(0, -1), { type: 'IEND', data }),
    'behind the packed pixels': (data) =>
      build(
        header,
        ...rest.map(({ type, data: own }) =>
          type === 'IDAT' ? { type, data: Buffer.concat([own, data]) } : { type, data: own },
        ),
      ),
    'before the beginning': (data) => Buffer.concat([data, file]),
  }
}

const jpegPlaces = (file: Buffer): Record<string, Hide> => {
  const behindStart = (segment: Buffer): Buffer => Buffer.concat([file.subarray(0, 2), segment, file.subarray(2)])
  const inSegment = [0xe0, 0xe1, 0xe2, 0xed, 0xef, 0xfe].map((marker): [string, Hide] => [
    `in segment ${marker.toString(16)}`,
    (data) => behindStart(jpegSegment(marker, data)),
  ])
  return {
    ...Object.fromEntries(inSegment),
    'in the small picture of JFIF': (data) =>
      behindStart(
        jpegSegment(
          MARKERS.jfif,
          Buffer.concat([Buffer.from('JFIF\0\u0001\u0002\0\0\u0001\0\u0001\u0001\u0001'), data]),
        ),
      ),
    'behind Adobe': (data) =>
      behindStart(jpegSegment(MARKERS.adobe, Buffer.concat([Buffer.from('Adobe\0d\0\0\0\0\u0001'), data]))),
    'in EXIF': (data) =>
      behindStart(jpegSegment(MARKERS.exif, Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\u0008\0\0'), data]))),
    'in a colour profile': (data) =>
      behindStart(jpegSegment(MARKERS.profile, Buffer.concat([Buffer.from('ICC_PROFILE\0\u0001\u0001'), data]))),
    'in a table that nothing uses': (data) =>
      behindStart(
        jpegSegment(MARKERS.quantization, Buffer.concat([Buffer.from([3]), data, Buffer.alloc(64)]).subarray(0, 65)),
      ),
    'behind the end': (data) => Buffer.concat([file, data]),
    'before the beginning': (data) => Buffer.concat([data, file]),
    'between two parts': (data) => behindStart(data),
  }
}

const webpPlaces = (file: Buffer): Record<string, Hide> => {
  const [first, ...rest] = webpChunks(file)
  const build = (...chunks: readonly (PngChunk | undefined)[]): Buffer =>
    webpFile(chunks.flatMap((chunk) => chunk ?? []))
  const inChunk = ['EXIF', 'XMP ', 'ICCP', 'TEXT'].map((type): [string, Hide] => [
    `in ${type}`,
    (data) => build(first, { type, data }, ...rest),
  ])
  const atEnd = ['EXIF', 'XMP ', 'ICCP', 'TEXT'].map((type): [string, Hide] => [
    `in ${type} at the end`,
    (data) => build(first, ...rest, { type, data }),
  ])
  return {
    ...Object.fromEntries([...inChunk, ...atEnd]),
    'behind the end': (data) => Buffer.concat([file, data]),
    'before the beginning': (data) => Buffer.concat([data, file]),
  }
}

const carriers: readonly (readonly [name: string, places: (file: Buffer) => Record<string, Hide>])[] = [
  ['canvas.png', pngPlaces],
  ['palette-interlaced.png', pngPlaces],
  ['canvas.jpg', jpegPlaces],
  ['progressive.jpg', jpegPlaces],
  ['lossy-tool.webp', webpPlaces],
  ['canvas-lossy-alpha.webp', webpPlaces],
]

/** Every payload in every place of every carrier. */
export const hiddenPayloads = (): HiddenPayload[] =>
  carriers.flatMap(([carrier, places]) =>
    Object.entries(places(fixture(carrier))).flatMap(([place, hide]) =>
      Object.entries(PAYLOADS).map(([what, text]) => ({
        name: `${what} ${place} of ${carrier}`,
        file: hide(Buffer.from(text, 'latin1')),
        payload: text,
      })),
    ),
  )
