/** Console visits: opens every screen of the console in both languages, on a program of its own whose shop is filled. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { CONSOLE_LOCALES, type ConsoleLocale } from '#contract/console/locale.ts'
import { setUpConsole, signIn, type ConsolePerson } from '../../journeys/harness/console.ts'
import { watchPageErrors } from '../../journeys/harness/page-errors.ts'
import { startKaikei, type Kaikei } from '../../journeys/harness/program.ts'
import { launchChromium } from '../../tools/browser/browser.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import type { chooseConsoleScreens, ConsoleVisitFacts } from './console-screens.ts'
import { fillConsole } from './fill-console.ts'

type ConsoleScreens = ReturnType<typeof chooseConsoleScreens>
type Looker = ConsoleScreens[number]['by']

/** One screen of the console that is open in one language. */
export interface ConsoleVisit {
  readonly name: string
  readonly locale: ConsoleLocale
  readonly page: Page
  /** What pages have reported against themselves since it was asked for last: exceptions, violations of the policy. */
  takeErrors(): readonly string[]
}

type VisitConsole = (visit: ConsoleVisit) => Promise<void>

const OWNER = { ja: '青山 花子', 'en-US': 'Hanako Aoyama' } as const

/** Where the screens of a person are in a language, they have chosen it. */
const speak = (page: Page, locale: ConsoleLocale): Promise<void> =>
  page.evaluate(
    async (person) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/console/v1/person', { method: 'PATCH', headers, body: JSON.stringify(person) })
      if (!answer.ok) throw new Error(await answer.text())
    },
    { name: OWNER[locale], locale },
  )

const Mails = Type.Object({
  items: Type.Array(Type.Object({ number: Type.Integer(), recipients: Type.Array(Type.String()) })),
})

const mailedLink = async ({ mailbox }: Kaikei, email: string, page: Page): Promise<string> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const { items } = Parse(Mails, await (await fetch(`${mailbox}/v1/mails`)).json())
    const mail = items.find(({ recipients }) => recipients.includes(email))
    const html = mail === undefined ? '' : await (await fetch(`${mailbox}/${mail.number}/html`)).text()
    const [link] = /https?:\/\/[^"<\s]+\/invitation\/[a-z0-9]+/.exec(html) ?? []
    if (link !== undefined) return link
    await page.waitForTimeout(200)
  }
  throw new Error(`no invitation was mailed to ${email}`)
}

/** As a viewer, by the owner's own page. */
const inviteBy =
  (kaikei: Kaikei, page: Page) =>
  async (locale: ConsoleLocale): Promise<string> => {
    const email = `viewer-${locale.toLowerCase()}@aoyama-tea.example`
    await page.evaluate(
      async (invited) => {
        const headers = { merchant: 'demo', mode: 'test', 'content-type': 'application/json' }
        const body = JSON.stringify({ ...invited, role: 'viewer' })
        const answer = await fetch('/console/v1/invitations', { method: 'POST', headers, body })
        if (!answer.ok) throw new Error(await answer.text())
      },
      { email, locale },
    )
    return mailedLink(kaikei, email, page)
  }

interface Visiting {
  readonly browser: Browser
  readonly ownerPage: Page
  readonly screens: ConsoleScreens
  readonly visit: VisitConsole
}

const newContext = (browser: Browser, locale: ConsoleLocale): Promise<BrowserContext> =>
  browser.newContext({ locale, reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })

/** The screens of one of them, in both languages; the owner's in the session that is there. */
const visitBy = async (
  looker: Looker,
  { browser, ownerPage, screens, visit }: Visiting,
  facts: ConsoleVisitFacts,
): Promise<void> => {
  const chosen = screens.filter(({ by }) => by === looker)
  if (chosen.length === 0) return
  for (const locale of CONSOLE_LOCALES) {
    const isOwner = looker.startsWith('owner')
    if (isOwner) await speak(ownerPage, locale)
    const context = isOwner ? ownerPage.context() : await newContext(browser, locale)
    const page = isOwner ? ownerPage : await context.newPage()
    const errors = watchPageErrors(context)
    let taken = 0
    const takeErrors = (): readonly string[] => {
      const untold = errors.slice(taken)
      taken = errors.length
      return untold
    }
    for (const { name, open } of chosen) {
      await page.setViewportSize({ width: 1280, height: 900 })
      try {
        await open(page, facts, locale)
        await visit({ name, locale, page, takeErrors })
      } catch (error) {
        throw new Error(`${name} could not be visited in ${locale}`, { cause: error })
      }
    }
    if (!isOwner) await context.close()
  }
}

const NOTHING = { paid: '', inDoubt: '', link: '', webhook: '', reconciliation: '' }

const visitInBrowser = async (browser: Browser, screens: ConsoleScreens, visit: VisitConsole): Promise<void> => {
  // Payments come from many addresses, as of a proxy.
  const { kaikei, stop } = await startKaikei({ TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const owner: ConsolePerson = await setUpConsole(browser, kaikei.consoleLink)
    const ownerPage = await (await newContext(browser, 'ja')).newPage()
    await signIn(ownerPage, owner)
    const visiting = { browser, ownerPage, screens, visit }
    const invite = inviteBy(kaikei, ownerPage)
    await visitBy('owner of a new shop', visiting, { ...NOTHING, owner, invite })
    const filled = await fillConsole(kaikei, ownerPage)
    try {
      for (const looker of ['stranger', 'newcomer', 'owner'] as const)
        await visitBy(looker, visiting, { ...filled.facts, owner, invite })
    } finally {
      await filled.stop()
    }
  } finally {
    await stop()
  }
}

/** Starts the whole program on ports and data of its own, fills its shop, and opens each screen in both languages. */
export const visitConsole = async (screens: ConsoleScreens, visit: VisitConsole): Promise<void> => {
  await ensureBuilt()
  const browser = await launchChromium()
  try {
    await visitInBrowser(browser, screens, visit)
  } finally {
    await browser.close()
  }
}
