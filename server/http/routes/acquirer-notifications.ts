/** Route of acquirers' notifications: checked, stored, and only then answered. */
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { readHost } from '../hosts.ts'
import { readJsonBodies } from '../read-texts.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  readNotifications,
  type NotifiedAccount,
  type ReadNotifications,
} from '../../gateways/adyen/parse-notification.ts'
import { createSampler } from '../../log.ts'
import { isMerchantLabel } from '../../origins.ts'
import { alarmSetAside } from '../../operations/set-aside.ts'
import { storeNotifications } from '../../store/merchant/acquirer-notifications.ts'
import { sealSaid } from '../../store/merchant/set-aside-said.ts'
import { idOfKey, type NewSetAside } from '../../store/merchant/set-aside.ts'

/** A merchant's account at Adyen, by the merchant's label; null: it has none in this mode. */
export type FindAdyenAccount = (label: string, mode: MerchantMode) => Promise<NotifiedAccount | null>

interface Options {
  readonly deps: Pick<Dependencies, 'database' | 'clock' | 'publicBase' | 'log' | 'elapsed' | 'sealing'>
  readonly findAdyenAccount: FindAdyenAccount
}

/** Adyen sends an item or a few at a time, of a kilobyte each. A stranger may send as many bodies as there may be connections. */
const BODY_LIMIT = 64 * 1024

const PLAIN = 'text/plain; charset=utf-8'

/** The answer by which Adyen knows that a notification was taken, and does not send it again. */
const ACCEPTED = '[accepted]'
const UNREADABLE = 'This is no notification of Adyen: send its standard webhook as JSON.\n'
/** The same for an unknown merchant: a stranger learns nothing about accounts. */
const NOT_SIGNED =
  'The notification is not signed for this account: compare address, HMAC key, merchant account and mode of the webhook in the Customer Area.\n'

const COMPRESSED = 'The body is compressed, and is not unpacked here: send it without Content-Encoding.\n'
const TOO_LARGE = `The body is too large: send at most ${BODY_LIMIT / 1024} KiB.\n`

/** Nothing is unpacked: a small body could become a large one. Said before it is read, for as JSON it would be called broken. */
const refuseCompressed = async (
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> => {
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' ? undefined : reply.code(415).type(PLAIN).send(COMPRESSED)
}

/** Adyen sends it again for days: until then an operator has looked at those that wait. */
const TOO_MANY =
  'Too many notifications of this account cannot be read, and wait for an operator: send it again later.\n'

const setAsideOf = (
  { sealing }: Pick<Dependencies, 'sealing'>,
  { merchantId, mode }: NotifiedAccount,
  { unreadable }: Extract<ReadNotifications, { is: 'ours' }>,
): NewSetAside[] =>
  unreadable.map(({ id, why, said }) => {
    const ref = { merchantId, queue: 'notifications', id: idOfKey([mode, id]) } as const
    return { ...ref, why, said: sealSaid(sealing, ref, said) }
  })

interface Named {
  Params: { label: string; mode: string }
}

export const acquirerNotificationRoutes: FastifyPluginAsync<Options> = async (app, { deps, findAdyenAccount }) => {
  readJsonBodies(app, 'replaced')
  const accountOf = async ({ params: { label, mode } }: FastifyRequest<Named>): Promise<NotifiedAccount | null> =>
    isMerchantLabel(label) && isMerchantMode(mode) ? findAdyenAccount(label, mode) : null

  const isFirst = createSampler(() => deps.elapsed())
  /** Whoever has set up the webhook learns from it what to compare. Strangers may call as often as they like. */
  const logRefused = (merchant: string, why: string): void => {
    if (isFirst(why)) deps.log.warn('a notification of Adyen was refused', { merchant, why })
  }

  app.post<Named>(
    '/acquirer/adyen/:label/:mode',
    {
      config: { lane: 'notifications' },
      bodyLimit: BODY_LIMIT,
      preParsing: refuseCompressed,
      errorHandler: (error: FastifyError, _request, reply) => {
        if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') void reply.code(413).type(PLAIN).send(TOO_LARGE)
        else void reply.send(error)
      },
    },
    async (request, reply) => {
      if (readHost(request.headers.host, deps.publicBase).host !== 'base') return reply.callNotFound()
      reply.type(PLAIN)
      const account = await accountOf(request)
      if (account === null) return reply.code(401).send(NOT_SIGNED)
      const read = readNotifications(request.body, account, deps.clock.now())
      if (read.is === 'unreadable') return reply.code(400).send(UNREADABLE)
      if (read.is === 'forged') {
        logRefused(account.merchantId, read.why)
        return reply.code(401).send(NOT_SIGNED)
      }
      // If the database cannot store it, the call fails, and Adyen sends the notification again.
      const fresh = await storeNotifications(
        deps.database,
        read.notifications,
        setAsideOf(deps, account, read),
        deps.clock.now(),
      )
      if (fresh === null) return reply.code(503).send(TOO_MANY)
      for (const each of fresh) alarmSetAside(deps, each)
      return reply.code(200).send(ACCEPTED)
    },
  )
}
