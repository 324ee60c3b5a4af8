/** Route of the merchant API that reads its caller: an API key, or a person who has signed in to the console. */
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { PersonMeAnswer } from '#contract/console/me.ts'
import { MeAnswer, readMe } from '#contract/merchant/me.ts'
import { iso, when } from '#contract/answer-fields.ts'
import type { Caller } from '../../../operations/caller.ts'
import { answerCall } from '../contract-route.ts'
import type { CallerOptions } from './caller.ts'

const presentMe = ({ merchant, mode, access, by }: Caller): MeAnswer | PersonMeAnswer => {
  const shop = { merchant: { label: merchant.label, name: merchant.settings.receipt.shopName }, mode }
  if (by.kind === 'person') return { ...shop, person: { name: by.person.name, role: by.role, access } }
  const { key } = by
  return {
    ...shop,
    key: {
      access: key.access,
      ...when(key.hint, (hint) => ({ hint })),
      ...when(key.name, (name) => ({ name })),
      createdAt: iso(key.createdAt),
      ...when(key.expiresAt, (expiresAt) => ({ expiresAt: iso(expiresAt) })),
    },
  }
}

/** The reference tells of keys alone: what a key is answered is as it was. */
const readCaller = { ...readMe, answer: Type.Union([MeAnswer, PersonMeAnswer]) }

export const meRoutes: FastifyPluginAsync<CallerOptions> = async (app, { callerOf }) => {
  answerCall(app, readCaller, async (request) => presentMe(callerOf(request)))
}
