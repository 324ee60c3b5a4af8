/** Strict reader: what a program in PHP, Ruby or jq could not read of an answer, a webhook or a mail, in words. */
import { isRecord } from '../../tools/is-record.mjs'

/** Such bytes as text; undefined: they are no UTF-8. */
export const strictText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether a name or a value in it is half a surrogate. Depth does not matter: what is judged was written by the server. */
const holdsHalf = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.isWellFormed()
  if (Array.isArray(value)) return value.some(holdsHalf)
  return isRecord(value) && Object.entries(value).flat().some(holdsHalf)
}

const HALF = 'half a surrogate pair in JSON'

/** What was decoded strictly holds a half as an escape alone, so that most answers need not be parsed. */
export const problemOfJson = (json: string): string | undefined => {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return 'JSON that cannot be parsed'
  }
  return /\\u[dD][89a-fA-F]/.test(json) && holdsHalf(value) ? HALF : undefined
}

const INLINED = /<script type="application\/json"[^>]*>([^<]*)<\/script>/g

/** Of a text of this type. */
export const problemOfText = (type: string, text: string | undefined): string | undefined => {
  if (text === undefined) return 'bytes that are no UTF-8'
  if (text !== '' && /^application\/json\b/.test(type)) return problemOfJson(text)
  if (!type.startsWith('text/html')) return undefined
  return [...text.matchAll(INLINED)]
    .map(([, json = '']) => problemOfJson(json))
    .find((problem) => problem !== undefined)
}

const bytesOfPart = (encoding: string, part: string): Buffer => {
  if (encoding === 'base64') return Buffer.from(part, 'base64')
  if (encoding !== 'quoted-printable') return Buffer.from(part, 'latin1')
  const joined = part.replaceAll(/=\r?\n/g, '')
  const decoded = joined.replaceAll(/=([0-9A-F]{2})/g, (_written, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(decoded, 'latin1')
}

/** The parts of a mail with the encoding of each, its headers among them as they stand. */
const partsOf = (source: string): { readonly encoding: string; readonly text: string }[] =>
  source.split(/^--[^\r\n]+\r?\n/m).map((part) => {
    const end = /\r?\n\r?\n/.exec(part)
    const [head, text] = end === null ? ['', part] : [part.slice(0, end.index), part.slice(end.index)]
    return { encoding: /^content-transfer-encoding: *(\S+)/im.exec(head)?.[1]?.toLowerCase() ?? '7bit', text }
  })

/** A mail as it is sent is ASCII; what it encodes is UTF-8. */
export const problemOfMail = (source: string): string | undefined => {
  if (/[^\t\r\n -~]/.test(source)) return 'a mail with bytes beyond ASCII'
  const words = [...source.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind = '', text = '']) =>
    bytesOfPart(kind.toLowerCase() === 'b' ? 'base64' : 'quoted-printable', text),
  )
  const bodies = partsOf(source).map(({ encoding, text }) => bytesOfPart(encoding, text))
  return [...words, ...bodies].some((bytes) => strictText(bytes) === undefined) ? 'a mail that is no UTF-8' : undefined
}
