/** Route of the merchant API that says what needs a person. */
import type { FastifyPluginAsync } from 'fastify'
import { readAttention } from '#contract/merchant/attention.ts'
import { attentionOf } from '../../../operations/attention.ts'
import { answerCall } from '../contract-route.ts'
import { scopeOf, type CallerOptions } from './caller.ts'

export const attentionRoutes: FastifyPluginAsync<CallerOptions> = async (app, options) => {
  const { deps, callerOf, installationWarnings } = options
  answerCall(app, readAttention, async (request) => {
    const caller = callerOf(request)
    const items = await attentionOf(deps, caller.merchant, scopeOf(caller))
    const isOperator = caller.by.kind === 'person' && caller.by.person.isOperator
    return isOperator ? { items, installation: [...(await installationWarnings())] } : { items }
  })
}
