/** Sign-in: what a stranger, a neighbour behind the same address and the owner of another shop do to those who sign in to the console. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Check } from 'typebox/value'
import { CONSOLE_BASE, CONSOLE_ROUTES, type ConsoleCallName } from '#contract/console/paths.ts'
import { CreationOptions, RequestOptions } from '#contract/console/webauthn.ts'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { CALL_TIMEOUT_MS, send, type ApiAnswer } from '../harness/shop-client.ts'
import { createVirtualAuthenticator, type VirtualAuthenticator } from '../harness/virtual-authenticator.ts'
import { until, wait, withAttackedServer, type Attack, type AttackedServer, type Measured } from './attacked-server.ts'

const MAILED_WITHIN_MS = 15_000
/** So that a mail too many has come by then. */
const NO_MORE_MAILS_MS = 3000
/** In which a server that has started and does nothing loads what a passkey needs. */
const IDLE_AFTER_START_MS = 10_000

const done = (answer: ApiAnswer): ApiAnswer => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text.slice(0, 200)}`)
  return answer
}

/** What a browser is asked to sign. */
const requested = ({ body: { options } }: ApiAnswer): RequestOptions => {
  if (!Check(RequestOptions, options)) throw new Error('nothing is asked of a passkey')
  return options
}
const asked = ({ body: { options } }: ApiAnswer): CreationOptions => {
  if (!Check(CreationOptions, options)) throw new Error('no passkey is asked for')
  return options
}

interface Browser {
  readonly authenticator: VirtualAuthenticator
  call(name: ConsoleCallName, body?: object, more?: { readonly merchant?: string }): Promise<ApiAnswer>
  /** True where the passkey of its authenticator has signed in. */
  signIn(): Promise<boolean>
  enrol(): Promise<void>
}

/** A browser on the console's own page, behind an address. */
const openBrowser = ({ running }: AttackedServer, from: string, held?: VirtualAuthenticator): Browser => {
  const { port } = running()
  const host = `console.localhost:${port}`
  const authenticator = held ?? createVirtualAuthenticator(`http://${host}`)
  const cookies = new Map<string, string>()
  const call: Browser['call'] = async (name, body, more = {}) => {
    const { method, path } = CONSOLE_ROUTES[name]
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const headers = { host, cookie, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': from, ...more }
    const given = body === undefined ? {} : { body }
    const answer = await send(port, {
      method,
      path: CONSOLE_BASE + path,
      headers,
      timeoutMs: CALL_TIMEOUT_MS,
      ...given,
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [key = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      cookies.set(key, value)
    }
    return answer
  }
  return {
    authenticator,
    call,
    signIn: async () => {
      const begun = await call('beginSignIn')
      if (begun.status !== 200) return false
      const passkey = authenticator.sign(requested(begun), { origin: `http://${host}` })
      return (await call('finishSignIn', { passkey })).status === 200
    },
    enrol: async () => {
      const options = asked(done(await call('beginEnrolment')))
      done(await call('finishEnrolment', { passkey: authenticator.create(options), name: 'phone' }))
    },
  }
}

const FIRST_PART = /base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)/

/** The text of the mails to an address, or to all, oldest first. */
const mailsTo = async ({ sandbox }: AttackedServer, address: string | null): Promise<string[]> =>
  (await sandbox.mails())
    .filter(({ recipients }) => address === null || recipients.includes(address))
    .map(({ source }) => Buffer.from(FIRST_PART.exec(source)?.[1] ?? '', 'base64').toString('utf8'))
    .toReversed()

const TOKEN = /\/(?:sign-in|invitation)\/([a-z2-7]{32})/

/** The token of the newest mail to an address, after more than so many have come; null: none came. */
const tokenAfter = async (server: AttackedServer, address: string, before: number): Promise<string | null> => {
  const newest = async (): Promise<string | undefined> => (await mailsTo(server, address))[before]
  if (!(await until(MAILED_WITHIN_MS, async () => (await newest()) !== undefined))) return null
  return TOKEN.exec((await newest()) ?? '')?.[1] ?? null
}

const HOME = '203.0.113.7'
const STRANGER = '198.51.100.1'
const demo = { merchant: 'demo' }
const invitationOf = (email: string, role = 'staff') => ({ email, role, locale: 'en-US' })
const askFor = (email: string) => ({ email, locale: 'en-US' })

/** The owner of the demo, by the link that the program prints. */
const setUp = async (server: AttackedServer): Promise<Browser> => {
  const owner = openBrowser(server, HOME)
  const token = server.running().consoleLink.split('/').at(-1)
  done(await owner.call('consumeLink', { token, email: 'owner@example.com', name: 'Owner' }))
  await owner.enrol()
  return owner
}

/** Somebody whom the owner invites, with a passkey. */
const joinShop = async (server: AttackedServer, owner: Browser, email: string): Promise<Browser> => {
  const before = (await mailsTo(server, email)).length
  done(await owner.call('invitePerson', invitationOf(email), demo))
  const joining = openBrowser(server, HOME)
  const token = await tokenAfter(server, email, before)
  done(await joining.call('consumeLink', { token, name: 'Somebody' }))
  await joining.enrol()
  return joining
}

/** B6. */
const askInParallel = async (server: AttackedServer): Promise<number> => {
  const email = 'flooded@example.com'
  const browsers = Array.from({ length: 30 }, (_none, place) => openBrowser(server, `198.51.100.${place + 100}`))
  const before = (await mailsTo(server, email)).length
  await Promise.all(browsers.map((each) => each.call('askForLink', askFor(email))))
  await wait(NO_MORE_MAILS_MS)
  return (await mailsTo(server, email)).length - before
}

/** B7: whether the person's own link comes, and signs in. */
const useUpLinks = async (server: AttackedServer): Promise<number> => {
  const email = 'wanted@example.com'
  const stranger = openBrowser(server, STRANGER)
  for (let times = 0; times < 5; times += 1) await stranger.call('askForLink', askFor(email))
  await wait(NO_MORE_MAILS_MS)
  const before = (await mailsTo(server, email)).length
  const person = openBrowser(server, '203.0.113.77')
  await person.call('askForLink', askFor(email))
  const token = await tokenAfter(server, email, before)
  return token !== null && (await person.call('consumeLink', { token })).status === 200 ? 1 : 0
}

/** B8: of twelve sign-ins of the owner, behind the address of a neighbour who asks for links and tries all else. */
const shareAddress = async (server: AttackedServer, { authenticator }: Browser): Promise<number> => {
  const neighbour = openBrowser(server, HOME)
  for (let links = 0; links < 6; links += 1) await neighbour.call('askForLink', askFor(`nobody${links}@example.com`))
  let signedIn = 0
  for (let times = 0; times < 12; times += 1) {
    for (let tries = 0; tries < 10; tries += 1) {
      const begun = await neighbour.call('beginSignIn')
      if (begun.status !== 200) continue
      const passkey = { ...authenticator.sign(requested(begun)), id: 'c3RyYW5nZQ', rawId: 'c3RyYW5nZQ' }
      await neighbour.call('finishSignIn', { passkey })
      await neighbour.call('readLink', { token: 'a'.repeat(32) })
    }
    if (await openBrowser(server, HOME, authenticator).signIn()) signedIn += 1
  }
  return signedIn
}

/** A5: whether the invitation of another shop is accepted, and whether its mail comes. */
const inviteBeside = async (server: AttackedServer, owner: Browser, second: Browser) => {
  const email = 'invited@example.com'
  const other = { merchant: 'other' }
  await owner.signIn()
  await second.signIn()
  let refused = 0
  for (let times = 0; times < 6; times += 1)
    if ((await owner.call('invitePerson', invitationOf(email), demo)).status === 429) refused += 1
  await wait(NO_MORE_MAILS_MS)
  const before = (await mailsTo(server, email)).length
  const { status } = await second.call('invitePerson', invitationOf(email), other)
  return {
    refused,
    accepted: status === 201 ? 1 : 0,
    mailed: (await tokenAfter(server, email, before)) === null ? 0 : 1,
  }
}

/** How many of the tokens that were mailed stand in the files of the database. */
const tokensInFiles = async (server: AttackedServer): Promise<number> => {
  const names = (await readdir(server.dataDir, { withFileTypes: true })).filter((each) => each.isFile())
  const files = await Promise.all(names.map(({ name }) => readFile(join(server.dataDir, name), 'latin1')))
  const tokens = (await mailsTo(server, null)).flatMap((mail) => TOKEN.exec(mail)?.[1] ?? [])
  if (tokens.length === 0) throw new Error('no link was mailed')
  return tokens.filter((token) => files.some((file) => file.includes(token))).length
}

/** C6: of two starts the cheaper first passkey, after another call of the console; another process may be in its way. */
const firstPasskey = async (server: AttackedServer, { authenticator }: Browser): Promise<number> => {
  const costs: number[] = []
  for (let starts = 0; starts < 2; starts += 1) {
    await server.kill()
    await server.start()
    await wait(IDLE_AFTER_START_MS)
    const browser = openBrowser(server, HOME, authenticator)
    await browser.call('readLink', { token: 'a'.repeat(32) })
    const before = await server.running().cpuMs()
    if (!(await browser.signIn())) throw new Error('the passkey does not sign in')
    costs.push((await server.running().cpuMs()) - before)
  }
  return Math.min(...costs)
}

const attackSignIn = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    const owner = await setUp(server)
    for (const email of ['flooded@example.com', 'wanted@example.com']) await joinShop(server, owner, email)
    const second = await joinShop(server, owner, 'second@example.com')
    await server.addShop('other')
    await server.sql((each) =>
      each.rows(
        `INSERT INTO memberships (merchant_id, person_id, role, created_at)
         SELECT $1, id, 'owner', created_at FROM people WHERE email = 'second@example.com'`,
        'other-id',
      ),
    )
    const mailed = await askInParallel(server)
    const own = await useUpLinks(server)
    const invited = await inviteBeside(server, owner, second)
    const signedIn = await shareAddress(server, owner)
    const first = await firstPasskey(server, owner)
    const inFiles = engine === 'SQLite' ? await tokensInFiles(server) : null
    report(`of six invitations of the first shop refused: ${invited.refused}`)
    return {
      [`${engine}: links mailed to an address that 30 ask for at once`]: mailed,
      [`${engine}: own link after five of a stranger`]: own,
      [`${engine}: sign-ins of 12 beside a neighbour`]: signedIn,
      [`${engine}: invitation accepted after six of another shop`]: invited.accepted,
      [`${engine}: its mail sent`]: invited.mailed,
      [`${engine}: first passkey after a start, ms of CPU`]: first,
      ...(inFiles === null ? {} : { [`${engine}: mailed tokens in the files of the database`]: inFiles }),
    }
  })

export const signIn: readonly Attack[] = [
  { name: 'SQLite', run: (report) => attackSignIn('SQLite', report) },
  { name: 'PostgreSQL', run: (report) => attackSignIn('PostgreSQL', report) },
]
