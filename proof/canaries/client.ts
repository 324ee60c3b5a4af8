import http from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { textOutput } from './outputs.ts'
import type { Output } from './scanner.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** A preview shows whoever wrote its address what is in it (specification, section 2); only its headers are looked at. */
  readonly showsItsAddress?: true
}

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface Client {
  send(request: Request): Promise<Answer>
  /** Writes these very bytes; answers the status that comes back, 0 where the connection is cut off first. */
  sendRaw(bytes: string, end: 'wait for an answer' | 'cut off'): Promise<Answer>
  /** All that was ever answered, heads and bodies. */
  readonly answers: Output[]
}

/** Whoever calls the server, over a real socket and with any host, header and body. Keeps every answer for the scanner. */
export const createClient = (port: string): Client => {
  const answers: Output[] = []
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const host = `localhost:${port}`

  return {
    answers,
    send: async ({ method, path, headers = {}, body, showsItsAddress }) => {
      const options = { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent }
      const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
      http.request(options, resolve).once('error', reject).end(body)
      const response = await promise
      const status = response.statusCode ?? 0
      const said = await text(response)
      answers.push(textOutput(`answers, headers`, response.rawHeaders.join('\n')))
      if (showsItsAddress !== true) answers.push(textOutput(status < 400 ? 'answers' : 'error bodies', said))
      return { status, body: said }
    },
    sendRaw: async (bytes, end) => {
      const socket = connect(Number(port), '127.0.0.1')
      const { promise, resolve } = Promise.withResolvers<string>()
      let said = ''
      socket.setEncoding('latin1').on('data', (part: string) => {
        said += part
        resolve(said)
      })
      socket.once('error', () => resolve(said)).once('close', () => resolve(said))
      await new Promise((written) => socket.write(bytes, 'latin1', written))
      if (end === 'cut off') socket.destroy()
      const heard = await promise
      socket.destroy()
      answers.push(textOutput('error bodies', heard))
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0), body: heard }
    },
  }
}
