/** Served parts: which parts a picture that was served consists of, by a reading of its own, and all bytes that it hides. */
import { inflateSync } from 'node:zlib'

interface ServedParts {
  readonly type: string
  readonly parts: readonly string[]
  /** What is packed in it, besides its pixels. */
  readonly unpacked: readonly Buffer[]
}

const readPng = (file: Buffer): ServedParts => {
  const parts: string[] = []
  const unpacked: Buffer[] = []
  let at = 8
  while (at < file.length) {
    const length = file.readUInt32BE(at)
    const name = file.toString('latin1', at + 4, at + 8)
    const data = file.subarray(at + 8, at + 8 + length)
    parts.push(name)
    if (name === 'iCCP') unpacked.push(inflateSync(data.subarray(data.indexOf(0) + 2)))
    at += 12 + length
  }
  if (at !== file.length || parts.at(-1) !== 'IEND') throw new Error('a PNG that does not end where it should')
  return { type: 'image/png', parts, unpacked }
}

const readJpeg = (file: Buffer): ServedParts => {
  const parts: string[] = []
  let at = 2
  while (file[at + 1] !== 0xd9) {
    if (file[at] !== 0xff) throw new Error('a JPEG with something between its parts')
    const marker = file[at + 1] ?? 0
    parts.push(marker.toString(16))
    at += 2 + file.readUInt16BE(at + 2)
    if (marker !== 0xda) continue
    while (file[at] !== 0xff || file[at + 1] === 0 || ((file[at + 1] ?? 0) & 0xf8) === 0xd0 || file[at + 1] === 0xff)
      at += 1
  }
  if (at + 2 !== file.length) throw new Error('a JPEG with something behind its end')
  return { type: 'image/jpeg', parts, unpacked: [] }
}

const readWebp = (file: Buffer): ServedParts => {
  if (file.readUInt32LE(4) + 8 !== file.length) throw new Error('a WebP with something behind its end')
  const parts: string[] = []
  for (let at = 12; at < file.length;) {
    const length = file.readUInt32LE(at + 4)
    parts.push(file.toString('latin1', at, at + 4))
    at += 8 + length + (length % 2)
  }
  return { type: 'image/webp', parts, unpacked: [] }
}

export const readServed = (file: Buffer): ServedParts => {
  const beginning = file.toString('latin1', 0, 12)
  if (beginning.startsWith('\u0089PNG\r\n\u001a\n')) return readPng(file)
  if (beginning.startsWith('\u00ff\u00d8\u00ff')) return readJpeg(file)
  if (/^RIFF....WEBP$/s.test(beginning)) return readWebp(file)
  throw new Error('something was served that is no picture')
}

/** All that may ever be served. */
export const ALLOWED_PARTS: Readonly<Record<string, RegExp>> = {
  'image/png': /^(IHDR|cICP|iCCP|sRGB|gAMA|cHRM|PLTE|tRNS|IDAT|IEND)$/,
  'image/jpeg': /^(c[0124]|d[abd]|e0|e2|ee)$/,
  'image/webp': /^(VP8X|ICCP|ALPH|VP8 |VP8L)$/,
}
