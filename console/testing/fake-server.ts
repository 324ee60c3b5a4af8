/** Fake server for tests of the console: answers calls from a list and remembers them. */

export interface SentCall {
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface FakeAnswer {
  readonly status?: number
  /** A text is sent as it is; null: the network fails. */
  readonly body: object | string | null
}

export const fakeServer = (answers: readonly FakeAnswer[]): { fetcher: typeof fetch; sent: readonly SentCall[] } => {
  const sent: SentCall[] = []
  const fetcher: typeof fetch = async (address, init = {}) => {
    const answer = answers[sent.length]
    sent.push({
      method: init.method ?? 'GET',
      address: address instanceof Request ? address.url : String(address),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
    })
    if (answer === undefined || answer.body === null) throw new TypeError('Failed to fetch')
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return new Response(text, { status: answer.status ?? 200 })
  }
  return { fetcher, sent }
}
