import http from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { CallPath } from '#contract/paths.ts'
import { OVERLOADED_PAGE } from '../../server/http/limits/load-shedding.ts'
import { textOutput } from './server-outputs.ts'
import type { ServerOutput } from './scanner.ts'

export interface HttpRequest {
  readonly method: CallPath['method']
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** A preview shows what is in its URL (specification, section 2), so only its headers are scanned. */
  readonly showsItsUrl?: true
  /** Where its body is found, if it is; `answers` unless given. */
  readonly place?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Writes these bytes unchanged; the status is 0 where the connection is closed before an answer. */
  sendRaw(bytes: string, end: 'wait for an answer' | 'cut off'): Promise<HttpAnswer>
  /** Headers and bodies of all answers. */
  readonly received: ServerOutput[]
}

/** A page that is shed is answered two seconds late: a machine so busy for longer is a finding. */
const TRIES = 50
/** A key that has spent its budget gets it back within seconds. */
const AGAIN_AFTER_MS = 200

const isShed = ({ status, body }: HttpAnswer): boolean => status === 503 && body === OVERLOADED_PAGE
const isKeyLimited = ({ status, body }: HttpAnswer): boolean => status === 429 && body.includes('"too_many_requests"')

/** HTTP client: sends any host, header and body over a real socket, and keeps every answer for the scanner. */
export const createHttpClient = (port: string): HttpClient => {
  const received: ServerOutput[] = []
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const host = `localhost:${port}`

  const sendOnce: HttpClient['send'] = async (request) => {
    const { method, path, headers = {}, body, showsItsUrl, place = 'answers' } = request
    const options = { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent }
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    http.request(options, resolve).once('error', reject).end(body)
    const response = await promise
    const status = response.statusCode ?? 0
    const answerBody = await text(response)
    received.push(textOutput(`answers, headers`, response.rawHeaders.join('\n')))
    if (showsItsUrl !== true) received.push(textOutput(status < 400 ? place : 'error bodies', answerBody))
    return { status, body: answerBody }
  }

  return {
    received,
    // On a busy machine the server sheds pages, whatever is in their address; and a key makes so many calls a second.
    send: async (request) => {
      let answer = await sendOnce(request)
      for (let tries = 1; (isShed(answer) || isKeyLimited(answer)) && tries < TRIES; tries += 1) {
        await wait(AGAIN_AFTER_MS)
        answer = await sendOnce(request)
      }
      return answer
    },
    sendRaw: async (bytes, end) => {
      const socket = connect(Number(port), '127.0.0.1')
      const { promise, resolve } = Promise.withResolvers<string>()
      let answer = ''
      socket.setEncoding('latin1').on('data', (part: string) => {
        answer += part
        resolve(answer)
      })
      socket.once('error', () => resolve(answer)).once('close', () => resolve(answer))
      await new Promise((written) => socket.write(bytes, 'latin1', written))
      if (end === 'cut off') socket.destroy()
      const answered = await promise
      socket.destroy()
      received.push(textOutput('error bodies', answered))
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answered)?.[1] ?? 0), body: answered }
    },
  }
}
