/** Router: the first route that matches path and method answers; without one it is 404 or 405. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { JsonObject } from './json.ts'

type ReplyHeaders = Readonly<Record<string, string>>

export type Reply =
  | {
      readonly kind: 'json'
      readonly status: number
      readonly body: JsonObject
      readonly headers: ReplyHeaders
    }
  | { readonly kind: 'html'; readonly status: number; readonly markup: string; readonly headers: ReplyHeaders }
  | { readonly kind: 'drop_connection' }

export interface Call {
  /** The origin by which the caller reached us: addresses in the answer must lead back to it. */
  readonly origin: string
  readonly path: string
  param(name: string): string
  readonly query: URLSearchParams
  header(name: string): string | undefined
  readonly clientAddress: string
  readonly body: string
  /** Aborted when the client has gone, answered or not. */
  readonly clientGone: AbortSignal
}

export interface Route {
  readonly method: 'GET' | 'POST'
  /** Segments that begin with a colon are parameters: /acquirer/v1/orders/:orderId */
  readonly path: string
  handle(call: Call): Reply | Promise<Reply>
}

const BODY_MAX_BYTES = 64 * 1024

export const json = (status: number, body: JsonObject, headers: ReplyHeaders = {}): Reply => ({
  kind: 'json',
  status,
  body,
  headers,
})

export const DROP_CONNECTION: Reply = { kind: 'drop_connection' }

/** Timeout for the caller: holds the connection without an answer, then drops it. */
export const holdConnection = async (holdMs: number, clientGone: AbortSignal): Promise<Reply> => {
  // Rejects when the client gives up first, which is an end like any other.
  await delay(holdMs, undefined, { signal: clientGone }).catch(() => undefined)
  return DROP_CONNECTION
}

/** Host header: undefined where there is none, or more than one, of which a proxy may have read another than we would. */
export const hostHeaderOf = (request: IncomingMessage): string | undefined => {
  const [host, ...others] = request.headersDistinct['host'] ?? []
  return others.length === 0 ? host : undefined
}

export const createRouter =
  (routes: readonly Route[]): RequestListener =>
  (request, response) => {
    handleRequest(routes, request, response)
      .then((reply) => writeReply(response, reply))
      .catch((error: unknown) => {
        // The address is left out: a caller may have put anything into it.
        process.stderr.write(`sandbox: a request failed: ${error instanceof Error ? error.message : 'unknown error'}\n`)
        writeReply(response, json(500, { error: 'internal_error' }))
      })
  }

const handleRequest = async (
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> => {
  const host = hostHeaderOf(request)
  if (host === undefined) return json(400, { error: 'one_host_header_required' })
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path, path)
    return params === undefined ? [] : [{ route, params }]
  })
  if (matches.length === 0) return json(404, { error: 'not_found' })

  const match = matches.find(({ route }) => route.method === request.method)
  if (match === undefined) {
    response.setHeader('Allow', matches.map(({ route }) => route.method).join(', '))
    return json(405, { error: 'method_not_allowed' })
  }

  const clientGone = new AbortController()
  response.once('close', () => clientGone.abort())
  const body = await readBody(request)
  if (body.kind === 'aborted') return DROP_CONNECTION
  if (body.kind === 'too_large') return json(413, { error: 'body_too_large' })
  return match.route.handle({
    origin: `${request.socket instanceof TLSSocket ? 'https' : 'http'}://${host}`,
    path,
    header: (name) => request.headersDistinct[name]?.join(', '),
    clientAddress: request.socket.remoteAddress ?? '',
    param: (name) => match.params.get(name) ?? '',
    query: new URLSearchParams(query),
    body: body.text,
    clientGone: clientGone.signal,
  })
}

const matchPath = (pattern: string, path: string): Map<string, string> | undefined => {
  const names = pattern.split('/')
  const segments = path.split('/')
  if (names.length !== segments.length) return undefined
  const params = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? ''
    if (name.startsWith(':')) params.set(name.slice(1), segment)
    else if (name !== segment) return undefined
  }
  return params
}

type ReadBody =
  | { readonly kind: 'complete'; readonly text: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'aborted' }

const readBody = (request: IncomingMessage): Promise<ReadBody> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      // Read on to the end all the same: a client still sending would see a reset in place of the 413.
      if (sizeBytes <= BODY_MAX_BYTES) chunks.push(chunk)
    })
    request.once('end', () =>
      resolve(
        sizeBytes <= BODY_MAX_BYTES
          ? { kind: 'complete', text: Buffer.concat(chunks).toString('utf8') }
          : { kind: 'too_large' },
      ),
    )
    request.once('error', () => resolve({ kind: 'aborted' }))
    request.once('close', () => resolve({ kind: 'aborted' }))
  })

const writeReply = (response: ServerResponse, reply: Reply): void => {
  if (reply.kind === 'drop_connection') {
    response.destroy()
    return
  }
  if (response.destroyed) return
  const type = reply.kind === 'json' ? 'application/json' : 'text/html; charset=utf-8'
  response.writeHead(reply.status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...reply.headers,
  })
  response.end(reply.kind === 'json' ? JSON.stringify(reply.body) : reply.markup)
}
