/** Webhook receiver: a merchant's own server on this machine, which takes whatever comes. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request as it came, before anybody believes it. */
interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface WebhookReceiver {
  readonly url: string
  readonly received: readonly ReceivedWebhook[]
  stop(): Promise<void>
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    void text(request).then((body) => {
      received.push({ headers, body })
      return response.end('ok')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
