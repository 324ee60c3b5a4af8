import { MERCHANT_HEADER } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'

/** An answer, or none: nobody was there, or whoever was there died before it was whole. */
export type Reply = { readonly status: number; readonly body: unknown } | 'nothing'

export type CallName = 'create' | 'read' | 'start' | 'authenticate' | 'pay' | 'cancel' | 'refund'

interface Message {
  readonly name: CallName
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/** The way from many browsers and one merchant to the server, over real sockets. */
export interface Line {
  send(message: Message): Promise<Reply>
  /** Resolves when so many calls of this name have been sent from now on. */
  sent(name: CallName, times: number): Promise<void>
  /** The calls without an answer as yet, each with the one that it gets. */
  underWay(): readonly { readonly name: CallName; readonly reply: Promise<Reply> }[]
}

/** As long as the page waits for an answer. */
const PATIENCE_MS = 45_000

const exchange = async (url: string, key: string, { method, body }: Message): Promise<Reply> => {
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        [MERCHANT_HEADER]: DEMO_LABEL,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return 'nothing'
  }
}

export const openLine = (origin: string, key: string): Line => {
  const underWay = new Map<Message, Promise<Reply>>()
  let watcher = (_name: CallName): void => undefined
  return {
    send: async (message) => {
      const reply = exchange(`${origin}${message.path}`, key, message)
      underWay.set(message, reply)
      watcher(message.name)
      await reply
      underWay.delete(message)
      return reply
    },
    sent: (wanted, times) =>
      new Promise((resolve) => {
        let left = times
        watcher = (name) => {
          if (name === wanted) left -= 1
          if (left === 0) resolve()
        }
      }),
    underWay: () => [...underWay].map(([{ name }, reply]) => ({ name, reply })),
  }
}
