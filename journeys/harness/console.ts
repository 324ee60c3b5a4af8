/** The console in a journey: a person with a passkey in the browser's own virtual authenticator. */
import { expect, type Browser, type CDPSession, type Page } from '@playwright/test'

/** A passkey as the virtual authenticator hands it out: another browser of the same person can be given it. */
type Passkey = Awaited<ReturnType<typeof passkeysOf>>[number]

export interface ConsolePerson {
  /** The address of the console, such as http://console.localhost:3000. */
  readonly origin: string
  readonly email: string
  readonly passkey: Passkey
}

interface Authenticator {
  readonly cdp: CDPSession
  readonly id: string
}

/** From now on the page has an authenticator that makes passkeys and confirms at once. */
export const addAuthenticator = async (page: Page): Promise<Authenticator> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id }
}

const passkeysOf = async ({ cdp, id }: Authenticator) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials

/** The heading of the screen is there: its script has arrived and what it reads has been read. */
export const expectScreen = (page: Page, heading: string | RegExp): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()

const accountMenu = (page: Page) => page.getByRole('button', { name: /^(Account|アカウント): / })

/** Makes a passkey on the screen that asks for one, and is in the console then. */
export const enrolPasskey = async (page: Page): Promise<void> => {
  await expectScreen(page, /^(Make a passkey|パスキーを登録)$/)
  await page.getByRole('button', { name: /^(Make a passkey|パスキーを登録する)$/ }).click()
  await expect(accountMenu(page)).toBeVisible()
}

/** The one way into a new installation: the link that the program prints, by a browser and nothing else. Signed in then. */
export const setUpConsoleOn = async (page: Page, setupLink: string): Promise<ConsolePerson> => {
  const authenticator = await addAuthenticator(page)
  const email = 'owner@example.com'
  await page.goto(setupLink)
  await expectScreen(page, 'Set up the console')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Your name').fill('Hanako Yamada')
  await page.getByRole('button', { name: 'Next' }).click()
  await enrolPasskey(page)
  const [passkey] = await passkeysOf(authenticator)
  if (passkey === undefined) throw new Error('no passkey was made')
  return { origin: new URL(setupLink).origin, email, passkey }
}

export const setUpConsole = async (browser: Browser, setupLink: string): Promise<ConsolePerson> => {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
  const person = await setUpConsoleOn(await context.newPage(), setupLink)
  await context.close()
  return person
}

/** The page has an authenticator with the person's passkey. */
export const givePasskey = async (page: Page, { passkey }: ConsolePerson): Promise<void> => {
  const { cdp, id } = await addAuthenticator(page)
  await cdp.send('WebAuthn.addCredential', { authenticatorId: id, credential: passkey })
}

/** Signs in with the person's passkey, and opens the screen at this path. */
export const signIn = async (page: Page, person: ConsolePerson, path = '/'): Promise<void> => {
  await givePasskey(page, person)
  await page.goto(`${person.origin}${path}`)
  await page.getByRole('button', { name: /^(Sign in with passkey|パスキーでサインイン)$/ }).click()
  await expect(accountMenu(page)).toBeVisible()
}

/** By the person's own menu. */
export const signOut = async (page: Page): Promise<void> => {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: /^(Sign out|サインアウト)$/ }).click()
  await expectScreen(page, /^(Sign in|サインイン)$/)
}
