/** Flipped bytes: every script of the built page with one byte changed, on every screen that asks for it. */
import type { Browser } from '@playwright/test'
import { unchanged, type Answer, type Change } from '../programs/relay.ts'
import { openPage, type Program } from './program.ts'

/** Where a byte can change without the script becoming unreadable: a letter inside a text of the script. */
const TEXT_IN_SCRIPT = /["'`][A-Za-z ]*[a-z]{4}[A-Za-z ]*["'`]/g

/** Changes the case of one letter in the middle text of a script, so that it would still run. */
export const flipByte = (script: Buffer): Buffer => {
  const texts = [...script.toString('latin1').matchAll(TEXT_IN_SCRIPT)]
  const text = texts[Math.floor(texts.length / 2)]
  if (text === undefined) throw new Error('the script holds no text in which a byte could be changed')
  const place = text.index + text[0].search(/[a-z]{4}/)
  const flipped = Buffer.from(script)
  flipped[place] = (script[place] ?? 0) ^ 0x20
  return flipped
}

/** Without the hashes that documents name, and the headers that ask for them: the control, in which the changed script runs. */
const withoutIntegrity = ({ headers, body }: Answer): Answer => {
  const { 'integrity-policy': _policy, ...rest } = headers
  if (!String(headers['content-type']).startsWith('text/html')) return { headers, body }
  const html = body
    .toString('utf8')
    .replaceAll(/ integrity="[^"]*"/g, '')
    .replace(/(<script type="importmap"[^>]*>).*?(<\/script>)/s, '$1{}$2')
  return { headers: rest, body: Buffer.from(html) }
}

interface Visit {
  /** Scripts that were asked for, and of these the ones of which a line ran. */
  readonly asked: readonly string[]
  readonly ran: readonly string[]
}

/** Opens an address in a fresh browser context. */
const visit = async (browser: Browser, address: string): Promise<Visit> => {
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    const page = await context.newPage()
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).pathname))
    await page.coverage.startJSCoverage({ resetOnNavigation: false })
    await openPage(page, address)
    await page.waitForLoadState('load')
    // Chunks are asked for by the entry once it runs.
    await page.waitForLoadState('networkidle')
    const covered = await page.coverage.stopJSCoverage()
    const ran = covered
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .map(({ url }) => new URL(url).pathname)
    const assets = (paths: Iterable<string>): string[] =>
      [...new Set(paths)].filter((path) => path.startsWith('/assets/'))
    return { asked: assets(asked), ran: assets(ran) }
  } finally {
    await context.close()
  }
}

/** Screens by name with their addresses; scripts are all that the build has. */
export const flipAll = async (
  browser: Browser,
  program: Program,
  screens: ReadonlyMap<string, string>,
  scripts: readonly string[],
) => {
  const flipping =
    (script: string, before = (answer: Answer): Answer => answer): Change =>
    (path, answer) => {
      const { headers, body } = before(answer)
      return path.split('?')[0] === script ? { headers, body: flipByte(body) } : { headers, body }
    }
  const open = async (address: string, change: Change): Promise<Visit> => {
    program.relay.change = change
    try {
      return await visit(browser, address)
    } finally {
      program.relay.change = unchanged
    }
  }
  /** Changed scripts that ran, with the screen. */
  const ranChanged: string[] = []
  /** What is wrong with the control: unchanged scripts that did not run, changed ones that did not run without integrity. */
  const unshown: string[] = []
  /** Style sheets of their own that a screen asked for: styles stand in the document, so there must be none. */
  const styleSheets: string[] = []
  const shown = new Set<string>()
  let visits = 0
  for (const [screen, address] of screens) {
    const plain = await open(address, unchanged)
    styleSheets.push(...plain.asked.filter((path) => path.endsWith('.css')))
    const needed = plain.asked.filter((path) => path.endsWith('.js'))
    unshown.push(...needed.filter((script) => !plain.ran.includes(script)).map((script) => `${script} on ${screen}`))
    for (const script of needed) {
      visits += 1
      const changed = await open(address, flipping(script))
      if (changed.ran.includes(script)) ranChanged.push(`${script} on ${screen}`)
      if (!changed.asked.includes(script)) unshown.push(`${script} was not asked for on ${screen}`)
      if (shown.has(script)) continue
      const control = await open(address, flipping(script, withoutIntegrity))
      if (control.ran.includes(script)) shown.add(script)
    }
  }
  unshown.push(...scripts.filter((script) => !shown.has(script)).map((script) => `${script} never ran changed`))
  return { scripts: scripts.length, visits, ranChanged, unshown, styleSheets }
}
