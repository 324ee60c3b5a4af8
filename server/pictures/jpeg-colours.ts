/** Colour facts of a JPEG: what tells a browser how to read its components, and its colour profile. */
import { cleanProfile } from './icc-profile.ts'
import { jpegSegment, MARKERS, type JpegSegment } from './jpeg-segments.ts'

const JFIF = 'JFIF\0'
const ADOBE = 'Adobe'
const ADOBE_LENGTH = 12
const PROFILE = 'ICC_PROFILE\0'
/** Its name, its place and how many there are. */
const PROFILE_HEAD = PROFILE.length + 2
const PROFILE_PART_MAX = 0xffff - 2 - PROFILE_HEAD

const beginsWith = (data: Buffer, text: string): boolean => data.toString('latin1', 0, text.length) === text

/** Version 1.1, no resolution, no small picture. That it is there tells a browser that the colours are YCbCr. */
const PLAIN_JFIF = jpegSegment(MARKERS.jfif, Buffer.from('4a46494600010100000100010000', 'hex'))

/** Only how CMYK and RGB were turned is taken over: without it a browser shows wrong colours. */
const adobeSegment = (data: Buffer): Buffer => {
  const plain = Buffer.from('41646f626500640000000000', 'hex')
  plain[ADOBE_LENGTH - 1] = data[ADOBE_LENGTH - 1] ?? 0
  return jpegSegment(MARKERS.adobe, plain)
}

/** The parts of a profile in their order; null where one is missing or stands twice. */
const joinProfile = (parts: readonly Buffer[]): Buffer | null => {
  const ordered = parts.toSorted((a, b) => (a[PROFILE.length] ?? 0) - (b[PROFILE.length] ?? 0))
  const isWhole = ordered.every(
    (part, place) => part[PROFILE.length] === place + 1 && part[PROFILE.length + 1] === parts.length,
  )
  return isWhole ? Buffer.concat(ordered.map((part) => part.subarray(PROFILE_HEAD))) : null
}

const splitProfile = (profile: Buffer): Buffer[] => {
  const count = Math.ceil(profile.length / PROFILE_PART_MAX)
  return Array.from({ length: count }, (_, place) => {
    const part = profile.subarray(place * PROFILE_PART_MAX, (place + 1) * PROFILE_PART_MAX)
    return jpegSegment(
      MARKERS.profile,
      Buffer.concat([Buffer.from(PROFILE, 'latin1'), Buffer.from([place + 1, count]), part]),
    )
  })
}

/** What stands before the frame, of the segments before the first scan; null where the profile cannot be read. */
export const colourSegments = (segments: readonly JpegSegment[]): Buffer[] | null => {
  const named = (marker: number, name: string): Buffer[] =>
    segments.flatMap(({ marker: own, data }) => (own === marker && beginsWith(data, name) ? [data] : []))
  const adobe = named(MARKERS.adobe, ADOBE).findLast(({ length }) => length >= ADOBE_LENGTH)
  const facts = [
    ...(named(MARKERS.jfif, JFIF).length > 0 ? [PLAIN_JFIF] : []),
    ...(adobe === undefined ? [] : [adobeSegment(adobe)]),
  ]
  const parts = named(MARKERS.profile, PROFILE)
  if (parts.length === 0) return facts
  const profile = joinProfile(parts)
  const clean = profile === null ? null : cleanProfile(profile)
  return clean === null ? null : [...facts, ...splitProfile(clean)]
}
