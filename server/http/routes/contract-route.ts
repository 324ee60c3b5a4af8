/** Fastify routes made of the contract's calls. */
import type { Static, TSchema } from 'typebox'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyAccess } from '#contract/access.ts'
import type { Call } from '#contract/calls.ts'
import { isRefusal, refuse } from '#contract/errors.ts'
import { sendRefusal } from '../errors.ts'
import { isId } from '../../ids.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key needs to make this call. */
    access?: KeyAccess
    limit?: 'refunds'
  }
}

/** A route that does not say which access it needs would be open to every key: the server does not start with one. */
export const demandAccess = (app: FastifyInstance): void => {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} does not name the access it needs`)
  })
}

/** A call of the contract as a route of Fastify: its schemas validate what comes and write the answer. */
export const routeOf = ({ contentType, answer, ...call }: Call<TSchema, TSchema, TSchema>) => ({
  method: call.method,
  url: call.path,
  config: {
    lane: call.lane,
    ...(call.access === undefined ? {} : { access: call.access }),
    ...(call.limit === undefined ? {} : { limit: call.limit }),
  },
  schema: {
    params: call.params,
    ...(call.method === 'GET' ? {} : { body: call.body }),
    ...(call.query === undefined ? {} : { querystring: call.query }),
    ...(call.headers === undefined ? {} : { headers: call.headers }),
    response: {
      [call.status]: contentType === undefined ? answer : { content: { [contentType]: { schema: answer } } },
    },
  },
})

/** A request as the schemas of its call have validated it. */
type RequestOf<Path extends TSchema, Body extends TSchema, Query extends TSchema> = FastifyRequest<{
  Params: Static<Path>
  Body: Static<Body>
  Querystring: Static<Query>
}>

/** Adds the route of a call. `handle` returns what is answered: the call's answer, the text or stream of a file, or a refusal. */
export const answerCall = <Path extends TSchema, Body extends TSchema, Query extends TSchema>(
  app: FastifyInstance,
  call: Call<Path, Body, TSchema> & { readonly query?: Query },
  handle: (request: RequestOf<Path, Body, Query>, reply: FastifyReply) => Promise<object | string>,
): void => {
  app.route<{ Params: Static<Path>; Body: Static<Body>; Querystring: Static<Query> }>({
    ...routeOf(call),
    handler: async (request, reply) => {
      const result = await handle(request, reply)
      if (typeof result === 'object' && isRefusal(result)) return sendRefusal(reply, result)
      return reply.code(call.status).send(result)
    },
  })
}

/** Refuses every other address below the calls. Without the route a GET of one would be drawn as a page, of a checkout of that name. */
export const refuseOtherAddresses = (app: FastifyInstance, config: FastifyContextConfig): void => {
  const refuseCall = async (_request: FastifyRequest, reply: FastifyReply) =>
    sendRefusal(reply, refuse('method_not_allowed'))
  app.setNotFoundHandler(refuseCall)
  app.get('/*', { config }, refuseCall)
}

/** A checkout id that we cannot have made is an unknown checkout, whatever else is wrong with the call. */
export const hasMalformedCheckoutId = (params: unknown): boolean =>
  typeof params === 'object' && params !== null && 'checkoutId' in params && !isId(String(params.checkoutId))
