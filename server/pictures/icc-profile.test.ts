import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanProfile, PROFILE_BYTES_MAX } from './icc-profile.ts'
import { isPictureRefusal } from './picture.ts'
import { MARKERS, readSegments } from './jpeg-segments.ts'
import { fixture, webpChunks } from './testing/fixtures.ts'

const segments = await readSegments(fixture('adobe-rgb.jpg'))
/** Version 2, of Argyll: description and copyright, a white and a black point, three colours and their curves. */
const SECOND = isPictureRefusal(segments)
  ? assert.fail()
  : Buffer.from(segments.find(({ marker }) => marker === MARKERS.profile)?.data.subarray(14) ?? assert.fail())
/** Version 4, of Chromium. */
const FOURTH = webpChunks(fixture('canvas-p3.webp')).find(({ type }) => type === 'ICCP')?.data ?? assert.fail()

const clean = (profile: Buffer): Buffer => cleanProfile(profile) ?? assert.fail('it was refused')

/** Names of the tags with the data that each leads to. */
const tagsOf = (profile: Buffer): Map<string, Buffer> =>
  new Map(
    Array.from({ length: profile.readUInt32BE(128) }, (_, place) => {
      const at = 132 + 12 * place
      const from = profile.readUInt32BE(at + 4)
      return [profile.toString('latin1', at, at + 4), profile.subarray(from, from + profile.readUInt32BE(at + 8))]
    }),
  )

const changed = (profile: Buffer, at: number, value: string | number): Buffer => {
  const copy = Buffer.from(profile)
  if (typeof value === 'string') copy.write(value, at, 'latin1')
  else copy.writeUInt32BE(value, at)
  return copy
}

describe('a colour profile', () => {
  for (const [name, profile] of Object.entries({ 'version 2': SECOND, 'version 4': FOURTH }))
    test(`of ${name} keeps every tag that turns colours, byte for byte, and its length is right`, () => {
      const [before, after] = [tagsOf(profile), tagsOf(clean(profile))]
      const colours = [...before.keys()].filter((tag) => /XYZ|TRC|wtpt|bkpt|chad|cicp|A2B|B2A/.test(tag))
      assert.ok(colours.length >= 7)
      assert.deepEqual([...after.keys()].toSorted(), ['desc', 'cprt', ...colours].toSorted())
      for (const tag of colours) {
        const length = after.get(tag)?.length ?? assert.fail(tag)
        assert.ok(
          before
            .get(tag)
            ?.subarray(0, length)
            .equals(after.get(tag) ?? assert.fail()),
          tag,
        )
      }
      assert.equal(clean(profile).readUInt32BE(0), clean(profile).length)
      assert.ok(clean(clean(profile)).equals(clean(profile)))
    })

  test('loses its texts, its maker, its date and whatever follows it', () => {
    const text = '4242424242424242'
    const description = tagsOf(SECOND).get('desc') ?? assert.fail()
    const marked = changed(SECOND, description.byteOffset - SECOND.byteOffset + 12, text)
    // Maker and model, 16 bytes in a row; creator; the reserved end of the header.
    for (const at of [48, 80, 100]) marked.write(text, at, 'latin1')
    assert.ok(clean(Buffer.concat([marked, Buffer.from(text)])).equals(clean(SECOND)))
    assert.ok(!clean(marked).includes('4242'))
    assert.ok(clean(SECOND).includes('Colour profile'))
    assert.ok(clean(FOURTH).includes(Buffer.from('Colour profile', 'utf16le').swap16()))
  })

  test('that is cut, of another kind, or of which a tag lies outside of it is refused', () => {
    const tag = 132 + 12 * [...tagsOf(SECOND).keys()].indexOf('rXYZ')
    const broken: Readonly<Record<string, Buffer>> = {
      'too short': SECOND.subarray(0, 131),
      cut: SECOND.subarray(0, -1),
      'no profile': changed(SECOND, 36, 'nope'),
      'version 5': changed(SECOND, 8, '\u0005'),
      'another class': changed(SECOND, 12, 'link'),
      'another colour space': changed(SECOND, 16, 'HSV '),
      'another connection space': changed(SECOND, 20, 'RGB '),
      'another intent': changed(SECOND, 64, 4),
      'too many tags': changed(SECOND, 128, 101),
      'more tags than bytes': changed(SECOND, 128, 60),
      'no tag': changed(SECOND, 128, 0),
      'a tag beyond the end': changed(SECOND, tag + 4, SECOND.length),
      'a tag in the header': changed(SECOND, tag + 4, 100),
      'a tag of another type': changed(SECOND, tag + 4, SECOND.readUInt32BE(tag + 4) - 4),
      'a tag that is too short': changed(SECOND, tag + 8, 19),
      'a tag that stands twice': changed(SECOND, tag, 'gXYZ'),
    }
    for (const [name, profile] of Object.entries(broken)) assert.equal(cleanProfile(profile), null, name)
  })

  test('of 1 MiB is read, of one byte more refused', () => {
    const padded = (length: number): Buffer => Buffer.concat([SECOND, Buffer.alloc(length - SECOND.length)])
    assert.ok(cleanProfile(padded(PROFILE_BYTES_MAX)) !== null)
    assert.equal(cleanProfile(padded(PROFILE_BYTES_MAX + 1)), null)
  })

  test('whose tags lie upon each other does not grow beyond 1 MiB', () => {
    const table = Buffer.alloc(4 + 6 * 12)
    table.writeUInt32BE(6)
    const [from, length] = [128 + table.length, 300_000]
    const data = Buffer.alloc(length + 24)
    for (const [place, name] of ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2'].entries()) {
      data.write('mft2', 4 * place, 'latin1')
      table.write(name, 4 + 12 * place, 'latin1')
      table.writeUInt32BE(from + 4 * place, 8 + 12 * place)
      table.writeUInt32BE(length, 12 + 12 * place)
    }
    const whole = Buffer.concat([SECOND.subarray(0, 128), table, data])
    assert.equal(cleanProfile(changed(whole, 0, whole.length)), null)
  })
})
