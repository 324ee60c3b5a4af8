/**
 * Request log: the last calls of the API, in memory, for tests that check what was really sent. Each entry is
 * masked before it is kept: a list of whole card numbers must not come into being anywhere.
 */
import { json, type Call, type Reply, type Route } from '../http/router.ts'
import { parseJsonObject, type JsonObject } from '../http/json.ts'
import { maskFields, maskText } from './mask-card-numbers.ts'
import type { TransactionStore } from './transactions.ts'

export interface RequestLog {
  withLog(route: Route): Route
  readonly listRoute: Route
}

const LOGGED_REQUESTS_MAX = 500

export const createRequestLog = (transactions: TransactionStore): RequestLog => {
  const entries: { readonly request: JsonObject; readonly requestorTransId: string | undefined }[] = []

  const requestorTransIdOf = (body: JsonObject, query: URLSearchParams): string | undefined => {
    const { threeDSRequestorTransID, threeDSServerTransID } = body
    if (typeof threeDSRequestorTransID === 'string') return maskText(threeDSRequestorTransID)
    const serverTransId =
      typeof threeDSServerTransID === 'string' ? threeDSServerTransID : query.get('threeDSServerTransID')
    return transactions.find(serverTransId ?? '')?.init.requestorTransId
  }

  const append = (method: Route['method'], { path, query, body, header }: Call): void => {
    const fields = parseJsonObject(body) ?? null
    const request = {
      method,
      path,
      query: Object.fromEntries(query),
      merchantToken: header('as-merchant-token') ?? null,
      body: fields,
    }
    entries.push({ request: maskFields(request), requestorTransId: requestorTransIdOf(fields ?? {}, query) })
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
