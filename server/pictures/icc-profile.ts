/** Colour profile (ICC): rebuilt from what changes colours; its texts, dates and makers' marks are replaced. */

export const PROFILE_BYTES_MAX = 1024 * 1024

const HEADER_LENGTH = 128
const TAG_LENGTH = 12
const TAGS_MAX = 100

const XYZ = ['XYZ ']
const CURVE = ['curv', 'para']
const FROM_DEVICE = ['mft1', 'mft2', 'mAB ']
const TO_DEVICE = ['mft1', 'mft2', 'mBA ']

/** The tags that browsers turn colours by, and the types of data that each can hold. */
const COLOUR_TAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ...['rXYZ', 'gXYZ', 'bXYZ', 'wtpt', 'bkpt'].map((tag) => [tag, XYZ] as const),
  ...['rTRC', 'gTRC', 'bTRC', 'kTRC'].map((tag) => [tag, CURVE] as const),
  ...['A2B0', 'A2B1', 'A2B2'].map((tag) => [tag, FROM_DEVICE] as const),
  ...['B2A0', 'B2A1', 'B2A2'].map((tag) => [tag, TO_DEVICE] as const),
  ['chad', ['sf32']],
  ['cicp', ['cicp']],
])

const CLASSES = ['mntr', 'scnr', 'prtr', 'spac']
const COLOUR_SPACES = ['RGB ', 'GRAY', 'CMYK']
const CONNECTION_SPACES = ['XYZ ', 'Lab ']

const word = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)

/** Parameters of each kind of parametric curve. */
const CURVE_PARAMETERS = [1, 3, 4, 5, 7]

/** How long data of a type are by their own account; tables of many numbers are as long as their tag says. */
const ownLength = (data: Buffer): number => {
  const at = (place: number, read: () => number): number => (data.length < place ? Number.NaN : read())
  switch (word(data, 0)) {
    case 'XYZ ':
      return 20
    case 'sf32':
      return 44
    case 'cicp':
      return 12
    case 'curv':
      return at(12, () => 12 + 2 * data.readUInt32BE(8))
    case 'para':
      return at(12, () => 12 + 4 * (CURVE_PARAMETERS[data.readUInt16BE(8)] ?? Number.NaN))
    default:
      return data.length
  }
}

/** What stands before the tags, made anew: only what names the kind of profile is taken over. */
const cleanHeader = (profile: Buffer): Buffer | null => {
  const [version = 0] = profile.subarray(8)
  const isKnown =
    word(profile, 36) === 'acsp' &&
    (version === 2 || version === 4) &&
    CLASSES.includes(word(profile, 12)) &&
    COLOUR_SPACES.includes(word(profile, 16)) &&
    CONNECTION_SPACES.includes(word(profile, 20)) &&
    profile.readUInt32BE(64) <= 3
  if (!isKnown) return null
  const header = Buffer.alloc(HEADER_LENGTH)
  profile.copy(header, 8, 8, 10)
  profile.copy(header, 12, 12, 24)
  // 1 January 2000: a profile must have been made some day.
  for (const [place, part] of [2000, 1, 1].entries()) header.writeUInt16BE(part, 24 + 2 * place)
  header.write('acsp', 36, 'latin1')
  profile.copy(header, 64, 64, 68)
  // The light that every profile is made for (D50).
  header.write('0000f6d6000100000000d32d', 68, 'hex')
  return header
}

interface Tag {
  readonly name: string
  readonly data: Buffer
}

const colourTags = (profile: Buffer): Tag[] | null => {
  const count = profile.readUInt32BE(HEADER_LENGTH)
  if (count > TAGS_MAX || HEADER_LENGTH + 4 + count * TAG_LENGTH > profile.length) return null
  const tags = new Map<string, Tag>()
  for (let place = 0; place < count; place += 1) {
    const at = HEADER_LENGTH + 4 + place * TAG_LENGTH
    const name = word(profile, at)
    const types = COLOUR_TAGS.get(name)
    if (types === undefined) continue
    const [from, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)]
    const data = profile.subarray(from, from + length)
    const own = ownLength(data)
    const isRight = from >= HEADER_LENGTH && data.length === length && types.includes(word(data, 0)) && own <= length
    if (!isRight || tags.has(name)) return null
    tags.set(name, { name, data: data.subarray(0, own) })
  }
  return [...tags.values()]
}

const TEXT = 'Colour profile'

/** A profile must say what it is and who made it. In version 4 both are texts in a language; before, plain ones. */
const textTags = (version: number): Tag[] => {
  if (version === 4) {
    const text = Buffer.from(TEXT, 'utf16le').swap16()
    const head = Buffer.from('6d6c756300000000000000010000000c656e5553000000000000001c', 'hex')
    head.writeUInt32BE(text.length, 20)
    const data = Buffer.concat([head, text])
    return ['desc', 'cprt'].map((name) => ({ name, data }))
  }
  const [length, text] = [Buffer.alloc(4), Buffer.from(`${TEXT}\0`, 'latin1')]
  length.writeUInt32BE(text.length)
  const description = Buffer.concat([Buffer.from('desc\0\0\0\0', 'latin1'), length, text, Buffer.alloc(78)])
  return [
    { name: 'desc', data: description },
    { name: 'cprt', data: Buffer.concat([Buffer.from('text\0\0\0\0', 'latin1'), text]) },
  ]
}

const toWords = (length: number): number => Math.ceil(length / 4) * 4

/** The profile with its colours alone; null where it cannot be read. */
export const cleanProfile = (given: Buffer): Buffer | null => {
  if (given.length < HEADER_LENGTH + 4 || given.length > PROFILE_BYTES_MAX) return null
  const said = given.readUInt32BE(0)
  // Shorter than it says, it is cut; longer, it is followed by what is not part of it.
  if (said < HEADER_LENGTH + 4 || said > given.length) return null
  const profile = given.subarray(0, said)
  const header = cleanHeader(profile)
  const colours = header === null ? null : colourTags(profile)
  if (header === null || colours === null || colours.length === 0) return null
  const tags = [...textTags(header[8] ?? 0), ...colours]
  const table = Buffer.alloc(4 + tags.length * TAG_LENGTH)
  table.writeUInt32BE(tags.length)
  const parts: Buffer[] = []
  // The three curves of a profile are often one and the same piece of data.
  const placed = new Map<string, number>()
  let end = HEADER_LENGTH + table.length
  for (const [place, { name, data }] of tags.entries()) {
    const piece = `${data.byteOffset} ${data.length}`
    const at = placed.get(piece) ?? end
    if (at === end) {
      placed.set(piece, at)
      parts.push(data, Buffer.alloc(toWords(data.length) - data.length))
      end += toWords(data.length)
    }
    table.write(name, 4 + place * TAG_LENGTH, 'latin1')
    table.writeUInt32BE(at, 8 + place * TAG_LENGTH)
    table.writeUInt32BE(data.length, 12 + place * TAG_LENGTH)
  }
  // Tags that lie upon each other could grow into a hundred times what was sent.
  if (end > PROFILE_BYTES_MAX) return null
  header.writeUInt32BE(end, 0)
  return Buffer.concat([header, table, ...parts])
}
