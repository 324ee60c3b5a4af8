import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { createSealing } from '../../config/sealed.ts'
import { text } from '../engine/columns.ts'
import { openSaid, sealSaid, sealSaidAnew } from './set-aside-said.ts'

const [FIRST, SECOND] = ['1'.repeat(64), '2'.repeat(64)]
const SAID = '{"reason":"canary"}'

describe('what an acquirer has said and nobody could read', () => {
  onBothDatabases(({ open }) => {
    test('is sealed for its place, and with the new secret key after a rotation', async () => {
      const database = await open()
      const [before, rotated, after] = [createSealing([FIRST]), createSealing([SECOND, FIRST]), createSealing([SECOND])]
      const refs = Array.from({ length: 150 }, (_none, nth) => ({ merchantId: 'tea-id', id: `test unread.${nth}` }))
      for (const ref of refs)
        await database.rows(
          `INSERT INTO set_aside (merchant_id, queue, id, why, said, at) VALUES ($1, 'notifications', $2, 'why', $3, 1)`,
          ref.merchantId,
          ref.id,
          sealSaid(before, ref, SAID),
        )
      const stored = async (): Promise<Map<string, string>> =>
        new Map(
          (await database.rows('SELECT id, said FROM set_aside')).map((row) => [text(row, 'id'), text(row, 'said')]),
        )
      const sealed = await stored()
      assert.ok([...sealed.values()].every((said) => !said.includes('canary')))
      const [one, other] = refs
      if (one === undefined || other === undefined) assert.fail()
      assert.equal(openSaid(before, one, sealed.get(one.id) ?? ''), SAID)
      assert.equal(openSaid(before, other, sealed.get(one.id) ?? ''), null, 'of another place')
      assert.equal(openSaid(after, one, sealed.get(one.id) ?? ''), null, 'with another key')
      await sealSaidAnew(database, rotated)
      const again = await stored()
      for (const ref of refs) assert.equal(openSaid(after, ref, again.get(ref.id) ?? ''), SAID)
      await sealSaidAnew(database, after)
      assert.deepEqual(await stored(), again, 'nothing is sealed twice')
    })
  })
})
