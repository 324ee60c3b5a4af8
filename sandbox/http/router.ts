import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'

type Headers = Readonly<Record<string, string>>

export type Reply =
  | { kind: 'json'; status: number; body: Readonly<Record<string, unknown>>; headers: Headers }
  | { kind: 'html'; status: number; markup: string; headers: Headers }
  | { kind: 'hang_up' }

export type Call = {
  /** The origin by which the caller reached us, so that an address we hand out leads it back. */
  origin: string
  path: string
  param: (name: string) => string
  query: URLSearchParams
  header: (name: string) => string | undefined
  clientAddress: string
  body: string
  /** Aborted when the client has gone, answered or not. */
  clientGone: AbortSignal
}

export type Route = {
  method: 'GET' | 'POST'
  /** Segments that begin with a colon are parameters: /acquirer/v1/orders/:orderId */
  path: string
  handle: (call: Call) => Reply | Promise<Reply>
}

const bodyLimitBytes = 64 * 1024

export const json = (status: number, body: Readonly<Record<string, unknown>>, headers: Headers = {}): Reply => ({
  kind: 'json',
  status,
  body,
  headers,
})

export const hangUp: Reply = { kind: 'hang_up' }

/** Keeps the caller waiting and never answers. */
export const stayOnTheLine = async (holdMs: number, clientGone: AbortSignal): Promise<Reply> => {
  try {
    await delay(holdMs, undefined, { signal: clientGone })
  } catch {
    return hangUp
  }
  return hangUp
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

export const createRouter =
  (routes: readonly Route[]): Listener =>
  (request, response) => {
    answer(routes, request, response)
      .then((reply) => send(response, reply))
      .catch((error: unknown) => {
        // The address is left out: a caller may have put anything into it.
        process.stderr.write(`sandbox: a request failed: ${error instanceof Error ? error.message : 'unknown error'}\n`)
        send(response, json(500, { error: 'internal_error' }))
      })
  }

const answer = async (routes: readonly Route[], request: IncomingMessage, response: ServerResponse): Promise<Reply> => {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path, path)
    return params ? [{ route, params }] : []
  })
  if (matches.length === 0) return json(404, { error: 'not_found' })

  const match = matches.find(({ route }) => route.method === request.method)
  if (!match) {
    response.setHeader('Allow', matches.map(({ route }) => route.method).join(', '))
    return json(405, { error: 'method_not_allowed' })
  }

  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const body = await readBody(request)
  if (body.kind === 'cut_off') return hangUp
  if (body.kind === 'too_large') return json(413, { error: 'body_too_large' })
  return match.route.handle({
    origin: `${request.socket instanceof TLSSocket ? 'https' : 'http'}://${request.headers.host ?? ''}`,
    path,
    header: (name) => request.headersDistinct[name]?.join(', '),
    clientAddress: request.socket.remoteAddress ?? '',
    param: (name) => match.params.get(name) ?? '',
    query: new URLSearchParams(query),
    body: body.text,
    clientGone: gone.signal,
  })
}

const matchPath = (pattern: string, path: string): Map<string, string> | undefined => {
  const names = pattern.split('/')
  const segments = path.split('/')
  if (names.length !== segments.length) return undefined
  const params = new Map<string, string>()
  for (const [place, name] of names.entries()) {
    const segment = segments[place] ?? ''
    if (name.startsWith(':')) params.set(name.slice(1), segment)
    else if (name !== segment) return undefined
  }
  return params
}

type Body = { kind: 'whole'; text: string } | { kind: 'too_large' } | { kind: 'cut_off' }

const readBody = (request: IncomingMessage): Promise<Body> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      // Read on to the end all the same: a client still sending would see a reset in place of the 413.
      if (sizeBytes <= bodyLimitBytes) chunks.push(chunk)
    })
    request.once('end', () =>
      resolve(
        sizeBytes <= bodyLimitBytes
          ? { kind: 'whole', text: Buffer.concat(chunks).toString('utf8') }
          : { kind: 'too_large' },
      ),
    )
    request.once('error', () => resolve({ kind: 'cut_off' }))
    request.once('close', () => resolve({ kind: 'cut_off' }))
  })

const send = (response: ServerResponse, reply: Reply): void => {
  if (reply.kind === 'hang_up') {
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
