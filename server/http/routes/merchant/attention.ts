/** Route of the merchant API that says what needs a person. */
import type { FastifyPluginAsync } from 'fastify'
import { readAttention } from '#contract/merchant/attention.ts'
import { attentionOf } from '../../../operations/attention.ts'
import { answerCall } from '../contract-route.ts'
import { scopeOf, type KeyHolderOptions } from './key-holder.ts'

export const attentionRoutes: FastifyPluginAsync<KeyHolderOptions> = async (app, { deps, holderOf }) => {
  answerCall(app, readAttention, async (request) => {
    const holder = holderOf(request)
    return { items: await attentionOf(deps, holder.merchant, scopeOf(holder)) }
  })
}
