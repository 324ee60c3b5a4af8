/** Fastify routes made of the contract's calls. */
import type { TSchema } from 'typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { KeyAccess } from '#contract/access.ts'
import type { Call, QueryCall } from '#contract/calls.ts'
import { isRefusal, type Refusal } from '#contract/errors.ts'
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
export const routeOf = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  call: Call<Path, Body, Answer>,
) => ({
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
    ...(call.headers === undefined ? {} : { headers: call.headers }),
    response: { [call.status]: call.answer },
  },
})

/** The same with the body's type kept for the handler. */
export const bodyRouteOf = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  call: Call<Path, Body, Answer>,
) => ({
  ...routeOf(call),
  schema: { ...routeOf(call).schema, body: call.body },
})

/** The same of a call that reads its query, with the query's type kept for the handler. */
export const queryRouteOf = <Path extends TSchema, Query extends TSchema, Answer extends TSchema>(
  call: QueryCall<Path, Query, Answer>,
) => {
  const { schema, ...route } = routeOf(call)
  const { contentType } = call
  const file = contentType === undefined ? {} : { 200: { content: { [contentType]: { schema: call.answer } } } }
  return { ...route, schema: { ...schema, querystring: call.query, response: { ...schema.response, ...file } } }
}

/** A checkout id that we cannot have made is an unknown checkout, whatever else is wrong with the call. */
export const hasMalformedCheckoutId = (params: unknown): boolean =>
  typeof params === 'object' && params !== null && 'checkoutId' in params && !isId(String(params.checkoutId))

export const sendAnswer = (reply: FastifyReply, status: 200 | 201, result: object | Refusal): FastifyReply =>
  isRefusal(result) ? sendRefusal(reply, result) : reply.code(status).send(result)
