import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { isRefusal } from '#contract/errors.ts'
import type { PicturePlace } from '#contract/merchant/pictures.ts'
import { fixture, greyAlphaPng, png, pngHeader, pngPixels, END } from '../pictures/testing/fixtures.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'
import { virtualClock, type TestClock } from '../../proof/harness/test-clocks.ts'
import { MERCHANT_SETTINGS } from '../../proof/harness/test-merchants.ts'
import type { Database } from '../store/engine/database.ts'
import { findMerchant } from '../store/merchant/merchants.ts'
import { findPicture } from '../store/merchant/pictures.ts'
import { removePicture, replacePicture } from './pictures.ts'

const TEA = 'tea-id'
const BOOKS = 'books-id'

/** Pictures of different content: black ones of different widths. */
const picture = (width: number): Buffer => png(pngHeader(width, 1), pngPixels(1 + 3 * width), END)

const WHITE_LOGO = greyAlphaPng([255, 255], [0, 0])

describe('the pictures of a shop', () => {
  onBothDatabases(({ open }) => {
    let database: Database
    let clock: TestClock
    before(async () => {
      database = await open()
      clock = virtualClock()
      for (const [id, label] of [
        [TEA, 'tea'],
        [BOOKS, 'books'],
      ] as const)
        await saveMerchant(database, { id, label, settings: MERCHANT_SETTINGS }, 0)
    })

    const replace = async (place: PicturePlace, file: Buffer, merchantId = TEA): Promise<string> => {
      const replaced = await replacePicture({ database, clock }, merchantId, place, file)
      return isRefusal(replaced) ? assert.fail(replaced.message) : replaced.hash
    }
    const remove = (place: PicturePlace): Promise<boolean> => removePicture({ database, clock }, TEA, place)
    const settings = async (label = 'tea') => (await findMerchant(database, label))?.settings.setting ?? assert.fail()
    const isThere = async (hash: string, merchantId = TEA): Promise<boolean> =>
      (await findPicture(database, merchantId, hash, clock.now())) !== null
    const stored = async (): Promise<number> =>
      (await database.rows('SELECT hash FROM pictures WHERE merchant_id = $1', TEA)).length

    test('one that is uploaded is stored as checked, and the settings name it and keep all else', async () => {
      const hash = await replace('logo', fixture('canvas.jpg'))
      const logo = { logoUrl: `/pictures/${hash}.jpg`, logoPlate: 'light' }
      assert.deepEqual(await settings(), { ...MERCHANT_SETTINGS.setting, ...logo })
      const cover = await replace('cover', fixture('canvas-lossy.webp'))
      assert.deepEqual(await settings(), {
        ...MERCHANT_SETTINGS.setting,
        ...logo,
        coverImageUrl: `/pictures/${cover}.webp`,
      })
      assert.deepEqual((await findMerchant(database, 'tea'))?.settings, {
        ...MERCHANT_SETTINGS,
        setting: await settings(),
      })
      const found = (await findPicture(database, TEA, hash, clock.now())) ?? assert.fail()
      assert.equal(found.type, 'image/jpeg')
      assert.equal(await replace('logo', found.bytes), hash)
    })

    test('one that is refused changes nothing, and the refusal says why', async () => {
      const earlier = await settings()
      const refusal = await replacePicture({ database, clock }, TEA, 'logo', fixture('rotated.jpg'))
      assert.ok(isRefusal(refusal))
      assert.deepEqual([refusal.refused, refusal.params], ['image_refused', { reason: 'rotated' }])
      assert.match(refusal.message ?? '', /Save it upright/)
      assert.deepEqual(await settings(), earlier)
    })

    test('another merchant has no part in it', async () => {
      const hash = await replace('logo', picture(1))
      assert.deepEqual([await isThere(hash), await isThere(hash, BOOKS)], [true, false])
      assert.deepEqual(await settings('books'), MERCHANT_SETTINGS.setting)
      assert.equal(await replace('logo', picture(1), BOOKS), hash)
      await remove('logo')
      assert.equal((await settings('books')).logoUrl, `/pictures/${hash}.png`)
    })

    test('one that is replaced or removed is found for another day, and then no more', async () => {
      const [logo, cover] = [await replace('logo', picture(10)), await replace('cover', picture(11))]
      await replace('logo', picture(12))
      await remove('cover')
      assert.equal((await settings()).coverImageUrl, undefined)
      clock.advance(DAY_MS - 1)
      assert.deepEqual([await isThere(logo), await isThere(cover)], [true, true])
      clock.advance(1)
      assert.deepEqual([await isThere(logo), await isThere(cover)], [false, false])
      await remove('cover')
      assert.equal(await stored(), 1)
    })

    test('one that the settings still name elsewhere, or name again, stays', async () => {
      const both = await replace('logo', picture(20))
      assert.equal(await replace('cover', picture(20)), both)
      await remove('logo')
      clock.advance(2 * DAY_MS)
      assert.equal(await isThere(both), true)
      await remove('cover')
      await replace('logo', picture(20))
      clock.advance(2 * DAY_MS)
      assert.equal(await isThere(both), true)
    })

    test('of those that are no longer named the ten newest are kept, however many are uploaded', async () => {
      const hashes: string[] = []
      for (let width = 30; width < 45; width += 1) {
        hashes.push(await replace('logo', picture(width)))
        clock.advance(1000)
      }
      assert.equal(await stored(), 11)
      const kept: boolean[] = []
      for (const hash of hashes) kept.push(await isThere(hash))
      assert.deepEqual(kept, [...Array.from({ length: 4 }, () => false), ...Array.from({ length: 11 }, () => true)])
    })

    test('the plate of a logo is known to the page as long as the logo is, and a cover has none', async () => {
      const plate = async (): Promise<string | undefined> => (await settings()).logoPlate
      await replace('logo', WHITE_LOGO)
      assert.equal(await plate(), 'dark')
      await replace('cover', fixture('canvas-lossy-alpha.webp'))
      assert.equal(await plate(), 'dark')
      await remove('cover')
      assert.equal(await plate(), 'dark')
      await remove('logo')
      assert.deepEqual(await settings(), MERCHANT_SETTINGS.setting)
    })

    test('of a logo and a cover that are uploaded at the same time neither is lost', async () => {
      for (let round = 0; round < 20; round += 1) {
        const names = round % 2 === 0 ? (['gray.jpg', 'rgb.jpg'] as const) : (['cmyk.jpg', 'canvas.jpg'] as const)
        const [logo, cover] = await Promise.all([
          replace('logo', fixture(names[0])),
          replace('cover', fixture(names[1])),
          replace('logo', fixture(names[0])),
        ])
        assert.deepEqual(await settings(), {
          ...MERCHANT_SETTINGS.setting,
          logoUrl: `/pictures/${logo}.jpg`,
          logoPlate: 'light',
          coverImageUrl: `/pictures/${cover}.jpg`,
        })
        assert.deepEqual([await isThere(logo), await isThere(cover)], [true, true])
      }
    })
  })
})
