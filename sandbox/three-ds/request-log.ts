import { parseFields } from './field-reader.ts'
import { type Call, json, type Reply, type Route } from '../http/router.ts'
import type { Transactions } from './transactions.ts'

/** What came in, for tests that ask what was really sent. In memory, and only the last of it. */
type Entry = {
  method: Route['method']
  path: string
  query: Readonly<Record<string, string>>
  merchantToken: string | null
  body: unknown
}

export type RequestLog = {
  logged: (route: Route) => Route
  route: Route
}

const most = 500

export const openRequestLog = (transactions: Transactions): RequestLog => {
  const entries: { entry: Entry; requestorTransId: string | undefined }[] = []

  const requestorOf = (body: Readonly<Record<string, unknown>>, query: URLSearchParams): string | undefined => {
    const { threeDSRequestorTransID: named, threeDSServerTransID: inBody } = body
    if (typeof named === 'string') return named
    const serverTransId = typeof inBody === 'string' ? inBody : query.get('threeDSServerTransID')
    return transactions.find(serverTransId ?? '')?.terms.requestorTransId
  }

  const note = (method: Route['method'], { path, query, body, header }: Call): void => {
    const fields = parseFields(body)
    entries.push({
      entry: {
        method,
        path,
        query: Object.fromEntries(query),
        merchantToken: header('as-merchant-token') ?? null,
        body: fields ?? null,
      },
      requestorTransId: requestorOf(fields ?? {}, query),
    })
    if (entries.length > most) entries.shift()
  }

  const list = ({ query }: Call): Reply => {
    const wanted = query.get('requestorTransId')
    const found = entries.filter(({ requestorTransId }) => wanted === null || requestorTransId === wanted)
    return json(200, { items: found.map(({ entry }) => entry) })
  }

  return {
    logged: (route) => ({
      ...route,
      handle: (call) => {
        note(route.method, call)
        return route.handle(call)
      },
    }),
    route: { method: 'GET', path: '/three-ds/v1/requests', handle: list },
  }
}
