/** Console browser: calls of the console as its page makes them, with a cookie jar and a virtual authenticator. */
import assert from 'node:assert/strict'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { CONSOLE_BASE, CONSOLE_ROUTES, type ConsoleCallName } from '#contract/console/paths.ts'
import type { CreationOptions, RequestOptions } from '#contract/console/webauthn.ts'
import { createVirtualAuthenticator, type VirtualAuthenticator } from './virtual-authenticator.ts'

export const CONSOLE_HOST = 'console.localhost:3000'
export const CONSOLE_ORIGIN = `http://${CONSOLE_HOST}`
const CHROME =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36'

interface CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
  readonly merchant?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ConsoleBrowser {
  readonly authenticator: VirtualAuthenticator
  readonly cookies: Map<string, string>
  call(name: ConsoleCallName, options?: CallOptions): Promise<LightMyRequestResponse>
  /** A call that must succeed. */
  done<T = unknown>(name: ConsoleCallName, options?: CallOptions): Promise<T>
  /** The code of the error that a call must be answered with. */
  refused(name: ConsoleCallName, options?: CallOptions): Promise<string>
  signIn(id?: string): Promise<void>
  enrol(name?: string): Promise<{ readonly id: string; readonly confirmsFrom: string }>
  confirm(id?: string): Promise<void>
}

export const addressOf = (name: ConsoleCallName, params: Readonly<Record<string, string>> = {}): string =>
  CONSOLE_BASE +
  CONSOLE_ROUTES[name].path.replace(/:(\w+)/g, (_, each: string) => encodeURIComponent(params[each] ?? 'x'))

/** `authenticator`: another browser of the same person may hold the same passkeys. */
export const openConsoleBrowser = (
  app: FastifyInstance,
  authenticator: VirtualAuthenticator = createVirtualAuthenticator(CONSOLE_ORIGIN),
): ConsoleBrowser => {
  const cookies = new Map<string, string>()

  const keep = ({ headers }: LightMyRequestResponse): void => {
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  const call: ConsoleBrowser['call'] = async (name, { params, body, merchant, headers = {} } = {}) => {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const options: InjectOptions = {
      method: CONSOLE_ROUTES[name].method,
      url: addressOf(name, params),
      headers: {
        host: CONSOLE_HOST,
        'sec-fetch-site': 'same-origin',
        'user-agent': CHROME,
        ...(cookie === '' ? {} : { cookie }),
        ...(merchant === undefined ? {} : { merchant }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    }
    const answer = await app.inject(options)
    keep(answer)
    return answer
  }
  const done: ConsoleBrowser['done'] = async (name, options) => {
    const answer = await call(name, options)
    assert.ok(answer.statusCode < 300, `${name}: ${answer.body}`)
    return answer.json()
  }
  const refused: ConsoleBrowser['refused'] = async (name, options) => {
    const answer = await call(name, options)
    assert.ok(answer.statusCode >= 400, `${name} was accepted: ${answer.body}`)
    return answer.json<{ code: string }>().code
  }

  return {
    authenticator,
    cookies,
    call,
    done,
    refused,
    signIn: async (id) => {
      const { options } = await done<{ options: RequestOptions }>('beginSignIn')
      await done('finishSignIn', { body: { passkey: authenticator.sign(options, id === undefined ? {} : { id }) } })
    },
    enrol: async (name = 'phone') => {
      const { options } = await done<{ options: CreationOptions }>('beginEnrolment')
      return done('finishEnrolment', { body: { passkey: authenticator.create(options), name } })
    },
    confirm: async (id) => {
      const { options } = await done<{ options: RequestOptions }>('beginConfirmation')
      const passkey = authenticator.sign(options, id === undefined ? {} : { id })
      await done('finishConfirmation', { body: { passkey } })
    },
  }
}
