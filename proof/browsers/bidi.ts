/** WebDriver BiDi: commands and their answers over a socket; events go to whoever listens. */
import { once } from 'node:events'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'

type Message = Record<string, unknown>

export interface BidiConnection {
  /** Sends a command and returns its result; a refused one throws. */
  send(method: string, params?: Readonly<Message>): Promise<Message>
  close(): void
}

export const connectBidi = async (
  address: string,
  onEvent: (method: string, params: Message) => void,
): Promise<BidiConnection> => {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (message: Message) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message: unknown = JSON.parse(String(data))
    if (!isRecord(message)) return
    const { id, method, params } = message
    if (typeof id === 'number') waiting.get(id)?.(message)
    else if (typeof method === 'string' && isRecord(params)) onEvent(method, params)
  })
  let last = 0
  return {
    send: async (method, params = {}) => {
      last += 1
      const { promise, resolve } = Promise.withResolvers<Message>()
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
      const { result, error, message } = await promise
      if (!isRecord(result))
        throw new CommandError(`the browser refused ${method}: ${String(error)} ${String(message)}`)
      return result
    },
    close: () => socket.close(),
  }
}
