/**
 * Protocol client: commands, their results and events as JSON over a WebSocket. Node's inspector, Chromium's DevTools and
 * Firefox's WebDriver BiDi all speak this.
 */
import { once } from 'node:events'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'

const ANSWER_TIMEOUT_MS = 60_000

export type Facts = Readonly<Record<string, unknown>>

export interface ProtocolClient {
  /** Returns the result of a command. Throws if it is refused, or not answered in time. */
  send(method: string, params?: Facts, sessionId?: string): Promise<Facts>
  close(): void
}

/** `onEvent` gets every event of every session; a protocol without sessions names none. */
export const connectProtocol = async (
  address: string,
  onEvent: (method: string, params: Facts, sessionId: string) => void = () => undefined,
): Promise<ProtocolClient> => {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Facts) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message: unknown = JSON.parse(String(data))
    if (!isRecord(message)) return
    const { id, method, params, sessionId } = message
    if (typeof id === 'number') waiting.get(id)?.(message)
    else onEvent(String(method), isRecord(params) ? params : {}, String(sessionId))
  })
  let last = 0
  return {
    send: async (method, params = {}, sessionId) => {
      last += 1
      const id = last
      const { promise, resolve, reject } = Promise.withResolvers<Facts>()
      waiting.set(id, resolve)
      const timer = setTimeout(() => reject(new CommandError(`${method} was not answered`)), ANSWER_TIMEOUT_MS)
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
      try {
        const answer = await promise
        if (!isRecord(answer['result'])) throw new CommandError(`${method} was refused: ${JSON.stringify(answer)}`)
        return answer['result']
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    close: () => socket.close(),
  }
}
