/** Retry outbox: an operator retries deliveries and mails that wait or have failed. */
import type { Instant } from '#contract/jst.ts'
import { MERCHANT_MODES } from '#contract/access.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Sql } from '../store/engine/database.ts'
import { retryDeliveries, type Retried } from '../store/outbox/deliveries.ts'
import { failedMails, retryMail, type NamedMail } from '../store/outbox/mails.ts'
import { withNextVersion, type ChangedBy } from '../store/checkout/changes.ts'
import { endpointsOf, lockEndpoint, type EndpointRef } from '../store/merchant/webhook-endpoints.ts'

type RetryDependencies = Pick<Dependencies, 'database' | 'clock'>

export interface RetriedDeliveries {
  readonly deliveries: number
  /** Disabled webhooks: nothing is sent to them until their shop enables them. */
  readonly disabled: readonly string[]
}

const endpointIdsOf = async (sql: Sql, merchantId: string): Promise<string[]> => {
  const ids: string[] = []
  for (const mode of MERCHANT_MODES) ids.push(...(await endpointsOf(sql, { merchantId, mode })).map(({ id }) => id))
  return ids
}

/** Under the lock of the endpoint: an endpoint that is being disabled drops its waiting deliveries. */
const retryAt = ({ database }: RetryDependencies, ref: EndpointRef, which: Retried): Promise<number | 'disabled'> =>
  database.transact(async (sql) => {
    const endpoint = await lockEndpoint(sql, ref)
    if (endpoint === null) return 0
    return endpoint.disabled === null ? retryDeliveries(sql, ref, which) : 'disabled'
  })

/** Retries at one endpoint of a merchant, or at all of them. */
export const retryMerchantDeliveries = async (
  deps: RetryDependencies,
  merchantId: string,
  which: Retried,
  webhookId: string | null,
): Promise<RetriedDeliveries> => {
  const known = await endpointIdsOf(deps.database, merchantId)
  const disabled: string[] = []
  let deliveries = 0
  for (const endpointId of known.filter((id) => webhookId === null || id === webhookId)) {
    const retried = await retryAt(deps, { merchantId, endpointId }, which)
    if (retried === 'disabled') disabled.push(endpointId)
    else deliveries += retried
  }
  return { deliveries, disabled }
}

const BY_OPERATOR = { actor: 'operator', why: 'tried again' } as const

/** True: the mail is tried again. The timeline of its checkout, if it has one, shows who asked for it. */
export const retryNamedMail = (
  { database, clock }: RetryDependencies,
  mail: NamedMail,
  by: Pick<ChangedBy, 'actor' | 'why'> = BY_OPERATOR,
): Promise<boolean> => {
  const { merchantId, checkoutId, kind, state } = mail
  if (checkoutId === null) return retryMail(database, mail, clock.now())
  return database.transact((sql) =>
    withNextVersion(sql, { merchantId, checkoutId }, async (addLine) => {
      const now = clock.now()
      const isRetried = await retryMail(sql, mail, now)
      if (isRetried && state !== 'waiting')
        await addLine({ subject: `mail ${kind}`, from: state, to: 'waiting' }, { ...by, now })
      return isRetried
    }),
  )
}

/** Returns how many mails are tried again. */
export const retryFailedMails = async (
  deps: RetryDependencies,
  merchantId: string,
  since: Instant,
): Promise<number> => {
  let retried = 0
  for (const mail of await failedMails(deps.database, merchantId, since))
    if (await retryNamedMail(deps, mail)) retried += 1
  return retried
}
