import { json, type Call, type Reply, type Route } from '../http/router.ts'
import { parseJsonObject, type JsonObject } from '../http/json.ts'
import type { TransactionStore } from './transactions.ts'

interface LoggedRequest {
  readonly method: Route['method']
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly merchantToken: string | null
  readonly body: unknown
}

export interface RequestLog {
  withLog(route: Route): Route
  readonly listRoute: Route
}

const LOGGED_REQUESTS_MAX = 500

/** Request log: the last calls of the API, in memory, for tests that check what was really sent. */
export const createRequestLog = (transactions: TransactionStore): RequestLog => {
  const entries: { readonly request: LoggedRequest; readonly requestorTransId: string | undefined }[] = []

  const requestorTransIdOf = (body: JsonObject, query: URLSearchParams): string | undefined => {
    const { threeDSRequestorTransID, threeDSServerTransID } = body
    if (typeof threeDSRequestorTransID === 'string') return threeDSRequestorTransID
    const serverTransId =
      typeof threeDSServerTransID === 'string' ? threeDSServerTransID : query.get('threeDSServerTransID')
    return transactions.find(serverTransId ?? '')?.init.requestorTransId
  }

  const append = (method: Route['method'], { path, query, body, header }: Call): void => {
    const fields = parseJsonObject(body)
    entries.push({
      request: {
        method,
        path,
        query: Object.fromEntries(query),
        merchantToken: header('as-merchant-token') ?? null,
        body: fields ?? null,
      },
      requestorTransId: requestorTransIdOf(fields ?? {}, query),
    })
    if (entries.length > LOGGED_REQUESTS_MAX) entries.shift()
  }

  const list = ({ query }: Call): Reply => {
    const wanted = query.get('requestorTransId')
    const found = entries.filter(({ requestorTransId }) => wanted === null || requestorTransId === wanted)
    return json(200, { items: found.map(({ request }) => request) })
  }

  return {
    withLog: (route) => ({
      ...route,
      handle: (call) => {
        append(route.method, call)
        return route.handle(call)
      },
    }),
    listRoute: { method: 'GET', path: '/three-ds/v1/requests', handle: list },
  }
}
