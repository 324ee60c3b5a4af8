/**
 * What an acquirer has said that was set aside: whole, so that it can be read again, and sealed, because nobody knows what it
 * holds.
 */
import type { Sealed, SealedPlace, Sealing } from '../../config/sealed.ts'
import { text } from '../engine/columns.ts'
import type { Database, Sql } from '../engine/database.ts'
import type { SetAsideRef } from './set-aside.ts'

type SaidRef = Pick<SetAsideRef, 'merchantId' | 'id'>

const placeOf = ({ merchantId, id }: SaidRef): SealedPlace => ['said', merchantId, id]

const stored = ({ keyId, text: sealed }: Sealed): string => `${keyId} ${sealed}`

export const sealSaid = (sealing: Sealing, ref: SaidRef, said: string): string =>
  stored(sealing.seal(said, placeOf(ref)))

/** Null: it does not open with the keys at hand. */
export const openSaid = (sealing: Sealing, ref: SaidRef, said: string): string | null => {
  const [keyId = '', sealed = ''] = said.split(' ')
  return sealing.open({ keyId, text: sealed }, placeOf(ref))
}

const AT_ONCE = 100

/** Those that an earlier secret key has sealed, after one of them. */
const sealedBefore = async (sql: Sql, keyId: string, { merchantId, id }: SaidRef) => {
  const rows = await sql.rows(
    `SELECT merchant_id, id, said FROM set_aside WHERE queue = 'notifications' AND dropped_at IS NULL
       AND said IS NOT NULL AND substr(said, 1, $1) <> $2 AND (merchant_id, id) > ($3, $4)
     ORDER BY merchant_id, id LIMIT ${AT_ONCE}`,
    keyId.length + 1,
    `${keyId} `,
    merchantId,
    id,
  )
  return rows.map((row) => ({ merchantId: text(row, 'merchant_id'), id: text(row, 'id'), said: text(row, 'said') }))
}

/** After a rotation of the secret key: with the current one, as accounts are. What does not open can only be dropped. */
export const sealSaidAnew = async (database: Database, sealing: Sealing): Promise<void> => {
  const { currentKeyId } = sealing
  if (currentKeyId === null) return
  let after: SaidRef | undefined = { merchantId: '', id: '' }
  while (after !== undefined) {
    const batch: (SaidRef & { readonly said: string })[] = await sealedBefore(database, currentKeyId, after)
    for (const each of batch) {
      const said = openSaid(sealing, each, each.said)
      if (said === null) continue
      await database.rows(
        `UPDATE set_aside SET said = $1 WHERE merchant_id = $2 AND queue = 'notifications' AND id = $3 AND said = $4`,
        sealSaid(sealing, each, said),
        each.merchantId,
        each.id,
        each.said,
      )
    }
    after = batch.length < AT_ONCE ? undefined : batch.at(-1)
  }
}
