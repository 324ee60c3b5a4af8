import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { PictureAnswer } from '#contract/merchant/pictures.ts'
import type { PictureRefusal } from '../../../server/pictures/picture.ts'
import { fixture, GOOD_PICTURES } from '../../../server/pictures/testing/fixtures.ts'
import { fakeGateway } from '../../harness/fake-gateway.ts'
import { API_KEYS } from '../../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../harness/test-server.ts'
import { BOMBS, CUT, DOUBLED, MOVED, mutated, OTHER_FORMATS, type HostilePicture } from './hostile-pictures.ts'
import { hiddenPayloads, PAYLOADS } from './payloads.ts'
import { ALLOWED_PARTS, readServed } from './served-parts.ts'

const SEEDS = [1, 2]

const REASONS: Record<PictureRefusal['why'], true> = {
  empty: true,
  too_large: true,
  wrong_format: true,
  too_many_pixels: true,
  no_pixels: true,
  animated: true,
  rotated: true,
  cut_short: true,
  damaged: true,
  rare_coding: true,
  wrong_colour_profile: true,
}

/** What the uploads say of themselves, in turn: nothing of it may matter. */
const CONTENT_TYPES = ['image/png', 'text/html', 'image/svg+xml', 'application/javascript', 'image/webp', 'x']

type Outcome = 'served' | PictureRefusal['why']

describe('a hostile picture is refused by name, or served as what it was checked to be and without what it hid', () => {
  let server: TestServer
  let uploads = 0
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway() })
  })

  const judgeServed = ({ headers, rawPayload, statusCode }: LightMyRequestResponse, payload: string | null): void => {
    const { type, parts, unpacked } = readServed(rawPayload)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], type)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; sandbox;/)
    for (const part of parts) assert.match(part, ALLOWED_PARTS[type] ?? assert.fail(type))
    for (const bytes of [rawPayload, ...unpacked]) {
      assert.ok(!bytes.includes('<script'))
      if (payload === null) continue
      assert.ok(!bytes.includes(payload, 0, 'latin1'))
      assert.ok(!bytes.includes(/payload-\w+/.exec(payload)?.[0] ?? assert.fail()))
    }
  }

  const upload = async (file: Buffer, payload: string | null): Promise<Outcome> => {
    uploads += 1
    const answer = await server.app.inject({
      method: 'PUT',
      url: `/merchant/v1/settings/${uploads % 2 === 0 ? 'logo' : 'cover'}`,
      headers: {
        host: 'localhost:3000',
        authorization: `Bearer ${API_KEYS.tea}`,
        'content-type': CONTENT_TYPES[uploads % CONTENT_TYPES.length] ?? '',
      },
      payload: file,
    })
    if (answer.statusCode === 200) {
      const { pathname } = new URL(answer.json<PictureAnswer>().url)
      judgeServed(await server.app.inject({ url: pathname, headers: { host: 'tea.localhost:3000' } }), payload)
      return 'served'
    }
    const { code, params } = answer.json<{ code: string; params: { reason: PictureRefusal['why'] } }>()
    assert.deepEqual([answer.statusCode, code, REASONS[params.reason]], [400, 'image_refused', true], answer.body)
    assert.ok(!/script|4242|payload/.test(answer.body), answer.body)
    return params.reason
  }

  /** How often each outcome was seen. */
  const uploadAll = async (
    pictures: readonly (HostilePicture & { readonly payload?: string })[],
  ): Promise<Partial<Record<Outcome, number>>> => {
    const outcomes: Partial<Record<Outcome, number>> = {}
    for (const { name, file, payload = null } of pictures) {
      const outcome = await upload(file, payload).catch((error: unknown) => assert.fail(`${name}: ${String(error)}`))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    return outcomes
  }

  test('the pictures that the hostile ones are made of are served', async () => {
    const good = GOOD_PICTURES.map((name) => ({ name, file: fixture(name) }))
    assert.deepEqual(await uploadAll(good), { served: good.length })
  })

  test(`${Object.keys(PAYLOADS).length} payloads in every place of six pictures are refused or made harmless`, async () => {
    const { served = 0, ...refused } = await uploadAll(hiddenPayloads())
    assert.ok(served > 200, String(served))
    assert.ok((refused.wrong_format ?? 0) >= 42, 'before the beginning')
    assert.ok((refused.wrong_colour_profile ?? 0) > 0 && (refused.damaged ?? 0) > 0)
  })

  test(`${OTHER_FORMATS.length} files of other formats are refused by name`, async () => {
    const { wrong_format: wrong = 0, empty = 0, cut_short: cut = 0, ...others } = await uploadAll(OTHER_FORMATS)
    assert.deepEqual(others, {})
    assert.deepEqual([wrong, empty, cut], [OTHER_FORMATS.length - 4, 1, 3])
  })

  test(`${BOMBS.length} pictures that unpack to far more than they are, are refused`, async () => {
    // A text is thrown away without being unpacked.
    assert.equal((await uploadAll(BOMBS)).served, 1)
  })

  test(`${MOVED.length} animated and turned pictures are refused by name`, async () => {
    assert.deepEqual(await uploadAll(MOVED), { animated: 4, rotated: 22 })
  })

  test(`${DOUBLED.length} pictures with a part that stands twice are refused or made harmless`, async () => {
    const { served = 0, damaged = 0 } = await uploadAll(DOUBLED)
    // Pixels in two chunks are one picture with something behind it, and so is one that ends twice.
    assert.deepEqual([served, damaged], [2, DOUBLED.length - 2])
  })

  test(`${CUT.length} pictures that end too early are refused`, async () => {
    const { served = 0, cut_short: cut = 0 } = await uploadAll(CUT)
    assert.deepEqual([served, cut], [0, CUT.length])
  })

  for (const seed of SEEDS)
    test(`pictures that were changed at random by seed ${seed} are refused or made harmless`, async () => {
      const pictures = mutated(seed)
      const { served = 0 } = await uploadAll(pictures)
      assert.ok(served > 20 && served < pictures.length / 2, `${served} of ${pictures.length}`)
    })

  test('all of them together left twelve pictures at most', async (t) => {
    t.diagnostic(`${uploads} pictures uploaded`)
    assert.ok(uploads >= 1000, String(uploads))
    const rows = await server.deps.database.rows('SELECT hash FROM pictures')
    assert.ok(rows.length <= 12, String(rows.length))
  })
})
