/** Route of acquirers' notifications: checked, stored, and only then answered. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { readHost } from '../hosts.ts'
import type { Dependencies } from '../../dependencies.ts'
import { readNotifications, type NotifiedAccount } from '../../gateways/adyen/notification.ts'
import { isMerchantLabel } from '../../origins.ts'
import { storeNotifications } from '../../store/merchant/acquirer-notifications.ts'

/** A merchant's account at Adyen, by the merchant's label; null: it has none in this mode. */
export type FindAdyenAccount = (label: string, mode: MerchantMode) => Promise<NotifiedAccount | null>

interface Options {
  readonly deps: Pick<Dependencies, 'database' | 'clock' | 'publicBase'>
  readonly findAdyenAccount: FindAdyenAccount
}

/** Adyen sends an item or a few at a time, of a kilobyte each. */
const BODY_LIMIT = 256 * 1024

/** The answer by which Adyen knows that a notification was taken, and does not send it again. */
const ACCEPTED = '[accepted]'
const UNREADABLE = 'This is no notification of Adyen: send its standard webhook as JSON.\n'
/** The same for an unknown merchant: a stranger learns nothing about accounts. */
const NOT_SIGNED =
  'The notification is not signed for this account: compare address, HMAC key, merchant account and mode of the webhook in the Customer Area.\n'

type Named = FastifyRequest<{ Params: { label: string; mode: string } }>

export const acquirerNotificationRoutes: FastifyPluginAsync<Options> = async (app, { deps, findAdyenAccount }) => {
  const accountOf = async ({ params: { label, mode } }: Named): Promise<NotifiedAccount | null> =>
    isMerchantLabel(label) && isMerchantMode(mode) ? findAdyenAccount(label, mode) : null

  app.post(
    '/acquirer/adyen/:label/:mode',
    { config: { lane: 'notifications' }, bodyLimit: BODY_LIMIT },
    async (request: Named, reply) => {
      if (readHost(request.headers.host, deps.publicBase).host !== 'base') return reply.callNotFound()
      reply.type('text/plain; charset=utf-8')
      const account = await accountOf(request)
      if (account === null) return reply.code(401).send(NOT_SIGNED)
      const read = readNotifications(request.body, account, deps.clock.now())
      if (read.is === 'unreadable') return reply.code(400).send(UNREADABLE)
      if (read.is === 'forged') return reply.code(401).send(NOT_SIGNED)
      // If the database cannot store it, the call fails, and Adyen sends the notification again.
      await storeNotifications(deps.database, read.notifications)
      return reply.code(200).send(ACCEPTED)
    },
  )
}
