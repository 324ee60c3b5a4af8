/** Firefox, driven by WebDriver BiDi over its own socket. */
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { firstProgram, onPath } from '../programs/find-programs.ts'
import { connectProtocol } from '../programs/protocol-client.ts'
import type { DrivenBrowser } from './payment.ts'

interface Context {
  readonly context: string
  readonly url: string
}

/** Each window with the frames in it. */
const contextsIn = (value: unknown): Context[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .flatMap(({ context, url, children }) => [{ context: String(context), url: String(url) }, ...contextsIn(children)])

export const findFirefox = (env: NodeJS.ProcessEnv): string =>
  firstProgram(onPath(env, 'firefox-esr', 'firefox'), 'Firefox')

const startProcess = async (executablePath: string, profile: string) => {
  const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile]
  const firefox = spawnExitingWithParent(executablePath, args, {
    removeFolder: profile,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' },
  })
  if (firefox.stderr === null) throw new CommandError('Firefox has no output')
  for await (const line of createInterface({ input: firefox.stderr })) {
    const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line) ?? []
    if (address !== undefined) {
      firefox.stderr.resume()
      return { firefox, address }
    }
  }
  throw new CommandError('Firefox ended before it could be driven')
}

export const startFirefox = async (executablePath: string): Promise<DrivenBrowser> => {
  const profile = mkdtempSync(join(tmpdir(), 'kaikei-firefox-'))
  const { firefox, address } = await startProcess(executablePath, profile)
  const errors: string[] = []
  let lost: RegExp | null = null
  const { send, close } = await connectProtocol(`${address}/session`, (method, params) => {
    if (method === 'log.entryAdded' && params['level'] === 'error') errors.push(String(params['text']))
    const { request, isBlocked } = params
    if (isBlocked !== true || !isRecord(request)) return
    const isLost = lost?.test(String(request['url'])) === true
    // The page may be gone before its request is.
    send(isLost ? 'network.failRequest' : 'network.continueRequest', { request: request['request'] }).catch(
      () => undefined,
    )
  })
  const { capabilities } = await send('session.new', { capabilities: { alwaysMatch: {} } })
  await send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] })
  await send('network.addIntercept', { phases: ['beforeRequestSent'] })
  await send('network.setCacheBehavior', { cacheBehavior: 'bypass' })
  const tree = async (): Promise<Context[]> => contextsIn((await send('browsingContext.getTree'))['contexts'])
  const [first] = await tree()
  if (first === undefined) throw new CommandError('Firefox has no window')
  const { context } = first

  const evaluateIn = async (target: string, expression: string): Promise<unknown> => {
    const answer = await send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
      target: { context: target },
      awaitPromise: true,
    })
    const { result } = answer
    if (!isRecord(result) || typeof result['value'] !== 'string')
      throw new CommandError(`Firefox could not evaluate ${expression}: ${JSON.stringify(answer)}`)
    return JSON.parse(result['value'])
  }
  const pressKeys = (text: string): Promise<unknown> =>
    send('input.performActions', {
      context,
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: Array.from(text, (value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]).flat(),
        },
      ],
    })

  return {
    label: `Firefox ${isRecord(capabilities) ? String(capabilities['browserVersion']) : ''}`,
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    evaluate: (expression) => evaluateIn(context, expression),
    evaluateInBank: async (expression) => {
      const bank = (await tree()).find(({ url }) => new URL(url).hostname.startsWith('bank.'))
      return bank === undefined ? undefined : evaluateIn(bank.context, expression)
    },
    type: async (selector, text) => {
      await evaluateIn(context, `document.querySelector(${JSON.stringify(selector)}).focus()`)
      await pressKeys(text)
    },
    click: async (selector) => {
      const at = await evaluateIn(
        context,
        `(() => {
          const element = document.querySelector(${JSON.stringify(selector)})
          element.scrollIntoView({ block: 'center' })
          const { x, y, width, height } = element.getBoundingClientRect()
          return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
        })()`,
      )
      const actions = [
        { type: 'pointerMove', ...(isRecord(at) ? at : {}) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    resize: async (width, height) => {
      await send('browsingContext.setViewport', { context, viewport: { width, height } })
    },
    screenshot: async () =>
      Buffer.from(String((await send('browsingContext.captureScreenshot', { context }))['data']), 'base64'),
    lose: (files) => {
      lost = files
    },
    errors: () => errors,
    close: async () => {
      close()
      firefox.kill('SIGTERM')
      if (firefox.exitCode === null && firefox.signalCode === null) await once(firefox, 'exit')
    },
  }
}
