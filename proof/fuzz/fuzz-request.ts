/** Fuzz request: one request that can be read as HTTP, whatever it asks for; and its bytes. */
export interface FuzzRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Each character of the body is one byte: what a program sends that knows no UTF-8. */
  readonly isLatin1?: boolean
}

/** Where the server under fuzz is, and what a valid call to it needs. */
export interface FuzzSite {
  readonly port: number
  /** Host and port of the public base. */
  readonly base: string
  readonly merchant: string
  readonly key: string
  /** The address of a built file. */
  readonly asset: string
  /** Who has signed in to the console; left out: nobody. */
  readonly console?: {
    readonly personId: string
    /** Many: a call ends the one that it is made with. */
    readonly sessions: readonly string[]
  }
}

/** The ids that an episode has learnt from answers so far. */
export interface KnownIds {
  checkoutId: string
  orderCode: string
  ticket: string
  refundId: string
  linkId: string
  webhookId: string
  eventId: string
}

/** Beside the target, Content-Length is always right: what breaks the bytes themselves is a raw request. */
export const bytesOf = (
  { method, target, headers, body, isLatin1 = false }: FuzzRequest,
  more: readonly string[] = [],
): Buffer => {
  const payload = body === null ? null : Buffer.from(body, isLatin1 ? 'latin1' : 'utf8')
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(payload === null ? [] : [`content-length: ${payload.length}`]),
    ...more,
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return payload === null ? head : Buffer.concat([head, payload])
}

export const pathOf = ({ target }: Pick<FuzzRequest, 'target'>): string => {
  const end = target.search(/[?#]/)
  return end === -1 ? target : target.slice(0, end)
}

/** The path as a route sees it; undefined: it cannot be decoded, and reaches none. */
export const decodedPath = (request: Pick<FuzzRequest, 'target'>): string | undefined => {
  try {
    return decodeURIComponent(pathOf(request))
  } catch {
    return undefined
  }
}

/** The page that a browser is led to after a failure says 500 itself, whoever asks for it. */
export const isErrorPage = (request: Pick<FuzzRequest, 'target'>): boolean => decodedPath(request) === '/500'
