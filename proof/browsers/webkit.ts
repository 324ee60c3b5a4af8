/** WebKit: WebKitGTK's small browser under its own WebDriver, on a virtual screen. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../harness/server-process.ts'
import { spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { firstProgram, onPath } from '../programs/find-programs.ts'
import { startRelay } from '../programs/relay.ts'
import { waitUntil, type DrivenBrowser } from './payment.ts'

/** A call that the driver never answers must not hold the proof for the five minutes that Node waits. */
const CALL_TIMEOUT_MS = 30_000

/** How WebDriver names an element in its answers. */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

/** The browser's bar is wider than a phone; a style of its own makes it small. */
const SMALL_BAR = `* { padding: 0; margin: 0; border-width: 0; min-width: 0; min-height: 0; }
toolbar image, entry image { -gtk-icon-source: none; }
entry { font-size: 1px; }
`

export const findWebKit = (env: NodeJS.ProcessEnv) => ({
  driver: firstProgram(onPath(env, 'WebKitWebDriver'), 'WebKitWebDriver'),
  browser: firstProgram(
    globSync(['/usr/lib/*/webkit2gtk-4.*/MiniBrowser', '/usr/libexec/webkit2gtk-4.*/MiniBrowser']),
    "WebKitGTK's MiniBrowser",
  ),
  screen: firstProgram(onPath(env, 'Xvfb'), 'Xvfb'),
})

/** The first free display, as the virtual screen names it. */
const startScreen = async (program: string): Promise<{ screen: ChildProcess; display: string }> => {
  const args = ['-displayfd', '1', '-screen', '0', '1280x3000x24', '-nolisten', 'tcp']
  const screen = spawnExitingWithParent(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  if (screen.stdout === null) throw new CommandError('the screen has no output')
  for await (const line of createInterface({ input: screen.stdout })) return { screen, display: `:${line.trim()}` }
  throw new CommandError('the screen ended before it could be used')
}

const end = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export const startWebKit = async (programs: ReturnType<typeof findWebKit>): Promise<DrivenBrowser> => {
  const port = await freePort()
  // WebKit does not resolve `*.localhost` itself: as its proxy, the relay leads every host name to this machine.
  const proxy = await startRelay((address) => {
    const { port: to, host } = new URL(address)
    return { port: Number(to), host }
  })
  let lost: RegExp | null = null
  proxy.change = (address, { headers, body }) =>
    lost?.test(address) === true ? null : { headers: { ...headers, 'cache-control': 'no-store' }, body }
  const { screen, display } = await startScreen(programs.screen)
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  writeFileSync(join(folder, 'gtk-3.0', 'gtk.css'), SMALL_BAR)
  const driver = spawnExitingWithParent(programs.driver, [`--port=${port}`], {
    stdio: ['ignore', 'ignore', 'ignore'],
    removeFolder: folder,
    env: {
      ...process.env,
      DISPLAY: display,
      XDG_CONFIG_HOME: folder,
      NO_AT_BRIDGE: '1',
    },
  })
  const stop = async (): Promise<void> => {
    await end(driver)
    await end(screen)
    await proxy.stop()
  }

  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const answer: unknown = await response.json()
    const value = isRecord(answer) ? answer['value'] : undefined
    if (!response.ok) throw new CommandError(`WebKit refused ${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }

  await waitUntil('WebKit’s driver answers', async () => isRecord(await call('GET', '/status')))
  const httpProxy = `127.0.0.1:${proxy.port}`
  const session = await call('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
        proxy: { proxyType: 'manual', httpProxy },
      },
    },
  })
  if (!isRecord(session) || !isRecord(session['capabilities'])) throw new CommandError('WebKit gave no session')
  const base = `/session/${String(session['sessionId'])}`
  const { browserVersion } = session['capabilities']

  const evaluate = (expression: string): Promise<unknown> =>
    call('POST', `${base}/execute/sync`, { script: `return (${expression})`, args: [] })
  const elementOf = async (selector: string): Promise<string> => {
    const found = await call('POST', `${base}/element`, { using: 'css selector', value: selector })
    return isRecord(found) ? String(found[ELEMENT_KEY]) : ''
  }
  const enterFrame = async (selector: string): Promise<void> => {
    const id = { [ELEMENT_KEY]: await elementOf(selector) }
    await call('POST', `${base}/frame`, { id })
  }
  return {
    label: `WebKitGTK ${String(browserVersion)}`,
    open: async (url) => {
      await call('POST', `${base}/url`, { url })
    },
    evaluate,
    evaluateInBank: async (expression) => {
      try {
        await enterFrame('section iframe')
        await enterFrame('iframe')
        return await evaluate(expression)
      } finally {
        await call('POST', `${base}/frame`, { id: null })
      }
    },
    type: async (selector, text) => {
      await call('POST', `${base}/element/${await elementOf(selector)}/value`, { text })
    },
    click: async (selector) => {
      await call('POST', `${base}/element/${await elementOf(selector)}/click`, {})
    },
    resize: async (width, height) => {
      await call('POST', `${base}/window/rect`, { width, height })
      await waitUntil(`WebKit: the page is ${width} px wide`, () => evaluate(`innerWidth === ${width}`))
    },
    screenshot: async () => {
      // A picture waits for the next frame, and a page that stands still draws none.
      await evaluate(
        `setInterval(() => document.body.style.setProperty('opacity', String(1 - (performance.now() % 2) / 1000)), 20)`,
      )
      return Buffer.from(String(await call('GET', `${base}/screenshot`)), 'base64')
    },
    lose: (files) => {
      lost = files
    },
    errors: () => [],
    close: async () => {
      await call('DELETE', base).catch(() => undefined)
      await stop()
    },
  }
}
